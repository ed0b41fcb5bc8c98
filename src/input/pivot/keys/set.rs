//! Keys that were asked for: those of a domain, and the values of a condition.

use super::key_text::KeyText;
use super::number::{KeyNumber, NumberSet};
use crate::figure::List;
use crate::input::budget::{Budget, OverBudget};
use crate::input::error::InputError;
use crate::input::pivot::dates::instant as instant_of;
use crate::input::time::{Instant, Moment};
use std::collections::HashSet;

/// Whole numbers that a domain `A:B` may span.
const MAX_STEPS: i128 = 1_000_000;
/// Bytes that a key of a domain takes until it is a label of an axis.
const SEED: u64 = 600;

/// Texts, and the numbers and times among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct KeySet {
    texts: HashSet<String>,
    numbers: NumberSet,
    times: HashSet<Instant>,
}

impl KeySet {
    /// Of these texts.
    pub(crate) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut set = Self::default();
        let mut numbers = Vec::new();
        for text in texts {
            let spelled = KeyText::new(text);
            numbers.extend(spelled.number);
            let is_number = spelled.number.is_some();
            let instant = spelled.moment.map(|m| m.instant);
            let other = || if is_number { None } else { instant_of(text) };
            set.times.extend(instant.or_else(other));
            set.texts.insert(text.to_owned());
        }
        set.numbers = NumberSet::new(&numbers);
        set
    }

    /// Whether a text is one of them, letter for letter.
    pub(crate) fn names(&self, text: &str) -> bool {
        self.texts.contains(text)
    }

    /// Whether a number is one of them.
    pub(crate) fn holds_number(&self, number: KeyNumber) -> bool {
        self.numbers.holds(number)
    }

    /// Whether a text is one of them, or the same number or time as one.
    pub(crate) fn holds(&self, text: &str) -> bool {
        self.names(text)
            || KeyNumber::parse(text).is_some_and(|n| self.numbers.holds(n))
            || !self.times.is_empty()
                && Moment::parse(text, false).is_some_and(|m| self.times.contains(&m.instant))
    }
}

/// The keys that an axis shows, and no others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Domain {
    /// `A:B`: the numbers between two, which belong to it.
    Range(KeyNumber, KeyNumber),
    /// A list.
    List(Vec<String>, KeySet),
}

impl Domain {
    /// Reads `A:B` or a list.
    pub(crate) fn new(List(keys): &List) -> Self {
        let ends = |t: &str| {
            let (a, b) = t.split_once(':')?;
            let (a, b) = (KeyNumber::parse(a)?, KeyNumber::parse(b)?);
            Some(Domain::Range(a.min(b), a.max(b)))
        };
        let range = if let [one] = keys.as_slice() {
            ends(one)
        } else {
            None
        };
        range.unwrap_or_else(|| Domain::List(keys.clone(), KeySet::new(keys.iter().map(String::as_str))))
    }

    /// Whether it holds a key of that text among keys that are numbers or times.
    pub(crate) fn holds(&self, key: &KeyText) -> bool {
        match self {
            Domain::Range(..) => self.names(key.text),
            Domain::List(_, set) => set.holds(key.text),
        }
    }

    /// Whether it holds a key of that text whatever the other keys are.
    pub(crate) fn names(&self, text: &str) -> bool {
        match self {
            Domain::Range(a, b) => {
                KeyNumber::parse(text).is_some_and(|n| n.against(*a).is_ge() && n.against(*b).is_le())
            }
            Domain::List(_, set) => set.names(text),
        }
    }

    /// The keys that it has where the data have none: those of a list, and the whole numbers of a range of `whole` ones.
    ///
    /// # Errors
    /// When a range spans too many steps, or more than the budget holds.
    pub(crate) fn seeds(
        &self,
        whole: bool,
        file: &str,
        budget: Option<&Budget>,
    ) -> Result<Vec<String>, InputError> {
        match self {
            Domain::List(keys, _) => Ok(keys.clone()),
            Domain::Range(a, b) => {
                let (Some(a), Some(b), true) = (a.whole(), b.whole(), whole) else {
                    return Ok(Vec::new());
                };
                if b - a >= MAX_STEPS {
                    return Err(InputError::limit(
                        file,
                        format!("a domain of {} steps; at most {MAX_STEPS}", b - a + 1),
                    ));
                }
                let short = |s: OverBudget| s.of(file, format_args!("a domain of {} steps", b - a + 1));
                budget
                    .map_or(Ok(()), |budget| budget.take(SEED * (b - a + 1) as u64))
                    .map_err(short)?;
                Ok((a..=b).map(|v| v.to_string()).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(keys: &[&str]) -> Domain {
        Domain::new(&List(keys.iter().map(|k| (*k).to_owned()).collect()))
    }

    #[test]
    fn a_domain_holds_what_would_be_one_key_with_its_own() {
        let holds = |d: &Domain, t: &str| d.holds(&KeyText::new(t));
        let list = domain(&["0.3", "9007199254740993", "2024-01-01T00:00+02:00", "a"]);
        for text in [
            "0.30000000000000004",
            "0.30",
            "9007199254740993.0",
            "2023-12-31T22:00Z",
            "a",
        ] {
            assert!(holds(&list, text), "{text}");
        }
        for text in [
            "0.30000000000001",
            "9007199254740992",
            "2023-12-31T22:00:00.1Z",
            "a ",
            "A",
        ] {
            assert!(!holds(&list, text), "{text}");
        }
        assert!(list.names("0.3") && !list.names("0.30"));
        let range = domain(&["0.3:0.1"]);
        assert!(
            holds(&range, "0.30000000000000004")
                && range.names("0.1")
                && !holds(&range, "0.31")
                && !holds(&range, "a")
        );
        let exact = domain(&["9007199254740992:9007199254740994"]);
        assert!(holds(&exact, "9007199254740993") && !holds(&exact, "9007199254740995"));
        assert_eq!(
            exact.seeds(true, "f", None).unwrap(),
            ["9007199254740992", "9007199254740993", "9007199254740994"]
        );
        assert_eq!(
            (
                exact.seeds(false, "f", None).unwrap().len(),
                range.seeds(true, "f", None).unwrap().len()
            ),
            (0, 0)
        );
        let budget = Budget::new(4 * SEED);
        assert!(exact.seeds(true, "f", Some(&budget)).is_ok() && budget.left() == SEED);
        let e = exact.seeds(true, "f", Some(&budget)).unwrap_err();
        assert!(e.what.starts_with("a domain of 3 steps: "), "{e}");
    }
}
