//! Dates in other spellings than ISO 8601: `1.3.2024`, `2024-3-1`, `20240301`, `Mar 1, 2024`, `31-Jan-24`, `Wed, 31 Jan 2024 10:15:00
//! +0000`; and texts in the shape of a date that are not one, or are ambiguous.
//!
//! Days and months that could change places, as in `3/1/2024`, are read only where a whole column tells which is which.

use super::moment::{Instant, Moment};
use super::periods::period_start;
use chrono::{Month, Weekday};
use std::borrow::Cow;

/// The time that a text says, a year alone included.
pub fn instant(text: &str) -> Option<Instant> {
    let moment = Moment::parse(text, true).or_else(|| moment(text))?;
    Some(moment.instant)
}

/// The date or time that a text says; no year alone.
pub fn moment(text: &str) -> Option<Moment> {
    Moment::parse(text, false).or_else(|| Moment::parse(&iso(text.trim())?, false))
}

/// The time of a text for comparisons by size: also the begin of a quarter, half or week.
pub fn begin(text: &str) -> Option<Instant> {
    instant(text).or_else(|| period_start(text))
}

/// The text as ISO 8601 writes it.
pub fn iso(text: &str) -> Option<String> {
    let (date, clock) = parted(text)?;
    let (year, month, day) = numbers(&date).or_else(|| words(&date))?;
    match day {
        Some(day) => Some(format!("{year:0>4}-{month:0>2}-{day:0>2}{clock}")),
        None => clock.is_empty().then(|| format!("{year:0>4}-{month:0>2}")),
    }
}

/// Both readings of a date whose day and month may change places, as ISO 8601 writes them: day first, then month first.
pub fn either(text: &str) -> Option<[String; 2]> {
    let (date, clock) = parted(text)?;
    let (separator, [a, b, year]) = parts(&date)?;
    let year = if year.len() == 2 { century(year) } else { year.to_owned() };
    let iso = |day: &str, month: &str| format!("{year}-{month:0>2}-{day:0>2}{clock}");
    (separator != '.' && a.len() < 4 && year.len() == 4).then(|| [iso(a, b), iso(b, a)])
}

/// How a date is written: its separators, and where the year and words are.
pub fn format(text: &str) -> String {
    let date = parted(text.trim()).map_or(Cow::Borrowed(text), |parted| parted.0);
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
fn parted(text: &str) -> Option<(Cow<'_, str>, String)> {
    // Longer texts are not dates: a column of documents takes no time.
    if text.len() > 40 || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    if let Some(basic) = basic(text) {
        return Some(basic);
    }
    let text = without_weekday(text);
    let Some(colon) = text.find(':') else {
        return Some((Cow::Borrowed(text), String::new()));
    };
    let cut = text[..colon].rfind(['T', ' '])?;
    let (hour, rest) = (&text[cut + 1..colon], text[colon..].trim_end());
    let date = text[..cut].trim_end().trim_end_matches(',');
    // A year may stand behind the time of day, as C's ctime writes it.
    let (rest, year) = match rest.rsplit_once(' ') {
        Some((rest, year)) if is_number(year, 4..=4) && !date.contains(['-', '/', '.']) => (rest, Some(year)),
        _ => (rest, None),
    };
    let date = match year {
        Some(year) => Cow::Owned(format!("{date} {year}")),
        None => Cow::Borrowed(date),
    };
    let (rest, zone) = zone(rest)?;
    let half = rest.len().checked_sub(2).and_then(|at| rest.get(at..));
    let is_half = |word: &str| half.is_some_and(|h| h.eq_ignore_ascii_case(word));
    let clock = match (is_half("am"), is_half("pm")) {
        (false, false) => format!("T{hour:0>2}{}{zone}", point(rest)),
        (_, pm) => {
            let hour: u32 = hour.parse().ok().filter(|h| (1..=12).contains(h))?;
            let hour = hour % 12 + if pm { 12 } else { 0 };
            format!("T{hour:02}{}{zone}", point(rest[..rest.len() - 2].trim_end()))
        }
    };
    Some((date, clock))
}

/// A time of day with a point before its fraction.
fn point(clock: &str) -> Cow<'_, str> {
    match clock.rsplit_once(',') {
        Some((seconds, fraction)) if is_number(fraction, 1..=9) => {
            Cow::Owned(format!("{seconds}.{fraction}"))
        }
        _ => Cow::Borrowed(clock),
    }
}

