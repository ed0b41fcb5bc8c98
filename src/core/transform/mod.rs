//! Grids to grids with other values, or in another order, as the figure asks for it.

mod matching;
mod baseline;
mod paired;
mod compare;
mod correlate;
mod group;
mod normalize;
mod order;
mod rank;
mod share;
mod z_score;

pub use baseline::{NamedBaseline, find};
pub use compare::Comparison;
pub use correlate::correlate;
pub use matching::places;
pub use paired::Replicates;
pub use share::SharedAxes;

use crate::figure::Figure;
use crate::grid::{Grid, GridError};
use crate::lint::Lints;
use order::Before;
use std::fmt;

/// One change of all panels of a figure.
struct Step {
    /// Whether the figure asks for it.
    is_asked: fn(&Figure) -> bool,
    /// Its work.
    run: StepRun,
}

/// Changes all panels.
type StepRun = fn(Vec<Grid>, &Figure, &mut Lints) -> Result<Vec<Grid>, TransformError>;

/// The steps between the comparison and the order of rows and columns, in the order in which they follow each other.
const STEPS: &[Step] = &[normalize::STEP, z_score::STEP, rank::STEP];

/// Whether the figure asks for any step, which needs all cells in memory.
pub fn is_asked(figure: &Figure) -> bool {
    figure.data.comparisons().next().is_some()
        || STEPS.iter().any(|step| (step.is_asked)(figure))
        || order::is_asked(figure)
}

/// Whether the figure asks for another order of rows or columns.
pub fn orders(figure: &Figure) -> bool {
    order::is_asked(figure)
}

/// Grids whose values are those of the figure, in the order that it asks for: what [`apply`] does last.
///
/// # Errors
/// Options that do not fit the grids.
///
/// # Panics
/// When the cells of a grid are not in memory.
pub fn in_order(grids: Vec<Grid>, figure: &Figure, lints: &mut Lints) -> Result<Vec<Grid>, TransformError> {
    let before = Before::of(&grids, figure);
    order::run(grids, figure, &before, lints)
}

/// The bytes that the steps take beside the grids and a copy of them.
pub fn memory(grids: &[Grid], figure: &Figure) -> u64 {
    order::memory(grids, figure)
}

/// The grids after the comparison and all steps that the figure asks for.
///
/// # Errors
/// Options that do not fit the grids.
///
/// # Panics
/// When the cells of a grid are not in memory.
pub fn apply(
    grids: Vec<Grid>,
    figure: &Figure,
    comparison: Option<&Comparison>,
    lints: &mut Lints,
) -> Result<Vec<Grid>, TransformError> {
    let grids = match comparison {
        Some(comparison) => comparison.run(grids, lints)?,
        None => grids,
    };
    let before = Before::of(&grids, figure);
    let grids = STEPS
        .iter()
        .filter(|step| (step.is_asked)(figure))
        .try_fold(grids, |grids, step| (step.run)(grids, figure, lints))?;
    if order::is_asked(figure) { order::run(grids, figure, &before, lints) } else { Ok(grids) }
}

/// A step that the grids do not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransformError {
    /// An option that does not fit the grids.
    Usage {
        /// Reason of the failure.
        what: String,
        /// Advice.
        hint: Option<String>,
    },
    /// More than a step may take.
    Limit {
        /// How much of what.
        what: String,
        /// Advice.
        hint: String,
    },
}

impl TransformError {
    /// An option that does not fit the grids.
    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), hint: None }
    }
}

impl From<GridError> for TransformError {
    fn from(e: GridError) -> Self {
        Self::usage(e.to_string())
    }
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage { what, .. } | Self::Limit { what, .. } => f.write_str(what),
        }
    }
}

impl std::error::Error for TransformError {}
