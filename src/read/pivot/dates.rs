//! Dates of a column in other spellings than ISO 8601's, `31.01.2024`, `Jan 2024`, `1/31/2024 9:05 PM`; and the times of an axis:
//! dates and times in texts, and numbers where `--x-type time` says that they are times.

use crate::field::{MISSING, shown};
use gridscope_core::calendar::spelling::{either, iso, tells_day_first};
use gridscope_core::calendar::{Datelike, Moment, iso_texts, parse_times};
use gridscope_core::grid::Number;
use gridscope_core::lint::{LintName, Lints};
use std::ops::RangeInclusive;

/// Years that a date in another spelling may have: `dec-1024` is a name.
const YEARS: RangeInclusive<i32> = 1500..=2199;

/// Order of day and month in the dates of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateReading {
    /// Each date says it itself.
    Plain,
    DayFirst,
    MonthFirst,
}

/// Whether the texts of a column are dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dates {
    /// Not all of them, or all as ISO 8601 writes them.
    AsWritten,
    /// All of them.
    Read(DateReading),
    /// All of them, in two ways: a date whose day and month may change places.
    Ambiguous(String),
}

impl Dates {
    /// Those of the distinct texts of a column. Texts for missing fields do not count, `missing` ones among them.
    /// `given` says whether the month is first in dates that may be read in two ways.
    pub(super) fn of<'t>(
        texts: impl Iterator<Item = &'t str>,
        missing: &[String],
        given: Option<bool>,
    ) -> Self {
        let (mut other, mut turned) = (false, None);
        let mut possible = [true; 2];
        for text in texts.map(str::trim) {
            let is_missing = || MISSING.contains(&text) || missing.iter().any(|m| m == text);
            // Digits alone are a number.
            if text.bytes().all(|b| b.is_ascii_digit()) {
                if text.is_empty() || is_missing() {
                    continue;
                }
                return Dates::AsWritten;
            }
            if Moment::parse(text, false).is_some() {
            } else if let Some(readings) = either(text) {
                let [a, b] = readings.each_ref().map(|iso| is_date(iso));
                possible = [possible[0] && a, possible[1] && b];
                if possible == [false; 2] {
                    return Dates::AsWritten;
                }
                // The same day and month can change places.
                if turned.is_none() || readings[0] != readings[1] {
                    turned = Some((text, readings[0] != readings[1]));
                }
            } else if iso(text).is_some_and(|iso| is_date(&iso)) {
                other = true;
            } else if !is_missing() {
                return Dates::AsWritten;
            }
        }
        match (turned, possible) {
            (None, _) if other => Dates::Read(DateReading::Plain),
            (None, _) => Dates::AsWritten,
            (Some((text, true)), [true, true]) => match given {
                None => Dates::Ambiguous(text.to_owned()),
                Some(true) => Dates::Read(DateReading::MonthFirst),
                Some(false) => Dates::Read(DateReading::DayFirst),
            },
            (Some(_), [true, _]) => Dates::Read(DateReading::DayFirst),
            (Some(_), _) => Dates::Read(DateReading::MonthFirst),
        }
    }

    /// The reading, where there is one and it is another than that of ISO 8601.
    pub(super) fn reading(&self) -> Option<DateReading> {
        match self {
            Dates::Read(reading) => Some(*reading),
            _ => None,
        }
    }

    /// Each text as ISO 8601 writes it; `None` where the texts are as written.
    pub(super) fn rewritten(texts: &[String], month_first: Option<bool>) -> Option<Vec<String>> {
        let reading = Dates::of(texts.iter().map(String::as_str), &[], month_first).reading()?;
        let iso = |text: &String| reading.iso(text).unwrap_or_else(|| text.clone());
        Some(texts.iter().map(iso).collect())
    }
}

