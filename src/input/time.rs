//! Dates and times as ISO 8601 writes them, as seconds since 1970 in UTC.

/// `2026-11`, `2026-11-21`, `2026-11-21T10:56`, `2026-11-21 10:56:48.5Z`, with `+02:00` or `-0730` at the end; a year alone
/// only where `years` allows it. `None` for anything else, days that no calendar has among them.
pub fn parse_time(text: &str, years: bool) -> Option<f64> {
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
    let month = month.map_or(Some(1), |m| whole(m, 2, 1, 12))?;
    let day = day.map_or(Some(1), |d| whole(d, 2, 1, days_of(year, month)))?;
    let days = days_since_1970(year, month, day);
    Some(days as f64 * 86_400.0 + rest.map_or(Some(0.0), clock)?)
}

/// The times of all texts, unless one is none.
pub fn parse_times<'a>(texts: impl Iterator<Item = &'a str>, years: bool) -> Option<Vec<f64>> {
    texts.map(|t| parse_time(t, years)).collect()
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

/// Counts years from March, so that a leap day ends one (H. Hinnant, "chrono-compatible low-level date algorithms").
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Seconds of `10:56`, `10:56:48.5`, with a zone at the end.
fn clock(text: &str) -> Option<f64> {
    let (time, zone) = match text.find(['Z', '+', '-']) {
        Some(i) => (&text[..i], zone(&text[i..])?),
        None => (text, 0.0),
    };
    let mut parts = time.split(':');
    let hour = whole(parts.next()?, 2, 0, 23)?;
    let minute = whole(parts.next()?, 2, 0, 59)?;
    let second = match parts.next() {
        None => 0.0,
        Some(s) => {
            let cut = s.find('.').unwrap_or(s.len());
            // A leap second is the last of its minute.
            let fraction = if cut == s.len() { 0.0 } else { s[cut..].parse().ok()? };
            whole(&s[..cut], 2, 0, 60)? as f64 + fraction
        }
    };
    parts.next().is_none().then_some((hour * 3600 + minute * 60) as f64 + second - zone)
}

/// Seconds that a zone is ahead of UTC.
fn zone(text: &str) -> Option<f64> {
    if text == "Z" {
        return Some(0.0);
    }
    let (sign, digits) = text.strip_prefix('+').map_or_else(|| (-1.0, &text[1..]), |d| (1.0, d));
    let digits = digits.replace(':', "");
    let hour = whole(digits.get(..2)?, 2, 0, 14)?;
    let minute = if digits.len() > 2 { whole(&digits[2..], 2, 0, 59)? } else { 0 };
    Some(sign * (hour * 3600 + minute * 60) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_texts_are_seconds_since_1970() {
        let t = |s| parse_time(s, false);
        assert_eq!(t("1970-01-01"), Some(0.0));
        assert_eq!(t("2000-03-01"), Some(951_868_800.0));
        assert_eq!(t("2026-11-21T10:56:48.5Z"), Some(1_795_258_608.5));
        assert_eq!(t("2026-11-21 12:56:48+02:00"), t("2026-11-21 10:56:48"));
        assert_eq!(t("2026-11"), t("2026-11-01"));
        assert_eq!((t("2026"), parse_time("2026", true)), (None, t("2026-01-01")));
        for bad in ["2026-13", "2023-02-29", "1.5-2", "2026-1-1", "2026-11T10:00", "2026-11-21T25:00", "2026-11-21T10", "é", "", "20-26"] {
            assert_eq!(t(bad), None, "{bad}");
        }
    }
}
