//! Common part of the decoders of Parquet and Arrow. Declarations of a file are checked before they are believed.

mod codec;
mod value_type;
mod pandas;
mod projection;

pub(crate) use codec::{Codec, believable, inflate};
pub(crate) use gridscope_core::calendar::Resolution as Unit;
pub(crate) use pandas::Frame;
pub(crate) use projection::{Listed, project};
#[cfg(feature = "parquet")]
pub(crate) use value_type::Period;
pub(crate) use value_type::{ValueType, set_durations};

use crate::budget::OverBudget;
use crate::bytes::{Content, read_exact_at};
use crate::caught::caught;
use crate::error::InputError;

/// Why a columnar file is not read further.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DecodeFault {
    /// Its bytes contradict the format or each other.
    Damaged(String),
    /// It uses a feature that is not read.
    Unread(String),
    /// It needs more than a limit allows.
    Limit(String),
}

impl DecodeFault {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        DecodeFault::Damaged(what.into())
    }

    /// The refusal of a file for this, at a place in it.
    pub(crate) fn at(self, file: &str, place: &str) -> InputError {
        match self {
            DecodeFault::Damaged(what) => InputError::refused(file, place, format!("damaged: {what}")),
            DecodeFault::Unread(what) => InputError::refused(file, place, what),
            DecodeFault::Limit(what) => {
                let error = InputError { place: place.into(), ..InputError::limit(file, what) };
                error.with_hint("--max-memory raises the limit")
            }
        }
    }
}

impl From<OverBudget> for DecodeFault {
    fn from(short: OverBudget) -> Self {
        DecodeFault::Limit(short.to_string())
    }
}

/// Runs a decoder; a panic in it is a damaged file.
///
/// # Errors
/// A refusal by the decoder, or a panic in it.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, DecodeFault>) -> Result<T, DecodeFault> {
    caught(work).unwrap_or_else(|| Err(DecodeFault::damaged("the decoder failed")))
}

impl Content {
    /// The bytes from `at` on; memory is taken only for bytes that exist.
    ///
    /// # Errors
    /// When they are not inside, or can no longer be read.
    pub(in crate::format) fn read(&self, at: u64, len: u64) -> Result<Vec<u8>, DecodeFault> {
        let end = at.checked_add(len).filter(|end| *end <= self.len());
        let (Some(_), Ok(size)) = (end, usize::try_from(len)) else {
            return Err(DecodeFault::damaged(format!(
                "{len} bytes at {at} are not inside its {} bytes",
                self.len()
            )));
        };
        match self {
            Content::Memory(bytes) => Ok(bytes[at as usize..at as usize + size].to_vec()),
            Content::File(file, _) => {
                let mut out = Vec::new();
                out.try_reserve_exact(size)
                    .map_err(|_| DecodeFault::Limit(format!("no memory for {len} bytes")))?;
                out.resize(size, 0);
                read_exact_at(file, &mut out, at)
                    .map_err(|e| DecodeFault::damaged(format!("cannot be read at byte {at}: {e}")))?;
                Ok(out)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::Arc;

    #[test]
    fn faults_are_refusals_of_their_kind() {
        let e = DecodeFault::damaged("a page ends early").at("t", "column 'a'");
        assert_eq!(e.to_string(), "t: column 'a': damaged: a page ends early");
        assert_eq!(DecodeFault::Limit("x".into()).at("t", "").kind, crate::error::ErrorKind::Limit);
    }

    #[test]
    fn a_panic_is_a_damaged_file() {
        assert_eq!(guarded(|| Ok(1)), Ok(1));
        let lost: Result<(), DecodeFault> = guarded(|| panic!("bad length"));
        assert_eq!(lost, Err(DecodeFault::damaged("the decoder failed")));
    }

    #[test]
    fn only_what_is_inside_is_read() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let file = Arc::new(file);
        for source in [Content::Memory(b"0123456789".to_vec()), Content::File(file.clone(), 10)] {
            assert_eq!(source.read(3, 4).unwrap(), b"3456");
            assert_eq!(source.read(10, 0).unwrap(), b"");
            for (at, len) in [(8, 3), (11, 0), (u64::MAX, 2), (0, u64::MAX)] {
                assert!(matches!(source.read(at, len), Err(DecodeFault::Damaged(_))));
            }
        }
        // A file that has shrunk since.
        assert!(Content::File(file, 99).read(5, 20).is_err());
    }
}
