//! A thread that reports the progress of work at intervals, and ends with it.

use gridscope_core::workers;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Runs `work`, and meanwhile calls `report` at intervals on a second thread. That thread ends as soon as the work ends,
/// also by a panic.
///
/// # Panics
/// When `work` or `report` panics.
pub(super) fn with_reports<T>(every: Duration, report: impl Fn() + Send, work: impl FnOnce() -> T) -> T {
    let (working, ends) = channel::<()>();
    std::thread::scope(|s| {
        let reports = move || {
            loop {
                report();
                // Nothing is ever sent: the channel closes when `working` is dropped.
                if ends.recv_timeout(every) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        };
        // If no thread can be started, the work runs without reports.
        let _started = workers::start(s, reports);
        // Dropped when this closure ends, also by a panic.
        let _working = working;
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Instant;

    /// Longer than any step of these tests takes, and much shorter than a hang.
    const PATIENCE: Duration = Duration::from_mins(2);
    const HOUR: Duration = Duration::from_hours(1);

    /// The result of `work` on a thread; the test fails if it does not end.
    fn ended<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> std::thread::Result<T> {
        let (send, ends) = channel();
        let thread = std::thread::spawn(move || {
            // Dropped when the thread ends, also by a panic.
            let _send = send;
            work()
        });
        let closed: Result<(), RecvTimeoutError> = ends.recv_timeout(PATIENCE);
        assert_eq!(closed, Err(RecvTimeoutError::Disconnected), "the work does not end");
        thread.join()
    }

    #[test]
    fn a_panic_in_the_work_ends_it() {
        let lost = ended(|| with_reports(HOUR, || (), || -> u8 { panic!("a fault of ours") }));
        assert_eq!(lost.unwrap_err().downcast_ref::<&str>(), Some(&"a fault of ours"));
    }

    #[test]
    fn work_that_is_done_waits_for_no_report() {
        assert_eq!(ended(|| with_reports(HOUR, || (), || 7)).unwrap(), 7);
    }

    #[test]
    fn reports_come_again_and_again_until_then() {
        let reports = AtomicU32::new(0);
        let start = Instant::now();
        with_reports(
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
