//! Names of columns: rows mostly name them in the same order.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Names in the order of their first appearance.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: Vec<Box<str>>,
    places: HashMap<Box<str>, usize, RandomState>,
}

impl Names {
    /// The column of that name; `next` is the one that is tried first.
    #[inline]
    pub fn find(&self, name: &str, next: usize) -> Option<usize> {
        match self.names.get(next) {
            Some(n) if **n == *name => Some(next),
            _ => self.places.get(name).copied(),
        }
    }

    /// Adds a name that is new; gives its column.
    pub fn add(&mut self, name: &str) -> usize {
        self.names.push(name.into());
        self.places.insert(name.into(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// The name of a column.
    pub fn get(&self, column: usize) -> &str {
        &self.names[column]
    }
}
