//! The chunks of one array: found by their keys, alone or in shards, decoded once while they are cached.

use super::metadata::{Metadata, Shards};
use super::storage::{ByteRange, joined};
use super::store::Store;
use crate::array::ArrayFault;
use crate::budget::Reservation;
use gridscope_core::grid::{SourceError, cores};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Shards whose indexes are cached.
const INDEXES: usize = 64;
/// The longest index of a shard, and the copies of it that exist while it is decoded.
const MOST_INDEX: usize = 64 << 20;
const COPIES: usize = 3;
/// The place and length that the index of a shard gives for a missing chunk.
const NOTHING: u64 = u64::MAX;

/// The elements of a chunk.
#[derive(Debug)]
pub(super) enum Chunk {
    /// There is none: its cells hold the fill value, or no data.
    Missing,
    /// As they lie in memory after decoding.
    Bytes(Vec<u8>),
}

/// Where each chunk of a shard lies: first byte and bytes. Empty where there is no shard.
type Index = Vec<(u64, u64)>;

/// An array of a store.
#[derive(Debug)]
pub(super) struct Chunks {
    store: Arc<Store>,
    /// The array's path in the store.
    node: String,
    pub metadata: Metadata,
    /// Chunks along each axis.
    pub counts: Vec<usize>,
    /// Elements from index to index of each axis, within a chunk.
    pub strides: Vec<usize>,
    bytes: usize,
    decoded: Cache<Chunk>,
    indexes: Cache<Index>,
    /// Reserved bytes of chunks and indexes.
    _room: Reservation,
}

/// How many chunks may be cached if `free` bytes are left beside the first: at most that many are decoded at once, and at most
/// one on each core, and each of those takes its encoded bytes too.
fn slots(free: usize, bytes: usize, packed: usize, cores: usize) -> usize {
    let few = 1 + free / bytes.saturating_add(packed).max(1);
    let spare = free.saturating_sub((cores - 1).saturating_mul(packed));
    if few < cores { few } else { (spare / bytes.max(1)).saturating_add(1) }
}

impl Chunks {
    /// An array that caches `cached` bytes of decoded chunks, as far as `most` bytes hold them and those that are being
    /// decoded.
    ///
    /// # Errors
    /// When a chunk takes more than `most` bytes, or chunks cannot be counted.
    pub(super) fn new(
        store: &Arc<Store>,
        node: &str,
        metadata: Metadata,
        most: u64,
        cached: u64,
    ) -> Result<Self, ArrayFault> {
        let most = most.min(store.budget().left());
        let over = |what: String| ArrayFault::limit(format!("{what}, over the limit of {most} bytes"));
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let bytes =
            metadata.chunk_bytes().ok_or_else(|| over(format!("chunks of {:?} elements", metadata.chunk)))?;
        let packed = metadata.codecs.most(bytes);
        let work = bytes.saturating_add(packed);
        // As many indexes of shards as a quarter of the memory holds, and what decoding takes.
        let (mut index, mut indexes) = (0, 0);
        if let Some(s) = &metadata.shards {
            index = s.index_bytes().filter(|n| *n <= MOST_INDEX).ok_or_else(|| {
                let (chunks, most) = (&s.chunks, MOST_INDEX / 16);
                ArrayFault::limit(format!("a shard of {chunks:?} chunks, over the limit of {most} in all"))
            })?;
            indexes = (size(most / 4) / index.max(1)).clamp(1, INDEXES);
        }
        let of_indexes = (indexes + COPIES).saturating_mul(index);
        let free = size(most)
            .checked_sub(work)
            .and_then(|f| f.checked_sub(of_indexes))
            .ok_or_else(|| over(format!("a chunk takes {work} bytes to decode")))?;
        let sides = metadata.shape.iter().zip(&metadata.chunk);
        let counts: Vec<usize> = sides.map(|(n, c)| n.div_ceil(*c)).collect();
        let all = counts.iter().try_fold(1u64, |n, c| n.checked_mul(*c as u64));
        all.ok_or_else(|| over(format!("{counts:?} chunks")))?;
        let mut strides = vec![1; metadata.chunk.len()];
        let mut step = 1;
        for &axis in metadata.codecs.order.iter().rev() {
            strides[axis] = step;
            step *= metadata.chunk[axis];
        }
        let wanted = size(cached) / bytes.max(1);
        let slots = slots(free, bytes, packed, cores()).min(wanted).max(1);
        let decoding = slots.min(cores()).saturating_mul(packed);
        let need = slots.saturating_mul(bytes).saturating_add(decoding);
        let room = store
            .budget()
            .reserve(need.saturating_add(of_indexes) as u64)
            .map_err(|s| over(format!("its chunks: {s}")))?;
        Ok(Self {
            store: store.clone(),
            node: node.to_owned(),
            metadata,
            counts,
            strides,
            bytes,
            decoded: Cache::new(slots),
            indexes: Cache::new(indexes.max(1)),
            _room: room,
        })
    }

