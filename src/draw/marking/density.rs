//! How much of a body lines hide: lines of noise would be read as black regions.

use super::borders::Piece;
use super::tiles::{Tile, border};

/// Places that are looked at along the width of a line, and across a window.
const PER_LINE: f64 = 2.0;
const PER_WINDOW: usize = 24;
/// The most places of a body, so that the work does not grow with the picture.
const MOST_PLACES: f64 = 4e6;
/// A window of which lines hide this share is crowded.
const CROWDED: f64 = 0.6;
/// Lines are too dense where this share of all windows is crowded.
const MOST_OF_BODY: f64 = 0.01;
/// Or this share of those that they pass.
const MOST_OF_LINE: f64 = 1.0 / 3.0;

/// Whether lines of this width in pixels, light edges included, hide more of the cells than they part.
pub(super) fn is_too_dense(pieces: &[Piece], columns: &[Tile], rows: &[Tile], width: f64) -> bool {
    let (w, h) = (border(columns, u32::MAX), border(rows, u32::MAX));
    let step = (width / PER_LINE).max((w * h / MOST_PLACES).sqrt());
    let (nx, ny) = ((w / step).ceil() as usize, (h / step).ceil() as usize);
    if pieces.is_empty() || nx == 0 || ny == 0 {
        return false;
    }
    let mut hidden = vec![false; nx * ny];
    // The places whose middles lie between two pixels.
    let places = |from: f64, to: f64, n: usize| {
        let at = |x: f64| ((x / step - 0.5).ceil().max(0.0) as usize).min(n);
        at(from)..at(to)
    };
    let half = width / 2.0;
    for piece in pieces {
        let (across, along) = match piece.is_horizontal {
            true => (rows, columns),
            false => (columns, rows),
        };
        let at = border(across, piece.at);
        let (from, to) = (border(along, piece.along[0]), border(along, piece.along[1]));
        let (of_line, of_ends) = ((at - half, at + half), (from - half, to + half));
        let (x, y) = match piece.is_horizontal {
            true => (of_ends, of_line),
            false => (of_line, of_ends),
        };
        let columns = places(x.0, x.1, nx);
        for row in places(y.0, y.1, ny) {
            hidden[row * nx..][columns.clone()].fill(true);
        }
    }
    let (mut windows, mut passed, mut crowded) = (0u64, 0u64, 0u64);
    // Windows of about one size: a line fills the sliver that would be left at an end.
    let windows_of = |n: usize| {
        let most = ((n + PER_WINDOW / 2) / PER_WINDOW).max(1);
        (0..most).map(move |i| (i * n / most, (i + 1) * n / most))
    };
    for (top, bottom) in windows_of(ny) {
        for (left, right) in windows_of(nx) {
            let row = |y: usize| hidden[y * nx..][left..right].iter().filter(|on| **on).count();
            let found: usize = (top..bottom).map(row).sum();
            let all = (bottom - top) * (right - left);
            windows += 1;
            passed += u64::from(found > 0);
            crowded += u64::from(found as f64 >= CROWDED * all as f64);
        }
    }
    let crowded = crowded as f64;
    crowded > MOST_OF_BODY * windows as f64 || crowded > MOST_OF_LINE * passed as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marking::borders::{Between, Borders, Class};
    use crate::marking::tiles::tiles;
    use gridscope_core::view::EdgeTable;

    /// Whether the line around the cells that are on is too dense, each of this many pixels.
    fn dense(n: usize, cell: u32, width: f64, is_on: impl Fn(usize, usize) -> bool) -> bool {
        let side = tiles(&EdgeTable::fit(n as u32, n as u32 * cell));
        let mut borders = Borders::new(Between::Values, n, usize::MAX);
        for y in 0..n {
            let class = |x: usize| if is_on(x, y) { Class::Upper } else { Class::Lower };
            borders.row(&(0..n).map(class).collect::<Vec<_>>());
        }
        is_too_dense(&borders.finish().0, &side, &side, width)
    }

    #[test]
    fn noise_is_dense_and_smooth_lines_are_not() {
        let noise = |x: usize, y: usize| (x * 7919 + y * 104_729 + x * y * 31) % 7 < 3;
        for n in [40, 400, 900] {
            let middle = n as f64 / 2.0;
            let far = |x: usize, y: usize| (x as f64 - middle).hypot(y as f64 - middle);
            assert!(dense(n, 1, 4.0, noise), "{n}");
            // A circle on pixels is a staircase.
            assert!(!dense(n, 1, 4.0, |x, y| far(x, y) < 0.4 * middle), "{n}");
            // Noise along a circle.
            let is_ring = |x: usize, y: usize| (far(x, y) - 0.5 * middle).abs() < 0.15 * middle;
            assert!(n == 40 || dense(n, 1, 4.0, |x, y| is_ring(x, y) && noise(x, y)), "{n}");
        }
        assert!(!dense(10, 40, 4.0, noise));
        // A straight line at the end of a body that is not a multiple of windows.
        assert!(!dense(50, 1, 4.0, |x, _| x < 49));
        assert!(!dense(10, 40, 4.0, |x, y| (x + y) % 2 == 0));
        assert!(dense(100, 4, 4.0, |x, y| (x + y) % 2 == 0));
        assert!(!dense(100, 4, 4.0, |_, _| true));
        // A single cell of a few pixels.
        assert!(!dense(300, 2, 4.0, |x, y| (x, y) == (100, 100)));
    }
}
