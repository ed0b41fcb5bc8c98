//! A cache of decoded chunks that several windows share: each is decoded once while it is cached, and memory is bounded.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The most entries: chunks without bytes are cached too.
const MOST_CHUNKS: usize = 1 << 14;

/// A cached chunk, and when it was last asked for; `None` while it is being decoded.
type Slot<T> = Option<(Arc<T>, u64)>;

#[derive(Debug)]
struct Inner<T> {
    slots: HashMap<u64, Slot<T>>,
    /// The slots by when they were last asked for.
    order: BTreeMap<u64, u64>,
    tick: u64,
    decoding: usize,
}

/// Chunks by their numbers, those asked for last.
#[derive(Debug)]
pub(super) struct Cache<T> {
    inner: Mutex<Inner<T>>,
    changed: Condvar,
    /// The most chunks, those that are being decoded included.
    most: usize,
}

/// Releases the claimed slot if decoding fails.
struct Claim<'a, T> {
    cache: &'a Cache<T>,
    chunk: u64,
}

impl<T> Drop for Claim<'_, T> {
    fn drop(&mut self) {
        let mut inner = self.cache.lock();
        inner.decoding -= 1;
        if let Some(None) = inner.slots.get(&self.chunk) {
            inner.slots.remove(&self.chunk);
        }
        self.cache.changed.notify_all();
    }
}

impl<T> Cache<T> {
    /// A cache of up to `most` chunks, at least one.
    pub(super) fn new(most: usize) -> Self {
        let inner = Inner { slots: HashMap::new(), order: BTreeMap::new(), tick: 0, decoding: 0 };
        Self { inner: Mutex::new(inner), changed: Condvar::new(), most: most.clamp(1, MOST_CHUNKS) }
    }

    fn lock(&self) -> MutexGuard<'_, Inner<T>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A chunk, cached or made. Where another thread makes it, or too many are being made, this waits, or gives `None`
    /// unless `wait` is set.
    pub(super) fn get<E>(
        &self,
        chunk: u64,
        wait: bool,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<Arc<T>>, E> {
        let mut inner = self.lock();
        loop {
            let busy = match inner.slots.get(&chunk) {
                Some(Some((found, tick))) => {
                    let (found, tick) = (found.clone(), *tick);
                    inner.touch(chunk, Some(tick), found.clone());
                    return Ok(Some(found));
                }
                Some(None) => true,
                None => inner.decoding >= self.most,
            };
            if !busy {
                break;
            }
            if !wait {
                return Ok(None);
            }
            inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
        inner.decoding += 1;
        inner.slots.insert(chunk, None);
        while inner.order.len() + inner.decoding > self.most {
            let Some((_, oldest)) = inner.order.pop_first() else {
                break;
            };
            inner.slots.remove(&oldest);
        }
        drop(inner);
        let claim = Claim { cache: self, chunk };
        let made = Arc::new(make()?);
        self.lock().touch(chunk, None, made.clone());
        drop(claim);
        Ok(Some(made))
    }
}

impl<T> Inner<T> {
    /// Puts a chunk last in the order.
    fn touch(&mut self, chunk: u64, before: Option<u64>, found: Arc<T>) {
        if let Some(tick) = before {
            self.order.remove(&tick);
        }
        self.tick += 1;
        self.order.insert(self.tick, chunk);
        self.slots.insert(chunk, Some((found, self.tick)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn get(cache: &Cache<u64>, chunk: u64, made: &AtomicUsize) -> u64 {
        let make = || {
            made.fetch_add(1, Ordering::Relaxed);
            Ok::<_, ()>(chunk * 10)
        };
        *cache.get(chunk, true, make).unwrap().unwrap()
    }

    #[test]
    fn the_chunks_asked_for_last_stay() {
        let (cache, made) = (Cache::new(3), AtomicUsize::new(0));
        for (chunk, wanted) in [(1, 1), (2, 2), (3, 3), (1, 3), (4, 4), (1, 4), (3, 4), (2, 5)] {
            assert_eq!(get(&cache, chunk, &made), chunk * 10);
            assert_eq!(made.load(Ordering::Relaxed), wanted, "chunk {chunk}");
        }
    }

    #[test]
    fn a_failure_frees_its_place() {
        let cache: Cache<u64> = Cache::new(1);
        assert_eq!(cache.get(1, true, || Err("bad")), Err("bad"));
        assert_eq!(cache.get(1, true, || Ok::<_, ()>(7)).unwrap().as_deref(), Some(&7));
        let panicked = std::thread::scope(|s| {
            s.spawn(|| cache.get(2, true, || -> Result<u64, ()> { panic!("made") })).join()
        });
        assert!(panicked.is_err());
        assert_eq!(cache.get(2, true, || Ok::<_, ()>(8)).unwrap().as_deref(), Some(&8));
    }

    #[test]
    fn many_threads_make_each_chunk_once() {
        let (cache, made) = (Cache::new(100), AtomicUsize::new(0));
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| (0..90).for_each(|c| assert_eq!(get(&cache, c, &made), c * 10)));
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 90);
        // And with room for one at a time nobody waits for ever.
        let tight = Cache::new(1);
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| (0..50).for_each(|c| assert_eq!(get(&tight, c % 7, &made), c % 7 * 10)));
            }
        });
    }
}
