//! Views with square cells: as many pixels per cell along x as along y.

use super::super::geometry::PanelAt;
use gridscope_core::geom::PxSize;
use gridscope_core::view::{Part, View};
use gridscope_draw::layout::BodyRange;

/// The axes that a move concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Along {
    pub x: bool,
    pub y: bool,
}

impl Along {
    pub(super) const BOTH: Self = Self { x: true, y: true };
}

/// Whether a body has pixels: it has none while the window is hidden.
fn has_pixels(size: PxSize) -> bool {
    size.w > 0 && size.h > 0
}

/// The view of all of a panel's data; with square cells, one axis may extend beyond the data.
pub(super) fn home(panel: &PanelAt, square: bool) -> View {
    let whole = View { x: panel.x.whole(), y: panel.y.whole() };
    let range = panel.range();
    if !square || !has_pixels(range.base) || range.whole_scale().is_some() {
        return whole;
    }
    placed(panel, &range, range.least_scale(), [(0.5, whole.x), (0.5, whole.y)])
}

/// The view with cells of this many pixels, in the body that it has then: of each part, the position at a share stays there.
fn placed(panel: &PanelAt, range: &BodyRange, scale: f64, parts: [(f64, Part); 2]) -> View {
    let lengths = range.lengths(scale);
    let part = |side: usize, whole: Part| {
        let (share, part) = parts[side];
        let Some(len) = lengths[side] else { return whole };
        let from = part.at(share) - share * len;
        Part { from, to: from + len }.clamp(whole.len(), f64::INFINITY)
    };
    View { x: part(0, panel.x.whole()), y: part(1, panel.y.whole()) }
}

/// The view with cells of this many pixels about the same middle.
pub(super) fn scaled(panel: &PanelAt, view: &View, scale: f64) -> View {
    let range = panel.range();
    if !has_pixels(range.base) {
        return *view;
    }
    placed(panel, &range, scale.min(largest(&range)), [(0.5, view.x), (0.5, view.y)])
}

/// The most pixels of a cell.
fn largest(range: &BodyRange) -> f64 {
    f64::from(range.most.w.min(range.most.h)) / Part::LEAST
}

