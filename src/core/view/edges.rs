//! The cells under each pixel of a body: one edge table per axis serves every back end.

use std::ops::Range;

/// For each pixel along one side of a body, the cells that it covers; for each cell, its extent.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeTable {
    spans: Vec<[u32; 2]>,
    extents: Extents,
    reversed: bool,
    /// Pixels of the whole body, and those before the first span.
    whole: u32,
    before: u32,
}

#[derive(Clone, Debug, PartialEq)]
enum Extents {
    /// `cells` equal cells over all pixels.
    Even { cells: u32 },
    /// Start and end of each cell in pixels.
    Placed(Vec<[f64; 2]>),
    /// The part `from..to` of `cells` equal cells over all pixels.
    Part { cells: u32, from: f64, to: f64 },
}

/// The cells under some of the pixels of a part `from..to` of an axis on `whole` pixels, as [`EdgeTable::part`] says.
fn part_spans(cells: u32, (from, to): (f64, f64), whole: u32, pixels: std::ops::Range<i64>) -> Vec<[u32; 2]> {
    let (n, step) = (f64::from(cells), (to - from) / f64::from(whole));
    let edge = |v: f64| v.floor().clamp(0.0, n) as u32;
    let span = |i: f64| {
        if step > 1.0 {
            // The end of one pixel is computed as the start of the next, so that no cell is lost or doubled.
            return [edge(from + i * step), edge(from + (i + 1.0) * step)];
        }
        let at = (from + (i + 0.5) * step).floor();
        if at < 0.0 || at >= n { [0, 0] } else { [at as u32, at as u32 + 1] }
    };
    pixels.map(|i| span(i as f64)).collect()
}

impl EdgeTable {
    /// A whole axis of equal cells on `pixels` pixels.
    ///
    /// With more cells than pixels, pixel i covers floor(i*n/w)..floor((i+1)*n/w), each cell once. Otherwise
    /// it shows the cell under its centre.
    ///
    /// # Panics
    /// When a side is 0.
    pub fn fit(cells: u32, pixels: u32) -> Self {
        assert!(cells > 0 && pixels > 0, "a body has cells and pixels");
        let (n, w) = (u64::from(cells), u64::from(pixels));
        let spans = (0..w)
            .map(|i| {
                if n > w {
                    [(i * n / w) as u32, ((i + 1) * n / w) as u32]
                } else {
                    let c = ((2 * i + 1) * n / (2 * w)) as u32;
                    [c, c + 1]
                }
            })
            .collect();
        Self { spans, extents: Extents::Even { cells }, reversed: false, whole: pixels, before: 0 }
    }

    /// The part `from..to` (in cells, fractions allowed, beyond the axis too) of an axis of equal cells on `pixels` pixels.
    ///
    /// With s = (to - from) / pixels above 1, pixel i covers floor(from + i*s)..floor(from + (i+1)*s),
    /// clamped to the axis; otherwise it shows the cell under its centre. Pixels outside the axis are
    /// background.
    ///
    /// # Panics
    /// When a side is 0 or the part is empty.
    pub fn part(cells: u32, from: f64, to: f64, pixels: u32) -> Self {
        assert!(
            cells > 0 && pixels > 0 && from < to && (to - from).is_finite(),
            "a body has cells and pixels"
        );
        Self {
            spans: part_spans(cells, (from, to), pixels, 0..i64::from(pixels)),
            extents: Extents::Part { cells, from, to },
            reversed: false,
            whole: pixels,
            before: 0,
        }
    }

