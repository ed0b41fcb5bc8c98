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
    #[test]
    fn a_busy_thread_lets_others_in() {
        let (mutex, order) = (FairMutex::default(), Mutex::new(Vec::new()));
        for round in 0..20 {
            std::thread::scope(|s| {
                let turn = mutex.lock();
                s.spawn(|| {
                    let _turn = mutex.lock();
                    order.lock().unwrap().push((round, "who waited"));
                });
                while mutex.next.try_lock().is_ok() {
                    std::thread::yield_now();
                }
                drop(turn);
                let _turn = mutex.lock();
                order.lock().unwrap().push((round, "who was busy"));
            });
        }
        let all = (0..20).flat_map(|round| [(round, "who waited"), (round, "who was busy")]);
        assert_eq!(order.into_inner().unwrap(), all.collect::<Vec<_>>());
    }
}
