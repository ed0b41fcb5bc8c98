//! Which tiles of a body a mark names, and how many cells of a whole grid.

use super::tiles::{Tile, TileRow};
use crate::resolve::{PanelCells, PanelMark};
use gridscope_core::figure::CellTest;
use gridscope_core::grid::{Grid, Number, SourceError, Stats};
use std::cmp::Ordering;

/// The tiles of a mark.
pub(super) enum Selection<'a> {
    /// None.
    Nothing,
    /// Rows and columns of tiles: those where both are true.
    Lines(Vec<bool>, Vec<bool>),
    /// These rows and columns of tiles, ascending.
    Listed(Vec<(u32, u32)>),
    /// Those with a cell that meets a condition.
    Test(CellTest<'a>),
}

impl<'a> Selection<'a> {
    pub(super) fn of(
        mark: &PanelMark,
        grid: &'a Grid,
        stats: &Stats,
        (columns, rows): (&[Tile], &[Tile]),
    ) -> Selection<'a> {
        let listed = |cells: &mut dyn Iterator<Item = (u32, u32)>| {
            let (to_column, to_row) = (tile_of(columns), tile_of(rows));
            let place = |(row, column)| Some((to_row(row)?, to_column(column)?));
            let mut list: Vec<(u32, u32)> = cells.filter_map(place).collect();
            list.sort_unstable();
            list.dedup();
            Selection::Listed(list)
        };
        let narrow = |cells: &[(usize, usize)]| -> Vec<(u32, u32)> {
            cells.iter().map(|(r, c)| (*r as u32, *c as u32)).collect()
        };
        match &mark.cells {
            PanelCells::Nothing => Selection::Nothing,
            PanelCells::Max => listed(&mut narrow(&stats.max_cells).into_iter()),
            PanelCells::Min => listed(&mut narrow(&stats.min_cells).into_iter()),
            PanelCells::OfEach { greatest, of_rows } => {
                listed(&mut of_each(grid, *greatest, *of_rows).into_iter())
            }
            PanelCells::Listed => listed(&mut listed_cells(mark, grid)),
            PanelCells::Lines { rows: own_rows, columns: own_columns } => {
                Selection::Lines(covered(rows, own_rows.as_deref()), covered(columns, own_columns.as_deref()))
            }
            PanelCells::Condition(condition, agg) => {
                condition.test(grid, *agg).map_or(Selection::Nothing, Selection::Test)
            }
        }
    }

    /// Whether each tile of a row is one of them.
    ///
    /// # Errors
    /// When the source does not give its cells.
    pub(super) fn row(
        &self,
        at: usize,
        row: &TileRow<'_>,
        grid: &Grid,
        (columns, rows): (&[Tile], &[Tile]),
        out: &mut Vec<bool>,
    ) -> Result<(), SourceError> {
        out.clear();
        match self {
            Self::Nothing => out.resize(columns.len(), false),
            Self::Lines(of_rows, of_columns) => {
                let is_row = of_rows[at];
                out.extend(of_columns.iter().map(|is_column| is_row && *is_column));
            }
            Self::Listed(list) => {
                out.resize(columns.len(), false);
                let from = list.partition_point(|place| (place.0 as usize) < at);
                let of_row = list[from..].iter().take_while(|place| place.0 as usize == at);
                of_row.for_each(|place| out[place.1 as usize] = true);
            }
            Self::Test(test) => {
                for tile in columns {
                    out.push(match row {
                        _ if tile.is_empty() => false,
                        TileRow::Nothing => false,
                        TileRow::Cells { row, first, cells } => {
                            let column = tile.cells[0] as usize;
                            let value = cells[column - first].value();
                            value.is_some_and(|v| test.holds(v, *row, column))
                        }
                        TileRow::Pixels(..) => match row.extremes(tile) {
                            None => false,
                            Some((least, greatest)) => match test.holds_within(least, greatest) {
                                Some(holds) => holds,
                                None => some_holds(test, grid, &rows[at], tile)?,
                            },
                        },
                    });
                }
            }
        }
        Ok(())
    }
}

/// The cells that a file or a list names; hidden ones are no cells.
fn listed_cells<'a>(mark: &PanelMark, grid: &'a Grid) -> impl Iterator<Item = (u32, u32)> + 'a {
    let is_shown = |(row, column): &(u32, u32)| !grid.is_hidden(*row as usize, *column as usize);
    grid.marked(&mark.text).iter().copied().filter(is_shown)
}

/// The cells of the greatest, or of the least, value of each row or column, with all that are equal; none of a grid that is not in
/// memory.
fn of_each(grid: &Grid, greatest: bool, of_rows: bool) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    if !grid.is_loaded() {
        return out;
    }
    let (lines, length) = if of_rows { (grid.height(), grid.width()) } else { (grid.width(), grid.height()) };
    let mut of_line: Vec<(u32, u32)> = Vec::new();
    for line in 0..lines {
        of_line.clear();
        let mut end: Option<Number> = None;
        for along in 0..length {
            let (row, column) = if of_rows { (line, along) } else { (along, line) };
            let Some(v) = grid.at(row, column).value() else { continue };
            let order = end.map_or(Some(Ordering::Greater), |end| v.compare(end));
            let order = order.map(|order| if greatest || end.is_none() { order } else { order.reverse() });
            match order {
                Some(Ordering::Greater) => {
                    of_line.clear();
                    end = Some(v);
                }
                Some(Ordering::Equal) => {}
                _ => continue,
            }
            of_line.push((row as u32, column as u32));
        }
        out.extend(&of_line);
    }
    out
}

