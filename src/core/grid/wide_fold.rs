//! Folding numbers that f32 does not hold: window by window, or one row of pixels after the other.

use super::backing::{Lines, LoadedCells, Strip};
use super::cell::State;
use super::error;
use super::fold::runs;
use super::kernel::Tally;
use super::line_summary::LineSummary;
use super::number_key::Wide;
use super::scan_result::Spans;
use super::summaries::Shown;
use super::summary::{Reduce, WideSummary};
use super::sums::HUGE;
use super::values::Numbers;
use std::fmt;
use std::ops::Range;

/// Columns folded side by side.
const LANES: usize = 8;
/// Cells of a row that are taken in together.
const RUN: usize = 1 << 11;
/// The magnitude of stored bits beyond which they mark a state.
const INFINITY: u32 = 0x7f80_0000;

/// Least, greatest and sum of each column of some rows, and the greatest magnitude of the bits beside them.
pub(super) struct Columns<T> {
    min: Vec<T>,
    max: Vec<T>,
    /// Each with its rounding error.
    sum: Vec<(f64, f64)>,
    marks: Vec<u32>,
}

/// A sum, and its rounding error so far.
#[inline(always)]
fn plus((a, lost): (f64, f64), b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, lost + ((a - (sum - part)) + (b - part)))
}

impl<T: Wide> Columns<T> {
    pub(super) fn new() -> Self {
        Self { min: Vec::new(), max: Vec::new(), sum: Vec::new(), marks: Vec::new() }
    }

    fn fold(&mut self, numbers: &[T], bits: &[u32], stride: usize, rows: &Range<usize>, width: usize) {
        self.min.clear();
        self.max.clear();
        self.sum.clear();
        self.marks.clear();
        let whole = width - width % LANES;
        (0..whole).step_by(LANES).for_each(|x| self.down::<LANES>(numbers, bits, stride, rows, x));
        (whole..width).for_each(|x| self.down::<1>(numbers, bits, stride, rows, x));
    }

    /// `N` columns from `x` on.
    #[inline(always)]
    fn down<const N: usize>(
        &mut self,
        numbers: &[T],
        bits: &[u32],
        stride: usize,
        rows: &Range<usize>,
        x: usize,
    ) {
        let at = |r: usize| r * stride + x..r * stride + x + N;
        let first: &[T; N] = numbers[at(rows.start)].try_into().expect("a slice of N");
        let (mut min, mut max, mut sum, mut lost, mut marks) =
            (*first, *first, [0.0f64; N], [0.0f64; N], [0u32; N]);
        for r in rows.clone() {
            let line: &[T; N] = numbers[at(r)].try_into().expect("a slice of N");
            let beside: &[u32; N] = bits[at(r)].try_into().expect("a slice of N");
            for i in 0..N {
                min[i] = if line[i] < min[i] { line[i] } else { min[i] };
                max[i] = if line[i] > max[i] { line[i] } else { max[i] };
                (sum[i], lost[i]) = plus((sum[i], lost[i]), line[i].as_f64());
                marks[i] = marks[i].max(beside[i] & i32::MAX as u32);
            }
        }
        self.min.extend_from_slice(&min);
        self.max.extend_from_slice(&max);
        self.sum.extend(sum.into_iter().zip(lost));
        self.marks.extend_from_slice(&marks);
    }

    /// Adds the numbers of each column over some rows to one of `out`.
    fn add_to(&self, numbers: &[T], lines: Lines<'_>, rows: &Range<usize>, out: &mut [LineSummary]) {
        for (x, column) in out.iter_mut().enumerate() {
            let range = (self.min[x].as_f64(), self.max[x].as_f64());
            if self.marks[x] <= INFINITY && range.0.abs().max(range.1.abs()) < HUGE {
                column.take(range, self.sum[x], rows.len() as u64);
                continue;
            }
            for r in rows.clone().filter(|r| State::of_bits(lines.at(*r, x)).is_none()) {
                column.add(numbers[r * lines.stride + x].as_f64());
            }
        }
    }

