//! The value of a field, versions that look like decimals, and prefixes of units.

use super::error::InputError;
use super::field::{Field, is_beyond, is_decimal_comma, shown};
use super::shell_word::flag;
use gridscope_core::figure::List;
use gridscope_core::grid::{Cell, State};
use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;

/// The value of a field; `nodata` is a number that means a masked cell. `None` for a text.
pub(super) fn value(field: Field, nodata: Option<f64>) -> Option<Cell> {
    match field {
        Field::Number(n) if nodata == Some(n.as_f64()) => Some(Cell::Empty(State::Masked)),
        Field::Number(n) => Some(Cell::Value(n)),
        Field::Missing => Some(Cell::Empty(State::Nan)),
        Field::Text => None,
    }
}

/// Why a text in a column of values is refused; `refused` adds its place.
pub(super) fn no_number(column: &str, text: &str, refused: impl FnOnce(String) -> InputError) -> InputError {
    if is_beyond(text) {
        let what =
            format!("column {}: {} lies beyond 1.8e308, the largest number", shown(column), shown(text));
        return refused(what).with_hint("write inf, or --missing TEXT if the text means no value");
    }
    let what = format!("column {}: {} {NotANumber}", shown(column), shown(text));
    let fault = refused(what).with_source(NotANumber);
    if is_decimal_comma(text) {
        fault.with_hint("--decimal , reads decimal commas")
    } else {
        fault.with_hint(missing(&[text]))
    }
}

/// The cause of the error of a text in a column of values.
#[derive(Debug)]
struct NotANumber;

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("is not a number")
    }
}

impl Error for NotANumber {}

/// Whether an error is about a text in a column of values.
pub(super) fn is_no_number(error: &InputError) -> bool {
    error.source().is_some_and(<dyn Error>::is::<NotANumber>)
}

/// The option that reads these texts as no value.
pub(super) fn missing(texts: &[impl AsRef<str>]) -> String {
    let list = List::to_flag(texts);
    let (texts, values) =
        if texts.len() == 1 { ("the text", "no value") } else { ("these texts", "no values") };
    format!("{} reads {texts} as {values}", flag("--missing", &list))
}

/// The two numbers of a version, as `1.10` has them; a second number has no zeros before it.
fn parts(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.trim().split_once('.')?;
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let is_code = digits.len() > 1 && digits.starts_with('0');
        digits.parse::<u32>().ok().filter(|_| plain && !is_code && digits.len() < 6)
    };
    Some((number(major)?, number(minor)?))
}

/// Whether the texts of a column, in the order of the file, are versions and no decimals: `1.10` follows `1.9`, is beside
/// `1.9` and `1.11`, or beside `1.1` with all that lie between.
///
/// Decimals of two sources may be `0.1`, `0.5`, `0.9` and `0.10`, `0.50`, `0.90`: such pairs are not versions.
pub fn are_versions(texts: &[&str]) -> bool {
    let Some(all) = all_parts(texts) else {
        return false;
    };
    let known: HashSet<(u32, u32)> = all.iter().copied().collect();
    let has = |major: u32, minor: u32| known.contains(&(major, minor));
    if all.iter().any(|(major, minor)| is_turn(*minor) && has(*major, minor + 1) && has(*major, minor + 2)) {
        return true;
    }
    // Of each number that another one reads like, all between are there or none of the column is a version.
    let mut pairs = all.iter().filter(|(major, minor)| *minor > 0 && has(*major, minor * 10)).peekable();
    if pairs.peek().is_some() {
        return pairs.all(|(major, minor)| (*minor..=minor * 10).all(|between| has(*major, between)));
    }
    let follows = |w: &[(u32, u32)]| w[0].0 == w[1].0 && is_turn(w[0].1) && w[1].1 == w[0].1 + 1;
    all.windows(2).any(follows)
}

/// Whether texts may be versions, for an axis of names: some `1.9` has its `1.10`.
pub(super) fn may_be_versions(texts: &[&str]) -> bool {
    all_parts(texts).is_some_and(|all| {
        let mut largest: HashMap<u32, HashSet<u32>> = HashMap::new();
        all.iter().for_each(|(major, minor)| {
            largest.entry(*major).or_default().insert(*minor);
        });
        largest.values().any(|minors| minors.iter().any(|m| is_turn(*m) && minors.contains(&(m + 1))))
    })
}

fn all_parts(texts: &[&str]) -> Option<Vec<(u32, u32)>> {
    texts.iter().map(|text| parts(text)).collect()
}

/// Whether the number after this one has more digits.
fn is_turn(minor: u32) -> bool {
    matches!(minor, 9 | 99)
}

/// Units that take prefixes, by their symbols.
const UNITS: [&str; 36] = [
    "m", "s", "g", "M", "L", "l", "A", "V", "W", "J", "N", "K", "T", "F", "H", "S", "C", "U", "Hz", "Pa",
    "eV", "mol", "bar", "Bq", "Gy", "Sv", "Wh", "Wb", "VA", "cal", "rad", "lx", "lm", "cd", "Ω", "Ohm",
];

