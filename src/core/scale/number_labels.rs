//! Labels of axes: one style for all numbers, formats of numbers and times, a real minus sign and raised exponents.

use super::decimal::Decimal;
use super::format::NumberFormat;
use crate::calendar::TimeFormat;
use crate::notation::{Notation, ParseError};
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// Significant digits of a number that is rounded.
const DIGITS: i32 = 3;
/// The most significant digits that a text of f64 needs.
const MOST_DIGITS: i32 = 17;
/// Digits beyond which a float is the sum of rounding errors.
const CLEAN: i32 = 13;
/// Characters of integers that are written out.
const LONG_INTEGER: usize = 7;
/// Characters of integers that are written out where a power of ten would take as many digits.
const LONGEST_INTEGER: usize = 20;
/// Characters of other numbers that are written out.
const LONG: usize = 8;
/// Characters of powers of ten that are written out, and of those that are integers.
const LONG_POWER: (usize, usize) = (5, 6);

/// Use of the labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Labelled {
    /// Ticks that were chosen: each label is exactly its value.
    Ticks,
    /// Ticks of a logarithmic scale, as [`Labelled::Ticks`].
    Powers,
    /// Keys of an axis, which may be rounded as long as they differ.
    Keys,
    /// Keys of a logarithmic axis.
    LogKeys,
}

impl Labelled {
    fn exact(self) -> bool {
        matches!(self, Self::Ticks | Self::Powers)
    }

    fn log(self) -> bool {
        matches!(self, Self::Powers | Self::LogKeys)
    }
}

/// The labels of numbers given as texts, as `number_labels`; `None` where one is not a finite number, or is written with leading
/// zeros as codes are.
pub fn key_labels(texts: &[&str], log: bool) -> Option<Vec<String>> {
    let values: Vec<Decimal> = texts.iter().map(|t| key(t)).collect::<Option<_>>()?;
    let kind = if log { Labelled::LogKeys } else { Labelled::Keys };
    Some(number_labels(&values, kind))
}

fn key(text: &str) -> Option<Decimal> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.trim_start_matches(['-', '+']);
    let code = digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    let d = Decimal::parse(&text)
        .filter(|_| !code && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.'))?;
    // Beyond f64 no position on an axis is known.
    d.value().is_finite().then_some(d)
}

/// The text of each number, as [`str::parse`] reads it. All have one style, and texts of different numbers differ.
pub(crate) fn number_labels(values: &[Decimal], kind: Labelled) -> Vec<String> {
    let exact: Vec<Decimal> = if kind.exact() { values.to_vec() } else { cleaned(values) };
    let found = List::new(&exact);
    let style = found.style(kind);
    exact.iter().map(|d| style.text(*d)).collect()
}

/// Numbers without rounding errors of sums, `0.3` for `0.30000000000000004`, if they still differ.
fn cleaned(values: &[Decimal]) -> Vec<Decimal> {
    let most = values.iter().map(|d| d.value().abs()).fold(0.0, f64::max);
    let small = values.iter().filter(|d| d.value().abs() < most * 1e-6).count();
    let clean = |d: &Decimal| {
        // Steps across zero meet it up to the error of the largest.
        if small == 1 && d.digits() > CLEAN && (most * 2e-17..most * 1e-14).contains(&d.value().abs()) {
            return Decimal::new(0, 0);
        }
        let short = d.rounded(d.order() - CLEAN + 1);
        if short.digits() < CLEAN - 1 { short } else { *d }
    };
    let short: Vec<Decimal> = values.iter().map(clean).collect();
    if distinct(&short) == distinct(values) { short } else { values.to_vec() }
}

fn distinct(values: &[Decimal]) -> usize {
    values.iter().map(|d| d.parts()).collect::<HashSet<_>>().len()
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    /// Rounded to a power of ten, and with this many decimals.
    Fixed(i32, usize),
    /// Rounded to significant digits, without zeros at the end.
    Own(i32),
    /// Rounded to significant digits, with an exponent and this many decimals.
    Exponent(i32, usize),
}

