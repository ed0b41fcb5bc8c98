//! The tiles of a body: its pixels, those that cover the same cells joined.

use gridscope_core::view::EdgeTable;

/// Neighbouring pixels along one side of a body that cover the same cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// Its first pixel, and the one after its last.
    pub pixels: [u32; 2],
    /// Its first cell and the one after its last; equal where no cell lies.
    pub cells: [u32; 2],
}

impl Tile {
    /// Whether no cell lies there.
    pub fn is_empty(&self) -> bool {
        self.cells[0] >= self.cells[1]
    }
}

/// The pixel of a border between tiles; after the last one their end.
pub fn border(tiles: &[Tile], at: u32) -> f64 {
    let end = || tiles.last().map_or(0, |tile| tile.pixels[1]);
    f64::from(tiles.get(at as usize).map_or_else(end, |tile| tile.pixels[0]))
}

/// The tiles along one side of a body.
pub(super) fn tiles(table: &EdgeTable) -> Vec<Tile> {
    let mut at = 0;
    let tile = |run: &[[u32; 2]]| {
        let from = at;
        at += run.len() as u32;
        Tile { pixels: [from, at], cells: run[0] }
    };
    table.spans().chunk_by(|a, b| a == b).map(tile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_gaps_are_tiles() {
        let of = |t: &EdgeTable| tiles(t).iter().map(|t| (t.pixels, t.cells)).collect::<Vec<_>>();
        assert_eq!(of(&EdgeTable::fit(2, 6)), [([0, 3], [0, 1]), ([3, 6], [1, 2])]);
        assert_eq!(of(&EdgeTable::fit(4, 2)), [([0, 1], [0, 2]), ([1, 2], [2, 4])]);
        let gap = EdgeTable::placed(vec![[0.0, 2.0], [3.0, 5.0]], 5);
        assert_eq!(of(&gap), [([0, 2], [0, 1]), ([2, 3], [0, 0]), ([3, 5], [1, 2])]);
    }
}
