//! Cells under the pixels of a fold along one side, and the division of a fold into short dispatches.

use super::bands::{Band, parts};
use std::ops::Range;

/// The most workgroups along one side of a dispatch.
pub(super) const MOST_SIDE: u32 = 65_535;

/// First and end element of each pixel along one side of a level, and the first and end of the hole in it
/// that a higher level folds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spans<'a> {
    Table(&'a [[u32; 4]]),
    /// `step` elements per pixel.
    Regular {
        step: u32,
    },
}

/// Elements along one side: all, and those in holes, which are not read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Reach {
    all: u64,
    hole: u64,
}

impl Reach {
    fn with(self, other: Reach) -> u64 {
        self.all * other.all - self.hole * other.hole
    }

    fn of(s: [u32; 4], window: &Range<u32>) -> Reach {
        let [a, b, c, d] = s.map(|v| u64::from(v.clamp(window.start, window.end)));
        Reach { all: b.saturating_sub(a), hole: d.saturating_sub(c) }
    }
}

impl Spans<'_> {
    fn at(&self, pixel: u32) -> [u32; 4] {
        match self {
            Spans::Table(t) => t[pixel as usize],
            Spans::Regular { step } => [pixel * step, (pixel + 1).saturating_mul(*step), 0, 0],
        }
    }

    fn reach(&self, pixel: u32, window: &Range<u32>) -> Reach {
        Reach::of(self.at(pixel), window)
    }

    fn reach_of(&self, pixels: Range<u32>, window: &Range<u32>) -> Reach {
        if let Spans::Regular { step } = self {
            let (from, to) = (pixels.start * step, pixels.end.saturating_mul(*step));
            return Reach::of([from, to, 0, 0], window);
        }
        pixels
            .map(|p| self.reach(p, window))
            .fold(Reach::default(), |a, b| Reach { all: a.all + b.all, hole: a.hole + b.hole })
    }

    /// The pixels among `pixels`, from the first to the last one, that cover part of `window`.
    fn touching(&self, pixels: &Range<u32>, window: &Range<u32>) -> Range<u32> {
        if let Spans::Regular { step } = self {
            let range = (window.start / step).max(pixels.start)..window.end.div_ceil(*step).min(pixels.end);
            return if range.start < range.end { range } else { 0..0 };
        }
        let covers = |p: &u32| self.reach(*p, window).all > 0;
        match (pixels.clone().find(covers), pixels.clone().rev().find(covers)) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        }
    }

    /// An upper bound of what any of `pixels` reads of `window` along this side: the longest span with the
    /// shortest hole.
    fn longest(&self, pixels: Range<u32>, window: &Range<u32>) -> Reach {
        if let Spans::Regular { step } = self {
            return Reach { all: u64::from(*step), hole: 0 };
        }
        let all = pixels.clone().map(|p| self.reach(p, window).all).max().unwrap_or(0);
        Reach { all, hole: pixels.map(|p| self.reach(p, window).hole).min().unwrap_or(0) }
    }

    /// The number of elements of a level of `size` that all pixels of `columns` and `rows` read.
    pub(super) fn work(columns: &Self, rows: &Self, pixels: [u32; 2], size: [u32; 2]) -> u64 {
        columns.reach_of(0..pixels[0], &(0..size[0])).with(rows.reach_of(0..pixels[1], &(0..size[1])))
    }
}

/// One dispatch: these pixels, as far as they cover these elements.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chunk {
    pub px: Range<u32>,
    pub py: Range<u32>,
    pub columns: Range<u32>,
    pub rows: Range<u32>,
    /// Elements read.
    pub work: u64,
}

/// The most elements that one dispatch, and one pixel of it, may read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    pub work: u64,
    /// Not above `work`.
    pub pixel: u64,
}

/// Cuts the fold of one source band into one target band.
pub(super) fn chunks(
    columns: &Spans<'_>,
    rows: &Spans<'_>,
    target: &Band,
    source: &Band,
    most: Most,
) -> Vec<Chunk> {
    let mut out = Vec::new();
    let across = columns.touching(&target.columns, &source.columns);
    let down = rows.touching(&target.rows, &source.rows);
    let (wide, high) =
        (columns.longest(across.clone(), &source.columns), rows.longest(down.clone(), &source.rows));
    // The largest window of which no pixel reads too much.
    let (width, height) = match wide.with(high) {
        n if n <= most.pixel => (u64::MAX, u64::MAX),
        _ if wide.all > most.pixel => (most.pixel, 1),
        _ => (u64::MAX, most.pixel / wide.all),
    };
    for r in parts(source.rows.clone(), height) {
        for c in parts(source.columns.clone(), width) {
            for px in parts(columns.touching(&across, &c), u64::from(MOST_SIDE)) {
                let all =
                    Chunk { px, py: rows.touching(&down, &r), columns: c.clone(), rows: r.clone(), work: 0 };
                chunks_of(columns, rows, &all, most.work, &mut out);
            }
        }
    }
    out
}

