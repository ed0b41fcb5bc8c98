//! Cells that a mask hides on request, and states that are known before all cells are read.

use super::backing::Backing;
use super::{Grid, SourceError, State, error};
use std::ops::Range;
use std::sync::Arc;

/// Which cells a mask hides, by their place in the grid that was masked.
#[derive(Clone, Debug, PartialEq)]
pub enum HiddenCells {
    /// At least this many columns right of the diagonal, as `numpy.triu(ones, k)`.
    Upper(i64),
    /// At least this many rows below the diagonal.
    Lower(i64),
    /// Those that are true, row after row, with this many columns.
    Listed(Arc<Vec<bool>>, usize),
}

impl HiddenCells {
    /// Whether the cell is hidden.
    ///
    /// # Panics
    /// When a list does not have the cell.
    pub fn hides(&self, row: usize, column: usize) -> bool {
        match self {
            Self::Upper(k) => column as i64 - row as i64 >= *k,
            Self::Lower(k) => row as i64 - column as i64 >= *k,
            Self::Listed(cells, width) => cells[row * width + column],
        }
    }
}

/// The hidden cells of a grid or of a part of one.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    cells: HiddenCells,
    /// Where the part begins.
    row: usize,
    column: usize,
    /// By state, cells that the mask hides, and those that it does not.
    counts: [[u64; 2]; State::ALL.len()],
}

impl Hidden {
    /// The cells that lie in a part; the counts are those of the whole.
    pub(super) fn part(&self, rows: &Range<usize>, columns: &Range<usize>) -> Self {
        Self { row: self.row + rows.start, column: self.column + columns.start, ..self.clone() }
    }

    /// The same for a grid of these cells, with `width` columns; the counts are those of this one.
    pub(super) fn rearranged(&self, places: impl Iterator<Item = (usize, usize)>, width: usize) -> Self {
        let hides = |(row, column)| self.cells.hides(self.row + row, self.column + column);
        Self {
            cells: HiddenCells::Listed(Arc::new(places.map(hides).collect()), width),
            row: 0,
            column: 0,
            ..*self
        }
    }
}

impl Grid {
    /// Hides cells: they become masked, where they are not absent.
    ///
    /// # Panics
    /// When the cells are not in memory (see [`Grid::load`]), and when a list is not of as many cells.
    pub fn hide(&mut self, cells: HiddenCells) {
        let (h, w) = (self.height(), self.width());
        for row in 0..h {
            for column in 0..w {
                // What is hidden hides a missing value too; where there is no data nothing could be hidden.
                let is_absent = State::of_bits(self.cells()[row * w + column]) == Some(State::Absent);
                if cells.hides(row, column) && !is_absent {
                    self.set_state(row, column, State::Masked);
                }
            }
        }
        self.hidden = Some(Hidden { cells, row: 0, column: 0, counts: Default::default() });
        self.count_hidden();
    }

    /// Counts again, for a part of a grid.
    pub(super) fn count_hidden(&mut self) {
        let (h, w) = (self.height(), self.width());
        let Some(hidden) = self.hidden.as_ref().filter(|_| self.is_loaded()) else {
            return;
        };
        let mut counts = [[0; 2]; State::ALL.len()];
        for i in 0..h * w {
            if let Some(state) = State::of_bits(self.cells()[i]) {
                let hides = hidden.cells.hides(hidden.row + i / w, hidden.column + i % w);
                counts[state.index()][usize::from(!hides)] += 1;
            }
        }
        if let Some(hidden) = &mut self.hidden {
            hidden.counts = counts;
        }
    }

    /// Cells of a state that a mask hides.
    pub fn hidden_cells(&self, state: State) -> u64 {
        self.hidden.as_ref().map_or(0, |h| h.counts[state.index()][0])
    }

    /// Whether there are cells of a state, and a mask hides all of them.
    pub fn hides_all(&self, state: State) -> bool {
        let counts = self.hidden.as_ref().map(|h| h.counts[state.index()]);
        counts.is_some_and(|[hidden, others]| hidden > 0 && others == 0)
    }

    /// Whether a mask hides the cell.
    ///
    /// # Panics
    /// When the place leaves the grid.
    pub fn is_hidden(&self, row: usize, column: usize) -> bool {
        error::cell((row, column), (self.height(), self.width()));
        let hides = |h: &Hidden| h.cells.hides(h.row + row, h.column + column);
        self.hidden.as_ref().is_some_and(hides)
    }
}

/// The states of all cells in memory, or of a few short windows spread over a source; none of cells that lie elsewhere.
pub(super) fn peek(cells: &Backing, shape: (usize, usize)) -> Result<u8, SourceError> {
    const PEEKS: usize = 32;
    const RUN: usize = 4096;
    let bits_of = |bits: &[u32]| {
        bits.iter().filter_map(|b| State::of_bits(*b)).fold(0u8, |all, s| all | 1 << s.index())
    };
    if let Some(loaded) = cells.loaded() {
        // Without states, as most grids are, one look at the exponents does.
        let any = loaded.cells().iter().any(|b| b & 0x7fff_ffff > 0x7f80_0000);
        return Ok(if any { bits_of(loaded.cells()) } else { 0 });
    }
    if cells.is_apart() {
        return Ok(0);
    }
    let (height, width) = cells.source_shape(shape);
    let mut buffer = cells.buffer();
    let mut out = 0;
    for k in 0..PEEKS {
        let row = k * (height - 1) / (PEEKS - 1);
        let from = (k * 7919 % PEEKS) * width.saturating_sub(RUN) / PEEKS;
        let unit = (row..row + 1, from..(from + RUN).min(width));
        let strip = cells.strip(&unit, width, &mut buffer)?;
        let states = bits_of(strip.lines.bits);
        out |= if strip.lines.foreign && states != 0 { 1 << State::Nan.index() } else { states };
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_masked_grid_hides_the_same_cells() {
        let values = (0..42).map(f64::from).collect();
        let mut whole = Grid::from_rows(6, 7, values).unwrap();
        whole.set_state(4, 0, State::Masked);
        let listed = (0..42).map(|i| i % 5 == 0).collect();
        for cells in [HiddenCells::Upper(0), HiddenCells::Lower(1), HiddenCells::Listed(Arc::new(listed), 7)]
        {
            let mut grid = whole.clone();
            grid.hide(cells.clone());
            let part = grid.window(2..5, 0..4).unwrap();
            let mut count = 0;
            for (row, column) in (0..3).flat_map(|r| (0..4).map(move |c| (r, c))) {
                assert_eq!(part.is_hidden(row, column), grid.is_hidden(row + 2, column), "{cells:?}");
                count += u64::from(part.is_hidden(row, column));
            }
            assert_eq!(part.hidden_cells(State::Masked), count, "{cells:?}");
            assert_eq!(part.hides_all(State::Masked), grid.is_hidden(4, 0), "{cells:?}");
        }
        assert!(!whole.hides_all(State::Masked) && whole.hidden_cells(State::Masked) == 0);
    }
}
