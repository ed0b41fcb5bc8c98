//! The distinct texts of a key column, their meanings, and those that are one key.

use super::number::KeyNumber;
use gridscope_core::calendar::{Instant, Moment};

/// A text and its meaning.
#[derive(Debug)]
pub(crate) struct KeyText<'t> {
    /// As it is written.
    pub text: &'t str,
    /// The number.
    pub number: Option<KeyNumber>,
    /// The date or time.
    pub moment: Option<Box<Moment>>,
}

impl<'t> KeyText<'t> {
    /// Reads a text.
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, number: KeyNumber::parse(text), moment: Moment::parse(text, false).map(Box::new) }
    }
}

/// Kind of the keys of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyKind {
    /// All are numbers.
    Numbers,
    /// All are dates or times.
    Times,
    /// Anything else.
    Texts,
}

impl KeyKind {
    /// That of these texts; of none, texts.
    pub(super) fn of<'s, 't: 's>(mut all: impl Iterator<Item = &'s KeyText<'t>>) -> Self {
        let Some(first) = all.next() else {
            return KeyKind::Texts;
        };
        let (mut numbers, mut times) = (first.number.is_some(), first.moment.is_some());
        for s in all {
            numbers &= s.number.is_some();
            times &= s.moment.is_some();
        }
        match (numbers, times) {
            (true, _) => KeyKind::Numbers,
            (_, true) => KeyKind::Times,
            _ => KeyKind::Texts,
        }
    }

    /// The place of each text among the keys of this kind in ascending order, the same for texts that are one key; `None` where
    /// the kind has no order.
    pub(super) fn ranks(self, all: &[&KeyText]) -> Option<Vec<u32>> {
        match self {
            KeyKind::Numbers => Some(number_ranks(&all.iter().filter_map(|s| s.number).collect::<Vec<_>>())),
            KeyKind::Times => Some(time_ranks(
                &all.iter().filter_map(|s| Some(&s.moment.as_ref()?.instant)).collect::<Vec<_>>(),
            )),
            KeyKind::Texts => None,
        }
    }
}

/// Numbers whose neighbours lie within 4 ulp are one key, but no key has two whole numbers: where such a run has several, each
/// other number of it goes to the nearest of them, of two to the lower.
fn number_ranks(numbers: &[KeyNumber]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_unstable_by_key(|&i| numbers[i]);
    let mut ranks = vec![0; numbers.len()];
    let mut next = 0;
    for run in order.chunk_by(|&a, &b| numbers[a].is_near(numbers[b])) {
        let mut wholes: Vec<i128> = run.iter().filter_map(|&i| numbers[i].whole()).collect();
        wholes.dedup();
        for &i in run {
            ranks[i] = next + nearest(&wholes, numbers[i]) as u32;
        }
        next += wholes.len().max(1) as u32;
    }
    ranks
}

/// The place of the whole number that a number of its run goes to.
fn nearest(wholes: &[i128], number: KeyNumber) -> usize {
    if wholes.len() < 2 {
        return 0;
    }
    if let Some(own) = number.whole() {
        return wholes.partition_point(|w| *w < own);
    }
    // Whole numbers have at most 36 digits, and so have those near them: nothing here is cut.
    let v = number.value();
    let above = wholes.partition_point(|w| *w <= v.floor() as i128);
    if above == 0 {
        return 0;
    }
    let lower = above == wholes.len() || (2.0 * v).ceil() as i128 <= wholes[above - 1] + wholes[above];
    if lower { above - 1 } else { above }
}

fn time_ranks(instants: &[&Instant]) -> Vec<u32> {
    let mut distinct = instants.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    instants.iter().map(|i| distinct.partition_point(|d| d < i) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(texts: &[&str]) -> Vec<u32> {
        let all: Vec<KeyText> = texts.iter().map(|t| KeyText::new(t)).collect();
        KeyKind::of(all.iter()).ranks(&all.iter().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn runs_of_near_numbers_are_one_key_whatever_their_order() {
        let steps = |n: u64| format!("{:?}", f64::from_bits(0.3f64.to_bits() + n));
        let chain = [steps(0), steps(4), steps(8), steps(13)];
        assert_eq!(ranks(&chain.each_ref().map(String::as_str)), [0, 0, 0, 1]);
        assert_eq!(ranks(&[&chain[3], &chain[2], &chain[0]]), [2, 1, 0]);
        assert_eq!(ranks(&["1", "-0", "0.0", "1e0", "-1.5"]), [2, 1, 1, 2, 0]);
    }

    #[test]
    fn no_key_has_two_whole_numbers() {
        let (a, b, c) = ("9007199254740992", "9007199254740993", "9007199254740996");
        assert_eq!(ranks(&[c, b, a]), [2, 1, 0]);
        // 992 is nearer than 993, and 994 lies between 993 and 996 but nearer to the first.
        assert_eq!(
            ranks(&[a, b, c, "9.007199254740992e15", "9.007199254740994e15", "9.007199254740998e15"]),
            [0, 1, 2, 0, 1, 2]
        );
        // Of two that are equally near, the lower.
        assert_eq!(ranks(&["9007199254740993", "9007199254740995", "9.007199254740994e15"]), [0, 1, 0]);
        // One alone takes in all that lies near it.
        assert_eq!(ranks(&[b, "9.007199254740994e15", "9.007199254740996e15"]), [0, 0, 0]);
        assert_eq!(ranks(&["1.7976931348623157e308", "inf", "-inf"]), [1, 2, 0]);
    }

    #[test]
    fn times_are_one_key_by_their_instant() {
        let texts =
            ["2024-01-01T00:00+02:00", "2023-12-31T22:00Z", "2023-12-31 22:00:00.000000001Z", "2023-12"];
        assert_eq!(ranks(&texts), [1, 1, 2, 0]);
        assert_eq!(KeyKind::of([KeyText::new("2024-01-01"), KeyText::new("5")].iter()), KeyKind::Texts);
        assert_eq!(KeyKind::of([].iter()), KeyKind::Texts);
    }
}
