//! The chunks of one array: found by their keys, alone or in shards, and decoded.

use super::cache::Cache;
use super::metadata::{Metadata, Shards};
use super::storage::{ByteRange, joined};
use super::store::Store;
use crate::array::Fault;
use crate::budget::Reservation;
use gridscope_core::grid::{SourceError, cores};
use std::sync::Arc;

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
    ) -> Result<Self, Fault> {
        let most = most.min(store.budget().left());
        let over = |what: String| Fault::limit(format!("{what}, over the limit of {most} bytes"));
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
                Fault::limit(format!("a shard of {chunks:?} chunks, over the limit of {most} in all"))
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
    ) -> Result<Option<Vec<u8>>, Fault> {
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
    fn index(&self, shards: &Shards, key: &str) -> Result<Index, Fault> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
