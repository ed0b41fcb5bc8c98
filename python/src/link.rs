//! Messages between a call and the objects that are read during it, across threads.

use pyo3::PyErr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A wish to stop, and an exception that Python code raised while it was read from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Link(Arc<State>);

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
    raised: Mutex<Option<PyErr>>,
}

impl Link {
    /// Begins a call, which ends when the result is dropped: what was before does not count, unless another call goes on.
    pub(crate) fn begin(&self) -> Call<'_> {
        if self.0.calls.fetch_add(1, Ordering::AcqRel) == 0 {
            self.0.stopped.store(false, Ordering::Relaxed);
            self.0.unwanted.store(false, Ordering::Relaxed);
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
