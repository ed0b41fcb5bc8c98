//! Statistics of the cells of a row or column, from the same pass that folds pixels.

use super::backing::{Lines, Strip};
use super::cell::State;
use super::scan_result::MarginRequest;
use super::sums::Total;
use super::values::Numbers;
use super::wide_fold;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Statistics of the cells of a row, a column, or several of them. Cells with a state are left out; infinities are
/// values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineSummary {
    total: Total,
    min: f64,
    max: f64,
    count: u64,
    /// The sum of the squares of the distances to the mean in squares of a unit, where it was requested.
    squares: f64,
    /// That unit, one of `UNITS`.
    unit: f64,
}

impl Default for LineSummary {
    fn default() -> Self {
        Self {
            total: Total::default(),
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            count: 0,
            squares: 0.0,
            unit: 1.0,
        }
    }
}

/// Units of distances whose squares f64 holds, the smallest first: powers of two, which round nothing.
const UNITS: [f64; 3] = [TINY, 1.0, HUGE];
const TINY: f64 = f64::from_bits((1023 - 600) << 52);
const HUGE: f64 = f64::from_bits((1023 + 600) << 52);
/// Sums of squares below this one have lost digits.
const LEAST_SQUARES: f64 = 1e-290;

impl LineSummary {
    /// Cells with a value.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of the values; NaN without one, as a mean is, and where infinities of both signs are among them.
    pub fn sum(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.total.sum() }
    }

    /// The mean of the values.
    pub fn mean(&self) -> f64 {
        self.total.mean(self.count)
    }

    /// The least value; NaN without one.
    pub fn min(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.min }
    }

    /// The greatest value; NaN without one.
    pub fn max(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.max }
    }

    /// The sample standard deviation (n - 1), of a pass that asked for it; NaN of fewer than two values, and with an infinity.
    pub fn std(&self) -> f64 {
        if self.count < 2 { f64::NAN } else { (self.squares / (self.count - 1) as f64).sqrt() * self.unit }
    }

    /// The sum of the squares of the distances to the mean in squares of another unit.
    fn squares_in(&self, unit: f64) -> f64 {
        let by = self.unit / unit;
        self.squares * by * by
    }

    /// The unit in which the squares of distances are to be summed again, where this sum of them in squares of 1 is not of use.
    fn unit_for(&self, squares: f64) -> Option<f64> {
        match squares {
            _ if self.count < 2
                || self.min >= self.max
                || !(self.min.is_finite() && self.max.is_finite()) =>
            {
                None
            }
            s if s < LEAST_SQUARES => Some(TINY),
            s if s.is_finite() => None,
            _ => Some(HUGE),
        }
    }

    /// Statistics of several lines that are rows of one pixel: the values of all, their pooled standard deviation
    /// (about the mean of each line), and the sum and the count of one line in the mean.
    pub fn pooled(lines: &[LineSummary]) -> Pooled {
        if let [one] = lines {
            return Pooled {
                mean: one.mean(),
                min: one.min(),
                max: one.max(),
                sum: one.sum(),
                count: one.count as f64,
                std: one.std(),
            };
        }
        let (mut all, mut squares, mut free, mut held) = (LineSummary::default(), 0.0, 0, 0);
        let held_lines = || lines.iter().filter(|line| line.count > 0);
        let unit = held_lines().map(|line| line.unit).fold(TINY, f64::max);
        for line in held_lines() {
            squares += line.squares_in(unit);
            free += line.count - 1;
            held += 1;
            all.merge(line, false);
        }
        Pooled {
            mean: all.mean(),
            min: all.min(),
            max: all.max(),
            sum: all.mean() * all.count as f64 / f64::from(held),
            count: all.count as f64 / lines.len().max(1) as f64,
            std: if free == 0 { f64::NAN } else { (squares / free as f64).sqrt() * unit },
        }
    }

    /// Takes a value in.
    #[inline]
    pub(super) fn add(&mut self, v: f64) {
        self.take((v, v), (v, 0.0), 1);
    }

    /// Takes a stored cell in, unless it has a state.
    #[inline]
    pub(super) fn add_stored(&mut self, bits: u32) {
        if State::of_bits(bits).is_none() {
            self.add(f64::from(f32::from_bits(bits)));
        }
    }

    /// Takes values in, of which the least and the greatest, the sum and what rounding took off it, and the number are known.
    #[inline]
    pub(super) fn take(&mut self, (min, max): (f64, f64), (sum, lost): (f64, f64), count: u64) {
        self.min = self.min.min(min);
        self.max = self.max.max(max);
        self.total.add(sum, lost);
        self.count += count;
    }

    /// Sets the sum of the squares of the distances to the mean in squares of a unit.
    fn set_squares(&mut self, squares: f64, unit: f64) {
        (self.squares, self.unit) = (squares, unit);
    }

    /// Joins two lines; with what standard deviations need if they have it.
    #[inline]
    pub(crate) fn merge(&mut self, other: &LineSummary, spread: bool) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = *other;
            return;
        }
        if spread {
            let (a, b) = (self.count as f64, other.count as f64);
            let (mean, others) = (self.mean(), other.mean());
            let joined = |unit: f64| {
                let d = others / unit - mean / unit;
                self.squares_in(unit) + (other.squares_in(unit) + d * d * (a * b / (a + b)))
            };
            let mut units = UNITS.into_iter().filter(|unit| *unit >= self.unit.max(other.unit));
            let fit = units.find(|unit| joined(*unit).is_finite());
            let unit = fit.unwrap_or(HUGE);
            (self.squares, self.unit) = (joined(unit), unit);
        }
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.total.merge(&other.total);
        self.count += other.count;
    }
}

