//! Sums of the columns of windows of stored bits, gathered side by side from the folds of their rows.

use super::LineSummary;
use super::backing::Lines;
use super::kernel::Columns;
use std::ops::Range;

/// Sums of columns, each with what rounding took off it.
#[derive(Debug, Default)]
pub(super) struct ColumnSums {
    min: Vec<f32>,
    max: Vec<f32>,
    sum: Vec<f64>,
    lost: Vec<f64>,
    count: Vec<u64>,
}

impl ColumnSums {
    /// Forgets everything, for this many columns; the memory stays.
    pub(super) fn reset(&mut self, width: usize) {
        fn all<T: Copy>(list: &mut Vec<T>, width: usize, value: T) {
            list.clear();
            list.resize(width, value);
        }
        all(&mut self.min, width, f32::INFINITY);
        all(&mut self.max, width, f32::NEG_INFINITY);
        all(&mut self.sum, width, 0.0);
        all(&mut self.lost, width, 0.0);
        all(&mut self.count, width, 0);
    }

    /// Takes in some rows that are folded. Columns with states or infinities are taken into `out` cell by cell, which has no
    /// lines before there are such.
    pub(super) fn add(
        &mut self,
        folded: &Columns,
        lines: Lines<'_>,
        rows: &Range<usize>,
        out: &mut Vec<LineSummary>,
    ) {
        let n = self.sum.len();
        let (low, high, sums) = folded.parts();
        // Slices of one length, so that no index is checked within the loop.
        let (low, high, sums) = (&low[..n], &high[..n], &sums[..n]);
        if sums.iter().fold(true, |all, sum| all & sum.is_finite()) {
            let count = rows.len() as u64;
            self.count.iter_mut().for_each(|c| *c += count);
            return self.take(0, (low, high), sums);
        }
        out.resize(n, LineSummary::default());
        for x in 0..n {
            if sums[x].is_finite() {
                self.count[x] += rows.len() as u64;
                self.take(x, (&low[x..=x], &high[x..=x]), &sums[x..=x]);
            } else {
                rows.clone().for_each(|r| out[x].add_stored(lines.at(r, x)));
            }
        }
    }

    /// Takes in the least, the greatest and the sum of columns from this one on; a loop for each, which works on several columns
    /// at a time.
    fn take(&mut self, from: usize, (low, high): (&[f32], &[f32]), sums: &[f64]) {
        for (min, v) in self.min[from..].iter_mut().zip(low) {
            *min = if *v < *min { *v } else { *min };
        }
        for (max, v) in self.max[from..].iter_mut().zip(high) {
            *max = if *v > *max { *v } else { *max };
        }
        let totals = self.sum[from..].iter_mut().zip(&mut self.lost[from..]);
        for ((sum, lost), v) in totals.zip(sums) {
            let total = *sum + v;
            let part = total - *sum;
            *lost += (*sum - (total - part)) + (v - part);
            *sum = total;
        }
    }

    /// Takes in the sums of a window whose first column is this one; a window without sums has nothing to take.
    pub(super) fn merge(&mut self, window: &Self, from: usize) {
        if window.sum.is_empty() {
            return;
        }
        self.take(from, (&window.min, &window.max), &window.sum);
        let own = self.lost[from..].iter_mut().zip(&window.lost);
        own.for_each(|(lost, v)| *lost += v);
        let own = self.count[from..].iter_mut().zip(&window.count);
        own.for_each(|(count, v)| *count += v);
    }

    /// Takes everything into `out`, a line a column.
    pub(super) fn finish(&self, out: &mut [LineSummary]) {
        for (x, column) in out.iter_mut().enumerate() {
            let range = (f64::from(self.min[x]), f64::from(self.max[x]));
            column.take(range, (self.sum[x], self.lost[x]), self.count[x]);
        }
    }
}
