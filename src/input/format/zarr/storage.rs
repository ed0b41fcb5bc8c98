//! What a store is read from: values by their keys. A zip archive or an object store would be one more [`Storage`].

use std::fmt;

/// Values by their keys, which are names with `/` between; read from several threads at once.
pub(super) trait Storage: Send + Sync + fmt::Debug {
    /// All bytes of a value; `None` if there is none.
    ///
    /// # Errors
    /// When the value is longer than `most` bytes or cannot be read.
    fn get(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, String>;

    /// A part of a value; `None` if there is no value.
    ///
    /// # Errors
    /// When it cannot be read.
    fn get_range(&self, key: &str, range: ByteRange) -> Result<Option<Part>, String>;

    /// Calls `each` for what lies below a prefix, one name deep and in any order.
    ///
    /// # Errors
    /// When it cannot be listed.
    fn list(&self, prefix: &str, each: &mut dyn FnMut(Entry)) -> Result<(), String>;

    /// Whether there is such a prefix.
    fn exists(&self, prefix: &str) -> bool;
}

/// Which bytes of a value are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteRange {
    /// From a byte on, this many.
    From(u64, usize),
    /// The last ones, this many.
    Last(usize),
}

impl ByteRange {
    /// The first byte and how many there are, if a value of `len` bytes holds all of them.
    pub fn within(self, len: u64) -> Option<(u64, usize)> {
        match self {
            ByteRange::From(at, bytes) => at
                .checked_add(bytes as u64)
                .filter(|end| *end <= len)
                .map(|_| (at, bytes)),
            ByteRange::Last(bytes) => len.checked_sub(bytes as u64).map(|at| (at, bytes)),
        }
    }
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The bytes; none if the value does not hold all of them.
    pub bytes: Vec<u8>,
    /// The length of the whole value.
    pub len: u64,
}

/// What lies below a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The last name of its key.
    pub name: String,
    /// Whether it is a prefix of other keys.
    pub is_prefix: bool,
    /// Whether it stands for something at another place of the store.
    pub is_link: bool,
    /// Bytes of its value.
    pub len: u64,
}

/// A key below a node; the root's own is empty.
pub(super) fn joined(node: &str, name: &str) -> String {
    if node.is_empty() {
        name.to_owned()
    } else {
        format!("{node}/{name}")
    }
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
    pub struct Memory(pub BTreeMap<String, Vec<u8>>);

    impl Storage for Memory {
        fn get(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, String> {
            match self.0.get(key) {
                Some(v) if v.len() as u64 > most => Err(format!("holds {} bytes", v.len())),
                found => Ok(found.cloned()),
            }
        }

        fn get_range(&self, key: &str, range: ByteRange) -> Result<Option<Part>, String> {
            Ok(self.0.get(key).map(|v| Part {
                bytes: range
                    .within(v.len() as u64)
                    .map_or_else(Vec::new, |(at, n)| v[at as usize..][..n].to_vec()),
                len: v.len() as u64,
            }))
        }

        fn list(&self, prefix: &str, each: &mut dyn FnMut(Entry)) -> Result<(), String> {
            let below = joined(prefix, "");
            let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
            for (key, value) in &self.0 {
                let Some(rest) = key.strip_prefix(&below) else {
                    continue;
                };
                let (name, is_prefix) = rest
                    .split_once('/')
                    .map_or((rest, false), |(name, _)| (name, true));
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