/// The numbers of a line, or of several; NaN where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pooled {
    /// The mean of all values.
    pub mean: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// The sum of a line; of several the mean.
    pub sum: f64,
    /// The number of values of a line; of several the mean.
    pub count: f64,
    /// The standard deviation within lines.
    pub std: f64,
}

/// Statistics of each row and each column of a grid; empty for a side that was not requested.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Margins {
    /// One a row.
    pub rows: Vec<LineSummary>,
    /// One a column.
    pub columns: Vec<LineSummary>,
}

impl Margins {
    /// The lines of a side of nothing yet, where they are requested.
    pub(super) fn of_nothing(ask: MarginRequest, rows: usize, columns: usize) -> Self {
        let mut out = Self::default();
        out.reset(ask, rows, columns);
        out
    }

    /// Forgets everything, for as many lines as these; the memory stays.
    pub(super) fn reset(&mut self, ask: MarginRequest, rows: usize, columns: usize) {
        let sides = [(&mut self.rows, ask.rows, rows), (&mut self.columns, ask.columns, columns)];
        for (lines, is_asked, n) in sides {
            lines.clear();
            lines.resize(if is_asked { n } else { 0 }, LineSummary::default());
        }
    }

    /// Takes in the rows and columns of a window.
    pub(super) fn merge(&mut self, window: &Margins, at: &(Range<usize>, Range<usize>), spread: bool) {
        for (all, own, at) in
            [(&mut self.rows, &window.rows, &at.0), (&mut self.columns, &window.columns, &at.1)]
        {
            if !own.is_empty() {
                all[at.clone()].iter_mut().zip(own).for_each(|(a, b)| a.merge(b, spread));
            }
        }
    }

    /// With rows and columns swapped.
    pub(super) fn flipped(self) -> Self {
        Self { rows: self.columns, columns: self.rows }
    }
}

/// Cells side by side in registers.
const LANES: usize = 16;
/// Cells of a row that are summed without a rule against rounding, in lanes: the sum of f32 in f64 loses next to nothing.
const RUN: usize = 1 << 11;

/// Puts into `out` what the rows of a window hold, and the places of its columns where the fold of the window fills them: not
/// those of stored bits, which it sums apart. `ask` is in the source's own order.
pub(super) fn rows(out: &mut Margins, strip: &Strip<'_>, ask: MarginRequest) {
    let (height, width) = (strip.unit.0.len(), strip.unit.1.len());
    let apart = matches!(strip.numbers, Numbers::F32 { .. });
    let columns = ask.columns && !apart;
    out.reset(MarginRequest { columns, ..ask }, height, width);
    for (r, row) in out.rows.iter_mut().enumerate() {
        let at = r * strip.lines.stride;
        match strip.numbers {
            Numbers::F32 { .. } => stored_row(row, strip.lines, at..at + width),
            Numbers::F64(v) => wide_fold::row(row, v, strip.lines, at..at + width),
            Numbers::I64(v) => wide_fold::row(row, v, strip.lines, at..at + width),
            Numbers::U64(v) => wide_fold::row(row, v, strip.lines, at..at + width),
        }
    }
}

/// Takes in the distances of all values to the means of their lines in the window.
pub(super) fn spread(lines: &mut Margins, strip: &Strip<'_>) {
    match strip.numbers {
        Numbers::F32 { .. } => distances(lines, strip, |i| f64::from(f32::from_bits(strip.lines.bits[i]))),
        Numbers::F64(v) => distances(lines, strip, |i| v[i]),
        Numbers::I64(v) => distances(lines, strip, |i| v[i] as f64),
        Numbers::U64(v) => distances(lines, strip, |i| v[i] as f64),
    }
}

