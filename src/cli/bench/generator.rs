//! Generated grids: the same cells on every machine and with any number of threads.

use gridscope_core::grid::{Axis, Buffer, CellSource, Grid, GridError, SourceError, Values};
use gridscope_core::workers::share;
use std::ops::Range;
use std::sync::Arc;

/// The number of peaks: single cells far above all others, which a reduction must not lose.
const PEAKS: u32 = 5;
/// The value of a peak; other values are between 30 and 70.
const PEAK: f32 = 200.0;
/// One row in this many has a run of cells without a value.
const ROWS_A_RUN: u32 = 8;
/// A run is at most a 32nd of a row.
const LONGEST_RUN: u32 = 32;

/// The side of the square grid that has about `cells` cells.
pub(super) fn side(cells: u64) -> u32 {
    ((cells as f64).sqrt().round() as u32).max(1)
}

/// A square grid: a ridge, noise, runs of NaN, and a few peaks of one cell.
///
/// # Errors
/// As [`Grid::new`].
pub(super) fn square(side: u32) -> Result<Grid, GridError> {
    let threads = gridscope_core::grid::cores();
    let data = values(side, threads);
    let axis = || Axis::index("", side as usize);
    Grid::new(axis(), axis(), Values::F32 { data, integer: false }, &[])
}

/// As [`square`], with cells that are generated whenever a window of them is read.
///
/// # Errors
/// As [`Grid::stored`].
pub(super) fn streamed(side: u32) -> Result<Grid, GridError> {
    Grid::stored(Arc::new(Streamed { side }), None)
}

/// The cells of [`square`], in no memory.
#[derive(Debug)]
struct Streamed {
    side: u32,
}

impl CellSource for Streamed {
    fn rows(&self) -> usize {
        self.side as usize
    }

    fn columns(&self) -> usize {
        self.side as usize
    }

    fn buffer(&self) -> Buffer {
        Buffer::F32 { bits: Vec::new(), integer: false }
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        let Buffer::F32 { bits, .. } = into else {
            return Err(SourceError { file: String::new(), what: "a buffer of another type".to_owned() });
        };
        bits.clear();
        let mut line = vec![0f32; columns.len()];
        for row in rows.clone() {
            fill(&mut line, row as u32, columns.start as u32, self.side);
            bits.extend(line.iter().map(|v| v.to_bits()));
        }
        for (row, column) in peaks(self.side) {
            if rows.contains(&row) && columns.contains(&column) {
                bits[(row - rows.start) * columns.len() + column - columns.start] = PEAK.to_bits();
            }
        }
        Ok(())
    }
}

/// The rows and columns of the peaks.
fn peaks(side: u32) -> impl Iterator<Item = (usize, usize)> {
    let at = move |n: u32| (hash(n, side) % side) as usize;
    (0..PEAKS).map(move |k| (at(2 * k), at(2 * k + 1)))
}

fn values(side: u32, threads: usize) -> Vec<f32> {
    let width = side as usize;
    let mut data = vec![0f32; width * width];
    let rows = width.div_ceil(threads.max(1));
    share(threads, data.chunks_mut(rows * width).enumerate(), |(part, lines)| {
        for (row, line) in (part * rows..).zip(lines.chunks_exact_mut(width)) {
            fill(line, row as u32, 0, side);
        }
    });
    for (row, column) in peaks(side) {
        data[row * width + column] = PEAK;
    }
    data
}

/// Fills a row from column `first` on. Only sums, products and quotients are used: other functions of f32 may differ between machines.
fn fill(line: &mut [f32], row: u32, first: u32, side: u32) {
    let y = row as f32 / side as f32;
    let step = 1.0 / side as f32;
    let crest = 0.3 + 0.4 * y;
    let seed = hash(row, side);
    for (x, cell) in (first..).zip(line.iter_mut()) {
        let away = x as f32 * step - crest;
        let noise = hash(x, seed);
        let two = ((noise & 0xffff) + (noise >> 16)) as f32 / 65_536.0 - 1.0;
        *cell = 38.0 + 22.0 / (1.0 + 40.0 * away * away) + 4.0 * two;
    }
    if seed.is_multiple_of(ROWS_A_RUN) {
        let start = hash(1, seed) % side;
        let length = 1 + hash(2, seed) % (side / LONGEST_RUN + 1);
        let end = (start + length).min(side);
        let within = |x: u32| (x.saturating_sub(first) as usize).min(line.len());
        let (start, end) = (within(start), within(end));
        line[start..end].fill(f32::NAN);
    }
}

/// A hash of two numbers.
fn hash(n: u32, seed: u32) -> u32 {
    let mut h = (n ^ seed.rotate_left(16)).wrapping_mul(0x9e37_79b1) ^ seed;
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::State;

    fn bits(values: &[f32]) -> Vec<u32> {
        values.iter().map(|v| v.to_bits()).collect()
    }

    #[test]
    fn threads_do_not_change_the_cells() {
        for side in [1, 2, 7, 300] {
            assert_eq!(bits(&values(side, 1)), bits(&values(side, 3)), "{side}");
        }
        // Cells never change, so that measurements of different versions can be compared.
        assert_eq!(values(300, 2)[..3], [42.812393, 45.42787, 42.283295]);
    }

    #[test]
    fn streamed_cells_are_those_in_memory() {
        for side in [1, 2, 7, 300] {
            let (held, streamed) = (square(side).unwrap(), streamed(side).unwrap());
            let all = side as usize;
            for (rows, columns) in [(0..all, 0..all), (all / 3..all, all / 2..all), (0..1, 0..all)] {
                let read = |g: &Grid| {
                    let mut cells = vec![0; rows.len() * columns.len()];
                    g.read(rows.clone(), columns.clone(), &mut cells).unwrap();
                    cells
                };
                assert_eq!(read(&streamed), read(&held), "{side}");
            }
            assert_eq!(streamed.kind(), held.kind());
        }
    }

    #[test]
    fn a_grid_has_ridge_noise_runs_and_peaks() {
        let stats = square(1000).unwrap().stats();
        let nan = stats.states[State::Nan.index()];
        assert!((500..20_000).contains(&nan), "{nan} NaN");
        assert_eq!((stats.max_ties, stats.range().unwrap().1), (u64::from(PEAKS), 200.0));
        assert!(stats.range().unwrap().0 > 30.0 && (40.0..60.0).contains(&stats.mean), "{stats:?}");
        let cells = values(1000, 2);
        let mean = |column: usize| {
            (0..1000).map(|r| cells[r * 1000 + column]).filter(|v| v.is_finite()).sum::<f32>() / 1000.0
        };
        assert!(mean(500) > mean(0) + 5.0 && mean(500) > mean(999) + 5.0);
    }

    #[test]
    fn sides_are_roots() {
        assert_eq!([1, 2, 1_000_000, 10_000_000].map(side), [1, 1, 1000, 3162]);
        assert_eq!(square(1).unwrap().cells(), [PEAK.to_bits()]);
    }
}
