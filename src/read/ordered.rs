//! Work on parts of a table by several threads; the results are taken in the order of the parts.

use super::error::InputError;
use gridscope_core::workers;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

/// Results that may wait to be taken: a thread whose part is not the first must be able to go on.
const WAITING: usize = 192;
/// The fewest of one thread.
const LEAST_WAITING: usize = 8;

/// Results of one of this many threads that may wait to be taken.
pub(super) fn waiting(threads: usize) -> usize {
    (WAITING / threads.max(1)).max(LEAST_WAITING)
}

/// Threads that read.
pub(super) fn threads() -> usize {
    workers::cores()
}

/// Hands a result on; an error says that no more are wanted.
pub(super) type Give<'g, R> = dyn FnMut(R) -> Result<(), InputError> + 'g;

/// The number of a thread, and its result; `None` when its part has no more.
type Message<R> = (usize, Option<Result<R, InputError>>);

/// State that the threads share.
struct Turns<N> {
    next: N,
    /// Parts that were given out.
    given: u64,
    /// All parts were given out.
    ended: bool,
    /// No more results are wanted.
    stopped: bool,
    /// Results of each thread that were not yet taken.
    waiting: Vec<usize>,
    /// The most of them.
    most: usize,
}

struct Desk<N> {
    turns: Mutex<Turns<N>>,
    moved: Condvar,
}

/// Stops the others, however its thread ends.
struct Stop<'d, N>(&'d Desk<N>, bool);

impl<N> Drop for Stop<'_, N> {
    fn drop(&mut self) {
        if self.1 || std::thread::panicking() {
            self.0.lock().stopped = true;
            self.0.moved.notify_all();
        }
    }
}

impl<N> Desk<N> {
    fn lock(&self) -> MutexGuard<'_, Turns<N>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, turns: MutexGuard<'g, Turns<N>>) -> MutexGuard<'g, Turns<N>> {
        self.moved.wait(turns).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes parts from `next`, works on them in up to `threads` threads, each with a state of its own, and hands their results, with
/// the number of the thread, to `take`: those of the first part, then those of the second. Of each thread `most` results wait
/// to be taken, at most; the thread itself waits then.
///
/// # Errors
/// The first in that order.
pub(super) fn in_order<P, W, R: Send>(
    (threads, most): (usize, usize),
    mut next: impl FnMut() -> Result<Option<P>, InputError> + Send,
    state: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, P, &mut Give<R>) -> Result<(), InputError> + Sync,
    mut take: impl FnMut(usize, R) -> Result<(), InputError>,
) -> Result<(), InputError> {
    if threads <= 1 {
        let mut state = state();
        while let Some(part) = next()? {
            work(&mut state, part, &mut |result| take(0, result))?;
        }
        return Ok(());
    }
    let turns =
        Turns { next, given: 0, ended: false, stopped: false, waiting: vec![0; threads], most: most.max(1) };
    let desk = Desk { turns: Mutex::new(turns), moved: Condvar::new() };
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        // Dropped before the threads are waited for, even where `take` panics.
        let stop = Stop(&desk, true);
        let start = |id: usize| {
            let (sender, desk, state, work) = (sender.clone(), &desk, &state, &work);
            workers::start(scope, move || {
                let _stop = Stop(desk, false);
                let mut state = state();
                while let Some((at, part)) = next_part(desk) {
                    let mut give =
                        |result| give(desk, id, || sender.send((at, id, Some(Ok(result)))).is_ok());
                    let end = part.and_then(|part| work(&mut state, part, &mut give)).err().map(Err);
                    let failed = end.is_some();
                    // A part's last message is its error, or that it has no more results.
                    if sender.send((at, id, end)).is_err() || failed {
                        return;
                    }
                }
            })
        };
        if (0..threads).take_while(|&id| start(id)).count() == 0 {
            let mut state = state();
            while let Some((_, part)) = next_part(&desk) {
                work(&mut state, part?, &mut |result| take(0, result))?;
            }
            return Ok(());
        }
        drop(sender);
        let mut later: BTreeMap<u64, VecDeque<Message<R>>> = BTreeMap::new();
        let mut expected = 0;
        for (at, id, message) in receiver {
            later.entry(at).or_default().push_back((id, message));
            while let Some((id, message)) = later.get_mut(&expected).and_then(VecDeque::pop_front) {
                let Some(result) = message else {
                    later.remove(&expected);
                    expected += 1;
                    continue;
                };
                take(id, result?)?;
                desk.lock().waiting[id] -= 1;
                desk.moved.notify_all();
            }
        }
        drop(stop);
        Ok(())
    })
}

