//! A store's folder: files by their keys, none of them outside it.

use crate::input::budget::{Budget, Taken};
use crate::input::bytes::read_exact_at;
use crate::input::error::InputError;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A metadata file is not longer.
pub(super) const MOST_METADATA: u64 = 8 << 20;
/// Bytes that metadata take as values, for each of their own.
const WORTH: u64 = 64;
/// Folders of a folder that are looked at.
const MOST_FOLDERS: usize = 1 << 17;

/// A folder that holds arrays and groups.
#[derive(Debug)]
pub(super) struct Store {
    /// As the user named it.
    pub name: String,
    root: PathBuf,
    /// The root with its links followed.
    real: PathBuf,
    /// What is read is taken off it.
    budget: Arc<Budget>,
    /// What the metadata take that were read so far.
    metadata: Mutex<Taken>,
}

impl Store {
    pub fn open(name: &str, budget: &Arc<Budget>) -> Result<Self, InputError> {
        let root = PathBuf::from(name);
        let real = root
            .canonicalize()
            .map_err(|e| InputError::refused(name, "", format!("cannot be read: {e}")))?;
        let (budget, metadata) = (Arc::clone(budget), Mutex::new(budget.nothing()));
        Ok(Self {
            name: name.to_owned(),
            root,
            real,
            budget,
            metadata,
        })
    }

    /// What its chunks are taken off.
    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Gives back what metadata took: no more of them is needed than an array's own.
    pub fn forget(&self) {
        self.metadata
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .shrink_to(0);
    }

    /// The error of a key of this store.
    pub fn at(&self, key: &str, what: impl Into<String>) -> InputError {
        InputError::refused(&self.name, key, what)
    }

    /// The path of a key: names between `/`, none of which leaves the folder.
    fn path(&self, key: &str) -> Result<PathBuf, String> {
        let mut path = self.root.clone();
        for name in key.split('/').filter(|_| !key.is_empty()) {
            if !is_name(name) {
                return Err(format!("'{name}' is no name within a store"));
            }
            path.push(name);
        }
        Ok(path)
    }

    /// Whether a path that exists stays in the store when its links are followed.
    fn inside(&self, path: &Path) -> Result<(), String> {
        match path.canonicalize() {
            Ok(real) if real.starts_with(&self.real) => Ok(()),
            Ok(_) => Err("is a link that leaves the store".to_owned()),
            Err(e) => Err(format!("cannot be read: {e}")),
        }
    }

    /// Whether there is a folder of this key within the store.
    pub fn holds(&self, key: &str) -> bool {
        self.path(key)
            .is_ok_and(|p| p.is_dir() && self.inside(&p).is_ok())
    }

    /// The plain file of a key and its bytes; `None` where there is none.
    pub fn file(&self, key: &str) -> Result<Option<(File, u64)>, String> {
        let path = self.path(key)?;
        // Opening a pipe would wait for who writes it.
        let meta = match std::fs::metadata(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(format!("cannot be read: {e}")),
            Ok(meta) => meta,
        };
        if !meta.is_file() {
            return Err("is no file".to_owned());
        }
        self.inside(&path)?;
        let file = File::open(&path).map_err(|e| format!("cannot be read: {e}"))?;
        Ok(Some((file, meta.len())))
    }

    /// All bytes of a key, of which there may be `most`; `None` where there is no file.
    pub fn read(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, String> {
        let Some((file, len)) = self.file(key)? else {
            return Ok(None);
        };
        if len > most {
            return Err(format!("holds {len} bytes, at most {most} are explained"));
        }
        let mut bytes = Vec::with_capacity(len as usize + 1);
        file.take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| format!("cannot be read: {e}"))?;
        Ok(Some(bytes))
    }

    /// Bytes of an opened file from a place on.
    pub fn part(file: &File, at: u64, bytes: usize) -> Result<Vec<u8>, String> {
        let mut out = vec![0; bytes];
        read_exact_at(file, &mut out, at).map_err(|e| format!("cannot be read: {e}"))?;
        Ok(out)
    }

