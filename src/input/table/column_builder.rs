//! Column that grows value by value under a budget: numbers of one type, or texts of which each is stored once.
//!
//! A value that the column's type does not hold exactly changes the type: integers become wider integers or doubles while
//! all of them stay exact, and else everything becomes text.

use super::column::TypedCells;
use crate::input::budget::{Budget, Short, Taken};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// Integers up to here are exact as f64.
const EXACT: u64 = 1 << 53;
/// Bytes that a row takes in a column whose rows are read and cleared again and again.
const ROW: u64 = 24;
/// Bytes that a text takes beside its own and those of its key: places in the column and in the index.
const TEXT: u64 = 96;
/// The same where its key is a number.
const NUMBERED_TEXT: u64 = 64;
/// Bytes that a cell takes while the numbers of its column become texts.
const RENDERED: u64 = 240;
/// Distinct texts that a cleared column remembers at most.
const REMEMBERED: usize = 1 << 16;

/// The type that the cells of a column have at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellType {
    I64,
    U64,
    F32,
    F64,
    Text,
}

/// Rows, texts, codes and memory of a column of texts.
type TextParts<'c> = (
    &'c mut Vec<u32>,
    &'c mut Vec<String>,
    &'c mut Codes,
    &'c mut Taken,
);

/// Codes of the texts of a column, by the bytes or the number that each was made from.
#[derive(Debug, Default)]
struct Codes {
    by_bytes: HashMap<Box<[u8]>, u32, RandomState>,
    by_number: HashMap<i64, u32, RandomState>,
}

/// A column while its rows come in.
#[derive(Debug)]
pub struct ColumnBuilder {
    cells: TypedCells,
    /// Of each row, once one has no value.
    valid: Option<Vec<bool>>,
    codes: Codes,
    /// What its texts take, and its rows where it is cleared again and again.
    room: Taken,
    of_rows: u64,
}

impl ColumnBuilder {
    /// A column without rows. Its texts are taken off the budget; what its rows take is the caller's to take.
    pub fn new(kind: CellType, budget: &Arc<Budget>) -> Self {
        let cells = match kind {
            CellType::I64 => TypedCells::I64(Vec::new()),
            CellType::U64 => TypedCells::U64(Vec::new()),
            CellType::F32 => TypedCells::F32(Vec::new()),
            CellType::F64 => TypedCells::F64(Vec::new()),
            CellType::Text => no_texts(),
        };
        Self {
            cells,
            valid: None,
            codes: Codes::default(),
            room: budget.nothing(),
            of_rows: 0,
        }
    }

    /// The same for rows that are read and cleared, at most `rows` at a time, which are taken off the budget too.
    ///
    /// # Errors
    /// Too little memory.
    pub fn reused(kind: CellType, rows: usize, budget: &Arc<Budget>) -> Result<Self, Short> {
        let mut builder = Self::new(kind, budget);
        builder.of_rows = ROW * rows as u64;
        builder.room.more(builder.of_rows)?;
        Ok(builder)
    }

    /// Removes all rows; texts keep their codes unless there are many.
    pub fn clear(&mut self) {
        self.valid = None;
        match &mut self.cells {
            TypedCells::I64(v) => v.clear(),
            TypedCells::U64(v) => v.clear(),
            TypedCells::F32(v) => v.clear(),
            TypedCells::F64(v) => v.clear(),
            TypedCells::Texts { codes, texts } => {
                codes.clear();
                if texts.len() > REMEMBERED {
                    texts.clear();
                    self.codes = Codes::default();
                    self.room.shrink_to(self.of_rows);
                }
            }
        }
    }

    /// What its texts take their memory off.
    #[cfg(feature = "arrow")]
    pub fn budget(&self) -> &Arc<Budget> {
        self.room.budget()
    }

    /// Whether its cells are texts.
    #[cfg(feature = "arrow")]
    pub fn is_text(&self) -> bool {
        matches!(self.cells, TypedCells::Texts { .. })
    }

    /// The code of the last row's text.
    #[cfg(feature = "arrow")]
    pub fn last_code(&self) -> Option<u32> {
        match &self.cells {
            TypedCells::Texts { codes, .. } => codes.last().copied(),
            _ => None,
        }
    }

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The values of the rows, and which rows have one; `None` where all have.
    pub fn cells(&self) -> (&TypedCells, Option<&[bool]>) {
        (&self.cells, self.valid.as_deref())
    }

    /// Makes room for further rows.
    ///
    /// # Errors
    /// The allocator's refusal.
    pub fn reserve(&mut self, rows: usize) -> Result<(), std::collections::TryReserveError> {
        match &mut self.cells {
            TypedCells::I64(v) => v.try_reserve(rows),
            TypedCells::U64(v) => v.try_reserve(rows),
            TypedCells::F32(v) => v.try_reserve(rows),
            TypedCells::F64(v) => v.try_reserve(rows),
            TypedCells::Texts { codes, .. } => codes.try_reserve(rows),
        }
    }

    /// Adds rows without a value.
    pub fn push_missing(&mut self, rows: usize) {
        let len = self.len() + rows;
        let valid = self.valid.get_or_insert_with(|| vec![true; len - rows]);
        valid.resize(len, false);
        match &mut self.cells {
            TypedCells::I64(v) => v.resize(len, 0),
            TypedCells::U64(v) => v.resize(len, 0),
            TypedCells::F32(v) => v.resize(len, 0.0),
            TypedCells::F64(v) => v.resize(len, 0.0),
            TypedCells::Texts { codes, texts } => {
                if texts.is_empty() {
                    texts.push(String::new());
                }
                codes.resize(len, 0);
            }
        }
    }

