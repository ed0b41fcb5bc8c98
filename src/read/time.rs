//! Dates and times as ISO 8601 writes them: their instants, exactly, and how they are written.

use super::calendar::{date_of, days_since_1970};
use gridscope_core::scale::ClockTime;
use std::cmp::Ordering;

/// A point in time. A month alone lies before its first day, and is not that day.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instant {
    /// Whole seconds since 1970 in UTC.
    seconds: i64,
    /// The digits of the second's fraction, without zeros at the end.
    fraction: String,
    /// Whether the day is given.
    day: bool,
}

/// A time as a text has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The point in time; without an offset that of UTC.
    pub instant: Instant,
    /// Seconds that its clock is ahead of UTC, where the text says so.
    pub offset: Option<i64>,
    /// What parts year, month and day.
    pub separator: char,
    /// Whether it is a year alone.
    pub year: bool,
}

impl Instant {
    /// The begin of a day, counted from 1970-01-01.
    pub(super) fn of_day(days: i64) -> Self {
        Self {
            seconds: days.saturating_mul(86_400),
            fraction: String::new(),
            day: true,
        }
    }

    /// How it lies to another one, a month at its first day.
    pub(super) fn against(&self, other: &Self) -> Ordering {
        (self.seconds, &self.fraction).cmp(&(other.seconds, &other.fraction))
    }

    /// Seconds since 1970 in UTC.
    pub(super) fn seconds(&self) -> f64 {
        let fraction = if self.fraction.is_empty() {
            0.0
        } else {
            format!("0.{}", self.fraction).parse().unwrap_or(0.0)
        };
        self.seconds as f64 + fraction
    }
}

impl Moment {
    /// Reads `2026-11`, `2026-11-21`, `2026-11-21T10:56`, `2026-11-21 10:56:48.5Z`, with `+02:00` or `-0730` at the end; a year
    /// alone only where `years` allows it. `None` for anything else, days that no calendar has among them.
    pub fn parse(text: &str, years: bool) -> Option<Self> {
        let text = text.trim();
        let (date, rest) = match text.find(['T', ' ']) {
            Some(i) => (&text[..i], Some(&text[i + 1..])),
            None => (text, None),
        };
        let mut parts = date.split(['-', '/']);
        let year = whole(parts.next()?, 4, 0, 9999)?;
        let (month, day) = (parts.next(), parts.next());
        if parts.next().is_some() || (month.is_none() && !years) || (rest.is_some() && day.is_none()) {
            return None;
        }
        let (given, year_alone) = (day.is_some(), month.is_none());
        let month = month.map_or(Some(1), |m| whole(m, 2, 1, 12))?;
        let day = day.map_or(Some(1), |d| whole(d, 2, 1, days_of(year, month)))?;
        let clock = rest.map_or(Some(Clock::default()), Clock::parse)?;
        let seconds = days_since_1970(year, month, day) * 86_400 + clock.seconds - clock.offset.unwrap_or(0);
        let instant = Instant {
            seconds,
            fraction: clock.fraction.to_owned(),
            day: given,
        };
        Some(Self {
            instant,
            offset: clock.offset,
            separator: if date.contains('/') { '/' } else { '-' },
            year: year_alone,
        })
    }

    /// What its own clock shows.
    pub fn clock_time(&self) -> ClockTime {
        self.at_offset(self.offset.unwrap_or(0))
    }

    /// What a clock shows that is this many seconds ahead of UTC.
    pub fn at_offset(&self, offset: i64) -> ClockTime {
        clock_time(self.instant.seconds + offset, &self.instant.fraction)
    }

    /// The begin of the month or the day after that of this time.
    pub(crate) fn next(&self) -> Instant {
        let at = clock_time(self.instant.seconds, "");
        if !self.is_month() {
            return Instant::of_day(at.days + 1);
        }
        let months = at.year * 12 + at.month;
        Instant::of_day(days_since_1970(
            months.div_euclid(12),
            months.rem_euclid(12) + 1,
            1,
        ))
    }

    /// Whether it names a month and no day.
    pub fn is_month(&self) -> bool {
        !self.instant.day
    }
}

