//! Scripts: commands as text, one a line. Runs for tests and measurements, and a person's macros.

mod words;
mod fields;
mod parse;
mod print;
mod run;
#[cfg(test)]
mod tests;

pub use parse::{Line, Mistake, Step, parse};
pub use run::Runner;
pub use words::WORDS;
