//! One rule by which numbers are written, and the numbers that it reads.

use super::measure::{Measure, Unit};
use crate::field::parse_number;
use std::borrow::Cow;

/// How the numbers of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numeral {
    /// Decimal separator.
    pub decimal: char,
    /// Thousands separator.
    pub thousands: char,
    /// Unit beside the numbers, to which those of others are converted.
    pub unit: Option<Unit>,
    /// Second numbers stand behind `±`.
    pub spread: bool,
    /// A number whose sign before three digits may be the other one, where nothing else in the file tells.
    pub assumed: Option<Assumed>,
}

/// A number such as `1,234`, of which one reading was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Assumed {
    /// Its row in messages.
    pub row: u64,
    /// The sign is a comma.
    pub comma: bool,
    /// Its digits.
    pub digits: u64,
}

impl Assumed {
    pub(super) fn new(row: u64, text: &str, comma: bool) -> Self {
        let digits: String = Bare::of(text).number.chars().filter(char::is_ascii_digit).collect();
        Self { row, comma, digits: digits.parse().unwrap_or_default() }
    }

    /// The number as it is written, as it is read if `by_thousands`, and as it is not.
    pub(crate) fn readings(self, by_thousands: bool) -> [String; 3] {
        let sign = if self.comma { ',' } else { '.' };
        let (whole, rest) = (self.digits / 1000, self.digits % 1000);
        let parts = [self.digits.to_string(), format!("{whole}.{rest:03}")];
        let [grouped, decimal] = parts;
        let (read, other) = if by_thousands { (grouped, decimal) } else { (decimal, grouped) };
        [format!("{whole}{sign}{rest:03}"), read, other]
    }
}

impl Numeral {
    /// `1,234.5`.
    pub(super) const POINT: Self =
        Self { decimal: '.', thousands: ',', unit: None, spread: false, assumed: None };
    /// `1.234,5`.
    pub(crate) const COMMA: Self =
        Self { decimal: ',', thousands: '.', unit: None, spread: false, assumed: None };

    /// The number that a text says, in the digits of a plain one: `1,234.5 %` is `1234.5`, `($5)` is `-5`. `None` for what is
    /// no number by this rule.
    pub(crate) fn plain(self, text: &str) -> Option<String> {
        let bare = Bare::of(text);
        let plain = || self.number(&bare.number).map(|n| n.plain);
        match (bare.unit, self.unit) {
            (None, _) => plain(),
            (Some(own), Some(unit)) if own == unit => plain(),
            (Some(Unit::Measure(own)), Some(Unit::Measure(unit))) if own.is_alike(unit) => {
                let number: f64 = plain()?.parse().ok()?;
                Some(format!("{:?}", unit.convert(number, own)))
            }
            _ => None,
        }
    }

    /// Reads a text without a unit.
    pub(super) fn number(self, text: &str) -> Option<Written> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let sign = &text[..text.len() - unsigned.len()];
        // Fortran writes 1.5D+03.
        let fortran = unsigned.find(['D', 'd']).filter(|at| unsigned[at + 1..].starts_with(['+', '-']));
        let exponent = unsigned.find(['e', 'E']).or(fortran);
        let (digits, exponent) = unsigned.split_at(exponent.unwrap_or(unsigned.len()));
        let exponent =
            if fortran.is_some() { exponent.replacen(['D', 'd'], "e", 1) } else { exponent.to_owned() };
        let (whole, fraction) = match digits.split_once(self.decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (digits, None),
        };
        let is_digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        if fraction.is_some_and(|f| !is_digits(f)) {
            return None;
        }
        let groups: Vec<&str> = whole.split(|c| self.parts_groups(c)).collect();
        let (first, others) = groups.split_first()?;
        let fits = if others.is_empty() {
            !whole.is_empty() || fraction.is_some_and(|f| !f.is_empty())
        } else {
            matches!(first.len(), 1..=3)
                && !first.starts_with('0')
                && exponent.is_empty()
                && others.iter().all(|group| group.len() == 3)
        };
        if !fits || !groups.iter().all(|group| is_digits(group)) {
            return None;
        }
        let point = if fraction.is_some() { "." } else { "" };
        let plain = format!("{sign}{}{point}{}{exponent}", groups.concat(), fraction.unwrap_or_default());
        parse_number(&plain)?;
        Some(Written {
            plain,
            separators: others.len(),
            decimals: fraction.map(str::len),
            is_wide: others.is_empty() && first.len() > 3,
            is_small: matches!(*first, "" | "0"),
        })
    }

    fn parts_groups(self, c: char) -> bool {
        match self.thousands {
            ' ' => matches!(c, ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}'),
            '\'' => matches!(c, '\'' | '’'),
            thousands => c == thousands,
        }
    }
}

