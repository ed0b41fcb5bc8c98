//! Folding one row of pixels of wide numbers after the other, for pictures that are painted from cells in memory.

use super::backing::Lines;
use super::bounds;
use super::kernel::Tally;
use super::loaded::LoadedCells;
use super::number_key::Wide;
use super::reduce::Reduce;
use super::request::Spans;
use super::row_fold::runs;
use super::summaries::Shown;
use super::values::Numbers;
use super::wide_columns::Columns;
use super::wide_summary::WideSummary;
use std::fmt;
use std::ops::Range;

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

/// Numbers, and what folds them.
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
        bounds::spans(&[], &[rows], (self.height, self.lines.stride)).unwrap_or_else(|e| panic!("{e}"));
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
    use super::super::{Grid, Summaries};
    use super::*;
    use crate::view::EdgeTable;

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