/// Cuts a chunk into runs of pixel rows.
fn chunks_of(columns: &Spans<'_>, rows: &Spans<'_>, all: &Chunk, most: u64, out: &mut Vec<Chunk>) {
    let wide = columns.reach_of(all.px.clone(), &all.columns);
    let mut y = all.py.start;
    while y < all.py.end {
        let first = y;
        let mut work = 0;
        while y < all.py.end && y - first < MOST_SIDE {
            let more = wide.with(rows.reach(y, &all.rows));
            if y > first && work + more > most {
                break;
            }
            (work, y) = (work + more, y + 1);
        }
        let chunk = Chunk { py: first..y, work, ..all.clone() };
        if work > most {
            row_of(columns, rows, &chunk, most, out);
        } else if work > 0 {
            out.push(chunk);
        }
    }
}

/// Cuts a chunk of one pixel row.
fn row_of(columns: &Spans<'_>, rows: &Spans<'_>, row: &Chunk, most: u64, out: &mut Vec<Chunk>) {
    let high = rows.reach(row.py.start, &row.rows);
    let mut x = row.px.start;
    while x < row.px.end {
        let first = x;
        let mut work = 0;
        while x < row.px.end {
            let more = columns.reach(x, &row.columns).with(high);
            if x > first && work + more > most {
                break;
            }
            (work, x) = (work + more, x + 1);
        }
        let chunk = Chunk { px: first..x, work, ..row.clone() };
        if work > 0 {
            out.push(chunk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bands::Packer;
    use super::*;
    use gridscope_core::view::EdgeTable;
    use std::collections::HashMap;

    fn wide(t: &EdgeTable) -> Vec<[u32; 4]> {
        t.spans().iter().map(|s| [s[0], s[1], 0, 0]).collect()
    }

    /// Every pair of a pixel and an element under it is read once, whatever the bands, and no dispatch reads too much.
    #[test]
    fn chunks_count_every_cell_once() {
        let tables = |n: u32, w: u32| {
            [EdgeTable::fit(n, w), EdgeTable::part(n, -3.0, f64::from(n) * 0.7, w).reversed()]
        };
        let cases = [
            (40, 30, 7, 9, 50, 9, 64),
            (300, 5, 20, 2, 16, 16, 64),
            (5, 200, 3, 1, 1000, 100, 33),
            (6, 4, 9, 11, 7, 3, 5),
        ];
        for (width, height, w, h, work, pixel, band) in cases {
            for (x, y) in tables(width, w).into_iter().zip(tables(height, h)) {
                let (cols, rows) = (wide(&x), wide(&y));
                let (columns, rows_of) = (Spans::Table(&cols), Spans::Table(&rows));
                let mut seen: HashMap<[u32; 4], u32> = HashMap::new();
                let (source, target) =
                    (Packer::new(band).place(width, 0..height), Packer::new(40).place(w, 0..h));
                for (t, s) in target.bands().flat_map(|t| source.bands().map(move |s| (t.clone(), s))) {
                    for c in chunks(&columns, &rows_of, &t, &s, Most { work, pixel }) {
                        let mut read = 0;
                        for (px, py) in c.py.clone().flat_map(|py| c.px.clone().map(move |px| (px, py))) {
                            let (sx, sy) = (cols[px as usize], rows[py as usize]);
                            let mut own = 0;
                            for (cx, cy) in
                                (sy[0]..sy[1]).flat_map(|cy| (sx[0]..sx[1]).map(move |cx| (cx, cy)))
                            {
                                if c.columns.contains(&cx) && c.rows.contains(&cy) {
                                    *seen.entry([px, py, cx, cy]).or_default() += 1;
                                    own += 1;
                                }
                            }
                            assert!(own <= pixel, "{c:?}");
                            read += own;
                        }
                        assert!(read == c.work && read > 0 && read <= work, "{c:?}");
                    }
                }
                let total: u64 = cols.iter().map(|c| u64::from(c[1] - c[0])).sum::<u64>()
                    * rows.iter().map(|r| u64::from(r[1] - r[0])).sum::<u64>();
                assert_eq!((seen.len() as u64, seen.values().all(|n| *n == 1)), (total, true));
                assert_eq!(Spans::work(&columns, &rows_of, [w, h], [width, height]), total);
            }
        }
    }

    #[test]
    fn regular_spans_reach_what_a_table_of_them_does() {
        let table: Vec<[u32; 4]> = (0..8).map(|i| [i * 4, i * 4 + 4, 0, 0]).collect();
        for window in [0..29, 3..4, 8..16, 9..27] {
            let (t, r) = (Spans::Table(&table), Spans::Regular { step: 4 });
            assert_eq!(t.touching(&(0..8), &window), r.touching(&(0..8), &window));
            assert_eq!(t.reach_of(1..7, &window), r.reach_of(1..7, &window));
        }
    }

    #[test]
    fn holes_cost_no_work() {
        let spans = [[0, 100, 10, 90]];
        let band = Band { buffer: 0, start: 0, rows: 0..100, columns: 0..100 };
        let t = Spans::Table(&spans);
        let target = Band { buffer: 0, start: 0, rows: 0..1, columns: 0..1 };
        let works = |n| {
            chunks(&t, &t, &target, &band, Most { work: n, pixel: n })
                .iter()
                .map(|c| c.work)
                .collect::<Vec<_>>()
        };
        assert_eq!(works(5000), [3600]);
        assert_eq!((works(1000).iter().sum::<u64>(), works(1000).len()), (3600, 10));
    }
}