impl Style {
    fn rounded(self, d: Decimal) -> Decimal {
        match self {
            Self::Fixed(unit, _) => d.rounded(unit),
            Self::Own(digits) => d.rounded((d.order() - digits + 1).min(0)),
            Self::Exponent(digits, _) => d.rounded(d.order() - digits + 1),
        }
    }

    fn text(self, d: Decimal) -> String {
        let d = self.rounded(d);
        match self {
            Self::Fixed(_, decimals) => d.fixed(decimals),
            Self::Own(_) => d.fixed(0),
            Self::Exponent(_, decimals) => d.scientific_with(decimals),
        }
    }
}

/// Numbers, and the facts that decide their style.
struct List<'a> {
    values: &'a [Decimal],
    /// The same in ascending order, once each.
    sorted: Vec<Decimal>,
    /// Orders of the least and of the largest but zeros.
    orders: (i32, i32),
}

impl<'a> List<'a> {
    fn new(values: &'a [Decimal]) -> Self {
        let orders = values.iter().filter(|d| !d.is_zero()).map(|d| d.order());
        let orders = orders.fold((i32::MAX, i32::MIN), |a, o| (a.0.min(o), a.1.max(o)));
        let mut sorted: Vec<(f64, Decimal)> = values.iter().map(|d| (d.value(), *d)).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.parts().cmp(&b.1.parts())));
        sorted.dedup();
        Self {
            values,
            sorted: sorted.into_iter().map(|(_, d)| d).collect(),
            orders: if orders.0 > orders.1 { (0, 0) } else { orders },
        }
    }

    fn style(&self, kind: Labelled) -> Style {
        let integers = self.values.iter().all(|d| d.parts().1 >= 0);
        let digits = self.values.iter().map(|d| d.digits()).max().unwrap_or(1);
        let (least, most) = self.orders;
        let plain = Style::Own(MOST_DIGITS);
        if self.values.iter().all(|d| d.is_zero() || d.digits() == 1 && d.parts().0.unsigned_abs() == 1) {
            let limit = if integers { LONG_POWER.1 } else { LONG_POWER.0 };
            let short = self.orders.0 >= -40 && self.orders.1 < 40 && self.longest(plain) <= limit;
            let near = !kind.log() || least >= -2 && most <= 3;
            return match (short && near, integers || kind.exact()) {
                (false, _) => Style::Exponent(1, 0),
                (true, false) => plain,
                (true, true) if kind == Labelled::Ticks => self.fixed(true),
                (true, true) => Style::Own(MOST_DIGITS),
            };
        }
        if integers && most < LONGEST_INTEGER as i32 {
            let longest = most as usize + 1;
            let is_far = kind == Labelled::LogKeys && longest > LONG_INTEGER;
            if longest <= LONG_INTEGER || digits > DIGITS + 1 && !is_far {
                return Style::Fixed(0, 0);
            }
        }
        let spread = most - least >= 2 && self.is_uneven();
        // Written out, such numbers are zeros above all.
        if !(-40..40).contains(&least) || !(-40..40).contains(&most) || most < -4 || least < -4 && most < -2 {
            return self.exponent(kind.exact(), spread);
        }
        let powers = self.exponent(kind.exact(), spread);
        // Beyond the longest integer, of few digits or over several powers of ten.
        let is_short = matches!(powers, Style::Exponent(digits, _) if digits <= DIGITS + 1);
        if most >= LONG_INTEGER as i32 && (is_short || !kind.exact() && (spread || kind.log())) {
            return powers;
        }
        // A power of ten is drawn with two characters more.
        let limit = LONG.max(self.longest(powers) + 2);
        if !(spread || kind == Labelled::Powers) {
            let fixed = self.fixed(kind.exact());
            if self.longest(fixed) <= limit {
                return fixed;
            }
        }
        let own = if kind.exact() { plain } else { self.own() };
        if self.longest(own) <= limit && (least >= -4 || !spread && kind != Labelled::Powers) {
            own
        } else {
            powers
        }
    }

    /// Whether most of the numbers are much smaller than the largest, as in a geometric series.
    fn is_uneven(&self) -> bool {
        let mut sizes: Vec<f64> = self.values.iter().map(|d| d.value().abs()).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.last().is_some_and(|most| sizes[sizes.len() / 2] * 5.0 < *most)
    }

    /// The characters of the longest label but its sign.
    fn longest(&self, style: Style) -> usize {
        let length = |d: &Decimal| style.text(*d).trim_start_matches('-').len();
        self.values.iter().map(length).max().unwrap_or(0)
    }

    /// Whether different numbers are written differently, and only zero as zero.
    fn tells_apart(&self, style: Style) -> bool {
        // Rounding keeps the order, so that neighbours suffice.
        let neighbours = self.sorted.windows(2);
        neighbours.into_iter().all(|p| style.rounded(p[0]) != style.rounded(p[1]))
            && self.sorted.iter().all(|d| d.is_zero() || !style.rounded(*d).is_zero())
    }

    /// The same decimals for all.
    fn fixed(&self, exact: bool) -> Style {
        let all = -self.values.iter().map(|d| d.parts().1).min().unwrap_or(0).min(0);
        let whole = Style::Fixed(-all, all as usize);
        if exact {
            return whole;
        }
        let most = self.orders.1;
        let first = (self.least_gap() - 2).clamp(most - DIGITS, most - DIGITS + 1).min(0);
        for unit in (most - MOST_DIGITS..=first).rev() {
            let decimals = |d: &Decimal| -d.rounded(unit).parts().1.min(0);
            let most = self.values.iter().map(decimals).max().unwrap_or(0);
            let style = Style::Fixed(unit, most as usize);
            // A digit more is better than a rounded number.
            if all <= -unit + 1 {
                return whole;
            }
            if self.tells_apart(style) {
                return style;
            }
        }
        whole
    }

    /// The order of the least distance of two numbers.
    fn least_gap(&self) -> i32 {
        let gaps = self.sorted.windows(2).map(|p| p[1].value() - p[0].value()).filter(|g| *g > 0.0);
        let least = gaps.fold(f64::MAX, f64::min);
        least.log10().floor() as i32
    }

    fn own(&self) -> Style {
        Style::Own(self.significant(Style::Own))
    }

    /// With exponents; `own` decimals, or the same for all.
    fn exponent(&self, exact: bool, own: bool) -> Style {
        let digits = if exact {
            self.values.iter().map(|d| d.digits()).max().unwrap_or(1)
        } else {
            self.significant(|digits| Style::Exponent(digits, 0))
        };
        let needed = |d: &Decimal| d.rounded(d.order() - digits + 1).digits() - 1;
        let most = self.values.iter().map(needed).max().unwrap_or(0);
        Style::Exponent(digits, if own { 0 } else { most as usize })
    }

    /// The significant digits that tell the numbers apart.
    fn significant(&self, style: impl Fn(i32) -> Style) -> i32 {
        let all = self.values.iter().map(|d| d.digits()).max().unwrap_or(1);
        (DIGITS..all)
            .find(|digits| all <= digits + 1 || self.tells_apart(style(*digits)))
            .map_or(all, |digits| if all <= digits + 1 { all } else { digits })
    }
}

