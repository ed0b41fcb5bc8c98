//! Faults at which a decoder stops.

use crate::budget::OverBudget;
use crate::error::InputError;

/// Why a columnar file is not read further.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// Its bytes contradict the format or each other.
    Damaged(String),
    /// It uses what is not read.
    Unread(String),
    /// It needs more than a limit allows.
    Limit(String),
}

impl Fault {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Fault::Damaged(what.into())
    }

    /// The refusal of a file for this, at a place in it.
    pub(crate) fn at(self, file: &str, place: &str) -> InputError {
        match self {
            Fault::Damaged(what) => InputError::refused(file, place, format!("damaged: {what}")),
            Fault::Unread(what) => InputError::refused(file, place, what),
            Fault::Limit(what) => {
                let error = InputError { place: place.into(), ..InputError::limit(file, what) };
                error.with_hint("--max-memory raises the limit")
            }
        }
    }
}

impl From<OverBudget> for Fault {
    fn from(short: OverBudget) -> Self {
        Fault::Limit(short.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_refusals_of_their_kind() {
        let e = Fault::damaged("a page ends early").at("t", "column 'a'");
        assert_eq!(e.to_string(), "t: column 'a': damaged: a page ends early");
        assert_eq!(Fault::Limit("x".into()).at("t", "").kind, crate::error::ErrorKind::Limit);
    }
}
