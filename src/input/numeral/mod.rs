//! Numbers as people write them, `95%`, `1,234`, `1.234,5`, and by which rule a column is read.
//!
//! A text alone does not say whether `1,234` is 1234 or 1.234; a column does, if all of its numbers fit one rule and not the
//! other. Plain numbers never come here.

mod rule;
mod survey;

pub(super) use rule::Numeral;
pub(super) use survey::{Found, Rules, Survey, Verdict};
