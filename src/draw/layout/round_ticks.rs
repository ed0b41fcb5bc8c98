//! Ticks at round values, at powers of ten and at places of the calendar, for axes with more cells than labels.

use super::tick_set::{Tick, TickRequest, TickSet, fits};
use super::track::position;
use gridscope_core::calendar::{ClockTime, Datelike};
use gridscope_core::figure::Ticks;
use gridscope_core::grid::{Axis, AxisKind, Number};
use gridscope_core::scale::{LabelFormat, Norm, minus, nice_ticks, norm_ticks, typeset};
use gridscope_core::text::Measure;
use std::ops::Range;

/// The most round values along an axis.
const MOST_TICKS: usize = 1_000;

/// Chooses ticks at round values; `None` if the axis has no equal steps or the labels do not fit.
pub(super) fn continuous(
    ask: &TickRequest<'_>,
    shown: &Range<usize>,
    mark: &dyn Fn(usize) -> f64,
    degrees: i32,
    m: &mut dyn Measure,
) -> Option<Vec<Tick>> {
    let axis = ask.axis;
    let (a, z) = (shown.start, shown.end - 1);
    let (first, last) = match axis.kind {
        // The scale of bins goes from the first edge to the last.
        AxisKind::Number | AxisKind::Log if axis.binned && ask.frame.true_spacing => {
            let edges = axis.edges()?;
            (edges[a], edges[z + 1])
        }
        AxisKind::Index => ((axis.start + a) as f64, (axis.start + z) as f64),
        AxisKind::Time => return calendar(ask, shown, mark, degrees, m),
        AxisKind::Number if ask.frame.true_spacing || even_steps(axis) => (axis.center(a)?, axis.center(z)?),
        AxisKind::Log if ask.frame.true_spacing || geometric_steps(axis) => {
            (axis.center(a)?, axis.center(z)?)
        }
        _ => return None,
    };
    let (low, high) = (first.min(last), first.max(last));
    low.partial_cmp(&high)?;
    // Integers that f64 cannot represent are labelled by their texts.
    if !axis.levels.is_empty() && !axis.binned && low.abs().max(high.abs()) > WHOLE && whole(axis, a..z + 1) {
        return None;
    }
    let most = match ask.frame.ticks {
        // Labels closer than half a line would overlap.
        Ticks::Count(c) => {
            (c as usize).min(MOST_TICKS).min(2 + (f64::from(ask.table.pixels()) / (0.5 * ask.font)) as usize)
        }
        _ => 11,
    };
    let is_whole =
        |i: usize| axis.kind == AxisKind::Index || axis.center(i).is_some_and(|c| c.fract() == 0.0);
    // Powers are whole numbers where the cells are, and fractions lie to scale where they are not.
    let integers = axis.kind != AxisKind::Log && !axis.binned && shown.clone().all(is_whole);
    let mut tried = Vec::new();
    (2..=most.max(2)).rev().find_map(|count| {
        let [from, to] = [low, high].map(|end| near_round(end, high - low));
        let round = match axis.kind {
            AxisKind::Log => norm_ticks(&Norm::Log, from, to, count),
            _ => nice_ticks(from, to, count),
        };
        if round == tried {
            return None;
        }
        tried.clone_from(&round);
        let mut ticks: Vec<Tick> = round
            .into_iter()
            .filter(|t| !integers || t.value.fract() == 0.0)
            .filter_map(|t| {
                let at = position(axis, shown, mark, t.value.clamp(low, high))?;
                // Indices are whole numbers, whatever the step.
                let text = match &ask.frame.format {
                    Some(LabelFormat::Number(format)) => minus(&format.format(Number::F64(t.value))),
                    _ if axis.kind == AxisKind::Index => format!("{:.0}", t.value),
                    _ => typeset(&t.label),
                };
                let width = m.size(&text, ask.font).width;
                Some(Tick { at, text, width })
            })
            .collect();
        ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
        // The whole axis has the ticks that fit when upright. The labels of a part must fit as they are rotated.
        let degrees = if ask.part.is_some() { degrees } else { 0 };
        let set = TickSet { ticks, degrees, font: ask.font, ..TickSet::default() };
        (set.ticks.len() > 1 && fits(&set, ask)).then_some(set.ticks)
    })
}

