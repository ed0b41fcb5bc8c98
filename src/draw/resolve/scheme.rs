//! Result of the second step: limits, colours, rings, notes and lints.

use gridscope_core::figure::Reduce;
use gridscope_core::grid::{Margins, ScanResult, SourceError, Summaries};
use gridscope_core::lint::Lints;
use gridscope_core::scale::ColorScale;
use gridscope_core::view::EdgeTable;
use std::fmt;
use std::sync::Arc;

/// Everything that the values decide.
#[derive(Clone, Debug)]
pub struct Colours {
    /// One a scale, as in [`Frame::bars`](super::Frame::bars).
    pub bars: Vec<Bar>,
    /// One a panel.
    pub panels: Vec<PanelColours>,
    /// Margins of each panel, and the ranges of their axes.
    pub margins: Vec<PanelMargins>,
    /// The reduction.
    pub reduce: Reduce,
    /// Lines under the figure, the user's own note first.
    pub notes: Vec<String>,
    /// Warnings.
    pub lints: Lints,
}

/// The margins of a panel.
#[derive(Clone, Debug)]
pub struct PanelMargins {
    /// Statistics of each row and each column.
    pub lines: Arc<Margins>,
    /// The least and the greatest number on the axis of each track; `None` of tracks without an axis, and without a number.
    pub ranges: Vec<Option<(f64, f64)>>,
}

/// A colour bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Its colours.
    pub scale: Arc<ColorScale>,
    /// Cells below its limits.
    pub below: u64,
    /// Cells above its limits.
    pub above: u64,
    /// No cell has a value.
    pub empty: bool,
    /// All values are whole numbers.
    pub whole: bool,
}

/// A panel's colours.
#[derive(Clone, Debug)]
pub struct PanelColours {
    /// The scale for the kind of numbers that this panel shows.
    pub scale: Arc<ColorScale>,
    /// The value that `extreme` measures from.
    pub centre: f64,
    /// Cells below the limits.
    pub below: u64,
    /// Cells above the limits.
    pub above: u64,
    /// Pixels (x, y) of the body that hide an extreme and get a ring.
    pub rings: Vec<(u32, u32)>,
    /// Pixels that hide an extreme.
    pub hidden: u64,
}

/// Hands over the Summaries of a body's pixels strip by strip: the first pixel row of each, and its rows.
pub type Strips<'a> = dyn Fn(&mut dyn FnMut(u32, &Summaries)) -> Result<(), SourceError> + 'a;

/// Result of the pass over one panel's grid.
pub struct Folded<'a> {
    /// Statistics of all its cells.
    pub scan: &'a ScanResult,
    /// Summaries that cover all its cells, one a pixel or one a block; `None` where the cells are in memory.
    pub summaries: Option<&'a Summaries>,
    /// Which columns and rows its pixels cover, where pixels cover several cells.
    pub body: Option<(&'a EdgeTable, &'a EdgeTable)>,
    /// The walk over the Summaries of all pixels, where `summaries` are not those.
    pub strips: Option<&'a Strips<'a>>,
}

impl fmt::Debug for Folded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folded").field("scan", self.scan).field("body", &self.body).finish_non_exhaustive()
    }
}

impl Folded<'_> {
    /// Takes the Summaries of all pixels, some rows at a time.
    ///
    /// # Errors
    /// When the source does not give its cells.
    pub fn each(&self, take: &mut dyn FnMut(u32, &Summaries)) -> Result<(), SourceError> {
        match (self.strips, self.summaries) {
            _ if self.body.is_none() => Ok(()),
            (Some(strips), _) => strips(take),
            (None, Some(all)) => {
                take(0, all);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }
}