/// A number by one rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// Its text as a plain number.
    pub plain: String,
    /// Number of thousands separators.
    pub separators: usize,
    /// Number of digits after the decimal separator, if it has one.
    pub decimals: Option<usize>,
    /// Its whole part has more than three digits and no separator.
    pub is_wide: bool,
    /// Its whole part is 0.
    pub is_small: bool,
}

impl Written {
    /// Whether it shows which sign parts its thousands: `1,234.5`, `1,234,567`.
    pub(super) fn is_grouped(&self) -> bool {
        self.separators > 1 || self.separators > 0 && self.decimals.is_some()
    }

    /// Whether it shows which sign is the decimal one, unlike `1,234` and `12,5`: `0,648`, `3,25`, `1234,5`, `1.234.567`.
    pub(super) fn is_sure(&self) -> bool {
        let shows = |n| self.is_small || self.is_wide || self.separators > 0 || n == 2 || n > 3;
        self.separators > 1 || self.decimals.is_some_and(shows)
    }
}

/// Signs of currencies.
const CURRENCIES: [char; 16] =
    ['$', '€', '£', '¥', '₹', '₩', '₽', '₺', '₴', '₦', '₱', '₫', '₪', '฿', '₿', '¢'];

/// A text without the surroundings of a number: blanks, a unit, and parentheses for a minus.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Bare<'t> {
    pub number: Cow<'t, str>,
    pub unit: Option<Unit>,
    /// It is in parentheses, as accounts write numbers below 0.
    pub enclosed: bool,
    /// A second number stands behind `±`.
    pub spread: bool,
}

impl<'t> Bare<'t> {
    /// Reads `-$5`, `$-5`, `5 €`, `(5)`, `5%`, `5 ± 1` and the like; any other text is its own number.
    pub(super) fn of(text: &'t str) -> Self {
        // A formula of TeX.
        let formula = text.trim().strip_prefix('$').and_then(|text| text.strip_suffix('$'));
        let text = formula.filter(|text| !text.contains('$')).unwrap_or(text);
        match without_spread(text) {
            Some((first, unit)) => {
                let of = Self::of_one(first);
                Self { unit: of.unit.or(unit), spread: true, ..of }
            }
            None => Self::of_one(text),
        }
    }

    fn of_one(text: &'t str) -> Self {
        let text = text.trim();
        let inside = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
        let (mut rest, mut sign) = cut_sign(inside.map_or(text, str::trim));
        let mut unit = None;
        if let Some(c) = rest.chars().next().filter(|c| CURRENCIES.contains(c)) {
            (unit, rest) = (Some(Unit::Sign(c)), rest[c.len_utf8()..].trim_start());
            if sign.is_empty() {
                (rest, sign) = cut_sign(rest);
            }
        } else if let Some(c) =
            rest.chars().last().filter(|c| matches!(c, '%' | '×') || CURRENCIES.contains(c))
        {
            (unit, rest) = (Some(Unit::Sign(c)), rest[..rest.len() - c.len_utf8()].trim_end());
        } else if rest.ends_with(|c: char| c.is_ascii_alphabetic())
            && let Some((number, measure)) = Measure::cut(rest)
        {
            (unit, rest) = (Some(Unit::Measure(measure)), number);
        }
        let begins = rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
        if !begins || inside.is_some() && !sign.is_empty() {
            return Self { number: Cow::Borrowed(text), unit: None, enclosed: false, spread: false };
        }
        let sign = if inside.is_some() { "-" } else { sign };
        Self {
            number: if sign.is_empty() { Cow::Borrowed(rest) } else { Cow::Owned(format!("{sign}{rest}")) },
            unit,
            enclosed: inside.is_some(),
            spread: false,
        }
    }
}

/// Signs between a number and how far it is off.
const SPREADS: [&str; 4] = ["±", "\\pm", "+/-", "+-"];

/// The first of two numbers such as `0.91 ± 0.02` and `0.91 (0.02)`, and the unit of the second.
fn without_spread(text: &str) -> Option<(&str, Option<Unit>)> {
    let enclosed = || text.trim_end().strip_suffix(')')?.split_once(" (");
    let (first, second) = SPREADS.into_iter().find_map(|sign| text.split_once(sign)).or_else(enclosed)?;
    let second = Bare::of_one(second);
    let is_number =
        second.number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'e' | b'E' | b'-'));
    let begins = second.number.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    (is_number && begins && first.contains(|c: char| c.is_ascii_digit())).then_some((first, second.unit))
}

