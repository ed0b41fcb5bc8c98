//! A body's pixels over a grid: segments of cells, the windows that they are read in, and the Summaries of a window.

use super::backing::{Strip, Unit};
use super::kernel::{ColumnSums, Columns, Tally};
use super::scan_result::Spans;
use super::values::Numbers;
use super::{LineSummary, Summaries, Summary, WideSummary, passes, wide_fold};
use std::ops::Range;

/// Windows are no narrower than this unless the grid is: shorter runs would be read too slowly.
const LEAST_COLUMNS: usize = 1 << 11;

/// The segments of a body's columns and rows, in the source's own order.
pub(super) struct Body {
    pub columns: Segments,
    pub rows: Segments,
}

impl Body {
    /// The segments under these spans of the grid's columns and rows.
    pub(super) fn new(spans: (Spans<'_>, Spans<'_>), height: usize, width: usize, transposed: bool) -> Self {
        let (columns, rows) = if transposed { (spans.1, spans.0) } else { spans };
        Self { columns: Segments::new(columns, width), rows: Segments::new(rows, height) }
    }

    /// As [`Body::new`], without the cells that no pixel shows.
    pub(super) fn shown(spans: (Spans<'_>, Spans<'_>), transposed: bool) -> Self {
        let (columns, rows) = if transposed { (spans.1, spans.0) } else { spans };
        Self { columns: Segments::shown(columns), rows: Segments::shown(rows) }
    }

    /// The segments of rows and of columns that a window touches.
    pub(super) fn touched(&self, unit: &Unit) -> (Range<usize>, Range<usize>) {
        (self.rows.touched(&unit.0), self.columns.touched(&unit.1))
    }

    /// The segments of some rows and columns alone, counted from their first cells.
    pub(super) fn clipped(&self, rows: &Range<usize>, columns: &Range<usize>) -> Self {
        Self { columns: self.columns.clipped(columns), rows: self.rows.clipped(rows) }
    }

    /// Windows of about this many cells, which cut as few segments as they can.
    pub(super) fn units(&self, cells: usize) -> Vec<Unit> {
        let (height, width) = (self.rows.extent(), self.columns.extent());
        if height == 0 || width == 0 {
            return Vec::new();
        }
        let deep = height.div_ceil(self.rows.len());
        // Runs of one length: a short last one would cost as many reads as the others.
        let runs = width.div_ceil((cells / deep).max(LEAST_COLUMNS.min(cells)).min(width));
        let most = width.div_ceil(runs) + if runs > 1 { width.div_ceil(self.columns.len()) } else { 0 };
        // A segment wider than that is cut: no window holds much more than `cells`.
        let across = self.columns.cut(most.min(2 * cells));
        let widest = across.iter().map(ExactSizeIterator::len).max().unwrap_or(1);
        let down = self.rows.cut((cells / widest).max(1));
        down.iter().flat_map(|r| across.iter().map(move |c| (r.clone(), c.clone()))).collect()
    }

    /// Values of pixels, in the grid's order, from those of segments.
    pub(super) fn pixels<T: Copy + Default>(
        &self,
        segments: Vec<T>,
        transposed: bool,
        merge: impl Fn(&mut T, &T),
    ) -> Vec<T> {
        if !transposed && self.rows.are_pixels() && self.columns.are_pixels() {
            return segments;
        }
        let stride = self.columns.len();
        let pixel = |rows: &Range<u32>, columns: &Range<u32>| {
            if rows.len() == 1 && columns.len() == 1 {
                return segments[rows.start as usize * stride + columns.start as usize];
            }
            let mut out = T::default();
            for r in rows.clone() {
                segments[r as usize * stride..][columns.start as usize..columns.end as usize]
                    .iter()
                    .for_each(|s| merge(&mut out, s));
            }
            out
        };
        let (rows, columns) = (self.rows.pixels(), self.columns.pixels());
        let mut out = Vec::with_capacity(rows.len() * columns.len());
        if transposed {
            columns.iter().for_each(|c| out.extend(rows.iter().map(|r| pixel(r, c))));
        } else {
            rows.iter().for_each(|r| out.extend(columns.iter().map(|c| pixel(r, c))));
        }
        out
    }
}

/// Runs of cells between pixel edges; each pixel is a run of segments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segments {
    /// First cell of each segment, and the end of the last.
    bounds: Vec<u32>,
    /// The segments of each pixel; empty where it is background.
    pixels: Vec<Range<u32>>,
}

impl Segments {
    /// The segments of all `cells` cells of an axis under these spans.
    pub(super) fn new(spans: &[[u32; 2]], cells: usize) -> Self {
        Self::between(spans, &[0, cells as u32])
    }

    /// The segments of the cells that some pixel shows.
    pub(super) fn shown(spans: &[[u32; 2]]) -> Self {
        Self::between(spans, &[])
    }

