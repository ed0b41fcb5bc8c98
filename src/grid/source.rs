//! What keeps cells from being read.

use std::fmt;

/// A source that does not give its cells: a file that shrank or cannot be read any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The source.
    pub file: String,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.what)
    }
}

impl std::error::Error for SourceError {}
