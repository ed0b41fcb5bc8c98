//! Messages between a call and the objects that are read during it, across threads.

use pyo3::PyErr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A wish to stop, and an exception that Python code raised while it was read from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Link(Arc<State>);

/// Elements of a pass for each one that may be read beside it.
const A_FEW: u64 = 50;

/// The interpreter ends: nobody waits for anything.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Stops all that is read, for good.
pub(crate) fn stop_all() {
    ENDED.store(true, Ordering::Relaxed);
}

#[derive(Debug, Default)]
struct State {
    /// Calls that wait for what is read.
    calls: AtomicUsize,
    /// A call gave up what it waited for.
    unwanted: AtomicBool,
    stopped: AtomicBool,
    /// Elements of arrays that were read since the first of these calls began.
    read: AtomicU64,
    raised: Mutex<Option<PyErr>>,
}

impl Link {
    /// Begins a call, which ends when the result is dropped: what was before does not count, unless another call goes on.
    pub(crate) fn begin(&self) -> Call<'_> {
        if self.0.calls.fetch_add(1, Ordering::AcqRel) == 0 {
            self.0.stopped.store(false, Ordering::Relaxed);
            self.0.unwanted.store(false, Ordering::Relaxed);
            self.0.read.store(0, Ordering::Relaxed);
            drop(self.take_raised());
        }
        Call(self)
    }

    /// Whoever reads gives up at the next chance, once no other call waits for the same data.
    pub(crate) fn stop(&self) {
        self.0.unwanted.store(true, Ordering::Release);
    }

    /// Whether nobody waits for what is read.
    pub(crate) fn is_stopped(&self) -> bool {
        ENDED.load(Ordering::Relaxed) || self.0.stopped.load(Ordering::Relaxed)
    }

    /// Counts elements that were read.
    pub(crate) fn count(&self, elements: usize) {
        self.0.read.fetch_add(elements as u64, Ordering::Relaxed);
    }

    /// The part of `total` elements that was read, of the last pass over them; `None` before any is.
    pub(crate) fn fraction(&self, total: u64) -> Option<f64> {
        let read = self.0.read.load(Ordering::Relaxed).checked_sub(1)?;
        let (passes, of_pass) = (read.checked_div(total)?, read % total + 1);
        // A few cells that are read once more, as for marks and texts, are no further pass.
        let is_pass = passes == 0 || of_pass > total / A_FEW;
        Some(if is_pass { of_pass as f64 / total as f64 } else { 1.0 })
    }

    /// Keeps the first exception, which the call then raises.
    pub(crate) fn raise(&self, exception: PyErr) {
        let mut raised = self.0.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.get_or_insert(exception);
    }

    /// The exception that was raised.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        self.0.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A call that waits for what is read.
#[must_use]
pub(crate) struct Call<'a>(&'a Link);

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let state = &self.0.0;
        if state.calls.fetch_sub(1, Ordering::AcqRel) == 1 && state.unwanted.swap(false, Ordering::AcqRel) {
            state.stopped.store(true, Ordering::Relaxed);
        }
    }
}
