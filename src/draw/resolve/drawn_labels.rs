//! The labels of axes as they are drawn: numbers in one style, times on one clock and without their common part.

use super::error::ResolveError;
use gridscope_core::calendar::{ClockTime, Datelike, Moment, formatted_names};
use gridscope_core::figure::{AxisLabels, AxisSpec, AxisType};
use gridscope_core::grid::{Axis, AxisKind, Coords, Number};
use gridscope_core::scale::{LabelFormat, NumberFormat, key_labels, minus, typeset};
use gridscope_core::text::{clean_labels, rich, rich_line};
use gridscope_read::are_versions;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Axes with their labels as drawn, one a panel, and what the axis title adds: the year or date that all labels have, and the
/// offset of their clock from UTC.
pub(super) struct DrawnLabels {
    pub axes: Vec<Axis>,
    pub common: Option<String>,
}

/// Texts of keys, and of each how it is drawn.
type Texts = HashMap<String, String>;
/// Labels that the user gave in place of keys.
struct Given<'a> {
    all: bool,
    some: HashSet<&'a str>,
}

impl<'a> Given<'a> {
    fn of(labels: &'a AxisLabels) -> Self {
        Self { all: labels.are_all(), some: labels.texts().map(String::as_str).collect() }
    }

    fn contains(&self, label: &str) -> bool {
        self.all || self.some.contains(label)
    }
}

/// The labels of the axes of all panels along one side, in one style; `name` is that of the axis in figure files.
///
/// # Errors
/// A format that suits no label.
pub(super) fn drawn_labels(axes: &[&Axis], spec: &AxisSpec, name: &str) -> Result<DrawnLabels, ResolveError> {
    let mut drawn = DrawnLabels { axes: axes.iter().map(|a| (*a).clone()).collect(), common: None };
    let given = Given::of(&spec.labels);
    let format = spec.fmt.as_deref();
    let wrong = |what: &str, hint: Option<String>| {
        let format = spec.fmt.as_ref().map_or("", |f| f.text());
        Err(ResolveError::Key { key: format!("{name}.fmt"), what: format!("'{format}' {what}"), hint })
    };
    if let Some(LabelFormat::Number(_)) = format {
        drawn.axes.iter_mut().for_each(number_cells);
    }
    let mut formatted = false;
    let most = drawn.axes.iter().map(|a| a.levels.len()).max().unwrap_or(0);
    for level in 0..most {
        let times = times(&drawn.axes, level, spec, &given);
        let texts = match (format, times) {
            (Some(LabelFormat::Number(_)), Some(_)) => {
                let hint = format!("--{name}fmt '%Y-%m-%d'");
                return wrong("formats numbers, and the axis has times", Some(hint));
            }
            (Some(LabelFormat::Time(f)), Some(times)) => {
                times.shift(&mut drawn.axes);
                drawn.common = times.clock();
                Some(times.keys.into_iter().zip(times.clocks.iter().map(|t| f.format(t))).collect())
            }
            (None, Some(times)) if times.years => {
                let texts = times.clocks.iter().map(ClockTime::year_text);
                Some(times.keys.into_iter().zip(texts).collect())
            }
            (None, Some(times)) => {
                times.shift(&mut drawn.axes);
                let labels = time_labels(&times.clocks, times.months, spec.label.is_none() && most == 1);
                let said: Vec<String> = labels.common.into_iter().chain(times.clock()).collect();
                drawn.common = (!said.is_empty()).then(|| said.join(", "));
                Some(times.keys.into_iter().zip(labels.texts).collect())
            }
            (Some(LabelFormat::Time(f)), None) => {
                let keys: Vec<String> =
                    keys(drawn.axes.iter(), level, &given).into_iter().map(str::to_owned).collect();
                let texts = formatted_names(&keys, f);
                texts.map(|texts| keys.into_iter().zip(texts).collect())
            }
            (Some(LabelFormat::Number(f)), None) => Some(formatted_numbers(&drawn.axes, level, *f)),
            (None, None) if spec.kind != Some(AxisType::Category) => numbers(&drawn.axes, level, &given),
            _ => None,
        };
        let texts: Texts = texts.unwrap_or_default();
        formatted |= !texts.is_empty();
        for axis in &mut drawn.axes {
            let is_inner = level + 1 == axis.levels.len();
            let Some(labels) = axis.levels.get_mut(level) else {
                continue;
            };
            // Where one label is a name, numbers beside it are names too.
            let known = |t: &String| texts.contains_key(t) || given.contains(t.as_str()) || is_infinite(t);
            let all = format.is_some() || labels.iter().all(known);
            let cleaned = clean_labels(labels);
            for (label, cleaned) in labels.iter_mut().zip(cleaned) {
                let own = given.contains(label.as_str());
                *label = match texts.get(label.as_str()) {
                    Some(text) if all && !own => text.clone(),
                    // Labels of the data are drawn as they are, those of the user may have formulas and line breaks.
                    _ if own && is_inner => rich(label),
                    _ if own => rich_line(label),
                    _ => cleaned,
                };
            }
        }
    }
    match format {
        Some(LabelFormat::Time(_)) if !formatted => {
            // Names of months and weekdays say no more than that.
            let labels = axes.iter().find_map(|axis| axis.levels.last());
            let suits = |f: &&str| {
                labels.zip(f.parse().ok()).is_some_and(|(labels, f)| formatted_names(labels, &f).is_some())
            };
            let hint = match ["%b", "%a"].into_iter().find(suits) {
                Some(format) => format!("--{name}fmt {format}"),
                None => format!("--{name}-type time"),
            };
            wrong("formats times, and the axis has none", Some(hint))
        }
        Some(LabelFormat::Number(_)) if !formatted => wrong("formats numbers, and the axis has none", None),
        _ => Ok(drawn),
    }
}

