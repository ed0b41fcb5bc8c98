//! Rows and columns: their means, what they miss, and whether their means differ; and the rows beneath cells whose values are
//!  their means.

use gridscope_core::grid::{Grid, State};
use gridscope_core::student::critical;

/// A row or a column and the mean of its finite values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Which.
    pub index: usize,
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval, by the variance of all replicates; none where values are not means of several rows.
    pub half: Option<f64>,
    /// Cells with a finite value, of all.
    pub cells: (usize, usize),
    /// Lines with this mean, but for what arithmetic rounds.
    pub ties: usize,
}

/// How far the means of rows, or of columns, are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flat {
    /// The greatest less the least mean, over the lines across that have all their cells.
    pub range: f64,
    /// Half the width of the 95 % interval of the difference of these two, by the variance of all replicates.
    pub noise: f64,
    /// How many lines across have all their cells, of all.
    pub over: (usize, usize),
}

impl Flat {
    /// Whether the replicates do not show that any two of the means differ.
    pub fn is_flat(&self) -> bool {
        self.range < self.noise
    }
}

/// A row or a column and its cells without data or without a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missing {
    /// Which; of several the first.
    pub index: usize,
    /// These cells, of all.
    pub cells: (usize, usize),
    /// Lines with as many.
    pub ties: usize,
}

/// Sums of a line, gathered cell by cell.
#[derive(Clone, Copy, Debug, Default)]
struct Gathered {
    values: usize,
    mean: f64,
    missing: usize,
}

/// Sums of all rows and columns.
pub(super) struct Lines {
    /// The rows, then the columns.
    lines: [Vec<Gathered>; 2],
}

impl Lines {
    pub(super) fn new(height: usize, width: usize) -> Self {
        Self { lines: [height, width].map(|n| vec![Gathered::default(); n]) }
    }

    /// Takes a finite value.
    pub(super) fn add(&mut self, (row, column): (usize, usize), v: f64) {
        for (side, at) in [row, column].into_iter().enumerate() {
            let line = &mut self.lines[side][at];
            line.values += 1;
            let n = line.values as f64;
            // Neither a sum nor a difference of the largest numbers has an f64.
            line.mean += v / n - line.mean / n;
        }
    }

    /// Takes a cell without data or without a value.
    pub(super) fn miss(&mut self, (row, column): (usize, usize)) {
        self.lines[0][row].missing += 1;
        self.lines[1][column].missing += 1;
    }

    /// Cells with a finite value.
    pub(super) fn values(&self) -> u64 {
        self.lines[0].iter().map(|line| line.values as u64).sum()
    }

    /// The cells of a row, and those of a column.
    fn lengths(&self) -> [usize; 2] {
        [self.lines[1].len(), self.lines[0].len()]
    }

    /// The row and the column of the best mean, the first of equal ones; none where there is one alone. `error` is half the width
    /// of the interval of a cell's mean, but for how many cells a line has: that of a line follows from it.
    pub(super) fn best(
        &self,
        is_higher: bool,
        error: impl Fn((usize, usize)) -> Option<f64>,
    ) -> [Option<Line>; 2] {
        /// Relative difference that rounding makes between equal means.
        const ROUNDING: f64 = 1e-12;
        let lengths = self.lengths();
        [0, 1].map(|side| {
            let lines = self.lines[side].iter().enumerate().filter(|line| line.1.values > 0);
            let wins = |a: f64, b: f64| if is_higher { b > a } else { b < a };
            let best = lines.clone().reduce(|a, b| if wins(a.1.mean, b.1.mean) { b } else { a });
            let (index, line) = best.filter(|_| self.lines[side].len() > 1)?;
            let is_tied = |mean: f64| (mean - line.mean).abs() <= ROUNDING * line.mean.abs();
            // Errors of the largest numbers have no squares: in units of the greatest.
            let errors =
                (0..lengths[side]).map(|at| error(if side == 0 { (index, at) } else { (at, index) }));
            let errors: Vec<f64> = errors.flatten().collect();
            let unit = errors.iter().copied().fold(0.0, f64::max);
            let squares: f64 = errors.iter().map(|e| (e / unit).powi(2)).sum();
            let half = unit * squares.sqrt() / line.values as f64;
            Some(Line {
                index,
                mean: line.mean,
                half: (errors.len() == line.values && half.is_finite()).then_some(half),
                cells: (line.values, lengths[side]),
                ties: lines.filter(|other| is_tied(other.1.mean)).count(),
            })
        })
    }

    /// The row and the column that miss the most cells; none where no cell is missing, or where there is one line alone.
    pub(super) fn missing(&self) -> [Option<Missing>; 2] {
        let lengths = self.lengths();
        [0, 1].map(|side| {
            let lines = &self.lines[side];
            let most = lines.iter().map(|line| line.missing).max().filter(|n| *n > 0 && lines.len() > 1)?;
            let has_most = |line: &&Gathered| line.missing == most;
            Some(Missing {
                index: lines.iter().position(|line| line.missing == most)?,
                cells: (most, lengths[side]),
                ties: lines.iter().filter(has_most).count(),
            })
        })
    }

    /// How far the means of rows and of columns are apart, by the deviation of replicates; `count` are the rows of a table in a
    /// cell. Lines that miss cells would have means over other keys, so that only whole lines across count.
    pub(super) fn flat(
        &self,
        grid: &Grid,
        pooled: Pooled,
        count: impl Fn(usize) -> f64,
    ) -> [Option<Flat>; 2] {
        let lengths = self.lengths();
        [0, 1].map(|side| {
            let across: Vec<usize> = (0..lengths[side])
                .filter(|&at| self.lines[1 - side][at].values == lengths[1 - side])
                .collect();
            let n = across.len() as f64;
            // The mean of a line, and its squared standard error in units of the replicates' deviation.
            let line = |at: usize| {
                across.iter().fold((0.0, 0.0), |(mean, square), &other| {
                    let (row, column) = if side == 0 { (at, other) } else { (other, at) };
                    let v = grid.at(row, column).as_f64();
                    let error = 1.0 / count(row * grid.width() + column);
                    (mean + v / n, square + error / (n * n))
                })
            };
            let lines = (0..self.lines[side].len()).filter(|_| !across.is_empty()).map(line);
            let lines: Vec<(f64, f64)> = lines.collect();
            let least = lines.iter().copied().reduce(|a, b| if b.0 < a.0 { b } else { a })?;
            let most = lines.iter().copied().reduce(|a, b| if b.0 > a.0 { b } else { a })?;
            let found = Flat {
                range: most.0 - least.0,
                noise: pooled.factor * (least.1 + most.1).sqrt() * pooled.std,
                over: (across.len(), lengths[side]),
            };
            (lines.len() > 1 && found.noise.is_finite()).then_some(found)
        })
    }
}

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
