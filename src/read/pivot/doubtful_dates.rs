//! Texts that look like dates and are none, or are several.

use super::dates::instant;
use crate::time::Instant;

/// Why a text in the shape of a date is not read as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// Day and month could change places: `2/3/2024`.
    Ambiguous,
    /// There is no such day: `2024-13-45`.
    None,
}

/// What is wrong with a text in the shape of a date; `None` for other texts and for days that there are.
pub(super) fn doubt(text: &str) -> Option<Doubt> {
    let (separator, [a, b, c]) = parts(text)?;
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
pub(super) fn month_first(text: &str) -> Option<bool> {
    let (separator, [a, b, year]) = parts(text)?;
    let tells = separator != '.' && year.len() == 4 && is_day(a, b) != is_day(b, a);
    tells.then(|| is_day(a, b))
}

/// The time of a date with the year last: by its own numbers, or with the month where others have it.
pub(super) fn year_last(text: &str, month_first_of_others: Option<bool>) -> Option<Instant> {
    let (separator, [a, b, year]) = parts(text)?;
    if separator == '.' || year.len() != 4 || a.len() > 2 {
        return None;
    }
    let is_first = if a == b {
        Some(true)
    } else {
        month_first(text).or(month_first_of_others)
    };
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
    let fits = matches!((a.len(), b.len(), c.len()), (4, 1 | 2, 1 | 2) | (1 | 2, 1 | 2, 4));
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
