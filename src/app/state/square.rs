//! Views with square cells: as many pixels per cell along x as along y.

use super::super::geometry::PanelAt;
use crate::geom::PxRect;
use crate::view::{Part, View};

/// The axes that a move concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Along {
    pub x: bool,
    pub y: bool,
}

impl Along {
    pub(super) const BOTH: Self = Self { x: true, y: true };
}

/// Width and height of a body, unless one is 0.
fn sides(b: PxRect) -> Option<(f64, f64)> {
    (b.w > 0 && b.h > 0).then(|| (f64::from(b.w), f64::from(b.h)))
}

/// The view of all of a panel's data; with square cells, one axis may extend beyond the data.
pub(super) fn home(panel: &PanelAt, square: bool) -> View {
    let whole = View {
        x: panel.x.whole(),
        y: panel.y.whole(),
    };
    let Some((w, h)) = sides(panel.body).filter(|_| square) else {
        return whole;
    };
    let (x, y) = (whole.x.len() / w, whole.y.len() / h);
    if (x - y).abs() * w.max(h) <= 2.0 * x.max(y) && (x - y).abs() <= 0.02 * x.max(y) {
        // The body was laid out for square cells and rounded to whole pixels.
        return whole;
    }
    if x >= y {
        View {
            y: about_middle(&whole.y, x * h, whole.y.len()),
            ..whole
        }
    } else {
        View {
            x: about_middle(&whole.x, y * w, whole.x.len()),
            ..whole
        }
    }
}

/// A part of length `len` about the same middle, on an axis of `length`.
fn about_middle(part: &Part, len: f64, length: f64) -> Part {
    let middle = part.at(0.5);
    Part {
        from: middle - len / 2.0,
        to: middle + len / 2.0,
    }
    .clamp(length, f64::INFINITY)
}

/// The view of this many cells per pixel about the same middle.
pub(super) fn scaled(panel: &PanelAt, view: &View, cells: f64) -> View {
    let Some((w, h)) = sides(panel.body) else {
        return *view;
    };
    let cells = cells.max(Part::LEAST / w.min(h));
    View {
        x: about_middle(&view.x, cells * w, panel.x.length()),
        y: about_middle(&view.y, cells * h, panel.y.length()),
    }
}

/// Cells per pixel, if a view's cells are square on a body.
pub(super) fn scale(body: PxRect, view: &View) -> Option<f64> {
    let (w, h) = sides(body)?;
    let (x, y) = (view.x.len() / w, view.y.len() / h);
    ((x - y).abs() <= 1e-6 * x).then_some(x)
}

/// The view with square cells that shows everything that is now visible along the given axes.
pub(super) fn squared(panel: &PanelAt, view: &View, along: Along) -> View {
    let Some((w, h)) = sides(panel.body) else {
        return *view;
    };
    let seen = |p: &Part, length: f64| p.to.min(length) - p.from.max(0.0);
    let x = if along.x {
        seen(&view.x, panel.x.length()) / w
    } else {
        0.0
    };
    let y = if along.y {
        seen(&view.y, panel.y.length()) / h
    } else {
        0.0
    };
    scaled(panel, view, x.max(y))
}

/// Zooms in `factor` times about places on the axes. Square cells zoom both axes, one without a place about
/// its middle.
pub(super) fn zoomed(
    panel: &PanelAt,
    view: &View,
    at: (Option<f64>, Option<f64>),
    factor: f64,
    square: bool,
) -> View {
    if let Some((w, h)) = sides(panel.body).filter(|_| square) {
        let (now, all) = (view.x.len() / w, home(panel, true).x.len() / w);
        if now / factor >= all && now <= all {
            return home(panel, true);
        }
        // Out to at most all data, in to at least half a cell along the shorter side.
        let factor = factor
            .max(now / all.max(now))
            .min(now / (Part::LEAST / w.min(h)).min(now));
        let go = |p: &Part, at: Option<f64>, length: f64| {
            p.zoom_about(at.unwrap_or(p.at(0.5)), factor)
                .clamp(length, f64::INFINITY)
        };
        return View {
            x: go(&view.x, at.0, panel.x.length()),
            y: go(&view.y, at.1, panel.y.length()),
        };
    }
    let go = |p: &Part, at: Option<f64>, length: f64| {
        let Some(at) = at else { return *p };
        let (len, most) = (p.len(), length.max(p.len()));
        if len / factor >= length && len <= length {
            return Part::whole(length);
        }
        let factor = factor.max(len / most).min(len / Part::LEAST.min(len));
        p.zoom_about(at, factor).clamp(length, most)
    };
    View {
        x: go(&view.x, at.0, panel.x.length()),
        y: go(&view.y, at.1, panel.y.length()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_window::{geometry, view};
    use super::*;

    #[test]
    fn all_data_are_centred() {
        // 400 x 300 pixels.
        let w = geometry(1, 10, 20);
        assert_eq!(home(&w.panels[0], false), view((0.0, 20.0), (0.0, 10.0)));
        assert_eq!(home(&w.panels[0], true), view((0.0, 20.0), (-2.5, 12.5)));
        assert_eq!(
            home(&geometry(1, 30, 20).panels[0], true),
            view((-10.0, 30.0), (0.0, 30.0))
        );
        assert_eq!(
            home(&geometry(1, 300, 401).panels[0], true),
            view((0.0, 401.0), (0.0, 300.0))
        );
    }

    #[test]
    fn squaring_loses_nothing_that_is_seen() {
        let w = geometry(1, 100, 100);
        let p = &w.panels[0];
        assert_eq!(
            squared(p, &view((40.0, 48.0), (20.0, 50.0)), Along::BOTH),
            view((24.0, 64.0), (20.0, 50.0))
        );
        assert_eq!(
            squared(p, &view((0.0, 8.0), (20.0, 50.0)), Along::BOTH),
            view((0.0, 40.0), (20.0, 50.0))
        );
        assert_eq!(
            squared(p, &view((40.0, 48.0), (20.0, 50.0)), Along { x: true, y: false }),
            view((40.0, 48.0), (32.0, 38.0))
        );
        assert_eq!(
            (
                scale(p.body, &view((24.0, 64.0), (20.0, 50.0))),
                scale(p.body, &view((0.0, 64.0), (20.0, 50.0)))
            ),
            (Some(0.1), None)
        );
    }

    #[test]
    fn zooms_end_at_all_of_the_data_and_at_half_a_cell() {
        let w = geometry(1, 100, 100);
        let p = &w.panels[0];
        let far = |v: View, f, square| zoomed(p, &v, (Some(30.0), Some(30.0)), f, square);
        assert_eq!(far(view((10.0, 50.0), (15.0, 45.0)), 1e-300, true), home(p, true));
        assert_eq!(
            far(view((10.0, 50.0), (15.0, 45.0)), 1e-300, false),
            home(p, false)
        );
        let near = far(view((10.0, 50.0), (15.0, 45.0)), 1e300, true);
        assert!(
            (near.y.len() - 0.5).abs() < 1e-12
                && (near.x.len() - 2.0 / 3.0).abs() < 1e-12
                && near.x.at(0.5) == 30.0,
            "{near:?}"
        );
    }
}