/// Characters of a panel's name that its title gives as they are.
const SHORT_NAME: usize = 8;

/// The names of panels as their titles give them: long numbers in one style.
pub(super) fn panel_names(names: &[&str]) -> Vec<String> {
    let long = names.iter().any(|n| n.len() > SHORT_NAME);
    match key_labels(names, false).filter(|_| long) {
        Some(labels) => labels.iter().map(|l| typeset(l)).collect(),
        None => names.iter().map(|n| (*n).to_owned()).collect(),
    }
}

/// Gives positions texts, which a format can change.
fn number_cells(axis: &mut Axis) {
    if axis.levels.is_empty() {
        axis.levels = vec![(0..axis.len()).map(|i| axis.label(i)).collect()];
    }
}

/// The distinct keys of a level of these axes, without labels that the user gave.
fn keys<'a>(axes: impl Iterator<Item = &'a Axis>, level: usize, given: &Given<'_>) -> Vec<&'a str> {
    let mut known = HashSet::new();
    axes.filter_map(|a| a.levels.get(level))
        .flatten()
        .map(String::as_str)
        .filter(|t| known.insert(*t) && !given.contains(t) && !is_infinite(t))
        .collect()
}

/// An infinity has no digits to shorten.
fn is_infinite(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok_and(f64::is_infinite)
}

/// Numbers of a level in one style, in the panels where all are numbers.
fn numbers(axes: &[Axis], level: usize, given: &Given<'_>) -> Option<Texts> {
    let is_number = |a: &&Axis| {
        let first = a
            .levels
            .get(level)
            .and_then(|l| l.iter().find(|t| !given.contains(t.as_str()) && !is_infinite(t)));
        if first.is_none_or(|t| key_labels(&[t], false).is_none()) {
            return false;
        }
        let own = keys(std::iter::once(*a), level, given);
        if a.kind == AxisKind::Category && are_versions(&own) {
            return false;
        }
        a.kind == AxisKind::Number || a.kind == AxisKind::Log || key_labels(&own, false).is_some()
    };
    let panels: Vec<&Axis> = axes.iter().filter(is_number).collect();
    let log = panels.iter().any(|a| a.kind == AxisKind::Log);
    let keys = keys(panels.into_iter(), level, given);
    let labels = key_labels(&keys, log)?;
    Some(keys.iter().map(|k| (*k).to_owned()).zip(labels.iter().map(|l| typeset(l))).collect())
}

/// Numbers of a level in the user's format; texts among them stay.
fn formatted_numbers(axes: &[Axis], level: usize, format: NumberFormat) -> Texts {
    let number = |text: &str| {
        let whole = text.parse().map(Number::I64).or_else(|_| text.parse().map(Number::U64));
        whole.or_else(|_| text.parse().map(Number::F64)).ok()
    };
    axes.iter()
        .filter_map(|a| a.levels.get(level))
        .flatten()
        .filter_map(|t| Some((t.clone(), minus(&format.format(number(t.trim())?)))))
        .collect()
}