    /// A chunk by its place; `None` where another thread decodes it and `wait` is not set.
    ///
    /// # Errors
    /// When its file is damaged: the key is named.
    pub(super) fn get(&self, at: &[usize], wait: bool) -> Result<Option<Arc<Chunk>>, SourceError> {
        self.decoded.get(self.number(at), wait, || self.read(at))
    }

    /// The number of a chunk, or of a shard, by its place.
    fn number(&self, at: &[usize]) -> u64 {
        let sides = at.iter().zip(&self.counts);
        sides.fold(0, |n, (i, c)| n * *c as u64 + *i as u64)
    }

    fn read(&self, at: &[usize]) -> Result<Chunk, SourceError> {
        let m = &self.metadata;
        let shard: Option<Vec<usize>> =
            m.shards.as_ref().map(|s| at.iter().zip(&s.chunks).map(|(i, n)| i / n).collect());
        let key = joined(&self.node, &m.keys.of(shard.as_deref().unwrap_or(at)));
        let most = m.codecs.most(self.bytes) as u64;
        let read = match (&m.shards, &shard) {
            (Some(s), Some(shard)) => self.part(s, shard, at, &key),
            _ => self.store.get(&key, ByteRange::All(most)).map(|p| p.map(|p| p.bytes)),
        };
        let chunk = read.and_then(|found| match found {
            Some(bytes) => m.codecs.decode(bytes, self.bytes).map(Chunk::Bytes),
            None => Ok(Chunk::Missing),
        });
        chunk.map_err(|f| SourceError {
            file: self.store.name.clone(),
            what: format!("chunk {key}: {}", f.what),
        })
    }

    /// The encoded bytes of a chunk within a shard.
    fn part(
        &self,
        shards: &Shards,
        shard: &[usize],
        at: &[usize],
        key: &str,
    ) -> Result<Option<Vec<u8>>, ArrayFault> {
        let within: Vec<usize> = at.iter().zip(&shards.chunks).map(|(i, n)| i % n).collect();
        let index = self.indexes.get(self.number(shard), true, || self.index(shards, key))?;
        let i = within.iter().zip(&shards.chunks).fold(0, |n, (i, c)| n * c + i);
        let (first, bytes) = match index.iter().find_map(|l| l.get(i)) {
            None | Some(&(NOTHING, NOTHING)) => return Ok(None),
            Some(place) => *place,
        };
        if bytes > self.metadata.codecs.most(self.bytes) as u64 {
            let what = format!("chunk {within:?} holds {bytes} bytes, more than its shape explains");
            return Err(what.into());
        }
        match self.store.get(key, ByteRange::From(first, bytes as usize))? {
            Some(part) if (part.bytes.len() as u64) < bytes => {
                let len = part.len;
                Err(format!("chunk {within:?} lies at bytes {first} + {bytes} of {len}").into())
            }
            part => Ok(part.map(|p| p.bytes)),
        }
    }

    /// The index of a shard, if the shard is there.
    fn index(&self, shards: &Shards, key: &str) -> Result<Index, ArrayFault> {
        let plain = 16 * shards.chunks.iter().product::<usize>();
        let bytes = shards.index.most(plain);
        let range = if shards.index_first { ByteRange::From(0, bytes) } else { ByteRange::Last(bytes) };
        let Some(packed) = self.store.get(key, range)? else {
            return Ok(Vec::new());
        };
        if packed.bytes.len() < bytes {
            let len = packed.len;
            return Err(format!("holds {len} bytes, the index of its shard alone takes {bytes}").into());
        }
        let words = shards.index.decode(packed.bytes, plain);
        let words = words.map_err(|f| format!("the shard's index: {}", f.what))?;
        let word = |b: &[u8]| {
            let b = b.try_into().expect("eight bytes");
            if shards.index.big_endian { u64::from_be_bytes(b) } else { u64::from_le_bytes(b) }
        };
        let pairs = words.chunks_exact(16);
        Ok(pairs.map(|p| (word(&p[..8]), word(&p[8..]))).collect())
    }
}

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

    #[test]
    fn chunks_and_what_is_decoded_fit() {
        for cores in [1, 2, 16] {
            for (bytes, packed) in [(100, 250), (100, 100), (1, 70_000), (1000, 1001), (0, 5)] {
                for free in (0..200).map(|i| i * i * 7) {
                    let slots = slots(free, bytes, packed, cores);
                    let taken = slots * bytes + slots.min(cores) * packed;
                    assert!(
                        slots >= 1 && taken <= free + bytes + packed,
                        "{cores} {bytes} {packed} {free}: {slots}"
                    );
                    let more = (slots + 1) * bytes + (slots + 1).min(cores) * packed;
                    assert!(
                        bytes == 0 || more > free + bytes + packed,
                        "{cores} {bytes} {packed} {free}: {slots}"
                    );
                }
            }
        }
    }

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
