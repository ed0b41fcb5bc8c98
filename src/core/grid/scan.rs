//! One pass over all cells in windows that fit a core's cache, on every core, taken up in a fixed order.

use super::SourceError;
use super::backing::{Backing, Strip, Unit};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Cells of a window: 1 MiB of f32, about what a core's own cache holds.
pub(super) const WINDOW_CELLS: usize = 1 << 18;

/// Cores to work on.
pub fn cores() -> usize {
    crate::workers::cores()
}

/// Results that wait for those before them.
struct Queue<T, A> {
    next: usize,
    waiting: BTreeMap<usize, T>,
    accept: A,
    failed: Option<SourceError>,
}

/// Runs `work` over all units on `threads` threads and hands its results to `accept` in the order of the units.
pub(super) fn scan<T: Send>(
    cells: &Backing,
    width: usize,
    units: &[Unit],
    threads: usize,
    work: impl Fn(&Strip<'_>) -> T + Sync,
    accept: impl FnMut(T) + Send,
) -> Result<(), SourceError> {
    let next = AtomicUsize::new(0);
    let queue = Mutex::new(Queue { next: 0, waiting: BTreeMap::new(), accept, failed: None });
    let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    let run = || {
        let mut window = cells.buffer();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = units.get(i) else { return };
            let done = cells.strip(unit, width, &mut window).map(|strip| work(&strip));
            let mut q = lock();
            match done {
                Ok(result) => {
                    q.waiting.insert(i, result);
                    loop {
                        let at = q.next;
                        let Some(result) = q.waiting.remove(&at) else {
                            break;
                        };
                        (q.accept)(result);
                        q.next += 1;
                    }
                }
                Err(e) => {
                    q.failed.get_or_insert(e);
                    next.store(units.len(), Ordering::Relaxed);
                }
            }
        }
    };
    let threads = threads.min(units.len());
    crate::workers::together(threads, run);
    queue.into_inner().unwrap_or_else(PoisonError::into_inner).failed.map_or(Ok(()), Err)
}

/// Windows over a whole grid that no pixel edges cut.
pub(super) fn plain_units(height: usize, width: usize, cells: usize) -> Vec<Unit> {
    let columns = cells.min(width).max(1);
    let rows = (cells / columns).max(1);
    let runs = |n: usize, step: usize| (0..n).step_by(step).map(move |a| a..(a + step).min(n));
    runs(height, rows).flat_map(|r| runs(width, columns).map(move |c| (r.clone(), c))).collect()
}