    /// The summary of a run of columns; `None` where a state or a huge number is among them.
    fn along(&self, run: &Range<usize>, rows: usize) -> Option<WideSummary> {
        let (first, rest) = (run.start, run.start + 1..run.end);
        let (mut low, mut high, mut sum, mut mark) =
            (self.min[first], self.max[first], self.sum[first], self.marks[first]);
        for i in rest {
            low = if self.min[i] < low { self.min[i] } else { low };
            high = if self.max[i] > high { self.max[i] } else { high };
            sum = plus((sum.0, sum.1 + self.sum[i].1), self.sum[i].0);
            mark = mark.max(self.marks[i]);
        }
        let far = low.as_f64().abs().max(high.as_f64().abs());
        (mark <= INFINITY && far < HUGE).then(|| WideSummary::of(low, high, sum, (rows * run.len()) as u64))
    }

    /// Folds rows of `width` columns over runs of them, one summary a run.
    pub(super) fn summaries(
        &mut self,
        (numbers, lines): (&[T], Lines<'_>),
        rows: Range<usize>,
        (width, runs): (usize, &[Range<usize>]),
        tally: &mut Tally,
        mut emit: impl FnMut(WideSummary),
    ) {
        let (bits, stride) = (lines.bits, lines.stride);
        self.fold(numbers, bits, stride, &rows, width);
        for run in runs {
            if run.is_empty() {
                emit(WideSummary::default());
                continue;
            }
            if let Some(s) = self.along(run, rows.len()) {
                tally.values += s.count();
                emit(s);
                continue;
            }
            let mut s = WideSummary::default();
            for at in rows.clone().map(|r| r * stride + run.start..r * stride + run.end) {
                numbers[at.clone()].iter().zip(&bits[at]).for_each(|(v, bits)| s.take(*v, *bits, tally));
            }
            emit(s);
        }
    }
}

/// Folds blocks of rows of a window over runs of its columns, one summary a block and run; nothing of numbers that are f32.
pub(super) fn fold(
    strip: &Strip<'_>,
    blocks: impl Iterator<Item = Range<usize>>,
    runs: &[Range<usize>],
    tally: &mut Tally,
    lines: &mut [LineSummary],
) -> Vec<WideSummary> {
    fn each<T: Wide>(
        numbers: &[T],
        strip: &Strip<'_>,
        blocks: impl Iterator<Item = Range<usize>>,
        runs: &[Range<usize>],
        tally: &mut Tally,
        lines: &mut [LineSummary],
    ) -> Vec<WideSummary> {
        let (mut columns, mut out) = (Columns::new(), Vec::new());
        let width = strip.unit.1.len();
        blocks.for_each(|rows| {
            columns.summaries((numbers, strip.lines), rows.clone(), (width, runs), tally, |s| {
                out.push(s);
            });
            columns.add_to(numbers, strip.lines, &rows, lines);
        });
        out
    }
    match strip.numbers {
        Numbers::F32 { .. } => Vec::new(),
        Numbers::F64(v) => each(v, strip, blocks, runs, tally, lines),
        Numbers::I64(v) => each(v, strip, blocks, runs, tally, lines),
        Numbers::U64(v) => each(v, strip, blocks, runs, tally, lines),
    }
}

/// Takes a row of numbers with the bits beside them into a line.
pub(super) fn row<T: Wide>(out: &mut LineSummary, numbers: &[T], lines: Lines<'_>, at: Range<usize>) {
    let (numbers, bits) = (&numbers[at.clone()], &lines.bits[at]);
    for (numbers, bits) in numbers.chunks(RUN).zip(bits.chunks(RUN)) {
        let mark = bits.iter().fold(0, |m, b| m.max(b & i32::MAX as u32));
        let (mut low, mut high) = ([numbers[0]; LANES], [numbers[0]; LANES]);
        let mut sum = [(0.0f64, 0.0f64); LANES];
        for chunk in numbers.chunks(LANES) {
            for (i, v) in chunk.iter().enumerate() {
                low[i] = if *v < low[i] { *v } else { low[i] };
                high[i] = if *v > high[i] { *v } else { high[i] };
                sum[i] = plus(sum[i], v.as_f64());
            }
        }
        let least = low.map(T::as_f64).into_iter().fold(f64::INFINITY, f64::min);
        let greatest = high.map(T::as_f64).into_iter().fold(f64::NEG_INFINITY, f64::max);
        if mark <= INFINITY && least.abs().max(greatest.abs()) < HUGE {
            let lanes = sum.into_iter().reduce(|a, b| plus((a.0, a.1 + b.1), b.0));
            out.take((least, greatest), lanes.unwrap_or_default(), numbers.len() as u64);
            continue;
        }
        for (v, bits) in numbers.iter().zip(bits) {
            if State::of_bits(*bits).is_none() {
                out.add(v.as_f64());
            }
        }
    }
}

/// Folds rows of pixels over fixed pixel columns of a grid of wide numbers.
pub struct WideRows<'a> {
    lines: Lines<'a>,
    numbers: Kinds<'a>,
    /// Cells of each pixel, counted from the first that any pixel shows.
    runs: Vec<Range<usize>>,
    width: usize,
    height: usize,
}