impl DateReading {
    /// A date as ISO 8601 writes it.
    pub(super) fn iso(self, text: &str) -> Option<String> {
        let text = text.trim();
        if Moment::parse(text, false).is_some() {
            return Some(text.to_owned());
        }
        let found = match (self, either(text)) {
            (DateReading::DayFirst, Some([date, _])) | (DateReading::MonthFirst, Some([_, date])) => date,
            _ => iso(text)?,
        };
        is_date(&found).then_some(found)
    }
}

fn is_date(iso: &str) -> bool {
    Moment::parse(iso, false).is_some_and(|m| YEARS.contains(&m.clock_time().at.year()))
}

/// A date of a column such as `1.2.2024` whose day is taken for the first number, where no date of the column tells.
pub(super) fn assumed_day_first<'t>(texts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let mut open = None;
    for text in texts {
        match tells_day_first(text) {
            Some(true) => return None,
            Some(false) => open = open.or(Some(text)),
            None => {}
        }
    }
    open
}

/// Reports the date of [`assumed_day_first`].
pub(crate) fn report_day_first(called: &str, date: &str, lints: &mut Lints) {
    let what = format!("{called}: the day of dates such as {} is taken for their first number", shown(date));
    lints.add(LintName::AssumedDayFirst, 1, what).hint("--day-first");
}

/// Seconds since 1970 of the keys of an axis, and their texts where they are other than the keys.
pub(super) type Times = (Vec<f64>, Option<Vec<String>>);

/// The times that keys are by their texts; years alone, and numbers, only where the axis is `asked` to be one of times.
pub(super) fn times(keys: &[String], numbers: Option<&[f64]>, asked: bool) -> Option<Times> {
    let parse = |keys: &[String]| parse_times(keys.iter().map(String::as_str), asked);
    if let Some(seconds) = parse(keys) {
        return Some((seconds, None));
    }
    if let Some(texts) = Dates::rewritten(keys, None) {
        return Some((parse(&texts)?, Some(texts)));
    }
    let numbers = numbers.filter(|_| asked)?;
    // Digits of a day, a month, an hour: 20240301, 202403, 2024030112.
    if let Some(texts) = keys.iter().map(|key| digits(key.trim())).collect::<Option<Vec<_>>>()
        && let Some(seconds) = parse(&texts)
    {
        return Some((seconds, Some(texts)));
    }
    let seconds = since_1970(numbers)?;
    let texts = iso_texts(&seconds).ok()?;
    Some((seconds, Some(texts)))
}

/// A time by its digits alone: year and month, and as much more as there is.
fn digits(text: &str) -> Option<String> {
    let plain = matches!(text.len(), 6 | 8 | 10 | 12 | 14) && text.bytes().all(|b| b.is_ascii_digit());
    let part = |from: usize| text.get(from..from + 2);
    let mut iso = plain.then(|| format!("{}-{}", &text[..4], &text[4..6]))?;
    for (from, before) in [(6, "-"), (8, "T"), (10, ":"), (12, ":")] {
        match part(from) {
            Some(digits) => iso = iso + before + digits,
            None if from == 10 => iso += ":00",
            None => break,
        }
    }
    is_date(&iso).then_some(iso)
}

/// Seconds since 1970 of numbers by their size: seconds, thousandths, millionths or billionths of one since 1970, or days of a
/// spreadsheet. `None` where they are of several sizes, or of none of these.
fn since_1970(numbers: &[f64]) -> Option<Vec<f64>> {
    // Seconds from 1973 to 2128 and finer units of the same; days from 1927 to 2173.
    const SECONDS: RangeInclusive<f64> = 1e8..=5e9;
    const DAYS: RangeInclusive<f64> = 1e4..=1e5;
    // Days between the beginning of spreadsheets and 1970.
    const EPOCH: f64 = 25_569.0;
    for unit in [1.0, 1e3, 1e6, 1e9] {
        if numbers.iter().all(|n| SECONDS.contains(&(n / unit))) {
            return Some(numbers.iter().map(|n| n / unit).collect());
        }
    }
    let days = numbers.iter().all(|n| DAYS.contains(n));
    days.then(|| numbers.iter().map(|n| ((n - EPOCH) * 86_400.0 * 1e3).round() / 1e3).collect())
}