/// Date and time of day of seconds since 1970.
pub fn clock_time(seconds: i64, fraction: &str) -> ClockTime {
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date_of(days);
    ClockTime {
        year,
        month,
        day,
        hour: of_day / 3600,
        minute: of_day / 60 % 60,
        second: of_day % 60,
        fraction: fraction.to_owned(),
        days,
    }
}

/// The times of all texts as seconds since 1970 in UTC, unless one is none.
pub(super) fn parse_times<'a>(texts: impl Iterator<Item = &'a str>, years: bool) -> Option<Vec<f64>> {
    texts
        .map(|t| Some(Moment::parse(t, years)?.instant.seconds()))
        .collect()
}

/// The farthest times that are written, in seconds from 1970: years of four digits are within.
const FARTHEST: f64 = 1e12;

/// Times in seconds since 1970 as ISO 8601 texts, all with as much as one of them needs: dates, minutes, seconds, a fraction.
///
/// # Errors
/// A number that is too large, or not one.
pub(super) fn iso_texts(seconds: &[f64]) -> Result<Vec<String>, f64> {
    if let Some(wrong) = seconds.iter().find(|v| v.is_nan() || v.abs() > FARTHEST) {
        return Err(*wrong);
    }
    let counted = |second: i64| -> Vec<i64> {
        let count = |v: &f64| (v * second as f64).round() as i64;
        seconds.iter().map(count).collect()
    };
    // Thousandths, or millionths where neighbours would be one: f64 holds no more of a time of today.
    let thousandths = counted(1000);
    let merges = |i: usize| thousandths[i] == thousandths[i - 1] && seconds[i] != seconds[i - 1];
    let (all, second, digits) = if (1..seconds.len()).any(merges) {
        (counted(1_000_000), 1_000_000, 6)
    } else {
        (thousandths, 1000, 3)
    };
    let are_multiples = |of: i64| all.iter().all(|v| v % of == 0);
    let text = |v: &i64| {
        let (year, month, day) = date_of(v.div_euclid(86_400 * second));
        let rest = v.rem_euclid(86_400 * second);
        let (hour, minute) = (rest / (3600 * second), rest / (60 * second) % 60);
        let mut text = format!("{year:04}-{month:02}-{day:02}");
        if !are_multiples(86_400 * second) {
            text.push_str(&format!("T{hour:02}:{minute:02}"));
        }
        if !are_multiples(60 * second) {
            text.push_str(&format!(":{:02}", rest / second % 60));
        }
        if !are_multiples(second) {
            text.push_str(&format!(".{:0digits$}", rest % second));
        }
        text
    };
    Ok(all.iter().map(text).collect())
}

/// The seconds of a unit and the seconds from 1970 to its start: `days since 1990-01-01`, as CF conventions write it.
pub(super) fn unit_since(unit: &str) -> Option<(f64, f64)> {
    let (name, start) = unit.split_once(" since ")?;
    let seconds = match name.trim().to_lowercase().as_str() {
        "s" | "sec" | "second" | "seconds" => 1.0,
        "min" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        _ => return None,
    };
    let (date, clock) = start.trim().split_once([' ', 'T']).unwrap_or((start.trim(), ""));
    // Digits may be missing there: 1990-1-1 0:0:0.0.
    let padded = |text: &str, between: char| {
        let parts = text.split(between).map(|part| format!("{part:0>2}"));
        parts.collect::<Vec<_>>().join(&between.to_string())
    };
    let clock = clock.trim_end_matches([' ', 'Z']).trim_end_matches("UTC").trim();
    let clock = if clock.is_empty() { "00:00" } else { clock };
    let moment = Moment::parse(&format!("{} {}", padded(date, '-'), padded(clock, ':')), false)?;
    Some((seconds, moment.instant.seconds()))
}

fn whole(text: &str, digits: usize, least: i64, most: i64) -> Option<i64> {
    let plain = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|v| plain && (least..=most).contains(v))
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A time of day.
#[derive(Default)]
struct Clock<'t> {
    seconds: i64,
    /// Digits, without zeros at the end.
    fraction: &'t str,
    offset: Option<i64>,
}

