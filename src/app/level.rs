//! One level of a huge grid's pyramid, computed in the first pass over its cells; used in their place while
//! the view moves.

use crate::grid::{Grid, ScanResult, Summaries, Summary, WideSummary};
use crate::view::EdgeTable;
use std::ops::Range;

/// Cells along a side of a block.
const STEP: u32 = 16;
/// Grids with fewer cells are folded fast enough directly.
const LARGE: usize = 1 << 27;

/// A level is used from this many blocks per pixel and side on, for cells in memory; with fewer, folding
/// cells is fast enough.
pub(super) const HELD: f64 = 1.5;
/// The same for cells in a file.
pub(super) const STORED: f64 = 1.0;

/// Summaries of blocks of cells.
#[derive(Clone, Debug)]
pub(super) struct Level {
    summaries: Summaries,
    /// Blocks per row.
    width: usize,
}

/// The spans of the blocks along both sides; `None` for a grid that is too small to need a level.
pub(super) fn spans(grid: &Grid) -> Option<[Vec<[u32; 2]>; 2]> {
    let side = |n: usize| {
        (0..n as u32)
            .step_by(STEP as usize)
            .map(|a| [a, (a + STEP).min(n as u32)])
            .collect()
    };
    (grid.len() >= LARGE).then(|| [side(grid.width()), side(grid.height())])
}

impl Level {
    /// Takes the Summaries that a pass over [`spans`] computed.
    pub(super) fn take(scan: &mut ScanResult, spans: &[Vec<[u32; 2]>; 2]) -> Self {
        Self {
            summaries: std::mem::take(&mut scan.summaries),
            width: spans[0].len(),
        }
    }

    /// The Summary of the blocks that each pixel touches, row after row; it may include some cells beyond the
    /// pixel's own. `None` if a pixel shows fewer than `least` blocks along a side, where the difference
    /// would be visible.
    pub(super) fn fold(&self, columns: &EdgeTable, rows: &EdgeTable, least: f64) -> Option<Summaries> {
        let coarse =
            |t: &EdgeTable| t.shown().len() as f64 >= least * f64::from(STEP) * f64::from(t.pixels());
        if !(coarse(columns) && coarse(rows)) {
            return None;
        }
        let (columns, rows) = (blocks(columns), blocks(rows));
        Some(match &self.summaries {
            Summaries::Stored(list) => {
                Summaries::Stored(joined(list, self.width, &columns, &rows, Summary::merge))
            }
            Summaries::Wide(list) => {
                Summaries::Wide(joined(list, self.width, &columns, &rows, WideSummary::merge))
            }
        })
    }
}

/// Merges the blocks of each pixel, row after row; a row has `stride` blocks.
fn joined<T: Copy + Default + Send + Sync>(
    blocks: &[T],
    stride: usize,
    columns: &[Range<usize>],
    rows: &[Range<usize>],
    join: fn(&mut T, &T),
) -> Vec<T> {
    let width = columns.len();
    let mut out = vec![T::default(); width * rows.len()];
    let share = rows.len().div_ceil(crate::grid::cores()).max(1);
    let shares = rows.chunks(share).zip(out.chunks_mut(share * width));
    crate::workers::share(crate::grid::cores(), shares, |(rows, lines)| {
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

/// The blocks that each pixel touches.
fn blocks(table: &EdgeTable) -> Vec<Range<usize>> {
    table
        .spans()
        .iter()
        .map(|s| {
            if s[0] < s[1] {
                (s[0] / STEP) as usize..s[1].div_ceil(STEP) as usize
            } else {
                0..0
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Axis, Reduced, ScanRequest, Values};

    #[test]
    fn a_level_misses_no_cell() {
        let value = |i: i32| {
            if i % 1013 == 0 {
                f64::NAN
            } else {
                f64::from(i % 1000 * 7919 % 1000)
            }
        };
        let grid = Grid::from_rows(700, 900, (0..630_000).map(value).collect()).unwrap();
        let side = |n: u32| {
            (0..n)
                .step_by(16)
                .map(|a| [a, (a + 16).min(n)])
                .collect::<Vec<_>>()
        };
        let spans = [side(900), side(700)];
        let mut scan = grid
            .scan(&ScanRequest {
                body: Some((&spans[0], &spans[1])),
                ..ScanRequest::default()
            })
            .unwrap();
        let level = Level::take(&mut scan, &spans);
        let (columns, rows) = (
            EdgeTable::part(900, 3.0, 890.0, 40),
            EdgeTable::part(700, -20.0, 700.0, 30).reversed(),
        );
        let (coarse, exact) = (
            level.fold(&columns, &rows, 1.0).unwrap(),
            grid.fold(columns.spans(), rows.spans()).unwrap(),
        );
        let (Summaries::Wide(coarse), Summaries::Wide(exact)) = (coarse, exact) else {
            panic!("f64 is wider than f32")
        };
        for (c, e) in coarse.iter().zip(&exact) {
            let covers = c.least() <= e.least() && c.greatest() >= e.greatest();
            assert!(
                c.count() >= e.count() && (e.count() == 0 || covers),
                "{c:?} {e:?}"
            );
            assert!(
                e.count() > 0 || e.states() > 0 || c.count() == 0,
                "beyond the grid there is nothing"
            );
        }
        assert!(level.fold(&EdgeTable::fit(900, 100), &rows, 1.0).is_none());
    }

    #[test]
    fn a_view_that_comes_to_rest_hardly_changes() {
        // White noise over the whole map is the worst there is.
        let noise = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 / (1 << 24) as f32 * 255.0;
        let values = Values::F32 {
            data: (0..2_250_000).map(noise).collect(),
            integer: false,
        };
        let grid = Grid::new(Axis::index("", 1500), Axis::index("", 1500), values, &[]).unwrap();
        let side: Vec<[u32; 2]> = (0..1500).step_by(16).map(|a| [a, (a + 16).min(1500)]).collect();
        let mut scan = grid
            .scan(&ScanRequest {
                body: Some((&side, &side)),
                ..ScanRequest::default()
            })
            .unwrap();
        let level = Level::take(&mut scan, &[side.clone(), side]);
        let table = EdgeTable::part(1500, 5.5, 1499.5, 60);
        let (coarse, exact) = (
            level.fold(&table, &table, HELD).unwrap(),
            grid.fold(table.spans(), table.spans()).unwrap(),
        );
        let (coarse, exact) = (coarse.stored().unwrap(), exact.stored().unwrap());
        let apart: f64 = coarse
            .iter()
            .zip(exact)
            .map(|(c, e)| (c.mean() - e.mean()).abs())
            .sum();
        assert!(
            apart / exact.len() as f64 <= 2.0,
            "{} of 255 on average",
            apart / exact.len() as f64
        );
    }
}
