//! Numbers as keys: which of them are one, and their order.

use crate::field::parse_number;
use gridscope_core::grid::Number;
use std::cmp::Ordering;
use std::ops::RangeInclusive;

/// Steps of f64 (ulp) that two numbers of one key may lie apart.
const STEPS: i64 = 4;
/// Whole numbers below this are compared digit by digit.
const MOST_WHOLE: u128 = 10u128.pow(36);
/// Every whole number below this is an f64 of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// Whole numbers of f64 below this are written with all their digits.
const WRITTEN_OUT: f64 = 1e16;

/// A number as a key reads it. Two are one key when they lie within 4 ulp of f64 of each other; whole numbers of up to 36 digits
/// are exact, in equality and in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KeyNumber {
    /// The place of the nearest f64 among all of them, in steps from 0; -0 is 0.
    place: i64,
    /// The number itself, where its text is that of a whole one.
    whole: Option<i128>,
}

fn place(v: f64) -> i64 {
    let steps = v.abs().to_bits() as i64;
    if v < 0.0 { -steps } else { steps }
}

impl KeyNumber {
    /// Reads a number; blanks around it are allowed. `None` for a text, NaN, and what neither 36 digits nor f64 hold.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let number = parse_number(text)?;
        let Number::F64(v) = number else {
            return Self::of(number);
        };
        let place = place(v);
        if !v.is_finite() || v.fract() != 0.0 {
            return Some(Self { place, whole: None });
        }
        let t = text.trim();
        let (digits, fraction) = t.split_once('.').unwrap_or((t, ""));
        let written = if fraction.bytes().all(|b| b == b'0') { digits.parse::<i128>().ok() } else { None };
        let whole = written.filter(|w| w.unsigned_abs() < MOST_WHOLE);
        if whole.is_none() && !t.contains(['.', 'e', 'E']) {
            // This many digits are a name.
            return None;
        }
        Some(Self { place, whole: whole.or_else(|| (v.abs() < EXACT).then_some(v as i128)) })
    }

    /// A number that has been read; `None` of NaN.
    pub(crate) fn of(number: Number) -> Option<Self> {
        let whole = match number {
            Number::I64(v) => Some(i128::from(v)),
            Number::U64(v) => Some(i128::from(v)),
            Number::F64(v) if v.is_nan() => return None,
            Number::F64(v) => (v.fract() == 0.0 && v.abs() < WRITTEN_OUT).then_some(v as i128),
        };
        Some(Self { place: place(number.as_f64()), whole })
    }

    /// The nearest f64.
    pub(crate) fn value(self) -> f64 {
        let v = f64::from_bits(self.place.unsigned_abs());
        if self.place < 0 { -v } else { v }
    }

    /// The whole number that it is, where all its digits are known.
    pub(crate) fn whole(self) -> Option<i128> {
        self.whole
    }

    /// Steps of f64 between two numbers.
    pub(crate) fn steps(self, other: Self) -> u64 {
        self.place.abs_diff(other.place)
    }

    /// The places of the numbers that lie near; an infinity is near itself only.
    fn window(self) -> RangeInclusive<i64> {
        let most = place(f64::MAX);
        if self.place.abs() > most {
            return self.place..=self.place;
        }
        (self.place - STEPS).max(-most)..=(self.place + STEPS).min(most)
    }

    /// Whether two numbers lie within 4 ulp of each other.
    pub(crate) fn is_near(self, other: Self) -> bool {
        self.window().contains(&other.place)
    }

    /// Whether two numbers are one key where no others are.
    pub(crate) fn is_same(self, other: Self) -> bool {
        match (self.whole, other.whole) {
            (Some(a), Some(b)) => a == b,
            _ => self.is_near(other),
        }
    }

    /// Compares two numbers; those that are one key are equal.
    pub(crate) fn against(self, other: Self) -> Ordering {
        if self.is_same(other) { Ordering::Equal } else { self.cmp(&other) }
    }
}

/// Numbers among which others are looked up.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct NumberSet {
    /// The places of all, and of those that are not known to be whole, ascending.
    all: Vec<i64>,
    parts: Vec<i64>,
    /// The whole numbers, ascending.
    wholes: Vec<i128>,
}

impl NumberSet {
    /// Of these numbers.
    pub(super) fn new(numbers: &[KeyNumber]) -> Self {
        let mut set = Self {
            all: numbers.iter().map(|n| n.place).collect(),
            parts: numbers.iter().filter(|n| n.whole.is_none()).map(|n| n.place).collect(),
            wholes: numbers.iter().filter_map(|n| n.whole).collect(),
        };
        set.all.sort_unstable();
        set.parts.sort_unstable();
        set.wholes.sort_unstable();
        set
    }