/// Reason why keys are not times.
pub(super) fn no_times(keys: &[String], numbers: Option<&[f64]>) -> String {
    let needs =
        "a time axis needs dates as 2026-11-21 or 2026-11-21T10:56, or seconds since 1970, in growing order";
    if let Dates::Ambiguous(date) = Dates::of(keys.iter().map(String::as_str), &[], None) {
        let date = shown(&date);
        return format!("{needs}; day and month of {date} may change places: --month-first or --day-first");
    }
    match numbers.and_then(|n| iso_texts(n).err()) {
        Some(far) => format!("{needs}; {} is not a time in seconds", Number::F64(far)),
        None => needs.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::Random;

    fn of(texts: &[&str]) -> Dates {
        Dates::of(texts.iter().copied(), &[], None)
    }

    fn iso(texts: &[&str]) -> Vec<String> {
        let reading = of(texts).reading().unwrap_or_else(|| panic!("{texts:?}"));
        texts.iter().map(|t| reading.iso(t).unwrap()).collect()
    }

    #[test]
    fn a_column_tells_the_order_of_day_and_month() {
        assert_eq!(iso(&["01/02/2024", "13/02/2024"]), ["2024-02-01", "2024-02-13"]);
        assert_eq!(iso(&["01/02/2024", "02/13/2024"]), ["2024-01-02", "2024-02-13"]);
        assert_eq!(iso(&["1-2-2024 9:05", "31-1-2024 23:00"]), ["2024-02-01T09:05", "2024-01-31T23:00"]);
        assert_eq!(
            iso(&["2/29/2024 12:05 AM", "3/1/2024 1:00:30 pm"]),
            ["2024-02-29T00:05", "2024-03-01T13:00:30"]
        );
        assert_eq!(iso(&["01/01/2024"]), ["2024-01-01"]);
        assert_eq!(iso(&["1/2/24", "13/2/24"]), ["2024-02-01", "2024-02-13"]);
        let given = |first| Dates::of(["01/02/2024", "03/04/2024"].into_iter(), &[], Some(first));
        assert_eq!(given(true), Dates::Read(DateReading::MonthFirst));
        assert_eq!(given(false), Dates::Read(DateReading::DayFirst));
        assert_eq!(of(&["01/02/2024", "03/04/2024"]), Dates::Ambiguous("03/04/2024".into()));
        for none in [["13/02/2024", "02/13/2024"], ["30/02/2024", "01/02/2024"]] {
            assert_eq!(of(&none), Dates::AsWritten, "{none:?}");
        }
    }

    #[test]
    fn spelt_dates_are_read_and_names_are_not() {
        assert_eq!(iso(&["31.01.2024", "1.2.2024"]), ["2024-01-31", "2024-02-01"]);
        assert_eq!(iso(&["Jan 2024", "December 2023", "NA", ""][..2]), ["2024-01", "2023-12"]);
        assert!(of(&["Jan 2024", "NA", ""]).reading().is_some());
        for none in [
            &["2024-01-01", "2024-02-01"][..],
            &["20240101", "20240201"],
            &["dec-1024", "dec-2048"],
            &["1.2.3", "1.2.2024"],
            &["Jan 2024", "all"],
            &["may", "june"],
            &[],
            &["", "NA"],
            &["1e300", "NaN"],
            &["模型 2024"],
        ] {
            assert_eq!(of(none), Dates::AsWritten, "{none:?}");
        }
        assert_eq!(
            Dates::of(["?", "1.2.2024"].into_iter(), &["?".into()], None),
            Dates::Read(DateReading::Plain)
        );
    }

    /// Writes a year, month and day.
    type Write = fn(&(u64, u64, u64)) -> String;

    #[test]
    fn random_dates_read_back_in_every_spelling() {
        let mut random = Random(15);
        for _ in 0..200 {
            let days: Vec<(u64, u64, u64)> = (0..8)
                .map(|_| (random.within(1900, 2099), random.within(1, 12), random.within(1, 28)))
                .collect();
            let wanted: Vec<String> = days.iter().map(|(y, m, d)| format!("{y}-{m:02}-{d:02}")).collect();
            let spellings: [Write; 5] = [
                |(y, m, d)| format!("{d}.{m}.{y}"),
                |(y, m, d)| format!("{d:02}/{m:02}/{y}"),
                |(y, m, d)| format!("{m}/{d}/{y}"),
                |(y, m, d)| format!("{d:02}-{m:02}-{y}"),
                |(y, m, d)| format!("{y}/{m}/{d}"),
            ];
            for spell in spellings {
                let texts: Vec<String> = days.iter().map(spell).collect();
                let dates = Dates::of(texts.iter().map(String::as_str), &[], None);
                let is_iso = texts.iter().all(|t| Moment::parse(t, false).is_some());
                match dates {
                    Dates::Ambiguous(_) => assert!(days.iter().all(|d| d.2 <= 12), "{texts:?}"),
                    Dates::AsWritten => assert!(is_iso, "{texts:?}"),
                    Dates::Read(reading) => {
                        let read: Vec<String> = texts.iter().map(|t| reading.iso(t).unwrap()).collect();
                        let same = read.iter().zip(&wanted).all(|(a, b)| a.replace('/', "-") == *b);
                        assert!(same, "{texts:?}: {read:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_day_that_is_taken_for_the_first_number_is_named() {
        let of = |texts: &[&'static str]| assumed_day_first(texts.iter().copied());
        assert_eq!(of(&["5.5.2024", "10.02.2023", "11.02.2023"]), Some("10.02.2023"));
        assert_eq!(of(&["10.02.2023 10:15", "1.1.2024"]), Some("10.02.2023 10:15"));
        for none in [&["10.02.2023", "13.02.2023"][..], &["5.5.2024"], &["2024-02-01", "x", "1.2.3"], &[]] {
            assert_eq!(of(none), None, "{none:?}");
        }
    }

    fn times_of(keys: &[&str], asked: bool) -> Option<(Vec<f64>, String)> {
        let keys: Vec<String> = keys.iter().map(|k| (*k).to_owned()).collect();
        let numbers: Option<Vec<f64>> = keys.iter().map(|k| k.parse().ok()).collect();
        let (seconds, texts) = times(&keys, numbers.as_deref(), asked)?;
        Some((seconds, texts.unwrap_or(keys).join(" ")))
    }

    #[test]
    fn numbers_are_times_where_the_axis_is_asked_to_be_one() {
        assert_eq!(times_of(&["1709251200", "1709251800"], false), None);
        let seconds = vec![1_709_251_200.0, 1_709_251_800.0];
        let texts = "2024-03-01T00:00 2024-03-01T00:10".to_owned();
        assert_eq!(times_of(&["1709251200", "1709251800"], true), Some((seconds, texts)));
        assert_eq!(times_of(&["20240301", "20240302"], true).unwrap().1, "2024-03-01 2024-03-02");
        assert_eq!(times_of(&["2020", "2021"], true).unwrap().1, "2020 2021");
        assert_eq!(times_of(&["1.3.2024", "2.3.2024"], false).unwrap().1, "2024-03-01 2024-03-02");
        for bad in [&["1e300", "1"][..], &["1709251200000", "1"], &["a", "1"], &["1/2/2024", "2/3/2024"]] {
            assert_eq!(times_of(bad, true), None, "{bad:?}");
        }
        let far = no_times(&["1e300".to_owned()], Some(&[1e300]));
        assert!(far.ends_with("1e300 is not a time in seconds"), "{far}");
    }
}
