//! The cells of a grid while they are collected.

use crate::error::InputError;
use gridscope_core::grid::{Axis, Cell, Grid, Number, State, Values};

/// Numbers put one after another in the narrowest type that holds them all: i64, u64, f64.
#[derive(Clone, Debug)]
pub(super) struct Numbers(Values);

impl Default for Numbers {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl Numbers {
    /// None yet, room for this many.
    pub(super) fn with_capacity(n: usize) -> Self {
        Self(Values::I64(Vec::with_capacity(n)))
    }

    /// Adds one.
    pub(super) fn push(&mut self, n: Number) {
        match (&mut self.0, n) {
            (Values::I64(v), Number::I64(n)) => v.push(n),
            (Values::F64(v), n) => v.push(n.as_f64()),
            (Values::U64(v), Number::U64(n)) => v.push(n),
            (Values::U64(v), Number::I64(n)) if n >= 0 => v.push(n as u64),
            (Values::I64(v), Number::U64(n)) if v.iter().all(|v| *v >= 0) => {
                let mut wide: Vec<u64> = v.iter().map(|v| *v as u64).collect();
                wide.push(n);
                self.0 = Values::U64(wide);
            }
            (any, n) => {
                let mut wide: Vec<f64> = (0..any.len()).map(|i| any.get(i).as_f64()).collect();
                wide.push(n.as_f64());
                self.0 = Values::F64(wide);
            }
        }
    }

    /// Adds a place that a state takes.
    fn push_empty(&mut self) {
        match &mut self.0 {
            Values::I64(v) => v.push(0),
            Values::U64(v) => v.push(0),
            Values::F64(v) => v.push(f64::NAN),
            Values::F32 { data, .. } => data.push(f32::NAN),
        }
    }

    /// The one at a place.
    pub(super) fn get(&self, i: usize) -> Number {
        self.0.get(i)
    }
}

/// Cells one after another: their numbers, and why others hold none.
#[derive(Debug, Default)]
pub(super) struct CellValues {
    numbers: Numbers,
    states: Vec<Option<State>>,
}

impl CellValues {
    /// These cells, of which there are `n`.
    pub(super) fn of(n: usize, cells: impl Iterator<Item = Cell>) -> Self {
        let mut values = Self { numbers: Numbers::with_capacity(n), states: Vec::with_capacity(n) };
        cells.for_each(|cell| values.push(cell));
        values
    }

    /// Adds a cell.
    pub(super) fn push(&mut self, cell: Cell) {
        match cell {
            Cell::Value(number) => self.numbers.push(number),
            Cell::Empty(_) => self.numbers.push_empty(),
        }
        self.states.push(cell.state());
    }

    /// The cell at a place.
    pub(super) fn at(&self, i: usize) -> Cell {
        self.states[i].map_or_else(|| Cell::Value(self.numbers.get(i)), Cell::Empty)
    }

    /// The grid of these cells, row after row.
    ///
    /// # Errors
    /// When the axes have no cell, or other numbers of them.
    pub(super) fn into_grid(self, rows: Axis, columns: Axis, file: &str) -> Result<Grid, InputError> {
        Grid::new(rows, columns, self.numbers.0, &self.states).map_err(|e| InputError::refused(file, "", e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_narrowest_type() {
        let of = |v: &[Number]| {
            let mut n = Numbers::with_capacity(0);
            v.iter().for_each(|v| n.push(*v));
            n.0
        };
        assert_eq!(of(&[Number::I64(1), Number::I64(-2)]), Values::I64(vec![1, -2]));
        assert_eq!(
            of(&[Number::I64(1), Number::U64(u64::MAX), Number::I64(2)]),
            Values::U64(vec![1, u64::MAX, 2])
        );
        assert_eq!(of(&[Number::I64(-1), Number::U64(u64::MAX)]), Values::F64(vec![-1.0, u64::MAX as f64]));
        assert_eq!(of(&[Number::I64(1), Number::F64(0.5)]), Values::F64(vec![1.0, 0.5]));
    }

    #[test]
    fn cells_without_a_number_have_a_place() {
        let cells = [Cell::Empty(State::Nan), Cell::Value(Number::I64(3)), Cell::Empty(State::Masked)];
        let values = CellValues::of(3, cells.into_iter());
        assert_eq!([0, 1, 2].map(|i| values.at(i)), cells);
        let grid = values.into_grid(Axis::index("", 1), Axis::index("", 3), "f").unwrap();
        assert_eq!([0, 1, 2].map(|c| grid.at(0, c)), cells);
        assert!(CellValues::default().into_grid(Axis::index("", 1), Axis::index("", 1), "f").is_err());
    }
}
