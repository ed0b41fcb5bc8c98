//! Numbers as people write them, `95%`, `$1,234`, `1.234,5`, and by which rule a column is read.
//!
//! A text alone does not say whether `1,234` is 1234 or 1.234; a column does, if all of its numbers fit one rule and not the
//! other, and else the other columns of its file.

mod rule;
mod rules;
mod survey;
mod verdict;

pub(super) use rule::Numeral;
pub(super) use rules::Rules;
pub(super) use survey::{Found, Survey};
pub(super) use verdict::{Signs, Verdict};
