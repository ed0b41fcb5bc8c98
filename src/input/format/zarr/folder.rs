//! A store in a folder: a file for each value, none of them outside the folder.

use super::storage::{ByteRange, Entry, Part, Storage, is_name};
use crate::input::bytes::read_exact_at;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

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
    pub fn open(name: &str) -> Result<Self, String> {
        let root = PathBuf::from(name);
        let real = root.canonicalize().map_err(|e| unreadable(&e))?;
        Ok(Self { root, real })
    }

    /// The path of a key: names between `/`, none of which leaves the folder.
    fn path(&self, key: &str) -> Result<PathBuf, String> {
        let mut path = self.root.clone();
        for name in key.split('/').filter(|_| !key.is_empty()) {
            if !is_name(name) {
                return Err(format!("'{name}' is not a name within a store"));
            }
            path.push(name);
        }
        Ok(path)
    }

    /// Whether a path that exists stays in the folder when its links are followed.
    fn inside(&self, path: &Path) -> Result<(), String> {
        match path.canonicalize() {
            Ok(real) if real.starts_with(&self.real) => Ok(()),
            Ok(_) => Err("is a link that leaves the store".to_owned()),
            Err(e) => Err(unreadable(&e)),
        }
    }

    /// The plain file of a key and its length; `None` where there is none.
    fn file(&self, key: &str) -> Result<Option<(File, u64)>, String> {
        let path = self.path(key)?;
        // Opening a pipe would wait for its writer.
        let meta = match std::fs::metadata(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(unreadable(&e)),
            Ok(meta) => meta,
        };
        if !meta.is_file() {
            return Err("is not a file".to_owned());
        }
        self.inside(&path)?;
        let file = File::open(&path).map_err(|e| unreadable(&e))?;
        Ok(Some((file, meta.len())))
    }
}

fn unreadable(e: &std::io::Error) -> String {
    format!("cannot be read: {e}")
}

impl Storage for Folder {
    fn get(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, String> {
        let Some((file, len)) = self.file(key)? else {
            return Ok(None);
        };
        if len > most {
            return Err(format!("holds {len} bytes, at most {most} are explained"));
        }
        let mut bytes = Vec::with_capacity(len as usize + 1);
        file.take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| unreadable(&e))?;
        Ok(Some(bytes))
    }

    fn get_range(&self, key: &str, range: ByteRange) -> Result<Option<Part>, String> {
        let Some((file, len)) = self.file(key)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        if let Some((at, count)) = range.within(len) {
            bytes.resize(count, 0);
            read_exact_at(&file, &mut bytes, at).map_err(|e| unreadable(&e))?;
        }
        Ok(Some(Part { bytes, len }))
    }

    fn list(&self, prefix: &str, each: &mut dyn FnMut(Entry)) -> Result<(), String> {
        let entries = std::fs::read_dir(self.path(prefix)?).map_err(|e| unreadable(&e))?;
        for entry in entries {
            let entry = entry.map_err(|e| unreadable(&e))?;
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
                is_prefix: meta.is_dir() || is_link && path.is_dir() && self.inside(&path).is_ok(),
                is_link,
                len: meta.len(),
            });
        }
        Ok(())
    }

    fn exists(&self, prefix: &str) -> bool {
        self.path(prefix)
            .is_ok_and(|p| p.is_dir() && self.inside(&p).is_ok())
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
        assert_eq!(store.get("a/0", 5).unwrap().unwrap(), b"cells");
        assert!(store.get("a/0", 4).unwrap_err().contains("holds 5 bytes"));
        assert_eq!(store.get("a/1", 5), Ok(None));
        for key in [
            "../secret",
            "a/../../secret",
            "/etc/passwd",
            "a//0",
            "a\\..",
            "a/./0",
            "c:x",
        ] {
            assert!(store.get(key, 99).unwrap_err().contains("not a name"), "{key}");
            assert!(!store.exists(key), "{key}");
        }
        assert!(store.get("a", 5).unwrap_err().contains("not a file"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret", root.join("0")).unwrap();
            std::os::unix::fs::symlink("a/0", root.join("1")).unwrap();
            std::os::unix::fs::symlink("..", root.join("up")).unwrap();
            assert!(store.get("0", 9).unwrap_err().contains("leaves the store"));
            assert!(
                store
                    .get_range("0", ByteRange::Last(1))
                    .unwrap_err()
                    .contains("leaves the store")
            );
            assert_eq!(store.get("1", 9).unwrap().unwrap(), b"cells");
            let mut prefixes = Vec::new();
            store
                .list("", &mut |e| prefixes.extend(e.is_prefix.then_some(e.name)))
                .unwrap();
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
            let part = store.get_range("0", range).unwrap().unwrap();
            assert_eq!((part.bytes.as_slice(), part.len), (wanted, 5), "{range:?}");
        }
        assert_eq!(store.get_range("1", ByteRange::Last(1)), Ok(None));
    }
}
