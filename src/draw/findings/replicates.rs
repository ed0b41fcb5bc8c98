//! The rows beneath cells whose values are their means: how much they differ.

use gridscope_core::grid::{Grid, State};
use gridscope_core::student::critical;

/// The level of intervals.
const LEVEL: f64 = 0.95;

/// The rows of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replicates {
    /// How many have a value: two or more.
    pub n: u64,
    /// Their standard deviation (n - 1).
    pub std: f64,
}

impl Replicates {
    /// Half the width of the 95 % t interval of their mean.
    pub fn interval(&self) -> f64 {
        critical(LEVEL, self.n as f64 - 1.0) * self.error()
    }

    /// The standard error of their mean.
    fn error(&self) -> f64 {
        self.std / (self.n as f64).sqrt()
    }

    /// Half the width of the 95 % interval of the difference of two means, by Welch; `None` where no row differs from another.
    pub(super) fn noise(&self, other: &Self) -> Option<f64> {
        // In units of the greater error: squares of the largest numbers have no f64.
        let unit = self.error().max(other.error());
        let squares = [self, other].map(|r| ((r.error() / unit).powi(2), r.n as f64 - 1.0));
        let sum = squares[0].0 + squares[1].0;
        let degrees = sum * sum / squares.iter().map(|(s, df)| s * s / df).sum::<f64>();
        let noise = critical(LEVEL, degrees) * sum.sqrt() * unit;
        noise.is_finite().then_some(noise)
    }
}

/// The standard deviation of all replicates of a panel about the means of their cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pooled {
    pub std: f64,
    /// How many standard errors a 95 % interval reaches.
    pub factor: f64,
}

/// The rows of all cells of a panel.
pub(super) struct OfCells<'a> {
    counts: &'a [f64],
    stds: &'a [f64],
}

/// The rows of a panel's cells, where its values are the means of several rows and nothing was done to these.
pub(super) fn of(grid: &Grid) -> Option<OfCells<'_>> {
    let is_mean = grid.merged().is_some_and(|m| m.by == "mean") && grid.is_loaded();
    let field = |name: &str| grid.fields().get(name).filter(|_| is_mean).map(Vec::as_slice);
    let (counts, stds, means) = (field("n")?, field("std")?, field("mean")?);
    let has_value = |i: &usize| State::of_bits(grid.cells()[*i]).is_none();
    let value = |i: usize| grid.values().get(i).as_f64();
    let unchanged = (0..grid.len()).filter(has_value).all(|i| value(i) == means[i]);
    unchanged.then_some(OfCells { counts, stds })
}

impl OfCells<'_> {
    /// The rows of a cell, where it has several.
    pub(super) fn at(&self, cell: usize) -> Option<Replicates> {
        let (n, std) = (self.counts[cell], self.stds[cell]);
        (n >= 2.0 && std.is_finite()).then_some(Replicates { n: n as u64, std })
    }

    /// The rows of a cell with a value.
    pub(super) fn count(&self, cell: usize) -> f64 {
        self.counts[cell]
    }

    /// The standard deviation of all of them; `None` where none differ.
    pub(super) fn pooled(&self) -> Option<Pooled> {
        let several = || (0..self.counts.len()).filter_map(|i| self.at(i));
        let unit = several().map(|r| r.std).fold(0.0, f64::max);
        let (squares, degrees) = several().fold((0.0, 0.0), |(squares, degrees), r| {
            let df = r.n as f64 - 1.0;
            (squares + (r.std / unit).powi(2) * df, degrees + df)
        });
        let pooled = Pooled { std: unit * (squares / degrees).sqrt(), factor: critical(LEVEL, degrees) };
        (pooled.std > 0.0 && pooled.std.is_finite()).then_some(pooled)
    }
}
