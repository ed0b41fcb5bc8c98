//! Why limits or boundaries do not suit a norm.

use crate::grid::Number;
use std::fmt;

/// Limits that a norm cannot have.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LimitsError {
    /// A limit is infinite or NaN.
    NotFinite {
        /// The low limit.
        vmin: f64,
        /// The high limit.
        vmax: f64,
    },
    /// The low limit is above the high one.
    Reversed {
        /// The low limit.
        vmin: f64,
        /// The high limit.
        vmax: f64,
    },
    /// A limit of a log norm is 0 or less.
    NotPositive {
        /// The low limit.
        vmin: f64,
        /// The high limit.
        vmax: f64,
    },
    /// The centre of a twoslope norm is not between the limits.
    Center {
        /// The low limit.
        vmin: f64,
        /// The centre.
        center: f64,
        /// The high limit.
        vmax: f64,
    },
    /// The boundaries of a bounds norm are not ascending.
    Bounds(BoundsError),
}

impl LimitsError {
    /// Advice.
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Reversed { .. } => Some("a colormap's name with _r reverses it"),
            _ => None,
        }
    }
}

impl fmt::Display for LimitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = Number::F64;
        match *self {
            Self::NotFinite { vmin, vmax } => write!(f, "limits must be finite: vmin {vmin}, vmax {vmax}"),
            Self::Reversed { vmin, vmax } => {
                write!(f, "limits the wrong way round: vmin {} is above vmax {}", n(vmin), n(vmax))
            }
            Self::NotPositive { vmin, vmax } => {
                write!(f, "a log norm needs positive limits: vmin {}, vmax {}", n(vmin), n(vmax))
            }
            Self::Center { vmin, center, vmax } => {
                write!(f, "a twoslope norm needs vmin {} < center {center} < vmax {}", n(vmin), n(vmax))
            }
            Self::Bounds(ref e) => write!(f, "a bounds norm needs ascending numbers: {e}"),
        }
    }
}

impl std::error::Error for LimitsError {}

/// Numbers that are not at least two finite ones, each above the one before; places are counted from 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BoundsError {
    /// This many numbers are given.
    Few(usize),
    /// A number is infinite or NaN.
    NotFinite {
        /// Its place in the list.
        place: usize,
        /// The number.
        value: f64,
    },
    /// A number is not above the one before it.
    NotAbove {
        /// Its place in the list.
        place: usize,
        /// The number.
        value: f64,
        /// The one before it.
        before: f64,
    },
}

impl fmt::Display for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Few(given) => write!(f, "at least two are needed, {given} given"),
            Self::NotFinite { place, value } => write!(f, "number {place} is {value}, not finite"),
            Self::NotAbove { place, value, before } => write!(
                f,
                "number {place} ({}) is not above the one before it ({})",
                Number::F64(value),
                Number::F64(before)
            ),
        }
    }
}

impl std::error::Error for BoundsError {}
