//! The bins of a column whose values are bins of numbers.

use gridscope_core::grid::{Axis, AxisKind, Coords};
use std::ops::Range;

/// Bins: each has a text, which is the value of its rows, and two edges.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinAxis {
    /// Name of the numbers in the bins, for the axis.
    pub title: String,
    /// The edges, one more than bins, ascending.
    pub edges: Vec<f64>,
    /// The text of each bin.
    pub labels: Vec<String>,
    /// How wide bins are drawn.
    pub scale: BinScale,
}

/// How wide bins are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinScale {
    /// As their edges say.
    Linear,
    /// As the logarithms of their edges say.
    Log,
    /// All alike.
    Even,
}

impl BinAxis {
    /// The axis of these labels, which are those of consecutive bins; `None` for any others.
    pub(crate) fn axis(&self, keys: &[String], labels: &[String]) -> Option<Axis> {
        if self.scale == BinScale::Even {
            return None;
        }
        let first = self.labels.iter().position(|l| Some(l) == keys.first())?;
        let shown: Range<usize> = first..first + keys.len();
        if self.labels.get(shown.clone())? != keys {
            return None;
        }
        let mut axis = Axis::category(&self.title, labels.to_vec());
        axis.kind = match self.scale {
            BinScale::Log => AxisKind::Log,
            _ => AxisKind::Number,
        };
        axis.binned = true;
        axis.coords = Some(Coords::Edges(self.edges[shown.start..=shown.end].to_vec()));
        Some(axis)
    }
}
