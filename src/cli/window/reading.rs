//! Reading for a window: all cells with their progress, the end of a reader, the figure with its files.

use super::{End, LEVELS_PART};
use crate::diagnostics::Failure;
use crate::reporter::with_reports;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{CELL_BYTES, Grid};
use gridscope_draw::coarse::is_worth_it;
use gridscope_window::Data;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The interval between two updates of the progress of reading.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// Grids of at most a quarter of the memory limit are loaded.
const LOADED_PART: u64 = 4;

/// Why reading failed, if it did. A panic is caught, because the window would wait forever for news.
pub(super) fn end_of(read: impl FnOnce() -> Result<(), Failure>) -> Option<End> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(())) => None,
        Ok(Err(failure)) => Some(End::Failed(failure)),
        Err(panic) => Some(End::Panicked(panic)),
    }
}

/// Scans all cells; `progress` is called on another thread with the share of cells read. Grids of at most a quarter of
/// `limit` bytes are loaded first, because a software device folds them in memory.
pub(super) fn data_of(grids: Vec<Grid>, limit: u64, progress: impl Fn(f64) + Send) -> Result<Data, Failure> {
    if !is_worth_it(&grids) {
        return Ok(Data::within(grids, limit / LEVELS_PART)?);
    }
    let cells: u64 = grids.iter().map(|g| g.len() as u64).sum();
    let read = Arc::new(AtomicU64::new(0));
    let grids: Vec<Grid> = grids.into_iter().map(|g| g.counted(read.clone())).collect();
    let report = move || progress((read.load(Ordering::Relaxed) as f64 / cells as f64).min(1.0));
    let data = with_reports(PROGRESS_EVERY, report, || {
        if cells.saturating_mul(CELL_BYTES) <= limit / LOADED_PART {
            grids.iter().try_for_each(Grid::load)?;
        }
        Data::within(grids, limit / LEVELS_PART)
    });
    Ok(data?)
}

/// The figure with its files, so that it can be saved as a figure file.
pub(super) fn named(mut figure: Figure, files: Vec<String>) -> Figure {
    figure.set_files(files);
    figure
}