fn distances(lines: &mut Margins, strip: &Strip<'_>, value: impl Fn(usize) -> f64) {
    let all = squares(lines, strip, &value, 1.0);
    let mut others: Vec<f64> = Vec::new();
    let sides = [(&mut lines.rows, &all.0), (&mut lines.columns, &all.1)];
    for (lines, squares) in sides {
        for (line, squares) in lines.iter_mut().zip(squares) {
            let unit = line.unit_for(*squares);
            // The mean of equal numbers may be rounded, and the square of that exceeds f64 near its end.
            let are_equal = line.min >= line.max && line.min.is_finite();
            line.set_squares(if are_equal { 0.0 } else { *squares }, 1.0);
            others.extend(unit.filter(|unit| !others.contains(unit)));
        }
    }
    // Squares of numbers near either end of f64 are none; few grids have such.
    for unit in others {
        let again = squares(lines, strip, &value, unit);
        let sides = [(&mut lines.rows, &all.0, again.0), (&mut lines.columns, &all.1, again.1)];
        for (lines, before, again) in sides {
            for ((line, before), again) in lines.iter_mut().zip(before).zip(again) {
                if line.unit_for(*before) == Some(unit) {
                    line.set_squares(again, unit);
                }
            }
        }
    }
}

/// The sums of the squares of the distances of rows and of columns to their means, in squares of a unit.
fn squares(
    lines: &Margins,
    strip: &Strip<'_>,
    value: &impl Fn(usize) -> f64,
    unit: f64,
) -> (Vec<f64>, Vec<f64>) {
    // A power of two, as the unit is.
    let by = 1.0 / unit;
    let (means, mut squares): (Vec<f64>, Vec<f64>) =
        lines.columns.iter().map(|c| (c.mean() * by, 0.0)).unzip();
    let mut of_rows = Vec::with_capacity(lines.rows.len());
    strip.rows(|from, len| {
        let mean = lines.rows.get(of_rows.len()).map_or(0.0, LineSummary::mean) * by;
        let bits = &strip.lines.bits[from..from + len];
        // Without a branch, so that several cells are taken in at a time.
        let square = |x: usize, mean: f64| {
            let d = value(from + x) * by - mean;
            if State::of_bits(bits[x]).is_some() { 0.0 } else { d * d }
        };
        let mut sums = [0.0; LANES];
        let whole = len - len % LANES;
        for at in (0..whole).step_by(LANES) {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += square(at + i, mean);
            }
        }
        of_rows.push(sums.iter().sum::<f64>() + (whole..len).map(|x| square(x, mean)).sum::<f64>());
        for (x, (squares, mean)) in squares.iter_mut().zip(&means).enumerate() {
            *squares += square(x, *mean);
        }
    });
    (of_rows, squares)
}

/// Takes a row of stored cells in.
fn stored_row(out: &mut LineSummary, lines: Lines<'_>, at: Range<usize>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // The one thing that the call asks for was just asked of the processor.
        #[allow(unsafe_code)]
        unsafe {
            return stored_row_avx2(out, lines, at);
        }
    }
    stored_row_in_lanes(out, lines, at);
}

/// The same with registers of 256 bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn stored_row_avx2(out: &mut LineSummary, lines: Lines<'_>, at: Range<usize>) {
    stored_row_in_lanes(out, lines, at);
}

#[inline(always)]
fn stored_row_in_lanes(out: &mut LineSummary, lines: Lines<'_>, at: Range<usize>) {
    for run in lines.bits[at].chunks(RUN) {
        let (mut min, mut max, mut sum) =
            ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES], [0.0f64; LANES]);
        let whole = run.len() - run.len() % LANES;
        for from in (0..whole).step_by(LANES) {
            let chunk: &[u32; LANES] = run[from..from + LANES].try_into().expect("a slice of LANES");
            for i in 0..LANES {
                let v = f32::from_bits(chunk[i]);
                min[i] = if v < min[i] { v } else { min[i] };
                max[i] = if v > max[i] { v } else { max[i] };
                sum[i] += f64::from(v);
            }
        }
        let sum: f64 = sum.iter().sum();
        // A sum that is not finite means a state or an infinity.
        let plain = if sum.is_finite() { whole } else { 0 };
        if plain > 0 {
            let low = min.into_iter().fold(f32::INFINITY, f32::min);
            let high = max.into_iter().fold(f32::NEG_INFINITY, f32::max);
            out.take((f64::from(low), f64::from(high)), (sum, 0.0), plain as u64);
        }
        run[plain..].iter().for_each(|bits| out.add_stored(*bits));
    }
}
