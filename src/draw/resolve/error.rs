//! Why a figure cannot be drawn as it is described.

use gridscope_core::grid::SourceError;
use gridscope_core::scale::LimitsError;
use std::fmt;

/// What separates a message from what the user can do.
const HINT: &str = "; hint: ";

/// A figure that cannot be drawn as it is described.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ResolveError {
    /// A word or number of the description is wrong: the key and what is wrong with it.
    Key(String, String),
    /// The norm of a scale needs a centre, and there is none.
    NoCenter,
    /// The limits of a scale are the wrong way round, or not those that its norm needs.
    Limits(LimitsError),
    /// The data do not allow it (nothing positive under a log norm).
    Data(String),
    /// This many output pixels an inch are too few or too many.
    Dpi(f64),
    /// The picture would be too large or too small.
    Size(String),
    /// The canvas is too small for its labels.
    Small {
        /// Which side is short.
        side: ShortSide,
        /// How many output pixels it lacks, about.
        lacks: f64,
        /// What is wrong, with a hint.
        what: String,
    },
    /// More is asked for than is possible: the key, and what.
    Limit(&'static str, String),
    /// A source does not give its cells.
    Source(SourceError),
}

/// The side of a canvas that is too short for its labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortSide {
    /// It is too narrow.
    Width,
    /// It is too low.
    Height,
}

impl ResolveError {
    /// The keys of the description that decide on it; none where the data do.
    pub fn keys(&self) -> Vec<&str> {
        match self {
            Self::Key(key, _) => vec![key],
            Self::Limit(key, _) => vec![key],
            Self::NoCenter => vec!["norm"],
            Self::Limits(_) => vec!["vmin", "vmax", "center"],
            Self::Dpi(_) => vec!["dpi"],
            Self::Size(_) | Self::Small { .. } => vec!["width", "height", "dpi", "font_size", "columns"],
            Self::Data(_) | Self::Source(_) => Vec::new(),
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::NoCenter => Some("--center 0"),
            Self::Limits(e) => e.hint(),
            Self::Size(what) | Self::Small { what, .. } | Self::Limit(_, what) => {
                what.split_once(HINT).map(|(_, hint)| hint)
            }
            _ => None,
        }
    }
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
            Self::Dpi(dpi) => write!(f, "dpi {dpi} is outside of 1..10000"),
            Self::NoCenter => f.write_str("norm: a twoslope norm needs a centre"),
            Self::Limits(e) => e.fmt(f),
            Self::Data(what) => f.write_str(what),
            Self::Limit(key, what) => {
                write!(
                    f,
                    "{key}: {}",
                    what.split_once(HINT).map_or(what.as_str(), |(what, _)| what)
                )
            }
            Self::Size(what) | Self::Small { what, .. } => {
                f.write_str(what.split_once(HINT).map_or(what, |(what, _)| what))
            }
            Self::Source(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ResolveError {}