    /// The segments of some cells alone, a pixel each, counted from the first of them.
    fn clipped(&self, cells: &Range<usize>) -> Self {
        let touched = self.touched(cells);
        let own = |bound: &u32| bound.clamp(&(cells.start as u32), &(cells.end as u32)) - cells.start as u32;
        let bounds = self.bounds[touched.start..=touched.end].iter().map(own).collect();
        Self { bounds, pixels: (0..touched.len() as u32).map(|i| i..i + 1).collect() }
    }

    fn between(spans: &[[u32; 2]], ends: &[u32]) -> Self {
        let mut bounds: Vec<u32> =
            spans.iter().filter(|s| s[0] < s[1]).flatten().chain(ends).copied().collect();
        bounds.sort_unstable();
        bounds.dedup();
        let at = |cell: u32| bounds.partition_point(|b| *b < cell) as u32;
        let pixels = spans.iter().map(|s| if s[0] < s[1] { at(s[0])..at(s[1]) } else { 0..0 }).collect();
        Self { bounds, pixels }
    }

    /// How many segments.
    pub(super) fn len(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    /// Whether pixel i is segment i, for all.
    fn are_pixels(&self) -> bool {
        self.pixels.len() == self.len() && (0u32..).zip(&self.pixels).all(|(i, p)| *p == (i..i + 1))
    }

    pub(super) fn pixels(&self) -> &[Range<u32>] {
        &self.pixels
    }

    /// The segments that some cells touch.
    pub(super) fn touched(&self, cells: &Range<usize>) -> Range<usize> {
        let first = self.bounds.partition_point(|b| *b as usize <= cells.start) - 1;
        first..self.bounds.partition_point(|b| (*b as usize) < cells.end)
    }

    /// How many cells, from the first segment's to the last one's.
    pub(super) fn extent(&self) -> usize {
        self.bounds.first().zip(self.bounds.last()).map_or(0, |(a, b)| (b - a) as usize)
    }

    /// The cells of a segment.
    pub(super) fn cells(&self, segment: usize) -> Range<usize> {
        self.bounds[segment] as usize..self.bounds[segment + 1] as usize
    }

    /// Runs of at most `most` cells, which end where a segment does wherever one ends within.
    pub(super) fn cut(&self, most: usize) -> Vec<Range<usize>> {
        let (Some(first), Some(end)) = (self.bounds.first(), self.bounds.last()) else {
            return Vec::new();
        };
        let (mut from, end) = (*first as usize, *end as usize);
        let mut out = Vec::new();
        while from < end {
            let last = self.bounds.partition_point(|b| *b as usize <= from + most) - 1;
            let bound = self.bounds[last] as usize;
            let to = if bound > from { bound } else { (from + most).min(end) };
            out.push(from..to);
            from = to;
        }
        out
    }
}

/// How a pass is cut and spread; tests make it small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub threads: usize,
    pub cells: usize,
}

impl Cut {
    /// Windows that fit a core's cache, on every core.
    pub(super) fn of_cores() -> Self {
        Self { threads: passes::cores(), cells: passes::WINDOW_CELLS }
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
    lines_of_columns: &mut Vec<LineSummary>,
    sums: &mut ColumnSums,
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
        Summaries::Wide(wide_fold::fold(strip, lines, &runs, &mut tally, lines_of_columns))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_runs_of_segments() {
        let s = Segments::new(&[[0, 3], [3, 7], [7, 10]], 10);
        assert!(s.are_pixels() && s.len() == 3);
        let s = Segments::new(&[[7, 10], [3, 7], [0, 3]], 10);
        assert_eq!((s.are_pixels(), s.pixels()), (false, &[2..3, 1..2, 0..1][..]));
        // A part of the axis, a gap, and two pixels that show one cell.
        let s = Segments::new(&[[2, 5], [0, 0], [5, 6], [5, 6]], 9);
        assert_eq!((s.len(), s.pixels()), (4, &[1..2, 0..0, 2..3, 2..3][..]));
        let shown = Segments::shown(&[[2, 5], [0, 0], [5, 6], [5, 6]]);
        assert_eq!(
            (shown.len(), shown.pixels(), shown.cut(2)),
            (2, &[0..1, 0..0, 1..2, 1..2][..], vec![2..4, 4..6])
        );
        assert!(Segments::shown(&[[0, 0]]).cut(3).is_empty());
        assert_eq!(
            (s.cells(0), s.cells(3), s.touched(&(1..6)), s.touched(&(6..9))),
            (0..2, 6..9, 0..3, 3..4)
        );
    }

    #[test]
    fn cuts_end_at_segments_where_they_can() {
        let s = Segments::new(&[[0, 4], [4, 8], [8, 30], [30, 31]], 31);
        assert_eq!(s.cut(10), [0..8, 8..18, 18..28, 28..31]);
        assert_eq!(s.cut(100), [Range { start: 0, end: 31 }]);
    }
}
