//! Column that grows value by value under a budget: numbers of one type, or texts of which each is stored once.
//!
//! A value that the column's type does not hold exactly changes the type: integers become wider integers or doubles while
//! all of them stay exact, and else everything becomes text.

use super::column::{Column, ColumnValues};
use crate::budget::{Budget, OverBudget, Reservation};
use foldhash::fast::RandomState;
use gridscope_core::grid::Number;
use std::collections::HashMap;
use std::sync::Arc;

/// Integers up to here are exact as f64.
pub(crate) const EXACT: u64 = 1 << 53;
/// Bytes that a text takes beside its own and those of its key: places in the column and in the index.
const TEXT: u64 = 96;
/// The same where its key is a number.
const NUMBERED_TEXT: u64 = 64;
/// Bytes that a cell takes while the numbers of its column become texts.
const RENDERED: u64 = 240;
/// The type that the cells of a column have at first. A column of which the type is not known begins with `I64`, which widens to
/// every other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellType {
    I64,
    U64,
    F32,
    F64,
    Text,
}

/// Rows, texts, codes and memory of a column of texts.
type TextParts<'c> = (&'c mut Vec<u32>, &'c mut Vec<String>, &'c mut Codes, &'c mut Reservation);

/// Codes of the texts of a column, by the bytes or the number that each was made from.
#[derive(Debug, Default)]
pub(super) struct Codes {
    by_bytes: HashMap<Box<[u8]>, u32, RandomState>,
    by_number: HashMap<i64, u32, RandomState>,
}

/// A column while its rows come in.
#[derive(Debug)]
pub(crate) struct ColumnBuilder {
    pub(super) cells: ColumnValues,
    /// Of each row, once one has no value.
    pub(super) valid: Option<Vec<bool>>,
    pub(super) codes: Codes,
    /// Reserved bytes of its texts, and of its rows where it is cleared again and again.
    pub(super) room: Reservation,
    pub(super) of_rows: u64,
}

impl ColumnBuilder {
    /// A column without rows. Its texts are taken off the budget; what its rows take is the caller's to take.
    pub(crate) fn new(kind: CellType, budget: &Arc<Budget>) -> Self {
        let cells = match kind {
            CellType::I64 => ColumnValues::I64(Vec::new()),
            CellType::U64 => ColumnValues::U64(Vec::new()),
            CellType::F32 => ColumnValues::F32(Vec::new()),
            CellType::F64 => ColumnValues::F64(Vec::new()),
            CellType::Text => no_texts(),
        };
        Self { cells, valid: None, codes: Codes::default(), room: budget.nothing(), of_rows: 0 }
    }

    /// The type of its cells.
    pub(crate) fn cell_type(&self) -> CellType {
        match &self.cells {
            ColumnValues::I64(_) => CellType::I64,
            ColumnValues::U64(_) => CellType::U64,
            ColumnValues::F32(_) => CellType::F32,
            ColumnValues::F64(_) => CellType::F64,
            ColumnValues::Texts { .. } => CellType::Text,
        }
    }

    /// Whether its cells are texts.
    pub(crate) fn is_text(&self) -> bool {
        self.cell_type() == CellType::Text
    }

    /// Rows so far.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The values of the rows, and which rows have one; `None` where all have.
    pub(crate) fn cells(&self) -> (&ColumnValues, Option<&[bool]>) {
        (&self.cells, self.valid.as_deref())
    }

    /// Adds rows without a value.
    pub(crate) fn push_missing(&mut self, rows: usize) {
        let len = self.len() + rows;
        let valid = self.valid.get_or_insert_with(|| vec![true; len - rows]);
        valid.resize(len, false);
        match &mut self.cells {
            ColumnValues::I64(v) => v.resize(len, 0),
            ColumnValues::U64(v) => v.resize(len, 0),
            ColumnValues::F32(v) => v.resize(len, 0.0),
            ColumnValues::F64(v) => v.resize(len, 0.0),
            ColumnValues::Texts { codes, texts } => {
                if texts.is_empty() {
                    texts.push(String::new());
                }
                codes.resize(len, 0);
            }
        }
    }

