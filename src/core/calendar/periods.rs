//! Names of months and weekdays; quarters, halves and weeks of years, `2023Q2`, `Q2 2024`, `2024-W05`; and months with two digits
//! of a year, `Feb-24`.

use super::clock::{ClockTime, TimeFormat};
use super::duration::duration;
use super::moment::Instant;
use chrono::{Days, Month, NaiveDate, Weekday};
use std::collections::HashSet;
use std::str::FromStr;

/// Short forms of names that have more than three letters.
const LONGER: [&str; 4] = ["sept", "tues", "thur", "thurs"];

/// A month or a weekday by its English name: in full, or by three letters, in any case.
fn named<T: FromStr>(label: &str) -> Option<T> {
    let label = label.trim().trim_end_matches('.');
    let is_longer = LONGER.iter().any(|l| l.eq_ignore_ascii_case(label));
    (if is_longer { &label[..3] } else { label }).parse().ok()
}

/// The place in the calendar of each label, where all are names of months, or all of weekdays. Weeks begin on Monday, as in
/// ISO 8601.
fn named_places(labels: &[String]) -> Option<Vec<u32>> {
    let months = labels.iter().map(|l| Some(named::<Month>(l)?.number_from_month() - 1));
    let days = labels.iter().map(|l| Some(named::<Weekday>(l)?.num_days_from_monday()));
    months.collect::<Option<_>>().or_else(|| days.collect())
}

/// Two days of one name, by its number: year, month and day of each.
type TwoDays = fn(u32) -> [(i32, u32, u32); 2];

/// Names of months or of weekdays in a format that says nothing else: `%b`, `%B` and `%m`, or `%a` and `%A`.
pub fn formatted_names(labels: &[String], format: &TimeFormat) -> Option<Vec<String>> {
    let month = |l: &String| named::<Month>(l).map(|month| month.number_from_month());
    let weekday = |l: &String| named::<Weekday>(l).map(|day| day.num_days_from_monday() + 1);
    // The same month of two years, or the same weekday of two months: what differs is said by no name.
    let (numbers, both): (Vec<u32>, TwoDays) = match labels.iter().map(month).collect() {
        Some(numbers) => (numbers, |n| [(2001, n, 1), (2012, n, 14)]),
        None => (labels.iter().map(weekday).collect::<Option<_>>()?, |n| [(2001, 1, n), (2012, 10, 14 + n)]),
    };
    let text = |n: u32| {
        let mut said = both(n).into_iter().zip([0, 18_367]).map(|((year, month, day), clock)| {
            let midnight = ClockTime::of_day(year, month, day)?;
            Some(format.format(&ClockTime::new(midnight.seconds() + clock, "")))
        });
        let (first, second) = (said.next()??, said.next()??);
        (first == second).then_some(first)
    };
    numbers.into_iter().map(text).collect()
}

/// A quarter, half or week of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Period {
    /// `Q`, `H` or `W`.
    unit: char,
    year: i32,
    number: u32,
}

impl Period {
    /// Reads `2023Q2`, `2023-Q2`, `Q2 2024`, `FY24 Q1`, `1Q24`, `Q1'24`, `2024-W05`, `H1 2024`, in any case.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > 12 || !text.is_ascii() {
            return None;
        }
        let upper = text.to_ascii_uppercase();
        let (before, unit, after) = ['Q', 'H', 'W'].into_iter().find_map(|unit| {
            let at = upper.find(unit)?;
            Some((&upper[..at], unit, &upper[at + 1..]))
        })?;
        let most = match unit {
            'Q' => 4,
            'H' => 2,
            _ => 53,
        };
        let number = |digits: &str| {
            let plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse().ok().filter(|n| plain && (1..=most).contains(n))
        };
        let is_between = |c: char| matches!(c, ' ' | '-' | '_' | '/');
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (year, number) = if before.is_empty() {
            (year(after[digits..].trim_start_matches(is_between), false)?, number(&after[..digits])?)
        } else if let Some(number) = number(before).filter(|_| unit == 'Q') {
            (year(after.trim_start_matches(is_between), true)?, number)
        } else {
            (year(before.trim_end_matches(is_between), false)?, number(after)?)
        };
        Some(Self { unit, year, number })
    }

    /// The day on which it begins.
    fn first_day(self) -> Option<NaiveDate> {
        let months = match self.unit {
            'Q' => 3,
            'H' => 6,
            _ => {
                // The 53rd week of a year of 52 is the first of the next.
                let first = NaiveDate::from_isoywd_opt(self.year, 1, Weekday::Mon)?;
                return first.checked_add_days(Days::new(u64::from(self.number - 1) * 7));
            }
        };
        NaiveDate::from_ymd_opt(self.year, months * (self.number - 1) + 1, 1)
    }
}

