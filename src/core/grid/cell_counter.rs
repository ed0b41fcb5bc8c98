//! What may count the cells of a grid in place of the CPU.

use super::bin_counts::BinCounts;
use super::moments::Moments;
use super::stats::Stats;
use super::values::Number;
use std::fmt;
use std::ops::Range;

/// Counts the cells of one grid in place of the CPU: a device that has them. Every number is the one that the CPU finds.
pub trait CellCounter: fmt::Debug + Send + Sync {
    /// As [`Grid::bin_counts`](super::Grid::bin_counts); `None` where it is stopped or fails.
    fn bin_counts(&self, edges: &[f64], goes_on: &(dyn Fn() -> bool + Sync)) -> Option<BinCounts>;

    /// The values of these ranks (ascending, counted from 0) among all values of some rows and columns, infinities among them,
    /// in the grid's own type; `None` where it is stopped or fails.
    fn ranks(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        wanted: &[u64],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Number>>;

    /// Counts, extremes with their places, and exact sums of some rows and columns; extremes are in the grid's own type, and
    /// [`Stats::mean`] is not found. `None` where it is stopped or fails.
    fn statistics(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<(Stats, Moments)>;
}
