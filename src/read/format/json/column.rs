//! A column in memory, of values one after the other.

use super::fault::Fault;
use super::names::bytes_of_column;
use super::number::{float, integer};
use super::tokenizer::Scalar;
use crate::budget::{Budget, OverBudget, Reservation};
use crate::field::shown;
use crate::table::{CellType, Column, ColumnBuilder};
use gridscope_core::grid::Number;
use std::sync::Arc;

/// Bytes that a cell takes.
const CELL: u64 = 16;

/// A column and the memory that its cells take.
pub(super) struct GrowingColumn {
    name: String,
    cells: ColumnBuilder,
    room: Reservation,
}

impl GrowingColumn {
    /// A column without rows.
    ///
    /// # Errors
    /// Too little memory, at byte `at`.
    pub(super) fn new(name: &str, at: usize, budget: &Arc<Budget>) -> Result<Self, Fault> {
        let room = budget.reserve(bytes_of_column(name));
        Ok(Self {
            name: name.to_owned(),
            cells: ColumnBuilder::new(CellType::I64, budget),
            room: room.map_err(|s| short(name, at, s))?,
        })
    }

    /// Rows so far.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Adds a row with the value at byte `at`.
    ///
    /// # Errors
    /// A number beyond f64, or too little memory.
    pub(super) fn push(&mut self, value: &Scalar<'_>, at: usize) -> Result<(), Fault> {
        push(&mut self.cells, &self.name, value, at)?;
        // Not in portions: there may be as many columns as values.
        let taken = self.room.more(CELL).and_then(|()| self.cells.settle());
        taken.map_err(|s| short(&self.name, at, s))
    }

    /// The column; its memory is taken to the end of the run.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn finish(self) -> Result<Column, Fault> {
        let finished = self.cells.finish(&self.name);
        let (column, texts) = finished.map_err(|s| short(&self.name, 0, s))?;
        texts.keep();
        self.room.keep();
        Ok(column)
    }
}

/// Adds a row with the value at byte `at`; in a column of texts, numbers stay as they are written.
///
/// # Errors
/// A number beyond f64, or too little memory.
pub(super) fn push(
    cells: &mut ColumnBuilder,
    name: &str,
    value: &Scalar<'_>,
    at: usize,
) -> Result<(), Fault> {
    let pushed = match value {
        Scalar::Null => {
            cells.push_missing(1);
            Ok(())
        }
        Scalar::Integer(text) => cells.push_number(integer(text, at)?, || text),
        Scalar::Float(text) => cells.push_number(Number::F64(float(text, at)?), || text),
        Scalar::NotFinite(v) => cells.push_f64(*v),
        Scalar::Bool(b) => cells.push_text(if *b { "true" } else { "false" }),
        Scalar::Text(text) => cells.push_text(text),
    };
    pushed.map_err(|s| short(name, at, s))
}

fn short(name: &str, at: usize, short: OverBudget) -> Fault {
    let what = match name {
        "" => "the values".to_owned(),
        name => format!("column {}", shown(name)),
    };
    Fault::short(at, what, short)
}

#[cfg(test)]
mod tests;
