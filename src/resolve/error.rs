//! Why a figure cannot be drawn as it is described.

use crate::grid::SourceError;
use std::fmt;

/// A figure that cannot be drawn as it is described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolveError {
    /// A word or number of the description is wrong: the key and what is wrong with it.
    Key(String, String),
    /// The data do not allow it (limits the wrong way round, nothing positive under a log norm).
    Data(String),
    /// The picture would be too large or too small.
    Size(String),
    /// A source does not give its cells.
    Source(SourceError),
}

impl From<SourceError> for ResolveError {
    fn from(e: SourceError) -> Self {
        Self::Source(e)
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key, what) => write!(f, "{key}: {what}"),
            Self::Data(what) | Self::Size(what) => f.write_str(what),
            Self::Source(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ResolveError {}