/// 2^53, from which on f64 does not represent every integer.
pub(super) const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Whether a numeric axis runs in equal steps.
pub(super) fn even_steps(axis: &Axis) -> bool {
    let n = axis.len();
    let (Some(a), Some(b)) = (axis.center(0), axis.center(n - 1)) else {
        return false;
    };
    if n < 3 {
        return false;
    }
    let parts = (n - 1) as f64;
    let (span, share) = (b - a, |i: usize| i as f64 / parts);
    // If the span exceeds f64, coordinates are weighted sums of both ends.
    let step = if span.is_finite() { span / parts } else { b / parts - a / parts };
    let even = |i: usize| {
        if span.is_finite() { a + step * i as f64 } else { a * (1.0 - share(i)) + b * share(i) }
    };
    (0..n).all(|i| axis.center(i).is_some_and(|c| (c - even(i)).abs() <= step.abs() * 1e-6 + 1e-9 * c.abs()))
}

/// Whether a numeric axis runs in equal ratios.
pub(super) fn geometric_steps(axis: &Axis) -> bool {
    let n = axis.len();
    let c: Vec<f64> = (0..n).filter_map(|i| axis.center(i)).collect();
    if c.len() < 3 || c.iter().any(|v| *v <= 0.0) {
        return false;
    }
    let ratio = (c[n - 1] / c[0]).ln() / (n - 1) as f64;
    c.windows(2).all(|p| ((p[1] / p[0]).ln() - ratio).abs() <= ratio.abs() * 1e-3)
}

/// Whether the labels of these cells are integers.
pub(super) fn whole(axis: &Axis, cells: Range<usize>) -> bool {
    axis.levels
        .last()
        .is_some_and(|labels| labels[cells].iter().all(|l| l.trim_start_matches('−').parse::<i128>().is_ok()))
}

/// A number without the rounding error of a sum of floats, `0.3` for `0.30000000000000004`: the number of 14 digits if it is
/// that close and the difference cannot be seen on an axis of length `span`, otherwise the number itself.
fn near_round(v: f64, span: f64) -> f64 {
    let round: f64 = format!("{v:.13e}").parse().unwrap_or(v);
    // Such sums are off by a few units in the last place.
    if v.to_bits().abs_diff(round.to_bits()) <= 4 && (round - v).abs() <= 1e-9 * span { round } else { v }
}

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

    /// Seconds since 1970 at which the step of this number begins.
    fn begin(self, number: i64) -> Option<i64> {
        let day = |year: i64, month: i64, day: u32| {
            let year = i32::try_from(year).ok()?;
            ClockTime::of_day(year, u32::try_from(month + 1).ok()?, day).map(|t| t.seconds())
        };
        match self {
            Self::Seconds(n) => Some(number * n),
            Self::Minutes(n) => Some(number * n * 60),
            Self::Hours(n) => Some(number * n * 3_600),
            Self::Days(n) => Some(number * n * DAY),
            Self::Weeks(n) => Some(number * n * 7 * DAY - 3 * DAY),
            Self::HalfMonths(n) => {
                let half = number * n;
                let month = half.div_euclid(2);
                day(month.div_euclid(12), month.rem_euclid(12), if half % 2 == 0 { 1 } else { 16 })
            }
            Self::Months(n) => day((number * n).div_euclid(12), (number * n).rem_euclid(12), 1),
            Self::Years(n) => day(number * n, 0, 1),
        }
    }

    /// The times from one to another at which a step begins; none where there are more than `most`.
    fn begins_between(self, from: &ClockTime, to: &ClockTime, most: usize) -> Option<Vec<ClockTime>> {
        let numbers = self.number(from)..=self.number(to);
        if numbers.end() - numbers.start() > most as i64 + 1 {
            return None;
        }
        let times = numbers.map(|number| Some(ClockTime::new(self.begin(number)?, "")));
        let within = |t: &ClockTime| (from.seconds()..=to.seconds()).contains(&t.seconds());
        let times: Vec<ClockTime> = times.collect::<Option<Vec<_>>>()?.into_iter().filter(within).collect();
        (times.len() <= most).then_some(times)
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
            Self::Months(_) if year => return t.year_month(),
            // The title says the year.
            Self::Months(_) => return t.month_name(),
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

/// Chooses ticks where years, months, days or times of day begin: there on an axis that is drawn to scale, else at their first
/// cells. `None` where all labels may fit, or none of the steps does.
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
        if ask.frame.true_spacing {
            let times = step.begins_between(clocks.first()?, clocks.last()?, most)?;
            let places = times.iter().map(|t| position(ask.axis, shown, mark, t.seconds() as f64));
            let places: Vec<f64> = places.collect::<Option<_>>()?;
            let own = ask.axis.levels.last().map_or("", |l| l[shown.start].as_str());
            return chosen(ask, step, times.iter().zip(places).map(|(t, at)| (t, at, own)), degrees, m);
        }
        let begins = |k: usize| match k.checked_sub(1).map(|k| &clocks[k]).or(before.as_ref()) {
            Some(before) => step.number(before) != step.number(&clocks[k]),
            None => step.begins(&clocks[k]),
        };
        let cells: Vec<usize> = (0..clocks.len()).filter(|k| begins(*k)).take(most + 1).collect();
        if cells.len() > most {
            return None;
        }
        let own = |i: usize| ask.axis.levels.last().map_or("", |l| l[i].as_str());
        let ticks = cells.iter().map(|k| (&clocks[*k], mark(shown.start + k), own(shown.start + k)));
        chosen(ask, step, ticks, degrees, m)
    })
}

