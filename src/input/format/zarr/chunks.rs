//! The chunks of one array: found by their keys, alone or in shards, and decoded.

use super::cache::Cache;
use super::fill::Fill;
use super::metadata::{Metadata, Shards};
use super::store::{Store, joined};
use crate::grid::{SourceError, cores};
use crate::input::budget::Taken;
use std::sync::Arc;

/// Shards whose indexes are remembered.
const INDEXES: usize = 64;
/// The longest index of a shard; while it is decoded there are so many copies of it.
const MOST_INDEX: usize = 64 << 20;
const COPIES: usize = 3;
/// What a shard's index holds for a chunk that is not there.
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
    /// What chunks and indexes may take.
    _room: Taken,
}

/// Chunks that may be remembered where so many bytes are free beside the first: no more are decoded at once than are
/// remembered, nor than there are cores, and each of those takes its encoded bytes too.
fn slots(free: usize, bytes: usize, packed: usize, cores: usize) -> usize {
    let few = 1 + free / bytes.saturating_add(packed).max(1);
    let spare = free.saturating_sub((cores - 1).saturating_mul(packed));
    if few < cores {
        few
    } else {
        (spare / bytes.max(1)).saturating_add(1)
    }
}

impl Chunks {
    /// An array of which `kept` bytes of decoded chunks are remembered, as far as `most` bytes hold them and those that are
    /// being decoded.
    ///
    /// # Errors
    /// When a chunk takes more than `most` bytes, or chunks cannot be counted.
    pub fn new(
        store: &Arc<Store>,
        node: &str,
        metadata: Metadata,
        most: u64,
        kept: u64,
    ) -> Result<Self, String> {
        let most = most.min(store.budget().left());
        let over = |what: String| format!("{what}, over the limit of {most} bytes");
        let bytes = metadata
            .chunk_bytes()
            .ok_or_else(|| over(format!("chunks of {:?} elements", metadata.chunk)))?;
        let packed = metadata.codecs.most(bytes);
        let work = bytes.saturating_add(packed);
        let mut free = usize::try_from(most).unwrap_or(usize::MAX).checked_sub(work);
        let mut indexes = 0;
        if let Some(s) = &metadata.shards {
            let index = s
                .chunks
                .iter()
                .try_fold(16usize, |n, c| n.checked_mul(*c))
                .filter(|n| *n <= MOST_INDEX);
            let index = index.ok_or_else(|| {
                format!(
                    "a shard of {:?} chunks, over the limit of {} in all",
                    s.chunks,
                    MOST_INDEX / 16
                )
            })?;
            // As many as a quarter of the memory holds, and what decoding takes.
            let many = (usize::try_from(most / 4).unwrap_or(usize::MAX) / index.max(1)).clamp(1, INDEXES);
            free = free.and_then(|f| f.checked_sub((many + COPIES).saturating_mul(index)));
            indexes = many;
        }
        let Some(free) = free else {
            return Err(over(format!("a chunk takes {work} bytes to decode")));
        };
        let counts: Vec<usize> = metadata
            .shape
            .iter()
            .zip(&metadata.chunk)
            .map(|(n, c)| n.div_ceil(*c))
            .collect();
        if counts
            .iter()
            .try_fold(1u64, |n, c| n.checked_mul(*c as u64))
            .is_none()
        {
            return Err(over(format!("{counts:?} chunks")));
        }
        let mut strides = vec![1; metadata.chunk.len()];
        let mut step = 1;
        for &axis in metadata.codecs.order.iter().rev() {
            strides[axis] = step;
            step *= metadata.chunk[axis];
        }
        let wanted = usize::try_from(kept).unwrap_or(usize::MAX) / bytes.max(1);
        let slots = slots(free, bytes, packed, cores()).min(wanted).max(1);
        let index = metadata
            .shards
            .as_ref()
            .map_or(0, |s| 16 * s.chunks.iter().product::<usize>());
        let decoding = slots.min(cores()).saturating_mul(packed);
        let need = slots.saturating_mul(bytes).saturating_add(decoding);
        let need = need.saturating_add((indexes + COPIES * indexes.min(1)).saturating_mul(index));
        let _room = store
            .budget()
            .hold(need as u64)
            .map_err(|s| over(format!("its chunks: {s}")))?;
        let decoded = Cache::new(slots.saturating_mul(bytes.max(1)), bytes);
        let (store, node, indexes) = (store.clone(), node.to_owned(), Cache::new(indexes.max(1), 1));
        Ok(Self {
            store,
            node,
            metadata,
            counts,
            strides,
            bytes,
            decoded,
            indexes,
            _room,
        })
    }

