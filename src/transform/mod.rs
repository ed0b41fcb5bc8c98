//! Grids to grids with other values, or in another order, as the figure asks for it.

mod error;
mod group;
mod normalize;
mod order;
mod z_score;

pub use error::TransformError;

use crate::figure::Figure;
use crate::grid::Grid;
use crate::lint::Lints;

/// One change of all panels of a figure.
struct Step {
    /// Whether the figure asks for it.
    is_asked: fn(&Figure) -> bool,
    /// What it does.
    run: fn(Vec<Grid>, &Figure, &mut Lints) -> Result<Vec<Grid>, TransformError>,
}

/// The steps, in the order in which they follow each other.
const STEPS: &[Step] = &[normalize::STEP, z_score::STEP, order::STEP];

/// Whether the figure asks for any step, which needs all cells in memory.
pub fn is_asked(figure: &Figure) -> bool {
    STEPS.iter().any(|step| (step.is_asked)(figure))
}

/// The bytes that the steps take beside the grids and a copy of them.
pub fn memory(grids: &[Grid], figure: &Figure) -> u64 {
    order::memory(grids, figure)
}

/// The grids after all steps that the figure asks for.
///
/// # Errors
/// Options that do not fit the grids.
///
/// # Panics
/// When the cells of a grid are not in memory.
pub fn apply(grids: Vec<Grid>, figure: &Figure, lints: &mut Lints) -> Result<Vec<Grid>, TransformError> {
    STEPS
        .iter()
        .filter(|step| (step.is_asked)(figure))
        .try_fold(grids, |grids, step| (step.run)(grids, figure, lints))
}
