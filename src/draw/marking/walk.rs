//! A walk over the rows of a body's tiles: the cells of each, or the Summaries of its pixels.

use super::tiles::Tile;
use crate::resolve::Folded;
use gridscope_core::figure::Reduce;
use gridscope_core::grid::{Cell, Grid, Number, Shown, SourceError, State, Summaries};

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