/// The minus sign that is drawn, U+2212, as wide as a digit.
const MINUS: char = '−';

/// The raised form of a digit or of a minus sign of an exponent.
fn raised(c: char) -> Option<char> {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match c {
        '-' => Some('⁻'),
        _ => c.to_digit(10).and_then(|d| DIGITS.get(d as usize).copied()),
    }
}

/// `-5` as `−5`.
pub fn minus(text: &str) -> String {
    // Most numbers of many have none.
    if !text.bytes().any(|b| b == b'-') {
        return text.to_owned();
    }
    let mut before = None;
    let mut rest = text.chars().peekable();
    let mut out = String::with_capacity(text.len() + 4);
    while let Some(c) = rest.next() {
        // Words around a number keep their hyphens.
        let is_hyphen = [before, rest.peek().copied()].iter().all(|c| c.is_some_and(char::is_alphabetic));
        out.push(if c == '-' && !is_hyphen { MINUS } else { c });
        before = Some(c);
    }
    out
}

/// The digits before an exponent, and the exponent without its plus sign and zeros: `1.5e-07` is (`1.5`, `-7`).
fn parts(text: &str) -> Option<(&str, String)> {
    let at = text.bytes().position(|b| b == b'e')?;
    let (number, e) = (&text[..at], &text[at + 1..]);
    let e: i32 = e.parse().ok()?;
    number.ends_with(|c: char| c.is_ascii_digit()).then(|| (number, e.to_string()))
}