/// Whether some cell under a tile meets a condition.
fn some_holds(test: &CellTest<'_>, grid: &Grid, rows: &Tile, columns: &Tile) -> Result<bool, SourceError> {
    let range = |tile: &Tile| tile.cells[0] as usize..tile.cells[1] as usize;
    let (rows, columns) = (range(rows), range(columns));
    if grid.is_loaded() {
        let holds = |r: usize, c: usize| grid.at(r, c).value().is_some_and(|v| test.holds(v, r, c));
        return Ok(rows.clone().any(|r| columns.clone().any(|c| holds(r, c))));
    }
    let cells = grid.read_numbers(rows.clone(), columns.clone())?;
    let places = rows.flat_map(|r| columns.clone().map(move |c| (r, c)));
    let mut all = places.zip(cells);
    Ok(all.any(|((r, c), cell)| cell.value().is_some_and(|v| test.holds(v, r, c))))
}

/// The tile of a cell along one side.
fn tile_of(tiles: &[Tile]) -> impl Fn(u32) -> Option<u32> {
    let mut ranges: Vec<([u32; 2], u32)> =
        (0..).zip(tiles).filter(|(_, tile)| !tile.is_empty()).map(|(i, tile)| (tile.cells, i)).collect();
    ranges.sort_unstable();
    move |cell| {
        let after = ranges.partition_point(|(cells, _)| cells[0] <= cell);
        let (cells, tile) = ranges.get(after.checked_sub(1)?)?;
        (cell < cells[1]).then_some(*tile)
    }
}

/// Whether each tile covers one of these cells; without a list whether it covers any.
fn covered(tiles: &[Tile], cells: Option<&[usize]>) -> Vec<bool> {
    let covers = |tile: &Tile| match cells {
        _ if tile.is_empty() => false,
        None => true,
        Some(list) => {
            let at = list.partition_point(|cell| *cell < tile.cells[0] as usize);
            list.get(at).is_some_and(|cell| *cell < tile.cells[1] as usize)
        }
    };
    tiles.iter().map(covers).collect()
}

/// The marked cells of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Census {
    /// How many.
    pub count: u64,
    /// The first of them, by row and column, as many as extremes have.
    pub first: Vec<(usize, usize)>,
}

impl Census {
    fn add(&mut self, row: usize, column: usize) {
        self.count += 1;
        if self.first.len() < Stats::MAX_CELLS {
            self.first.push((row, column));
        }
    }

    /// Of a mark; `None` where the cells are not in memory and would have to be read once more.
    pub(super) fn of(mark: &PanelMark, grid: &Grid, stats: &Stats) -> Option<Census> {
        let mut out = Census::default();
        match &mark.cells {
            PanelCells::Nothing => {}
            PanelCells::Max => (out.count, out.first) = (stats.max_ties, stats.max_cells.clone()),
            PanelCells::Min => (out.count, out.first) = (stats.min_ties, stats.min_cells.clone()),
            PanelCells::OfEach { greatest, of_rows } => {
                let cells = of_each(grid, *greatest, *of_rows).into_iter();
                cells.for_each(|(row, column)| out.add(row as usize, column as usize));
            }
            PanelCells::Listed => {
                let cells = listed_cells(mark, grid);
                cells.for_each(|(row, column)| out.add(row as usize, column as usize));
            }
            PanelCells::Lines { rows, columns } => {
                let number = |list: &Option<Vec<usize>>, all: usize| list.as_ref().map_or(all, Vec::len);
                let (height, width) = (number(rows, grid.height()), number(columns, grid.width()));
                let nth = |list: &Option<Vec<usize>>, i: usize| list.as_ref().map_or(i, |list| list[i]);
                let all = (0..height).flat_map(|r| (0..width).map(move |c| (r, c)));
                let first = all.take(Stats::MAX_CELLS);
                out.first = first.map(|(r, c)| (nth(rows, r), nth(columns, c))).collect();
                out.count = height as u64 * width as u64;
            }
            PanelCells::Condition(condition, agg) => {
                if !grid.is_loaded() {
                    return None;
                }
                let test = condition.test(grid, *agg)?;
                for row in 0..grid.height() {
                    for column in 0..grid.width() {
                        let value = grid.at(row, column).value();
                        if value.is_some_and(|v| test.holds(v, row, column)) {
                            out.add(row, column);
                        }
                    }
                }
            }
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tiles::tiles;
    use super::*;
    use gridscope_core::view::EdgeTable;

    #[test]
    fn cells_are_found_on_their_tiles() {
        for table in
            [EdgeTable::fit(10, 4), EdgeTable::fit(10, 4).reversed(), EdgeTable::part(10, 2.0, 7.0, 20)]
        {
            let tiles = tiles(&table);
            let of = tile_of(&tiles);
            for cell in 0..10 {
                let wanted = tiles.iter().position(|t| (t.cells[0]..t.cells[1]).contains(&cell));
                assert_eq!(of(cell).map(|i| i as usize), wanted, "{cell}");
                let covered = covered(&tiles, Some(&[cell as usize]));
                assert_eq!(covered.iter().position(|c| *c), wanted);
            }
        }
    }
}
