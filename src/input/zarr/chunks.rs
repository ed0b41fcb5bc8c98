//! The chunks of one array: found by their keys, alone or in shards, and decoded.

use super::cache::Cache;
use super::fill::Fill;
use super::metadata::{Metadata, Shards};
use super::store::{Store, joined};
use crate::grid::SourceError;
use std::sync::Arc;

/// Shards whose indexes are remembered.
const INDEXES: usize = 64;
/// The longest index of a shard.
const MOST_INDEX: usize = 64 << 20;
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
}

impl Chunks {
    /// An array of which `kept` bytes of decoded chunks are remembered.
    ///
    /// # Errors
    /// When a chunk takes more than `most` bytes, or chunks cannot be counted.
    pub fn new(store: &Arc<Store>, node: &str, metadata: Metadata, most: u64, kept: u64) -> Result<Self, String> {
        let over = |what: String| format!("{what}, over the limit of {most} bytes");
        let bytes = metadata.chunk_bytes().ok_or_else(|| over(format!("chunks of {:?} elements", metadata.chunk)))?;
        let packed = metadata.codecs.most(bytes);
        if bytes.saturating_add(packed) as u64 > most {
            return Err(over(format!("a chunk takes {} bytes to decode", bytes.saturating_add(packed))));
        }
        if let Some(s) = &metadata.shards {
            let index = s.chunks.iter().try_fold(16usize, |n, c| n.checked_mul(*c)).filter(|n| *n <= MOST_INDEX);
            index.ok_or_else(|| format!("a shard of {:?} chunks, over the limit of {} in all", s.chunks, MOST_INDEX / 16))?;
        }
        let counts: Vec<usize> = metadata.shape.iter().zip(&metadata.chunk).map(|(n, c)| n.div_ceil(*c)).collect();
        if counts.iter().try_fold(1u64, |n, c| n.checked_mul(*c as u64)).is_none() {
            return Err(over(format!("{counts:?} chunks")));
        }
        let mut strides = vec![1; metadata.chunk.len()];
        let mut step = 1;
        for &axis in metadata.codecs.order.iter().rev() {
            strides[axis] = step;
            step *= metadata.chunk[axis];
        }
        let decoded = Cache::new(usize::try_from(kept).unwrap_or(usize::MAX), bytes);
        let (store, node) = (store.clone(), node.to_owned());
        Ok(Self { store, node, metadata, counts, strides, bytes, decoded, indexes: Cache::new(INDEXES, 1) })
    }

    /// A chunk by its place; `None` where another thread decodes it and `wait` is not set.
    ///
    /// # Errors
    /// When its file is damaged: the key is named.
    pub fn get(&self, at: &[usize], wait: bool) -> Result<Option<Arc<Chunk>>, SourceError> {
        let number = at.iter().zip(&self.counts).fold(0u64, |n, (i, c)| n * *c as u64 + *i as u64);
        self.decoded.get(number, wait, || self.read(at))
    }

    fn read(&self, at: &[usize]) -> Result<Chunk, SourceError> {
        let m = &self.metadata;
        let key = match &m.shards {
            Some(s) => m.keys.of(&at.iter().zip(&s.chunks).map(|(i, n)| i / n).collect::<Vec<_>>()),
            None => m.keys.of(at),
        };
        let key = joined(&self.node, &key);
        let read = || match &m.shards {
            Some(s) => self.part(s, at, &key),
            None => self.store.read(&key, m.codecs.most(self.bytes) as u64),
        };
        let decoded = read().and_then(|found| found.map(|bytes| m.codecs.decode(bytes, self.bytes)).transpose());
        match decoded {
            Ok(Some(bytes)) => Ok(Chunk::Bytes(bytes)),
            Ok(None) => Ok(Chunk::Missing),
            Err(e) => Err(SourceError { file: self.store.name.clone(), what: format!("chunk {key}: {e}") }),
        }
    }

    /// The encoded bytes of a chunk within a shard.
    fn part(&self, shards: &Shards, at: &[usize], key: &str) -> Result<Option<Vec<u8>>, String> {
        let place = |from: fn(usize, usize) -> usize, of: &[usize]| at.iter().zip(of).map(|(i, n)| from(*i, *n)).collect::<Vec<_>>();
        let shard = place(|i, n| i / n, &shards.chunks);
        let within = place(|i, n| i % n, &shards.chunks);
        let number = shard.iter().zip(&self.counts).fold(0u64, |n, (i, c)| n * *c as u64 + *i as u64);
        let index = self.indexes.get(number, true, || self.index(shards, key))?;
        let i = within.iter().zip(&shards.chunks).fold(0, |n, (i, c)| n * c + i);
        let Some(&(first, bytes)) = index.iter().find_map(|l| l.get(i)) else { return Ok(None) };
        if first == NOTHING && bytes == NOTHING {
            return Ok(None);
        }
        let Some((file, len)) = self.store.file(key)? else { return Ok(None) };
        if bytes > self.metadata.codecs.most(self.bytes) as u64 {
            return Err(format!("chunk {within:?} holds {bytes} bytes, more than its shape explains"));
        }
        if first.checked_add(bytes).is_none_or(|end| end > len) {
            return Err(format!("chunk {within:?} lies at bytes {first} + {bytes} of {len}"));
        }
        Store::part(&file, first, bytes as usize).map(Some)
    }

    /// The index of a shard, if the shard is there.
    fn index(&self, shards: &Shards, key: &str) -> Result<Index, String> {
        let Some((file, len)) = self.store.file(key)? else { return Ok(Vec::new()) };
        let plain = 16 * shards.chunks.iter().product::<usize>();
        let bytes = shards.index.most(plain);
        let Some(after) = len.checked_sub(bytes as u64) else {
            return Err(format!("holds {len} bytes, the index of its shard alone takes {bytes}"));
        };
        let packed = Store::part(&file, if shards.index_first { 0 } else { after }, bytes)?;
        let words = shards.index.decode(packed, plain).map_err(|e| format!("the shard's index: {e}"))?;
        let word = |b: &[u8]| {
            let b = b.try_into().expect("eight bytes");
            if shards.index.big_endian { u64::from_be_bytes(b) } else { u64::from_le_bytes(b) }
        };
        Ok(words.chunks_exact(16).map(|pair| (word(&pair[..8]), word(&pair[8..]))).collect())
    }

    /// What cells of missing chunks hold; `None` stands for no data.
    pub fn fill(&self) -> Option<[u8; 8]> {
        match self.metadata.fill {
            Fill::Element(bytes) => Some(bytes),
            Fill::Absent => None,
        }
    }
}
