//! Scripts: commands as text, one per line, for tests, measurements and macros.

mod usage;
mod error;
mod fields;
mod parse;
mod print;
mod run;

pub use error::ScriptError;
pub use parse::{ScriptLine, Step, parse};
pub use run::Runner;
pub use usage::WORDS;

#[cfg(test)]
mod tests;