/// The times of a level.
struct Times {
    keys: Vec<String>,
    clocks: Vec<ClockTime>,
    /// None of them names a day.
    months: bool,
    /// None of them names a month.
    years: bool,
    /// Seconds that their clock is ahead of UTC, where some of them say so.
    offset: Option<i64>,
}

impl Times {
    /// Moves coordinates from UTC to the clock of the labels.
    fn shift(&self, axes: &mut [Axis]) {
        for axis in axes.iter_mut().filter(|a| a.kind == AxisKind::Time) {
            if let Some(Coords::Centers(c) | Coords::Edges(c)) = &mut axis.coords {
                c.iter_mut().for_each(|t| *t += self.offset.unwrap_or(0) as f64);
            }
        }
    }

    /// Whose clock the labels show, unless the times do not say it.
    fn clock(&self) -> Option<String> {
        self.offset.map(|offset| match offset {
            0 => "UTC".to_owned(),
            offset => {
                let sign = if offset < 0 { '−' } else { '+' };
                format!("{sign}{:02}:{:02}", offset.abs() / 3600, offset.abs() % 3600 / 60)
            }
        })
    }
}

/// The times of a level, by their own clock where it is one, else by that of UTC; none where one is not a time.
fn times(axes: &[Axis], level: usize, spec: &AxisSpec, given: &Given<'_>) -> Option<Times> {
    let typed = axes.iter().any(|a| a.kind == AxisKind::Time);
    if !typed
        && (spec.kind == Some(AxisType::Category) || spec.fmt.is_none())
        && axes.iter().any(|a| a.levels.len() == 1)
    {
        return None;
    }
    let keys = keys(axes.iter(), level, given);
    let mut moments = Vec::with_capacity(keys.len());
    for key in &keys {
        moments.push(Moment::parse(key, typed)?);
    }
    let first = moments.first()?;
    let offset = if moments.iter().all(|m| m.offset == first.offset) { first.offset } else { Some(0) };
    Some(Times {
        offset,
        months: moments.iter().all(Moment::is_month),
        years: moments.iter().all(|m| m.year),
        clocks: moments.iter().map(|m| m.at_offset(offset.unwrap_or(0))).collect(),
        keys: keys.into_iter().map(str::to_owned).collect(),
    })
}

/// Labels of times, and the part that all have in common and the axis title says.
struct TimeLabels {
    pub texts: Vec<String>,
    pub common: Option<String>,
}

/// The finest part of a time that labels show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Year,
    Month,
    Day,
    Minute,
    Second,
    /// This many digits of the second's fraction.
    Fraction(usize),
}

/// The labels of times that differ; `months` are those that name a month and no day. With `title` a common year or date is left
/// out of them.
fn time_labels(times: &[ClockTime], months: bool, title: bool) -> TimeLabels {
    let unit = unit(times, months);
    let common = Some(times).filter(|t| title && t.len() > 1).and_then(|t| common(t, unit));
    let (year, date) = match &common {
        None => (true, true),
        Some(text) => (false, !text.contains('-')),
    };
    let text = |t: &ClockTime| {
        let day = if year { t.date() } else { t.month_day() };
        let clock = match unit {
            Unit::Year => return t.year_text(),
            Unit::Month => return t.year_month(),
            Unit::Day => return day,
            Unit::Minute => t.hour_minute(),
            Unit::Second => t.time_of_day(),
            Unit::Fraction(n) => format!("{}.{:0<n$.n$}", t.time_of_day(), t.fraction),
        };
        if date { format!("{day} {clock}") } else { clock }
    };
    TimeLabels { texts: times.iter().map(text).collect(), common }
}

/// The year or the date that all times have, and finer labels need not repeat.
fn common(times: &[ClockTime], unit: Unit) -> Option<String> {
    let first = times.first()?;
    if matches!(unit, Unit::Year | Unit::Month) || times.iter().any(|t| t.at.year() != first.at.year()) {
        return None;
    }
    if unit != Unit::Day && times.iter().all(|t| t.at.date() == first.at.date()) {
        return Some(first.date());
    }
    Some(first.year_text())
}