    /// Cells at given places, none overlapping, some perhaps beyond the pixels: gaps stay background. Cells narrower than a
    /// pixel belong to the pixel where their far edge falls; a pixel with no such edge shows the cell under its centre.
    pub fn placed(extents: Vec<[f64; 2]>, pixels: u32) -> Self {
        let n = extents.len();
        let mut spans = vec![[0u32; 2]; pixels as usize];
        let mut next = extents.partition_point(|e| e[0] < 0.0 && e[1] <= 1e-9);
        for (i, span) in spans.iter_mut().enumerate() {
            let (left, right) = (i as f64, i as f64 + 1.0);
            let first = next;
            while next < n && extents[next][1] <= right + 1e-9 {
                next += 1;
            }
            if next > first {
                *span = [first as u32, next as u32];
            } else if next < n && extents[next][0] <= left + 0.5 {
                *span = [next as u32, next as u32 + 1];
            }
        }
        // A last far edge lost to rounding still belongs to the last pixel.
        let lost = extents[next..].partition_point(|e| e[1] <= f64::from(pixels) + 1e-6);
        if let (true, Some(last)) = (lost > 0, spans.last_mut()) {
            *last = [if last[0] < last[1] { last[0] } else { next as u32 }, (next + lost) as u32];
        }
        Self { spans, extents: Extents::Placed(extents), reversed: false, whole: pixels, before: 0 }
    }

    /// The same axis running the other way (row 0 below).
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.spans.reverse();
        self.reversed = !self.reversed;
        self
    }

    /// The table of some of the pixels; extents stay relative to the whole body.
    ///
    /// # Panics
    /// When the range leaves the table.
    #[must_use]
    pub fn cut(&self, pixels: std::ops::Range<usize>) -> Self {
        let before = self.before + pixels.start as u32;
        let (extents, spans) = (self.extents.clone(), self.spans[pixels].to_vec());
        Self { spans, extents, before, ..*self }
    }

    /// First and end cell of each pixel; equal where the pixel is background.
    pub fn spans(&self) -> &[[u32; 2]] {
        &self.spans
    }

    /// The cells under this many pixels before the first one of a part, and after its last one; `None` if it is not a whole part
    /// of equal cells.
    pub fn beside(&self, pixels: u32) -> Option<[Vec<[u32; 2]>; 2]> {
        let Extents::Part { cells, from, to } = self.extents else {
            return None;
        };
        let (own, more) = (i64::from(self.whole), i64::from(pixels));
        let spans = |pixels| part_spans(cells, (from, to), self.whole, pixels);
        let mut out = [spans(-more..0), spans(own..own + more)];
        if self.reversed {
            out.reverse();
            out.iter_mut().for_each(|side| side.reverse());
        }
        (self.before == 0 && self.spans.len() == self.whole as usize).then_some(out)
    }

    /// The range from the first to the last cell that is shown.
    pub fn shown(&self) -> std::ops::Range<usize> {
        let seen = || self.spans.iter().filter(|s| s[0] < s[1]);
        let first = seen().map(|s| s[0]).min().unwrap_or(0) as usize;
        first..seen().map(|s| s[1] as usize).max().unwrap_or(first)
    }

    /// Pixels.
    pub fn pixels(&self) -> u32 {
        self.spans.len() as u32
    }

    /// Cells.
    pub fn cells(&self) -> usize {
        match &self.extents {
            Extents::Even { cells } | Extents::Part { cells, .. } => *cells as usize,
            Extents::Placed(e) => e.len(),
        }
    }

    /// The extent of a cell in pixels from the first one; whole pixels where cells are at least a pixel.
    pub fn extent(&self, cell: usize) -> (f64, f64) {
        let w = f64::from(self.whole);
        let (a, b) = match &self.extents {
            Extents::Even { cells } => {
                let n = f64::from(*cells);
                let (a, b) = (cell as f64 * w / n, (cell + 1) as f64 * w / n);
                // The first pixel whose centre is in the cell.
                if n <= w { ((a - 0.5).ceil(), (b - 0.5).ceil()) } else { (a, b) }
            }
            Extents::Placed(e) => (e[cell][0], e[cell][1]),
            Extents::Part { from, to, .. } => {
                let step = (to - from) / w;
                let (a, b) = ((cell as f64 - from) / step, ((cell + 1) as f64 - from) / step);
                if step <= 1.0 { ((a - 0.5).ceil(), (b - 0.5).ceil()) } else { (a, b) }
            }
        };
        let (a, b) = if self.reversed { (w - b, w - a) } else { (a, b) };
        (a - f64::from(self.before), b - f64::from(self.before))
    }

    /// Where to centre a cell's label: at `middle`, or at the centre of the visible part when the view clips
    /// a large cell.
    pub fn label_at(&self, cell: usize, middle: f64) -> f64 {
        let (w, (a, b)) = (f64::from(self.pixels().max(1)), self.extent(cell));
        let seen = f64::midpoint(a.max(0.0), b.min(w));
        // Gradually, so that labels do not jump while the view zooms.
        let share = (2.0 * (b - a) / w - 0.5).clamp(0.0, 1.0);
        middle + share * (seen - middle)
    }

    /// Whether a pixel may cover more than one cell.
    pub fn reduces(&self) -> bool {
        self.spans.iter().any(|s| s[1] - s[0] > 1)
    }
}

