//! Durations as they are written: `1:23:45`, `1 days 02:00:00`, `PT1H30M`, `1h30m`, `250 ms`.

/// Seconds of a unit by its signs.
const UNITS: &[(&[&str], f64)] = &[
    (&["w", "wk", "week", "weeks"], 604_800.0),
    (&["d", "D", "day", "days"], 86_400.0),
    (&["h", "H", "hr", "hrs", "hour", "hours"], 3_600.0),
    (&["m", "min", "mins", "minute", "minutes"], 60.0),
    (&["s", "S", "sec", "secs", "second", "seconds"], 1.0),
    (&["ms", "msec", "millis", "millisecond", "milliseconds"], 1e-3),
    (&["us", "µs", "μs", "usec", "micros", "microsecond", "microseconds"], 1e-6),
    (&["ns", "nsec", "nanos", "nanosecond", "nanoseconds"], 1e-9),
];

/// Seconds of a unit of time: `ms`, `hours`.
pub fn unit_seconds(unit: &str) -> Option<f64> {
    UNITS.iter().find(|(signs, _)| signs.contains(&unit)).map(|(_, seconds)| *seconds)
}

/// A length of time as `1:30:00.5`: hours, minutes and seconds, to the nanosecond.
pub fn duration_text(seconds: f64) -> String {
    let nanos = (seconds.abs() * 1e9).round() as u128;
    let (whole, part) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    let sign = if seconds < 0.0 && nanos > 0 { "-" } else { "" };
    let text = format!("{sign}{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    match part {
        0 => text,
        part => format!("{text}.{}", format!("{part:09}").trim_end_matches('0')),
    }
}

/// The seconds of a duration; `None` for any other text, and for one of years or months, which have no one length. Two numbers
/// with a colon are none either: they may be hours and minutes, or minutes and seconds.
pub fn duration(text: &str) -> Option<f64> {
    let text = text.trim();
    let (negative, rest) = match text.strip_prefix(['-', '−', '+']) {
        Some(rest) => (!text.starts_with('+'), rest),
        None => (false, text),
    };
    let rest = rest.trim_start();
    let seconds = if let Some(days) = days_and_clock(rest) {
        // As pandas writes it, `-1 days +23:59:59` is a second before nothing.
        let (days, clock, signed) = days;
        let days = if negative && signed { -days } else { days };
        let all = days * 86_400.0 + clock;
        return Some(if negative && !signed { -all } else { all });
    } else {
        clock(rest).or_else(|| iso(rest)).or_else(|| units(rest))?
    };
    Some(if negative { -seconds } else { seconds })
}

/// `N days`, `N days HH:MM:SS`, `N day, H:MM:SS`: days, seconds of the clock, and whether the clock has a sign.
fn days_and_clock(text: &str) -> Option<(f64, f64, bool)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).filter(|n| *n > 0)?;
    let days: f64 = text[..digits].parse().ok()?;
    let rest = text[digits..].trim_start();
    let rest = rest.strip_prefix("days").or_else(|| rest.strip_prefix("day"))?;
    let rest = rest.trim_start_matches(',').trim();
    let (signed, rest) = match rest.strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let clock = if rest.is_empty() { 0.0 } else { clock(rest)? };
    Some((days, clock, signed))
}

/// Digits alone.
fn whole(text: &str) -> Option<f64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// A number without a sign and an exponent.
fn decimal(text: &str) -> Option<f64> {
    let is_decimal = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (is_decimal && text.bytes().any(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

/// `H:MM:SS`, with a fraction perhaps.
fn clock(text: &str) -> Option<f64> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let below = |v: f64| (v < 60.0).then_some(v);
    let (minutes, seconds) = (below(whole(minutes)?)?, below(decimal(seconds)?)?);
    parts.next().is_none().then_some(whole(hours)? * 3_600.0 + minutes * 60.0 + seconds)
}

/// ISO 8601: `P1DT2H3M4.5S`, `P2W`.
fn iso(text: &str) -> Option<f64> {
    let text = text.strip_prefix('P')?;
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    if text.is_empty() || text.ends_with('T') {
        return None;
    }
    let sum = |text: &str, units: &[(char, f64)]| -> Option<f64> {
        let (mut rest, mut sum, mut left) = (text, 0.0, units);
        while !rest.is_empty() {
            let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
            let sign = rest[end..].chars().next()?;
            let at = left.iter().position(|(unit, _)| *unit == sign)?;
            sum += decimal(&rest[..end].replace(',', "."))? * left[at].1;
            (left, rest) = (&left[at + 1..], &rest[end + 1..]);
        }
        Some(sum)
    };
    Some(
        sum(date, &[('W', 604_800.0), ('D', 86_400.0)])?
            + sum(time, &[('H', 3_600.0), ('M', 60.0), ('S', 1.0)])?,
    )
}

/// Numbers with units, each smaller than the one before: `1h30m`, `1.5 hours`, `3 min 20 s`.
fn units(text: &str) -> Option<f64> {
    let (mut rest, mut sum, mut last) = (text, 0.0, f64::INFINITY);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number = decimal(&rest[..end])?;
        rest = rest[end..].trim_start();
        let end =
            rest.find(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == ',').unwrap_or(rest.len());
        let unit = unit_seconds(&rest[..end]).filter(|unit| *unit < last)?;
        (sum, last) = (sum + number * unit, unit);
        rest = rest[end..].trim_start_matches([',', ' ']);
    }
    (last < f64::INFINITY).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_those_that_pandas_reads() {
        for (text, seconds) in [
            ("1:23:45", 5_025.0),
            ("0 days 00:01:30", 90.0),
            ("0 days 00:00:07.250000", 7.25),
            ("1 days 01:30:00", 91_800.0),
            ("-1 days +23:59:59", -1.0),
            ("1 day, 0:00:01", 86_401.0),
            ("3 days", 259_200.0),
            ("PT1M30S", 90.0),
            ("P1DT1H", 90_000.0),
            ("PT0.5S", 0.5),
            ("P2W", 1_209_600.0),
            ("1h30m", 5_400.0),
            ("90s", 90.0),
            ("1.5 hours", 5_400.0),
            ("250 ms", 0.25),
            ("2.5 µs", 2.5e-6),
            ("-0:00:05", -5.0),
            ("120:00:00", 432_000.0),
        ] {
            let found = duration(text).unwrap();
            assert!((found - seconds).abs() <= 1e-12 * seconds.abs(), "{text}: {found}");
        }
        for none in
            ["", "8:30", "1:60:00", "P1Y", "P1M", "P", "PT", "1m2h", "5", "5 apples", "h", "1:2", "days"]
        {
            assert_eq!(duration(none), None, "{none:?}");
        }
    }
}
