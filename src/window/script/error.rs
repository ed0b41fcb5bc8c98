//! Errors of a line of a script.

use std::fmt;

/// Why a script cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptError {
    /// The line, from 1.
    pub line: usize,
    /// Reason.
    pub what: String,
    /// How the line is written, where that may help.
    pub hint: Option<String>,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ScriptError {}

/// A [`ScriptError`] whose line is not known yet.
#[derive(Debug)]
pub(super) struct LineError {
    pub what: String,
    pub hint: Option<String>,
}

impl LineError {
    pub(super) fn new(what: impl fmt::Display) -> Self {
        Self { what: what.to_string(), hint: None }
    }

    /// The error of a line, from 1.
    pub(super) fn at(self, line: usize) -> ScriptError {
        ScriptError { line, what: self.what, hint: self.hint }
    }
}
