//! Content of a cell.

use super::state::State;
use super::values::Number;

/// A cell's number, or why it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// A number of the source's own type.
    Value(Number),
    /// No value.
    Empty(State),
}

impl Cell {
    /// The number, unless the cell is empty.
    pub fn value(self) -> Option<Number> {
        match self {
            Cell::Value(v) => Some(v),
            Cell::Empty(_) => None,
        }
    }

    /// The state of an empty cell.
    pub fn state(self) -> Option<State> {
        match self {
            Cell::Value(_) => None,
            Cell::Empty(s) => Some(s),
        }
    }

    /// The nearest f64, NaN for an empty cell.
    pub fn as_f64(self) -> f64 {
        self.value().map_or(f64::NAN, Number::as_f64)
    }
}
