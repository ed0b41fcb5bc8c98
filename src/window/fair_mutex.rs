//! A fair mutex. A surface cannot be configured while another thread submits work to its device, and that thread would
//! otherwise take a plain mutex again and again before the event loop gets it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A fair mutex: a waiter acquires it before the last holder can re-acquire it.
#[derive(Debug, Default)]
pub(super) struct FairMutex {
    next: Mutex<()>,
    inner: Mutex<()>,
}

impl FairMutex {
    /// Waits for the lock, which is held as long as the guard lives.
    pub(super) fn lock(&self) -> MutexGuard<'_, ()> {
        // Whoever waits for `inner` holds `next`, so that no other thread can overtake.
        let _next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    #[test]
    fn a_busy_thread_lets_others_in() {
        let (mutex, done) = (FairMutex::default(), AtomicBool::new(false));
        std::thread::scope(|s| {
            s.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let _turn = mutex.lock();
                    std::thread::sleep(Duration::from_millis(2));
                }
            });
            let start = Instant::now();
            for _ in 0..20 {
                drop(mutex.lock());
            }
            done.store(true, Ordering::Relaxed);
            assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        });
    }
}
