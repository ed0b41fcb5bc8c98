//! Why a figure cannot be drawn as it is described.

use gridscope_core::grid::SourceError;
use gridscope_core::lint::hinted;
use gridscope_core::scale::LimitsError;
use std::fmt;

/// A figure that cannot be drawn as it is described.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ResolveError {
    /// A word or number of the description is wrong.
    Key {
        /// The key.
        key: String,
        /// Reason.
        what: String,
        /// A remedy.
        hint: Option<String>,
    },
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
        /// Reason.
        what: String,
        /// A remedy.
        hint: String,
    },
    /// More is asked for than is possible.
    Limit {
        /// The key.
        key: &'static str,
        /// Reason.
        what: String,
        /// A remedy.
        hint: String,
    },
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
    /// [`ResolveError::Key`] without a hint.
    pub fn key(key: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Key { key: key.into(), what: what.into(), hint: None }
    }

    /// The keys of the description that decide on it; none where the data do.
    pub fn keys(&self) -> Vec<&str> {
        match self {
            Self::Key { key, .. } => vec![key],
            Self::Limit { key, .. } => vec![key],
            Self::NoCenter => vec!["norm"],
            Self::Limits(_) => vec!["vmin", "vmax", "center"],
            Self::Dpi(_) => vec!["dpi"],
            Self::Size(_) | Self::Small { .. } => vec!["width", "height", "dpi", "font_size", "columns"],
            Self::Data(_) | Self::Source(_) => Vec::new(),
        }
    }

    /// Whether the message begins with the first of its [`keys`](Self::keys).
    pub const fn names_key(&self) -> bool {
        matches!(self, Self::Key { .. } | Self::Limit { .. } | Self::NoCenter | Self::Dpi(_))
    }

    /// A remedy; that of [`ResolveError::Key`] is part of its message.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::NoCenter => Some("--center 0"),
            Self::Limits(e) => e.hint(),
            Self::Small { hint, .. } | Self::Limit { hint, .. } => Some(hint),
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
            Self::Key { key, what, hint: None } => write!(f, "{key}: {what}"),
            Self::Key { key, what, hint: Some(hint) } => write!(f, "{key}: {}", hinted(what, hint)),
            Self::Dpi(dpi) => write!(f, "dpi {dpi} is outside of 1..10000"),
            Self::NoCenter => f.write_str("norm: a twoslope norm needs a centre"),
            Self::Limits(e) => e.fmt(f),
            Self::Data(what) => f.write_str(what),
            Self::Limit { key, what, .. } => write!(f, "{key}: {what}"),
            Self::Size(what) | Self::Small { what, .. } => f.write_str(what),
            Self::Source(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ResolveError {}