    /// A metadata file as JSON; `None` where there is none.
    pub fn json(&self, key: &str) -> Result<Option<serde_json::Value>, InputError> {
        let Some(bytes) = self.read(key, MOST_METADATA).map_err(|e| self.at(key, e))? else {
            return Ok(None);
        };
        let room = self
            .metadata
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .more(WORTH * bytes.len() as u64);
        room.map_err(|s| InputError {
            place: key.to_owned(),
            ..s.of(&self.name, format_args!("{} bytes of metadata", bytes.len()))
        })?;
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|e| self.at(key, format!("is no JSON: {e}")))
    }

    /// The folders in a folder of the store, by name; links that leave it are left out.
    pub fn folders(&self, key: &str) -> Result<Vec<String>, InputError> {
        let mut out = Vec::new();
        self.each(key, |name, path| {
            if out.len() <= MOST_FOLDERS && path.is_dir() && self.inside(path).is_ok() {
                out.push(name);
            }
        })?;
        if out.len() > MOST_FOLDERS {
            return Err(InputError::limit(
                &self.name,
                format!("holds more than {MOST_FOLDERS} folders in one"),
            ));
        }
        out.sort();
        Ok(out)
    }

    /// Every file below a folder of the store with its length, at most so many, by name.
    pub fn files(&self, key: &str, most: usize) -> Result<Vec<(String, u64)>, InputError> {
        let (mut out, mut folders) = (Vec::new(), vec![key.to_owned()]);
        while let Some(folder) = folders.pop() {
            self.each(&folder, |name, path| {
                let key = joined(&folder, &name);
                match std::fs::symlink_metadata(path) {
                    Ok(m) if m.is_dir() => folders.push(key),
                    Ok(m) => out.push((key, m.len())),
                    Err(_) => {}
                }
            })?;
            if out.len() + folders.len() > most {
                return Err(InputError::limit(
                    &self.name,
                    format!("holds more than {most} files"),
                ));
            }
        }
        out.sort();
        Ok(out)
    }

    fn each(&self, key: &str, mut take: impl FnMut(String, &Path)) -> Result<(), InputError> {
        let path = self.path(key).map_err(|e| self.at(key, e))?;
        let entries = std::fs::read_dir(&path).map_err(|e| self.at(key, format!("cannot be read: {e}")))?;
        for entry in entries {
            let entry = entry.map_err(|e| self.at(key, format!("cannot be read: {e}")))?;
            // A name that is no text is no name of a store.
            if let Ok(name) = entry.file_name().into_string()
                && is_name(&name)
            {
                take(name, &entry.path());
            }
        }
        Ok(())
    }
}

/// A key below a node; the root's own is empty.
pub(super) fn joined(node: &str, name: &str) -> String {
    if node.is_empty() {
        name.to_owned()
    } else {
        format!("{node}/{name}")
    }
}

/// Whether this names something within a folder, and nothing else.
pub(super) fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0', ':'])
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
        let store = Store::open(root.to_str().unwrap(), &Budget::new(1 << 20)).unwrap();
        assert_eq!(store.read("a/0", 5).unwrap().unwrap(), b"cells");
        assert!(store.read("a/0", 4).unwrap_err().contains("holds 5 bytes"));
        assert_eq!(store.read("a/1", 5), Ok(None));
        for key in [
            "../secret",
            "a/../../secret",
            "/etc/passwd",
            "a//0",
            "a\\..",
            "a/./0",
            "c:x",
        ] {
            assert!(store.read(key, 99).unwrap_err().contains("no name"), "{key}");
        }
        assert!(store.read("a", 5).unwrap_err().contains("no file"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret", root.join("0")).unwrap();
            std::os::unix::fs::symlink("a/0", root.join("1")).unwrap();
            std::os::unix::fs::symlink("..", root.join("up")).unwrap();
            assert!(store.read("0", 9).unwrap_err().contains("leaves the store"));
            assert_eq!(store.read("1", 9).unwrap().unwrap(), b"cells");
            assert_eq!(store.folders("").unwrap(), ["a"]);
        }
    }

    #[test]
    fn files_are_listed_by_name() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [("c/0", "ab"), ("c/10", "a"), ("zarr.json", "{}")] {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let store = Store::open(dir.path().to_str().unwrap(), &Budget::new(1 << 20)).unwrap();
        let wanted = [
            ("c/0".to_owned(), 2),
            ("c/10".to_owned(), 1),
            ("zarr.json".to_owned(), 2),
        ];
        assert_eq!(store.files("", 9).unwrap(), wanted);
        assert!(store.files("", 2).is_err());
        let narrow = Store::open(dir.path().to_str().unwrap(), &Budget::new(WORTH)).unwrap();
        assert_eq!(
            narrow.json("zarr.json").unwrap_err().kind,
            crate::input::error::ErrorKind::Limit
        );
        assert!(store.json("zarr.json").unwrap().is_some() && store.budget().left() < 1 << 20);
        store.forget();
        assert_eq!(store.budget().left(), 1 << 20);
    }
}
