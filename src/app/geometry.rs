//! Where everything is in the window, and the data: what commands are applied to.

use crate::figure::Reduce;
use crate::geom::{Point, PxRect, PxSize, Rect};
use crate::grid::{Grid, Stats};
use crate::scale::ColorScale;
use crate::view::{EdgeTable, Track};
use std::sync::Arc;

/// The window's figure as it is painted now.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WindowGeometry {
    /// The window in pixels, the status line included.
    pub size: PxSize,
    /// Pixels of a logical pixel: the scale factor.
    pub unit: f64,
    /// The panels.
    pub panels: Vec<PanelAt>,
    /// The colour bars, one a scale; `None` where a scale has none.
    pub bars: Vec<Option<BarAt>>,
    /// The scale of each panel.
    pub scale_of: Vec<usize>,
    /// The colours of each scale, limits as painted.
    pub scales: Vec<Arc<ColorScale>>,
    /// The data, one grid a panel.
    pub grids: Arc<Vec<Grid>>,
    /// Statistics of each grid: of all cells, unless `coarse`.
    pub stats: Arc<Vec<Stats>>,
    /// The reduction, as painted.
    pub reduce: Reduce,
    /// Whether cells show their values, as painted.
    pub annotations: bool,
    /// Whether there are lines between cells, as painted.
    pub borders: bool,
    /// Whether axes have tick labels, as painted.
    pub labels: bool,
    /// Whether the layout keeps cells square, as painted.
    pub square: bool,
    /// Not all cells are read yet: colours, limits and `stats` are those of a few. Everything else is exact.
    pub coarse: bool,
}

/// A panel in the window.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PanelAt {
    /// Its cells.
    pub body: PxRect,
    /// The columns that each pixel covers, as painted.
    pub columns: EdgeTable,
    /// The rows that each pixel covers, as painted (reversed where row 0 is at the bottom).
    pub rows: EdgeTable,
    /// The columns along their axis: what a view's `x` is measured on.
    pub x: Track,
    /// The rows along their axis: what a view's `y` is measured on.
    pub y: Track,
    /// Row 0 is at the bottom: a view's `y` runs upwards.
    pub lower: bool,
    /// Column 0 is at the right: a view's `x` runs to the left.
    pub leftward: bool,
}

impl PanelAt {
    /// How far a point lies along the body: 0 to 1 in the direction of a view's `x` and `y`; 0.5 on a side without
    /// pixels.
    pub fn share(&self, at: Point) -> (f64, f64) {
        let along = |v: f64, start: i32, size: u32| {
            if size == 0 {
                0.5
            } else {
                (v - f64::from(start)) / f64::from(size)
            }
        };
        let x = along(at.x, self.body.x, self.body.w);
        let y = along(at.y, self.body.y, self.body.h);
        (
            if self.leftward { 1.0 - x } else { x },
            if self.lower { 1.0 - y } else { y },
        )
    }

    /// First and end of the columns and of the rows under a point, as painted; `None` beside the body and in gaps.
    pub fn under(&self, at: Point) -> Option<([u32; 2], [u32; 2])> {
        Some((self.columns_at(at.x)?, self.rows_at(at.y)?))
    }

    /// First and end of the columns at `x` pixels of the window, as painted; `None` beside the body and in gaps.
    pub fn columns_at(&self, x: f64) -> Option<[u32; 2]> {
        span_at(&self.columns, x - f64::from(self.body.x))
    }

    /// First and end of the rows at `y` pixels of the window, as painted; `None` beside the body and in gaps.
    pub fn rows_at(&self, y: f64) -> Option<[u32; 2]> {
        span_at(&self.rows, y - f64::from(self.body.y))
    }

    /// The first cell (row, column) under a point, as painted.
    pub fn cell(&self, at: Point) -> Option<(usize, usize)> {
        self.under(at)
            .map(|(columns, rows)| (rows[0] as usize, columns[0] as usize))
    }
}

/// The span of the pixel at a place along a side.
fn span_at(table: &EdgeTable, at: f64) -> Option<[u32; 2]> {
    // NaN is not a pixel; as an integer it would be 0.
    let pixel = (!at.is_nan()).then(|| usize::try_from(at.floor() as i64))?.ok()?;
    table.spans().get(pixel).copied().filter(|s| s[0] < s[1])
}

/// A colour bar in the window.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BarAt {
    /// Its ramp.
    pub ramp: PxRect,
    /// From left to right, else from the bottom to the top.
    pub horizontal: bool,
}

