//! Storage of a store: values by their keys. A zip archive or an object store would be one more [`Storage`].

use crate::array::Fault;
use std::fmt;

/// Values by their keys, which are names with `/` between; read from several threads at once.
pub(super) trait Storage: Send + Sync + fmt::Debug {
    /// Bytes of a value; `None` if there is no value.
    ///
    /// # Errors
    /// When the value is longer than [`ByteRange::All`] allows, or cannot be read.
    fn get(&self, key: &str, range: ByteRange) -> Result<Option<Part>, Fault>;

    /// Calls `each` for what lies below a prefix, one name deep and in any order.
    ///
    /// # Errors
    /// When it cannot be listed.
    fn list(&self, prefix: &str, each: &mut dyn FnMut(Entry)) -> Result<(), Fault>;

    /// Whether there is such a prefix.
    fn exists(&self, prefix: &str) -> bool;
}

/// Which bytes of a value are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteRange {
    /// All of them, of which there may be this many.
    All(u64),
    /// From a byte on, this many.
    From(u64, usize),
    /// The last ones, this many.
    Last(usize),
}

impl ByteRange {
    /// The first byte and how many there are, if a value of `len` bytes holds all of them.
    ///
    /// # Errors
    /// When it holds more than it may.
    pub(super) fn within(self, len: u64) -> Result<Option<(u64, u64)>, Fault> {
        let (first, count) = match self {
            ByteRange::All(most) if len > most => {
                return Err(format!("holds {len} bytes, at most {most} are explained").into());
            }
            ByteRange::All(_) => (Some(0), len),
            ByteRange::From(at, count) => (Some(at), count as u64),
            ByteRange::Last(count) => (len.checked_sub(count as u64), count as u64),
        };
        let is_inside = |at: &u64| at.checked_add(count).is_some_and(|end| end <= len);
        Ok(first.filter(is_inside).map(|at| (at, count)))
    }
}

/// Bytes of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The bytes; none if the value does not hold all of them.
    pub bytes: Vec<u8>,
    /// The length of the whole value.
    pub len: u64,
}

/// Entry below a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The last name of its key.
    pub name: String,
    /// Whether it is a prefix of other keys.
    pub is_prefix: bool,
    /// Whether it is a link to another place.
    pub is_link: bool,
    /// Bytes of its value.
    pub len: u64,
}

/// A key below a node; the root's own is empty.
pub(super) fn joined(node: &str, name: &str) -> String {
    if node.is_empty() { name.to_owned() } else { format!("{node}/{name}") }
}

/// Whether this is the name of something within a prefix, and nothing else.
pub(super) fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0', ':'])
}

#[cfg(test)]
pub(super) mod memory {
    use super::*;
    use std::collections::BTreeMap;

    /// Values in memory.
    #[derive(Debug, Default)]
    pub(crate) struct Memory(pub BTreeMap<String, Vec<u8>>);

    impl Storage for Memory {
        fn get(&self, key: &str, range: ByteRange) -> Result<Option<Part>, Fault> {
            let Some(value) = self.0.get(key) else {
                return Ok(None);
            };
            let len = value.len() as u64;
            let bytes = match range.within(len)? {
                Some((at, count)) => value[at as usize..][..count as usize].to_vec(),
                None => Vec::new(),
            };
            Ok(Some(Part { bytes, len }))
        }

        fn list(&self, prefix: &str, each: &mut dyn FnMut(Entry)) -> Result<(), Fault> {
            let below = joined(prefix, "");
            let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
            for (key, value) in &self.0 {
                let Some(rest) = key.strip_prefix(&below) else {
                    continue;
                };
                let (name, is_prefix) = rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
                entries.entry(name).or_insert(Entry {
                    name: name.to_owned(),
                    is_prefix,
                    is_link: false,
                    len: value.len() as u64,
                });
            }
            entries.into_values().for_each(each);
            Ok(())
        }

        fn exists(&self, prefix: &str) -> bool {
            let below = joined(prefix, "");
            self.0.keys().any(|key| key.starts_with(&below))
        }
    }
}
