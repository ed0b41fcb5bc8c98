//! Folding one row of pixels after the other, for pictures that are painted from cells in memory.

use super::Summary;
use super::backing::Lines;
use super::bounds;
use super::fold::BACKGROUND;
use super::kernel::{Columns, Tally};
use super::loaded::LoadedCells;
use super::reduce::Reduce;
use super::request::Spans;
use std::fmt;
use std::ops::Range;

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
        bounds::spans(&[], &[rows], (self.height, self.lines.stride)).unwrap_or_else(|e| panic!("{e}"));
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
