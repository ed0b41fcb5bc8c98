//! Storage of a store: values by their keys, in a folder and nowhere outside it.

use crate::array::ArrayFault;
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Values by their keys, which are names with `/` between; read from several threads at once.
pub(super) trait Storage: Send + Sync + fmt::Debug {
    /// Bytes of a value; `None` if there is no value.
    ///
    /// # Errors
    /// When the value is longer than [`ByteRange::All`] allows, or cannot be read.
    fn get(&self, key: &str, range: ByteRange) -> Result<Option<Extent>, ArrayFault>;

    /// Calls `each` for the names below a prefix, one level deep and in any order.
    ///
    /// # Errors
    /// When it cannot be listed.
    fn list(&self, prefix: &str, each: &mut dyn FnMut(Entry)) -> Result<(), ArrayFault>;

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
    pub(super) fn within(self, len: u64) -> Result<Option<(u64, u64)>, ArrayFault> {
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
pub(super) struct Extent {
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
        fn get(&self, key: &str, range: ByteRange) -> Result<Option<Extent>, ArrayFault> {
            let Some(value) = self.0.get(key) else {
                return Ok(None);
            };
            let len = value.len() as u64;
            let bytes = match range.within(len)? {
                Some((at, count)) => value[at as usize..][..count as usize].to_vec(),
                None => Vec::new(),
            };
            Ok(Some(Extent { bytes, len }))
        }

        fn list(&self, prefix: &str, each: &mut dyn FnMut(Entry)) -> Result<(), ArrayFault> {
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

/// A folder whose files are values.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    /// The root with its links followed.
    real: PathBuf,
}

impl Folder {
    /// The folder of this name.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn open(name: &str) -> Result<Self, ArrayFault> {
        let root = PathBuf::from(name);
        let real = root.canonicalize()?;
        Ok(Self { root, real })
    }

    /// The path of a key: names between `/`, none of which leaves the folder.
    fn path(&self, key: &str) -> Result<PathBuf, ArrayFault> {
        let mut path = self.root.clone();
        for name in key.split('/').filter(|_| !key.is_empty()) {
            if !is_name(name) {
                return Err(format!("'{name}' is not a name within a store").into());
            }
            path.push(name);
        }
        Ok(path)
    }

    /// Whether a path that exists stays in the folder when its links are followed.
    fn is_inside(&self, path: &Path) -> Result<bool, ArrayFault> {
        Ok(path.canonicalize()?.starts_with(&self.real))
    }
}

impl Storage for Folder {
    fn get(&self, key: &str, range: ByteRange) -> Result<Option<Extent>, ArrayFault> {
        let path = self.path(key)?;
        // Opening a pipe would wait for its writer.
        let meta = match std::fs::metadata(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            meta => meta?,
        };
        if !meta.is_file() {
            return Err("is not a file".into());
        }
        if !self.is_inside(&path)? {
            return Err("is a link that leaves the store".into());
        }
        let (mut file, len, mut bytes) = (File::open(&path)?, meta.len(), Vec::new());
        if let Some((at, count)) = range.within(len)? {
            file.seek(SeekFrom::Start(at))?;
            bytes.reserve_exact(count as usize);
            file.take(count).read_to_end(&mut bytes)?;
        }
        Ok(Some(Extent { bytes, len }))
    }

    fn list(&self, prefix: &str, each: &mut dyn FnMut(Entry)) -> Result<(), ArrayFault> {
        for entry in std::fs::read_dir(self.path(prefix)?)? {
            let entry = entry?;
            // A name that is not text is not a name of a store.
            let (Ok(name), Ok(meta)) = (entry.file_name().into_string(), entry.metadata()) else {
                continue;
            };
            if !is_name(&name) {
                continue;
            }
            let (path, is_link) = (entry.path(), meta.is_symlink());
            each(Entry {
                name,
                // Links that leave the store are not followed.
                is_prefix: meta.is_dir() || is_link && path.is_dir() && self.is_inside(&path) == Ok(true),
                is_link,
                len: meta.len(),
            });
        }
        Ok(())
    }

    fn exists(&self, prefix: &str) -> bool {
        self.path(prefix).is_ok_and(|p| p.is_dir() && self.is_inside(&p) == Ok(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_never_leave_the_store() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("secret"), "x").unwrap();
        let root = dir.path().join("s.zarr");
        std::fs::create_dir_all(root.join("a")).unwrap();
        std::fs::write(root.join("a/0"), "cells").unwrap();
        let store = Folder::open(root.to_str().unwrap()).unwrap();
        let get = |key: &str, most| store.get(key, ByteRange::All(most)).map(|p| p.map(|p| p.bytes));
        let refused = |key: &str| get(key, 99).unwrap_err().what;
        assert_eq!(get("a/0", 5).unwrap().unwrap(), b"cells");
        assert!(get("a/0", 4).unwrap_err().what.contains("holds 5 bytes"));
        assert_eq!(get("a/1", 5), Ok(None));
        for key in ["../secret", "a/../../secret", "/etc/passwd", "a//0", "a\\..", "a/./0", "c:x"] {
            assert!(refused(key).contains("not a name"), "{key}");
            assert!(!store.exists(key), "{key}");
        }
        assert!(refused("a").contains("not a file"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret", root.join("0")).unwrap();
            std::os::unix::fs::symlink("a/0", root.join("1")).unwrap();
            std::os::unix::fs::symlink("..", root.join("up")).unwrap();
            assert!(refused("0").contains("leaves the store"));
            let part = store.get("0", ByteRange::Last(1));
            assert!(part.unwrap_err().what.contains("leaves the store"));
            assert_eq!(get("1", 9).unwrap().unwrap(), b"cells");
            let mut prefixes = Vec::new();
            store.list("", &mut |e| prefixes.extend(e.is_prefix.then_some(e.name))).unwrap();
            assert_eq!((prefixes, store.exists("up")), (vec!["a".to_owned()], false));
        }
    }

    #[test]
    fn parts_are_read_where_the_file_holds_all_of_them() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("0"), "cells").unwrap();
        let store = Folder::open(dir.path().to_str().unwrap()).unwrap();
        for (range, wanted) in [
            (ByteRange::From(1, 3), &b"ell"[..]),
            (ByteRange::Last(2), b"ls"),
            (ByteRange::From(0, 5), b"cells"),
            (ByteRange::From(3, 3), b""),
            (ByteRange::From(u64::MAX, 3), b""),
            (ByteRange::Last(6), b""),
        ] {
            let part = store.get("0", range).unwrap().unwrap();
            assert_eq!((part.bytes.as_slice(), part.len), (wanted, 5), "{range:?}");
        }
        assert_eq!(store.get("1", ByteRange::Last(1)), Ok(None));
    }
}
