//! Names of columns: rows mostly name them in the same order.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Bytes that a column takes, beside its name, of which there are this many copies.
const COLUMN: u64 = 700;
const COPIES: u64 = 4;

/// Bytes of memory that a column without values takes.
pub(super) fn bytes_of_column(name: &str) -> u64 {
    COLUMN + COPIES * name.len() as u64
}

/// Names in the order of their first appearance.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: Vec<Box<str>>,
    places: HashMap<Box<str>, usize, RandomState>,
    /// The length of all of them, in bytes.
    pub bytes: usize,
}

impl Names {
    /// The column of that name; `next` is the one that is tried first.
    #[inline]
    pub(super) fn find(&self, name: &str, next: usize) -> Option<usize> {
        match self.names.get(next) {
            Some(n) if **n == *name => Some(next),
            _ => self.places.get(name).copied(),
        }
    }

    /// Adds a name that is new; returns its column.
    pub(super) fn add(&mut self, name: &str) -> usize {
        self.bytes += name.len();
        self.names.push(name.into());
        self.places.insert(name.into(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// The name of a column.
    pub(super) fn get(&self, column: usize) -> &str {
        &self.names[column]
    }
}
