//! Values as shares of the sum of their row, column, panel, or of all panels; or as their places between the least and the greatest
//! of these.

use super::group::Group;
use super::{Step, TransformError};
use crate::figure::Figure;
use crate::grid::{Change, Grid, Number, State, Total, Values};
use crate::lint::{LintName, Lints};
use std::cmp::Ordering;

pub(super) const STEP: Step = Step { is_asked: |figure| figure.data.normalize.is_some(), run };

/// Sum of the values of one group.
#[derive(Clone, Copy, Default)]
struct Whole {
    total: Total,
    has_infinity: bool,
    /// Whether there is a negative value, and a positive one.
    signs: (bool, bool),
    /// The least and the greatest value.
    range: Option<(Number, Number)>,
}

impl Whole {
    fn push(&mut self, n: Number) {
        let v = n.as_f64();
        let (low, high) = self.range.unwrap_or((n, n));
        let less = |a: Number, b: Number| a.compare(b).is_some_and(Ordering::is_lt);
        self.range = Some((if less(n, low) { n } else { low }, if less(high, n) { n } else { high }));
        self.total.add(v, 0.0);
        self.has_infinity |= v.is_infinite();
        self.signs.0 |= v < 0.0;
        self.signs.1 |= v > 0.0;
    }

    /// Why there are no shares.
    fn fault(&self, min_max: bool) -> Option<&'static str> {
        if self.has_infinity {
            Some("holds an infinity")
        } else if min_max {
            self.range
                .filter(|(low, high)| low.compare(*high) == Some(Ordering::Equal))
                .map(|_| "is constant")
        } else {
            self.total.is_zero().then_some("adds up to 0")
        }
    }
}

impl Whole {
    /// Where a value lies from the least (0) to the greatest (1); of integers their differences are exact.
    fn place(&self, v: Number) -> f64 {
        let Some((low, high)) = self.range else {
            return f64::NAN;
        };
        if let (Some(v), Some(low), Some(high)) = (v.whole(), low.whole(), high.whole()) {
            return (v - low) as f64 / (high - low) as f64;
        }
        let (v, low, high) = (v.as_f64(), low.as_f64(), high.as_f64());
        // Halved: a span may be beyond f64.
        if (high - low).is_finite() {
            (v - low) / (high - low)
        } else {
            (v / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)
        }
    }
}

fn run(grids: Vec<Grid>, figure: &Figure, lints: &mut Lints) -> Result<Vec<Grid>, TransformError> {
    let Some(word) = figure.data.normalize else {
        return Ok(grids);
    };
    let group = Group::from(word);
    let (count, first) = group.count(&grids);
    let mut wholes = vec![Whole::default(); count];
    for (grid, first) in grids.iter().zip(&first) {
        for (row, column, v) in numbers(grid) {
            wholes[first + group.of(row, column)].push(v);
        }
    }
    if word.is_min_max() {
        let placed =
            grids.iter().zip(first).map(|(grid, first)| shares(grid, (group, true), first, &wholes, lints));
        return placed.collect();
    }
    let mixed = wholes.iter().filter(|w| w.signs == (true, true)).count() as u64;
    if mixed > 0 {
        let of = match (group, mixed) {
            (Group::All, _) => "all panels".to_owned(),
            (_, 1) => format!("1 {}", group.word()),
            _ => format!("{mixed} {}s", group.word()),
        };
        let text = format!("values of both signs in {of}: their shares are not parts of a whole");
        lints.add(LintName::MixedSigns, mixed, text).hint("--z-score row");
    }
    grids.iter().zip(first).map(|(grid, first)| shares(grid, (group, false), first, &wholes, lints)).collect()
}

/// One panel as shares, or as places between the least and the greatest.
fn shares(
    grid: &Grid,
    (group, min_max): (Group, bool),
    first: usize,
    wholes: &[Whole],
    lints: &mut Lints,
) -> Result<Grid, TransformError> {
    let (mut values, mut states) = (vec![0.0; grid.len()], states(grid));
    let (mut lost, mut faulty) = (0, vec![false; group.within(first, grid).len()]);
    for (row, column, v) in numbers(grid) {
        let (i, of) = (row * grid.width() + column, group.of(row, column));
        let whole = &wholes[first + of];
        if whole.fault(min_max).is_some() {
            states[i] = Some(State::Nan);
            faulty[of] = true;
            lost += 1;
        } else {
            values[i] = if min_max { whole.place(v) } else { whole.total.share(v.as_f64()) };
        }
    }
    let reasons = faulty
        .iter()
        .enumerate()
        .filter(|f| *f.1)
        .filter_map(|(of, _)| Some((of, wholes[first + of].fault(min_max)?)));
    group.report(grid, lost, reasons, lints);
    let change = if min_max { Change::MinMax(group.word()) } else { Change::Share(group.word()) };
    Ok(grid.changed(Values::F64(values), &states, change)?)
}

/// The places of all cells.
pub(super) fn places(grid: &Grid) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (height, width) = (grid.height(), grid.width());
    (0..height).flat_map(move |row| (0..width).map(move |column| (row, column)))
}

/// The values of a grid with their places.
pub(super) fn numbers(grid: &Grid) -> impl Iterator<Item = (usize, usize, Number)> + '_ {
    places(grid).filter_map(|(row, column)| Some((row, column, grid.at(row, column).value()?)))
}

/// The states of a grid's cells.
pub(super) fn states(grid: &Grid) -> Vec<Option<State>> {
    grid.cells().iter().map(|bits| State::of_bits(*bits)).collect()
}