impl<'t> Clock<'t> {
    /// Reads `10:56`, `10:56:48.5`, with an offset at the end.
    fn parse(text: &'t str) -> Option<Self> {
        let (time, offset) = match text.find(['Z', '+', '-']) {
            Some(i) => (&text[..i], Some(ahead(&text[i..])?)),
            None => (text, None),
        };
        let mut parts = time.split(':');
        let hour = whole(parts.next()?, 2, 0, 23)?;
        let minute = whole(parts.next()?, 2, 0, 59)?;
        let (second, fraction) = match parts.next() {
            None => (0, ""),
            Some(s) => {
                let (second, fraction) = s.split_once('.').map_or((s, None), |(s, f)| (s, Some(f)));
                if fraction.is_some_and(|f| f.is_empty() || !f.bytes().all(|b| b.is_ascii_digit())) {
                    return None;
                }
                // A leap second is the last of its minute.
                (
                    whole(second, 2, 0, 60)?,
                    fraction.unwrap_or_default().trim_end_matches('0'),
                )
            }
        };
        parts.next().is_none().then_some(Self {
            seconds: hour * 3600 + minute * 60 + second,
            fraction,
            offset,
        })
    }
}

/// Seconds that an offset is ahead of UTC.
fn ahead(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let (sign, digits) = match text.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, text.strip_prefix('-')?),
    };
    let digits = digits.replace(':', "");
    let hour = whole(digits.get(..2)?, 2, 0, 14)?;
    let minute = if digits.len() > 2 {
        whole(&digits[2..], 2, 0, 59)?
    } else {
        0
    };
    Some(sign * (hour * 3600 + minute * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_texts_are_seconds_since_1970() {
        let t = |s| parse_times([s].into_iter(), false).map(|t| t[0]);
        assert_eq!(t("1970-01-01"), Some(0.0));
        let start = 1_577_836_800.0;
        assert_eq!(
            iso_texts(&[start, start + 1e-6]).unwrap(),
            ["2020-01-01T00:00:00.000000", "2020-01-01T00:00:00.000001"]
        );
        assert_eq!(t("2000-03-01"), Some(951_868_800.0));
        assert_eq!(t("2026-11-21T10:56:48.5Z"), Some(1_795_258_608.5));
        assert_eq!(t("2026-11-21 12:56:48+02:00"), t("2026-11-21 10:56:48"));
        assert_eq!(t("2026-11"), t("2026-11-01"));
        assert_eq!(
            (t("2026"), parse_times(["2026"].into_iter(), true).map(|t| t[0])),
            (None, t("2026-01-01"))
        );
        for bad in [
            "2026-13",
            "2023-02-29",
            "1.5-2",
            "2026-1-1",
            "2026-11T10:00",
            "2026-11-21T25:00",
            "2026-11-21T10",
            "é",
            "",
            "20-26",
        ] {
            assert_eq!(t(bad), None, "{bad}");
        }
        for bad in [
            "2026-11-21T10:56:48.",
            "2026-11-21T10:56:48.5e1",
            "2026-11-21T10:56Z+1",
            "2026-11-21T10:56Z0200",
            "2026-11-21T10:56+15:00",
        ] {
            assert_eq!(t(bad), None, "{bad}");
        }
    }

    #[test]
    fn instants_are_exact_and_know_their_offset() {
        let of = |s: &str| Moment::parse(s, false).unwrap();
        assert_eq!(
            of("2024-01-01T00:00+02:00").instant,
            of("2023-12-31T22:00Z").instant
        );
        assert_eq!(of("2024-01-01").instant, of("2024/01/01 00:00:00.000").instant);
        let nano = |n: u32| of(&format!("2024-01-01T00:00:00.{n:09}Z")).instant;
        assert!(
            nano(1) < nano(2)
                && nano(2) < nano(10)
                && nano(0) < nano(1)
                && nano(500_000_000) == of("2024-01-01T00:00:00.5Z").instant
        );
        assert_eq!(
            [
                of("2024-01-01T00:00-0130").offset,
                of("2024-01-01T00:00Z").offset,
                of("2024-01-01").offset
            ],
            [Some(-5400), Some(0), None]
        );
        let (month, day) = (of("2024-01"), of("2024-01-01"));
        assert!(month.is_month() && !day.is_month() && month.instant < day.instant);
        assert!(
            day.instant < of("2024-01-01T00:00:00.001").instant
                && of("2023-12-31T23:59:59.999").instant < month.instant
        );
    }
}
