//! Scripts: commands as text, one per line, for the prompt, tests, measurements and macros.

mod typed;
mod parser;
mod printer;
mod completion;

pub use completion::WORDS;
pub(crate) use completion::{Candidate, Completion, Names, completion};
pub(crate) use parser::Step;
pub use parser::{ScriptError, ScriptLine, parse};
pub(crate) use printer::Runner;

#[cfg(test)]
mod tests;
