//! Dates in other spellings than ISO 8601: `1.3.2024`, `2024-3-1`, `20240301`, `Mar 1, 2024`.
//!
//! Days and months that could change places, as in `3/1/2024`, are read only where a whole column tells which is which.

use crate::periods::period_start;
use crate::time::{Instant, Moment};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The time that a text says, a year alone included.
pub(super) fn instant(text: &str) -> Option<Instant> {
    let moment = Moment::parse(text, true).or_else(|| moment(text))?;
    Some(moment.instant)
}

/// The date or time that a text says; no year alone.
pub(super) fn moment(text: &str) -> Option<Moment> {
    Moment::parse(text, false).or_else(|| Moment::parse(&iso(text.trim())?, false))
}

/// The time of a text for comparisons by size: also the begin of a quarter, half or week.
pub(super) fn begin(text: &str) -> Option<Instant> {
    instant(text).or_else(|| period_start(text))
}

/// The text as ISO 8601 writes it.
pub(super) fn iso(text: &str) -> Option<String> {
    let (date, clock) = parted(text)?;
    let (year, month, day) = numbers(date).or_else(|| words(date))?;
    match day {
        Some(day) => Some(format!("{year:0>4}-{month:0>2}-{day:0>2}{clock}")),
        None => clock.is_empty().then(|| format!("{year:0>4}-{month:0>2}")),
    }
}

/// Both readings of a date whose day and month may change places, as ISO 8601 writes them: day first, then month first.
pub(super) fn either(text: &str) -> Option<[String; 2]> {
    let (date, clock) = parted(text)?;
    let separator = date.chars().find(|c| matches!(c, '/' | '-'))?;
    let mut parts = date.split(separator);
    let (a, b, year) = (parts.next()?, parts.next()?, parts.next()?);
    let fits = is_number(a, 1..=2) && is_number(b, 1..=2) && is_number(year, 4..=4);
    let iso = |day: &str, month: &str| format!("{year}-{month:0>2}-{day:0>2}{clock}");
    (fits && parts.next().is_none()).then(|| [iso(a, b), iso(b, a)])
}

/// How a date is written: its separators, and where the year and words are.
pub(super) fn format(text: &str) -> String {
    let date = parted(text.trim()).map_or(text, |parted| parted.0);
    let mut format = String::new();
    for part in date.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        format.push(match (word.bytes().all(|b| b.is_ascii_digit()), word.len()) {
            (true, 4) => 'Y',
            (true, _) => '0',
            (false, _) => 'B',
        });
        format.push_str(&part[word.len()..]);
    }
    format
}

/// The date of a text, and its time of day as ISO 8601 writes it behind a date.
fn parted(text: &str) -> Option<(&str, String)> {
    // Longer texts are not dates: a column of documents takes no time.
    if text.len() > 40 || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let Some(colon) = text.find(':') else {
        return Some((text, String::new()));
    };
    let cut = text[..colon].rfind(['T', ' '])?;
    let (hour, rest) = (&text[cut + 1..colon], &text[colon..]);
    let half = rest.len().checked_sub(2).and_then(|at| rest.get(at..));
    let is_half = |word: &str| half.is_some_and(|h| h.eq_ignore_ascii_case(word));
    let clock = match (is_half("am"), is_half("pm")) {
        (false, false) => format!("T{hour:0>2}{rest}"),
        (_, pm) => {
            let hour: u32 = hour.parse().ok().filter(|h| (1..=12).contains(h))?;
            let hour = hour % 12 + if pm { 12 } else { 0 };
            format!("T{hour:02}{}", rest[..rest.len() - 2].trim_end())
        }
    };
    Some((text[..cut].trim_end(), clock))
}

type Date<'t> = (&'t str, String, Option<&'t str>);

/// A date of numbers only.
fn numbers(date: &str) -> Option<Date<'_>> {
    if date.len() == 8 && is_number(date, 8..=8) {
        return Some((&date[..4], date[4..6].to_owned(), Some(&date[6..])));
    }
    let separator = date.chars().find(|c| !c.is_ascii_digit())?;
    let parts: Vec<&str> = date.split(separator).collect();
    let [first, month, last] = parts[..] else {
        return None;
    };
    let (year, day) = match separator {
        _ if first.len() == 4 => (first, last),
        '.' => (last, first),
        _ => return None,
    };
    let fits = is_number(year, 4..=4) && is_number(month, 1..=2) && is_number(day, 1..=2);
    (fits && matches!(separator, '.' | '-' | '/')).then(|| (year, month.to_owned(), Some(day)))
}

/// A date whose month is an English word.
fn words(date: &str) -> Option<Date<'_>> {
    let (mut year, mut month, mut day) = (None, None, None);
    for word in date.split([' ', ',', '-', '.', '/']).filter(|w| !w.is_empty()) {
        let place = if word.starts_with(|c: char| c.is_alphabetic()) {
            let lower = word.to_lowercase();
            let is_month = |m: &str| lower.len() > 2 && m.starts_with(&lower);
            match MONTHS.iter().position(|m| is_month(m)) {
                Some(at) if month.is_none() => month = Some((at + 1).to_string()),
                _ => return None,
            }
            continue;
        } else if is_number(word, 4..=4) {
            &mut year
        } else if is_number(word, 1..=2) {
            &mut day
        } else {
            return None;
        };
        if place.replace(word).is_some() {
            return None;
        }
    }
    Some((year?, month?, day))
}

fn is_number(text: &str, digits: std::ops::RangeInclusive<usize>) -> bool {
    digits.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_spellings_are_the_same_day() {
        let day = instant("2024-03-01");
        for text in [
            "2024/03/01",
            "2024-3-1",
            "1.3.2024",
            "01.03.2024",
            "2024.03.01",
            "20240301",
            "Mar 1, 2024",
            "1 March 2024",
            "01-Mar-2024",
            "2024-03-01 00:00:00",
            "1.3.2024 00:00",
        ] {
            assert_eq!(instant(text), day, "{text}");
        }
        assert_eq!(instant("March 2024"), instant("2024-03"));
        assert_eq!(instant("1.3.2024 12:30"), instant("2024-03-01T12:30"));
    }

    #[test]
    fn what_says_no_day_for_sure_is_no_date() {
        for text in [
            "",
            "3/1/2024",
            "1.3.24",
            "32.1.2024",
            "30.2.2024",
            "2024-13-1",
            "1.5",
            "1.2.3",
            "Mar",
            "Mar 1",
            "May May 2024",
            "12:30",
            "٣.3.2024",
            "v1.3.2024",
            "1 3 2024",
            "M 1 2024",
            "2024031",
            ":",
        ] {
            assert_eq!(instant(text), None, "{text}");
        }
    }
}
