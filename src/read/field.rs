//! The text of one field: a number, a missing value, or text.

use gridscope_core::grid::Number;

/// Texts that mean a missing value: the empty one, `-`, pandas' list in pandas' spellings, and the errors of
/// spreadsheets.
pub(super) const MISSING: [&str; 30] = [
    "", "-", "--", "–", "—", "/", "NaN", "nan", "NA", "N/A", "n/a", "null", "NULL", "None", "<NA>", "#N/A",
    "#N/A N/A", "#NA", "-nan", "-NaN", "1.#IND", "1.#QNAN", "-1.#IND", "-1.#QNAN", "#DIV/0!", "#VALUE!",
    "#REF!", "#NAME?", "#NUM!", "#NULL!",
];

/// Content of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Field {
    /// No value.
    Missing,
    /// A number; `TRUE` and `FALSE` in any case are 1 and 0.
    Number(Number),
    /// Anything else.
    Text,
}

/// Reads a field as a value; `missing` are further texts for a missing value.
pub(super) fn read_field(text: &str, missing: &[String]) -> Field {
    let t = trimmed(text);
    // A given text wins over a number, so that `--missing -999` works.
    if !missing.is_empty() && missing.iter().any(|m| m == t || m == text) {
        return Field::Missing;
    }
    if let Some(n) = parse_number(t) {
        return Field::Number(n);
    }
    // Fortran fills a number that has no room with asterisks.
    if MISSING.contains(&t) || t.len() > 2 && t.bytes().all(|b| b == b'*') {
        return Field::Missing;
    }
    if t.eq_ignore_ascii_case("true") {
        return Field::Number(Number::I64(1));
    }
    if t.eq_ignore_ascii_case("false") {
        return Field::Number(Number::I64(0));
    }
    Field::Text
}

/// The text without blanks around it.
fn trimmed(text: &str) -> &str {
    let printed = |b: Option<&u8>| b.is_some_and(u8::is_ascii_graphic);
    if printed(text.as_bytes().first()) && printed(text.as_bytes().last()) { text } else { text.trim() }
}

/// Reads a number: integers exactly, else as f64; blanks around it are allowed. NaN is none, nor is what lies beyond f64 (`1e400`).
pub(super) fn parse_number(text: &str) -> Option<Number> {
    let t = trimmed(text);
    let unsigned = t.strip_prefix(['+', '-']).unwrap_or(t);
    let first = *unsigned.as_bytes().first()?;
    if !(first.is_ascii_digit() || first == b'.') {
        if let Some(below) =
            t.strip_prefix('−').filter(|b| b.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
        {
            return parse_number(&format!("-{below}"));
        }
        let infinite = unsigned.eq_ignore_ascii_case("inf") || unsigned.eq_ignore_ascii_case("infinity");
        return infinite
            .then(|| Number::F64(if t.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    if unsigned.bytes().all(|b| b.is_ascii_digit()) {
        // Past u64 it is the nearest f64.
        if let Ok(whole) = t.parse().map(Number::I64).or_else(|_| t.parse().map(Number::U64)) {
            return Some(whole);
        }
    }
    // Behind a digit or a point only a number can be read: words such as `inf` begin otherwise.
    t.parse().ok().filter(|v: &f64| v.is_finite()).map(Number::F64)
}

/// Whether the text is a number that f64 does not hold: `1e400`.
pub(super) fn is_beyond(text: &str) -> bool {
    let t = text.trim();
    t.contains(|c: char| c.is_ascii_digit()) && t.parse::<f64>().is_ok_and(f64::is_infinite)
}

/// Whether the text is a number written with a decimal comma, as `1,5` or `1.234,5`.
pub(super) fn is_decimal_comma(text: &str) -> bool {
    let t = text.trim();
    let mut parts = t.splitn(2, ',');
    match (parts.next(), parts.next()) {
        (Some(a), Some(b)) if !b.contains(',') => {
            parse_number(&a.replace('.', "")).is_some()
                && b.starts_with(|c: char| c.is_ascii_digit())
                && parse_number(b).is_some()
        }
        _ => false,
    }
}

/// The text in quotes for a message, at most 40 characters of it.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("'{}…'", &text[..end]),
        None => format!("'{text}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_stay_exact() {
        assert_eq!(parse_number("9007199254740993"), Some(Number::I64(9_007_199_254_740_993)));
        assert_eq!(parse_number("18446744073709551615"), Some(Number::U64(u64::MAX)));
        assert_eq!(parse_number("18446744073709551616"), Some(Number::F64(18_446_744_073_709_551_616.0)));
        assert_eq!(parse_number(" +7 "), Some(Number::I64(7)));
        assert_eq!(parse_number("82544000000000707.52"), Some(Number::F64(82_544_000_000_000_707.52)));
        for beyond in ["1e400", "-1e309", "9".repeat(400).as_str()] {
            assert!(parse_number(beyond).is_none() && is_beyond(beyond), "{beyond}");
        }
        assert!(!["inf", "-Infinity", "1.7e308", "1e-400", "x1e400", ""].iter().any(|t| is_beyond(t)));
    }

    #[test]
    fn only_plain_numbers_are_numbers() {
        for (t, v) in [
            ("1.5", 1.5),
            ("-1e3", -1000.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("INF", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
        ] {
            assert_eq!(parse_number(t), Some(Number::F64(v)), "{t}");
        }
        for t in [
            "", "-", "+", ".", "e5", "1,5", "1_000", "0x10", "1e", "infin", "nan", "NaN", "1 2", "--1",
            "1-2", "٣", "1e5e5",
        ] {
            assert_eq!(parse_number(t), None, "{t}");
        }
    }

    #[test]
    fn missing_tokens_and_truth_values() {
        for t in MISSING {
            assert_eq!(read_field(t, &[]), Field::Missing, "{t}");
        }
        assert_eq!(read_field("-999", &["-999".into()]), Field::Missing);
        assert_eq!(read_field(" True ", &[]), Field::Number(Number::I64(1)));
        assert_eq!(read_field("FALSE", &[]), Field::Number(Number::I64(0)));
        assert_eq!(read_field("1,5", &[]), Field::Text);
        assert_eq!(read_field("na", &[]), Field::Text);
    }

    #[test]
    fn a_decimal_comma_is_told_from_a_list() {
        assert!(
            is_decimal_comma("1,5")
                && is_decimal_comma("1.234,5")
                && is_decimal_comma("1,53e4")
                && is_decimal_comma("-0,5")
        );
        assert!(
            !is_decimal_comma("1,5,6")
                && !is_decimal_comma("a,5")
                && !is_decimal_comma("1,b")
                && !is_decimal_comma("15")
        );
    }
}