/// A number: `-1.5e-7` is `−1.5×10⁻⁷`, and `1e-7` is `10⁻⁷`.
pub fn typeset(text: &str) -> String {
    let Some((number, e)) = parts(text) else {
        return minus(text);
    };
    let e: String = e.chars().filter_map(raised).collect();
    match number.strip_suffix('1') {
        Some(sign) if matches!(sign, "" | "-" | "+") => format!("{}10{e}", minus(sign)),
        _ => format!("{}×10{e}", minus(number)),
    }
}

/// The format of an axis's labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelFormat {
    /// Numbers: `.2f`, `.3g`, `d`, `.1%`.
    Number(NumberFormat),
    /// Dates and times: `%Y-%m`, `%b %d`, `%H:%M`.
    Time(TimeFormat),
}

/// Reads a number format, or a time format where a `%` is before a letter.
impl FromStr for LabelFormat {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let directive = |p: &[u8]| p[0] == b'%' && (p[1].is_ascii_alphabetic() || p[1] == b'-');
        if text.as_bytes().windows(2).any(directive) {
            return text.parse().map(Self::Time);
        }
        if let Ok(number) = text.parse() {
            return Ok(Self::Number(number));
        }
        let reason = "give one of d, .1f, .3g, .2e, .1%, .2s, with +, $ or , before the point or text around it ('{:.1f} ms'), or for times %Y-%m, %b %d, %H:%M";
        Err(ParseError::new(Notation::LabelFormat, text, reason))
    }
}

/// Writes it as [`FromStr`] reads it.
impl fmt::Display for LabelFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) => n.fmt(f),
            Self::Time(t) => t.fmt(f),
        }
    }
}

#[cfg(test)]
mod typeset_tests {
    use super::*;

    #[test]
    fn numbers_get_a_minus_sign_and_raised_exponents() {
        let texts = ["-0.5", "1e-5", "-1e12", "1.0e-5", "3e+05", "+2.5e-7", "-2.50e+06", "12.3%"];
        assert_eq!(
            texts.map(typeset),
            ["−0.5", "10⁻⁵", "−10¹²", "1.0×10⁻⁵", "3×10⁵", "+2.5×10⁻⁷", "−2.50×10⁶", "12.3%"]
        );
        assert_eq!(
            ["nan", "-inf", "0", "+0", "e5", "1e", "me5"].map(typeset),
            ["nan", "−inf", "0", "+0", "e5", "1e", "me5"]
        );
    }

    #[test]
    fn numbers_and_times_are_told_apart() {
        for text in [".2f", ".1%", "%", "+,d", "{:.3g}"] {
            assert!(matches!(text.parse(), Ok(LabelFormat::Number(_))), "{text}");
        }
        for text in ["%Y", "%b %d", "%-d. %B", "%d"] {
            assert!(matches!(text.parse(), Ok(LabelFormat::Time(_))), "{text}");
            assert_eq!(text.parse::<LabelFormat>().map(|f| f.to_string()).as_deref(), Ok(text));
        }
        for (text, what) in [("x", "a format of labels"), ("%Q", "a time format"), ("", "a format of labels")]
        {
            let e = text.parse::<LabelFormat>().unwrap_err().to_string();
            assert!(e.contains(what), "{e}");
        }
    }
}

#[cfg(test)]
mod tests;