    /// Takes the value of a row away.
    #[cfg(any(feature = "arrow", test))]
    pub fn set_missing(&mut self, row: usize) {
        let rows = self.len();
        self.valid.get_or_insert_with(|| vec![true; rows])[row] = false;
    }

    /// Adds a row with an integer.
    ///
    /// # Errors
    /// Too little memory.
    pub fn push_i64(&mut self, value: i64) -> Result<(), Short> {
        match &mut self.cells {
            TypedCells::I64(v) => v.push(value),
            TypedCells::U64(v) if value >= 0 => v.push(value as u64),
            TypedCells::F64(v) if value.unsigned_abs() <= EXACT => v.push(value as f64),
            _ => return self.push_number_as_text(&value.to_string()),
        }
        self.pushed();
        Ok(())
    }

    /// Adds a row with an unsigned integer.
    ///
    /// # Errors
    /// Too little memory.
    pub fn push_u64(&mut self, value: u64) -> Result<(), Short> {
        if let TypedCells::I64(v) = &self.cells {
            if let Ok(value) = i64::try_from(value) {
                return self.push_i64(value);
            }
            if v.iter().all(|v| *v >= 0) {
                self.cells = TypedCells::U64(v.iter().map(|v| *v as u64).collect());
            }
        }
        match &mut self.cells {
            TypedCells::U64(v) => v.push(value),
            TypedCells::F64(v) if value <= EXACT => v.push(value as f64),
            _ => return self.push_number_as_text(&value.to_string()),
        }
        self.pushed();
        Ok(())
    }

    /// Adds a row with a number of double precision.
    ///
    /// # Errors
    /// Too little memory.
    pub fn push_f64(&mut self, value: f64) -> Result<(), Short> {
        let exact = |v: &Vec<i64>| v.iter().all(|v| v.unsigned_abs() <= EXACT);
        if let TypedCells::I64(v) = &self.cells
            && exact(v)
        {
            self.cells = TypedCells::F64(v.iter().map(|v| *v as f64).collect());
        }
        match &mut self.cells {
            TypedCells::F64(v) => v.push(value),
            _ => return self.push_number_as_text(&format!("{value:?}")),
        }
        self.pushed();
        Ok(())
    }

    /// Adds rows with an integer each.
    ///
    /// # Errors
    /// Too little memory.
    pub fn extend_i64(&mut self, mut values: impl Iterator<Item = i64>) -> Result<(), Short> {
        let TypedCells::I64(v) = &mut self.cells else {
            return values.try_for_each(|v| self.push_i64(v));
        };
        v.extend(values);
        self.pushed();
        Ok(())
    }

    /// Adds rows with an unsigned integer each.
    ///
    /// # Errors
    /// Too little memory.
    pub fn extend_u64(&mut self, mut values: impl Iterator<Item = u64>) -> Result<(), Short> {
        let TypedCells::U64(v) = &mut self.cells else {
            return values.try_for_each(|v| self.push_u64(v));
        };
        v.extend(values);
        self.pushed();
        Ok(())
    }

    /// Adds rows with a number of single precision each, which is the number that its shortest digits say.
    ///
    /// # Errors
    /// Too little memory.
    pub fn extend_f32(&mut self, mut values: impl Iterator<Item = f32>) -> Result<(), Short> {
        let TypedCells::F32(v) = &mut self.cells else {
            return values.try_for_each(|v| self.push_number_as_text(&format!("{v:?}")));
        };
        v.extend(values);
        self.pushed();
        Ok(())
    }

    /// Adds rows with a number of double precision each.
    ///
    /// # Errors
    /// Too little memory.
    pub fn extend_f64(&mut self, mut values: impl Iterator<Item = f64>) -> Result<(), Short> {
        let TypedCells::F64(v) = &mut self.cells else {
            return values.try_for_each(|v| self.push_f64(v));
        };
        v.extend(values);
        self.pushed();
        Ok(())
    }

    /// Adds a row with the text that `render` makes of some bytes, and returns the text's code; the same bytes are rendered
    /// once.
    ///
    /// # Errors
    /// That of `render`, or too little memory.
    pub fn push_bytes<E: From<Short>>(
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
    pub fn push_rendered(&mut self, number: i64, render: impl FnOnce(i64) -> String) -> Result<u32, Short> {
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

    /// Adds a row with a text of the column, by its code.
    pub fn push_code(&mut self, code: u32) {
        if let TypedCells::Texts { codes, .. } = &mut self.cells {
            codes.push(code);
            self.pushed();
        }
    }

    /// Marks the rows that were added as having a value.
    fn pushed(&mut self) {
        if let Some(valid) = &mut self.valid {
            valid.resize(self.cells.len(), true);
        }
    }

    fn push_number_as_text(&mut self, text: &str) -> Result<(), Short> {
        self.push_bytes(text.as_bytes(), |_| Ok::<_, Short>(text.to_owned()))
            .map(|_| ())
    }

    /// The parts of a column of texts; numbers become their shortest texts first.
    fn as_texts(&mut self) -> Result<TextParts<'_>, Short> {
        if !matches!(self.cells, TypedCells::Texts { .. }) {
            self.room.more(RENDERED.saturating_mul(self.len() as u64))?;
            let numbers = std::mem::replace(&mut self.cells, no_texts());
            let valid = self.valid.take();
            for row in 0..numbers.len() {
                if valid.as_ref().is_none_or(|v| v[row]) {
                    self.push_number_as_text(&numbers.text(row))?;
                } else {
                    self.push_missing(1);
                }
            }
        }
        match &mut self.cells {
            TypedCells::Texts { codes, texts } => Ok((codes, texts, &mut self.codes, &mut self.room)),
            _ => unreachable!("its numbers have become texts"),
        }
    }
}

fn no_texts() -> TypedCells {
    TypedCells::Texts {
        codes: Vec::new(),
        texts: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
