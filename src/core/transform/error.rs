//! Why a step is refused.

use crate::grid::GridError;
use std::fmt;

/// A step that the grids do not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransformError {
    /// An option that does not fit the grids.
    Usage {
        /// Reason of the failure.
        what: String,
        /// Advice.
        hint: Option<String>,
    },
    /// More than a step may take.
    Limit {
        /// How much of what.
        what: String,
        /// Advice.
        hint: String,
    },
}

impl TransformError {
    /// An option that does not fit the grids.
    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), hint: None }
    }
}

impl From<GridError> for TransformError {
    fn from(e: GridError) -> Self {
        Self::usage(e.to_string())
    }
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage { what, .. } | Self::Limit { what, .. } => f.write_str(what),
        }
    }
}

impl std::error::Error for TransformError {}