/// A time of day without its zone, and the zone as ISO 8601 writes it; none of a zone that is known by a name alone.
fn zone(clock: &str) -> Option<(&str, String)> {
    let Some((time, zone)) = clock.rsplit_once(' ') else {
        return Some((clock, String::new()));
    };
    let is_offset = |t: &str| {
        let digits = t.strip_prefix(['+', '-']).unwrap_or_default().replace(':', "");
        is_number(&digits, 4..=4) || is_number(&digits, 2..=2)
    };
    match zone {
        "UTC" | "GMT" | "Z" | "utc" => Some((time.trim_end(), "Z".to_owned())),
        _ if is_offset(zone) => Some((time.trim_end(), zone.to_owned())),
        _ => Some((clock, String::new())),
    }
}

/// A text without the name of a weekday before it.
fn without_weekday(text: &str) -> &str {
    let word = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let is_weekday = word >= 3
        && text.get(..3).and_then(|t| t.parse::<Weekday>().ok()).is_some()
        && text[..word].parse::<Weekday>().is_ok();
    if is_weekday { text[word..].trim_start_matches([',', '.', ' ']) } else { text }
}

/// The basic form of ISO 8601: `20240131T101500Z`, with fewer digits of the time perhaps.
fn basic(text: &str) -> Option<(Cow<'_, str>, String)> {
    let (date, clock) = text.split_once('T')?;
    let end = clock.find(|c: char| !c.is_ascii_digit()).unwrap_or(clock.len());
    let (digits, rest) = clock.split_at(end);
    let is_basic = is_number(date, 8..=8) && matches!(digits.len(), 2 | 4 | 6);
    is_basic.then(|| {
        let part = |from: usize| digits.get(from..from + 2).unwrap_or("00");
        let seconds = if digits.len() == 6 { format!(":{}", part(4)) } else { String::new() };
        (Cow::Borrowed(date), format!("T{}:{}{seconds}{}", part(0), part(2), point(rest)))
    })
}

/// A year of two digits, as POSIX reads it: 69 to 99 are of the last century.
fn century(year: &str) -> String {
    format!("{}{year}", if year < "69" { "20" } else { "19" })
}

type Date<'t> = (Cow<'t, str>, String, Option<&'t str>);

/// A date of numbers only.
fn numbers(date: &str) -> Option<Date<'_>> {
    if date.len() == 8 && is_number(date, 8..=8) {
        return Some((date[..4].into(), date[4..6].to_owned(), Some(&date[6..])));
    }
    // A month: 01/2024.
    if let Some((month, year)) = date.split_once('/')
        && is_number(month, 1..=2)
        && is_number(year, 4..=4)
    {
        return Some((year.into(), month.to_owned(), None));
    }
    match parts(date)? {
        (_, [year, month, day]) if year.len() == 4 => Some((year.into(), month.to_owned(), Some(day))),
        ('.', [day, month, year]) => Some((year.into(), month.to_owned(), Some(day))),
        _ => None,
    }
}

/// A date whose month is an English word.
fn words(date: &str) -> Option<Date<'_>> {
    let (mut year, mut month, mut day) = (None, None, None);
    // A day before the word and two digits of a year behind it.
    let short = |day: Option<&str>, month: &Option<String>| {
        day.is_some() && month.is_some() && date.contains(['-', '/'])
    };
    for word in date.split([' ', ',', '-', '.', '/']).filter(|w| !w.is_empty()) {
        let place = if word.starts_with(|c: char| c.is_alphabetic()) {
            let named: Month = word.get(..3)?.parse().ok()?;
            let begin = named.name().get(..word.len())?;
            if !begin.eq_ignore_ascii_case(word) || month.is_some() {
                return None;
            }
            month = Some(named.number_from_month().to_string());
            continue;
        } else if is_number(word, 4..=4) {
            &mut year
        } else if is_number(word, 2..=2) && short(day, &month) && year.is_none() {
            year = Some(Cow::Owned(century(word)));
            continue;
        } else if is_number(word, 1..=2) {
            if day.replace(word).is_some() {
                return None;
            }
            continue;
        } else {
            return None;
        };
        if place.replace(Cow::Borrowed(word)).is_some() {
            return None;
        }
    }
    Some((year?, month?, day))
}

fn is_number(text: &str, digits: std::ops::RangeInclusive<usize>) -> bool {
    digits.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a date between whose numbers points stand has its day first for sure; `None` for other texts and where day and month are
/// the same.
pub fn tells_day_first(text: &str) -> Option<bool> {
    let (date, _) = parted(text.trim())?;
    let (separator, [a, b, _]) = parts(&date)?;
    let plain = |digits: &str| digits.trim_start_matches('0').to_owned();
    let is_dotted = separator == '.' && a.len() < 4 && plain(a) != plain(b) && is_day(b, a);
    is_dotted.then(|| !is_day(a, b))
}

/// Why a text in the shape of a date is not read as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Day and month could change places: `2/3/2024`.
    Ambiguous,
    /// There is no such day: `2024-13-45`.
    None,
}

