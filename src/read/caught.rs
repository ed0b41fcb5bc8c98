//! Decoders of other crates: a panic in one is a damaged file.

use std::cell::Cell;
#[cfg(any(feature = "parquet", feature = "arrow", feature = "netcdf"))]
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread decodes a file: a panic is caught and reported as a damaged file, so that a panic hook may stay silent.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// Runs a decoder; nothing when it panicked. What the panic left half done is to be dropped.
#[cfg(any(feature = "parquet", feature = "arrow", feature = "netcdf"))]
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = DECODING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    DECODING.set(before);
    result.ok()
}

#[cfg(all(test, any(feature = "parquet", feature = "arrow", feature = "netcdf")))]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_and_known_to_the_hook() {
        assert_eq!(caught(is_decoding), Some(true));
        assert!(!is_decoding());
        assert_eq!(caught(|| -> u8 { panic!("bad length") }), None);
        assert!(!is_decoding());
    }
}