/// The pixels about the middle whose cells are those of pixels of the picture before, and where those were: first the pixels
/// now. `None` if that is at most half of them.
pub fn shared_pixels(before: &[[u32; 2]], now: &[[u32; 2]]) -> Option<(Range<usize>, Range<usize>)> {
    let middle = now.len() / 2;
    let span = now.get(middle).filter(|s| s[0] < s[1])?;
    let alike = |(a, b): &(&[u32; 2], &[u32; 2])| a == b;
    // Several pixels may show one cell: each of them may be the one that is now in the middle.
    let reach = |was: usize| {
        let left = now[..middle].iter().rev().zip(before[..was].iter().rev()).take_while(alike).count();
        let right = now[middle..].iter().zip(&before[was..]).take_while(alike).count();
        (left, right, was)
    };
    let (left, right, was) = (0..before.len())
        .filter(|was| before[*was] == *span)
        .map(reach)
        .max_by_key(|(left, right, _)| left + right)?;
    (2 * (left + right) > now.len()).then(|| (middle - left..middle + right, was - left..was + right))
}

#[cfg(test)]
mod tests {
    use super::super::EdgeTable;
    use super::*;

    #[test]
    fn every_cell_is_counted_once() {
        for (n, w) in [(7u32, 3u32), (1000, 999), (10, 10), (1, 1), (100_003, 17)] {
            let t = EdgeTable::fit(n, w);
            assert_eq!((t.spans()[0][0], t.spans()[w as usize - 1][1]), (0, n));
            assert!(t.spans().windows(2).all(|p| p[0][1] == p[1][0] || n <= w), "{n} on {w}");
        }
    }

    #[test]
    fn pixels_beside_a_part_are_those_of_a_wider_part() {
        for (step, from) in [(0.25, -3.0), (1.0, 2.0), (2.5, 10.0), (7.0, 60.0)] {
            let part =
                |a: f64, b: f64| EdgeTable::part(100, from + a * step, from + b * step, (b - a) as u32);
            let (own, wider) = (part(0.0, 16.0), part(-8.0, 24.0));
            for (own, wider) in [(own.clone(), wider.clone()), (own.reversed(), wider.reversed())] {
                let [before, after] = own.beside(8).unwrap();
                assert_eq!([&before, own.spans(), &after].concat(), wider.spans(), "{step} {from}");
                assert_eq!(own.cut(1..5).beside(8), None);
            }
        }
        assert_eq!(EdgeTable::fit(30, 10).beside(4), None);
    }

    #[test]
    fn enlarged_cells_lie_where_their_pixels_are() {
        for (n, w) in [(3u32, 10u32), (5, 5), (7, 100), (999, 1000)] {
            for t in [EdgeTable::fit(n, w), EdgeTable::fit(n, w).reversed()] {
                for c in 0..n as usize {
                    let (a, b) = t.extent(c);
                    for (i, s) in t.spans().iter().enumerate() {
                        assert_eq!(
                            s[0] as usize == c,
                            i as f64 >= a && (i as f64) < b,
                            "cell {c} of {n} on {w}, pixel {i}"
                        );
                    }
                    let cut = t.cut(2..w as usize);
                    assert_eq!((cut.extent(c), cut.spans()), ((a - 2.0, b - 2.0), &t.spans()[2..]));
                }
            }
        }
    }

