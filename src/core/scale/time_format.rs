//! Dates and times as text: the directives of `strftime`.

use crate::notation::{Notation, ParseError};
use std::fmt;
use std::str::FromStr;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];
/// Days of a year before each month, without a leap day.
const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
/// The directives, as messages list them.
const KNOWN: &str = "%Y %y %m %b %B %d %e %j %a %A %H %I %p %M %S %f %F %T %R %%";

/// A date and a time of day on some clock; months and days count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockTime {
    /// Astronomical year: 0 is 1 BC.
    pub year: i64,
    /// Month, 1 to 12.
    pub month: i64,
    /// Day of the month, from 1.
    pub day: i64,
    /// Hour, 0 to 23.
    pub hour: i64,
    /// Minute, 0 to 59.
    pub minute: i64,
    /// Second, 0 to 60.
    pub second: i64,
    /// Digits of the second's fraction.
    pub fraction: String,
    /// Days since 1970-01-01.
    pub days: i64,
}

impl ClockTime {
    /// 0 on Mondays.
    pub fn weekday(&self) -> usize {
        // 1970 began on a Thursday.
        (self.days + 3).rem_euclid(7) as usize
    }

    fn day_of_year(&self) -> i64 {
        let before = BEFORE.get((self.month - 1).max(0) as usize).copied().unwrap_or(0);
        before + self.day + i64::from(self.is_leap() && self.month > 2)
    }

    /// Whether it is the last day of its month.
    pub fn is_month_end(&self) -> bool {
        let long = match self.month {
            2 => 28 + i64::from(self.is_leap()),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        self.day == long
    }

    fn is_leap(&self) -> bool {
        self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0)
    }

    /// `2024-03-14`.
    pub fn date(&self) -> String {
        format!("{}-{}", self.year_text(), self.month_day())
    }

    /// `03-14`.
    pub fn month_day(&self) -> String {
        format!("{:02}-{:02}", self.month, self.day)
    }

    /// `14:05`.
    pub fn hour_minute(&self) -> String {
        format!("{:02}:{:02}", self.hour, self.minute)
    }

    /// At least four digits, as ISO 8601 writes years.
    pub fn year_text(&self) -> String {
        if self.year < 0 {
            format!("{:05}", self.year)
        } else {
            format!("{:04}", self.year)
        }
    }
}

/// A format of dates and times, as `%Y-%m-%d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeFormat {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
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
                Part::Text(c) => out.push(c),
                Part::Field(field, bare) => {
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
    let name = |names: &[&str], i: i64| names.get(i.max(0) as usize).copied().unwrap_or("").to_owned();
    let month = || name(&MONTHS, t.month - 1);
    let weekday = || name(&WEEKDAYS, t.weekday() as i64);
    let first = |text: String| text.chars().take(3).collect::<String>();
    match field {
        'Y' => t.year_text(),
        'y' => format!("{:02}", t.year.rem_euclid(100)),
        'm' => format!("{:02}", t.month),
        'b' => first(month()),
        'B' => month(),
        'd' => format!("{:02}", t.day),
        'e' => format!("{:2}", t.day),
        'j' => format!("{:03}", t.day_of_year()),
        'a' => first(weekday()),
        'A' => weekday(),
        'H' => format!("{:02}", t.hour),
        'I' => format!("{:02}", (t.hour + 11) % 12 + 1),
        'p' => if t.hour < 12 { "AM" } else { "PM" }.to_owned(),
        'M' => format!("{:02}", t.minute),
        'S' => format!("{:02}", t.second),
        'f' => format!("{:0<6.6}", t.fraction),
        'F' => t.date(),
        'R' => t.hour_minute(),
        _ => format!("{:02}:{:02}:{:02}", t.hour, t.minute, t.second),
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
                parts.push(Part::Text(c));
                continue;
            }
            let (bare, field) = match chars.next() {
                Some('-') => (true, chars.next()),
                field => (false, field),
            };
            match field {
                Some('%') => parts.push(Part::Text('%')),
                Some(f) if "YymbBdejaAHIpMSfFTR".contains(f) => parts.push(Part::Field(f, bare)),
                Some(f) => return wrong(format!("%{f} is none of {KNOWN}")),
                None => return wrong(format!("a % at the end; directives are {KNOWN}")),
            }
        }
        if !parts.iter().any(|p| matches!(p, Part::Field(..))) {
            return wrong(format!("give at least one of {KNOWN}"));
        }
        Ok(Self {
            text: text.to_owned(),
            parts,
        })
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
        let t = ClockTime {
            year: 2024,
            month: 3,
            day: 5,
            hour: 14,
            minute: 7,
            second: 9,
            fraction: "25".to_owned(),
            days: 19_787,
        };
        let f = |spec: &str| spec.parse::<TimeFormat>().unwrap().format(&t);
        // As `datetime(2024, 3, 5, 14, 7, 9, 250000).strftime` of Python.
        assert_eq!(
            [
                f("%Y-%m-%d"),
                f("%b %e '%y"),
                f("%A, %-d %B"),
                f("%a %j"),
                f("%I:%M %p"),
                f("%T.%f")
            ],
            [
                "2024-03-05",
                "Mar  5 '24",
                "Tuesday, 5 March",
                "Tue 065",
                "02:07 PM",
                "14:07:09.250000"
            ]
        );
        assert_eq!(
            [f("%F %R"), f("100%% %H"), f("%-H h")],
            ["2024-03-05 14:07", "100% 14", "14 h"]
        );
        let year = |year: i64| ClockTime { year, ..t.clone() }.year_text();
        assert_eq!([year(1), year(-12), year(12_345)], ["0001", "-0012", "12345"]);
    }

    #[test]
    fn other_directives_are_refused_by_name() {
        for (text, why) in [
            ("%Q", "%Q is none of"),
            ("%Y %", "a % at the end"),
            ("year", "at least one of"),
        ] {
            let e = text.parse::<TimeFormat>().unwrap_err().to_string();
            assert!(e.contains(why) && e.contains("is not a time format"), "{e}");
        }
    }
}
