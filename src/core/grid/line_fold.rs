//! Statistics of the rows and the columns of a window, from the same pass that folds its pixels.

use super::backing::{Lines, Strip};
use super::line_summary::{LineSummary, Margins};
use super::request::MarginRequest;
use super::state::State;
use super::values::Numbers;
use super::wide_columns;
use std::ops::Range;

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
            Numbers::F64(v) => wide_columns::row(row, v, strip.lines, at..at + width),
            Numbers::I64(v) => wide_columns::row(row, v, strip.lines, at..at + width),
            Numbers::U64(v) => wide_columns::row(row, v, strip.lines, at..at + width),
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
            line.set_squares(*squares, 1.0);
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
