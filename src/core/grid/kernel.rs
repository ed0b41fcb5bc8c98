//! Folding a window of stored bits: down its columns first, many side by side, then along its rows.

use super::backing::Lines;
use super::{LineSummary, State, Summary};
use std::ops::Range;

/// Columns folded side by side, as many as vector registers hold.
const LANES: usize = 8;
/// Up to this many columns of a run are folded without a loop.
const SHORT: usize = 4;
/// From this many columns on they are also folded side by side along a row.
const LONG: usize = 32;

/// Minimum, maximum and sum of each column. A sum that is not finite means a state or an infinity.
#[derive(Debug, Default)]
pub(super) struct Columns {
    min: Vec<f32>,
    max: Vec<f32>,
    sum: Vec<f64>,
}

impl Columns {
    /// Folds some rows of `width` columns; without `EXTREMES` only their sums, all that a mean needs.
    pub(super) fn fold<const EXTREMES: bool>(&mut self, lines: Lines<'_>, rows: Range<usize>, width: usize) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // The one thing that the call asks for was just asked of the processor.
            #[allow(unsafe_code)]
            unsafe {
                return self.fold_avx2::<EXTREMES>(lines, rows, width);
            }
        }
        self.fold_by::<LANES, EXTREMES>(lines, rows, width);
    }

    /// The same with registers of 256 bits: twice the columns side by side.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn fold_avx2<const EXTREMES: bool>(&mut self, lines: Lines<'_>, rows: Range<usize>, width: usize) {
        self.fold_by::<{ 2 * LANES }, EXTREMES>(lines, rows, width);
    }

    #[inline(always)]
    fn fold_by<const N: usize, const EXTREMES: bool>(
        &mut self,
        lines: Lines<'_>,
        rows: Range<usize>,
        width: usize,
    ) {
        self.min.clear();
        self.max.clear();
        self.sum.clear();
        let whole = width - width % N;
        for x in (0..whole).step_by(N) {
            let (min, max, sum) = down::<N, EXTREMES>(lines, rows.clone(), x);
            if EXTREMES {
                self.min.extend_from_slice(&min);
                self.max.extend_from_slice(&max);
            }
            self.sum.extend_from_slice(&sum);
        }
        for x in whole..width {
            let (min, max, sum) = down::<1, EXTREMES>(lines, rows.clone(), x);
            if EXTREMES {
                self.min.extend(min);
                self.max.extend(max);
            }
            self.sum.extend(sum);
        }
    }

    /// Least, greatest and sum of each column.
    pub(super) fn parts(&self) -> (&[f32], &[f32], &[f64]) {
        (&self.min, &self.max, &self.sum)
    }

    /// Least, greatest and sum over some columns; the sum is not finite where a state or an infinity is among them.
    #[inline(always)]
    fn along<const EXTREMES: bool>(&self, columns: &Range<usize>) -> (f32, f32, f64) {
        let n = columns.len();
        // Which of a few columns are there is no branch that a processor could guess.
        if (1..=SHORT).contains(&n) {
            let at = [0, 1, 2, 3].map(|k| columns.start + if k < n { k } else { n - 1 });
            let part = |k: usize| if k < n { self.sum[at[k]] } else { 0.0 };
            let sum = part(0) + part(1) + part(2) + part(3);
            if !EXTREMES {
                return (0.0, 0.0, sum);
            }
            let (min, max) = (at.map(|i| self.min[i]), at.map(|i| self.max[i]));
            let low = |a: f32, b: f32| if b < a { b } else { a };
            let high = |a: f32, b: f32| if b > a { b } else { a };
            return (
                low(low(min[0], min[1]), low(min[2], min[3])),
                high(high(max[0], max[1]), high(max[2], max[3])),
                sum,
            );
        }
        let sum = &self.sum[columns.clone()];
        if !EXTREMES {
            return (0.0, 0.0, sum.iter().sum());
        }
        let (min, max) = (&self.min[columns.clone()], &self.max[columns.clone()]);
        if n >= LONG {
            return lengthwise(min, max, sum);
        }
        let (mut low, mut high, mut total) = (f32::INFINITY, f32::NEG_INFINITY, 0.0);
        for ((a, b), s) in min.iter().zip(max).zip(sum) {
            low = if *a < low { *a } else { low };
            high = if *b > high { *b } else { high };
            total += s;
        }
        (low, high, total)
    }

    /// Hands over the summaries of runs of columns of a window, all over the same rows, one after the other.
    #[inline(always)]
    pub(super) fn summaries<const EXTREMES: bool>(
        &self,
        lines: Lines<'_>,
        rows: &Range<usize>,
        runs: &[Range<usize>],
        tally: &mut Tally,
        mut emit: impl FnMut(Summary),
    ) {
        let (mut low, mut high, mut total, mut count) = (f32::INFINITY, f32::NEG_INFINITY, 0.0, 0);
        for run in runs {
            let (min, max, sum) = self.along::<EXTREMES>(run);
            if !sum.is_finite() {
                emit(self.careful::<EXTREMES>(lines, rows, run, tally));
                continue;
            }
            let cells = (rows.len() * run.len()) as u64;
            low = if min < low { min } else { low };
            high = if max > high { max } else { high };
            total += sum;
            count += cells;
            emit(Summary::new(min, max, sum, cells, 0));
        }
        tally.plain(low, high, total, count);
    }

    /// A run with states or infinities: cell by cell where they are.
    fn careful<const EXTREMES: bool>(
        &self,
        lines: Lines<'_>,
        rows: &Range<usize>,
        run: &Range<usize>,
        tally: &mut Tally,
    ) -> Summary {
        let mut out = Summary::default();
        for x in run.clone() {
            if self.sum[x].is_finite() {
                let (min, max) = if EXTREMES { (self.min[x], self.max[x]) } else { (0.0, 0.0) };
                let (sum, count) = (self.sum[x], rows.len() as u64);
                tally.plain(min, max, sum, count);
                out.merge(&Summary::new(min, max, sum, count, 0));
                continue;
            }
            let mut column = Summary::default();
            for r in rows.clone() {
                let bits = lines.at(r, x);
                tally.take(bits);
                column.add(bits);
            }
            out.merge(&column);
        }
        out
    }
}

