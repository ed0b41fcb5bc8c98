//! Faults of a text, and their bytes.

use crate::budget::OverBudget;
use crate::error::{ErrorKind, InputError};
use crate::place::Place;

/// A fault, and its byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Whether the text is wrong, or a limit is exceeded.
    pub kind: ErrorKind,
    /// The byte, from the start of the text.
    pub at: usize,
    /// Reason.
    pub what: String,
    /// Advice for the user.
    pub hint: Option<&'static str>,
}

impl Fault {
    /// A fault of the text.
    pub(crate) fn new(at: usize, what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Refused, at, what: what.into(), hint: None }
    }

    /// A limit that is exceeded.
    pub(crate) fn limit(at: usize, what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Limit, ..Self::new(at, what) }
    }

    /// Too little memory for what is there.
    pub(crate) fn short(at: usize, what: impl std::fmt::Display, short: OverBudget) -> Self {
        Self::limit(at, format!("{what}: {short}")).with_hint(OverBudget::HINT)
    }

    /// The same with a hint.
    pub(crate) fn with_hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The error of a file, in which `place` finds the byte.
    pub(crate) fn error(self, file: &str, place: impl FnOnce(usize) -> Place) -> InputError {
        let place = place(self.at);
        InputError {
            kind: self.kind,
            hint: self.hint.map(str::to_owned),
            ..InputError::refused(file, place, self.what)
        }
    }
}
