//! A grid on the window's device, whose cells are counted there beside the frames.

use super::fair_mutex::FairMutex;
use gridscope_core::grid::{BinCounts, CellCounter, Moments, Number, Stats};
use gridscope_gpu::{GpuError, GridCounter};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Those that count the cells of grids; `None` for a grid that the CPU counts. Empty: it counts all of them.
pub(super) type Counters = Arc<Vec<Option<Arc<dyn CellCounter>>>>;

/// Counts a grid on the device, submission by submission in turn with whoever configures the surface.
#[derive(Debug)]
pub(super) struct DeviceCounter {
    pub counter: GridCounter,
    pub turns: Arc<FairMutex>,
    /// How many counts have ended.
    pub done: Arc<AtomicU64>,
}

impl DeviceCounter {
    fn in_turns<T>(
        &self,
        goes_on: &(dyn Fn() -> bool + Sync),
        count: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<Option<T>, GpuError>,
    ) -> Option<T> {
        let mut turn = Some(self.turns.lock());
        let found = count(&mut || {
            // The lock must be released before it is acquired again.
            turn = None;
            turn = Some(self.turns.lock());
            goes_on()
        });
        drop(turn);
        // Where the device fails the CPU counts; the next frame reports a loss.
        let found = found.ok().flatten()?;
        self.done.fetch_add(1, Ordering::Relaxed);
        Some(found)
    }
}

impl CellCounter for DeviceCounter {
    fn bin_counts(&self, edges: &[f64], goes_on: &(dyn Fn() -> bool + Sync)) -> Option<BinCounts> {
        self.in_turns(goes_on, |goes_on| self.counter.bin_counts(edges, goes_on))
    }

    fn ranks(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        wanted: &[u64],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Number>> {
        self.in_turns(goes_on, |goes_on| {
            self.counter.ranks(rows, columns, wanted, goes_on)
        })
    }

    fn statistics(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<(Stats, Moments)> {
        self.in_turns(goes_on, |goes_on| self.counter.statistics(rows, columns, goes_on))
    }
}
