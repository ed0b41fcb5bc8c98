//! What the columns of a window of stored bits hold, gathered side by side from the folds of its rows.

use super::LineSummary;
use super::backing::Lines;
use super::kernel::Columns;
use std::ops::Range;

/// Sums of the columns of a window, each with what rounding took off it.
pub(super) struct ColumnSums {
    min: Vec<f32>,
    max: Vec<f32>,
    sum: Vec<f64>,
    lost: Vec<f64>,
    count: Vec<u32>,
}

impl ColumnSums {
    /// Of this many columns.
    pub(super) fn new(width: usize) -> Self {
        Self {
            min: vec![f32::INFINITY; width],
            max: vec![f32::NEG_INFINITY; width],
            sum: vec![0.0; width],
            lost: vec![0.0; width],
            count: vec![0; width],
        }
    }

    /// Takes in some rows that are folded. Columns with states or infinities are taken into `out` cell by cell.
    pub(super) fn add(
        &mut self,
        folded: &Columns,
        lines: Lines<'_>,
        rows: &Range<usize>,
        out: &mut [LineSummary],
    ) {
        let n = out.len();
        let (low, high, sums) = folded.parts();
        // Slices of one length, so that no index is checked within the loop.
        let (low, high, sums) = (&low[..n], &high[..n], &sums[..n]);
        let (min, max) = (&mut self.min[..n], &mut self.max[..n]);
        let (sum, lost, count) = (&mut self.sum[..n], &mut self.lost[..n], &mut self.count[..n]);
        let mut is_plain = true;
        for x in 0..n {
            let finite = sums[x].is_finite();
            is_plain &= finite;
            let v = if finite { sums[x] } else { 0.0 };
            let a = if finite { low[x] } else { f32::INFINITY };
            let b = if finite { high[x] } else { f32::NEG_INFINITY };
            min[x] = if a < min[x] { a } else { min[x] };
            max[x] = if b > max[x] { b } else { max[x] };
            let total = sum[x] + v;
            let part = total - sum[x];
            lost[x] += (sum[x] - (total - part)) + (v - part);
            sum[x] = total;
            count[x] += if finite { rows.len() as u32 } else { 0 };
        }
        if is_plain {
            return;
        }
        for (x, column) in out.iter_mut().enumerate().filter(|(x, _)| !sums[*x].is_finite()) {
            rows.clone().for_each(|r| column.add_stored(lines.at(r, x)));
        }
    }

    /// Takes everything into `out`, a line a column.
    pub(super) fn finish(self, out: &mut [LineSummary]) {
        for (x, column) in out.iter_mut().enumerate() {
            let range = (f64::from(self.min[x]), f64::from(self.max[x]));
            column.take(range, (self.sum[x], self.lost[x]), u64::from(self.count[x]));
        }
    }
}
