//! Cells of stored grids into memory, as far as the budget of the run allows.

use crate::InputError;
use crate::budget::{Budget, OverBudget, Reservation};
use gridscope_core::grid::{CELL_BYTES, Grid};
use std::sync::Arc;

/// Bytes of a cell that moves to another place, until its old one goes.
const MOVED: u64 = 20;

/// Reads all cells of a grid into memory, if the budget holds them.
///
/// # Errors
/// When they take more, or the source does not give them.
pub fn load(grid: &Grid, file: &str, budget: &Arc<Budget>) -> Result<(), InputError> {
    if grid.is_loaded() {
        return Ok(());
    }
    let short = |s: OverBudget| s.of(file, format_args!("{} cells in memory", grid.len()));
    let cells = CELL_BYTES.saturating_mul(grid.len() as u64);
    // Rows and columns are swapped by a copy.
    let copies = if grid.is_transposed() { 2 } else { 0 };
    let _copy = budget.reserve(cells.saturating_mul(copies)).map_err(short)?;
    budget.take(cells).map_err(short)?;
    grid.load().map_err(|e| InputError::refused(&e.file, "", e.what))
}

/// Loads a grid whose rows or columns change places, and takes what that needs until it is done.
///
/// # Errors
/// As [`load`].
pub(crate) fn moved(grid: &Grid, file: &str, budget: &Arc<Budget>) -> Result<Reservation, InputError> {
    load(grid, file, budget)?;
    let copy = budget.reserve(MOVED.saturating_mul(grid.len() as u64));
    copy.map_err(|s| s.of(file, format_args!("{} cells in another order", grid.len())))
}
