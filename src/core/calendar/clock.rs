//! Dates and times of day as a clock shows them, and their formats, which have the directives of `strftime`.

use crate::notation::{Notation, ParseError};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Timelike, Utc};
use std::fmt;
use std::str::FromStr;

/// The directives, as messages list them.
const KNOWN: &str = "%Y %y %m %b %B %d %e %j %a %A %H %I %p %M %S %f %F %T %R %%";

/// A date and a time of day on some clock, in the proleptic Gregorian calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockTime {
    /// Date and time of day in whole seconds.
    pub at: NaiveDateTime,
    /// Digits of the second's fraction.
    pub fraction: String,
}

impl ClockTime {
    /// The time this many seconds after 1970 began; 262,000 years from it, the first or last one.
    pub fn new(seconds: i64, fraction: &str) -> Self {
        let end = if seconds < 0 { DateTime::<Utc>::MIN_UTC } else { DateTime::<Utc>::MAX_UTC };
        Self {
            at: DateTime::from_timestamp(seconds, 0).unwrap_or(end).naive_utc(),
            fraction: fraction.to_owned(),
        }
    }

    /// The midnight with which a day begins; `None` for a day that the calendar does not have.
    pub fn of_day(year: i32, month: u32, day: u32) -> Option<Self> {
        let at = NaiveDate::from_ymd_opt(year, month, day)?.and_hms_opt(0, 0, 0)?;
        Some(Self { at, fraction: String::new() })
    }

    /// `Mar`.
    pub fn month_name(&self) -> String {
        self.at.format("%b").to_string()
    }

    /// Whole seconds since 1970 on the same clock.
    pub fn seconds(&self) -> i64 {
        self.at.and_utc().timestamp()
    }

    /// `2024-03-14`.
    pub fn date(&self) -> String {
        format!("{}-{}", self.year_text(), self.month_day())
    }

    /// At least four digits, as ISO 8601 writes years.
    pub fn year_text(&self) -> String {
        let width = if self.at.year() < 0 { 5 } else { 4 };
        format!("{:0width$}", self.at.year())
    }

    /// `2024-03`.
    pub fn year_month(&self) -> String {
        format!("{}-{:02}", self.year_text(), self.at.month())
    }

    /// `03-14`.
    pub fn month_day(&self) -> String {
        format!("{:02}-{:02}", self.at.month(), self.at.day())
    }

    /// `14:05`.
    pub fn hour_minute(&self) -> String {
        format!("{:02}:{:02}", self.at.hour(), self.at.minute())
    }

    /// `14:05:09`.
    pub fn time_of_day(&self) -> String {
        format!("{}:{:02}", self.hour_minute(), self.at.second())
    }
}

/// A format of dates and times, as `%Y-%m-%d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeFormat {
    text: String,
    parts: Vec<Directive>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Directive {
    Text(char),
    /// A directive, and whether it has no zeros before its digits (`%-d`).
    Field(char, bool),
}

impl TimeFormat {
    /// The text of a time.
    pub fn format(&self, t: &ClockTime) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match *part {
                Directive::Text(c) => out.push(c),
                Directive::Field(field, bare) => {
                    let text = field_text(t, field);
                    let digits = text.bytes().all(|b| b.is_ascii_digit() || b == b' ');
                    let short = text.trim_start_matches([' ', '0']);
                    out.push_str(match short {
                        _ if !(bare && digits) => &text,
                        "" => "0",
                        short => short,
                    });
                }
            }
        }
        out
    }
}

fn field_text(t: &ClockTime, field: char) -> String {
    match field {
        'Y' => t.year_text(),
        'F' => t.date(),
        'f' => format!("{:0<6.6}", t.fraction),
        _ => t.at.format(&format!("%{field}")).to_string(),
    }
}

impl FromStr for TimeFormat {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = |why: String| Err(ParseError::new(Notation::TimeFormat, text, why));
        let mut parts = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            if c != '%' {
                parts.push(Directive::Text(c));
                continue;
            }
            let (bare, field) = match chars.next() {
                Some('-') => (true, chars.next()),
                field => (false, field),
            };
            match field {
                Some('%') => parts.push(Directive::Text('%')),
                Some(f) if "YymbBdejaAHIpMSfFTR".contains(f) => parts.push(Directive::Field(f, bare)),
                Some(f) => return wrong(format!("%{f} is none of {KNOWN}")),
                None => return wrong(format!("a % at the end; directives are {KNOWN}")),
            }
        }
        if !parts.iter().any(|p| matches!(p, Directive::Field(..))) {
            return wrong(format!("give at least one of {KNOWN}"));
        }
        Ok(Self { text: text.to_owned(), parts })
    }
}

/// Writes it as [`FromStr`] reads it.
impl fmt::Display for TimeFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_those_of_strftime() {
        let t = ClockTime::new(1_709_647_629, "25");
        let f = |spec: &str| spec.parse::<TimeFormat>().unwrap().format(&t);
        // As `datetime(2024, 3, 5, 14, 7, 9, 250000).strftime` of Python.
        assert_eq!(
            [f("%Y-%m-%d"), f("%b %e '%y"), f("%A, %-d %B"), f("%a %j"), f("%I:%M %p"), f("%T.%f")],
            ["2024-03-05", "Mar  5 '24", "Tuesday, 5 March", "Tue 065", "02:07 PM", "14:07:09.250000"]
        );
        assert_eq!([f("%F %R"), f("100%% %H"), f("%-H h")], ["2024-03-05 14:07", "100% 14", "14 h"]);
        let year = |year: i32| {
            let at = t.at.with_year(year).unwrap();
            ClockTime { at, ..t.clone() }.year_text()
        };
        assert_eq!([year(1), year(-12), year(12_345)], ["0001", "-0012", "12345"]);
        assert_eq!([i64::MIN, i64::MAX].map(|s| ClockTime::new(s, "").year_text()), ["-262143", "262142"]);
    }

    #[test]
    fn other_directives_are_refused_by_name() {
        for (text, why) in [("%Q", "%Q is none of"), ("%Y %", "a % at the end"), ("year", "at least one of")]
        {
            let e = text.parse::<TimeFormat>().unwrap_err().to_string();
            assert!(e.contains(why) && e.contains("is not a time format"), "{e}");
        }
    }
}
