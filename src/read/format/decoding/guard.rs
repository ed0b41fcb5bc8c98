//! Runs third-party decoders under `catch_unwind`: a panic becomes an error.

use super::fault::Fault;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread decodes a file: a panic is caught and reported as a damaged file, so that a panic hook may stay silent.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// Runs a decoder; a panic in it is a damaged file.
///
/// # Errors
/// A refusal by the decoder, or a panic in it.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    let before = DECODING.replace(true);
    // What the panic left half done is dropped with the error.
    let result = catch_unwind(AssertUnwindSafe(work));
    DECODING.set(before);
    result.unwrap_or_else(|_| Err(Fault::damaged("the decoder failed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_damaged_file() {
        assert_eq!(guarded(|| Ok(is_decoding())), Ok(true));
        assert!(!is_decoding());
        let lost: Result<(), Fault> = guarded(|| panic!("bad length"));
        assert_eq!(lost, Err(Fault::damaged("the decoder failed")));
    }
}
