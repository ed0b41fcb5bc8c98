//! Values as standard scores within their row or column.

use super::group::Group;
use super::normalize::{places, states};
use super::{Step, TransformError};
use crate::figure::Figure;
use crate::grid::{Change, Grid, Number, State, Total, Values};
use crate::lint::Lints;

pub(super) const STEP: Step = Step { is_asked: |figure| figure.data.z_score.is_some(), run };

/// Values whose spread is a smaller share of the largest are equal: 4 steps of f64, as of keys.
const CONSTANT: f64 = 4.0 * f64::EPSILON;

/// Mean and standard deviation of one group. Its values are made smaller or larger by a power of two, so that no square is
/// beyond the numbers: scores do not depend on it.
#[derive(Clone, Copy, Default)]
struct Spread {
    n: u64,
    /// The least and the greatest value.
    range: Option<(f64, f64)>,
    total: Total,
    squares: Total,
}

impl Spread {
    fn look(&mut self, v: f64) {
        self.n += 1;
        self.range = Some(self.range.map_or((v, v), |(a, b)| (a.min(v), b.max(v))));
    }

    /// Why there are no scores.
    fn fault(&self) -> Option<&'static str> {
        match self.range? {
            (low, high) if low.is_infinite() || high.is_infinite() => Some("holds an infinity"),
            _ if self.n == 1 => Some("has one value"),
            // Spreads of rounding errors are none.
            (low, high) => (high - low <= CONSTANT * high.max(-low)).then_some("is constant"),
        }
    }

    /// A value in the range from -1 to 1, exactly.
    fn scaled(&self, v: f64) -> f64 {
        let most = self.range.map_or(1.0, |(low, high)| high.max(-low));
        // A factor beyond the numbers is applied in two parts.
        let power = most.log2().ceil().clamp(-1074.0, 1024.0) as i32;
        let half = power / 2;
        v * 2f64.powi(-half) * 2f64.powi(half - power)
    }

    fn mean(&self) -> f64 {
        self.total.mean(self.n)
    }

    fn score(&self, v: f64) -> f64 {
        // The sample's standard deviation, as pandas has it.
        let variance = self.squares.mean(self.n - 1);
        (self.scaled(v) - self.mean()) / variance.sqrt()
    }
}

fn run(grids: Vec<Grid>, figure: &Figure, lints: &mut Lints) -> Result<Vec<Grid>, TransformError> {
    let Some(word) = figure.data.z_score else {
        return Ok(grids);
    };
    let group = Group::from(word);
    grids.iter().map(|grid| scores(grid, group, lints)).collect()
}

/// One panel as scores.
fn scores(grid: &Grid, group: Group, lints: &mut Lints) -> Result<Grid, TransformError> {
    let mut spreads = vec![Spread::default(); group.within(0, grid).len()];
    // Scores do not depend on where values begin: those of integers do so at the first of their group, and keep all digits.
    let mut firsts: Vec<Option<i128>> = vec![None; spreads.len()];
    for (row, column) in places(grid) {
        let value = grid.at(row, column).value().and_then(Number::whole);
        let first = &mut firsts[group.of(row, column)];
        *first = first.or(value);
    }
    let number = |(row, column): (usize, usize)| {
        let n = grid.at(row, column).value()?;
        let apart = n.whole().zip(firsts[group.of(row, column)]).map(|(v, first)| (v - first) as f64);
        Some((row, column, apart.unwrap_or_else(|| n.as_f64())))
    };
    let numbers = || places(grid).filter_map(number);
    for (row, column, v) in numbers() {
        spreads[group.of(row, column)].look(v);
    }
    for (row, column, v) in numbers() {
        let spread = &mut spreads[group.of(row, column)];
        spread.total.add(spread.scaled(v), 0.0);
    }
    for (row, column, v) in numbers() {
        let spread = &mut spreads[group.of(row, column)];
        let off = spread.scaled(v) - spread.mean();
        spread.squares.add(off * off, 0.0);
    }
    let (mut values, mut states) = (vec![0.0; grid.len()], states(grid));
    let mut lost = 0;
    for (row, column, v) in numbers() {
        let (i, spread) = (row * grid.width() + column, &spreads[group.of(row, column)]);
        if spread.fault().is_some() {
            states[i] = Some(State::Nan);
            lost += 1;
        } else {
            values[i] = spread.score(v);
        }
    }
    let reasons = spreads.iter().enumerate().filter_map(|(of, s)| Some((of, s.fault()?)));
    group.report(grid, lost, reasons, lints);
    Ok(grid.changed(Values::F64(values), &states, Change::ZScore(group.word()))?)
}
