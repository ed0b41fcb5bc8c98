//! Why a scene cannot be written as a vector file.

use std::fmt;

/// Kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VectorErrorKind {
    /// It would have too many rectangles, pixels or points.
    Size,
    /// Cells cannot be rectangles.
    Cells,
    /// A library refused what it was given.
    Encode,
}

/// Why a scene cannot be written as a vector file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VectorError {
    /// Size, cells or encoding.
    pub kind: VectorErrorKind,
    /// Reason, on one line.
    pub what: String,
    /// Advice.
    pub hint: Option<String>,
}

impl VectorError {
    pub(crate) fn new(kind: VectorErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), hint: None }
    }

    pub(crate) fn size(what: impl Into<String>) -> Self {
        Self::new(VectorErrorKind::Size, what)
    }

    pub(crate) fn encode(what: impl Into<String>) -> Self {
        Self::new(VectorErrorKind::Encode, what)
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for VectorError {}
