//! The levels of a huge grid: Summaries of blocks of its cells, computed in the first pass over them; used in their place
//! while the view moves.

use gridscope_core::grid::{Grid, ScanResult, Spans, Summaries, Summary, WideSummary};
use gridscope_core::view::EdgeTable;
use std::mem::size_of;
use std::ops::Range;
use std::sync::Arc;

/// Cells along a side of a block of the finest level, if memory allows.
const FINEST: u32 = 8;
/// Grids with fewer cells are folded fast enough directly.
const LARGE: usize = 1 << 25;
/// A coarser level stands in from this many blocks per pixel and side on; with fewer, the difference to the cells would be
/// visible.
const ENOUGH: f64 = 1.5;
/// The finest level stands in from this many on: below it there are only the cells.
const LEAST: f64 = 1.0;

/// Summaries of blocks of cells, each level with half as many blocks along a side as the one before; copies share them.
#[derive(Clone, Debug)]
pub(super) struct Levels(Arc<[Level]>);

/// Summaries of blocks of one size.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Cells along a side of a block.
    pub step: u32,
    summaries: Summaries,
    /// Blocks per row.
    width: usize,
}

/// The spans of the blocks of the finest level along both sides, if all levels take at most `memory` bytes; else of the finest
/// that do. `None` for a grid that is too small to need a level.
pub(super) fn spans(grid: &Grid, memory: u64) -> Option<[Vec<[u32; 2]>; 2]> {
    if grid.len() < LARGE {
        return None;
    }
    let each = if grid.kind().is_wide() { size_of::<WideSummary>() } else { size_of::<Summary>() };
    let sides = [grid.width(), grid.height()];
    let step = finest(sides, each, memory)?;
    Some(sides.map(|n| spans_of(n as u32, step)))
}

/// Cells along a side of the finest blocks whose levels take at most `memory` bytes, `each` a block.
fn finest(sides: [usize; 2], each: usize, memory: u64) -> Option<u32> {
    let takes = |step: u32| {
        let [across, down] = sides.map(|cells| (cells as u64).div_ceil(u64::from(step)));
        // All coarser levels together take a third of the finest.
        across.saturating_mul(down).saturating_mul(each as u64).div_ceil(3).saturating_mul(4)
    };
    (0..12).map(|k| FINEST << k).find(|step| takes(*step) <= memory)
}

/// Blocks of this many cells along a side.
fn spans_of(cells: u32, step: u32) -> Vec<[u32; 2]> {
    (0..cells).step_by(step as usize).map(|a| [a, a.saturating_add(step).min(cells)]).collect()
}

impl Levels {
    /// Takes the Summaries that a pass over [`spans`] computed, and joins them to coarser levels.
    pub(super) fn take(scan: &mut ScanResult, spans: &[Vec<[u32; 2]>; 2]) -> Self {
        let step = spans.iter().filter_map(|side| side.first()).map(|s| s[1] - s[0]).max().unwrap_or(FINEST);
        let finest = Level { step, summaries: std::mem::take(&mut scan.summaries), width: spans[0].len() };
        let mut all = vec![finest];
        while let Some(coarser) = all.last().and_then(Level::coarser) {
            all.push(coarser);
        }
        Self(all.into())
    }

    /// The level whose blocks stand in for the cells of these pixels; `None` if the pixels are so small that the difference
    /// would be visible.
    pub(super) fn of(&self, columns: &EdgeTable, rows: &EdgeTable) -> Option<&Level> {
        let blocks_per_pixel = |level: &Level| {
            let of = |t: &EdgeTable| {
                t.shown().len() as f64 / (f64::from(level.step) * f64::from(t.pixels().max(1)))
            };
            of(columns).min(of(rows))
        };
        let enough = self.0.iter().rev().find(|l| blocks_per_pixel(l) >= ENOUGH);
        enough.or_else(|| self.0.first().filter(|l| blocks_per_pixel(l) >= LEAST))
    }
}

impl Level {
    /// The next level; `None` from few blocks, which are joined fast enough.
    fn coarser(&self) -> Option<Level> {
        const FEW: usize = 1 << 18;
        (self.summaries.len() > FEW).then(|| self.halved())
    }

    /// The level of twice the step.
    fn halved(&self) -> Level {
        let pairs = |n: usize| (0..n).step_by(2).map(|a| a..(a + 2).min(n)).collect::<Vec<_>>();
        let (columns, rows) = (pairs(self.width), pairs(self.summaries.len() / self.width));
        Level { step: self.step * 2, summaries: self.joined(&columns, &rows), width: columns.len() }
    }

    /// The Summary of the blocks that each pixel touches, row after row; it may include some cells beyond the pixel's own.
    pub(super) fn fold(&self, columns: Spans<'_>, rows: Spans<'_>) -> Summaries {
        self.joined(&self.blocks(columns), &self.blocks(rows))
    }

    /// The blocks that each pixel touches.
    fn blocks(&self, spans: Spans<'_>) -> Vec<Range<usize>> {
        let touched = |s: &[u32; 2]| match s[0] < s[1] {
            true => (s[0] / self.step) as usize..s[1].div_ceil(self.step) as usize,
            false => 0..0,
        };
        spans.iter().map(touched).collect()
    }

    /// The blocks of these columns and rows of blocks, joined, row after row.
    fn joined(&self, columns: &[Range<usize>], rows: &[Range<usize>]) -> Summaries {
        match &self.summaries {
            Summaries::Stored(list) => {
                Summaries::Stored(joined(list, self.width, columns, rows, Summary::merge))
            }
            Summaries::Wide(list) => {
                Summaries::Wide(joined(list, self.width, columns, rows, WideSummary::merge))
            }
        }
    }
}

