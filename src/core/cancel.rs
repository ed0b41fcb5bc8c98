//! Work that others do for this process, such as the queries of engines: it is cancelled when its run ends early.

use crate::workers::detached;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Work that goes on.
static OPEN: Mutex<Vec<Weak<Entry>>> = Mutex::new(Vec::new());

struct Entry {
    cancel: Box<dyn Fn() + Send + Sync>,
    is_cancelled: AtomicBool,
}

/// Work that can be cancelled as long as this lives.
#[derive(Clone)]
pub struct Cancellable(Arc<Entry>);

impl Cancellable {
    /// Work that ends by `cancel`, called on any thread.
    pub fn new(cancel: impl Fn() + Send + Sync + 'static) -> Self {
        let entry = Arc::new(Entry { cancel: Box::new(cancel), is_cancelled: AtomicBool::new(false) });
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|entry| entry.strong_count() > 0);
        open.push(Arc::downgrade(&entry));
        Self(entry)
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Cancellable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellable").field("is_cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}

/// Cancels all work that goes on. Whoever does it may not answer, and is waited for no longer than `patience`.
pub fn cancel_all(patience: Duration) {
    let open: Vec<Arc<Entry>> = {
        let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().filter_map(Weak::upgrade).collect()
    };
    let (send, done) = channel();
    let mut waiting = 0;
    for entry in open {
        entry.is_cancelled.store(true, Ordering::Relaxed);
        let send = send.clone();
        let cancel = move || {
            (entry.cancel)();
            let _ = send.send(());
        };
        waiting += usize::from(detached(cancel).is_ok());
    }
    let begin = Instant::now();
    while waiting > 0 && done.recv_timeout(patience.saturating_sub(begin.elapsed())).is_ok() {
        waiting -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_goes_on_is_cancelled_and_none_is_waited_for_without_end() {
        let (send, told) = channel();
        let going_on = Cancellable::new(move || send.send(()).unwrap());
        let (hold, held) = channel::<()>();
        let held = Mutex::new(held);
        let silent = Cancellable::new(move || {
            let _ = held.lock().unwrap().recv();
        });
        let over = Cancellable::new(|| panic!("work that is over is not cancelled"));
        drop(over);
        assert!(!going_on.is_cancelled());
        cancel_all(Duration::from_millis(1));
        told.recv().unwrap();
        assert!(going_on.is_cancelled() && silent.is_cancelled());
        drop(hold);
    }
}