    /// Whether one of them is the same as a number.
    pub(super) fn holds(&self, n: KeyNumber) -> bool {
        let window = n.window();
        let near = |places: &[i64]| {
            let first = places.partition_point(|p| p < window.start());
            places.get(first).is_some_and(|p| p <= window.end())
        };
        match n.whole {
            Some(w) => self.wholes.binary_search(&w).is_ok() || near(&self.parts),
            None => near(&self.all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(text: &str) -> KeyNumber {
        KeyNumber::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    fn up(v: f64, steps: u64) -> KeyNumber {
        n(&format!("{:?}", f64::from_bits(v.to_bits() + steps)))
    }

    #[test]
    fn numbers_within_four_steps_are_one() {
        for (a, b) in [
            ("0.30000000000000004", "0.3"),
            ("1", "1.0"),
            ("1", "1e0"),
            (" 1", "+01"),
            ("-0", "0.0"),
            ("1000", "1e3"),
            ("5.", "5"),
        ] {
            assert!(n(a).is_same(n(b)) && n(a).against(n(b)).is_eq(), "{a} {b}");
        }
        assert!(n("0.3").is_same(up(0.3, 4)) && !n("0.3").is_same(up(0.3, 5)));
        assert!(
            !n("1700000000.123").is_same(n("1700000000.124"))
                && n("1700000000.123").against(n("1700000000.124")).is_lt()
        );
        assert!(
            !n("inf").is_same(n("1.7976931348623157e308"))
                && n("inf").is_same(n("+Infinity"))
                && !n("inf").is_same(n("-inf"))
        );
        assert!(n("0").is_same(n("5e-324")) && n("-5e-324").is_same(n("5e-324")));
    }

    #[test]
    fn whole_numbers_are_exact_whatever_their_length() {
        for (low, high) in [
            ("9007199254740992", "9007199254740993"),
            ("9007199254740992.0", "9007199254740993.0"),
            ("9007199254740992.0", "9007199254740993"),
            ("18446744073709551614", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775807"),
            ("123456789012345678901234567890", "123456789012345678901234567891"),
            ("1700000000000001.0", "1700000000000002.0"),
        ] {
            assert!(
                !n(low).is_same(n(high)) && n(low).against(n(high)).is_lt() && n(low) < n(high),
                "{low} {high}"
            );
        }
        assert!(n("9007199254740993").is_same(n("9007199254740993.00")));
        assert!(
            n("9007199254740993").is_same(n("9.007199254740992e15")),
            "an exponent gives no exact number up here"
        );
        assert_eq!(KeyNumber::parse(&"7".repeat(40)), None);
        assert!(
            KeyNumber::parse(&format!("{}.5", "7".repeat(40))).is_some()
                && KeyNumber::parse("7e40").is_some()
        );
    }

    #[test]
    fn numbers_that_were_read_are_those_of_their_texts() {
        for v in [
            0.1,
            -0.0,
            5.0,
            9_007_199_254_740_994.0,
            9_999_999_999_999_998.0,
            1e16,
            1.8e18,
            -3e300,
            f64::INFINITY,
        ] {
            assert_eq!(KeyNumber::of(Number::F64(v)), KeyNumber::parse(&format!("{v:?}")), "{v:?}");
            assert_eq!(n(&format!("{v:?}")).value(), v);
        }
        assert_eq!(KeyNumber::of(Number::U64(u64::MAX)), KeyNumber::parse("18446744073709551615"));
        assert_eq!(KeyNumber::of(Number::F64(f64::NAN)), None);
    }

    #[test]
    fn a_set_finds_what_is_the_same_as_one_of_its_numbers() {
        let texts =
            ["0.3", "9007199254740993", "9007199254740995", "1152921504606846976.5", "inf", "-7", "2.5"];
        let numbers = texts.map(n);
        let set = NumberSet::new(&numbers);
        let near = [
            up(0.3, 4),
            up(0.3, 5),
            n("9007199254740994"),
            n("9007199254740995"),
            n("9.007199254740996e15"),
            n("-inf"),
            n("inf"),
        ];
        for one in near.into_iter().chain(numbers).chain([
            n("1152921504606846977"),
            n("1152921504606848001"),
            n("2.6"),
            n("-7.0"),
        ]) {
            assert_eq!(set.holds(one), numbers.iter().any(|m| m.is_same(one)), "{one:?}");
        }
    }
}
