//! Dates and times as ISO 8601 writes them: their instants, exactly, and how they are written.

use super::clock::ClockTime;
use chrono::{Datelike, Months, NaiveDate, Timelike};
use std::cmp::Ordering;

/// Seconds of a day.
const DAY: i64 = 86_400;

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
    /// Separator of year, month and day.
    pub separator: char,
    /// Whether it is a year alone.
    pub year: bool,
}

impl Instant {
    /// Midnight at which a day begins.
    pub(super) fn of_day(day: NaiveDate) -> Self {
        Self { seconds: i64::from(day.to_epoch_days()) * DAY, fraction: String::new(), day: true }
    }

    /// Compares two points in time, a month at its first day.
    pub fn against(&self, other: &Self) -> Ordering {
        (self.seconds, &self.fraction).cmp(&(other.seconds, &other.fraction))
    }

    /// Seconds since 1970 in UTC.
    pub fn seconds(&self) -> f64 {
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
        let year = whole(parts.next()?, 4)?;
        let (month, day) = (parts.next(), parts.next());
        if parts.next().is_some() || (month.is_none() && !years) || (rest.is_some() && day.is_none()) {
            return None;
        }
        let part = |text: Option<&str>| text.map_or(Some(1), |t| whole(t, 2));
        let first = NaiveDate::from_ymd_opt(year as i32, part(month)?, part(day)?)?;
        let clock = rest.map_or(Some(Clock::default()), Clock::parse)?;
        let seconds = i64::from(first.to_epoch_days()) * DAY + clock.seconds - clock.offset.unwrap_or(0);
        let instant = Instant { seconds, fraction: clock.fraction.to_owned(), day: day.is_some() };
        Some(Self {
            instant,
            offset: clock.offset,
            separator: if date.contains('/') { '/' } else { '-' },
            year: month.is_none(),
        })
    }

    /// Date and time of day on its own clock.
    pub fn clock_time(&self) -> ClockTime {
        self.at_offset(self.offset.unwrap_or(0))
    }

    /// Date and time of day on a clock this many seconds ahead of UTC.
    pub fn at_offset(&self, offset: i64) -> ClockTime {
        ClockTime::new(self.instant.seconds + offset, &self.instant.fraction)
    }

    /// First instant of the next day, or of the next month where no day is given.
    pub fn next(&self) -> Instant {
        let day = ClockTime::new(self.instant.seconds, "").at.date();
        let next = if self.is_month() { day.checked_add_months(Months::new(1)) } else { day.succ_opt() };
        Instant::of_day(next.unwrap_or(day))
    }

    /// Whether it names a month and no day.
    pub fn is_month(&self) -> bool {
        !self.instant.day
    }
}

/// The times of all texts as seconds since 1970 in UTC, unless one is none.
pub fn parse_times<'a>(texts: impl Iterator<Item = &'a str>, years: bool) -> Option<Vec<f64>> {
    texts.map(|t| Some(Moment::parse(t, years)?.instant.seconds())).collect()
}

/// The farthest times that are written, in seconds from 1970: years of four digits are within.
const FARTHEST: f64 = 1e12;

/// Times in seconds since 1970 as ISO 8601 texts, all with as much as one of them needs: dates, minutes, seconds, a fraction.
///
/// # Errors
/// A number that is too large, or not one.
pub fn iso_texts(seconds: &[f64]) -> Result<Vec<String>, f64> {
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
    // Whether any of them has a time of day, seconds, a fraction.
    let [clock, of_minute, fraction] = [DAY, 60, 1].map(|of| all.iter().any(|v| v % (of * second) != 0));
    let text = |v: &i64| {
        let t = ClockTime::new(v.div_euclid(second), "");
        let mut text = t.date();
        if clock {
            text.push_str(&format!("T{}", t.hour_minute()));
        }
        if of_minute {
            text.push_str(&format!(":{:02}", t.at.second()));
        }
        if fraction {
            text.push_str(&format!(".{:0digits$}", v.rem_euclid(second)));
        }
        text
    };
    Ok(all.iter().map(text).collect())
}