    /// A chunk by its place; `None` where another thread decodes it and `wait` is not set.
    ///
    /// # Errors
    /// When its file is damaged: the key is named.
    pub fn get(&self, at: &[usize], wait: bool) -> Result<Option<Arc<Chunk>>, SourceError> {
        let number = at
            .iter()
            .zip(&self.counts)
            .fold(0u64, |n, (i, c)| n * *c as u64 + *i as u64);
        self.decoded.get(number, wait, || self.read(at))
    }

    fn read(&self, at: &[usize]) -> Result<Chunk, SourceError> {
        let m = &self.metadata;
        let key = match &m.shards {
            Some(s) => m
                .keys
                .of(&at.iter().zip(&s.chunks).map(|(i, n)| i / n).collect::<Vec<_>>()),
            None => m.keys.of(at),
        };
        let key = joined(&self.node, &key);
        let read = || match &m.shards {
            Some(s) => self.part(s, at, &key),
            None => self.store.read(&key, m.codecs.most(self.bytes) as u64),
        };
        let decoded =
            read().and_then(|found| found.map(|bytes| m.codecs.decode(bytes, self.bytes)).transpose());
        match decoded {
            Ok(Some(bytes)) => Ok(Chunk::Bytes(bytes)),
            Ok(None) => Ok(Chunk::Missing),
            Err(e) => Err(SourceError {
                file: self.store.name.clone(),
                what: format!("chunk {key}: {e}"),
            }),
        }
    }

    /// The encoded bytes of a chunk within a shard.
    fn part(&self, shards: &Shards, at: &[usize], key: &str) -> Result<Option<Vec<u8>>, String> {
        let place = |from: fn(usize, usize) -> usize, of: &[usize]| {
            at.iter().zip(of).map(|(i, n)| from(*i, *n)).collect::<Vec<_>>()
        };
        let shard = place(|i, n| i / n, &shards.chunks);
        let within = place(|i, n| i % n, &shards.chunks);
        let number = shard
            .iter()
            .zip(&self.counts)
            .fold(0u64, |n, (i, c)| n * *c as u64 + *i as u64);
        let index = self.indexes.get(number, true, || self.index(shards, key))?;
        let i = within.iter().zip(&shards.chunks).fold(0, |n, (i, c)| n * c + i);
        let Some(&(first, bytes)) = index.iter().find_map(|l| l.get(i)) else {
            return Ok(None);
        };
        if first == NOTHING && bytes == NOTHING {
            return Ok(None);
        }
        let Some((file, len)) = self.store.file(key)? else {
            return Ok(None);
        };
        if bytes > self.metadata.codecs.most(self.bytes) as u64 {
            return Err(format!(
                "chunk {within:?} holds {bytes} bytes, more than its shape explains"
            ));
        }
        if first.checked_add(bytes).is_none_or(|end| end > len) {
            return Err(format!(
                "chunk {within:?} lies at bytes {first} + {bytes} of {len}"
            ));
        }
        Store::part(&file, first, bytes as usize).map(Some)
    }

    /// The index of a shard, if the shard is there.
    fn index(&self, shards: &Shards, key: &str) -> Result<Index, String> {
        let Some((file, len)) = self.store.file(key)? else {
            return Ok(Vec::new());
        };
        let plain = 16 * shards.chunks.iter().product::<usize>();
        let bytes = shards.index.most(plain);
        let Some(after) = len.checked_sub(bytes as u64) else {
            return Err(format!(
                "holds {len} bytes, the index of its shard alone takes {bytes}"
            ));
        };
        let packed = Store::part(&file, if shards.index_first { 0 } else { after }, bytes)?;
        let words = shards
            .index
            .decode(packed, plain)
            .map_err(|e| format!("the shard's index: {e}"))?;
        let word = |b: &[u8]| {
            let b = b.try_into().expect("eight bytes");
            if shards.index.big_endian {
                u64::from_be_bytes(b)
            } else {
                u64::from_le_bytes(b)
            }
        };
        Ok(words
            .chunks_exact(16)
            .map(|pair| (word(&pair[..8]), word(&pair[8..])))
            .collect())
    }

    /// What cells of missing chunks hold; `None` stands for no data.
    pub fn fill(&self) -> Option<[u8; 8]> {
        match self.metadata.fill {
            Fill::Element(bytes) => Some(bytes),
            Fill::Absent => None,
        }
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
