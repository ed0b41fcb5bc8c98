//! What is done to loaded grids before they are drawn: masks, axis values, changes of values and order, and the part that is
//! shown, in this order.

use super::InputError;
use super::array::{AxisValues, load, moved};
use super::budget::Budget;
use super::crop::crop;
use super::side::{Mask, apply_axis_values};
use crate::figure::Figure;
use crate::grid::Grid;
use crate::lint::Lints;
use crate::transform::{self, TransformError};
use std::path::Path;
use std::sync::Arc;

/// Masks the grids, gives their axes values, changes values and order, and cuts out the view; paths start at `base`. What needs a source's cells in
/// memory may take `limit` bytes.
///
/// `around = "max"` of grids of one size shows the same window of all, around the first extreme of any.
///
/// # Errors
/// When an option does not fit the grids, or a file it names is refused.
pub fn apply(
    grids: Vec<Grid>,
    figure: &Figure,
    base: &Path,
    file: &str,
    limit: u64,
) -> Result<Vec<Grid>, InputError> {
    let lints = &mut Lints::default();
    apply_own(grids, &[], figure, base, file, (&Budget::new(limit), lints))
}

/// The same for grids whose own files give them axis values: of each grid, as far as they go.
pub(super) fn apply_own(
    grids: Vec<Grid>,
    own: &[Arc<AxisValues>],
    figure: &Figure,
    base: &Path,
    file: &str,
    (budget, lints): (&Arc<Budget>, &mut Lints),
) -> Result<Vec<Grid>, InputError> {
    let none = Arc::default();
    let mask = figure
        .data
        .mask
        .as_deref()
        .map(|m| Mask::read(m, base, budget))
        .transpose()?;
    let mut out = Vec::with_capacity(grids.len());
    for (i, mut grid) in grids.into_iter().enumerate() {
        if let Some(mask) = &mask {
            load(&grid, file, budget)?;
            mask.hide(&mut grid)?;
        }
        out.push(apply_axis_values(
            grid,
            own.get(i).unwrap_or(&none),
            figure,
            base,
            file,
            budget,
        )?);
    }
    let out = transformed(out, figure, file, budget, lints)?;
    crop(out, &figure.view, file)
}

/// The grids with other values, or in another order, where the figure asks for it.
fn transformed(
    grids: Vec<Grid>,
    figure: &Figure,
    file: &str,
    budget: &Arc<Budget>,
    lints: &mut Lints,
) -> Result<Vec<Grid>, InputError> {
    if !transform::is_asked(figure) {
        return Ok(grids);
    }
    // One step works on one copy.
    let mut copies = Vec::with_capacity(grids.len());
    for grid in &grids {
        copies.push(moved(grid, file, budget)?);
    }
    let need = transform::memory(&grids, figure);
    let _distances = budget.reserve(need).map_err(|s| {
        s.of(file, "the distances of all pairs")
            .with_hint("--max-memory raises the limit; --sort-rows std:desc --keep 2000 clusters fewer rows")
    })?;
    transform::apply(grids, figure, lints).map_err(|e| match e {
        TransformError::Usage { what, hint } => {
            let refused = InputError::usage(file, what);
            match hint {
                Some(hint) => refused.with_hint(hint),
                None => refused,
            }
        }
        TransformError::Limit { what, hint } => InputError::limit(file, what).with_hint(hint),
    })
}

#[cfg(test)]
mod tests;
