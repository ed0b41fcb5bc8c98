//! Faults of a part of an array file, before the file is named.

use crate::budget::OverBudget;
use crate::error::InputError;
use crate::place::Place;

/// Kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(any(feature = "npz", feature = "zarr")), allow(dead_code))]
pub(crate) enum Cause {
    /// The bytes contradict the format or each other.
    Damaged,
    /// They use an element type or a codec that is not supported.
    Unsupported,
    /// A limit is exceeded.
    Limit,
}

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The kind.
    pub cause: Cause,
    /// The place in the file.
    pub place: Place,
    /// Reason, on one line.
    pub what: String,
    /// The same in a few words, for a list that says the rest.
    pub brief: Option<String>,
    /// Advice for the user.
    pub hint: Option<&'static str>,
}

impl Fault {
    fn new(cause: Cause, what: impl Into<String>) -> Self {
        Self { cause, place: Place::whole(), what: what.into(), brief: None, hint: None }
    }

    /// An element type or a codec that is not supported.
    pub(crate) fn unsupported(what: impl Into<String>) -> Self {
        Self::new(Cause::Unsupported, what)
    }

    /// Too little memory for what is there.
    #[cfg_attr(not(any(feature = "npz", feature = "zarr")), allow(dead_code))]
    pub(crate) fn limit(what: impl Into<String>) -> Self {
        Self { hint: Some(OverBudget::HINT), ..Self::new(Cause::Limit, what) }
    }

    /// An element type that is not a plain number, for an addition to the message.
    pub(crate) fn no_numbers(element: String, addition: &str) -> Self {
        Self {
            brief: Some(element.clone()),
            ..Self::unsupported(format!("{element} holds no plain numbers{addition}"))
        }
    }

    /// Bytes that a reader or a decoder refuses.
    pub(crate) fn unreadable(error: &impl std::fmt::Display) -> Self {
        Self { brief: Some(error.to_string()), ..format!("cannot be read: {error}").into() }
    }

    /// The same inside a named part.
    #[must_use]
    pub(crate) fn within(mut self, part: &str) -> Self {
        self.place = self.place.within(part);
        self
    }

    /// The error of a file.
    pub(crate) fn of(self, file: &str) -> InputError {
        let e = match self.cause {
            Cause::Limit => InputError::limit(file, self.what),
            _ => InputError::refused(file, "", self.what),
        };
        InputError { place: self.place, hint: self.hint.map(str::to_owned), ..e }
    }
}

/// Damage.
impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self::new(Cause::Damaged, what)
    }
}

/// Damage.
impl From<&str> for Fault {
    fn from(what: &str) -> Self {
        Self::new(Cause::Damaged, what)
    }
}

impl From<std::io::Error> for Fault {
    fn from(e: std::io::Error) -> Self {
        Self::unreadable(&e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn faults_become_errors_of_their_kind_and_place() {
        let e = Fault::from("ends early").within("header").within("array 'x'").of("a.npz");
        assert_eq!((e.kind, e.hint.as_deref()), (ErrorKind::Refused, None));
        assert_eq!(e.to_string(), "a.npz: array 'x', header: ends early");
        let e = Fault::limit("6 elements").of("a.npz");
        assert_eq!((e.kind, e.hint.as_deref()), (ErrorKind::Limit, Some(OverBudget::HINT)));
    }
}
