//! Where everything is in the window, and the data: what commands are applied to.

mod comparison;
mod sliders;
mod distribution;

pub use comparison::SwipeAt;
pub use distribution::{DistributionAt, ValueAxis};
pub use sliders::{SliderAt, StripAt, ThumbAt};

pub(super) use comparison::compares;
pub(super) use distribution::{DistributionPart, distribution_height};
pub(super) use sliders::{strip_height, thumbnails_height};

use gridscope_core::figure::{Reduce, Theme};
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};
use gridscope_core::grid::{Grid, SlicedAxis, Stats};
use gridscope_core::scale::ColorScale;
use gridscope_core::view::{EdgeTable, Track};
use gridscope_draw::layout::BodyRange;
use std::sync::Arc;

/// The window's figure as it is painted now.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WindowGeometry {
    /// The window in pixels, the status line included.
    pub size: PxSize,
    /// Pixels of a logical pixel: the scale factor.
    pub unit: f64,
    /// Height of the toolbar in pixels, 0 while there is none.
    pub toolbar: u32,
    /// The buttons of the toolbar: which one, and where.
    pub tools: Vec<(usize, PxRect)>,
    /// The menu that is open.
    pub menu: Option<MenuAt>,
    /// The minimap: a panel, and where all of its grid is shown small.
    pub minimap: Option<(usize, PxRect)>,
    /// The panels; where one is large, the others are as large and not in the window.
    pub panels: Vec<PanelAt>,
    /// The panel that has the whole window.
    pub large: Option<usize>,
    /// The panels are those of comparisons: the baseline, the values and their difference of each.
    pub compares: bool,
    /// The other panel that is shown left of a divider, where there is one.
    pub swipe: Option<SwipeAt>,
    /// The title of each panel, in a window of several.
    pub titles: Vec<Option<Rect>>,
    /// The strip of thumbnails, while one panel is large.
    pub strip: Option<StripAt>,
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
    /// Whether each panel's cells hold texts, as painted.
    pub written: Vec<bool>,
    /// Whether there are lines between cells, as painted.
    pub borders: bool,
    /// Whether axes have tick labels, as painted.
    pub labels: bool,
    /// Whether the layout keeps cells square, as painted.
    pub square: bool,
    /// Light or dark, as painted.
    pub theme: Theme,
    /// The distribution of a scale over the figure.
    pub distribution: Option<DistributionAt>,
    /// The axes that the grids show one index of, where others can be read.
    pub slices: Vec<SlicedAxis>,
    /// The sliders of these axes, as painted.
    pub sliders: Vec<SliderAt>,
    /// Not all cells are read yet: colours, limits and `stats` are those of a few. Everything else is exact.
    pub coarse: bool,
    /// What needs a pass over large grids is asked for, and not done at once.
    pub defers: bool,
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
    /// The columns along their axis, on which a view's `x` is measured.
    pub x: Track,
    /// The rows along their axis, on which a view's `y` is measured.
    pub y: Track,
    /// Row 0 is at the bottom: a view's `y` runs upwards.
    pub lower: bool,
    /// Column 0 is at the right: a view's `x` runs to the left.
    pub leftward: bool,
    /// The bodies that it may have; `None` where it has this one whatever it shows.
    pub range: Option<BodyRange>,
}

impl PanelAt {
    /// The bodies that the panel may have.
    pub fn range(&self) -> BodyRange {
        let PxRect { w, h, .. } = self.body;
        let fixed = || BodyRange::fixed(PxSize { w, h }, (self.x.length(), self.y.length()));
        self.range.unwrap_or_else(fixed)
    }

    /// How far a point lies along the body: 0 to 1 in the direction of a view's `x` and `y`; 0.5 on a side without
    /// pixels.
    pub fn share(&self, at: Point) -> (f64, f64) {
        let along = |v: f64, start: i32, size: u32| {
            if size == 0 { 0.5 } else { (v - f64::from(start)) / f64::from(size) }
        };
        let x = along(at.x, self.body.x, self.body.w);
        let y = along(at.y, self.body.y, self.body.h);
        (if self.leftward { 1.0 - x } else { x }, if self.lower { 1.0 - y } else { y })
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
        self.under(at).map(|(columns, rows)| (rows[0] as usize, columns[0] as usize))
    }
}

