//! What the state is asked about: where everything stands in the window, and the data.

use crate::geom::{Point, PxRect, PxSize};
use crate::grid::{Grid, Stats};
use crate::scale::ColorScale;
use crate::view::{EdgeTable, Track};
use std::sync::Arc;

/// The window's figure as it is painted now.
#[derive(Clone, Debug, Default)]
pub struct World {
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
    /// Exact figures of each grid.
    pub stats: Arc<Vec<Stats>>,
}

/// A panel in the window.
#[derive(Clone, Debug)]
pub struct PanelAt {
    /// Its cells.
    pub body: PxRect,
    /// Which columns each pixel covers, as painted.
    pub columns: EdgeTable,
    /// Which rows each pixel covers, as painted (reversed where row 0 is below).
    pub rows: EdgeTable,
    /// The columns along their axis: what a view's `x` is measured on.
    pub x: Track,
    /// The rows along their axis: what a view's `y` is measured on.
    pub y: Track,
    /// Row 0 is below: a view's `y` runs upwards.
    pub lower: bool,
}

/// A colour bar in the window.
#[derive(Clone, Debug)]
pub struct BarAt {
    /// Its ramp.
    pub ramp: PxRect,
    /// From left to right, else from the bottom to the top.
    pub horizontal: bool,
}

/// What lies at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The cells of a panel.
    Body(usize),
    /// The axis under a panel: everything below its body as far as its labels reach.
    XAxis(usize),
    /// The axis beside a panel.
    YAxis(usize),
    /// A colour bar, its ends and some pixels around.
    Bar(usize),
    /// Nothing.
    Elsewhere,
}

impl World {
    /// What lies at a place.
    pub fn place(&self, at: Point) -> Place {
        let near = 4.0 * self.unit.max(0.25);
        let inside = |r: &PxRect, by: f64| {
            let r = r.rect().grown(by);
            at.x >= r.x && at.x < r.right() && at.y >= r.y && at.y < r.bottom()
        };
        if let Some(i) = self.panels.iter().position(|p| inside(&p.body, 0.0)) {
            return Place::Body(i);
        }
        if let Some(b) = self.bars.iter().position(|b| b.as_ref().is_some_and(|b| inside(&b.ramp, near))) {
            return Place::Bar(b);
        }
        // An axis reaches as far as its labels may: no farther than the next body.
        let depth = AXIS_DEPTH * self.unit.max(0.25);
        let along_x = |p: &PanelAt| {
            let r = p.body.rect();
            at.x >= r.x && at.x < r.right() && at.y >= r.bottom() && at.y < r.bottom() + depth
        };
        let along_y = |p: &PanelAt| {
            let r = p.body.rect();
            at.y >= r.y && at.y < r.bottom() && at.x < r.x && at.x >= r.x - depth
        };
        let x = self.panels.iter().position(along_x).map(Place::XAxis);
        x.or_else(|| self.panels.iter().position(along_y).map(Place::YAxis)).unwrap_or(Place::Elsewhere)
    }
}

/// How far an axis reaches from its body, in logical pixels.
const AXIS_DEPTH: f64 = 60.0;