/// A text without the sign that it begins with, and that sign as plain numbers write it.
fn cut_sign(text: &str) -> (&str, &'static str) {
    let signs = [('-', "-"), ('−', "-"), ('+', "+")];
    let cut = signs.into_iter().find_map(|(c, sign)| Some((text.strip_prefix(c)?, sign)));
    cut.unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_by_their_rule() {
        let percent = Numeral { unit: Some(Unit::Sign('%')), ..Numeral::POINT };
        let dollars = Numeral { unit: Some(Unit::Sign('$')), ..Numeral::POINT };
        let euros = Numeral { unit: Some(Unit::Sign('€')), ..Numeral::COMMA };
        for (rule, text, wanted) in [
            (Numeral::POINT, "1,234", Some("1234")),
            (Numeral::POINT, "-1,234,567.5", Some("-1234567.5")),
            (Numeral::POINT, "12,34", None),
            (Numeral::POINT, "0,123", None),
            (Numeral::POINT, "1234,567", None),
            (Numeral::POINT, ",234", None),
            (Numeral::POINT, "1,234,", None),
            (Numeral::POINT, "95%", None),
            (Numeral::COMMA, "1.234,5", Some("1234.5")),
            (Numeral::COMMA, "1.234.567,89", Some("1234567.89")),
            (Numeral::COMMA, "12,34", Some("12.34")),
            (Numeral::COMMA, ",5", Some(".5")),
            (Numeral::COMMA, "1,5e3", Some("1.5e3")),
            (Numeral::COMMA, "1.5", None),
            (Numeral::COMMA, "1,5,6", None),
            (percent, "95%", Some("95")),
            (percent, " -5 % ", Some("-5")),
            (percent, "95.1\u{a0}%", Some("95.1")),
            (percent, "1e3%", Some("1e3")),
            (percent, "1,234.5%", Some("1234.5")),
            (percent, "%", None),
            (percent, "5%%", None),
            (percent, "inf%", None),
            (percent, "٣%", None),
            (percent, " 7 ", Some("7")),
            (Numeral::POINT, "1,٣٣٣", None),
            (Numeral::POINT, "", None),
            (Numeral::POINT, "e5", None),
            (Numeral::POINT, "1,234e", None),
            (Numeral::POINT, "1,234e400", None),
            (Numeral::POINT, "1,234e5", None),
            (Numeral::POINT, "(1,200)", Some("-1200")),
            (Numeral::POINT, "−2.5", Some("-2.5")),
            (Numeral::POINT, "$5", None),
            (dollars, "$1,234", Some("1234")),
            (dollars, "-$9,430", Some("-9430")),
            (dollars, "$ −5.5", Some("-5.5")),
            (dollars, "($1,200.50)", Some("-1200.50")),
            (dollars, "(-5)", None),
            (dollars, "-$-5", None),
            (dollars, "$5%", None),
            (dollars, "€5", None),
            (dollars, "$", None),
            (dollars, "()", None),
            (euros, "1.200,5 €", Some("1200.5")),
        ] {
            assert_eq!(rule.plain(text).as_deref(), wanted, "{rule:?} {text:?}");
        }
        let ms = Numeral { unit: Bare::of("1 ms").unit, ..Numeral::POINT };
        for (text, wanted) in [
            ("2.5 ms", Some("2.5")),
            ("900 us", Some("0.9")),
            ("1.5 s", Some("1500.0")),
            ("7", Some("7")),
            ("1,234.5 ms", Some("1234.5")),
            ("2 KB", None),
            ("5s", None),
            ("3 apples", None),
        ] {
            assert_eq!(ms.plain(text).as_deref(), wanted, "{text}");
        }
        for (text, wanted) in [
            ("0.91 ± 0.02", Some("0.91")),
            ("-3.5±1e-3", Some("-3.5")),
            ("1,234 +/- 5", Some("1234")),
            ("7 +- .5", Some("7")),
            ("0.84251 (1)", Some("0.84251")),
            ("7 (x)", None),
            ("(1)", Some("-1")),
            ("7 ± x", None),
            ("± 7", None),
            ("7 ± 5 %", None),
        ] {
            assert_eq!(Numeral::POINT.plain(text).as_deref(), wanted, "{text}");
        }
        assert_eq!(percent.plain("7 ± 5 %").as_deref(), Some("7"));
        assert_eq!(ms.plain("900 ± 4 us").as_deref(), Some("0.9"));
        assert_eq!(Numeral::POINT.plain("1.5D+03").as_deref(), Some("1.5e+03"));
        assert_eq!(Numeral::POINT.plain("12D3"), None);
        let blanks = Numeral { thousands: ' ', ..Numeral::COMMA };
        assert_eq!(blanks.plain("1 234\u{202f}567,5").as_deref(), Some("1234567.5"));
        let swiss = Numeral { thousands: '\'', ..Numeral::POINT };
        assert_eq!(swiss.plain("1’234'567.5").as_deref(), Some("1234567.5"));
    }
}