/// The span of the pixel at a place along a side.
fn span_at(table: &EdgeTable, at: f64) -> Option<[u32; 2]> {
    // NaN is not a pixel; as an integer it would be 0.
    let pixel = (!at.is_nan()).then(|| usize::try_from(at.floor() as i64))?.ok()?;
    table.spans().get(pixel).copied().filter(|s| s[0] < s[1])
}

/// A menu in the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MenuAt {
    /// Its frame.
    pub frame: PxRect,
    /// Its entries from the top; those that do not fit into the window are missing.
    pub entries: Vec<PxRect>,
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
    /// Part between the ends.
    Middle,
    /// The high end.
    High,
}

/// An end of a bar is a quarter of it, at least this many logical pixels, at most half of it.
const BAR_END: f64 = 12.0;

/// Part of the window under a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hit {
    /// The cells of a panel.
    Body(usize),
    /// The axis below a panel, as far down as its labels reach.
    XAxis(usize),
    /// The axis left of a panel.
    YAxis(usize),
    /// The title of a panel, in a window of several.
    Title(usize),
    /// The thumbnail of a panel.
    Thumbnail(usize),
    /// The strip of thumbnails beside them.
    Strip,
    /// A colour bar, and some pixels around it.
    Bar(usize),
    /// The slider of a sliced axis.
    Slider(usize),
    /// The distribution of a scale.
    Distribution(usize),
    /// A button of the toolbar.
    Tool(usize),
    /// An entry of the menu that is open.
    Entry(usize),
    /// The minimap of a panel.
    Minimap(usize),
    /// The divider between the two sides of the large panel, which is this one.
    Divider(usize),
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
        let far = if self.horizontal { at.x - r.x } else { r.bottom() - at.y };
        if self.length() > 0.0 { far / self.length() } else { 0.5 }
    }
}

impl Hit {
    /// The panel that was hit, by its body, an axis or its title.
    pub fn panel(self) -> Option<usize> {
        match self {
            Hit::Body(p) | Hit::Divider(p) | Hit::XAxis(p) | Hit::YAxis(p) | Hit::Title(p) => Some(p),
            Hit::Bar(_)
            | Hit::Distribution(_)
            | Hit::Thumbnail(_)
            | Hit::Strip
            | Hit::Slider(_)
            | Hit::Tool(_)
            | Hit::Entry(_)
            | Hit::Minimap(_)
            | Hit::Elsewhere => None,
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
            Hit::Bar(b) | Hit::Distribution(b) => Some(b),
            hit => self.scale_of.get(hit.panel()?).copied(),
        }
    }