/// The part of a bar that a drag takes hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarPart {
    /// The low end.
    Low,
    /// What lies between the ends.
    Middle,
    /// The high end.
    High,
}

/// An end of a bar is a quarter of it, at least this many logical pixels, at most half of it.
const BAR_END: f64 = 12.0;

/// What lies under a point of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hit {
    /// The cells of a panel.
    Body(usize),
    /// The axis below a panel, as far down as its labels reach.
    XAxis(usize),
    /// The axis left of a panel.
    YAxis(usize),
    /// A colour bar, and some pixels around it.
    Bar(usize),
    /// Nothing.
    Elsewhere,
}

impl BarAt {
    /// The ramp's length in pixels.
    pub fn length(&self) -> f64 {
        f64::from(if self.horizontal { self.ramp.w } else { self.ramp.h })
    }

    /// The part of the bar under a point; `unit`: device pixels of a logical pixel.
    pub(super) fn part_at(&self, at: Point, unit: f64) -> BarPart {
        let length = self.length();
        let end = (length / 4.0).max(BAR_END * unit).min(length / 2.0) / length;
        match self.share(at) {
            share if share < end => BarPart::Low,
            share if share > 1.0 - end => BarPart::High,
            _ => BarPart::Middle,
        }
    }

    /// How far a point lies along the ramp: 0 at its low end, 1 at its high end; the middle of a ramp without pixels.
    pub fn share(&self, at: Point) -> f64 {
        let r = self.ramp.rect();
        let far = if self.horizontal {
            at.x - r.x
        } else {
            r.bottom() - at.y
        };
        if self.length() > 0.0 {
            far / self.length()
        } else {
            0.5
        }
    }
}

impl Hit {
    /// The panel that was hit, by its body or an axis.
    pub fn panel(self) -> Option<usize> {
        match self {
            Hit::Body(p) | Hit::XAxis(p) | Hit::YAxis(p) => Some(p),
            Hit::Bar(_) | Hit::Elsewhere => None,
        }
    }
}

impl WindowGeometry {
    /// Device pixels of a logical pixel: the scale factor, but never less than a quarter.
    pub(super) fn logical_pixel(&self) -> f64 {
        self.unit.max(0.25)
    }

    /// The colour scale under a point: a bar's, or that of a panel.
    pub fn scale_at(&self, at: Point) -> Option<usize> {
        match self.hit(at) {
            Hit::Bar(b) => Some(b),
            hit => self.scale_of.get(hit.panel()?).copied(),
        }
    }

    /// What lies under a point.
    pub fn hit(&self, at: Point) -> Hit {
        let near = 4.0 * self.logical_pixel();
        let inside = |r: &PxRect, by: f64| {
            let r = r.rect().grown(by);
            at.x >= r.x && at.x < r.right() && at.y >= r.y && at.y < r.bottom()
        };
        if let Some(i) = self.panels.iter().position(|p| inside(&p.body, 0.0)) {
            return Hit::Body(i);
        }
        if let Some(b) = self
            .bars
            .iter()
            .position(|b| b.as_ref().is_some_and(|b| inside(&b.ramp, near)))
        {
            return Hit::Bar(b);
        }
        let along_x = |p: &PanelAt| {
            let r = p.body.rect();
            at.x >= r.x && at.x < r.right() && at.y >= r.bottom() && self.reaches(&r, at, true)
        };
        let along_y = |p: &PanelAt| {
            let r = p.body.rect();
            at.y >= r.y && at.y < r.bottom() && at.x < r.x && self.reaches(&r, at, false)
        };
        let x = self.panels.iter().position(along_x).map(Hit::XAxis);
        x.or_else(|| self.panels.iter().position(along_y).map(Hit::YAxis))
            .unwrap_or(Hit::Elsewhere)
    }

    /// Whether the labels of an axis, below a body or left of it, may reach a point: nothing lies in between, and no label is
    /// longer than that.
    fn reaches(&self, body: &Rect, at: Point, below: bool) -> bool {
        let (unit, (w, h)) = (
            self.logical_pixel(),
            (f64::from(self.size.w), f64::from(self.size.h)),
        );
        let (away, most) = if below {
            (at.y - body.bottom(), LABELS * h)
        } else {
            (body.x - at.x, LABELS * w)
        };
        if away < AXIS_DEPTH * unit {
            return true;
        }
        let in_way = |b: &PxRect, bar: bool| {
            let b = b.rect();
            // A horizontal bar has its own labels below it.
            if below {
                b.y >= body.bottom() && (!bar || b.y <= at.y)
            } else {
                b.right() <= body.x
            }
        };
        away < most
            && at.y < h - STATUS * unit
            && !self.panels.iter().any(|p| in_way(&p.body, false))
            && !self.bars.iter().flatten().any(|b| in_way(&b.ramp, true))
    }
}