/// As [`Columns::along`], eight columns side by side.
fn lengthwise(min: &[f32], max: &[f32], sum: &[f64]) -> (f32, f32, f64) {
    let (mut lows, mut highs, mut sums) =
        ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES], [0.0f64; LANES]);
    let (a, b, s) = (min.chunks_exact(LANES), max.chunks_exact(LANES), sum.chunks_exact(LANES));
    let rest = (a.remainder(), b.remainder(), s.remainder());
    for ((a, b), s) in a.zip(b).zip(s) {
        for i in 0..LANES {
            lows[i] = if a[i] < lows[i] { a[i] } else { lows[i] };
            highs[i] = if b[i] > highs[i] { b[i] } else { highs[i] };
            sums[i] += s[i];
        }
    }
    let low = lows.iter().chain(rest.0).fold(f32::INFINITY, |m, v| if *v < m { *v } else { m });
    let high = highs.iter().chain(rest.1).fold(f32::NEG_INFINITY, |m, v| if *v > m { *v } else { m });
    (low, high, sums.iter().chain(rest.2).sum())
}

/// `N` columns from `x` on.
#[inline(always)]
fn down<const N: usize, const EXTREMES: bool>(
    lines: Lines<'_>,
    rows: Range<usize>,
    x: usize,
) -> ([f32; N], [f32; N], [f64; N]) {
    let (mut min, mut max, mut sum) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N], [0.0f64; N]);
    for r in rows {
        let from = r * lines.stride + x;
        let line: &[u32; N] = lines.bits[from..from + N].try_into().expect("a slice of N");
        for i in 0..N {
            let v = f32::from_bits(line[i]);
            // A NaN compares false, so only the sum takes it in.
            if EXTREMES {
                min[i] = if v < min[i] { v } else { min[i] };
                max[i] = if v > max[i] { v } else { max[i] };
            }
            sum[i] += f64::from(v);
        }
    }
    (min, max, sum)
}

