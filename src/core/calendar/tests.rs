//! The calendar against arithmetic written out: H. Hinnant, "chrono-compatible low-level date algorithms".

use super::*;
use gridscope_random::{Random, cases};

/// Days of 400 years.
const ERA: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// Days since 1970-01-01 of a date. Years are counted from March, so that a leap day ends its year.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    y.div_euclid(400) * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH
}

/// Year, month and day of a number of days since 1970-01-01.
fn date_of(days: i64) -> (i64, i64, i64) {
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

/// Days of a month.
fn length(year: i64, month: i64) -> i64 {
    days_of(year + month / 12, month % 12 + 1, 1) - days_of(year, month, 1)
}

/// Week of ISO 8601: that of the year's first Thursday is 1.
fn week(days: i64) -> i64 {
    let thursday = days - (days + 3).rem_euclid(7) + 3;
    (thursday - days_of(date_of(thursday).0, 1, 1)) / 7 + 1
}

#[test]
fn far_days_have_a_text() {
    let mut random = Random(31);
    let ends = [i64::MIN, i64::MAX, -719_529, -719_528, 2_932_896, 2_932_897];
    let any = (0..cases(2_000)).map(|case| match case % 2 {
        0 => random.bits() as i64,
        _ => random.within(-4_000_000, 7_000_000),
    });
    for days in ends.into_iter().chain(any) {
        let (year, month, day) = date_of(days);
        let year = match year {
            0..=9999 => format!("{year:04}"),
            _ => format!("{year:+05}"),
        };
        assert_eq!(date_text(days), format!("{year}-{month:02}-{day:02}"), "{days}");
    }
}

#[test]
fn months_since_1970_begin_on_their_days() {
    let mut random = Random(32);
    for _ in 0..cases(2_000) {
        let months = random.within(-10_000_000i64, 10_000_000);
        let first = days_of(1970 + months.div_euclid(12), months.rem_euclid(12) + 1, 1);
        assert_eq!(days_of_months(months), first, "{months}");
    }
}

#[test]
fn clocks_show_the_parts_of_a_time() {
    let mut random = Random(33);
    let format: TimeFormat = "%F %T %a %j %y %e %I".parse().unwrap();
    for case in 0..cases(2_000) {
        // The second half lies as far from 1970 as times of an axis may.
        let far = if case % 2 == 0 { 40_000 } else { 11_574_074 };
        let (days, of_day) = (random.within(-far, far), random.below(86_400i64));
        let t = ClockTime::new(days * 86_400 + of_day, "");
        let (year, month, day) = date_of(days);
        let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
        let parts = [t.at.month(), t.at.day(), t.at.hour(), t.at.minute(), t.at.second()];
        assert_eq!(parts.map(i64::from), [month, day, hour, minute, second]);
        assert_eq!((t.seconds(), i64::from(t.at.year())), (days * 86_400 + of_day, year));
        let weekday = (days + 3).rem_euclid(7);
        assert_eq!(i64::from(t.at.weekday().num_days_from_monday()), weekday);
        assert_eq!(i64::from(t.at.iso_week().week()), week(days), "{days}");
        assert_eq!(i64::from(t.at.num_days_in_month()), length(year, month));
        let width = if year < 0 { 5 } else { 4 };
        let date = format!("{year:0width$}-{month:02}-{day:02}");
        let name = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday as usize];
        let of_year = days - days_of(year, 1, 1) + 1;
        let (short, half) = (year.rem_euclid(100), (hour + 11) % 12 + 1);
        let wanted = format!(
            "{date} {hour:02}:{minute:02}:{second:02} {name} {of_year:03} {short:02} {day:2} {half:02}"
        );
        assert_eq!(format.format(&t), wanted);
    }
}

#[test]
fn texts_are_dates_where_the_month_has_that_day() {
    let mut random = Random(34);
    for _ in 0..cases(2_000) {
        let (year, month, day) = (random.below(10_000i64), random.below(14i64), random.below(33i64));
        let text = format!("{year:04}-{month:02}-{day:02}");
        let found = Moment::parse(&text, false);
        if !(1..=12).contains(&month) || !(1..=length(year, month)).contains(&day) {
            assert_eq!(found, None, "{text}");
            continue;
        }
        let (found, days) = (found.unwrap(), days_of(year, month, day));
        assert_eq!(found.instant.seconds(), (days * 86_400) as f64, "{text}");
        assert_eq!(found.next().seconds(), ((days + 1) * 86_400) as f64, "{text}");
        let month_alone = Moment::parse(&text[..7], false).unwrap();
        let next = days_of(year, month, 1) + length(year, month);
        assert_eq!(month_alone.next().seconds(), (next * 86_400) as f64, "{text}");
        let texts = iso_texts(&[found.instant.seconds()]).unwrap();
        assert_eq!(texts, [text.as_str()]);
        let of_week = format!("2{:03}-W{:02}", year % 200, 1 + day % 53);
        let fourth = days_of(2000 + year % 200, 1, 4);
        let monday = fourth - (fourth + 3).rem_euclid(7) + day % 53 * 7;
        let start = period_start(&of_week).map(|s| s.seconds());
        assert_eq!(start, Some((monday * 86_400) as f64), "{of_week}");
    }
}
