//! Work on parts of a table by several threads; the results are taken in the order of the parts.

use super::error::InputError;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

/// Parts that may be on their way, for each thread.
const AHEAD: u64 = 2;

/// Threads of this machine.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Whose turn it is.
struct Turns<N> {
    next: N,
    given: u64,
    taken: u64,
    done: bool,
}

/// Takes parts from `next`, works on them in `threads` threads, each with a state of its own, and hands the results, with
/// the number of the thread, to `take` in the order of the parts.
///
/// # Errors
/// The first in that order.
pub fn in_order<P, W, R: Send>(
    threads: usize,
    mut next: impl FnMut() -> Result<Option<P>, InputError> + Send,
    state: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, P) -> Result<R, InputError> + Sync,
    mut take: impl FnMut(usize, R) -> Result<(), InputError>,
) -> Result<(), InputError> {
    if threads <= 1 {
        let mut state = state();
        while let Some(part) = next()? {
            take(0, work(&mut state, part)?)?;
        }
        return Ok(());
    }
    let turns = Mutex::new(Turns { next, given: 0, taken: 0, done: false });
    let moved = Condvar::new();
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let handles: Vec<_> = (0..threads)
            .map(|id| {
                let (sender, turns, moved, state, work) = (sender.clone(), &turns, &moved, &state, &work);
                scope.spawn(move || {
                    let mut state = state();
                    loop {
                        let (at, part) = {
                            let mut turn = lock(turns);
                            while !turn.done && turn.given - turn.taken >= AHEAD * threads as u64 {
                                turn = moved.wait(turn).unwrap_or_else(PoisonError::into_inner);
                            }
                            if turn.done {
                                return;
                            }
                            let part = (turn.next)().transpose();
                            turn.done = !matches!(part, Some(Ok(_)));
                            let Some(part) = part else { return };
                            turn.given += 1;
                            (turn.given - 1, part)
                        };
                        let result = part.and_then(|part| work(&mut state, part));
                        if sender.send((at, id, result)).is_err() {
                            return;
                        }
                    }
                })
            })
            .collect();
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = 0;
        let mut outcome = Ok(());
        'all: for (at, id, result) in receiver {
            waiting.insert(at, (id, result));
            while let Some((id, result)) = waiting.remove(&expected) {
                outcome = result.and_then(|result| take(id, result));
                if outcome.is_err() {
                    break 'all;
                }
                expected += 1;
            }
            lock(&turns).taken = expected;
            moved.notify_all();
        }
        lock(&turns).done = true;
        moved.notify_all();
        for handle in handles {
            if let Err(panic) = handle.join() {
                std::panic::resume_unwind(panic);
            }
        }
        outcome
    })
}

fn lock<N>(turns: &Mutex<Turns<N>>) -> MutexGuard<'_, Turns<N>> {
    turns.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn doubled(threads: usize, n: u64, bad: Option<u64>) -> (Vec<u64>, Result<(), InputError>) {
        let mut parts = 0..n;
        let mut out = Vec::new();
        let work = |_: &mut (), part: u64| {
            // Later parts are done sooner.
            std::thread::sleep(Duration::from_micros(200 - (part % 10) * 20));
            if bad.is_some_and(|b| part >= b) { Err(InputError::refused("f", part.to_string(), "bad")) } else { Ok(part * 2) }
        };
        let end = in_order(
            threads,
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
            assert_eq!((out, end), ((0..300).map(|i| i * 2).collect(), Ok(())));
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        for threads in [1, 3] {
            let (out, end) = doubled(threads, 1_000_000, Some(57));
            assert_eq!((out.len(), end.unwrap_err().place.as_str()), (57, "57"));
        }
        let mut calls = 0;
        let mut next = || {
            calls += 1;
            if calls < 3 { Ok(Some(calls)) } else { Err(InputError::refused("f", "", "no more")) }
        };
        let end = in_order(2, &mut next, || (), |(), p| Ok(p), |_, _| Ok(()));
        assert_eq!(end.unwrap_err().what, "no more");
    }
}
