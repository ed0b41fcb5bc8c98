//! Numbers for texts and for pairs of numbers, in the order of their first appearance.

use crate::field::MISSING;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Texts and their codes.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    codes: HashMap<Box<str>, u32, RandomState>,
}

impl Dictionary {
    /// The code of a text, and whether it is new.
    pub(super) fn code(&mut self, text: &str) -> (u32, bool) {
        if let Some(code) = self.codes.get(text) {
            return (*code, false);
        }
        let next = self.codes.len() as u32;
        self.codes.insert(text.into(), next);
        (next, true)
    }

    /// How many texts.
    pub(super) fn count(&self) -> usize {
        self.codes.len()
    }

    /// The texts by their codes.
    pub(super) fn texts(&self) -> Vec<&str> {
        let mut texts = vec![""; self.codes.len()];
        self.codes.iter().for_each(|(t, c)| texts[*c as usize] = t);
        texts
    }
}

/// Pairs of two numbers below this are found by their place.
const SIDE: u32 = 1024;

/// A pair that was not met.
const UNKNOWN: u32 = u32::MAX;

/// Pairs of codes and theirs.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// The codes of pairs of small numbers, by `a * SIDE + b`.
    small: Vec<u32>,
    codes: HashMap<u64, u32, RandomState>,
    /// The pairs by their codes.
    pub list: Vec<[u32; 2]>,
}

impl Pairs {
    /// The code of a pair.
    pub(super) fn code(&mut self, a: u32, b: u32) -> u32 {
        let next = self.list.len() as u32;
        let place = if a < SIDE && b < SIDE {
            let at = (a * SIDE + b) as usize;
            if at >= self.small.len() {
                self.small.resize(((a + 1) * SIDE) as usize, UNKNOWN);
            }
            &mut self.small[at]
        } else {
            self.codes.entry(u64::from(a) << 32 | u64::from(b)).or_insert(UNKNOWN)
        };
        if *place == UNKNOWN {
            *place = next;
        }
        let code = *place;
        if code == next {
            self.list.push([a, b]);
        }
        code
    }
}

/// Whether a text is a key whatever the other keys of its column are: `NaN` or `NA` is one only among texts.
pub(super) fn is_surely_key(text: &str, missing: &[String]) -> bool {
    let t = text.trim();
    !t.is_empty() && !MISSING.contains(&t) && !missing.iter().any(|m| m == t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_count_from_the_first_text() {
        let mut d = Dictionary::default();
        assert_eq!(["b", "a", "b", ""].map(|t| d.code(t)), [(0, true), (1, true), (0, false), (2, true)]);
        assert_eq!((d.texts(), d.count()), (vec!["b", "a", ""], 3));
        let mut p = Pairs::default();
        assert_eq!([p.code(1, 2), p.code(2, 1), p.code(1, 2)], [0, 1, 0]);
        assert_eq!(
            [p.code(0, SIDE), p.code(SIDE - 1, SIDE - 1), p.code(0, SIDE), p.code(1, 0)],
            [2, 3, 2, 4]
        );
        assert_eq!(p.list, [[1, 2], [2, 1], [0, SIDE], [SIDE - 1, SIDE - 1], [1, 0]]);
    }

    #[test]
    fn some_texts_are_keys_only_among_texts() {
        assert!(is_surely_key("a", &[]) && is_surely_key("0.5", &[]));
        assert!(!is_surely_key("NaN", &[]) && !is_surely_key(" ", &[]) && !is_surely_key("x", &["x".into()]));
    }
}
