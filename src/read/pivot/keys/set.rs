//! Keys that were requested by their texts: those of a domain, and the values of a condition.

use super::Keys;
use super::key_text::{KeyKind, KeyText};
use super::number::{KeyNumber, NumberSet};
use crate::budget::{Budget, OverBudget};
use crate::error::InputError;
use gridscope_core::calendar::spelling::{instant as instant_of, moment};
use gridscope_core::calendar::{Instant, Moment};
use gridscope_core::figure::List;
use std::collections::{HashMap, HashSet};

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
    /// `A:B`: the times from one to another, and all of the day or month that the last names.
    Times(Span),
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
        let range = if let [one] = keys.as_slice() { ends(one) } else { None };
        let times = || match keys.as_slice() {
            [one] => Span::parse(one).map(Domain::Times),
            _ => None,
        };
        range
            .or_else(times)
            .unwrap_or_else(|| Domain::List(keys.clone(), KeySet::new(keys.iter().map(String::as_str))))
    }

    /// These keys.
    pub(crate) fn of_keys(keys: &[String]) -> Self {
        Domain::List(keys.to_vec(), KeySet::new(keys.iter().map(String::as_str)))
    }

    /// Whether it holds a key of that text among keys that are numbers or times.
    pub(crate) fn holds(&self, key: &KeyText) -> bool {
        match self {
            Domain::Range(..) => self.names(key.text),
            Domain::Times(span) => key.moment.as_ref().is_some_and(|m| span.holds(&m.instant)),
            Domain::List(_, set) => set.holds(key.text),
        }
    }

    /// Whether it holds a key of that text whatever the other keys are.
    pub(crate) fn names(&self, text: &str) -> bool {
        match self {
            Domain::Range(a, b) => {
                KeyNumber::parse(text).is_some_and(|n| n.against(*a).is_ge() && n.against(*b).is_le())
            }
            Domain::Times(span) => moment(text).is_some_and(|m| span.holds(&m.instant)),
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
            Domain::Times(_) => Ok(Vec::new()),
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
                budget.map_or(Ok(()), |budget| budget.take(SEED * (b - a + 1) as u64)).map_err(short)?;
                Ok((a..=b).map(|v| v.to_string()).collect())
            }
        }
    }
}

/// The times of a range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Span {
    first: Instant,
    last: Instant,
    /// Whether the last belongs to it.
    closed: bool,
}

impl Span {
    /// Reads `2024-01-01:2024-02-29`, also with times of day, which have colons too; `None` unless one colon parts two times.
    fn parse(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let colons = text.match_indices(':').map(|found| found.0);
        let mut ends = colons.filter_map(|i| {
            let (from, to) = (&text[..i], &text[i + 1..]);
            Some((moment(from)?, moment(to)?, from, to))
        });
        let (from, to, from_text, to_text) = ends.next()?;
        if ends.next().is_some() {
            return None;
        }
        let (first, last, text) = match from.instant.against(&to.instant).is_gt() {
            true => (to, from, from_text),
            false => (from, to, to_text),
        };
        let closed = text.contains(':');
        Some(Self { first: first.instant, last: if closed { last.instant } else { last.next() }, closed })
    }

    fn holds(&self, time: &Instant) -> bool {
        let end = time.against(&self.last);
        time.against(&self.first).is_ge() && (end.is_lt() || self.closed && end.is_eq())
    }
}

/// Bytes that two times and a colon have at most.
const LONGEST: usize = 100;

/// The keys of a column, ready to be looked up.
#[derive(Default)]
pub(crate) struct Finder<'k> {
    texts: HashMap<&'k str, u32>,
    /// All numbers and their keys, ascending.
    numbers: Vec<(KeyNumber, u32)>,
    /// The keys' whole numbers.
    wholes: HashMap<u32, i128>,
    times: HashMap<Instant, u32>,
}

