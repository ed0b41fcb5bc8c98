//! A figure as a list of six kinds of item; their order is the painting order.

mod contours;
mod bar_labels;
mod bar;
mod annotations;
mod hatching;
mod margins;
mod marks;
mod compose;
mod part;

pub use compose::{Content, compose};

use gridscope_core::color::Color;
use gridscope_core::figure::Reduce;
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};
use gridscope_core::grid::{Grid, Number, State, Summaries, Values};
use gridscope_core::scale::ColorScale;
use gridscope_core::view::EdgeTable;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, Weak};

/// Everything a back end needs, beside the grids themselves.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The canvas.
    pub size: PxSize,
    /// Colour under all items; `None` leaves the canvas clear.
    pub background: Option<Color>,
    #[doc(hidden)]
    /// First items, in order: shared by scenes that differ only in `items`, such as the frames of a window.
    pub base: Arc<Vec<Item>>,
    #[doc(hidden)]
    /// Part that is painted over them. Only windows have it: vector files and tiles leave it out.
    pub inset: Option<Inset>,
    #[doc(hidden)]
    /// Last items, in order.
    pub items: Vec<Item>,
}

/// Other items on a rectangle of the canvas, cut off at its edges.
#[derive(Clone, Debug)]
pub struct Inset {
    /// The rectangle, within the canvas.
    pub rect: PxRect,
    /// Its items, in the coordinates of the canvas: they cover it.
    pub items: Arc<Vec<Item>>,
}

impl Scene {
    /// A scene that shares no item with another.
    pub fn new(size: PxSize, background: Option<Color>, items: Vec<Item>) -> Self {
        Self { size, background, base: Arc::default(), inset: None, items }
    }

    /// All items in the order of painting, without those of an inset.
    pub fn all(&self) -> impl Iterator<Item = &Item> {
        self.base.iter().chain(&self.items)
    }
}

/// One thing to paint. Coordinates are output pixels, y down.
#[derive(Clone, Debug)]
pub enum Item {
    /// A filled rectangle.
    Rect {
        /// Where.
        rect: Rect,
        /// Its colour.
        color: Color,
    },
    /// A straight line with butt ends.
    Line {
        /// One end.
        from: Point,
        /// The other end.
        to: Point,
        /// Thickness in pixels.
        width: f64,
        /// Its colour.
        color: Color,
    },
    /// A filled convex polygon of three or four corners.
    Polygon {
        /// Its corners, in either turning sense.
        points: Vec<Point>,
        /// Its colour.
        color: Color,
    },
    /// A line of text.
    Text {
        /// Its text.
        text: String,
        /// Font size in pixels.
        font_size: f64,
        /// Where the baseline starts.
        at: Point,
        /// Counter-clockwise turn about that point.
        degrees: i32,
        /// Its colour.
        color: Color,
    },
    /// The cells of a panel's body.
    Cells(Box<Cells>),
    /// The inside of a colour bar.
    Ramp {
        /// Where.
        rect: PxRect,
        /// Its colours; of a shared scale any grid's will do.
        scale: Arc<ColorScale>,
        /// From left to right; otherwise from the bottom to the top.
        horizontal: bool,
    },
}

/// A panel's body.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Index among the figure's grids.
    pub grid: usize,
    /// Where.
    pub body: PxRect,
    /// Which columns each pixel covers; as long as the body is wide.
    pub columns: EdgeTable,
    /// Which rows each pixel covers; as long as the body is high.
    pub rows: EdgeTable,
    /// Reductions of the cells under each pixel, row after row, where it may cover several; without them back ends fold.
    pub summaries: Option<Arc<Summaries>>,
    /// The Summaries of an earlier picture: those of all pixels that show the same cells as one of its pixels were taken from
    /// there.
    pub before: Option<Weak<Summaries>>,
    /// Value to colour.
    pub scale: Arc<ColorScale>,
    /// How several cells become one pixel.
    pub reduce: Reduce,
    /// The value that `extreme` measures from.
    pub centre: f64,
    /// Colour of gaps, and outside of the grid.
    pub background: Color,
    /// Pixels of one step in the patterns of states.
    pub unit: u32,
}

impl Cells {
    /// Whether pixels show reductions of the cells under them. Of one cell, only the count differs from its value.
    pub fn is_folded(&self) -> bool {
        self.columns.reduces() || self.rows.reduces() || self.reduce == Reduce::Count
    }

    /// Whether pixels show reductions and no Summary of them is there: a back end folds them itself.
    pub fn unfolded(&self) -> bool {
        self.summaries.is_none() && self.is_folded()
    }

    /// Reductions of the cells under each pixel, row after row, where pixels cover several: known already, or folded now.
    ///
    /// # Panics
    /// When it is not known and the grid does not give its cells, or does not have those that the pixels cover.
    pub fn summaries_of(&self, grid: &Grid) -> Option<Cow<'_, Summaries>> {
        let now = || {
            let folded = grid.fold(self.columns.spans(), self.rows.spans());
            Cow::Owned(
                folded.unwrap_or_else(|e| panic!("a body that was not folded before it is painted: {e}")),
            )
        };
        let known = self.summaries.as_ref().map(|s| Cow::Borrowed(s.as_ref()));
        known.or_else(|| self.unfolded().then(now))
    }

    /// The bits that back ends shade for pixels of which these are the Summaries.
    pub fn shown(&self, summaries: &Summaries, pixels: Range<usize>) -> Vec<u32> {
        match summaries {
            Summaries::Stored(list) => {
                list[pixels].iter().map(|s| s.reduce(self.reduce, self.centre)).collect()
            }
            Summaries::Wide(list) => list[pixels]
                .iter()
                .map(|s| self.scale.shown_bits(s.shown(self.reduce, self.centre)))
                .collect(),
        }
    }

    fn class<T: Copy>(&self, numbers: &[T], cells: &[u32], number: fn(T) -> Number, out: &mut Vec<u32>) {
        let bits = |(v, cell): (&T, &u32)| {
            State::of_bits(*cell).map_or_else(|| self.scale.bits(number(*v)), State::bits)
        };
        out.extend(numbers.iter().zip(cells).map(bits));
    }

    /// The bits that back ends shade for some cells, row after row.
    ///
    /// # Panics
    /// When the cells are not in memory.
    pub fn cell_bits<'a>(&self, grid: &'a Grid, rows: Range<usize>, columns: Range<usize>) -> Cow<'a, [u32]> {
        let (cells, width) = (grid.cells(), grid.width());
        if grid.kind().is_wide() {
            let mut out = Vec::with_capacity(rows.len() * columns.len());
            for at in rows.map(|r| r * width + columns.start..r * width + columns.end) {
                let states = &cells[at.clone()];
                match grid.values() {
                    Values::F64(v) => self.class(&v[at], states, Number::F64, &mut out),
                    Values::I64(v) => self.class(&v[at], states, Number::I64, &mut out),
                    Values::U64(v) => self.class(&v[at], states, Number::U64, &mut out),
                    Values::F32 { .. } => {}
                }
            }
            return Cow::Owned(out);
        }
        if columns.len() == width || rows.len() == 1 {
            let at = rows.start * width + columns.start;
            return Cow::Borrowed(&cells[at..at + rows.len() * columns.len()]);
        }
        Cow::Owned(rows.flat_map(|r| &cells[r * width..][columns.clone()]).copied().collect())
    }
}
