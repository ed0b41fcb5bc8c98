//! Exact figures over a whole grid.

use super::{Number, State};

/// Exact figures over a whole grid, from the source's own values.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Stats {
    /// Least finite value.
    pub min: Option<Number>,
    /// Greatest finite value.
    pub max: Option<Number>,
    /// Cells (row, column) of the least value, the first [`Stats::MAX_CELLS`].
    pub min_cells: Vec<(usize, usize)>,
    /// Cells (row, column) of the greatest value, the first [`Stats::MAX_CELLS`].
    pub max_cells: Vec<(usize, usize)>,
    /// How many cells hold the least value.
    pub min_ties: u64,
    /// How many cells hold the greatest value.
    pub max_ties: u64,
    /// Mean of the finite values, NaN without one.
    pub mean: f64,
    /// Cells with a value, infinities among them.
    pub values: u64,
    /// Cells of each state, by [`State::index`](super::State::index).
    pub states: [u64; State::ALL.len()],
    /// Cells of +inf.
    pub pos_inf: u64,
    /// Cells of -inf.
    pub neg_inf: u64,
    /// Least value above zero, what a log scale begins at; only where it was requested.
    pub least_positive: Option<f64>,
}

impl Stats {
    /// How many tied cells are listed.
    pub const MAX_CELLS: usize = 100;

    /// Least and greatest finite value as f64.
    pub fn range(&self) -> Option<(f64, f64)> {
        Some((self.min?.as_f64(), self.max?.as_f64()))
    }

    /// Bit `State::index` for every state that some cell has.
    pub fn states_held(&self) -> u8 {
        (0..self.states.len()).filter(|i| self.states[*i] > 0).fold(0, |all, i| all | 1 << i)
    }

    /// Cells in all.
    pub fn cells(&self) -> u64 {
        self.values + self.states.iter().sum::<u64>()
    }
}
