//! Formats of tick labels: of numbers, as Python writes them, or of times.

use super::format::NumberFormat;
use crate::calendar::TimeFormat;
use crate::notation::{Notation, ParseError};
use std::fmt;
use std::str::FromStr;

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
        if let Ok(number) = text.parse() {
            return Ok(Self::Number(number));
        }
        let directive =
            |p: &[u8]| p[0] == b'%' && (p[1].is_ascii_alphabetic() || p[1] == b'-' || p[1] == b'%');
        if text.as_bytes().windows(2).any(directive) {
            return text.parse().map(Self::Time);
        }
        let reason = "give one of d, .1f, .3g, .2e, .1%, with + or , before the point, or for times %Y-%m, %b %d, %H:%M";
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
mod tests {
    use super::*;

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
