//! Sort keys of rows and columns, from their values or from those before normalising.

use super::{LineSide, alike, values};
use crate::figure::{AxisSpec, Figure, Normalize, Sort, SortAggregate, SortBy, ZScore};
use crate::grid::{Grid, Total};
use crate::text::{NaturalOrder, did_you_mean, nearest, shorten};
use crate::transform::TransformError;
use std::cmp::Ordering;

/// Labels that a message lists.
const LISTED: usize = 8;
/// Characters of a label in a message.
const SHOWN: usize = 40;
/// Spreads that differ by less than this share of the greatest value differ by rounding: those of 0.1, 0.3 and of 1.1, 1.3.
const SPREAD_UNIT: f64 = 1.0 / (1u64 << 42) as f64;

/// The lines of a side of these grids (all with one axis) in order: those without a value last, and ties as they were. `before` are
/// their aggregates where those of the values from before are meant.
///
/// # Errors
/// A label that no line of the other side has, or several have.
pub(super) fn sorted(
    grids: &[Grid],
    of: &[usize],
    side: LineSide,
    sort: &Sort,
    across: &AxisSpec,
    before: Option<&Vec<Option<f64>>>,
) -> Result<Vec<usize>, TransformError> {
    let axis = side.axis(&grids[of[0]]);
    let lines = 0..axis.len();
    let keys: Vec<Option<f64>> = match &sort.by {
        _ if let Some(keys) = before => keys.clone(),
        SortBy::Label => return Ok(by_label(&grids[of[0]], side, sort.descending)),
        SortBy::Aggregate(aggregate) => aggregates(grids, of, side, *aggregate),
        SortBy::Line(label) => {
            let places = places(grids, of, side, label, across)?;
            let mean = |line: usize| {
                let cells = places.iter().filter_map(|&(i, along)| {
                    let (row, column) = side.at(line, along);
                    Some(grids[i].at(row, column).value()?.as_f64())
                });
                aggregate(&cells.collect::<Vec<_>>(), SortAggregate::Mean)
            };
            lines.clone().map(mean).collect()
        }
    };
    let mut order: Vec<usize> = lines.collect();
    order.sort_by(|&a, &b| match (keys[a], keys[b]) {
        (Some(a), Some(b)) => directed(a.partial_cmp(&b).unwrap_or(Ordering::Equal), sort.descending),
        (a, b) => a.is_none().cmp(&b.is_none()),
    });
    Ok(order)
}

/// An aggregate of each line of a side of these grids.
pub(super) fn aggregates(
    grids: &[Grid],
    of: &[usize],
    side: LineSide,
    aggregate: SortAggregate,
) -> Vec<Option<f64>> {
    let of_line = |line| {
        let known: Vec<f64> = values(grids, of, side, line).flatten().collect();
        self::aggregate(&known, aggregate)
    };
    let mut keys: Vec<Option<f64>> = (0..side.axis(&grids[of[0]]).len()).map(of_line).collect();
    if aggregate == SortAggregate::Std {
        let unit =
            |line| values(grids, of, side, line).flatten().map(f64::abs).fold(0.0, f64::max) * SPREAD_UNIT;
        let units: Vec<f64> = (0..keys.len()).map(unit).collect();
        join_equal(&mut keys, &units);
    }
    keys
}

/// Makes keys one that lie next to each other by size and differ by less than the rounding, `units`, of either.
fn join_equal(keys: &mut [Option<f64>], units: &[f64]) {
    let mut sorted: Vec<(f64, usize)> =
        keys.iter().enumerate().filter_map(|(i, key)| Some(((*key)?, i))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let joins = |a: &(f64, usize), b: &(f64, usize)| b.0 - a.0 <= units[a.1].max(units[b.1]);
    for equal in sorted.chunk_by(joins) {
        equal.iter().for_each(|(_, i)| keys[*i] = Some(equal[0].0));
    }
}

fn directed(order: Ordering, descending: bool) -> Ordering {
    if descending { order.reverse() } else { order }
}

/// Lines by their own labels: coordinates and numbers by value, other texts in natural order.
fn by_label(grid: &Grid, side: LineSide, descending: bool) -> Vec<usize> {
    let axis = side.axis(grid);
    let mut order: Vec<usize> = (0..axis.len()).collect();
    let Some(labels) = axis.levels.last() else {
        if descending {
            order.reverse();
        }
        return order;
    };
    let number = |text: &String| text.trim().parse::<f64>().ok().filter(|v| !v.is_nan());
    let numbers: Option<Vec<f64>> = match &axis.coords {
        Some(_) => (0..axis.len()).map(|i| axis.center(i)).collect(),
        None => labels.iter().map(number).collect(),
    };
    let natural = NaturalOrder::of(labels.iter().map(String::as_str));
    order.sort_by(|&a, &b| {
        let order = match &numbers {
            Some(of) => of[a].total_cmp(&of[b]),
            None => natural.compare(&labels[a], &labels[b]),
        };
        directed(order, descending)
    });
    order
}

/// The lines of the other side that a label names, in each grid that has it.
fn places(
    grids: &[Grid],
    of: &[usize],
    side: LineSide,
    label: &str,
    across: &AxisSpec,
) -> Result<Vec<(usize, usize)>, TransformError> {
    // A key names the label that the figure shows in its place.
    let wanted = [Some(label), across.labels.of(label)];
    let word = side.other().word();
    let mut out = Vec::new();
    for &i in of {
        let axis = side.other().axis(&grids[i]);
        let mut found = (0..axis.len()).filter(|&k| {
            let own = axis.label(k);
            wanted.into_iter().flatten().any(|w| w == own)
        });
        out.extend(found.next().map(|k| (i, k)));
        if let Some(second) = found.next() {
            let what = format!(
                "sort: several {word}s are labelled '{}', one of them {word} {second}",
                shorten(label, SHOWN)
            );
            return Err(TransformError::usage(what));
        }
    }
    if !out.is_empty() {
        return Ok(out);
    }
    let axis = side.other().axis(&grids[of[0]]);
    let labels: Vec<String> = (0..axis.len()).map(|k| axis.label(k)).collect();
    let words = ["mean", "median", "min", "max", "sum", "std", "count", "label"];
    let near = did_you_mean(nearest(label, labels.iter().map(String::as_str).chain(words)));
    let some: Vec<String> = labels.iter().take(LISTED).map(|l| format!("'{}'", shorten(l, SHOWN))).collect();
    let more = labels.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Err(TransformError::Usage {
        what: format!("sort: no {word} is labelled '{}'{near}", shorten(label, SHOWN)),
        hint: Some(format!(
            "{word}s: {}{more}; or mean, median, min, max, sum, std, count, label",
            some.join(", ")
        )),
    })
}

/// An aggregate of the values of a line; `None` where there is none, or it is not a number.
fn aggregate(values: &[f64], aggregate: SortAggregate) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let n = values.len();
    let total = || {
        let mut total = Total::default();
        values.iter().for_each(|v| total.add(*v, 0.0));
        total
    };
    let of = match aggregate {
        // All lines have as many numbers at most, so that the order of sums needs no number beyond f64.
        SortAggregate::Mean => total().mean(n as u64),
        SortAggregate::Sum => total().mean(1),
        SortAggregate::Count => n as f64,
        SortAggregate::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
        SortAggregate::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        SortAggregate::Median => {
            let mut sorted = values.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            let (low, high) = (sorted[(n - 1) / 2], sorted[n / 2]);
            if low == high { low } else { f64::midpoint(low, high) }
        }
        SortAggregate::Std => deviation(values)?,
    };
    (!of.is_nan()).then_some(of)
}

