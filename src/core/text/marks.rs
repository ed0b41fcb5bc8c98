//! Marks within a text: which part of it is a formula, and which characters are raised, lowered or smaller.
//!
//! The marks are noncharacters of Unicode. Text of files never has them, because [`clean`](super::clean) replaces them
//! by their escapes; only [`rich`](super::rich) writes them.

use std::ops::Range;

/// A formula begins.
pub(super) const OPEN: char = '\u{fdd0}';
/// The formula ends.
pub(super) const CLOSE: char = '\u{fdd1}';
/// Begins raised and smaller text, up to [`END`].
pub(super) const RAISE: char = '\u{fdd2}';
/// Begins lowered and smaller text, up to [`END`].
pub(super) const LOWER: char = '\u{fdd3}';
/// The end of the last [`RAISE`] or [`LOWER`].
pub(super) const END: char = '\u{fdd4}';
/// The next script begins where the last one began: both belong to one base.
pub(super) const STACK: char = '\u{fdd5}';
/// The place of a value in a template.
pub(super) const PLACE: char = '\u{fdd6}';

/// Whether a character is a mark.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, OPEN..=PLACE)
}

/// The text without marks: what a reader sees, on the baseline.
pub fn unmarked(text: &str) -> String {
    text.chars().filter(|c| !is_mark(*c)).collect()
}

/// Whether a text has formulas, or a part of one.
pub fn has_formula(text: &str) -> bool {
    text.contains(is_mark)
}

/// The formulas of a text, as ranges of its bytes: no line is broken within one.
pub fn formulas(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let range = |(unit, _): (&str, usize)| {
        at += unit.len();
        unit.starts_with(OPEN).then_some(at - unit.len()..at)
    };
    units(text).filter_map(range).collect()
}

/// The parts of a text that are not cut: characters, and whole formulas. With each, its number of characters.
pub(super) fn units(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let (mut rest, mut closes) = (text, true);
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let mut end = None;
        if first == OPEN && closes {
            end = rest.find(CLOSE).map(|at| at + CLOSE.len_utf8());
            closes = end.is_some();
        }
        let (unit, tail) = rest.split_at(end.unwrap_or(first.len_utf8()));
        rest = tail;
        // A mark of its own is one, so that marks without a formula have an end too.
        Some((unit, unit.chars().filter(|c| !is_mark(*c)).count().max(1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_one_unit() {
        let text = format!("a{OPEN}x{LOWER}2{END}{CLOSE}é");
        let found: Vec<(String, usize)> = units(&text).map(|(u, n)| (unmarked(u), n)).collect();
        assert_eq!(found, [("a".into(), 1), ("x2".into(), 2), ("é".into(), 1)]);
        assert!(has_formula(&text) && !has_formula("a"));
        assert_eq!(formulas(&text).first(), Some(&(1..text.len() - 2)));
        // Without its end, the mark is a unit of its own.
        assert_eq!(units(&format!("{OPEN}ab")).count(), 3);
    }
}