/// Facts about the stored bits of a window beyond its summaries: states, infinities, and the finite values' extremes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tally {
    pub values: u64,
    pub states: [u64; State::ALL.len()],
    pub pos_inf: u64,
    pub neg_inf: u64,
    pub min: f32,
    pub max: f32,
    pub sum: f64,
    /// Rounding error of `sum`.
    pub lost: f64,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            values: 0,
            states: [0; State::ALL.len()],
            pos_inf: 0,
            neg_inf: 0,
            min: f32::INFINITY,
            max: f32::NEG_INFINITY,
            sum: 0.0,
            lost: 0.0,
        }
    }
}

impl Tally {
    fn take(&mut self, bits: u32) {
        match State::of_bits(bits) {
            Some(s) => self.states[s.index()] += 1,
            None => {
                let v = f32::from_bits(bits);
                self.values += 1;
                if v == f32::INFINITY {
                    self.pos_inf += 1;
                } else if v == f32::NEG_INFINITY {
                    self.neg_inf += 1;
                } else {
                    self.plain(v, v, f64::from(v), 0);
                }
            }
        }
    }

    fn plain(&mut self, min: f32, max: f32, sum: f64, count: u64) {
        self.min = if min < self.min { min } else { self.min };
        self.max = if max > self.max { max } else { self.max };
        let total = self.sum + sum;
        self.lost +=
            if self.sum.abs() >= sum.abs() { (self.sum - total) + sum } else { (sum - total) + self.sum };
        self.sum = total;
        self.values += count;
    }
}

/// Sums of columns, each with its rounding error.
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

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::Random;

    #[test]
    fn both_ways_give_what_cell_by_cell_does() {
        let mut random = Random(7);
        let mut cell = || match random.below(128) {
            0 => State::Nan.bits(),
            1 => State::Masked.bits(),
            2 => f32::INFINITY.to_bits(),
            3 => f32::NEG_INFINITY.to_bits(),
            _ => (random.below(1 << 24) as f32 - 8e6).to_bits(),
        };
        for (width, height) in [(1usize, 9usize), (7, 3), (8, 1), (100, 2), (333, 1), (37, 20)] {
            let bits: Vec<u32> = (0..width * height).map(|_| cell()).collect();
            let lines = Lines { bits: &bits, stride: width, foreign: false };
            let mut folded = Columns::default();
            folded.fold::<true>(lines, 0..height, width);
            for columns in [0..width, width / 3..width, 0..1, 0..width.min(3)] {
                let mut tally = Tally::default();
                let mut list = Vec::new();
                folded.summaries::<true>(
                    lines,
                    &(0..height),
                    std::slice::from_ref(&columns),
                    &mut tally,
                    |s| list.push(s),
                );
                let got = list[0];
                let mut want = Summary::default();
                for r in 0..height {
                    columns.clone().for_each(|c| want.add(bits[r * width + c]));
                }
                let close = got.sum == want.sum
                    || got.sum.is_nan() && want.sum.is_nan()
                    || (got.sum - want.sum).abs() < 1e-3;
                assert!(close, "{got:?} {want:?}");
                assert_eq!(
                    (got.min, got.max, got.count(), got.states()),
                    (want.min, want.max, want.count(), want.states())
                );
                let cells = (columns.len() * height) as u64;
                assert_eq!(
                    (tally.values, tally.values + tally.states.iter().sum::<u64>()),
                    (want.count(), cells)
                );
                assert!(tally.min.is_finite() || tally.values == tally.pos_inf + tally.neg_inf);
            }
        }
    }
}
