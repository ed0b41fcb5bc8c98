//! A store: its metadata and values by their keys, wherever they are read from, under the budget of the run.

use super::storage::{ByteRange, Extent, Folder, Storage, joined};
use crate::array::ArrayFault;
use crate::budget::{Budget, Reservation};
use crate::error::InputError;
use std::sync::{Arc, Mutex, PoisonError};

/// The longest metadata file.
const MOST_METADATA: u64 = 8 << 20;
/// Bytes that metadata take as values, for each of their own.
const WORTH: u64 = 64;
/// Folders of a folder that are looked at.
const MOST_FOLDERS: usize = 1 << 17;

/// Arrays and groups.
#[derive(Debug)]
pub(super) struct Store {
    /// As the user named it.
    pub name: String,
    storage: Box<dyn Storage>,
    /// Budget of the reading.
    budget: Arc<Budget>,
    /// Reserved bytes of the metadata that were read so far.
    parsed: Mutex<Reservation>,
}

impl Store {
    /// The store in a folder.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(super) fn open(name: &str, budget: &Arc<Budget>) -> Result<Self, InputError> {
        let folder = Folder::open(name).map_err(|f| f.of(name))?;
        Ok(Self::new(name, Box::new(folder), budget))
    }

    /// The store in a storage.
    pub(super) fn new(name: &str, storage: Box<dyn Storage>, budget: &Arc<Budget>) -> Self {
        Self {
            name: name.to_owned(),
            storage,
            budget: Arc::clone(budget),
            parsed: Mutex::new(budget.nothing()),
        }
    }

    /// Budget of its chunks.
    pub(super) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Gives back the memory of metadata, of which no more than an array's own is needed.
    pub(super) fn forget(&self) {
        self.parsed.lock().unwrap_or_else(PoisonError::into_inner).shrink_to(0);
    }

    /// The error of a key of this store.
    pub(super) fn error(&self, key: &str, fault: impl Into<ArrayFault>) -> InputError {
        InputError { place: key.into(), ..fault.into().of(&self.name) }
    }

    /// Whether there is a folder of this key within the store.
    pub(super) fn holds(&self, key: &str) -> bool {
        self.storage.exists(key)
    }

    /// Bytes of a key; `None` if there is no such key.
    ///
    /// # Errors
    /// As [`Storage::get`].
    pub(super) fn get(&self, key: &str, range: ByteRange) -> Result<Option<Extent>, ArrayFault> {
        self.storage.get(key, range)
    }

    /// The bytes of a metadata file; `None` if there is none.
    ///
    /// # Errors
    /// When it is too long or cannot be read.
    pub(super) fn metadata(&self, key: &str) -> Result<Option<Vec<u8>>, InputError> {
        let part = self.get(key, ByteRange::All(MOST_METADATA));
        part.map(|p| p.map(|p| p.bytes)).map_err(|f| self.error(key, f))
    }

    /// A metadata file as JSON; `None` if there is none.
    ///
    /// # Errors
    /// When it is too long, cannot be read, or is not JSON.
    pub(super) fn json(&self, key: &str) -> Result<Option<serde_json::Value>, InputError> {
        let Some(bytes) = self.metadata(key)? else {
            return Ok(None);
        };
        let room =
            self.parsed.lock().unwrap_or_else(PoisonError::into_inner).more(WORTH * bytes.len() as u64);
        room.map_err(|s| InputError {
            place: key.into(),
            ..s.of(&self.name, format_args!("{} bytes of metadata", bytes.len()))
        })?;
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|e| self.error(key, format!("is not valid JSON: {e}")))
    }

    /// The folders in a folder of the store, by name.
    ///
    /// # Errors
    /// When it cannot be listed, or there are too many.
    pub(super) fn folders(&self, key: &str) -> Result<Vec<String>, InputError> {
        let mut out = Vec::new();
        let listed = self.storage.list(key, &mut |entry| {
            if out.len() <= MOST_FOLDERS && entry.is_prefix {
                out.push(entry.name);
            }
        });
        listed.map_err(|f| self.error(key, f))?;
        if out.len() > MOST_FOLDERS {
            let what = format!("holds more than {MOST_FOLDERS} folders in one");
            return Err(InputError::limit(&self.name, what));
        }
        out.sort();
        Ok(out)
    }

    /// Every file below a folder of the store with its length, by name; links are not followed.
    ///
    /// # Errors
    /// When they cannot be listed, or there are more than `most`.
    pub(super) fn files(&self, key: &str, most: usize) -> Result<Vec<(String, u64)>, InputError> {
        let (mut out, mut folders) = (Vec::new(), vec![key.to_owned()]);
        while let Some(folder) = folders.pop() {
            let listed = self.storage.list(&folder, &mut |entry| {
                let key = joined(&folder, &entry.name);
                if entry.is_prefix && !entry.is_link {
                    folders.push(key);
                } else {
                    out.push((key, entry.len));
                }
            });
            listed.map_err(|f| self.error(&folder, f))?;
            if out.len() + folders.len() > most {
                let what = format!("holds more than {most} files");
                return Err(InputError::limit(&self.name, what));
            }
        }
        out.sort();
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::super::storage::memory::Memory;
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn files_are_listed_by_name_and_metadata_are_counted() {
        let dir = tempfile::tempdir().unwrap();
        let mut memory = Memory::default();
        for (name, text) in [("c/0", "ab"), ("c/10", "a"), ("zarr.json", "{}")] {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
            memory.0.insert(name.to_owned(), text.as_bytes().to_vec());
        }
        let folder = dir.path().to_str().unwrap();
        let wanted = [("c/0".to_owned(), 2), ("c/10".to_owned(), 1), ("zarr.json".to_owned(), 2)];
        let budget = Budget::new(1 << 20);
        for store in [Store::open(folder, &budget).unwrap(), Store::new("memory", Box::new(memory), &budget)]
        {
            assert_eq!(store.files("", 9).unwrap(), wanted);
            assert!(store.files("", 2).is_err());
            assert_eq!((store.folders("").unwrap(), store.holds("c")), (vec!["c".to_owned()], true));
            assert!(!store.holds("d"));
            assert!(store.json("zarr.json").unwrap().is_some() && store.budget().left() < 1 << 20);
            store.forget();
            assert_eq!(store.budget().left(), 1 << 20);
        }
        let narrow = Store::open(folder, &Budget::new(WORTH)).unwrap();
        assert_eq!(narrow.json("zarr.json").unwrap_err().kind, ErrorKind::Limit);
    }
}
