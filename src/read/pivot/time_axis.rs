//! The times of an axis: dates and times in texts, and numbers where `--x-type time` says that they are times.

use super::date_reading::Dates;
use super::dates::iso;
use crate::field::shown;
use crate::time::{iso_texts, parse_times};
use gridscope_core::grid::Number;

/// Seconds since 1970 of the keys of an axis, and their texts where they are other than the keys.
pub(super) type Times = (Vec<f64>, Option<Vec<String>>);

/// The times that keys are by their texts; years alone, and numbers, only where the axis is `asked` to be one of times.
pub(super) fn times(keys: &[String], numbers: Option<&[f64]>, asked: bool) -> Option<Times> {
    let parse = |keys: &[String]| parse_times(keys.iter().map(String::as_str), asked);
    if let Some(seconds) = parse(keys) {
        return Some((seconds, None));
    }
    if let Some(texts) = Dates::rewritten(keys) {
        return Some((parse(&texts)?, Some(texts)));
    }
    let numbers = numbers.filter(|_| asked)?;
    // 20240301 is a day, 1709251200 a number of seconds.
    let days = keys.iter().map(|key| iso(key.trim())).collect::<Option<Vec<_>>>();
    if let Some(days) = days
        && let Some(seconds) = parse(&days)
    {
        return Some((seconds, Some(days)));
    }
    let texts = iso_texts(numbers).ok()?;
    Some((numbers.to_vec(), Some(texts)))
}

/// What keeps keys from being times.
pub(super) fn no_times(keys: &[String], numbers: Option<&[f64]>) -> String {
    let needs =
        "a time axis needs dates as 2026-11-21 or 2026-11-21T10:56, or seconds since 1970, in growing order";
    if let Dates::Ambiguous(date) = Dates::of(keys.iter().map(String::as_str), &[]) {
        let date = shown(&date);
        return format!("{needs}; day and month of {date} may change places, in ISO 8601 they do not");
    }
    match numbers.and_then(|n| iso_texts(n).err()) {
        Some(far) => format!("{needs}; {} is not a time in seconds", Number::F64(far)),
        None => needs.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(keys: &[&str], asked: bool) -> Option<(Vec<f64>, String)> {
        let keys: Vec<String> = keys.iter().map(|k| (*k).to_owned()).collect();
        let numbers: Option<Vec<f64>> = keys.iter().map(|k| k.parse().ok()).collect();
        let (seconds, texts) = times(&keys, numbers.as_deref(), asked)?;
        Some((seconds, texts.unwrap_or(keys).join(" ")))
    }

    #[test]
    fn numbers_are_times_where_the_axis_is_asked_to_be_one() {
        assert_eq!(of(&["1709251200", "1709251800"], false), None);
        let seconds = vec![1_709_251_200.0, 1_709_251_800.0];
        let texts = "2024-03-01T00:00 2024-03-01T00:10".to_owned();
        assert_eq!(of(&["1709251200", "1709251800"], true), Some((seconds, texts)));
        assert_eq!(
            of(&["20240301", "20240302"], true).unwrap().1,
            "2024-03-01 2024-03-02"
        );
        assert_eq!(of(&["2020", "2021"], true).unwrap().1, "2020 2021");
        assert_eq!(
            of(&["1.3.2024", "2.3.2024"], false).unwrap().1,
            "2024-03-01 2024-03-02"
        );
        for bad in [
            &["1e300", "1"][..],
            &["1709251200000", "1"],
            &["a", "1"],
            &["1/2/2024", "2/3/2024"],
        ] {
            assert_eq!(of(bad, true), None, "{bad:?}");
        }
        let far = no_times(&["1e300".to_owned()], Some(&[1e300]));
        assert!(far.ends_with("1e300 is not a time in seconds"), "{far}");
    }
}
