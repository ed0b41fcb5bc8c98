//! What is new in data that were read again.

use crate::geometry::WindowGeometry;
use gridscope_core::grid::{Axis, Grid};
use gridscope_core::scale::grouped;
use std::fmt;

/// What data that were read again have that those before had not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Novelty {
    /// This many more values; 0 where values may have changed, or not all are read yet.
    Values(u64),
    /// The sides of a panel, rows and columns: others than before, and no continuation of them.
    Shape(usize, usize),
}

impl Novelty {
    pub(super) fn between(before: &WindowGeometry, now: &WindowGeometry) -> Self {
        let has_slices = before.slices.len() == now.slices.len();
        let goes_on = |(a, b): (&Grid, &Grid)| {
            has_slices && continues(a.rows(), b.rows()) && continues(a.columns(), b.columns())
        };
        let mut grids = before.grids.iter().zip(now.grids.iter());
        if let Some((_, other)) = grids.find(|pair| !goes_on(*pair)) {
            return Self::Shape(other.height(), other.width());
        }
        let values = |of: &WindowGeometry| of.stats.iter().map(|s| s.values).sum::<u64>();
        let is_whole = !before.coarse && !now.coarse;
        Self::Values(if is_whole { values(now).saturating_sub(values(before)) } else { 0 })
    }
}

/// Whether an axis of indices has grown, or not changed. Labels may come and go with the rows of a table.
fn continues(before: &Axis, now: &Axis) -> bool {
    !before.levels.is_empty() || !now.levels.is_empty() || now.len() >= before.len()
}

impl fmt::Display for Novelty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Values(0) => f.write_str("the file has changed"),
            Self::Values(1) => f.write_str("1 new value"),
            Self::Values(n) => write!(f, "{} new values", grouped(&n.to_string())),
            Self::Shape(rows, columns) => write!(f, "the file has another shape: {rows} × {columns}"),
        }
    }
}