    #[test]
    fn a_part_counts_each_visible_cell_once() {
        let whole = |n: u32, w: u32| {
            (EdgeTable::part(n, 0.0, f64::from(n), w).spans().to_vec(), EdgeTable::fit(n, w).spans().to_vec())
        };
        for (n, w) in [(7u32, 3u32), (4096, 1280), (10, 10), (3, 10), (10_000, 720)] {
            let (a, b) = whole(n, w);
            assert_eq!(a, b, "{n} on {w}");
        }
        let t = EdgeTable::part(100, -20.5, 130.25, 37);
        assert!(t.spans().windows(2).all(|p| p[0][1] == p[1][0]));
        assert_eq!(
            (t.spans()[0], t.spans()[36], t.spans().iter().map(|s| s[1] - s[0]).sum::<u32>()),
            ([0, 0], [100, 100], 100)
        );
        let t = EdgeTable::part(4, 3.5, 4.5, 4);
        assert_eq!(t.spans(), [[3, 4], [3, 4], [0, 0], [0, 0]]);
        assert_eq!((t.extent(3), t.extent(2).1), ((-2.0, 2.0), -2.0));
    }

    #[test]
    fn labels_of_large_cells_stay_in_sight() {
        let at = |from, to| EdgeTable::part(4, from, to, 100);
        assert_eq!((at(0.0, 4.0).label_at(1, 37.5), at(-9.0, 9.0).label_at(0, 52.0)), (37.5, 52.0));
        // Cell 1 from -100 to 100, and all around: the middle of what is seen.
        assert_eq!((at(1.5, 2.0).label_at(1, 0.0), at(1.2, 1.7).label_at(1, 60.0)), (50.0, 50.0));
        assert_eq!(at(1.5, 2.0).reversed().label_at(1, 100.0), 50.0);
        // From -25 to 25: half of the way from 0 to 12.5.
        assert_eq!(at(1.5, 3.5).label_at(1, 0.0), 6.25);
        // What lies outside stays there.
        assert!(at(1.5, 2.0).label_at(0, -200.0) < 0.0 && at(1.5, 2.0).label_at(3, 400.0) > 100.0);
    }

    #[test]
    fn gaps_are_background_and_thin_cells_are_shown() {
        let t = EdgeTable::placed(vec![[0.0, 2.0], [3.0, 5.0]], 5);
        assert_eq!(t.spans(), [[0, 1], [0, 1], [0, 0], [1, 2], [1, 2]]);
        let t = EdgeTable::placed(vec![[0.0, 0.3], [0.3, 0.6], [0.6, 3.0]], 3);
        assert_eq!(t.spans(), [[0, 2], [2, 3], [2, 3]]);
    }

    #[test]
    fn only_what_is_the_same_stays() {
        let spans = |from: u32, n: u32| (from..from + n).map(|i| [2 * i, 2 * i + 2]).collect::<Vec<_>>();
        assert_eq!(shared_pixels(&spans(0, 10), &spans(3, 10)), Some((0..7, 3..10)));
        assert_eq!(shared_pixels(&spans(3, 10), &spans(0, 10)), Some((3..10, 0..7)));
        assert_eq!(shared_pixels(&spans(0, 10), &spans(5, 10)), None);
        assert_eq!(shared_pixels(&spans(0, 10), &[]), None);
        assert_eq!(shared_pixels(&[], &spans(0, 10)), None);
        assert_eq!(shared_pixels(&[[0, 0]; 5], &[[0, 0]; 5]), None, "there is nothing to keep");
    }

    #[test]
    fn cells_of_many_pixels_stay_where_they_are_now() {
        let part = |pixels: f64| {
            let step = 1.0 / 12.5;
            EdgeTable::part(1000, 400.0 + pixels * step, 400.0 + (pixels + 300.0) * step, 300)
        };
        for by in [1u32, 3, 7, 40] {
            let (before, now) = (part(0.0), part(f64::from(by)));
            let by = by as usize;
            assert_eq!(shared_pixels(before.spans(), now.spans()), Some((0..300 - by, by..300)));
            assert_eq!(shared_pixels(now.spans(), before.spans()), Some((by..300, 0..300 - by)));
        }
    }
}