fn unit(times: &[ClockTime], months: bool) -> Unit {
    let Some(first) = times.first() else {
        return Unit::Day;
    };
    let several = times.len() > 1;
    let clock = |t: &ClockTime| (t.at.time(), t.fraction.clone());
    let midnight = first.seconds() % 86_400 == 0 && first.fraction.is_empty();
    let same_clock = times.iter().all(|t| clock(t) == clock(first)) && differ(times, |t| t.at.date());
    if same_clock && (midnight || several) {
        let starts = times.iter().all(|t| t.at.day() == 1) && (several || months);
        let ends = several && times.iter().all(|t| t.at.day() == u32::from(t.at.num_days_in_month()));
        if !(starts || ends) || !differ(times, |t| (t.at.year(), t.at.month())) {
            return Unit::Day;
        }
        let month = if starts { 1 } else { 12 };
        let years = several && !months && times.iter().all(|t| t.at.month() == month);
        return if years { Unit::Year } else { Unit::Month };
    }
    let has_second = first.seconds() % 60 != 0 || !first.fraction.is_empty();
    if differ(times, |t| t.seconds().div_euclid(60)) && (several || !has_second) {
        return Unit::Minute;
    }
    if differ(times, ClockTime::seconds) && (several || first.fraction.is_empty()) {
        return Unit::Second;
    }
    let most = times.iter().map(|t| t.fraction.len()).max().unwrap_or(0);
    let cut = |t: &ClockTime, n: usize| format!("{:0<n$.n$}", t.fraction);
    // Digits that tell the times apart may still make equal steps look unequal: .0 .1 .2 .3 .5 for eighths.
    let first_day = first.seconds().div_euclid(86_400) * 86_400;
    let part = |digits: &str| format!("0.{digits}").parse().unwrap_or(0.0);
    let all: Vec<f64> = times.iter().map(|t| (t.seconds() - first_day) as f64 + part(&t.fraction)).collect();
    let steps = || all.windows(2).map(|w| (w[1] - w[0]).abs());
    let step = steps().fold(f64::INFINITY, f64::min);
    let is_regular = all.len() > 2 && steps().all(|s| s - step <= 1e-3 * step);
    let is_close = |t: &ClockTime, n: usize| part(&t.fraction) - part(&cut(t, n)) <= step / 50.0;
    let tells = |n: usize| !is_regular || times.iter().all(|t| is_close(t, n));
    let digits = (1..most).find(|n| differ(times, |t| (t.seconds(), cut(t, *n))) && tells(*n));
    Unit::Fraction(digits.unwrap_or(most.max(1)))
}

