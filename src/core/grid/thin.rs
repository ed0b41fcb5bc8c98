//! Cells whose values are those of few rows.

use super::{Grid, State};
use std::num::NonZeroU64;

impl Grid {
    /// The rows with a value that a cell should have; cells of fewer are hatched.
    pub fn min_count(&self) -> Option<NonZeroU64> {
        self.min_count
    }

    /// Says how many rows with a value a cell should have; how many it has is the field `n`.
    pub fn set_min_count(&mut self, least: Option<NonZeroU64>) {
        self.min_count = least;
    }

    /// Whether the cell at `row * width + column` has fewer rows than it should; those without any are not among them.
    pub fn is_thin(&self, cell: usize) -> bool {
        let (Some(least), Some(counts)) = (self.min_count, self.fields.get("n")) else {
            return false;
        };
        counts.get(cell).is_some_and(|n| *n >= 1.0 && *n < least.get() as f64)
    }

    /// The cells with a value that have fewer rows than they should; `None` where nobody said how many these are.
    pub fn thin_cells(&self) -> Option<u64> {
        self.fields.get("n").filter(|_| self.min_count.is_some() && self.is_loaded())?;
        let has_value = |i: &usize| State::of_bits(self.cells()[*i]).is_none();
        Some((0..self.len()).filter(|i| self.is_thin(*i) && has_value(i)).count() as u64)
    }
}
