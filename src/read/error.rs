//! Why an input is refused: file, place, reason, and what to do.

use super::position::Place;
use std::fmt;
use std::sync::Arc;

/// Kind of a refusal; the command line turns it into an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The file's content is at fault (exit 3).
    Refused,
    /// The options do not say enough, or do not fit the file (exit 2).
    Usage,
    /// A limit of memory, size or time (exit 7).
    Limit,
    /// Something that reading needs is not installed: the driver of a database (exit 5).
    Unavailable,
}

/// The error of the system or of a decoder behind an [`InputError`]. Two of them are equal when their texts are.
#[derive(Clone, Debug)]
pub struct Cause(Arc<dyn std::error::Error + Send + Sync>);

impl PartialEq for Cause {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl Eq for Cause {}

/// A refused input: `FILE: where: what`, and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// Refused, usage or limit.
    pub kind: ErrorKind,
    /// The file as the user named it, `-` for standard input.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// Reason, on one line.
    pub what: String,
    /// Advice for the user: on the same or further lines.
    pub hint: Option<String>,
    /// Keys of the file's tables and arrays, where one of them is to be named, with their shapes in words, which may be empty.
    pub keys: Vec<(String, String)>,
    /// Flags that read the file, where they are known.
    pub way: Option<String>,
    /// Underlying error, given by [`std::error::Error::source`].
    pub cause: Option<Cause>,
}

impl InputError {
    /// A refusal of the file's content.
    pub fn refused(file: &str, place: impl Into<Place>, what: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Refused,
            file: file.to_owned(),
            place: place.into(),
            what: what.into(),
            hint: None,
            keys: Vec::new(),
            way: None,
            cause: None,
        }
    }

    /// Options that do not fit.
    pub fn usage(file: &str, what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Usage, ..Self::refused(file, Place::whole(), what) }
    }

    /// A limit that is exceeded.
    pub fn limit(file: &str, what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Limit, ..Self::refused(file, Place::whole(), what) }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with flags that read the file as the hint.
    #[must_use]
    pub(crate) fn with_way(mut self, way: String) -> Self {
        self.way = Some(way.clone());
        self.with_hint(way)
    }

    /// The same with keys of which one is to be named.
    #[cfg(any(feature = "zarr", feature = "netcdf"))]
    #[must_use]
    pub(crate) fn with_keys(mut self, keys: Vec<(String, String)>) -> Self {
        self.keys = keys;
        self
    }

    /// The same with the error that it comes from.
    #[must_use]
    pub fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Cause(Arc::new(source)));
        self
    }
}

impl fmt::Display for InputError {
    /// One line, control characters of names and texts escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.to_string();
        let parts = [&self.file, &place, &self.what];
        let line =
            parts.into_iter().filter(|p| !p.is_empty()).map(String::as_str).collect::<Vec<_>>().join(": ");
        for c in line.chars() {
            if c.is_control() {
                write!(f, "{}", c.escape_default())?;
            } else {
                write!(f, "{c}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|c| &*c.0 as _)
    }
}