/// An axis reaches at least this many logical pixels from its body.
const AXIS_DEPTH: f64 = 60.0;
/// Labels take no more than this share of the window.
const LABELS: f64 = 0.4;
/// Height of the status line in logical pixels.
pub(super) const STATUS: f64 = 24.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(lower: bool) -> PanelAt {
        let (x, y) = (Track::even(4), Track::placed(vec![[0.0, 1.0], [2.0, 3.0]]));
        let rows = y.table(y.whole(), 60);
        let rows = if lower { rows.reversed() } else { rows };
        PanelAt {
            body: PxRect {
                x: 100,
                y: 50,
                w: 40,
                h: 60,
            },
            columns: x.table(x.whole(), 40),
            rows,
            x,
            y,
            lower,
            leftward: false,
        }
    }

    #[test]
    fn cells_lie_under_the_pixels_that_show_them() {
        let at = |x: f64, y: f64| Point { x, y };
        let p = panel(false);
        assert_eq!(
            (p.cell(at(100.0, 50.0)), p.cell(at(139.9, 109.9))),
            (Some((0, 0)), Some((1, 3)))
        );
        assert_eq!(
            (
                p.cell(at(110.0, 80.0)),
                p.cell(at(99.9, 60.0)),
                p.cell(at(140.0, 60.0))
            ),
            (None, None, None)
        );
        assert_eq!(
            (panel(true).cell(at(100.0, 50.0)), p.cell(at(f64::NAN, 60.0))),
            (Some((1, 0)), None)
        );
        assert_eq!(
            (p.share(at(110.0, 65.0)), panel(true).share(at(110.0, 65.0))),
            ((0.25, 0.25), (0.25, 0.75))
        );
    }

    #[test]
    fn axes_reach_as_far_as_their_labels_may() {
        let mut w = WindowGeometry {
            size: PxSize { w: 1000, h: 800 },
            unit: 1.0,
            ..WindowGeometry::default()
        };
        let body = |x, y| PanelAt {
            body: PxRect { x, y, w: 200, h: 100 },
            ..panel(false)
        };
        w.panels = vec![body(450, 100)];
        let hit = |w: &WindowGeometry, x, y| w.hit(Point { x, y });
        assert_eq!(
            (hit(&w, 51.0, 150.0), hit(&w, 49.0, 150.0)),
            (Hit::YAxis(0), Hit::Elsewhere)
        );
        assert_eq!(
            (hit(&w, 500.0, 519.0), hit(&w, 500.0, 521.0)),
            (Hit::XAxis(0), Hit::Elsewhere)
        );
        // Not under a bar with labels of its own, nor into the status line.
        w.bars = vec![Some(BarAt {
            ramp: PxRect {
                x: 450,
                y: 400,
                w: 200,
                h: 10,
            },
            horizontal: true,
        })];
        assert_eq!(
            [390.0, 405.0, 430.0].map(|y| hit(&w, 500.0, y)),
            [Hit::XAxis(0), Hit::Bar(0), Hit::Elsewhere]
        );
        w.panels[0].body.y = 600;
        assert_eq!(
            (hit(&w, 500.0, 775.0), hit(&w, 500.0, 777.0)),
            (Hit::XAxis(0), Hit::Elsewhere)
        );
        // Between panels the room is shared.
        w.panels.push(body(780, 600));
        assert_eq!(
            (hit(&w, 721.0, 650.0), hit(&w, 719.0, 650.0)),
            (Hit::YAxis(1), Hit::Elsewhere)
        );
        assert_eq!(hit(&w, 60.0, 650.0), Hit::YAxis(0));
    }

    #[test]
    fn bars_run_to_the_right_or_upwards() {
        let ramp = PxRect {
            x: 10,
            y: 20,
            w: 200,
            h: 100,
        };
        let share = |horizontal, x, y| BarAt { ramp, horizontal }.share(Point { x, y });
        assert_eq!(
            (
                share(true, 60.0, 0.0),
                share(false, 0.0, 95.0),
                share(false, 0.0, 20.0)
            ),
            (0.25, 0.25, 1.0)
        );
    }
}