/// Doubt about a text in the shape of a date; `None` for other texts and for days that there are.
pub fn doubt(text: &str) -> Option<Doubt> {
    let (date, _) = parted(text.trim())?;
    let (separator, [a, b, c]) = parts(&date)?;
    if a.len() == 4 {
        return (!is_day(b, c)).then_some(Doubt::None);
    }
    if c.len() != 4 {
        return None;
    }
    match (is_day(b, a), is_day(a, b)) {
        (false, false) => Some(Doubt::None),
        (true, true) if separator != '.' && a != b => Some(Doubt::Ambiguous),
        _ => None,
    }
}

/// Whether the month is first in a date with the year last, where its numbers tell.
pub fn month_first(text: &str) -> Option<bool> {
    let (separator, [a, b, year]) = parts(text)?;
    let tells = separator != '.' && year.len() == 4 && is_day(a, b) != is_day(b, a);
    tells.then(|| is_day(a, b))
}

/// The time of a date with the year last: by its own numbers, or with the month where others have it.
pub fn year_last(text: &str, month_first_of_others: Option<bool>) -> Option<Instant> {
    let (separator, [a, b, year]) = parts(text)?;
    if separator == '.' || year.len() != 4 {
        return None;
    }
    let is_first = if a == b { Some(true) } else { month_first(text).or(month_first_of_others) };
    let (month, day) = if is_first? { (a, b) } else { (b, a) };
    instant(&format!("{year}-{month:0>2}-{day:0>2}"))
}

/// The separator and the three numbers of a text in the shape of a date.
fn parts(text: &str) -> Option<(char, [&str; 3])> {
    let date = text.trim();
    let separator = date.chars().find(|c| !c.is_ascii_digit())?;
    let parts: Vec<&str> = date.split(separator).collect();
    let [a, b, c] = parts[..] else {
        return None;
    };
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    // Two digits of a year stand behind slashes alone: 1.2.24 may be a version.
    let short = separator == '/';
    let fits = matches!((a.len(), b.len(), c.len()), (4, 1 | 2, 1 | 2) | (1 | 2, 1 | 2, 4))
        || short && matches!((a.len(), b.len(), c.len()), (1 | 2, 1 | 2, 2));
    (fits && matches!(separator, '/' | '-' | '.') && [a, b, c].into_iter().all(digits))
        .then_some((separator, [a, b, c]))
}

fn is_day(month: &str, day: &str) -> bool {
    let of = |t: &str| t.parse::<u32>().unwrap_or(0);
    (1..=12).contains(&of(month)) && (1..=31).contains(&of(day))
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
            "20240301T000000",
            "01-Mar-24",
            "Fri Mar  1 00:00:00 2024",
            "2024-03-01 00:00:00 UTC",
            "2024-03-01 02:00:00 +0200",
            "Fri, 01 Mar 2024 00:00:00 GMT",
            "Friday, March 1, 2024",
            "2024-03-01 12:00 AM",
        ] {
            assert_eq!(instant(text), day, "{text}");
        }
        assert_eq!(instant("March 2024"), instant("2024-03"));
        assert_eq!(instant("03/2024"), instant("2024-03"));
        assert_eq!(instant("2024-03-01 10:15:00,125"), instant("2024-03-01T10:15:00.125"));
        assert_eq!(instant("20240301T1015Z"), instant("2024-03-01T10:15"));
        assert_eq!(instant("1-Jan-69"), instant("1969-01-01"));
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

    #[test]
    fn dates_in_doubt_are_told_from_other_texts() {
        for (text, wanted) in [
            ("2/3/2024", Some(Doubt::Ambiguous)),
            ("02-03-2024", Some(Doubt::Ambiguous)),
            ("2024-13-45", Some(Doubt::None)),
            ("2024-00-01", Some(Doubt::None)),
            ("13/13/2024", Some(Doubt::None)),
            ("32.1.2024", Some(Doubt::None)),
            ("01/15/2024", None),
            ("2.3.2024", None),
            ("2024-03-01", None),
            ("high", None),
            ("1-2-3", None),
            ("٢/٣/2024", None),
            ("", None),
        ] {
            assert_eq!(doubt(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_date_with_the_year_last_is_read_where_its_numbers_tell() {
        for text in ["01/15/2024", "15/1/2024"] {
            assert_eq!(year_last(text, None), instant("2024-01-15"));
        }
        assert_eq!(year_last("3/3/2024", None), instant("2024-03-03"));
        assert_eq!(year_last("2/3/2024", None), None);
        assert_eq!(year_last("2/3/2024", Some(true)), instant("2024-02-03"));
        assert_eq!(year_last("2/3/2024", Some(false)), instant("2024-03-02"));
        assert_eq!(year_last("30/2/2024", None), None);
        assert_eq!(year_last("2024-01-15", None), None);
    }
}
