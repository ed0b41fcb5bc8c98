//! A column in memory, and its type: the narrowest that holds all of its values exactly.

use super::records::bytes_of_column;
use super::tokenizer::{JsonFault, Scalar, float, integer};
use crate::budget::{Budget, OverBudget, Reservation};
use crate::field::shown;
use crate::table::{CellType, Column, ColumnBuilder, EXACT};
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
    pub(super) fn new(name: &str, at: usize, budget: &Arc<Budget>) -> Result<Self, JsonFault> {
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
    pub(super) fn push(&mut self, value: &Scalar<'_>, at: usize) -> Result<(), JsonFault> {
        push(&mut self.cells, &self.name, value, at)?;
        // Not in portions: there may be as many columns as values.
        let taken = self.room.more(CELL).and_then(|()| self.cells.settle());
        taken.map_err(|s| short(&self.name, at, s))
    }

    /// The column; its memory is taken to the end of the run.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn finish(self) -> Result<Column, JsonFault> {
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
) -> Result<(), JsonFault> {
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

fn short(name: &str, at: usize, short: OverBudget) -> JsonFault {
    let what = match name {
        "" => "the values".to_owned(),
        name => format!("column {}", shown(name)),
    };
    JsonFault::short(at, what, short)
}

/// An integer that is not one of the next three.
const INTEGER: u8 = 1;
const NEGATIVE: u8 = 1 << 1;
/// An integer beyond [`EXACT`], or its negative.
const INEXACT: u8 = 1 << 2;
/// An integer beyond i64.
const WIDE: u8 = 1 << 3;
const FLOAT: u8 = 1 << 4;
const TEXT: u8 = 1 << 5;

/// The kinds of values that a column holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    /// The kinds of the value at byte `at`; none of a null.
    ///
    /// # Errors
    /// A number beyond f64.
    pub(super) fn of(value: &Scalar<'_>, at: usize) -> Result<Self, JsonFault> {
        Ok(Self(match value {
            Scalar::Null => 0,
            Scalar::Bool(_) | Scalar::Text(_) => TEXT,
            Scalar::NotFinite(_) => FLOAT,
            Scalar::Float(text) => {
                // Shorter ones without an exponent are below 1e300.
                if text.len() > 300 || text.contains(['e', 'E']) {
                    float(text, at)?;
                }
                FLOAT
            }
            // OverBudget ones are exact.
            Scalar::Integer(text) if text.len() < 16 => {
                let negative = text.starts_with('-') && *text != "-0";
                if negative { NEGATIVE } else { INTEGER }
            }
            Scalar::Integer(text) => match integer(text, at)? {
                Number::F64(_) => FLOAT,
                Number::U64(_) => WIDE,
                Number::I64(v) => {
                    let sign = if v < 0 { NEGATIVE } else { INTEGER };
                    let inexact = v.unsigned_abs() > EXACT;
                    sign | if inexact { INEXACT } else { 0 }
                }
            },
        }))
    }

    /// Adds the kinds of further values.
    pub(super) fn add(&mut self, further: Self) {
        self.0 |= further.0;
    }

    /// Whether there is no value.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The type of all values.
    pub(super) fn cell_type(self) -> CellType {
        let all = |kinds: u8| self.0 & kinds == kinds;
        // Neither 64-bit integers nor f64s hold both kinds of each pair.
        if all(TEXT) || all(WIDE | NEGATIVE) || all(WIDE | FLOAT) || all(INEXACT | FLOAT) {
            CellType::Text
        } else if all(FLOAT) || self.is_empty() {
            CellType::F64
        } else if all(WIDE) {
            CellType::U64
        } else {
            CellType::I64
        }
    }
}

#[cfg(test)]
mod column_type_tests {
    use super::super::tokenizer::Tokenizer;
    use super::*;

    fn kinds(values: &[&str]) -> Kinds {
        let mut kinds = Kinds::default();
        for v in values {
            let value = Tokenizer::new(v, true).scalar().unwrap();
            kinds.add(Kinds::of(&value, 0).unwrap());
        }
        kinds
    }

    #[test]
    fn columns_are_of_the_narrowest_type_that_is_exact() {
        for (values, want) in [
            (&["1", "-2", "9007199254740993"], CellType::I64),
            (&["1", "18446744073709551615", "-0"], CellType::U64),
            (&["9007199254740992", "0.5", "-7"], CellType::F64),
            (&["null", "1", "NaN"], CellType::F64),
            (&["null", "18446744073709551616", "1"], CellType::F64),
            (&["null", "null", "null"], CellType::F64),
            (&["1", "\"a\"", "0.5"], CellType::Text),
            (&["1", "true", "null"], CellType::Text),
            (&["9007199254740993", "1", "0.5"], CellType::Text),
            (&["0.5", "null", "-9007199254740993"], CellType::Text),
            (&["18446744073709551615", "1", "-1"], CellType::Text),
            (&["0.5", "null", "18446744073709551615"], CellType::Text),
        ] {
            let [a, b, c] = values;
            for order in [[a, b, c], [b, c, a], [c, a, b], [c, b, a]] {
                let order = order.map(|v| *v);
                assert_eq!(kinds(&order).cell_type(), want, "{order:?}");
            }
        }
        assert!(kinds(&["null"]).is_empty() && !kinds(&["0"]).is_empty());
        let beyond = Kinds::of(&Scalar::Float("1e999"), 7);
        assert_eq!(beyond.unwrap_err().at, 7);
    }
}

#[cfg(test)]
mod tests;
