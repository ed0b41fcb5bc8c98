//! The reduction pyramid: the levels of a grid, those that a fold reads, and what remains for the levels
//! below.

use super::folder::{BLOCK_COST, PIXEL_COST};
use super::layer::SUMMARY_BYTES;
use super::spans::Spans;

/// One level: blocks of `step` elements of the level below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub size: [u32; 2],
    pub step: [u32; 2],
}

/// The levels above cells of a size: 4 x 4 elements per block, or 16 x 1 where there is only one row or
/// column.
pub(super) fn shapes(cells: [u32; 2]) -> Vec<Shape> {
    let mut out = Vec::new();
    let mut size = cells;
    while size != [1, 1] {
        let step = match size {
            [_, 1] => [16, 1],
            [1, _] => [1, 16],
            _ => [4, 4],
        };
        size = [size[0].div_ceil(step[0]), size[1].div_ceil(step[1])];
        out.push(Shape { size, step });
    }
    out
}

/// Bytes of all levels.
pub(super) fn bytes(shapes: &[Shape]) -> u64 {
    shapes.iter().map(|s| u64::from(s.size[0]) * u64::from(s.size[1]) * SUMMARY_BYTES).sum()
}

/// The spans of one axis on every level up to `top`: elements of the level, and the hole that the next one fills.
pub(super) fn spans(
    cells: &[[u32; 2]],
    axis: usize,
    size: [u32; 2],
    shapes: &[Shape],
    top: usize,
) -> Vec<Vec<[u32; 4]>> {
    let mut own: Vec<[u32; 2]> = cells.to_vec();
    let mut end = size[axis];
    let mut out = Vec::with_capacity(top + 1);
    for shape in &shapes[..top] {
        let step = shape.step[axis];
        let mut level = Vec::with_capacity(own.len());
        for span in &mut own {
            let [a, b] = *span;
            // The last block may be smaller; it is complete if the span reaches the end of the axis.
            let (first, last) = (a.div_ceil(step), if b == end { b.div_ceil(step) } else { b / step });
            *span = if a < b && first < last { [first, last] } else { [0, 0] };
            let hole = [span[0] * step, (span[1].saturating_mul(step)).min(end)];
            level.push([a, b, hole[0], hole[1]]);
        }
        out.push(level);
        end = shape.size[axis];
    }
    out.push(own.iter().map(|s| [s[0], s[1], 0, 0]).collect());
    out
}

/// The highest level of the cheapest fold of these spans; 0: cells only.
pub(super) fn top(columns: &[[u32; 2]], rows: &[[u32; 2]], size: [u32; 2], shapes: &[Shape]) -> usize {
    let pixels = [columns.len() as u32, rows.len() as u32];
    let cost = |top: usize| {
        let (c, r) = (spans(columns, 0, size, shapes, top), spans(rows, 1, size, shapes, top));
        let sizes = std::iter::once(size).chain(shapes.iter().map(|s| s.size));
        let read = c.iter().zip(&r).zip(sizes).enumerate().map(|(level, ((c, r), size))| {
            let work = Spans::work(&Spans::Table(c), &Spans::Table(r), pixels, size);
            work.saturating_mul(if level > 0 { BLOCK_COST } else { 1 })
        });
        let each = u64::from(pixels[0]) * u64::from(pixels[1]) * PIXEL_COST * (top as u64 + 1);
        read.fold(each, u64::saturating_add)
    };
    // Costs fall, then rise again: the first level that costs more ends the search.
    let mut best = (0, cost(0));
    for level in 1..=shapes.len() {
        let next = cost(level);
        if next >= best.1 {
            break;
        }
        best = (level, next);
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::view::EdgeTable;

    #[test]
    fn levels_end_in_one_block() {
        let sizes = |cells| shapes(cells).iter().map(|s| s.size).collect::<Vec<_>>();
        assert_eq!(sizes([100, 37]), [[25, 10], [7, 3], [2, 1], [1, 1]]);
        assert_eq!(sizes([100_000_000, 1]).first(), Some(&[6_250_000, 1]));
        assert_eq!((sizes([1, 17]), sizes([1, 1])), (vec![[1, 2], [1, 1]], vec![]));
        assert_eq!(bytes(&shapes([8, 4])), 24 * 3);
    }

    /// Blocks and the remainders around them cover each span, every cell once.
    #[test]
    fn blocks_and_their_frame_cover_each_span_once() {
        let size = [203, 1];
        let shapes = shapes([203, 90]);
        for table in [
            EdgeTable::fit(203, 5),
            EdgeTable::part(203, 1.0, 150.5, 2),
            EdgeTable::fit(203, 1),
            EdgeTable::fit(3, 9),
        ] {
            for top in 0..=shapes.len() {
                let levels = spans(table.spans(), 0, size, &shapes, top);
                for (pixel, want) in table.spans().iter().enumerate() {
                    let mut seen = vec![0; 203];
                    let mut width = 1;
                    for (level, spans) in levels.iter().enumerate() {
                        let [a, b, c, d] = spans[pixel];
                        assert!(c == d || (a <= c && d <= b));
                        for e in (a..b).filter(|e| !(c..d).contains(e)) {
                            seen[(e * width) as usize..((e + 1) * width).min(203) as usize]
                                .iter_mut()
                                .for_each(|n| *n += 1);
                        }
                        width *= shapes.get(level).map_or(1, |s| s.step[0]);
                    }
                    let want: Vec<i32> = (0..203).map(|i| i32::from(want[0] <= i && i < want[1])).collect();
                    assert_eq!(seen, want, "pixel {pixel}, top {top}");
                }
            }
        }
    }

    #[test]
    fn levels_are_read_where_pixels_cover_whole_blocks() {
        let top_of = |n: u32, w: u32| {
            let t = EdgeTable::fit(n, w);
            top(t.spans(), t.spans(), [n, n], &shapes([n, n]))
        };
        assert_eq!((top_of(1000, 1000), top_of(3000, 1000)), (0, 0));
        assert!(top_of(30_000, 1000) >= 1 && top_of(30_000, 10) >= 3);
        let line = EdgeTable::fit(1_000_000, 10);
        let one = EdgeTable::fit(1, 1);
        assert!(top(line.spans(), one.spans(), [1_000_000, 1], &shapes([1_000_000, 1])) >= 2);
    }
}
