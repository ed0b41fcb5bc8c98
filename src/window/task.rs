//! Work in a thread of its own, which ends when nobody waits for its result any more.

use gridscope_core::grid::{Grid, Reading};
use gridscope_core::workers;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Wakes the event loop, so that it takes a result up.
pub(super) type Wake = Arc<dyn Fn() + Send + Sync>;

/// State that a thread and those who wait for it share.
struct Shared<T> {
    reading: Reading,
    result: Mutex<Option<T>>,
}

/// Asks whether work is to go on.
pub(super) type GoesOn<'a> = &'a (dyn Fn() -> bool + Sync);

/// Work in progress. Dropping it cancels the work.
pub(super) struct Task<T> {
    shared: Arc<Shared<T>>,
}

impl<T> fmt::Debug for Task<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").finish_non_exhaustive()
    }
}

impl<T: Send + 'static> Task<T> {
    /// Starts work, which asks the given function whether to go on. Without anyone to wake it is done at once.
    pub(super) fn start(wake: Option<&Wake>, work: impl FnOnce(GoesOn<'_>) -> T + Send + 'static) -> Self {
        Self::reading(Reading::default(), wake, work)
    }

    /// As [`Task::start`], with passes over grids that end in an error once the work is cancelled.
    pub(super) fn over(
        wake: Option<&Wake>,
        grids: &[Grid],
        work: impl FnOnce(&[Grid], GoesOn<'_>) -> T + Send + 'static,
    ) -> Self {
        let reading = Reading::default();
        let grids: Vec<Grid> = grids.iter().map(|grid| grid.clone().stoppable(&reading)).collect();
        Self::reading(reading, wake, move |goes_on| work(&grids, goes_on))
    }

    fn reading(
        reading: Reading,
        wake: Option<&Wake>,
        work: impl FnOnce(GoesOn<'_>) -> T + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared { reading, result: Mutex::default() });
        let own = shared.clone();
        let run = move || {
            let done = work(&|| !own.reading.is_stopped());
            *own.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
            own.reading.finish()
        };
        match wake.cloned() {
            Some(wake) => workers::aside(move || {
                if run() {
                    wake();
                }
            }),
            None => {
                run();
            }
        }
        Self { shared }
    }

    /// The result, once it is there; it can be taken once.
    pub(super) fn take(&mut self) -> Option<T> {
        let mut result = self.shared.result.lock().unwrap_or_else(PoisonError::into_inner);
        result.take()
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.shared.reading.stop();
    }
}

/// Threads for work beside the window, which is to stay at display rate.
pub(super) fn threads() -> usize {
    gridscope_core::grid::cores().saturating_sub(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn without_anyone_to_wake_work_is_done_at_once() {
        let mut task = Task::start(None, |goes_on| goes_on());
        assert_eq!((task.take(), task.take()), (Some(true), None));
    }

    #[test]
    fn a_thread_wakes_who_waits_and_ends_when_nobody_does() {
        let (send, come) = channel();
        let wake: Wake = Arc::new(move || send.send("awake").unwrap());
        let mut task = Task::start(Some(&wake), |_| 7);
        assert_eq!(come.recv(), Ok("awake"));
        assert_eq!(task.take(), Some(7));
        let (tell, ended) = channel();
        let task = Task::start(Some(&wake), move |goes_on| {
            while goes_on() {
                std::thread::yield_now();
            }
            tell.send("ended").unwrap();
        });
        drop(task);
        assert_eq!(ended.recv(), Ok("ended"));
        assert!(come.try_recv().is_err(), "nobody is woken for what nobody wants");
    }
}
