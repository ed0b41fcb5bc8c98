//! Parts of times: hours, weekdays, months.

use super::super::dates::moment;
use crate::expression::Function;
use crate::time::Moment;

/// Names of the days of a week, from Monday on, and of months.
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A part of a time.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TimePart {
    Number(i64),
    Name(&'static str),
    Text(String),
}

/// The time that a text says, a year alone included.
pub(super) fn time(text: &str) -> Option<Moment> {
    moment(text).or_else(|| Moment::parse(text, true))
}

/// The part of a time on its own clock; `None` where the time does not say it, as the day of a month alone.
pub(super) fn part(of: &Moment, function: Function) -> Option<TimePart> {
    let clock = of.clock_time();
    let has_month = !of.year;
    let has_day = has_month && !of.is_month();
    let number = |is_there: bool, n: i64| is_there.then_some(TimePart::Number(n));
    let month = usize::try_from(clock.month - 1).ok().filter(|_| has_month);
    match function {
        Function::Minute => number(has_day, clock.minute),
        Function::Hour => number(has_day, clock.hour),
        Function::Day => number(has_day, clock.day),
        Function::Year => number(true, clock.year),
        Function::Week => number(has_day, week(clock.days, clock.year)),
        Function::Quarter => month.map(|m| TimePart::Text(format!("{}Q{}", clock.year, m / 3 + 1))),
        Function::Weekday => has_day.then(|| TimePart::Name(WEEKDAYS[weekday(clock.days)])),
        Function::Month => month.and_then(|m| MONTHS.get(m)).map(|m| TimePart::Name(m)),
        Function::YearMonth => month.map(|_| TimePart::Text(format!("{:04}-{:02}", clock.year, clock.month))),
        Function::Date => {
            let text = || format!("{:04}-{:02}-{:02}", clock.year, clock.month, clock.day);
            has_day.then(|| TimePart::Text(text()))
        }
        _ => None,
    }
}

/// The day of the week, 0 for Monday; 1970-01-01 was a Thursday.
fn weekday(days: i64) -> usize {
    (days + 3).rem_euclid(7) as usize
}

/// The week of ISO 8601: that of the year's first Thursday is 1.
fn week(days: i64, year: i64) -> i64 {
    use crate::calendar::days_since_1970;
    // A week belongs to the year of its Thursday.
    let thursday = days - weekday(days) as i64 + 3;
    let begin = [year + 1, year, year - 1]
        .map(|year| days_since_1970(year, 1, 1))
        .into_iter()
        .find(|begin| *begin <= thursday)
        .unwrap_or(thursday);
    (thursday - begin) / 7 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, function: Function) -> String {
        match part(&time(text).unwrap(), function) {
            Some(TimePart::Number(n)) => n.to_string(),
            Some(TimePart::Name(name)) => name.to_owned(),
            Some(TimePart::Text(text)) => text,
            None => "none".to_owned(),
        }
    }

    #[test]
    fn weeks_are_those_of_iso_8601() {
        for (day, week, weekday) in [
            ("2021-01-03", "53", "Sun"),
            ("2021-01-04", "1", "Mon"),
            ("2024-12-30", "1", "Mon"),
            ("2020-12-31", "53", "Thu"),
            ("2026-11-23", "48", "Mon"),
            ("1969-12-31", "1", "Wed"),
        ] {
            assert_eq!(
                (of(day, Function::Week), of(day, Function::Weekday)),
                (week.into(), weekday.into()),
                "{day}"
            );
        }
    }

    #[test]
    fn a_time_has_only_the_parts_that_it_says() {
        assert_eq!(of("2024-03-01T23:30+02:00", Function::Hour), "23");
        assert_eq!(of("1.3.2024 9:05", Function::YearMonth), "2024-03");
        assert_eq!(of("2024-03", Function::Month), "Mar");
        assert_eq!(of("2024-03", Function::Day), "none");
        assert_eq!(of("2024", Function::Year), "2024");
        assert_eq!(of("2024", Function::Quarter), "none");
        assert_eq!(of("Mar 1, 2024", Function::Quarter), "2024Q1");
    }
}
