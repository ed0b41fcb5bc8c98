//! Why a picture's description cannot be read or written.

use super::LONGEST;
use std::fmt;

/// A description that cannot be read out of a picture, or written as TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetadataError {
    /// The picture itself is damaged, in the words of its decoder.
    Picture(String),
    /// The description does not end.
    NoEnd,
    /// It is not UTF-8.
    NotUtf8,
    /// It has an entity that XML does not define.
    Entity,
    /// It is longer than [`LONGEST`].
    TooLong,
    /// It is not JSON.
    NotJson(String),
    /// It names no version or no figure.
    NoFigure,
    /// A value that TOML cannot hold.
    NotToml(String),
}

impl fmt::Display for MetadataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(what) | Self::NotToml(what) => f.write_str(what),
            Self::NoEnd => f.write_str("its description has no end"),
            Self::NotUtf8 => f.write_str("its description is not UTF-8"),
            Self::Entity => f.write_str("its description has '&' without a known entity"),
            Self::TooLong => write!(f, "its description is longer than {} MiB", LONGEST >> 20),
            Self::NotJson(what) => write!(f, "its description is not JSON: {what}"),
            Self::NoFigure => f.write_str("its description names no version and no figure"),
        }
    }
}

impl std::error::Error for MetadataError {}
