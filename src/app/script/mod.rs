//! Scripts: commands as text, one per line, for tests, measurements and macros.

mod usage;
mod error;
mod fields;
mod parser;
mod printer;
mod runner;

pub use error::ScriptError;
pub(crate) use parser::Step;
pub use parser::{ScriptLine, parse};
pub(crate) use runner::Runner;
pub use usage::WORDS;

#[cfg(test)]
mod tests;