/// The power of ten of a prefix.
fn power(prefix: &str) -> Option<i32> {
    Some(match prefix {
        "" => 0,
        "f" => -15,
        "p" => -12,
        "n" => -9,
        "u" | "µ" | "μ" => -6,
        "m" => -3,
        "c" => -2,
        "d" => -1,
        "h" => 2,
        "k" => 3,
        "M" => 6,
        "G" => 9,
        "T" => 12,
        "P" => 15,
        _ => return None,
    })
}

/// The powers of ten of what follows the numbers of all labels, counted from the least, where these are one unit with prefixes
/// that differ: `nM`, `µM`. `None` for anything else.
pub(super) fn prefix_powers(tails: &[&str]) -> Option<Vec<u32>> {
    let first = tails.first()?;
    // The unit goes on to the end, as `g/mL`; its symbol is what a prefix comes before.
    let of_unit = |unit: &str| -> Option<Vec<i32>> {
        let symbol = unit.split(|c: char| !c.is_alphabetic()).next().unwrap_or(unit);
        if !UNITS.contains(&symbol) {
            return None;
        }
        tails.iter().map(|tail| power(tail.trim_end().strip_suffix(unit)?)).collect()
    };
    let first = first.trim_end();
    let starts = first.char_indices().map(|(at, _)| at).take(2);
    let powers =
        starts.filter_map(|at| of_unit(&first[at..])).find(|p| p.windows(2).any(|w| w[0] != w[1]))?;
    let least = *powers.iter().min()?;
    Some(powers.iter().map(|p| p.abs_diff(least)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::read_field;
    use crate::position::Place;
    use gridscope_core::grid::Number;

    #[test]
    fn values_missing_fields_and_nodata_differ() {
        let of = |text: &str| value(read_field(text, &[]), Some(-9.0));
        assert_eq!(
            [of("3"), of(""), of("-9.0")],
            [
                Some(Cell::Value(Number::I64(3))),
                Some(Cell::Empty(State::Nan)),
                Some(Cell::Empty(State::Masked))
            ]
        );
        assert_eq!([of("true"), of("low")], [Some(Cell::Value(Number::I64(1))), None]);
    }

    #[test]
    fn a_text_is_refused_with_its_place_column_and_text() {
        let of =
            |text: &str| no_number("score", text, |what| InputError::refused("t.csv", Place::line(3), what));
        assert_eq!(of("1,5").to_string(), "t.csv: line 3: column 'score': '1,5' is not a number");
        assert!(of("1,5").hint.unwrap().starts_with("--decimal ,"));
        assert!(of("low").hint.unwrap().starts_with("--missing"));
        assert_eq!(
            of("-1e400").to_string(),
            "t.csv: line 3: column 'score': '-1e400' lies beyond 1.8e308, the largest number"
        );
    }

    #[test]
    fn versions_are_told_from_decimals() {
        for versions in [
            &["1.8", "1.9", "1.10", "1.11", "2.0"][..],
            &["1.9", "1.10"],
            &["1.99", "1.100"],
            &["1.10", "1.1", "1.3", "1.2", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9"],
        ] {
            assert!(are_versions(versions), "{versions:?}");
        }
        for decimals in [
            &["0.1", "0.10"][..],
            &["0.10", "0.25", "0.5", "0.75", "0.9"],
            &["0.8", "0.9", "1.0", "1.1"],
            &["0.90", "0.10"],
            &["1.9", "1.10", "x"],
            &["0.1", "0.5", "0.9", "0.10", "0.50", "0.90"],
            &["0.05", "0.9", "0.10"],
            &["1.9", "2.10"],
            &["1e300", "NaN"],
            &["9", "10"],
            &[],
            &["-1.9", "-1.10"],
        ] {
            assert!(!are_versions(decimals), "{decimals:?}");
        }
        assert!(may_be_versions(&["1.10", "2.0", "1.9"]) && !may_be_versions(&["0.1", "0.25", "0.10"]));
    }

    #[test]
    fn one_unit_with_prefixes_has_powers() {
        for (tails, want) in [
            (&["nM", "µM", "mM", "M"][..], Some(vec![0, 3, 6, 9])),
            (&["mm", "m", "km"], Some(vec![0, 3, 6])),
            (&["m", "mm"], Some(vec![3, 0])),
            (&["µg/mL", "ng/mL"], Some(vec![3, 0])),
            (&["kHz", "Hz", "MHz"], Some(vec![3, 0, 6])),
            (&["hPa", "Pa"], Some(vec![2, 0])),
            (&["us", "ms", "s"], Some(vec![0, 3, 6])),
            (&["m", "b"], None),
            (&["m", "m"], None),
            (&["m", "k"], None),
            (&["MB", "KB"], None),
            (&["", "m"], None),
            (&["nM", "µL"], None),
            (&["pm", "am"], None),
            (&["分", "秒"], None),
            (&[], None),
        ] {
            assert_eq!(prefix_powers(tails), want, "{tails:?}");
        }
    }
}