/// The standard deviation of a sample; `None` for one value, and with infinities.
fn deviation(values: &[f64]) -> Option<f64> {
    let most = values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    if values.len() < 2 || most.is_infinite() {
        return None;
    }
    if most == 0.0 {
        return Some(0.0);
    }
    // Squares of numbers near the ends of f64 are beyond it.
    let scaled = |v: &f64| v / most;
    let mut total = Total::default();
    values.iter().for_each(|v| total.add(scaled(v), 0.0));
    let mean = total.mean(values.len() as u64);
    let mut squares = Total::default();
    values.iter().for_each(|v| squares.add((scaled(v) - mean).powi(2), 0.0));
    Some(squares.mean(values.len() as u64 - 1).sqrt() * most)
}

/// Aggregates of lines before their values were normalised: of rows, then of columns, those of each group of panels with one axis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before([Vec<Vec<Option<f64>>>; 2]);

impl Before {
    /// Of grids whose values are not yet normalised; nothing where the lines are sorted by what stays different.
    pub(crate) fn of(grids: &[Grid], figure: &Figure) -> Self {
        Self([LineSide::Rows, LineSide::Columns].map(|side| {
            let Some(aggregate) = made_alike(figure, side) else {
                return Vec::new();
            };
            let groups = alike(grids, side, figure);
            let keys = groups.iter().map(|of| aggregates(grids, of, side, aggregate));
            keys.collect()
        }))
    }

    /// The aggregates of the lines of a group.
    pub(super) fn group(&self, side: LineSide, group: usize) -> Option<&Vec<Option<f64>>> {
        self.0[usize::from(side == LineSide::Columns)].get(group)
    }
}

/// The aggregate that lines are sorted by, where it is the same for all of them once they are normalised.
fn made_alike(figure: &Figure, side: LineSide) -> Option<SortAggregate> {
    let (spec, share, score) = match side {
        LineSide::Rows => (&figure.y, Normalize::Row, ZScore::Row),
        LineSide::Columns => (&figure.x, Normalize::Column, ZScore::Column),
    };
    let SortBy::Aggregate(aggregate) = spec.sort.as_deref()?.by else {
        return None;
    };
    let is_alike = match aggregate {
        SortAggregate::Mean | SortAggregate::Sum => {
            figure.data.normalize == Some(share) || figure.data.z_score == Some(score)
        }
        SortAggregate::Std => figure.data.z_score == Some(score),
        _ => false,
    };
    is_alike.then_some(aggregate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_that_differ_by_rounding_are_equal() {
        let mut keys = [Some(24.5), Some(1.0 + 1e-13), None, Some(5e14), Some(1.0), Some(0.5)];
        join_equal(&mut keys, &[1e-11, 1e-12, 0.0, 455.0, 1e-12, 1e-12]);
        assert_eq!(keys, [Some(24.5), Some(1.0), None, Some(5e14), Some(1.0), Some(0.5)]);
    }

    #[test]
    fn aggregates_hold_at_the_ends_of_numbers() {
        let of = |v: &[f64], a| aggregate(v, a);
        assert_eq!(of(&[], SortAggregate::Count), None);
        assert_eq!(of(&[1e308, 1e308], SortAggregate::Mean), Some(1e308));
        assert_eq!(of(&[1.0, 4.0, 2.0, 3.0], SortAggregate::Median), Some(2.5));
        assert_eq!(of(&[f64::INFINITY, f64::NEG_INFINITY], SortAggregate::Mean), None);
        assert_eq!(of(&[f64::INFINITY; 2], SortAggregate::Median), Some(f64::INFINITY));
        assert_eq!(of(&[5.0], SortAggregate::Std), None);
        let std = of(&[1e300, 3e300], SortAggregate::Std).unwrap();
        assert!((std / (2f64.sqrt() * 1e300) - 1.0).abs() < 1e-12);
    }
}