/// The next part and its number; `None` when there is none, or no more are wanted.
fn next_part<P, N: FnMut() -> Result<Option<P>, InputError>>(
    desk: &Desk<N>,
) -> Option<(u64, Result<P, InputError>)> {
    let mut turns = desk.lock();
    if turns.ended || turns.stopped {
        return None;
    }
    let part = (turns.next)().transpose();
    turns.ended = !matches!(part, Some(Ok(_)));
    turns.given += 1;
    part.map(|part| (turns.given - 1, part))
}

/// Sends a result, and waits while too many of this thread were not yet taken.
fn give<N>(desk: &Desk<N>, id: usize, send: impl FnOnce() -> bool) -> Result<(), InputError> {
    let mut turns = desk.lock();
    turns.waiting[id] += 1;
    drop(turns);
    let sent = send();
    turns = desk.lock();
    while sent && turns.waiting[id] >= turns.most && !turns.stopped {
        turns = desk.wait(turns);
    }
    if turns.stopped || !sent { Err(InputError::refused("", "", "no more is wanted")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubled(threads: usize, n: u64, bad: Option<u64>) -> (Vec<u64>, Result<(), InputError>) {
        let mut parts = 0..n;
        let mut out = Vec::new();
        let work = |(): &mut (), part: u64, give: &mut Give<u64>| {
            // Later parts are done sooner.
            (0..10 - part % 10).for_each(|_| std::thread::yield_now());
            if bad.is_some_and(|b| part >= b) {
                return Err(InputError::refused("f", part.to_string(), "bad"));
            }
            give(part * 2)?;
            if part.is_multiple_of(3) { (0..part % 20).try_for_each(|_| give(part * 2)) } else { Ok(()) }
        };
        let end = in_order(
            (threads, if n == 300 { 1 } else { waiting(threads) }),
            || Ok(parts.next()),
            || (),
            work,
            |_, r| {
                out.push(r);
                Ok(())
            },
        );
        (out, end)
    }

    #[test]
    fn results_keep_their_order() {
        for threads in [1, 2, 7] {
            let (out, end) = doubled(threads, 300, None);
            let times = |i: u64| {
                if i.is_multiple_of(3) { 1 + i as usize % 20 } else { 1 }
            };
            let want: Vec<u64> = (0..300).flat_map(|i| std::iter::repeat_n(i * 2, times(i))).collect();
            assert_eq!((out, end), (want, Ok(())));
        }
    }

    #[test]
    fn threads_that_cannot_be_started_change_nothing() {
        let wanted = doubled(1, 300, None);
        for started in 0..4 {
            assert_eq!(workers::with_at_most(started, || doubled(4, 300, None)), wanted, "{started} started");
            let (out, end) = workers::with_at_most(started, || doubled(4, 1_000_000, Some(57)));
            assert_eq!(
                (out.last(), end.unwrap_err().place.to_string().as_str()),
                (Some(&112), "57"),
                "{started} started"
            );
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        for threads in [1, 3] {
            let (out, end) = doubled(threads, 1_000_000, Some(57));
            assert_eq!((out.last(), end.unwrap_err().place.to_string().as_str()), (Some(&112), "57"));
        }
        let mut calls = 0;
        let mut next = || {
            calls += 1;
            if calls < 3 { Ok(Some(calls)) } else { Err(InputError::refused("f", "", "no more")) }
        };
        let end = in_order((2, 8), &mut next, || (), |(), p, give| give(p), |_, _| Ok(()));
        assert_eq!(end.unwrap_err().what, "no more");
    }

    #[test]
    fn a_panic_ends_it_too() {
        for (bad_work, bad_take) in [(Some(50), None), (None, Some(50))] {
            let mut parts = 0..100_000u64;
            let run = std::panic::AssertUnwindSafe(|| {
                let work = |(): &mut (), part: u64, give: &mut Give<u64>| {
                    assert_ne!(Some(part), bad_work);
                    give(part)
                };
                let take = |_, part| {
                    assert_ne!(Some(part), bad_take);
                    Ok(())
                };
                in_order((4, waiting(4)), || Ok(parts.next()), || (), work, take)
            });
            assert!(std::panic::catch_unwind(run).is_err());
        }
    }
}