    /// Part of the window under a point.
    pub fn hit(&self, at: Point) -> Hit {
        let near = 4.0 * self.logical_pixel();
        let holds = |r: &Rect| at.x >= r.x && at.x < r.right() && at.y >= r.y && at.y < r.bottom();
        let inside = |r: &PxRect, by: f64| holds(&r.rect().grown(by));
        if let Some(menu) = self.menu.as_ref().filter(|m| inside(&m.frame, 0.0)) {
            let entry = menu.entries.iter().position(|r| inside(r, 0.0));
            return entry.map_or(Hit::Elsewhere, Hit::Entry);
        }
        if let Some(slider) = self.slider_at(at) {
            return Hit::Slider(slider);
        }
        if at.y < f64::from(self.toolbar) {
            let tool = self.tools.iter().find(|(_, r)| inside(r, 0.0));
            return tool.map_or(Hit::Elsewhere, |t| Hit::Tool(t.0));
        }
        if let Some((panel, _)) = self.minimap.filter(|(_, r)| inside(r, 0.0)) {
            return Hit::Minimap(panel);
        }
        if let Some(strip) = self.strip.as_ref().filter(|s| s.holds(at)) {
            return strip.panel_at(at).map_or(Hit::Strip, Hit::Thumbnail);
        }
        let find =
            |holds: &dyn Fn(&PanelAt) -> bool| self.in_window().find(|(_, p)| holds(p)).map(|(i, _)| i);
        if let Some(d) = self.distribution.as_ref().filter(|d| holds(&d.rect)) {
            return Hit::Distribution(d.scale);
        }
        if let Some(i) = find(&|p| inside(&p.body, 0.0)) {
            return self.side_at(i, at);
        }
        let titled = |r: &Option<Rect>| r.as_ref().is_some_and(holds);
        if let Some(i) = self.titles.iter().position(titled) {
            return Hit::Title(i);
        }
        if let Some(b) = self.bars.iter().position(|b| b.as_ref().is_some_and(|b| inside(&b.ramp, near))) {
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
        let x = find(&along_x).map(Hit::XAxis);
        x.or_else(|| find(&along_y).map(Hit::YAxis)).unwrap_or(Hit::Elsewhere)
    }

    /// The panels that the window shows: all, or the large one.
    pub(super) fn in_window(&self) -> impl Iterator<Item = (usize, &PanelAt)> {
        let all = self.panels.iter().enumerate();
        all.filter(|(i, _)| self.large.is_none_or(|large| large == *i))
    }

    /// Whether the labels of an axis, below a body or left of it, may reach a point: nothing lies in between, and no label is
    /// longer than that.
    fn reaches(&self, body: &Rect, at: Point, below: bool) -> bool {
        let (unit, (w, h)) = (self.logical_pixel(), (f64::from(self.size.w), f64::from(self.size.h)));
        let (away, most) =
            if below { (at.y - body.bottom(), LABELS * h) } else { (body.x - at.x, LABELS * w) };
        if away < AXIS_DEPTH * unit {
            return true;
        }
        let in_way = |b: &PxRect, bar: bool| {
            let b = b.rect();
            // A horizontal bar has its own labels below it.
            if below { b.y >= body.bottom() && (!bar || b.y <= at.y) } else { b.right() <= body.x }
        };
        away < most
            && at.y < h - STATUS * unit
            && !self.in_window().any(|(_, p)| in_way(&p.body, false))
            && !self.bars.iter().flatten().any(|b| in_way(&b.ramp, true))
    }
}

/// An axis reaches at least this many logical pixels from its body.
const AXIS_DEPTH: f64 = 60.0;
/// Labels take no more than this share of the window.
const LABELS: f64 = 0.4;
/// Height of the toolbar in logical pixels.
pub(super) const TOOLBAR: f64 = 30.0;
/// Height of the status line in logical pixels.
pub(super) const STATUS: f64 = 24.0;

impl WindowGeometry {
    /// Takes over the places of what `painted` shows and this window has, too.
    pub(crate) fn keep_places(&mut self, painted: &WindowGeometry) {
        for (now, was) in self.panels.iter_mut().zip(&painted.panels) {
            (now.body, now.range) = (was.body, was.range);
            // Other cells have pixels of their own.
            if (now.x.length(), now.y.length()) == (was.x.length(), was.y.length()) {
                (now.columns, now.rows) = (was.columns.clone(), was.rows.clone());
            }
        }
        (self.toolbar, self.menu) = (painted.toolbar, painted.menu.clone());
        self.tools.clone_from(&painted.tools);
        if self.panels.len() == painted.panels.len() {
            (self.minimap, self.strip) = (painted.minimap, painted.strip.clone());
            (self.large, self.swipe) = (painted.large, painted.swipe);
            self.titles.clone_from(&painted.titles);
        }
        if self.scale_of == painted.scale_of {
            self.bars.clone_from(&painted.bars);
            self.distribution.clone_from(&painted.distribution);
        }
        if self.slices.len() == painted.slices.len() {
            self.sliders.clone_from(&painted.sliders);
        }
    }
}

impl WindowGeometry {
    /// Whether any panel in the window shows values in its cells.
    pub(crate) fn shows_values(&self) -> bool {
        let written = |i: usize| self.written.get(i).copied().unwrap_or(false);
        self.annotations && self.in_window().any(|(i, _)| written(i))
    }
}

#[cfg(test)]
mod tests;
