//! Scripts: commands as text, one a line. Runs for tests and measurements, and a person's macros.

mod usage;
mod fields;
mod parse;
mod print;
mod run;

pub use parse::{Line, Mistake, Step, parse};
pub use run::Runner;
pub use usage::WORDS;

#[cfg(test)]
mod tests;
