//! Proleptic Gregorian calendar: dates to days since 1970-01-01 and back.
//!
//! Years are counted from March, so that a leap day ends its year (H. Hinnant, "chrono-compatible low-level date algorithms").

/// Days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// The days since 1970-01-01 of a date; months and days count from 1.
pub(super) fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    y.div_euclid(400) * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH
}

/// The year, month and day of a number of days since 1970-01-01; months and days count from 1.
pub(super) fn date_of(days: i64) -> (i64, i64, i64) {
    // Eras are split off first: the epoch would take the greatest numbers past the end of i64.
    let day = days.rem_euclid(ERA) + EPOCH;
    let era = days.div_euclid(ERA) + day / ERA;
    let of_era = day % ERA;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_days_are_inverse() {
        assert_eq!(
            [0, 11_017, -1].map(date_of),
            [(1970, 1, 1), (2000, 3, 1), (1969, 12, 31)]
        );
        assert_eq!(date_of(-719_529), (-1, 12, 31));
        for days in (-800_000..800_000).step_by(97) {
            let (year, month, day) = date_of(days);
            assert_eq!(days_since_1970(year, month, day), days);
        }
        // The ends of the range do not overflow.
        assert_eq!(date_of(i64::MAX).0, 25_252_734_927_768_524);
        assert_eq!(date_of(i64::MIN).0, -25_252_734_927_764_585);
    }
}
