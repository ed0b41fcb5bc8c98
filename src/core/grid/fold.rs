//! Folding on the CPU: the cells under each pixel of a body become a Summary, then one stored value; whole, or row by row.

use super::backing::{Lines, LoadedCells};
use super::kernel::{Columns, Tally};
use super::scan_result::Spans;
use super::summary::Reduce;
use super::{State, Summary, error};
use std::fmt;
use std::ops::Range;

/// The stored bit pattern of a pixel that covers no cell: a NaN that is not the state of a cell.
pub const BACKGROUND: u32 = 0x7fc0_00ff;

/// The Summary of every pixel; `columns` and `rows` give first and end cell of each pixel along x and y. Spans without cells are
/// background.
///
/// `cells` has `width` cells a row. The order of additions is fixed, so the bytes never depend on threads.
///
/// # Panics
/// When a span leaves the rows or columns of `cells`.
pub fn fold(cells: &[u32], width: usize, columns: &[[u32; 2]], rows: &[[u32; 2]]) -> Vec<Summary> {
    let mut out = vec![Summary::default(); columns.len() * rows.len()];
    for (line, r) in out.chunks_exact_mut(columns.len().max(1)).zip(rows) {
        for y in r[0]..r[1] {
            let row = &cells[y as usize * width..][..width];
            for (pixel, c) in line.iter_mut().zip(columns).filter(|(_, c)| c[0] < c[1]) {
                for &bits in &row[c[0] as usize..c[1] as usize] {
                    pixel.add(bits);
                }
            }
        }
    }
    out
}

impl Summary {
    /// The stored bits that a pixel shows; `centre` is the value that `extreme` measures from.
    #[inline(always)]
    pub fn reduce(&self, by: Reduce, centre: f64) -> u32 {
        if self.count() == 0 {
            return match (self.states(), by) {
                (0, _) => BACKGROUND,
                (_, Reduce::Count) => 0f32.to_bits(),
                _ => self.state().bits(),
            };
        }
        let v = match by {
            Reduce::Mean => self.mean() as f32,
            Reduce::Min => self.min,
            Reduce::Max => self.max,
            Reduce::Count => self.count() as f32,
            Reduce::Extreme => {
                if farther(f64::from(self.min), f64::from(self.max), centre) {
                    self.min
                } else {
                    self.max
                }
            }
        };
        if v.is_nan() { State::Nan.bits() } else { v.to_bits() }
    }
}

/// Whether `min` lies farther from the centre than `max`: centre - min > max - centre, rounded nowhere, so that every back
/// end decides alike. The centre is finite.
pub(super) fn farther(min: f64, max: f64, centre: f64) -> bool {
    if max == f64::INFINITY || centre <= min {
        return false;
    }
    if min == f64::NEG_INFINITY || centre >= max {
        return true;
    }
    // Scaled by a power of two where a sum might overflow.
    let down = if min.abs().max(max.abs()) > 1e300 { 0.25 } else { 1.0 };
    let (min, max, centre) = (min * down, max * down, centre * down);
    // What the sum of the two loses to rounding.
    let sum = min + max;
    let part = sum - min;
    let lost = (min - (sum - part)) + (max - part);
    let twice = 2.0 * centre;
    twice > sum || (twice == sum && lost < 0.0)
}

/// Folds rows of pixels over fixed pixel columns.
pub struct RowFold<'a> {
    lines: Lines<'a>,
    /// Cells of each pixel, counted from the first that any pixel shows.
    runs: Vec<Range<usize>>,
    width: usize,
    /// Rows of the grid.
    height: usize,
    folded: Columns,
}

impl fmt::Debug for RowFold<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowFold")
            .field("width", &self.width)
            .field("height", &self.height)
            .finish_non_exhaustive()
    }
}

/// The cells from the first to the last that any pixel shows, and those of each pixel, counted from the first.
pub(super) fn runs(columns: Spans<'_>) -> (Range<usize>, Vec<Range<usize>>) {
    let shown = || columns.iter().filter(|s| s[0] < s[1]);
    let first = shown().map(|s| s[0]).min().unwrap_or(0) as usize;
    let end = shown().map(|s| s[1]).max().unwrap_or(0) as usize;
    let run = |s: &[u32; 2]| {
        if s[0] < s[1] { s[0] as usize - first..s[1] as usize - first } else { 0..0 }
    };
    (first..end, columns.iter().map(run).collect())
}

impl<'a> RowFold<'a> {
    /// Over the cells of a grid of this height and width, which no span leaves.
    pub(super) fn new(loaded: &'a LoadedCells, (height, stride): (usize, usize), columns: Spans<'_>) -> Self {
        let (shown, runs) = runs(columns);
        let lines = Lines { bits: &loaded.cells()[shown.start..], stride, foreign: false };
        Self { lines, runs, width: shown.len(), height, folded: Columns::default() }
    }

