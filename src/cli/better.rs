//! Which values are better: never guessed from a name.

use super::diagnostics::Failure;
use gridscope_core::figure::{Better, Figure};

/// Direction that the flag or the figure file gives; `asked` is the flag that needs it.
///
/// # Errors
/// When neither says it.
pub(super) fn better(figure: &Figure, asked: &str) -> Result<Better, Failure> {
    figure.data.better.ok_or_else(|| {
        let wrong = Failure::usage(format!("{asked} needs to know which values are better"));
        wrong.with_hint("--better higher, or --better lower for losses, errors and times")
    })
}
