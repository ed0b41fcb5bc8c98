//! The tiles of a body: its pixels, those that cover the same cells joined; a walk over their rows, and lines along their borders.

use crate::resolve::Folded;
use gridscope_core::figure::Reduce;
use gridscope_core::grid::{Cell, Grid, Number, Shown, SourceError, State, Summaries};
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

/// Cells that are read at once.
const BAND: usize = 1 << 20;

/// A row of tiles.
pub(super) enum TileRow<'a> {
    /// Each tile covers at most one cell: those of one row of the grid, from a column on.
    Cells { row: usize, first: usize, cells: &'a [Cell] },
    /// Pixels that cover several cells: Summaries from this place on, one a pixel.
    Pixels(&'a Summaries, usize),
    /// No cell lies there.
    Nothing,
}

impl TileRow<'_> {
    /// Value of a tile.
    pub(super) fn shown(&self, tile: &Tile, by: Reduce, centre: f64) -> Option<Number> {
        match self {
            _ if tile.is_empty() => None,
            Self::Nothing => None,
            Self::Cells { first, cells, .. } => cells[tile.cells[0] as usize - first].value(),
            Self::Pixels(list, from) => {
                let at = from + tile.pixels[0] as usize;
                match list {
                    Summaries::Stored(list) => {
                        let bits = list[at].reduce(by, centre);
                        State::of_bits(bits).is_none().then(|| Number::F64(f64::from(f32::from_bits(bits))))
                    }
                    Summaries::Wide(list) => match list[at].shown(by, centre) {
                        Shown::Value(v) => Some(v),
                        _ => None,
                    },
                }
            }
        }
    }

    /// The least and the greatest value under a tile of pixels.
    pub(super) fn extremes(&self, tile: &Tile) -> Option<(Number, Number)> {
        let Self::Pixels(list, from) = self else {
            return None;
        };
        let at = from + tile.pixels[0] as usize;
        match list {
            Summaries::Stored(list) => {
                let s = &list[at];
                let wide = |v: f32| Number::F64(f64::from(v));
                (s.count() > 0).then(|| (wide(s.min), wide(s.max)))
            }
            Summaries::Wide(list) => list[at].min().zip(list[at].max()),
        }
    }
}

/// Takes the rows of a body's tiles from the top; none where its pixels cover several cells and are not folded.
///
/// # Errors
/// When the source does not give its cells.
pub(super) fn walk(
    grid: &Grid,
    folded: &Folded<'_>,
    (columns, rows): (&[Tile], &[Tile]),
    take: &mut dyn FnMut(usize, TileRow<'_>),
) -> Result<(), SourceError> {
    if folded.body.is_some() {
        let width = columns.last().map_or(0, |tile| tile.pixels[1]) as usize;
        let mut next = 0;
        return folded.each(&mut |top, list| {
            let end = top as usize + list.len() / width.max(1);
            while let Some(tile) = rows.get(next).filter(|tile| (tile.pixels[0] as usize) < end) {
                let at = (tile.pixels[0] as usize - top as usize) * width;
                take(next, TileRow::Pixels(list, at));
                next += 1;
            }
        });
    }
    let shown = || columns.iter().filter(|tile| !tile.is_empty()).map(|tile| tile.cells);
    let first = shown().map(|cells| cells[0]).min().unwrap_or(0) as usize;
    let end = shown().map(|cells| cells[1]).max().unwrap_or(0) as usize;
    if first >= end {
        return Ok(());
    }
    let width = end - first;
    let band = (BAND / width).max(1) as u32;
    // The rows that were read, and their cells.
    let (mut held, mut cells): ([u32; 2], Vec<Cell>) = ([0, 0], Vec::new());
    for (at, tile) in rows.iter().enumerate() {
        if tile.is_empty() {
            take(at, TileRow::Nothing);
            continue;
        }
        let row = tile.cells[0];
        if grid.is_loaded() {
            cells.clear();
            cells.extend((first..end).map(|c| grid.at(row as usize, c)));
            held = [row, row + 1];
        } else if !(held[0]..held[1]).contains(&row) {
            // Rows go up or down.
            let down = rows.last().is_some_and(|last| last.cells[0] < row);
            held = if down {
                [(row + 1).saturating_sub(band), row + 1]
            } else {
                [row, (row + band).min(grid.height() as u32)]
            };
            cells = grid.read_numbers(held[0] as usize..held[1] as usize, first..end)?;
        }
        let from = (row - held[0]) as usize * width;
        let cells = &cells[from..from + width];
        let row = row as usize;
        take(at, TileRow::Cells { row, first, cells });
    }
    Ok(())
}

/// A straight line along borders of tiles, which are counted from 0 at the left and the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whether it runs from left to right; otherwise from top to bottom.
    pub is_horizontal: bool,
    /// The border that it runs on: that before this row, or before this column.
    pub at: u32,
    /// The first tile that it passes, and the one after its last.
    pub along: [u32; 2],
}

