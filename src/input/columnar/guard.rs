//! Decoders run in threads of their own, so that one that gives up costs a message and not the program.

use super::fault::Fault;
use std::cell::Cell;

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread decodes a file: a panic here is caught and told as a damaged file, so a panic hook may stay silent.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// Marks this thread as one that decodes.
pub(super) fn enter() {
    DECODING.set(true);
}

/// Runs a decoder in a thread; a panic in it is a damaged file.
///
/// # Errors
/// What the decoder refuses, a panic in it, or no thread to be had.
pub(super) fn guarded<T: Send>(work: impl FnOnce() -> Result<T, Fault> + Send) -> Result<T, Fault> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("decoder".to_owned()).spawn_scoped(scope, || {
            enter();
            work()
        });
        let thread = thread.map_err(|e| Fault::Limit(format!("no thread to decode in: {e}")))?;
        thread.join().unwrap_or_else(|_| Err(Fault::damaged("the decoder gave up")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_damaged_file() {
        assert_eq!(guarded(|| Ok(is_decoding())), Ok(true));
        assert!(!is_decoding());
        let lost: Result<(), Fault> = guarded(|| panic!("bad length"));
        assert_eq!(lost, Err(Fault::damaged("the decoder gave up")));
    }
}
