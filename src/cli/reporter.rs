//! A thread that reports how far another one is, and ends with it.

use crate::workers;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Does work, and calls `report` again and again meanwhile, from a thread of its own. That thread ends when the work ends, at
/// once, a panic in it included.
///
/// # Panics
/// When `work` or `report` does.
pub(super) fn reported<T>(every: Duration, report: impl Fn() + Send, work: impl FnOnce() -> T) -> T {
    let (working, ends) = channel::<()>();
    std::thread::scope(|s| {
        let reports = move || {
            loop {
                report();
                // Nothing is ever sent: the channel closes when the work lets go of its end.
                if ends.recv_timeout(every) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        };
        // Where no thread can be started the work goes on without reports.
        let _started = workers::start(s, reports);
        // Dropped on the way out, whichever it is.
        let _working = working;
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Instant;

    /// Longer than anything takes here, and much shorter than a hang.
    const PATIENCE: Duration = Duration::from_secs(10);
    const HOUR: Duration = Duration::from_secs(3600);

    /// How something ends that is done in a thread of its own; a failed test where it does not end.
    fn ended<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> std::thread::Result<T> {
        let (send, ends) = channel();
        let thread = std::thread::spawn(move || {
            // Closed by the thread's end, a panic included.
            let _send = send;
            work()
        });
        let closed: Result<(), RecvTimeoutError> = ends.recv_timeout(PATIENCE);
        assert_eq!(
            closed,
            Err(RecvTimeoutError::Disconnected),
            "the work does not end"
        );
        thread.join()
    }

    #[test]
    fn a_panic_in_the_work_ends_it() {
        let lost = ended(|| reported(HOUR, || (), || -> u8 { panic!("a fault of ours") }));
        assert_eq!(lost.unwrap_err().downcast_ref::<&str>(), Some(&"a fault of ours"));
    }

    #[test]
    fn work_that_is_done_waits_for_no_report() {
        assert_eq!(ended(|| reported(HOUR, || (), || 7)).unwrap(), 7);
    }

    #[test]
    fn reports_come_again_and_again_until_then() {
        let reports = AtomicU32::new(0);
        let start = Instant::now();
        reported(
            Duration::from_millis(1),
            || _ = reports.fetch_add(1, Ordering::Relaxed),
            || {
                while reports.load(Ordering::Relaxed) < 5 {
                    assert!(start.elapsed() < PATIENCE, "{reports:?}");
                    std::thread::yield_now();
                }
            },
        );
        assert!(reports.load(Ordering::Relaxed) >= 5);
    }
}
