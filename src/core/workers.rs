//! Threads that share work, including the calling one.
//!
//! If the system starts fewer threads than requested (a limit of processes, a container), work becomes slower, and
//! nothing else changes: results do not depend on the number of threads.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, Scope};

/// The most threads that share a piece of work; 0 where nobody set one.
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Threads that share a piece of work: as many as the process has cores, or fewer where [`limit_threads`] says so.
pub fn cores() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match MOST.load(Ordering::Relaxed) {
        0 => cores,
        most => cores.min(most),
    }
}

/// Limits the threads of all work that begins from now on in this process, the calling thread among them; `None` takes the
/// limit away. Results do not depend on it.
///
/// ```
/// gridscope_core::workers::limit_threads(std::num::NonZeroUsize::new(2));
/// gridscope_core::workers::limit_threads(None);
/// ```
pub fn limit_threads(most: Option<NonZeroUsize>) {
    MOST.store(most.map_or(0, NonZeroUsize::get), Ordering::Relaxed);
}

/// Starts a thread in a scope, and returns whether the system did so.
pub fn start<'scope>(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() + Send + 'scope) -> bool {
    may_start() && Builder::new().spawn_scoped(scope, work).is_ok()
}

/// Starts a thread that runs until it ends or the process does.
///
/// # Errors
/// When the system does not start a thread; `work` is dropped.
pub fn detached(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    if may_start() { Builder::new().spawn(work) } else { Err(io::ErrorKind::WouldBlock.into()) }
}

/// Runs `work` on a new thread, or on the calling one if none can be started.
pub fn aside(work: impl FnOnce() + Send + 'static) {
    fn run<W: FnOnce()>(slot: &Mutex<Option<W>>) {
        let work = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(work) = work {
            work();
        }
    }
    let here = std::sync::Arc::new(Mutex::new(Some(work)));
    let there = here.clone();
    if detached(move || run(&there)).is_err() {
        run(&here);
    }
}

/// Runs `work` on up to `threads` threads, the calling one among them, and returns when all have ended.
pub(crate) fn together(threads: usize, work: impl Fn() + Sync) {
    let work = &work;
    std::thread::scope(|s| {
        let _all = (1..threads).all(|_| start(s, work));
        work();
    });
}

/// Runs `work` on each part, on up to `threads` threads. A thread that has finished a part takes the next one.
pub fn share<P>(threads: usize, parts: impl Iterator<Item = P> + Send, work: impl Fn(P) + Sync) {
    let parts = Mutex::new(parts);
    together(threads, || {
        loop {
            // The lock is released before the work, so that other threads can take parts.
            let next = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(part) = next else { return };
            work(part);
        }
    });
}

thread_local! {
    /// The number of threads that this one may still start; limited only by tests.
    static LEFT: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

fn may_start() -> bool {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    left > 0
}

/// Runs `work` on a thread that can start at most `threads` others: tests see what happens where the system starts no more.
#[doc(hidden)]
pub fn with_at_most<T>(threads: usize, work: impl FnOnce() -> T) -> T {
    let before = LEFT.replace(threads);
    let done = work();
    LEFT.set(before);
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The number of threads that took part; each waits for all others.
    fn took_part(requested: usize, started: usize) -> usize {
        let wanted = requested.clamp(1, started + 1);
        let (ids, arrived) = (Mutex::new(HashSet::new()), AtomicUsize::new(0));
        with_at_most(started, || {
            together(requested, || {
                ids.lock().unwrap().insert(std::thread::current().id());
                arrived.fetch_add(1, Ordering::SeqCst);
                while arrived.load(Ordering::SeqCst) < wanted {
                    std::thread::yield_now();
                }
            });
        });
        assert_eq!(arrived.into_inner(), wanted, "each runs once");
        ids.into_inner().unwrap().len()
    }

    #[test]
    fn all_threads_that_can_be_started_take_part() {
        for (requested, started, wanted) in
            [(0, 9, 1), (1, 9, 1), (4, 9, 4), (4, 3, 4), (4, 2, 3), (4, 1, 2), (4, 0, 1)]
        {
            assert_eq!(
                took_part(requested, started),
                wanted,
                "{requested} requested, {started} can be started"
            );
        }
    }

    #[test]
    fn work_is_shared_by_no_more_threads_than_the_limit() {
        let all = cores();
        for most in [1, 2, usize::MAX] {
            limit_threads(NonZeroUsize::new(most));
            assert_eq!(cores(), all.min(most));
        }
        limit_threads(None);
        assert_eq!(cores(), all);
    }

    #[test]
    fn each_part_is_worked_on_once_by_any_number_of_threads() {
        for started in [0, 1, 2, 50] {
            for parts in [0usize, 1, 3, 400] {
                let mut out = vec![0u32; parts];
                with_at_most(started, || {
                    share(8, out.iter_mut().enumerate(), |(i, to)| *to += i as u32 + 1);
                });
                assert!(
                    out.iter().enumerate().all(|(i, v)| *v == i as u32 + 1),
                    "{started} started, {parts} parts"
                );
            }
        }
    }

    #[test]
    fn a_thread_that_cannot_be_started_is_an_error() {
        assert!(with_at_most(0, || detached(|| ())).is_err());
        let (send, come) = std::sync::mpsc::channel();
        with_at_most(1, || detached(move || send.send(7).unwrap())).unwrap();
        assert_eq!(come.recv(), Ok(7));
    }

    #[test]
    fn work_aside_is_done_either_way() {
        for started in [0, 1] {
            let (send, come) = std::sync::mpsc::channel();
            with_at_most(started, || {
                aside(move || send.send(std::thread::current().id()).unwrap());
            });
            let here = std::thread::current().id();
            assert_eq!(come.recv().unwrap() == here, started == 0);
        }
    }
}
