//! Description of a colour scale.

use super::colormap::Colormap;
use super::fill::Fill;
use super::norm::Norm;
use crate::color::Color;
use crate::grid::{Number, State};

/// Values that are not shown: cells and pixels of such a value have one colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hide {
    /// Values less than this.
    pub below: Option<f64>,
    /// Values greater than this.
    pub above: Option<f64>,
    /// The colour in their place.
    pub color: Color,
}

impl Hide {
    /// Whether a value is not shown.
    pub fn hides(&self, v: f64) -> bool {
        self.below.is_some_and(|below| v < below) || self.above.is_some_and(|above| v > above)
    }
}

/// A scale as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleSpec {
    /// How values spread.
    pub norm: Norm,
    /// The value at the low end.
    pub vmin: f64,
    /// The value at the high end.
    pub vmax: f64,
    /// The colours.
    pub map: Colormap,
    /// Below the limits; the first entry unless set.
    pub under: Option<Color>,
    /// Above the limits; the last entry unless set.
    pub over: Option<Color>,
    /// Cells without a value, by [`State::index`].
    pub fills: [Fill; State::ALL.len()],
    /// Values that are not shown.
    pub hide: Option<Hide>,
    /// The limits as the source holds them, where f64 cannot (integers beyond 2^53).
    pub exact: Option<(Number, Number)>,
}
