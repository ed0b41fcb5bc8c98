//! Aggregates that need all values of a cell at once: medians, quantiles, and the factors of t intervals.

use crate::pivot::aggregate::{median, quantile, sort};
use crate::pivot::cells::Numbers;
use gridscope_core::figure::{Agg, Percent};
use gridscope_core::grid::Number;
use gridscope_core::student::critical;
use std::collections::HashMap;

/// All values of a column.
#[derive(Debug, Default)]
pub(super) struct AllValues {
    /// The cell of each value.
    cells: Vec<u32>,
    numbers: Numbers,
    /// Cells whose values belong to others.
    moved: HashMap<u32, u32>,
}

/// Bytes of a value where all are held: number and cell, room to grow, and its place while they are sorted.
pub(super) const BYTES_A_VALUE: u64 = 28;

impl AllValues {
    /// Takes a value of a cell.
    pub(super) fn push(&mut self, cell: u32, n: Number) {
        self.cells.push(cell);
        self.numbers.push(n);
    }

    /// The values of a cell belong to another one from now on.
    pub(super) fn merge(&mut self, into: u32, from: u32) {
        self.moved.insert(from, into);
    }

    /// How many they are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Calls `each` with the values of each of `cells` cells, in the order of the rows.
    fn by_cell(&self, cells: usize, mut each: impl FnMut(&mut [Number])) {
        let at = |c: &u32| *self.moved.get(c).unwrap_or(c) as usize;
        let mut starts = vec![0usize; cells + 1];
        self.cells.iter().for_each(|c| starts[at(c) + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut next = starts.clone();
        let mut sorted = vec![0u32; self.cells.len()];
        for (i, cell) in self.cells.iter().enumerate() {
            sorted[next[at(cell)]] = i as u32;
            next[at(cell)] += 1;
        }
        let mut values = Vec::new();
        for cell in 0..cells {
            values.clear();
            let own = &sorted[starts[cell]..starts[cell + 1]];
            values.extend(own.iter().map(|&i| self.numbers.get(i as usize)));
            each(&mut values);
        }
    }
}

/// Facts about the cells of a column once it is read.
#[derive(Debug, Default)]
pub(super) struct Finished {
    /// The median of each cell; nothing where no aggregate needs them.
    medians: Vec<Option<Number>>,
    /// The quantiles of each cell.
    quantiles: Vec<(Percent, Vec<Option<Number>>)>,
    /// By level of an interval: how many standard errors it reaches, by the number of values.
    factors: Vec<(Percent, HashMap<u64, f64>)>,
}

impl Finished {
    /// Of cells with these numbers of values, for these aggregates; `all` are the values where one of them needs these.
    pub(super) fn of(aggregates: &[Agg], counts: &[u64], all: Option<&AllValues>) -> Self {
        let mut out = Self::default();
        let mut medians = false;
        for agg in aggregates {
            match *agg {
                Agg::Median => medians = true,
                Agg::Quantile(p) if out.quantiles.iter().all(|q| q.0 != p) => {
                    out.quantiles.push((p, Vec::new()));
                }
                Agg::Ci(p) if out.factors.iter().all(|f| f.0 != p) => out.factors.push((p, HashMap::new())),
                _ => {}
            }
        }
        for (level, factors) in &mut out.factors {
            for n in counts.iter().copied().filter(|n| *n > 1) {
                let factor = || critical(level.share(), (n - 1) as f64);
                factors.entry(n).or_insert_with(factor);
            }
        }
        if let Some(all) = all {
            all.by_cell(counts.len(), |values| {
                if medians {
                    out.medians.push(median(values));
                }
                if !out.quantiles.is_empty() {
                    sort(values);
                }
                for (p, of_cells) in &mut out.quantiles {
                    of_cells.push(quantile(values, p.share()));
                }
            });
        }
        out
    }

    /// The median of a cell.
    pub(super) fn median(&self, cell: usize) -> Option<Number> {
        *self.medians.get(cell)?
    }

    /// A quantile of a cell.
    pub(super) fn quantile(&self, cell: usize, p: Percent) -> Option<Number> {
        let (_, of_cells) = self.quantiles.iter().find(|q| q.0 == p)?;
        *of_cells.get(cell)?
    }

    /// How many standard errors an interval of this level reaches around the mean of `n` values.
    pub(super) fn factor(&self, level: Percent, n: u64) -> Option<f64> {
        let (_, factors) = self.factors.iter().find(|f| f.0 == level)?;
        factors.get(&n).copied()
    }
}
