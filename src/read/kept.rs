//! Arrays that stay open between two readings of the same files, because their slices are read one after the other.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Anything that is kept, under the file's name and the array's.
type Entry = (String, Arc<dyn Any + Send + Sync>);

#[derive(Default)]
struct Inner {
    entries: Vec<Entry>,
    bytes: u64,
}

/// Arrays that stay open, under a limit of bytes. Clones share them.
#[derive(Clone)]
pub struct Kept {
    inner: Arc<Mutex<Inner>>,
    most: u64,
}

impl Kept {
    /// Keeps arrays that take up to `most` bytes together.
    pub fn new(most: u64) -> Self {
        Self { inner: Arc::default(), most }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The most bytes.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// The array under a name.
    pub(crate) fn get<T: Any + Send + Sync>(&self, name: &str) -> Option<Arc<T>> {
        let inner = self.lock();
        let (_, found) = inner.entries.iter().find(|(own, _)| own == name)?;
        Arc::clone(found).downcast().ok()
    }

    /// Keeps something of this many bytes, if there is room.
    pub(crate) fn put<T: Any + Send + Sync>(&self, name: &str, what: &Arc<T>, bytes: u64) {
        let mut inner = self.lock();
        if inner.bytes.saturating_add(bytes) <= self.most {
            inner.bytes += bytes;
            inner.entries.push((name.to_owned(), Arc::clone(what) as _));
        }
    }

    /// Lets go of all, since the files have changed.
    pub fn clear(&self) {
        *self.lock() = Inner::default();
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.lock();
        let names: Vec<&str> = inner.entries.iter().map(|e| e.0.as_str()).collect();
        f.debug_struct("Kept").field("names", &names).field("bytes", &inner.bytes).finish_non_exhaustive()
    }
}

impl PartialEq for Kept {
    /// Whether both share their arrays.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_no_room_for_is_not_kept() {
        let kept = Kept::new(100);
        kept.put("a", &Arc::new(1u32), 60);
        kept.put("b", &Arc::new(2u32), 60);
        assert_eq!((kept.get::<u32>("a"), kept.get::<u32>("b")), (Some(Arc::new(1)), None));
        assert_eq!(kept.get::<u64>("a"), None, "of another type");
        let other = kept.clone();
        other.clear();
        assert!(kept.get::<u32>("a").is_none() && kept == other && kept != Kept::new(100));
    }
}