impl fmt::Debug for WideRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WideRows")
            .field("width", &self.width)
            .field("height", &self.height)
            .finish_non_exhaustive()
    }
}

/// Numbers, and their fold.
enum Kinds<'a> {
    Narrow,
    F64(&'a [f64], Columns<f64>),
    I64(&'a [i64], Columns<i64>),
    U64(&'a [u64], Columns<u64>),
}

impl<'a> WideRows<'a> {
    /// Of cells in memory, `shape` their rows and columns; the spans lie within.
    pub(super) fn new(loaded: &'a LoadedCells, (height, stride): (usize, usize), columns: Spans<'_>) -> Self {
        let (shown, runs) = runs(columns);
        let numbers = match loaded.values().numbers().from(shown.start) {
            Numbers::F32 { .. } => Kinds::Narrow,
            Numbers::F64(v) => Kinds::F64(v, Columns::new()),
            Numbers::I64(v) => Kinds::I64(v, Columns::new()),
            Numbers::U64(v) => Kinds::U64(v, Columns::new()),
        };
        let lines = Lines { bits: &loaded.cells()[shown.start..], stride, foreign: false };
        Self { lines, numbers, runs, width: shown.len(), height }
    }

    /// Summaries of a row of pixels which covers these rows of cells, as `bits` has it, in place of those in `out`.
    ///
    /// # Panics
    /// When the rows leave the grid; a span without rows is background wherever it lies.
    #[track_caller]
    pub fn row(
        &mut self,
        rows: [u32; 2],
        by: Reduce,
        centre: f64,
        bits: impl Fn(Shown) -> u32,
        out: &mut Vec<u32>,
    ) {
        error::spans(&[], &[rows], (self.height, self.lines.stride)).unwrap_or_else(|e| panic!("{e}"));
        out.clear();
        let rows = rows[0] as usize..rows[1] as usize;
        if rows.is_empty() {
            return out.resize(self.runs.len(), bits(Shown::Background));
        }
        let (lines, runs, width) = (self.lines, self.runs.as_slice(), self.width);
        let emit = |s: WideSummary| out.push(bits(s.shown(by, centre)));
        match &mut self.numbers {
            Kinds::Narrow => {}
            Kinds::F64(v, columns) => each(v, columns, lines, rows, (width, runs), emit),
            Kinds::I64(v, columns) => each(v, columns, lines, rows, (width, runs), emit),
            Kinds::U64(v, columns) => each(v, columns, lines, rows, (width, runs), emit),
        }
    }
}

fn each<T: Wide>(
    numbers: &[T],
    columns: &mut Columns<T>,
    lines: Lines<'_>,
    rows: Range<usize>,
    over: (usize, &[Range<usize>]),
    emit: impl FnMut(WideSummary),
) {
    columns.summaries((numbers, lines), rows, over, &mut Tally::default(), emit);
}

#[cfg(test)]
mod tests {
    use super::super::values::Number;
    use super::super::{Grid, Summaries};
    use super::*;
    use crate::view::EdgeTable;
    use gridscope_random::Random;

    /// The summary of a row of numbers with the bits beside them.
    fn row<T: Wide>(numbers: &[T], bits: &[u32]) -> WideSummary {
        let lines = Lines { bits, stride: bits.len(), foreign: false };
        let (mut out, whole) = (WideSummary::default(), vec![0..bits.len(); 1]);
        Columns::new()
            .summaries((numbers, lines), 0..1, (bits.len(), &whole), &mut Tally::default(), |s| out = s);
        out
    }

    #[test]
    fn runs_keep_every_number_whatever_lies_beside_it() {
        let plain = [0u32; 3];
        let mut s = row(&[1e300, 2.5, 1e300], &plain);
        s.merge(&row(&[-1e300, -1e300, 0.5], &[0, 0, State::Masked.bits()]));
        assert_eq!((s.min(), s.max(), s.count()), (Some(Number::F64(-1e300)), Some(Number::F64(1e300)), 5));
        assert_eq!((s.mean(), s.states()), (Number::F64(0.5), 2));
        assert_eq!(row(&[u64::MAX; 3], &plain).mean(), Number::U64(u64::MAX));
        assert_eq!(row(&[i64::MIN, 4, 5], &[State::Nan.bits(), 0, 0]).min(), Some(Number::I64(4)));
        assert_eq!(row(&[f64::INFINITY, 3.0, 1.0], &plain).mean(), Number::F64(f64::INFINITY));
        assert_eq!(row(&[1e17, 1.0, -1e17], &plain).mean(), Number::F64(1.0 / 3.0));
        assert_eq!(WideSummary::default().min(), None);
    }

    #[test]
    fn both_ways_give_what_number_by_number_does() {
        let mut random = Random(5);
        for (width, height) in [(1usize, 9usize), (7, 3), (8, 1), (100, 2), (333, 1), (37, 20)] {
            for spoiled in [false, true] {
                let mut number = || {
                    if spoiled && random.below(31) == 0 {
                        1e300
                    } else {
                        random.below(1_u64 << 31) as f64 - 1e9
                    }
                };
                let numbers: Vec<f64> = (0..width * height).map(|_| number()).collect();
                let bits: Vec<u32> = numbers
                    .iter()
                    .map(|_| if spoiled && random.below(17) == 0 { State::Nan.bits() } else { 0 })
                    .collect();
                let lines = Lines { bits: &bits, stride: width, foreign: false };
                let strip = Strip {
                    unit: (0..height, 0..width),
                    lines,
                    numbers: Numbers::F64(&numbers),
                    transposed: false,
                };
                let runs = [0..width.div_ceil(2), width / 2..width];
                let got = fold(&strip, std::iter::once(0..height), &runs, &mut Tally::default(), &mut []);
                for (run, got) in runs.iter().zip(&got) {
                    let mut want = WideSummary::default();
                    for i in (0..height).flat_map(|r| run.clone().map(move |c| r * width + c)) {
                        want.take(numbers[i], bits[i], &mut Tally::default());
                    }
                    assert_eq!(
                        (got.min(), got.max(), got.count(), got.states()),
                        (want.min(), want.max(), want.count(), want.states())
                    );
                    let (got, want) = (got.mean().as_f64(), want.mean().as_f64());
                    assert!(
                        (got - want).abs() <= 1e-15 * want.abs() + 1e-6 || got.is_nan() && want.is_nan(),
                        "{got} {want}"
                    );
                }
            }
        }
    }

    #[test]
    fn rows_one_by_one_are_the_whole_fold() {
        let value = |i: i32| {
            if i % 11 == 0 { f64::NAN } else { f64::from(i * 7919 % 1000) }
        };
        let grid = Grid::from_rows(50, 70, (0..3500).map(value).collect()).unwrap();
        let bits = |s: Shown| match s {
            Shown::Background => 7,
            Shown::State(_) => 8,
            Shown::Value(v) => (v.as_f64() as f32).to_bits(),
        };
        for (columns, rows) in [
            (EdgeTable::fit(70, 9), EdgeTable::fit(50, 7).reversed()),
            (EdgeTable::part(70, -5.0, 40.5, 12), EdgeTable::part(50, 20.0, 60.0, 100)),
        ] {
            let Summaries::Wide(want) = grid.fold(columns.spans(), rows.spans()).unwrap() else {
                panic!("f64 is wider than f32")
            };
            let (mut fold, mut line) = (grid.wide_rows(columns.spans()), Vec::new());
            for by in [Reduce::Mean, Reduce::Min, Reduce::Max, Reduce::Extreme, Reduce::Count] {
                let mut got = Vec::new();
                for r in rows.spans() {
                    fold.row(*r, by, 400.0, bits, &mut line);
                    got.extend_from_slice(&line);
                }
                assert!(got == want.iter().map(|s| bits(s.shown(by, 400.0))).collect::<Vec<_>>(), "{by:?}");
            }
        }
    }
}
