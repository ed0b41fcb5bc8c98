//! One rule by which numbers are written, and the numbers that it reads.

use crate::input::field::parse_number;

/// How the numbers of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numeral {
    /// What is before the fraction.
    pub decimal: char,
    /// What parts groups of three digits.
    pub thousands: char,
    /// Whether `%` is behind each number.
    pub percent: bool,
}

impl Numeral {
    /// `1,234.5`.
    pub(super) const POINT: Self = Self {
        decimal: '.',
        thousands: ',',
        percent: false,
    };
    /// `1.234,5`.
    pub(super) const COMMA: Self = Self {
        decimal: ',',
        thousands: '.',
        percent: false,
    };

    /// The number that a text says, in the digits of a plain one: `1,234.5 %` is `1234.5`. `None` for what is no number by
    /// this rule.
    pub(crate) fn plain(self, text: &str) -> Option<String> {
        let (number, percent) = without_percent(text);
        if percent && !self.percent {
            return None;
        }
        self.number(number).map(|n| n.plain)
    }

    /// Reads a text without `%`.
    pub(super) fn number(self, text: &str) -> Option<Written> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let sign = &text[..text.len() - unsigned.len()];
        let (digits, exponent) = unsigned.split_at(unsigned.find(['e', 'E']).unwrap_or(unsigned.len()));
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
                && others.iter().all(|group| group.len() == 3)
        };
        if !fits || !groups.iter().all(|group| is_digits(group)) {
            return None;
        }
        let point = if fraction.is_some() { "." } else { "" };
        let plain = format!(
            "{sign}{}{point}{}{exponent}",
            groups.concat(),
            fraction.unwrap_or_default()
        );
        parse_number(&plain)?;
        Some(Written {
            plain,
            parted: others.len(),
            fraction: fraction.is_some(),
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
    /// What parts thousands appears this often.
    pub parted: usize,
    /// It has a decimal sign.
    pub fraction: bool,
}

/// A text without blanks around it and without a `%` at its end, and whether it had one.
pub(super) fn without_percent(text: &str) -> (&str, bool) {
    let text = text.trim();
    match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), true),
        None => (text, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_by_their_rule() {
        let percent = Numeral {
            percent: true,
            ..Numeral::POINT
        };
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
        ] {
            assert_eq!(rule.plain(text).as_deref(), wanted, "{rule:?} {text:?}");
        }
        let blanks = Numeral {
            thousands: ' ',
            ..Numeral::COMMA
        };
        assert_eq!(blanks.plain("1 234\u{202f}567,5").as_deref(), Some("1234567.5"));
        let swiss = Numeral {
            thousands: '\'',
            ..Numeral::POINT
        };
        assert_eq!(swiss.plain("1’234'567.5").as_deref(), Some("1234567.5"));
    }
}
