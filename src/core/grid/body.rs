//! A body's pixels over a grid: the segments that its cells are folded in, and the windows that they are read in.

use super::backing::Unit;
use super::request::Spans;
use super::segments::Segments;
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
