//! What is wrong with a text, and at which byte.

use crate::input::budget::Short;
use crate::input::error::{ErrorKind, InputError};
use crate::input::place::Place;
use crate::input::position::place;

/// What is wrong, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::input) struct Fault {
    /// The byte, from the start of the text.
    pub at: usize,
    /// What is wrong, in words.
    pub what: String,
    /// What the user can do.
    pub hint: Option<&'static str>,
    /// Whether a limit is exceeded, rather than the text wrong.
    pub limit: bool,
}

impl Fault {
    /// A fault of the text.
    pub fn new(at: usize, what: impl Into<String>) -> Self {
        Self {
            at,
            what: what.into(),
            hint: None,
            limit: false,
        }
    }

    /// A limit that is exceeded.
    pub fn limit(at: usize, what: impl Into<String>) -> Self {
        Self {
            limit: true,
            ..Self::new(at, what)
        }
    }

    /// Too little memory for what is there.
    pub fn short(at: usize, what: impl std::fmt::Display, short: Short) -> Self {
        Self::limit(at, format!("{what}: {short}")).with_hint(Short::HINT)
    }

    /// The same with a hint.
    pub fn with_hint(self, hint: &'static str) -> Self {
        Self {
            hint: Some(hint),
            ..self
        }
    }

    /// The error of a file with this text.
    pub fn refused(self, text: &str, file: &str) -> InputError {
        let place = place(text, self.at);
        self.error(file, place)
    }

    /// The error of a file at a known place.
    pub fn error(self, file: &str, place: Place) -> InputError {
        InputError {
            kind: if self.limit {
                ErrorKind::Limit
            } else {
                ErrorKind::Refused
            },
            hint: self.hint.map(str::to_owned),
            ..InputError::refused(file, place, self.what)
        }
    }
}
