//! Dates in other spellings than ISO 8601, for conditions: `1.3.2024`, `2024-3-1`, `20240301`, `Mar 1, 2024`.
//!
//! Days and months that could change places, as in `3/1/2024`, are not read.

use crate::input::time::{Instant, Moment};

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
    let moment = Moment::parse(text, true).or_else(|| Moment::parse(&iso(text.trim())?, false))?;
    Some(moment.instant)
}

/// The text as ISO 8601 writes it.
fn iso(text: &str) -> Option<String> {
    // Longer texts are no dates: a column of documents takes no time.
    if text.len() > 40 || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let (date, clock) = match text.find(':') {
        Some(colon) => {
            let cut = text[..colon].rfind(['T', ' '])?;
            (text[..cut].trim_end(), Some(&text[cut + 1..]))
        }
        None => (text, None),
    };
    let (year, month, day) = numbers(date).or_else(|| words(date))?;
    let clock = clock.map_or_else(String::new, |c| format!("T{c}"));
    match day {
        Some(day) => Some(format!("{year:0>4}-{month:0>2}-{day:0>2}{clock}")),
        None => clock.is_empty().then(|| format!("{year:0>4}-{month:0>2}")),
    }
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
