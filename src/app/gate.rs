//! Turns between threads: a surface cannot be configured while another thread gives work to its device.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// One thread at a time; one that waits comes before the one that has just been.
#[derive(Debug, Default)]
pub struct Gate {
    next: Mutex<()>,
    inner: Mutex<()>,
}

impl Gate {
    /// Waits for the turn, which lasts as long as what is given.
    pub fn enter(&self) -> MutexGuard<'_, ()> {
        // Who waits inside keeps all others outside.
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
        let (gate, done) = (Gate::default(), AtomicBool::new(false));
        std::thread::scope(|s| {
            s.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let _turn = gate.enter();
                    std::thread::sleep(Duration::from_millis(2));
                }
            });
            let start = Instant::now();
            for _ in 0..20 {
                drop(gate.enter());
            }
            done.store(true, Ordering::Relaxed);
            assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        });
    }
}