/// Whether a part of the times differs in each.
fn differ<T: Eq + Hash>(times: &[ClockTime], part: impl Fn(&ClockTime) -> T) -> bool {
    let mut seen = HashSet::with_capacity(times.len());
    times.iter().all(|t| seen.insert(part(t)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|t| (*t).to_owned()).collect()
    }

    fn numbers(texts: &[&str]) -> Axis {
        let centers = texts.iter().map(|t| t.parse().unwrap()).collect();
        Axis::number("x", centers, words(texts))
    }

    fn times(texts: &[&str]) -> Axis {
        let seconds = (0..texts.len()).map(|i| i as f64).collect();
        let mut axis = Axis::number("t", seconds, words(texts));
        axis.kind = AxisKind::Time;
        axis
    }

    fn drawn(axes: &[Axis], spec: &AxisSpec) -> Result<DrawnLabels, ResolveError> {
        drawn_labels(&axes.iter().collect::<Vec<_>>(), spec, "x")
    }

    fn with(fmt: &str) -> AxisSpec {
        AxisSpec { fmt: Some(fmt.parse().unwrap()), ..AxisSpec::default() }
    }

    #[test]
    fn panels_have_one_style_and_names_stay() {
        let axes = [
            numbers(&["0.30000000000000004", "0.5"]),
            numbers(&["0.25", "0.5"]),
            Axis::category("x", words(&["0.30000000000000004", "b"])),
        ];
        let all = drawn(&axes, &AxisSpec::default()).unwrap();
        let labels: Vec<_> = all.axes.iter().map(|a| a.levels[0].join(" ")).collect();
        assert_eq!(labels, ["0.30 0.50", "0.25 0.50", "0.30000000000000004 b"]);
        assert_eq!(axes[0].levels[0][0], "0.30000000000000004");
    }

    #[test]
    fn declared_categories_and_given_labels_stay() {
        let mut spec = AxisSpec { kind: Some(AxisType::Category), ..AxisSpec::default() };
        let versions = [Axis::category("v", words(&["1.9", "1.10"]))];
        assert_eq!(drawn(&versions, &spec).unwrap().axes[0].levels, versions[0].levels);
        spec.kind = None;
        assert_eq!(drawn(&versions, &spec).unwrap().axes[0].levels, versions[0].levels);
        let pair = |key: &str, text: &str| (key.to_owned(), text.to_owned());
        spec.labels = AxisLabels::Of([pair("1", "1.500")].into());
        let given = [Axis::number("x", vec![1.0, 2.0], words(&["1.500", "2.0"]))];
        assert_eq!(drawn(&given, &spec).unwrap().axes[0].levels, [["1.500", "2"]]);
        spec.labels = AxisLabels::Of([pair("1", "1.500"), pair("2", "two\nlines")].into());
        let broken = [Axis::category("x", words(&["two\nlines", "of\ndata"]))];
        assert_eq!(drawn(&broken, &spec).unwrap().axes[0].levels, [["two\nlines", "of data"]]);
        let nested = [Axis::nested("m, lr", vec![words(&["a", "a"]), words(&["1e-05", "0.001"])])];
        assert_eq!(
            drawn(&nested, &AxisSpec::default()).unwrap().axes[0].levels,
            [["a", "a"], ["10⁻⁵", "10⁻³"]]
        );
        let open = [Axis::category("C", words(&["0.1", "0.30000000000000004", "inf"]))];
        assert_eq!(drawn(&open, &AxisSpec::default()).unwrap().axes[0].levels, [["0.1", "0.3", "inf"]]);
    }

    #[test]
    fn names_of_months_and_weekdays_have_formats_of_their_own() {
        let axis = |texts: &[&str]| [Axis::category("month", words(texts))];
        let formatted = |texts: &[&str], fmt: &str| {
            drawn(&axis(texts), &with(fmt)).map(|d| d.axes[0].levels[0].join(" ")).map_err(|e| match e {
                ResolveError::Key { hint, .. } => hint.unwrap_or_default(),
                other => other.to_string(),
            })
        };
        assert_eq!(formatted(&["January", "Sept", "dec"], "%b"), Ok("Jan Sep Dec".to_owned()));
        assert_eq!(formatted(&["Mar", "Apr"], "%m: %B"), Ok("03: March 04: April".to_owned()));
        assert_eq!(formatted(&["Monday", "Sun"], "%a"), Ok("Mon Sun".to_owned()));
        assert_eq!(formatted(&["Mar", "Apr"], "%Y-%m"), Err("--xfmt %b".to_owned()));
        assert_eq!(formatted(&["Tuesday", "Sun"], "%d"), Err("--xfmt %a".to_owned()));
        assert_eq!(formatted(&["a", "b"], "%b"), Err("--x-type time".to_owned()));
    }

    #[test]
    fn times_are_those_of_their_own_clock() {
        let axes = [times(&["2024-03-14T00:30+02:00", "2024-03-14T01:30+02:00"])];
        let d = drawn(&axes, &AxisSpec::default()).unwrap();
        assert_eq!(
            (d.axes[0].levels[0].join(" "), d.common.as_deref()),
            ("00:30 01:30".to_owned(), Some("2024-03-14, +02:00"))
        );
        assert_eq!(d.axes[0].center(0), Some(7200.0));
        let mixed = [times(&["2024-03-14T00:30+02:00", "2024-03-14T01:30+01:00"])];
        let d = drawn(&mixed, &AxisSpec::default()).unwrap();
        assert_eq!(
            (d.axes[0].levels[0].join(" "), d.common.as_deref()),
            ("03-13 22:30 03-14 00:30".to_owned(), Some("2024, UTC"))
        );
        let years = drawn(&[times(&["1850", "1875"])], &AxisSpec::default()).unwrap();
        assert_eq!((years.axes[0].levels[0].join(" "), years.common), ("1850 1875".to_owned(), None));
        let clock =
            |fmt: &str, text: &str| drawn(&[times(&[text, "2024-03-15T00:00Z"])], &with(fmt)).unwrap().common;
        assert_eq!(clock("%H", "2024-03-14T00:00Z").as_deref(), Some("UTC"));
        assert_eq!(clock("%H", "2024-03-14T00:00-03:30").as_deref(), Some("UTC"));
        let titled = AxisSpec { label: Some("Day".to_owned()), ..AxisSpec::default() };
        let days = [times(&["2024-03-14", "2024-03-15"])];
        assert_eq!(drawn(&days, &titled).unwrap().axes[0].levels[0][0], "2024-03-14");
        assert_eq!(drawn(&days, &with("%b %d")).unwrap().axes[0].levels[0][1], "Mar 15");
    }

    #[test]
    fn formats_that_suit_no_label_are_refused() {
        let days = [times(&["2024-03-14", "2024-03-15"])];
        let names = [Axis::category("x", words(&["a", "b"]))];
        let values = [numbers(&["-0.5", "10"])];
        for (axes, fmt, what) in [
            (&days, ".2f", "the axis has times; hint: --xfmt"),
            (&values, "%Y", "formats times, and the axis has none"),
            (&names, ".2f", "formats numbers, and the axis has none"),
        ] {
            let e = drawn(axes, &with(fmt)).err().unwrap().to_string();
            assert!(e.starts_with("x.fmt: ") && e.contains(what), "{e}");
        }
        assert_eq!(drawn(&values, &with(".1f")).unwrap().axes[0].levels, [["−0.5", "10.0"]]);
        let cells = drawn(&[Axis::index("i", 2)], &with(".1f")).unwrap();
        assert_eq!(cells.axes[0].levels, [["0.0", "1.0"]]);
    }

    fn labels(texts: &[&str], title: bool) -> (Vec<String>, Option<String>) {
        let moments: Vec<Moment> = texts.iter().map(|t| Moment::parse(t, true).unwrap()).collect();
        let times: Vec<ClockTime> = moments.iter().map(Moment::clock_time).collect();
        let l = time_labels(&times, moments.iter().all(Moment::is_month), title);
        (l.texts, l.common)
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        labels(texts, false).0
    }

    #[test]
    fn units_that_say_nothing_are_left_out() {
        assert_eq!(texts(&["2023-01-01", "2024-01-01T00:00:00"]), ["2023", "2024"]);
        assert_eq!(texts(&["2024-01-31", "2024-02-29", "2024-03-31"]), ["2024-01", "2024-02", "2024-03"]);
        assert_eq!(texts(&["2022-12-31", "2023-12-31"]), ["2022", "2023"]);
        assert_eq!(texts(&["2024-01", "2025-01"]), ["2024-01", "2025-01"]);
        assert_eq!(
            texts(&["2024-01-01 00:00:00.000000", "2024-01-02 00:00:00.000000"]),
            ["2024-01-01", "2024-01-02"]
        );
        assert_eq!(texts(&["2024-01-01T12:00", "2024-01-03T12:00"]), ["2024-01-01", "2024-01-03"]);
        assert_eq!(
            texts(&["2024-01-01T12:00:01.123456", "2024-01-01T12:05:07.9"]),
            ["2024-01-01 12:00", "2024-01-01 12:05"]
        );
        assert_eq!(texts(&["2024-01-01T12:00:01.5"]), ["2024-01-01 12:00:01.5"]);
        assert_eq!(texts(&["0001-01-01", "0001-01-02"]), ["0001-01-01", "0001-01-02"]);
    }

    #[test]
    fn what_all_have_in_common_is_given_once() {
        let with = |texts: &[&str]| labels(texts, true);
        let words = |w: &[&str]| w.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            with(&["2024-03-14", "2024-03-15"]),
            (words(&["03-14", "03-15"]), Some("2024".to_owned()))
        );
        assert_eq!(with(&["2023-12-31", "2024-01-01"]).1, None);
        assert_eq!(
            with(&["2024-03-14T00:00", "2024-03-14T14:00"]),
            (words(&["00:00", "14:00"]), Some("2024-03-14".to_owned()))
        );
        assert_eq!(with(&["2024-03-14T23:00", "2024-03-15T00:00"]).0, ["03-14 23:00", "03-15 00:00"]);
        let (near, day) = with(&["2024-03-14T09:00:00.123456", "2024-03-14T09:00:00.123567"]);
        assert_eq!((near, day.as_deref()), (words(&["09:00:00.1234", "09:00:00.1235"]), Some("2024-03-14")));
        let eighths: Vec<String> = (0..5).map(|i| format!("2024-03-14T09:00:00.{:03}", 125 * i)).collect();
        let eighths: Vec<&str> = eighths.iter().map(String::as_str).collect();
        assert_eq!(with(&eighths).0[4], "09:00:00.500");
        assert_eq!(with(&eighths).0[1], "09:00:00.125");
        let uneven = ["2024-03-14T09:00:00.123456", "2024-03-14T09:00:00.2", "2024-03-14T09:00:00.9"];
        assert_eq!(with(&uneven).0, ["09:00:00.1", "09:00:00.2", "09:00:00.9"]);
    }
}
