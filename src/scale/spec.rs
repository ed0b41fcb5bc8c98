//! What a colour scale is made of.

use super::colormap::Colormap;
use super::fill::Fill;
use super::norm::Norm;
use crate::color::Color;
use crate::grid::{Number, State};

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
    /// The limits as the source holds them, where f64 cannot (integers beyond 2^53).
    pub exact: Option<(Number, Number)>,
}
