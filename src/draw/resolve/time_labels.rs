//! Dates and times of an axis in the shortest texts that tell them apart.

use gridscope_core::calendar::{ClockTime, Datelike};
use std::collections::HashSet;
use std::hash::Hash;

/// Labels of times, and the part that all have in common and the axis title says.
pub(super) struct TimeLabels {
    pub texts: Vec<String>,
    pub common: Option<String>,
}

/// The finest part of a time that labels show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Year,
    Month,
    Day,
    Minute,
    Second,
    /// This many digits of the second's fraction.
    Fraction(usize),
}

/// The labels of times that differ; `months` are those that name a month and no day. With `title` a common year or date is left
/// out of them.
pub(super) fn time_labels(times: &[ClockTime], months: bool, title: bool) -> TimeLabels {
    let unit = unit(times, months);
    let common = Some(times).filter(|t| title && t.len() > 1).and_then(|t| common(t, unit));
    let (year, date) = match &common {
        None => (true, true),
        Some(text) => (false, !text.contains('-')),
    };
    let text = |t: &ClockTime| {
        let day = if year { t.date() } else { t.month_day() };
        let clock = match unit {
            Unit::Year => return t.year_text(),
            Unit::Month => return t.year_month(),
            Unit::Day => return day,
            Unit::Minute => t.hour_minute(),
            Unit::Second => t.time_of_day(),
            Unit::Fraction(n) => format!("{}.{:0<n$.n$}", t.time_of_day(), t.fraction),
        };
        if date { format!("{day} {clock}") } else { clock }
    };
    TimeLabels { texts: times.iter().map(text).collect(), common }
}

/// The year or the date that all times have, and finer labels need not repeat.
fn common(times: &[ClockTime], unit: Unit) -> Option<String> {
    let first = times.first()?;
    if matches!(unit, Unit::Year | Unit::Month) || times.iter().any(|t| t.at.year() != first.at.year()) {
        return None;
    }
    if unit != Unit::Day && times.iter().all(|t| t.at.date() == first.at.date()) {
        return Some(first.date());
    }
    Some(first.year_text())
}

fn unit(times: &[ClockTime], months: bool) -> Unit {
    let Some(first) = times.first() else {
        return Unit::Day;
    };
    let several = times.len() > 1;
    let clock = |t: &ClockTime| (t.at.time(), t.fraction.clone());
    let midnight = first.seconds() % 86_400 == 0 && first.fraction.is_empty();
    let same_clock = times.iter().all(|t| clock(t) == clock(first)) && differ(times, |t| t.at.date());
    if same_clock && (midnight || several) {
        let starts = times.iter().all(|t| t.at.day() == 1) && (several || months);
        let ends = several && times.iter().all(|t| t.at.day() == u32::from(t.at.num_days_in_month()));
        if !(starts || ends) || !differ(times, |t| (t.at.year(), t.at.month())) {
            return Unit::Day;
        }
        let month = if starts { 1 } else { 12 };
        let years = several && !months && times.iter().all(|t| t.at.month() == month);
        return if years { Unit::Year } else { Unit::Month };
    }
    let has_second = first.seconds() % 60 != 0 || !first.fraction.is_empty();
    if differ(times, |t| t.seconds().div_euclid(60)) && (several || !has_second) {
        return Unit::Minute;
    }
    if differ(times, ClockTime::seconds) && (several || first.fraction.is_empty()) {
        return Unit::Second;
    }
    let most = times.iter().map(|t| t.fraction.len()).max().unwrap_or(0);
    let cut = |t: &ClockTime, n: usize| format!("{:0<n$.n$}", t.fraction);
    // Digits that tell the times apart may still make equal steps look unequal: .0 .1 .2 .3 .5 for eighths.
    let first_day = first.seconds().div_euclid(86_400) * 86_400;
    let part = |digits: &str| format!("0.{digits}").parse().unwrap_or(0.0);
    let all: Vec<f64> = times.iter().map(|t| (t.seconds() - first_day) as f64 + part(&t.fraction)).collect();
    let steps = || all.windows(2).map(|w| (w[1] - w[0]).abs());
    let step = steps().fold(f64::INFINITY, f64::min);
    let is_regular = all.len() > 2 && steps().all(|s| s - step <= 1e-3 * step);
    let is_close = |t: &ClockTime, n: usize| part(&t.fraction) - part(&cut(t, n)) <= step / 50.0;
    let tells = |n: usize| !is_regular || times.iter().all(|t| is_close(t, n));
    let digits = (1..most).find(|n| differ(times, |t| (t.seconds(), cut(t, *n))) && tells(*n));
    Unit::Fraction(digits.unwrap_or(most.max(1)))
}