/// The view with square cells that shows everything that is now visible along the given axes.
pub(super) fn squared(panel: &PanelAt, view: &View, along: Along) -> View {
    let range = panel.range();
    if !has_pixels(range.base) {
        return *view;
    }
    let seen = |p: &Part, length: f64| p.to.min(length) - p.from.max(0.0);
    let side = |is_along: bool, pixels: u32, part: &Part, length: f64| match is_along {
        true => f64::from(pixels) / seen(part, length),
        false => f64::INFINITY,
    };
    let x = side(along.x, range.most.w, &view.x, range.cells.0);
    let y = side(along.y, range.most.h, &view.y, range.cells.1);
    let scale = x.min(y);
    if scale <= range.least_scale() {
        return home(panel, true);
    }
    scaled(panel, view, scale)
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
    let range = panel.range();
    if square && has_pixels(range.base) {
        let apart = range.scale(view).is_none();
        let view = if apart { &squared(panel, view, Along::BOTH) } else { view };
        let all = range.least_scale();
        let now = range.scale(view).unwrap_or(all);
        if now * factor <= all && now >= all {
            return home(panel, true);
        }
        // Out to at most all data, in to at least half a cell along the shorter side.
        let scale = (now * factor).max(all.min(now)).min(largest(&range).max(now));
        let share = |p: &Part, at: Option<f64>| at.map_or(0.5, |at| (at - p.from) / p.len());
        let parts = [(share(&view.x, at.0), view.x), (share(&view.y, at.1), view.y)];
        return placed(panel, &range, scale, parts);
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
    View { x: go(&view.x, at.0, panel.x.length()), y: go(&view.y, at.1, panel.y.length()) }
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
        assert_eq!(home(&geometry(1, 30, 20).panels[0], true), view((-10.0, 30.0), (0.0, 30.0)));
        assert_eq!(home(&geometry(1, 300, 401).panels[0], true), view((0.0, 401.0), (0.0, 300.0)));
    }

    #[test]
    fn squaring_loses_nothing_that_is_seen() {
        let w = geometry(1, 100, 100);
        let p = &w.panels[0];
        assert_eq!(
            squared(p, &view((40.0, 48.0), (20.0, 50.0)), Along::BOTH),
            view((24.0, 64.0), (20.0, 50.0))
        );
        assert_eq!(squared(p, &view((0.0, 8.0), (20.0, 50.0)), Along::BOTH), view((0.0, 40.0), (20.0, 50.0)));
        assert_eq!(
            squared(p, &view((40.0, 48.0), (20.0, 50.0)), Along { x: true, y: false }),
            view((40.0, 48.0), (32.0, 38.0))
        );
        let scale = |v| p.range().scale(&v);
        assert_eq!(
            (scale(view((24.0, 64.0), (20.0, 50.0))), scale(view((0.0, 64.0), (20.0, 50.0)))),
            (Some(10.0), None)
        );
    }

    #[test]
    fn zooms_end_at_all_of_the_data_and_at_half_a_cell() {
        let w = geometry(1, 100, 100);
        let p = &w.panels[0];
        let far = |v: View, f, square| zoomed(p, &v, (Some(30.0), Some(30.0)), f, square);
        assert_eq!(far(view((10.0, 50.0), (15.0, 45.0)), 1e-300, true), home(p, true));
        assert_eq!(far(view((10.0, 50.0), (15.0, 45.0)), 1e-300, false), home(p, false));
        let near = far(view((10.0, 50.0), (15.0, 45.0)), 1e300, true);
        assert!(
            (near.y.len() - 0.5).abs() < 1e-12
                && (near.x.len() - 2.0 / 3.0).abs() < 1e-12
                && near.x.at(0.5) == 30.0,
            "{near:?}"
        );
    }

    #[test]
    fn a_zoomed_body_takes_the_free_room_and_gives_it_back() {
        let mut w = geometry(1, 100, 50);
        let sides = |w, h| PxSize { w, h };
        let p = &mut w.panels[0];
        (p.body.w, p.body.h) = (300, 600);
        p.range = Some(BodyRange { base: sides(300, 600), most: sides(1000, 600), cells: (50.0, 100.0) });
        let p = &w.panels[0];
        let (mut v, all) = (home(p, true), view((0.0, 50.0), (0.0, 100.0)));
        assert_eq!(v, all);
        v = zoomed(p, &v, (Some(25.0), Some(25.0)), 2.0, true);
        assert_eq!(v, view((0.0, 50.0), (12.5, 62.5)));
        v = zoomed(p, &v, (Some(25.0), Some(37.5)), 2.0, true);
        // 24 pixels a cell: 1000 pixels show 41.67 columns, 600 show 25 rows.
        assert_eq!(p.range().body_of(&v), sides(1000, 600));
        assert!((v.x.len() - 1000.0 / 24.0).abs() < 1e-9 && v.y == Part { from: 25.0, to: 50.0 }, "{v:?}");
        assert_eq!(zoomed(p, &v, (Some(25.0), Some(37.5)), 0.25, true), all);
        // The smallest steps move, too.
        let mut near = all;
        for _ in 0..1000 {
            near = zoomed(p, &near, (Some(25.0), Some(25.0)), 1.0001, true);
        }
        assert!((near.y.len() - 100.0 / 1.0001f64.powi(1000)).abs() < 1e-6, "{near:?}");
        assert_eq!(
            squared(p, &view((10.0, 20.0), (10.0, 20.0)), Along::BOTH).y,
            Part { from: 10.0, to: 20.0 }
        );
        assert_eq!(squared(p, &all, Along::BOTH), all);
    }
}