/// A year; of two digits where `short` ones are, or a mark says that they are a year.
fn year(text: &str, short: bool) -> Option<i32> {
    let plain = text.trim_start_matches("FY").trim_start_matches([' ', '\'']);
    let value = plain.parse().ok().filter(|_| plain.bytes().all(|b| b.is_ascii_digit()))?;
    match plain.len() {
        4 if (1900..=2199).contains(&value) => Some(value),
        2 if short || plain.len() < text.len() => Some(2000 + value),
        _ => None,
    }
}

/// The first moment of a quarter, half or week.
pub fn period_start(text: &str) -> Option<Instant> {
    Some(Instant::of_day(Period::parse(text)?.first_day()?))
}

/// The place of each label in time, where all are of one kind of the calendar: months, weekdays, periods of years, or months with
/// two digits of their year. `None` for fewer than two labels.
pub fn places_in_time(labels: &[String]) -> Option<Vec<u32>> {
    if labels.len() < 2 {
        return None;
    }
    let found = named_places(labels).or_else(|| period_places(labels)).or_else(|| month_years(labels));
    found.or_else(|| clock_places(labels)).or_else(|| short_years(labels))
}

/// Times of day, `9:05 PM`, and lengths of time, `120:30`, `1h30m`.
fn clock_places(labels: &[String]) -> Option<Vec<u32>> {
    let places: Vec<u64> = labels.iter().map(|l| Some(length(l)?.to_bits())).collect::<Option<_>>()?;
    Some(ranks(&places))
}

/// Seconds of a time of day or a length of time, where 0:00 is 0; of two numbers the first are hours.
fn length(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.len() > 40 {
        return None;
    }
    let half = text.len().checked_sub(2).and_then(|at| text.get(at..));
    let is_half = |word: &str| half.is_some_and(|h| h.eq_ignore_ascii_case(word));
    let seconds = |clock: &str| {
        duration(clock)
            .or_else(|| duration(&format!("{clock}:00")).filter(|_| clock.matches(':').count() == 1))
    };
    let found = match (is_half("am"), is_half("pm")) {
        (false, false) => seconds(text)?,
        (_, pm) => {
            let clock = seconds(text[..text.len() - 2].trim_end()).filter(|s| (0.0..46_800.0).contains(s))?;
            clock % 43_200.0 + if pm { 43_200.0 } else { 0.0 }
        }
    };
    // Of numbers below 0 the bits are not in order.
    (found >= 0.0).then_some(found)
}

/// Years by an apostrophe and two digits, as POSIX reads them: `'98` is before `'00`.
fn short_years(labels: &[String]) -> Option<Vec<u32>> {
    let one = |label: &String| {
        let digits = label.trim().strip_prefix(['\'', '’'])?;
        let year: u32 = digits.parse().ok().filter(|_| digits.len() == 2)?;
        Some(if year < 69 { year + 100 } else { year })
    };
    Some(ranks(&labels.iter().map(one).collect::<Option<Vec<_>>>()?))
}

fn period_places(labels: &[String]) -> Option<Vec<u32>> {
    let periods: Vec<Period> = labels.iter().map(|l| Period::parse(l)).collect::<Option<_>>()?;
    let is_one_unit = periods.iter().all(|p| p.unit == periods[0].unit);
    is_one_unit.then(|| ranks(&periods))
}

/// Months with two digits: years where the months then follow each other, and the digits change less often than the months do.
/// Otherwise they may be days.
fn month_years(labels: &[String]) -> Option<Vec<u32>> {
    let number = |label: &String| {
        let (name, digits) = label.trim().split_once(['-', ' '])?;
        let digits = digits.strip_prefix('\'').unwrap_or(digits);
        let plain = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit());
        let year: i64 = digits.parse().ok().filter(|_| plain)?;
        Some((year, year * 12 + i64::from(named::<Month>(name)?.number_from_month())))
    };
    let months: Vec<(i64, i64)> = labels.iter().map(number).collect::<Option<_>>()?;
    let years: HashSet<i64> = months.iter().map(|m| m.0).collect();
    let (low, high) = (months.iter().map(|m| m.1).min()?, months.iter().map(|m| m.1).max()?);
    let distinct: HashSet<i64> = months.iter().map(|m| m.1).collect();
    let follow = high - low + 1 == distinct.len() as i64 && distinct.len() >= 3;
    (follow && years.len() < distinct.len()).then(|| ranks(&months))
}

