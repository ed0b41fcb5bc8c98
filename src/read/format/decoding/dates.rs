//! Dates and times of columnar files as ISO 8601 texts.

use crate::calendar::date_of;

/// The unit that a column of times counts.
#[cfg_attr(not(all(feature = "parquet", feature = "arrow")), allow(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Seconds,
    Milli,
    Micro,
    Nano,
}

impl Unit {
    fn per_second(self) -> i64 {
        match self {
            Unit::Seconds => 1,
            Unit::Milli => 1_000,
            Unit::Micro => 1_000_000,
            Unit::Nano => 1_000_000_000,
        }
    }
}

/// `2026-11-21` of a day since 1970; years beyond four digits carry a sign, as ISO 8601 has them.
pub(crate) fn date(days: i64) -> String {
    let (year, month, day) = date_of(days);
    if (0..=9999).contains(&year) {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:+05}-{month:02}-{day:02}")
    }
}

/// `10:56:48.5` of a time since midnight.
pub(crate) fn clock(value: i64, unit: Unit) -> String {
    let per = unit.per_second();
    let (seconds, part) = (value.div_euclid(per), value.rem_euclid(per));
    let mut text = format!(
        "{:02}:{:02}:{:02}",
        seconds.div_euclid(3600),
        seconds.rem_euclid(3600) / 60,
        seconds.rem_euclid(60)
    );
    if part > 0 {
        let digits = per.ilog10() as usize;
        text.push_str(format!(".{part:0digits$}").trim_end_matches('0'));
    }
    text
}

/// `2026-11-21T10:56:48.5` of a time since 1970, with a Z where it is of UTC.
pub(super) fn instant(value: i64, unit: Unit, utc: bool) -> String {
    let day = 86_400 * unit.per_second();
    format!(
        "{}T{}{}",
        date(value.div_euclid(day)),
        clock(value.rem_euclid(day), unit),
        if utc { "Z" } else { "" }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_iso_texts() {
        assert_eq!(
            [0, 11_017, 20_778, -1, -719_528].map(date),
            [
                "1970-01-01",
                "2000-03-01",
                "2026-11-21",
                "1969-12-31",
                "0000-01-01"
            ]
        );
        assert_eq!([2_932_897, -719_529].map(date), ["+10000-01-01", "-0001-12-31"]);
        assert_eq!(clock(39_408_500, Unit::Milli), "10:56:48.5");
        assert_eq!(clock(1, Unit::Nano), "00:00:00.000000001");
        assert_eq!(
            instant(1_795_258_608_500_000, Unit::Micro, true),
            "2026-11-21T10:56:48.5Z"
        );
        assert_eq!(instant(-1, Unit::Seconds, false), "1969-12-31T23:59:59");
        // The ends of the range have a text too.
        for unit in [Unit::Seconds, Unit::Milli, Unit::Micro, Unit::Nano] {
            assert!(instant(i64::MIN, unit, true).ends_with('Z') && !clock(i64::MIN, unit).is_empty());
            assert!(!instant(i64::MAX, unit, false).is_empty() && !date(i64::MAX).is_empty());
        }
    }
}