/// Merges blocks, row after row; a row has `stride` of them.
fn joined<T: Copy + Default + Send + Sync>(
    blocks: &[T],
    stride: usize,
    columns: &[Range<usize>],
    rows: &[Range<usize>],
    join: fn(&mut T, &T),
) -> Vec<T> {
    let width = columns.len();
    let mut out = vec![T::default(); width * rows.len()];
    let share = rows.len().div_ceil(gridscope_core::grid::cores()).max(1);
    let shares = rows.chunks(share).zip(out.chunks_mut((share * width).max(1)));
    gridscope_core::workers::share(gridscope_core::grid::cores(), shares, |(rows, lines)| {
        for (row, line) in rows.iter().zip(lines.chunks_mut(width)) {
            for r in row.clone() {
                let blocks = &blocks[r * stride..][..stride];
                for (to, column) in line.iter_mut().zip(columns) {
                    blocks[column.clone()].iter().for_each(|b| join(to, b));
                }
            }
        }
    });
    out
}

#[cfg(test)]
impl Levels {
    /// The levels of a small grid, as if it were large.
    pub(super) fn of_small(grid: &Grid, step: u32) -> Levels {
        let spans = [grid.width(), grid.height()].map(|n| spans_of(n as u32, step));
        let ask = gridscope_core::grid::ScanRequest {
            body: Some((&spans[0], &spans[1])),
            ..gridscope_core::grid::ScanRequest::default()
        };
        let first = Self::take(&mut grid.scan(&ask).unwrap(), &spans);
        // As many levels as a large grid has.
        let mut all = first.0.to_vec();
        for _ in 0..3 {
            let next = all.last().unwrap().halved();
            all.push(next);
        }
        Levels(all.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use gridscope_core::grid::{Axis, Reduced, Values};

    #[test]
    fn a_level_misses_no_cell() {
        let mut d = Dice(17);
        let mut used = 0;
        for _ in 0..60 {
            let (w, h) = (1 + d.below(900) as u32, 1 + d.below(700) as u32);
            let value = |i: u64| match i % 1013 {
                0 => f64::NAN,
                _ => (i % 1000 * 7919 % 1000) as f64,
            };
            let n = u64::from(w) * u64::from(h);
            let grid = Grid::from_rows(h as usize, w as usize, (0..n).map(value).collect()).unwrap();
            let levels = Levels::of_small(&grid, [2, 8, 16][d.below(3) as usize]);
            let mut side = |cells: u32| {
                let from = d.below(u64::from(cells)) as f64 - 20.3;
                let to = (from + 1.0 + d.below(u64::from(cells) + 60) as f64).max(1.0);
                EdgeTable::part(cells, from, to, 1 + d.below(15) as u32)
            };
            let (columns, rows) = (side(w), side(h).reversed());
            let Some(level) = levels.of(&columns, &rows) else {
                continue;
            };
            let coarse = level.fold(columns.spans(), rows.spans());
            used += 1;
            let exact = grid.fold(columns.spans(), rows.spans()).unwrap();
            let (Summaries::Wide(coarse), Summaries::Wide(exact)) = (coarse, exact) else {
                panic!("f64 is wider than f32")
            };
            assert_eq!(coarse.len(), exact.len());
            for (c, e) in coarse.iter().zip(&exact) {
                let covers = c.least() <= e.least() && c.greatest() >= e.greatest();
                assert!(c.count() >= e.count() && (e.count() == 0 || covers), "{c:?} {e:?}");
                let beyond = e.count() == 0 && e.states() == 0;
                assert!(!beyond || c.count() == 0, "beyond the grid there is nothing");
            }
        }
        assert!(used > 20, "{used} pictures came from a level");
        let grid = Grid::from_rows(70, 90, vec![0.0; 6300]).unwrap();
        let fine = EdgeTable::fit(90, 20);
        assert!(
            Levels::of_small(&grid, 8).of(&fine, &fine).is_none(),
            "fewer cells per pixel than a block has"
        );
    }

    #[test]
    fn levels_keep_within_their_memory() {
        let step = |memory: u64| finest([6000, 7000], 24, memory);
        assert_eq!(step(u64::MAX), Some(8));
        assert_eq!((step(21_000_000), step(20_999_999)), (Some(8), Some(16)));
        assert_eq!((step(1 << 16), step(0)), (Some(256), None));
        assert_eq!(finest([u32::MAX as usize; 2], 48, 512 << 20), None);
        assert_eq!(finest([u32::MAX as usize, 1], 48, 512 << 20), Some(512));
    }

    #[test]
    fn a_view_that_comes_to_rest_hardly_changes() {
        // White noise over the whole map is the worst there is.
        let noise = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 / (1 << 24) as f32 * 255.0;
        let values = Values::F32 { data: (0..2_250_000).map(noise).collect(), integer: false };
        let grid = Grid::new(Axis::index("", 1500), Axis::index("", 1500), values, &[]).unwrap();
        let table = EdgeTable::part(1500, 5.5, 1499.5, 60);
        let levels = Levels::of_small(&grid, 16);
        let coarse = levels.of(&table, &table).unwrap().fold(table.spans(), table.spans());
        let exact = grid.fold(table.spans(), table.spans()).unwrap();
        let (coarse, exact) = (coarse.stored().unwrap(), exact.stored().unwrap());
        let apart: f64 = coarse.iter().zip(exact).map(|(c, e)| (c.mean() - e.mean()).abs()).sum();
        assert!(apart / exact.len() as f64 <= 2.0, "{} of 255 on average", apart / exact.len() as f64);
    }
}