impl Keys {
    /// Finder of these keys.
    pub(crate) fn finder(&self) -> Finder<'_> {
        let labels = self.labels.iter().map(String::as_str).zip(0..);
        let others = self.others.iter().map(|(text, id)| (text.as_str(), *id));
        let mut finder = Finder::default();
        for (text, id) in labels.chain(others) {
            finder.texts.entry(text).or_insert(id);
            if self.kind == KeyKind::Texts {
                continue;
            }
            let KeyText { number, moment, .. } = KeyText::new(text);
            if let Some(n) = number {
                finder.numbers.push((n, id));
                finder.wholes.extend(n.whole().map(|w| (id, w)));
            }
            if let Some(m) = moment {
                finder.times.entry(m.instant).or_insert(id);
            }
        }
        finder.numbers.sort_unstable();
        finder
    }
}

impl Finder<'_> {
    /// The id of a key: that of the text, of the same number, or of the same time.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        if let Some(id) = self.texts.get(text) {
            return Some(*id);
        }
        let KeyText { number, moment, .. } = KeyText::new(text);
        let of_time = || self.times.get(&moment?.instant).copied();
        number.and_then(|n| self.of_number(n)).or_else(of_time)
    }

    /// The key of the nearest number that is the same; a whole number is never found under another one's key.
    fn of_number(&self, wanted: KeyNumber) -> Option<u32> {
        let near = |n: KeyNumber| n.is_near(wanted);
        let first = self.numbers.partition_point(|(n, _)| !near(*n) && n.value() < wanted.value());
        let fits = |(n, id): &&(KeyNumber, u32)| {
            let other = wanted.whole().zip(self.wholes.get(id)).is_some_and(|(a, b)| a != *b);
            wanted.is_same(*n) && !other
        };
        let found = self.numbers[first..].iter().take_while(|(n, _)| near(*n)).filter(fits);
        found.min_by_key(|(n, _)| (n.steps(wanted), n.whole() != wanted.whole())).map(|(_, id)| *id)
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
        for text in ["0.30000000000000004", "0.30", "9007199254740993.0", "2023-12-31T22:00Z", "a"] {
            assert!(holds(&list, text), "{text}");
        }
        for text in ["0.30000000000001", "9007199254740992", "2023-12-31T22:00:00.1Z", "a ", "A"] {
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
            (exact.seeds(false, "f", None).unwrap().len(), range.seeds(true, "f", None).unwrap().len()),
            (0, 0)
        );
        let budget = Budget::new(4 * SEED);
        assert!(exact.seeds(true, "f", Some(&budget)).is_ok() && budget.left() == SEED);
        let e = exact.seeds(true, "f", Some(&budget)).unwrap_err();
        assert!(e.what.starts_with("a domain of 3 steps: "), "{e}");
    }

    #[test]
    fn a_range_of_times_has_all_of_its_last_day() {
        let holds = |range: &str, text: &str| domain(&[range]).holds(&KeyText::new(text));
        for (range, inside, outside) in [
            ("2024-01-01:2024-02-29", "2024-02-29T23:59", "2024-03-01"),
            ("2024-02-29:2024-01-01", "2024-01-01", "2023-12-31T23:59"),
            ("2024-01:2024-03", "2024-03", "2024-04-01"),
            ("2023-11:2023-12", "2023-12-31T23:59:59", "2024-01-01"),
            ("1.1.2024:29.2.2024", "2024-02-29", "2024-03-01"),
            ("2024-01-01T10:00:2024-01-01T12:00", "2024-01-01T12:00", "2024-01-01T12:00:01"),
            ("2024-01-01 10:00:2024-01-02", "2024-01-02T23:00", "2024-01-01T09:59"),
        ] {
            assert!(holds(range, inside) && !holds(range, outside), "{range}");
            assert!(!holds(range, "a") && !holds(range, "2024"), "{range}");
        }
        for list in ["2024-01-01", "a:b", "2024-01-01:", ":", "2024-01-01:12:30"] {
            assert!(matches!(domain(&[list]), Domain::List(..)), "{list}");
        }
    }
}
