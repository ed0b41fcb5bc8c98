//! Calendars of climate models, whose years have other lengths than ISO 8601's: `noleap`, `all_leap`, `360_day`.

/// Months of a year with and without a leap day.
const MONTHS: [[i64; 12]; 2] =
    [[31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]];

/// Days of each month in a calendar; `None` for one that ISO 8601 covers, or that is not known.
fn months(calendar: &str) -> Option<[i64; 12]> {
    match calendar {
        "noleap" | "365_day" => Some(MONTHS[0]),
        "all_leap" | "366_day" => Some(MONTHS[1]),
        "360_day" => Some([30; 12]),
        _ => None,
    }
}

/// Dates of times that are counted from a start, as `days since 2024-01-01`, in a calendar of its own; `None` for another unit or
/// calendar, and for times that are no numbers.
pub fn model_dates(times: &[f64], unit: &str, calendar: &str) -> Option<Vec<String>> {
    let months = months(calendar)?;
    let year: i64 = months.iter().sum();
    let (name, start) = unit.split_once(" since ")?;
    let seconds = match name.trim().to_lowercase().trim_end_matches('s') {
        "month" if calendar == "360_day" => 30.0 * 86_400.0,
        "year" if calendar == "360_day" => 360.0 * 86_400.0,
        other => super::unit_seconds(other).filter(|_| other != "m")?,
    };
    let (date, clock) = start.trim().split_once([' ', 'T']).unwrap_or((start.trim(), ""));
    let mut parts = date.split('-').map(|part| part.parse::<i64>().ok());
    let (first, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let valid = (1..=12).contains(&month) && (1..=31).contains(&day);
    let days = valid.then(|| first * year + months[..month as usize - 1].iter().sum::<i64>() + day - 1)?;
    let clock: Vec<f64> =
        clock.trim_end_matches(['Z', ' ']).split(':').filter_map(|p| p.parse().ok()).collect();
    let clock: f64 = clock.iter().zip([3_600.0, 60.0, 1.0]).map(|(n, unit)| n * unit).sum();
    let start = days as f64 * 86_400.0 + clock;
    let instants: Option<Vec<i64>> = times
        .iter()
        .map(|t| Some((start + t * seconds).round()).filter(|s| s.abs() < 1e15).map(|s| s as i64))
        .collect();
    let instants = instants?;
    let is_day = instants.iter().all(|s| s.rem_euclid(86_400) == 0);
    let text = |s: &i64| {
        let (days, rest) = (s.div_euclid(86_400), s.rem_euclid(86_400));
        let (of_year, mut day, mut month) = (days.div_euclid(year), days.rem_euclid(year), 0);
        while day >= months[month] {
            day -= months[month];
            month += 1;
        }
        let date = format!("{of_year:04}-{:02}-{:02}", month + 1, day + 1);
        match is_day {
            true => date,
            false => format!("{date}T{:02}:{:02}:{:02}", rest / 3_600, rest / 60 % 60, rest % 60),
        }
    };
    Some(instants.iter().map(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_have_their_own_days() {
        let of = |times: &[f64], unit: &str, calendar: &str| model_dates(times, unit, calendar).unwrap();
        assert_eq!(
            of(&[0.0, 58.0, 59.0], "days since 2024-01-01", "noleap"),
            ["2024-01-01", "2024-02-28", "2024-03-01"]
        );
        assert_eq!(
            of(&[0.0, 1.0, 13.0], "months since 2023-01-01", "360_day"),
            ["2023-01-01", "2023-02-01", "2024-02-01"]
        );
        assert_eq!(of(&[29.0], "days since 2023-02-01", "360_day"), ["2023-02-30"]);
        assert_eq!(of(&[36.0], "hours since 2000-12-31 06:00:00", "365_day"), ["2001-01-01T18:00:00"]);
        assert_eq!(of(&[59.0], "days since 2023-01-01", "all_leap"), ["2023-02-29"]);
        assert!(model_dates(&[0.0], "days since 2024-01-01", "standard").is_none());
        assert!(model_dates(&[f64::NAN], "days since 2024-01-01", "noleap").is_none());
        assert!(model_dates(&[0.0], "days since 2024-13-01", "noleap").is_none());
    }
}
