//! Quarters, halves and weeks of years, `2023Q2`, `Q2 2024`, `2024-W05`, and months with two digits of a year, `Feb-24`.

use super::calendar::days_since_1970;
use super::calendar_names::{calendar_places, month};
use super::time::Instant;
use std::collections::HashSet;

/// A quarter, half or week of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Period {
    /// `Q`, `H` or `W`.
    unit: char,
    year: i64,
    number: i64,
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
            (
                year(after[digits..].trim_start_matches(is_between), false)?,
                number(&after[..digits])?,
            )
        } else if let Some(number) = number(before).filter(|_| unit == 'Q') {
            (year(after.trim_start_matches(is_between), true)?, number)
        } else {
            (year(before.trim_end_matches(is_between), false)?, number(after)?)
        };
        Some(Self { unit, year, number })
    }

    /// The day on which it begins.
    fn first_day(self) -> i64 {
        let month = match self.unit {
            'Q' => self.number * 3 - 2,
            'H' => self.number * 6 - 5,
            _ => {
                // The first week has the 4th of January, and begins on a Monday; 1970-01-01 was a Thursday.
                let fourth = days_since_1970(self.year, 1, 4);
                return fourth - (fourth + 3).rem_euclid(7) + (self.number - 1) * 7;
            }
        };
        days_since_1970(self.year, month, 1)
    }
}

/// A year; of two digits where `short` ones are, or a mark says that they are a year.
fn year(text: &str, short: bool) -> Option<i64> {
    let plain = text.trim_start_matches("FY").trim_start_matches([' ', '\'']);
    let value = plain
        .parse()
        .ok()
        .filter(|_| plain.bytes().all(|b| b.is_ascii_digit()))?;
    match plain.len() {
        4 if (1900..=2199).contains(&value) => Some(value),
        2 if short || plain.len() < text.len() => Some(2000 + value),
        _ => None,
    }
}

/// The first moment of a quarter, half or week.
pub(super) fn period_start(text: &str) -> Option<Instant> {
    Some(Instant::of_day(Period::parse(text)?.first_day()))
}

/// The place of each label in time, where all are of one kind of the calendar: months, weekdays, periods of years, or months with
/// two digits of their year. `None` for fewer than two labels.
pub(super) fn places_in_time(labels: &[String]) -> Option<Vec<u32>> {
    if labels.len() < 2 {
        return None;
    }
    calendar_places(labels)
        .or_else(|| period_places(labels))
        .or_else(|| month_years(labels))
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
        Some((year, year * 12 + i64::from(month(name)?)))
    };
    let months: Vec<(i64, i64)> = labels.iter().map(number).collect::<Option<_>>()?;
    let years: HashSet<i64> = months.iter().map(|m| m.0).collect();
    let (low, high) = (
        months.iter().map(|m| m.1).min()?,
        months.iter().map(|m| m.1).max()?,
    );
    let distinct: HashSet<i64> = months.iter().map(|m| m.1).collect();
    let follow = high - low + 1 == distinct.len() as i64 && distinct.len() >= 3;
    (follow && years.len() < distinct.len()).then(|| ranks(&months))
}

fn ranks<T: Ord + Copy>(all: &[T]) -> Vec<u32> {
    let mut sorted = all.to_vec();
    sorted.sort_unstable();
    all.iter()
        .map(|one| sorted.partition_point(|other| other < one) as u32)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(labels: &[&str]) -> Option<String> {
        let labels: Vec<String> = labels.iter().map(|l| (*l).to_owned()).collect();
        let places = places_in_time(&labels)?;
        let mut ids: Vec<usize> = (0..labels.len()).collect();
        ids.sort_by_key(|&i| places[i]);
        Some(
            ids.iter()
                .map(|&i| labels[i].as_str())
                .collect::<Vec<_>>()
                .join(" "),
        )
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
        assert_eq!(day("2024-W01"), days_since_1970(2024, 1, 1));
        assert_eq!(day("2021-W01"), days_since_1970(2021, 1, 4));
        assert_eq!(day("2020-W53"), days_since_1970(2020, 12, 28));
        assert_eq!(day("2023Q4"), days_since_1970(2023, 10, 1));
    }
}
