//! An axis cut where pixels begin and end, so that each cell is folded once however many pixels show it.

use std::ops::Range;

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
    pub(super) fn are_pixels(&self) -> bool {
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