/// Class of a tile: the side of a line that it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Class {
    /// Nothing: no line of levels runs beside it, and a region ends there.
    #[default]
    None,
    /// Below the level, or not in the region.
    Lower,
    /// At the level or above it, or in the region.
    Upper,
}

/// Which neighbouring tiles a line separates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Between {
    /// Values on both sides of a level.
    Values,
    /// A region and everything else, the outside of the body too.
    Region,
    /// Each tile of a region and everything else.
    Each,
}

impl Between {
    fn separates(self, a: Class, b: Class) -> bool {
        match self {
            Self::Values => matches!((a, b), (Class::Lower, Class::Upper) | (Class::Upper, Class::Lower)),
            Self::Region => (a == Class::Upper) != (b == Class::Upper),
            Self::Each => a == Class::Upper || b == Class::Upper,
        }
    }
}

/// The borders between the tiles of a body, taken row by row.
#[derive(Debug)]
pub(super) struct Borders {
    between: Between,
    /// The most pieces that are kept.
    most: usize,
    above: Vec<Class>,
    /// Of each border between columns the row in which its line began.
    open: Vec<Option<u32>>,
    rows: u32,
    pieces: Vec<Piece>,
    /// All pieces.
    pub count: u64,
}

impl Borders {
    pub(super) fn new(between: Between, columns: usize, most: usize) -> Self {
        Self {
            between,
            most,
            above: vec![Class::None; columns],
            open: vec![None; columns + 1],
            rows: 0,
            pieces: Vec::new(),
            count: 0,
        }
    }

    fn push(&mut self, is_horizontal: bool, at: u32, along: [u32; 2]) {
        self.count += 1;
        if self.pieces.len() < self.most {
            self.pieces.push(Piece { is_horizontal, at, along });
        }
    }

    /// Takes the next row.
    pub(super) fn row(&mut self, classes: &[Class]) {
        let (n, row) = (classes.len(), self.rows);
        let mut run: Option<u32> = None;
        for j in 0..=n {
            let parts = classes.get(j).is_some_and(|c| self.between.separates(self.above[j], *c));
            match (parts, run) {
                (true, None) => run = Some(j as u32),
                (false, Some(from)) => {
                    self.push(true, row, [from, j as u32]);
                    run = None;
                }
                _ => {}
            }
        }
        for j in 0..=n {
            let left = if j > 0 { classes[j - 1] } else { Class::None };
            let right = classes.get(j).copied().unwrap_or_default();
            match (self.between.separates(left, right), self.open[j]) {
                (true, None) => self.open[j] = Some(row),
                (false, Some(from)) => {
                    self.push(false, j as u32, [from, row]);
                    self.open[j] = None;
                }
                _ => {}
            }
        }
        self.above.copy_from_slice(classes);
        self.rows += 1;
    }

    /// The lines; none where they are more than are kept.
    pub(super) fn finish(mut self) -> (Vec<Piece>, u64) {
        let nothing = vec![Class::None; self.above.len()];
        self.row(&nothing);
        if self.count > self.most as u64 {
            self.pieces.clear();
        }
        (self.pieces, self.count)
    }
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

    fn borders(between: Between, rows: &[&str]) -> Vec<(bool, u32, [u32; 2])> {
        let class = |c: char| match c {
            '.' => Class::Lower,
            '#' => Class::Upper,
            _ => Class::None,
        };
        let mut borders = Borders::new(between, rows[0].len(), 100);
        for row in rows {
            borders.row(&row.chars().map(class).collect::<Vec<_>>());
        }
        let (pieces, count) = borders.finish();
        assert_eq!(pieces.len() as u64, count);
        let mut out: Vec<_> = pieces.iter().map(|p| (p.is_horizontal, p.at, p.along)).collect();
        out.sort_unstable();
        out
    }

    #[test]
    fn regions_are_closed_and_levels_end_at_the_edge() {
        let rows = ["##.", "##.", "..."];
        assert_eq!(borders(Between::Values, &rows), [(false, 2, [0, 2]), (true, 2, [0, 2])]);
        assert_eq!(
            borders(Between::Region, &rows),
            [(false, 0, [0, 2]), (false, 2, [0, 2]), (true, 0, [0, 2]), (true, 2, [0, 2])]
        );
        // A state parts no values, and ends a region.
        assert_eq!(borders(Between::Values, &["# .", ".# "]), [(false, 1, [1, 2]), (true, 1, [0, 1])]);
        assert_eq!(borders(Between::Region, &[" # "]).len(), 4);
    }
}