    /// Adds a row with a number; where the column holds texts, or needs them from now on, it is the text that `text` returns.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn push_number<T: AsRef<str>>(
        &mut self,
        value: Number,
        text: impl FnOnce() -> T,
    ) -> Result<(), OverBudget> {
        if let ColumnValues::I64(v) = &self.cells {
            match value {
                Number::U64(_) if v.iter().all(|v| *v >= 0) => {
                    self.cells = ColumnValues::U64(v.iter().map(|v| *v as u64).collect());
                }
                Number::F64(_) if v.iter().all(|v| v.unsigned_abs() <= EXACT) => {
                    self.cells = ColumnValues::F64(v.iter().map(|v| *v as f64).collect());
                }
                _ => {}
            }
        }
        match (&mut self.cells, value) {
            (ColumnValues::I64(v), Number::I64(value)) => v.push(value),
            (ColumnValues::U64(v), Number::I64(value)) if value >= 0 => v.push(value as u64),
            (ColumnValues::U64(v), Number::U64(value)) => v.push(value),
            (ColumnValues::F64(v), Number::I64(value)) if value.unsigned_abs() <= EXACT => {
                v.push(value as f64);
            }
            (ColumnValues::F64(v), Number::U64(value)) if value <= EXACT => v.push(value as f64),
            (ColumnValues::F64(v), Number::F64(value)) => v.push(value),
            _ => return self.push_text(text().as_ref()),
        }
        self.pushed();
        Ok(())
    }

    /// Adds a row with an integer.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn push_i64(&mut self, value: i64) -> Result<(), OverBudget> {
        self.push_number(Number::I64(value), || value.to_string())
    }

    /// Adds a row with an unsigned integer.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn push_u64(&mut self, value: u64) -> Result<(), OverBudget> {
        let number = i64::try_from(value).map_or(Number::U64(value), Number::I64);
        self.push_number(number, || value.to_string())
    }

    /// Adds a row with a number of double precision.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn push_f64(&mut self, value: f64) -> Result<(), OverBudget> {
        self.push_number(Number::F64(value), || format!("{value:?}"))
    }

    /// Adds a row with a text.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn push_text(&mut self, text: &str) -> Result<(), OverBudget> {
        self.push_bytes(text.as_bytes(), |_| Ok::<_, OverBudget>(text.to_owned())).map(|_| ())
    }

    /// Adds a row with the text that `render` makes of some bytes, and returns the text's code; the same bytes are rendered
    /// once.
    ///
    /// # Errors
    /// That of `render`, or too little memory.
    pub(crate) fn push_bytes<E: From<OverBudget>>(
        &mut self,
        bytes: &[u8],
        render: impl FnOnce(&[u8]) -> Result<String, E>,
    ) -> Result<u32, E> {
        let (rows, texts, index, room) = self.as_texts()?;
        let code = match index.by_bytes.get(bytes) {
            Some(code) => *code,
            None => {
                let text = render(bytes)?;
                room.owe((text.len() + bytes.len()) as u64 + TEXT)?;
                texts.push(text);
                let code = texts.len() as u32 - 1;
                index.by_bytes.insert(bytes.into(), code);
                code
            }
        };
        rows.push(code);
        self.pushed();
        Ok(code)
    }

    /// Adds a row with the text that `render` makes of a number, and returns the text's code; the same number is rendered
    /// once.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn push_rendered(
        &mut self,
        number: i64,
        render: impl FnOnce(i64) -> String,
    ) -> Result<u32, OverBudget> {
        let (rows, texts, index, room) = self.as_texts()?;
        let code = match index.by_number.get(&number) {
            Some(code) => *code,
            None => {
                let text = render(number);
                room.owe(text.len() as u64 + NUMBERED_TEXT)?;
                texts.push(text);
                let code = texts.len() as u32 - 1;
                index.by_number.insert(number, code);
                code
            }
        };
        rows.push(code);
        self.pushed();
        Ok(code)
    }

    /// Marks the rows that were added as having a value.
    pub(super) fn pushed(&mut self) {
        if let Some(valid) = &mut self.valid {
            valid.resize(self.cells.len(), true);
        }
    }

    /// Takes what its texts owe to the budget: columns that are as many as their rows must not each owe a portion.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn settle(&mut self) -> Result<(), OverBudget> {
        if self.is_text() { self.room.settle() } else { Ok(()) }
    }

    /// The column, and the reservation of its texts.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn finish(mut self, name: &str) -> Result<(Column, Reservation), OverBudget> {
        self.settle()?;
        let column = Column { name: name.to_owned(), cells: self.cells, valid: self.valid };
        Ok((column, self.room))
    }

    /// The parts of a column of texts; numbers become their shortest texts first.
    fn as_texts(&mut self) -> Result<TextParts<'_>, OverBudget> {
        if !matches!(self.cells, ColumnValues::Texts { .. }) {
            let numbers = std::mem::replace(&mut self.cells, no_texts());
            let valid = self.valid.take();
            let has_value = |row: usize| valid.as_ref().is_none_or(|v| v[row]);
            let rendered = (0..numbers.len()).filter(|&row| has_value(row)).count() as u64;
            self.room.more(RENDERED.saturating_mul(rendered))?;
            for row in 0..numbers.len() {
                if has_value(row) {
                    self.push_text(&numbers.text(row))?;
                } else {
                    self.push_missing(1);
                }
            }
        }
        match &mut self.cells {
            ColumnValues::Texts { codes, texts } => Ok((codes, texts, &mut self.codes, &mut self.room)),
            _ => unreachable!("its numbers have become texts"),
        }
    }
}

fn no_texts() -> ColumnValues {
    ColumnValues::Texts { codes: Vec::new(), texts: Vec::new() }
}

#[cfg(test)]
mod tests;