/// The ticks of a step, each a time, its pixel and the label of its cell; none for fewer than two, or where their labels do not fit.
fn chosen<'a>(
    ask: &TickRequest<'_>,
    step: Step,
    times: impl Iterator<Item = (&'a ClockTime, f64, &'a str)>,
    degrees: i32,
    m: &mut dyn Measure,
) -> Option<Vec<Tick>> {
    let (mut previous, mut ticks) = (None, Vec::new());
    for (t, at, own) in times {
        let text = match &ask.frame.format {
            Some(LabelFormat::Time(format)) => format.format(t),
            _ => step.label(t, previous, own),
        };
        let width = m.size(&text, ask.font).width;
        ticks.push(Tick { at, text, width });
        previous = Some(t);
    }
    let set = TickSet {
        ticks,
        // As round numbers, they are upright where the whole axis is shown.
        degrees: if ask.part.is_some() { degrees } else { 0 },
        font: ask.font,
        ..TickSet::default()
    };
    (set.ticks.len() > 1 && fits(&set, ask)).then_some(set.ticks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::AxisFrame;
    use gridscope_core::calendar::Moment;
    use gridscope_core::figure::TicksWord;
    use gridscope_core::text::Fake;
    use gridscope_core::view::EdgeTable;

    #[test]
    fn rounding_errors_of_sums_are_removed() {
        assert_eq!(
            [near_round(0.1 + 0.2, 1.0), near_round(0.7 + 0.1, 1.0), near_round(0.0, 1.0)],
            [0.3, 0.8, 0.0]
        );
        assert_eq!(near_round(0.1 + 0.2, 1e-15), 0.1 + 0.2);
        let own = [1.0 / 3.0, 5e-324, f64::MAX, -0.123456789012345];
        assert_eq!(own.map(|v| near_round(v, 1.0)), own);
    }

    #[test]
    fn steps_beyond_f64_are_even_or_not() {
        let axis = |c: Vec<f64>| Axis::number("x", c.clone(), c.iter().map(f64::to_string).collect());
        assert!(even_steps(&axis(vec![-1.7e308, 0.0, 1.7e308])));
        assert!(!even_steps(&axis(vec![-1.7e308, 1e308, 1.7e308])));
        assert!(whole(&Axis::number("x", vec![1.0], vec!["9007199254740993".to_owned()]), 0..1));
        assert!(!whole(&axis(vec![1.5]), 0..1));
    }

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
            ["Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug"]
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