    /// The stored bits that a row of pixels shows which covers these rows of cells, in place of what was in `out`.
    ///
    /// # Panics
    /// When the rows leave the grid; a span without rows is background wherever it lies.
    #[track_caller]
    pub fn row(&mut self, rows: [u32; 2], by: Reduce, centre: f64, out: &mut Vec<u32>) {
        error::spans(&[], &[rows], (self.height, self.lines.stride)).unwrap_or_else(|e| panic!("{e}"));
        // A loop for each reduction: none of them asks which it is at every pixel.
        match by {
            Reduce::Mean => self.each::<false>(rows, out, |s| s.reduce(Reduce::Mean, centre)),
            Reduce::Min => self.each::<true>(rows, out, |s| s.reduce(Reduce::Min, centre)),
            Reduce::Max => self.each::<true>(rows, out, |s| s.reduce(Reduce::Max, centre)),
            Reduce::Extreme => self.each::<true>(rows, out, |s| s.reduce(Reduce::Extreme, centre)),
            Reduce::Count => self.each::<false>(rows, out, |s| s.reduce(Reduce::Count, centre)),
        }
    }

    #[inline(always)]
    fn each<const EXTREMES: bool>(
        &mut self,
        rows: [u32; 2],
        out: &mut Vec<u32>,
        bits: impl Fn(&Summary) -> u32,
    ) {
        out.clear();
        let rows = rows[0] as usize..rows[1] as usize;
        if rows.is_empty() {
            out.resize(self.runs.len(), BACKGROUND);
            return;
        }
        self.folded.fold::<EXTREMES>(self.lines, rows.clone(), self.width);
        self.folded.summaries::<EXTREMES>(self.lines, &rows, &self.runs, &mut Tally::default(), |s| {
            out.push(bits(&s));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, fold};
    use super::*;
    use crate::view::EdgeTable;

    #[test]
    fn pixels_reduce_what_they_cover() {
        let v: Vec<u32> = [1.0f32, 2.0, 3.0, 10.0].map(f32::to_bits).into();
        let s = fold(&v, 2, &[[0, 2]], &[[0, 2], [0, 0]]);
        let by = |r| f32::from_bits(s[0].reduce(r, 4.0));
        assert_eq!(
            [by(Reduce::Mean), by(Reduce::Min), by(Reduce::Max), by(Reduce::Count), by(Reduce::Extreme)],
            [4.0, 1.0, 10.0, 4.0, 10.0]
        );
        assert_eq!(f32::from_bits(s[0].reduce(Reduce::Extreme, 9.0)), 1.0);
        assert_eq!(s[1].reduce(Reduce::Mean, 0.0), BACKGROUND);
    }

    #[test]
    fn the_farther_extreme_is_told_exactly() {
        let farther = |min: f32, max: f32, centre: f64| {
            f32::from_bits(Summary::new(min, max, 0.0, 2, 0).reduce(Reduce::Extreme, centre))
        };
        assert_eq!(
            (farther(-1.0, 1.0, 0.0), farther(-1.0, 1.0, 1e-30), farther(-1.0, 1.0, -1e-30)),
            (1.0, -1.0, 1.0)
        );
        assert_eq!((farther(2.0, 5.0, 9.0), farther(2.0, 5.0, 1.0), farther(2.0, 2.0, 9.0)), (2.0, 5.0, 2.0));
        let inf = f32::INFINITY;
        assert_eq!(
            (farther(-inf, inf, 3.0), farther(-inf, 5.0, 4.0), farther(1.0, inf, 9.0)),
            (inf, -inf, inf)
        );
    }

    #[test]
    fn a_pixel_of_states_shows_the_first() {
        let v = [State::Absent.bits(), State::Masked.bits()];
        let s = fold(&v, 2, &[[0, 2]], &[[0, 1]]);
        assert_eq!(s[0].reduce(Reduce::Mean, 0.0), State::Masked.bits());
        assert_eq!(f32::from_bits(s[0].reduce(Reduce::Count, 0.0)), 0.0);
        let inf = fold(&[f32::INFINITY.to_bits(), f32::NEG_INFINITY.to_bits()], 2, &[[0, 2]], &[[0, 1]]);
        assert_eq!(inf[0].reduce(Reduce::Mean, 0.0), State::Nan.bits());
    }

    #[test]
    fn rows_one_by_one_are_the_whole_fold() {
        let value = |i: i32| {
            if i % 11 == 0 { f64::NAN } else { f64::from(i * 7919 % 1000) }
        };
        let grid = Grid::from_rows(50, 70, (0..3500).map(value).collect()).unwrap();
        for (columns, rows) in [
            (EdgeTable::fit(70, 9), EdgeTable::fit(50, 7).reversed()),
            (EdgeTable::part(70, -5.0, 40.5, 12), EdgeTable::part(50, 20.0, 60.0, 100)),
        ] {
            let want = fold(grid.cells(), 70, columns.spans(), rows.spans());
            let (mut fold, mut line) = (grid.row_fold(columns.spans()), Vec::new());
            for by in [Reduce::Mean, Reduce::Min, Reduce::Max, Reduce::Extreme, Reduce::Count] {
                let mut got = Vec::new();
                for r in rows.spans() {
                    fold.row(*r, by, 400.0, &mut line);
                    got.extend_from_slice(&line);
                }
                // Whole numbers have exact sums, so means are equal too.
                assert!(got == want.iter().map(|s| s.reduce(by, 400.0)).collect::<Vec<_>>(), "{by:?}");
            }
        }
    }
}
