//! The Summaries of one window: segment by segment, and all together.

use super::backing::Strip;
use super::body::Body;
use super::column_sums::ColumnSums;
use super::kernel::{Columns, Tally};
use super::segments::Segments;
use super::values::Numbers;
use super::{LineSummary, Summaries, Summary, WideSummary, scan, wide_columns};
use std::ops::Range;

/// How a pass is cut and spread; tests make it small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub threads: usize,
    pub cells: usize,
}

impl Cut {
    /// Windows that fit a core's cache, on every core.
    pub(super) fn of_cores() -> Self {
        Self { threads: scan::cores(), cells: scan::WINDOW_CELLS }
    }
}

/// Summaries of segments.
pub(super) struct Block {
    /// The segments of rows and columns that they cover.
    rows: Range<usize>,
    columns: Range<usize>,
    pub summaries: Summaries,
    /// No other window holds cells of these segments.
    whole: bool,
}

impl Block {
    /// Puts them where they belong among all, with `stride` in a row.
    pub(super) fn put(&self, all: &mut Summaries, stride: usize) {
        all.put(stride, self.rows.clone(), self.columns.clone(), &self.summaries, !self.whole);
    }
}

/// The Summaries of the segments that a window touches; without a body that of the window. What its columns hold is taken
/// into `sums`, as many as that has; what is not summed there into `columns`.
pub(super) fn fold_window(
    strip: &Strip<'_>,
    body: Option<&Body>,
    (lines_of_columns, sums): (&mut Vec<LineSummary>, &mut ColumnSums),
) -> (Block, Tally) {
    let unit = &strip.unit;
    let (rows, columns) = body.map_or((0..1, 0..1), |b| b.touched(unit));
    let within = |segments: Option<&Segments>, i: usize, unit: &Range<usize>| {
        let cells = segments.map_or(unit.clone(), |s| s.cells(i));
        cells.start.max(unit.start) - unit.start..cells.end.min(unit.end) - unit.start
    };
    let runs: Vec<Range<usize>> =
        columns.clone().map(|c| within(body.map(|b| &b.columns), c, &unit.1)).collect();
    let mut tally = Tally::default();
    let lines = rows.clone().map(|r| within(body.map(|b| &b.rows), r, &unit.0));
    let summaries = if let Numbers::F32 { .. } = strip.numbers {
        let (mut folded, mut out) = (Columns::default(), Vec::with_capacity(rows.len() * runs.len()));
        for lines in lines {
            folded.fold::<true>(strip.lines, lines.clone(), unit.1.len());
            sums.add(&folded, strip.lines, &lines, lines_of_columns);
            folded.summaries::<true>(strip.lines, &lines, &runs, &mut tally, |s| out.push(s));
        }
        Summaries::Stored(out)
    } else {
        Summaries::Wide(wide_columns::fold(strip, lines, &runs, &mut tally, lines_of_columns))
    };
    let ends = |s: &Segments, list: &Range<usize>, unit: &Range<usize>| {
        s.cells(list.start).start == unit.start && s.cells(list.end - 1).end == unit.end
    };
    let whole = body.is_some_and(|b| ends(&b.rows, &rows, &unit.0) && ends(&b.columns, &columns, &unit.1));
    (Block { rows, columns, summaries, whole }, tally)
}

/// Reduction of all wide numbers of a window.
pub(super) fn total(summaries: &Summaries) -> Option<WideSummary> {
    let Summaries::Wide(list) = summaries else {
        return None;
    };
    let mut all = WideSummary::default();
    list.iter().for_each(|s| all.merge(s));
    Some(all)
}

/// Reductions of pixels, in the grid's order, from those of segments.
pub(super) fn pixels(body: &Body, segments: Summaries, transposed: bool) -> Summaries {
    match segments {
        Summaries::Stored(list) => Summaries::Stored(body.pixels(list, transposed, Summary::merge)),
        Summaries::Wide(list) => Summaries::Wide(body.pixels(list, transposed, WideSummary::merge)),
    }
}