fn ranks<T: Ord + Copy>(all: &[T]) -> Vec<u32> {
    let mut sorted = all.to_vec();
    sorted.sort_unstable();
    all.iter().map(|one| sorted.partition_point(|other| other < one) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(labels: &[&str]) -> Option<String> {
        let labels: Vec<String> = labels.iter().map(|l| (*l).to_owned()).collect();
        let places = places_in_time(&labels)?;
        let mut ids: Vec<usize> = (0..labels.len()).collect();
        ids.sort_by_key(|&i| places[i]);
        Some(ids.iter().map(|&i| labels[i].as_str()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn periods_are_in_the_order_of_time() {
        for (labels, want) in [
            (["2024Q1", "2023Q4", "2023Q2"], "2023Q2 2023Q4 2024Q1"),
            (["Q1 2024", "Q4 2023", "Q2 2023"], "Q2 2023 Q4 2023 Q1 2024"),
            (["2024-q1", "2023-Q4", "2023-Q2"], "2023-Q2 2023-Q4 2024-q1"),
            (["1Q24", "4Q23", "2Q23"], "2Q23 4Q23 1Q24"),
            (["FY24 Q1", "FY23 Q4", "Q2'23"], "Q2'23 FY23 Q4 FY24 Q1"),
            (["2024-W05", "2023-W52", "2023W6"], "2023W6 2023-W52 2024-W05"),
            (["H1 2024", "H2 2023", "2023H1"], "2023H1 H2 2023 H1 2024"),
            (["Jan-24", "Dec-23", "Feb-24"], "Dec-23 Jan-24 Feb-24"),
            (["Jan '24", "Dec '23", "Feb '24"], "Dec '23 Jan '24 Feb '24"),
        ] {
            assert_eq!(sorted(&labels).as_deref(), Some(want));
        }
    }

    #[test]
    fn other_names_have_no_place_in_time() {
        for labels in [
            ["Q1-10", "Q2-5"],
            ["H1-24", "H2-12"],
            ["Q5 2024", "Q1 2024"],
            ["2024Q1", "2024-W05"],
            ["Jan-01", "Jan-02"],
            ["Q1", "Q2"],
            ["QQQ", "HW"],
            ["Q1 1024", "Q1 2024"],
            ["季度Q1 2024", "Q1 2024"],
            ["", "Q"],
            ["2024W54", "2024W1"],
        ] {
            assert_eq!(sorted(&labels), None, "{labels:?}");
        }
        assert_eq!(sorted(&["Jan-30", "Jan-31", "Feb-01", "Feb-02"]), None);
    }

    #[test]
    fn weeks_begin_on_their_monday() {
        let day = |text: &str| Period::parse(text).unwrap().first_day();
        let date = NaiveDate::from_ymd_opt;
        assert_eq!(day("2024-W01"), date(2024, 1, 1));
        assert_eq!(day("2021-W01"), date(2021, 1, 4));
        assert_eq!(day("2020-W53"), date(2020, 12, 28));
        assert_eq!(day("2021-W53"), date(2022, 1, 3));
        assert_eq!(day("2023Q4"), date(2023, 10, 1));
        assert_eq!(day("2023H2"), date(2023, 7, 1));
    }

    fn places(labels: &[&str]) -> Option<Vec<u32>> {
        places_in_time(&labels.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_of_one_kind_have_places() {
        assert_eq!(places(&["Apr", "jan", "DECEMBER", "may"]), Some(vec![3, 0, 11, 4]));
        assert_eq!(places(&["Sunday", "Mon", "Thur", "thursday", "Tues."]), Some(vec![6, 0, 3, 3, 1]));
        assert_eq!(places(&["Sept", "Aug"]), Some(vec![8, 7]));
        for other in [
            &["Jan", "Mon"][..],
            &["Jan", "total"],
            &["Janu", "Feb"],
            &["May"],
            &["März", "Jan"],
            &["", "Jan"],
            &["ju", "Jan"],
        ] {
            assert_eq!(places(other), None, "{other:?}");
        }
    }
}