/// Whether a part of the times differs in each.
fn differ<T: Eq + Hash>(times: &[ClockTime], part: impl Fn(&ClockTime) -> T) -> bool {
    let mut seen = HashSet::with_capacity(times.len());
    times.iter().all(|t| seen.insert(part(t)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::calendar::Moment;

    fn labels(texts: &[&str], title: bool) -> (Vec<String>, Option<String>) {
        let moments: Vec<Moment> = texts.iter().map(|t| Moment::parse(t, true).unwrap()).collect();
        let times: Vec<ClockTime> = moments.iter().map(Moment::clock_time).collect();
        let l = time_labels(&times, moments.iter().all(Moment::is_month), title);
        (l.texts, l.common)
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        labels(texts, false).0
    }

    #[test]
    fn units_that_say_nothing_are_left_out() {
        assert_eq!(texts(&["2023-01-01", "2024-01-01T00:00:00"]), ["2023", "2024"]);
        assert_eq!(texts(&["2024-01-31", "2024-02-29", "2024-03-31"]), ["2024-01", "2024-02", "2024-03"]);
        assert_eq!(texts(&["2022-12-31", "2023-12-31"]), ["2022", "2023"]);
        assert_eq!(texts(&["2024-01", "2025-01"]), ["2024-01", "2025-01"]);
        assert_eq!(
            texts(&["2024-01-01 00:00:00.000000", "2024-01-02 00:00:00.000000"]),
            ["2024-01-01", "2024-01-02"]
        );
        assert_eq!(texts(&["2024-01-01T12:00", "2024-01-03T12:00"]), ["2024-01-01", "2024-01-03"]);
        assert_eq!(
            texts(&["2024-01-01T12:00:01.123456", "2024-01-01T12:05:07.9"]),
            ["2024-01-01 12:00", "2024-01-01 12:05"]
        );
        assert_eq!(texts(&["2024-01-01T12:00:01.5"]), ["2024-01-01 12:00:01.5"]);
        assert_eq!(texts(&["0001-01-01", "0001-01-02"]), ["0001-01-01", "0001-01-02"]);
    }

    #[test]
    fn what_all_have_in_common_is_given_once() {
        let with = |texts: &[&str]| labels(texts, true);
        let words = |w: &[&str]| w.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            with(&["2024-03-14", "2024-03-15"]),
            (words(&["03-14", "03-15"]), Some("2024".to_owned()))
        );
        assert_eq!(with(&["2023-12-31", "2024-01-01"]).1, None);
        assert_eq!(
            with(&["2024-03-14T00:00", "2024-03-14T14:00"]),
            (words(&["00:00", "14:00"]), Some("2024-03-14".to_owned()))
        );
        assert_eq!(with(&["2024-03-14T23:00", "2024-03-15T00:00"]).0, ["03-14 23:00", "03-15 00:00"]);
        let (near, day) = with(&["2024-03-14T09:00:00.123456", "2024-03-14T09:00:00.123567"]);
        assert_eq!((near, day.as_deref()), (words(&["09:00:00.1234", "09:00:00.1235"]), Some("2024-03-14")));
        let eighths: Vec<String> = (0..5).map(|i| format!("2024-03-14T09:00:00.{:03}", 125 * i)).collect();
        let eighths: Vec<&str> = eighths.iter().map(String::as_str).collect();
        assert_eq!(with(&eighths).0[4], "09:00:00.500");
        assert_eq!(with(&eighths).0[1], "09:00:00.125");
        let uneven = ["2024-03-14T09:00:00.123456", "2024-03-14T09:00:00.2", "2024-03-14T09:00:00.9"];
        assert_eq!(with(&uneven).0, ["09:00:00.1", "09:00:00.2", "09:00:00.9"]);
    }
}
