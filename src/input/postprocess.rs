//! What is done to loaded grids before they are drawn: masks, axis values, marked cells, and the part that is shown, in this order.

use super::InputError;
use super::array::{AxisValues, load};
use super::budget::Budget;
use super::crop::crop;
use super::side::{Mask, apply_axis_values, hide_all, list_marked};
use crate::figure::Figure;
use crate::grid::Grid;
use std::path::Path;
use std::sync::Arc;

/// Masks the grids, gives their axes values, and cuts out the view; paths start at `base`. What needs a source's cells in
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
    apply_own(grids, &[], figure, base, file, &Budget::new(limit))
}

/// The same for grids whose own files give them axis values: of each grid, as far as they go.
pub(super) fn apply_own(
    grids: Vec<Grid>,
    own: &[Arc<AxisValues>],
    figure: &Figure,
    base: &Path,
    file: &str,
    budget: &Arc<Budget>,
) -> Result<Vec<Grid>, InputError> {
    let none = Arc::default();
    let agg = figure.data.agg.unwrap_or_default();
    let masks = figure.data.mask.iter().flat_map(|masks| &masks.0);
    let masks: Vec<Mask> = masks
        .map(|mask| Mask::read(mask, agg, base, budget))
        .collect::<Result<_, _>>()?;
    let mut out = Vec::with_capacity(grids.len());
    for (i, mut grid) in grids.into_iter().enumerate() {
        if !masks.is_empty() {
            load(&grid, file, budget)?;
            hide_all(&masks, &mut grid, file)?;
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
    list_marked(&mut out, figure, base, budget)?;
    crop(out, &figure.view, file)
}

#[cfg(test)]
mod tests;
