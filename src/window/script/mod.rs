//! Scripts: commands as text, one per line, for the prompt, tests, measurements and macros.

mod usage;
mod error;
mod fields;
mod typed;
mod colors;
mod parser;
mod printer;
mod runner;
mod completion;

pub(crate) use completion::{Candidate, Completion, completion};
pub use error::ScriptError;
pub(crate) use parser::Step;
pub use parser::{ScriptLine, parse};
pub(crate) use runner::Runner;
pub use usage::{TYPED, WORDS};

#[cfg(test)]
mod tests;
