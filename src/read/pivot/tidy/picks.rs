//! Of each cell the row whose value is the greatest or the least, for a text of that row.

use gridscope_core::grid::{Cell, Number};

/// The rows of all cells.
#[derive(Debug)]
pub(super) struct Picks {
    /// Whether the greatest value is looked for; else the least.
    greatest: bool,
    /// The value of each cell's row, the row, and the code of its text.
    rows: Vec<Option<(Number, u64, u32)>>,
}

impl Picks {
    pub(super) fn new(greatest: bool) -> Self {
        Self { greatest, rows: Vec::new() }
    }

    /// Makes room for this many cells in all.
    pub(super) fn resize(&mut self, cells: usize) {
        self.rows.resize(cells, None);
    }

    /// Takes a row of a cell and the code of its text.
    pub(super) fn push(&mut self, cell: u32, row: u64, value: Cell, code: u32) {
        if let Cell::Value(n) = value {
            self.take(cell as usize, (n, row, code));
        }
    }

    /// Moves what a cell holds into another one that has the same keys in other words.
    pub(super) fn merge(&mut self, into: u32, from: u32) {
        if let Some(row) = self.rows[from as usize] {
            self.take(into as usize, row);
        }
    }

    /// Of equal values the first row counts.
    fn take(&mut self, cell: usize, new: (Number, u64, u32)) {
        let place = &mut self.rows[cell];
        let wins = match place {
            None => true,
            Some((n, row, _)) => {
                let (low, high) = if self.greatest { (*n, new.0) } else { (new.0, *n) };
                low.is_below(high) || (!high.is_below(low) && new.1 < *row)
            }
        };
        if wins {
            *place = Some(new);
        }
    }

    /// The code of a cell's text; `None` of a cell without a value.
    pub(super) fn code(&self, cell: u32) -> Option<u32> {
        self.rows.get(cell as usize)?.map(|row| row.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_best_rows_is_picked() {
        let value = |v: f64| Cell::Value(Number::F64(v));
        let mut greatest = Picks::new(true);
        greatest.resize(3);
        for (row, v) in [1.0, 3.0, f64::NEG_INFINITY, 3.0].into_iter().enumerate() {
            greatest.push(0, row as u64, value(v), row as u32);
        }
        greatest.push(1, 0, value(3.0), 7);
        greatest.push(2, 9, Cell::Empty(gridscope_core::grid::State::Nan), 8);
        assert_eq!((greatest.code(0), greatest.code(2)), (Some(1), None));
        greatest.merge(0, 1);
        assert_eq!(greatest.code(0), Some(7));
        let mut least = Picks::new(false);
        least.resize(1);
        [2.0, -1.0, -1.0].iter().zip(0..).for_each(|(v, row)| least.push(0, row, value(*v), row as u32));
        assert_eq!(least.code(0), Some(1));
    }
}
