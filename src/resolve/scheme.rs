//! What the second step gives: limits, colours, rings, notes and lints.

use crate::figure::Reduce;
use crate::grid::{Digest, Summary};
use crate::lint::Lints;
use crate::scale::ColorScale;
use std::sync::Arc;

/// Everything that the values decide.
#[derive(Clone, Debug)]
pub struct Colours {
    /// One a scale, as in [`Frame::bars`].
    pub bars: Vec<Bar>,
    /// One a panel.
    pub panels: Vec<PanelColours>,
    /// The reduction.
    pub reduce: Reduce,
    /// Lines under the figure, the user's own note first.
    pub notes: Vec<String>,
    /// Warnings.
    pub lints: Lints,
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
}

/// A panel's colours.
#[derive(Clone, Debug)]
pub struct PanelColours {
    /// The scale for this panel's stored values.
    pub scale: Arc<ColorScale>,
    /// The stored value that `extreme` measures from.
    pub centre: f32,
    /// Cells below the limits.
    pub below: u64,
    /// Cells above the limits.
    pub above: u64,
    /// Pixels (x, y) of the body that hide an extreme and get a ring.
    pub rings: Vec<(u32, u32)>,
    /// Pixels that hide an extreme.
    pub hidden: u64,
}

/// What the pass over one panel's grid found.
pub struct Folded<'a> {
    /// Its figures, and the Summary of each pixel.
    pub digest: &'a Digest,
    /// The body's width, where pixels cover several cells.
    pub width: Option<u32>,
}

impl Folded<'_> {
    /// The Summary of each pixel, where pixels cover several cells.
    pub fn pixels(&self) -> Option<&[Summary]> {
        self.width.map(|_| self.digest.summaries.as_slice())
    }
}
