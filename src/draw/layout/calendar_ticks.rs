//! Ticks at years, months, days and times of day, for axes of times with more cells than labels.

use super::tick_set::{Tick, TickRequest, TickSet, fits};
use gridscope_core::calendar::{ClockTime, Datelike};
use gridscope_core::figure::Ticks;
use gridscope_core::scale::LabelFormat;
use gridscope_core::text::Measure;
use std::ops::Range;

/// Up to this many cells, labels of all are tried first, rotated where they must be.
const FEW: usize = 12;
/// The most ticks unless the user asks for a number.
const MOST: usize = 11;
/// Seconds of a day.
const DAY: i64 = 86_400;

/// A step from tick to tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Seconds(i64),
    Minutes(i64),
    Hours(i64),
    Days(i64),
    /// From Monday to Monday.
    Weeks(i64),
    /// The 1st and the 16th.
    HalfMonths(i64),
    Months(i64),
    Years(i64),
}

/// A unit of steps and their lengths in it.
type UnitSteps = (fn(i64) -> Step, &'static [i64]);

/// The steps that are tried, the shortest first.
const STEPS: [UnitSteps; 8] = [
    (Step::Seconds, &[1, 2, 5, 10, 15, 30]),
    (Step::Minutes, &[1, 2, 5, 10, 15, 30]),
    (Step::Hours, &[1, 2, 3, 6, 12]),
    (Step::Days, &[1, 2]),
    (Step::Weeks, &[1]),
    (Step::HalfMonths, &[1]),
    (Step::Months, &[1, 2, 3, 6]),
    (Step::Years, &[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]),
];

impl Step {
    /// The number of the step that a time lies in.
    fn number(self, t: &ClockTime) -> i64 {
        let (seconds, year) = (t.seconds(), i64::from(t.at.year()));
        let months = year * 12 + i64::from(t.at.month0());
        match self {
            Self::Seconds(n) => seconds.div_euclid(n),
            Self::Minutes(n) => seconds.div_euclid(n * 60),
            Self::Hours(n) => seconds.div_euclid(n * 3_600),
            Self::Days(n) => seconds.div_euclid(n * DAY),
            // 1970 began on a Thursday.
            Self::Weeks(n) => (seconds + 3 * DAY).div_euclid(n * 7 * DAY),
            Self::HalfMonths(n) => (months * 2 + i64::from(t.at.day() > 15)).div_euclid(n),
            Self::Months(n) => months.div_euclid(n),
            Self::Years(n) => year.div_euclid(n),
        }
    }

    /// Whether a step begins at a time.
    fn begins(self, t: &ClockTime) -> bool {
        let second = ClockTime::new(t.seconds() - 1, "");
        t.fraction.is_empty() && self.number(&second) != self.number(t)
    }

    /// The label of a tick after the one before; `own` is the label of its cell, without what the axis title says.
    fn label(self, t: &ClockTime, before: Option<&ClockTime>, own: &str) -> String {
        let year = own.bytes().take_while(u8::is_ascii_digit).count() >= 4;
        let date = || if year { t.date() } else { t.month_day() };
        let clock = match self {
            Self::Years(_) => return t.year_text(),
            Self::Months(_) => return t.year_month(),
            Self::Days(_) | Self::Weeks(_) | Self::HalfMonths(_) => return date(),
            Self::Seconds(_) => t.time_of_day(),
            Self::Minutes(_) | Self::Hours(_) => t.hour_minute(),
        };
        // A new day is shown, unless all times are of one.
        if !own.contains('-') || before.is_some_and(|b| b.at.date() == t.at.date()) {
            clock
        } else if t.seconds() % DAY == 0 {
            date()
        } else {
            format!("{} {clock}", date())
        }
    }
}

/// Chooses ticks at the cells where years, months, days or times of day begin; `None` where all labels may fit, or none of the
/// steps does.
pub(super) fn calendar(
    ask: &TickRequest<'_>,
    shown: &Range<usize>,
    mark: &dyn Fn(usize) -> f64,
    degrees: i32,
    m: &mut dyn Measure,
) -> Option<Vec<Tick>> {
    let (most, least) = match ask.frame.ticks {
        Ticks::Count(c) => (c as usize, 0),
        _ => (MOST, FEW),
    };
    if shown.len() <= least {
        return None;
    }
    let clock = |i: usize| ask.axis.center(i).map(|t| ClockTime::new(t.floor() as i64, ""));
    let clocks: Vec<ClockTime> = shown.clone().map(clock).collect::<Option<_>>()?;
    let before = shown.start.checked_sub(1).and_then(clock);
    let mut steps = STEPS.iter().flat_map(|(step, counts)| counts.iter().map(move |n| step(*n)));
    steps.find_map(|step| {
        let begins = |k: usize| match k.checked_sub(1).map(|k| &clocks[k]).or(before.as_ref()) {
            Some(before) => step.number(before) != step.number(&clocks[k]),
            None => step.begins(&clocks[k]),
        };
        let cells: Vec<usize> = (0..clocks.len()).filter(|k| begins(*k)).take(most + 1).collect();
        if !(2..=most).contains(&cells.len()) {
            return None;
        }
        let mut previous: Option<&ClockTime> = None;
        let mut ticks = Vec::with_capacity(cells.len());
        for k in cells {
            let (t, i) = (&clocks[k], shown.start + k);
            let own = ask.axis.levels.last().map_or("", |l| l[i].as_str());
            let text = match &ask.frame.format {
                Some(LabelFormat::Time(format)) => format.format(t),
                _ => step.label(t, previous, own),
            };
            let width = m.size(&text, ask.font).width;
            ticks.push(Tick { at: mark(i), text, width });
            previous = Some(t);
        }
        let set = TickSet {
            ticks,
            // As round numbers, they are upright where the whole axis is shown.
            degrees: if ask.part.is_some() { degrees } else { 0 },
            font: ask.font,
            ..TickSet::default()
        };
        fits(&set, ask).then_some(set.ticks)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::AxisFrame;
    use gridscope_core::calendar::Moment;
    use gridscope_core::figure::TicksWord;
    use gridscope_core::grid::{Axis, AxisKind};
    use gridscope_core::text::Fake;
    use gridscope_core::view::EdgeTable;

    /// The ticks of a time axis of `n` cells, `step` seconds each; labels as they are drawn have `own`.
    fn ticks(first: &str, step: i64, n: usize, own: &str, pixels: u32) -> Vec<String> {
        let first = Moment::parse(first, true).unwrap().clock_time().seconds();
        let centers = (0..n).map(|i| (first + step * i as i64) as f64).collect();
        let mut axis = Axis::number("t", centers, vec![own.to_owned(); n]);
        axis.kind = AxisKind::Time;
        let frame = AxisFrame {
            titles_of_panels: false,
            title: String::new(),
            ticks: Ticks::Word(TicksWord::Auto),
            key_ticks: Vec::new(),
            rotate: None,
            true_spacing: false,
            coordinates: false,
            format: None,
        };
        let ask = TickRequest {
            axis: &axis,
            table: &EdgeTable::fit(n as u32, pixels),
            frame: &frame,
            font: 20.0,
            least: 11.0,
            keys: &[],
            most: 400.0,
            side: false,
            name: "x",
            steep: false,
            part: None,
        };
        let at = |i: usize| (i as f64 + 0.5) * f64::from(pixels) / n as f64;
        let found = calendar(&ask, &(0..n), &at, 0, &mut Fake);
        found.unwrap_or_default().into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn ticks_are_where_parts_of_the_calendar_begin() {
        assert_eq!(
            ticks("2024-01-15", DAY, 220, "01-15", 1500),
            ["2024-02", "2024-03", "2024-04", "2024-05", "2024-06", "2024-07", "2024-08"]
        );
        assert_eq!(
            ticks("1998-06-01", DAY, 4000, "1998-06-01", 900).first().map(String::as_str),
            Some("1999")
        );
        assert_eq!(
            ticks("2024-03-01T06:00", 3600, 60, "03-01 06:00", 900),
            ["03-01 12:00", "03-02", "12:00", "03-03", "12:00"]
        );
        assert_eq!(
            ticks("2024-03-01T09:00", 60, 60, "09:00", 900).first().map(String::as_str),
            Some("09:00")
        );
        assert_eq!(ticks("2024-03-01", DAY, 12, "03-01", 900), Vec::<String>::new());
        assert!(!ticks("0001-01-01", 40 * DAY, 90_000, "0001-01-01", 900).is_empty());
    }
}