/// The seconds of a unit and the seconds from 1970 to its start: `days since 1990-01-01`, as CF conventions write it.
pub fn unit_since(unit: &str) -> Option<(f64, f64)> {
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

/// A whole number of this many digits.
fn whole(text: &str, digits: usize) -> Option<u32> {
    let is_plain = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

/// A whole number of two digits, up to `most`.
fn two(text: &str, most: i64) -> Option<i64> {
    whole(text, 2).map(i64::from).filter(|n| *n <= most)
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
        let hour = two(parts.next()?, 23)?;
        let minute = two(parts.next()?, 59)?;
        let (second, fraction) = match parts.next() {
            None => (0, ""),
            Some(s) => {
                let (second, fraction) = s.split_once('.').map_or((s, None), |(s, f)| (s, Some(f)));
                if fraction.is_some_and(|f| f.is_empty() || !f.bytes().all(|b| b.is_ascii_digit())) {
                    return None;
                }
                // A leap second is the last of its minute.
                (two(second, 60)?, fraction.unwrap_or_default().trim_end_matches('0'))
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
    let hour = two(digits.get(..2)?, 14)?;
    let minute = if digits.len() > 2 { two(&digits[2..], 59)? } else { 0 };
    Some(sign * (hour * 3600 + minute * 60))
}

/// Days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;

/// `2026-11-21` of a day since 1970; years beyond four digits carry a sign, as ISO 8601 has them.
pub fn date_text(days: i64) -> String {
    // Dates of chrono end 262,000 years from now.
    let day = NaiveDate::from_epoch_days(days.rem_euclid(ERA) as i32).unwrap_or_default();
    let year = i64::from(day.year()) + 400 * days.div_euclid(ERA);
    let (month, day) = (day.month(), day.day());
    if (0..=9999).contains(&year) {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:+05}-{month:02}-{day:02}")
    }
}

/// Days from 1970-01-01 to the first of a month, counted from January 1970.
pub fn days_of_months(months: i64) -> i64 {
    let first = NaiveDate::default() + Months::new(months.rem_euclid(4800) as u32);
    i64::from(first.to_epoch_days()) + ERA * months.div_euclid(4800)
}

/// The unit of whole numbers that count time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Seconds.
    Seconds,
    /// Thousandths of a second.
    Milli,
    /// Millionths of a second.
    Micro,
    /// Billionths of a second.
    Nano,
}

impl Resolution {
    /// How many are a second.
    pub fn per_second(self) -> i64 {
        match self {
            Self::Seconds => 1,
            Self::Milli => 1_000,
            Self::Micro => 1_000_000,
            Self::Nano => 1_000_000_000,
        }
    }

    /// `10:56:48.5` of a time since midnight.
    pub fn clock_text(self, value: i64) -> String {
        let per = self.per_second();
        let (seconds, part) = (value.div_euclid(per), value.rem_euclid(per));
        let (minutes, second) = (seconds.div_euclid(60), seconds.rem_euclid(60));
        let (hour, minute) = (minutes.div_euclid(60), minutes.rem_euclid(60));
        let mut text = format!("{hour:02}:{minute:02}:{second:02}");
        if part > 0 {
            let digits = per.ilog10() as usize;
            text.push_str(format!(".{part:0digits$}").trim_end_matches('0'));
        }
        text
    }

    /// `2026-11-21T10:56:48.5` of a time since 1970, with a Z where it is of UTC.
    pub fn instant_text(self, value: i64, utc: bool) -> String {
        let day = DAY * self.per_second();
        let (date, clock) = (date_text(value.div_euclid(day)), self.clock_text(value.rem_euclid(day)));
        format!("{date}T{clock}{}", if utc { "Z" } else { "" })
    }
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
        assert_eq!(iso_texts(&[-62_198_755_200.0]).unwrap(), ["-0001-01-01"]);
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
        assert_eq!(of("2024-01-01T00:00+02:00").instant, of("2023-12-31T22:00Z").instant);
        assert_eq!(of("2024-01-01").instant, of("2024/01/01 00:00:00.000").instant);
        let nano = |n: u32| of(&format!("2024-01-01T00:00:00.{n:09}Z")).instant;
        assert!(
            nano(1) < nano(2)
                && nano(2) < nano(10)
                && nano(0) < nano(1)
                && nano(500_000_000) == of("2024-01-01T00:00:00.5Z").instant
        );
        assert_eq!(
            [of("2024-01-01T00:00-0130").offset, of("2024-01-01T00:00Z").offset, of("2024-01-01").offset],
            [Some(-5400), Some(0), None]
        );
        let (month, day) = (of("2024-01"), of("2024-01-01"));
        assert!(month.is_month() && !day.is_month() && month.instant < day.instant);
        assert!(
            day.instant < of("2024-01-01T00:00:00.001").instant
                && of("2023-12-31T23:59:59.999").instant < month.instant
        );
    }

    #[test]
    fn days_and_times_are_iso_texts() {
        assert_eq!(
            [0, 11_017, 20_778, -1, -719_528].map(date_text),
            ["1970-01-01", "2000-03-01", "2026-11-21", "1969-12-31", "0000-01-01"]
        );
        assert_eq!([2_932_897, -719_529].map(date_text), ["+10000-01-01", "-0001-12-31"]);
        assert_eq!(Resolution::Milli.clock_text(39_408_500), "10:56:48.5");
        assert_eq!(Resolution::Nano.clock_text(1), "00:00:00.000000001");
        assert_eq!(Resolution::Micro.instant_text(1_795_258_608_500_000, true), "2026-11-21T10:56:48.5Z");
        assert_eq!(Resolution::Seconds.instant_text(-1, false), "1969-12-31T23:59:59");
        // The ends of the range have a text too.
        for unit in [Resolution::Seconds, Resolution::Milli, Resolution::Micro, Resolution::Nano] {
            assert!(
                unit.instant_text(i64::MIN, true).ends_with('Z') && !unit.clock_text(i64::MIN).is_empty()
            );
            assert!(!unit.instant_text(i64::MAX, false).is_empty() && !date_text(i64::MAX).is_empty());
        }
    }
}
