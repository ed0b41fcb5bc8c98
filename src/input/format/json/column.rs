//! A growing column in memory: it widens to the narrowest type that holds all of its values exactly.

use super::column_type::{EXACT, float};
use super::limits::bytes_of_column;
use super::tokenizer::{Fault, Scalar};
use crate::input::budget::{Budget, Short, Taken};
use crate::input::field::shown;
use crate::input::table::{TypedCells, TypedColumn};
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes that a cell takes while it is read, and a text that is new to its column beside its own.
const CELL: u64 = 16;
const TEXT: u64 = 128;
/// Bytes that a cell takes when the numbers of its column become texts.
const TURNED: u64 = 240;

/// The values of a column so far.
#[derive(Debug)]
enum Cells {
    /// No value yet.
    Empty,
    I64(Vec<i64>),
    U64(Vec<u64>),
    F64(Vec<f64>),
    Texts {
        codes: Vec<u32>,
        texts: Vec<String>,
        places: HashMap<String, u32>,
    },
}

/// A column; rows past its last value are without one.
#[derive(Debug)]
pub(super) struct Column {
    pub name: String,
    cells: Cells,
    valid: Vec<bool>,
    /// The memory that it takes.
    room: Taken,
}

impl Column {
    /// A column without a value.
    ///
    /// # Errors
    /// Too little memory.
    pub fn new(name: &str, budget: &Arc<Budget>) -> Result<Self, Short> {
        let room = budget.hold(bytes_of_column(name))?;
        Ok(Self {
            name: name.to_owned(),
            cells: Cells::Empty,
            valid: Vec::new(),
            room,
        })
    }

    /// Rows up to the last value.
    pub fn len(&self) -> usize {
        self.valid.len()
    }

    /// Whether no row has a value.
    pub fn is_empty(&self) -> bool {
        matches!(self.cells, Cells::Empty)
    }

    /// Puts a value into a row that is not above the last.
    ///
    /// # Errors
    /// A number beyond f64, or too little memory.
    pub fn set(&mut self, row: usize, value: &Scalar<'_>, at: usize) -> Result<(), Fault> {
        if *value == Scalar::Null {
            return Ok(());
        }
        let cells = (row + 1).saturating_sub(self.len()) as u64;
        let short =
            |name: &str, s: Short| Fault::short(at, format!("column {}, row {}", shown(name), row + 1), s);
        // Not in portions: there may be as many columns as values.
        self.room
            .more(CELL.saturating_mul(cells))
            .map_err(|s| short(&self.name, s))?;
        let put = match value {
            Scalar::Null => Ok(()),
            Scalar::Bool(b) => self.text(row, if *b { "true" } else { "false" }),
            Scalar::Text(t) => self.text(row, t),
            Scalar::NotFinite(v) => self.float(row, *v, if v.is_nan() { "NaN" } else { "inf" }),
            Scalar::Number(text) => self.number(row, text, at)?,
        };
        put.map_err(|s| short(&self.name, s))?;
        self.valid.resize(row, false);
        self.valid.push(true);
        Ok(())
    }

    /// Takes the memory of the cells that fill it up to `rows` rows at the end.
    ///
    /// # Errors
    /// Too little memory.
    pub fn reach(&mut self, rows: usize) -> Result<(), Short> {
        self.room
            .more(CELL.saturating_mul(rows.saturating_sub(self.len()) as u64))
    }

    fn number(&mut self, row: usize, text: &str, at: usize) -> Result<Result<(), Short>, Fault> {
        if let Ok(v) = text.parse::<i64>() {
            return Ok(self.integer(row, v, text));
        }
        if let Ok(v) = text.parse::<u64>() {
            return Ok(self.wide(row, v, text));
        }
        Ok(self.float(row, float(text, at)?, text))
    }

    fn integer(&mut self, row: usize, v: i64, text: &str) -> Result<(), Short> {
        match &mut self.cells {
            Cells::Empty => self.cells = Cells::I64(padded(row, v)),
            Cells::I64(cells) => put(cells, row, v),
            Cells::U64(cells) if v >= 0 => put(cells, row, v as u64),
            Cells::F64(cells) if v.unsigned_abs() <= EXACT => put(cells, row, v as f64),
            _ => return self.text(row, text),
        }
        Ok(())
    }

    fn wide(&mut self, row: usize, v: u64, text: &str) -> Result<(), Short> {
        match &mut self.cells {
            Cells::Empty => self.cells = Cells::U64(padded(row, v)),
            Cells::U64(cells) => put(cells, row, v),
            Cells::I64(cells) if cells.iter().all(|c| *c >= 0) => {
                let mut wide: Vec<u64> = cells.iter().map(|c| *c as u64).collect();
                put(&mut wide, row, v);
                self.cells = Cells::U64(wide);
            }
            _ => return self.text(row, text),
        }
        Ok(())
    }

    fn float(&mut self, row: usize, v: f64, text: &str) -> Result<(), Short> {
        match &mut self.cells {
            Cells::Empty => self.cells = Cells::F64(padded(row, v)),
            Cells::F64(cells) => put(cells, row, v),
            Cells::I64(cells) if cells.iter().all(|c| c.unsigned_abs() <= EXACT) => {
                let mut floats: Vec<f64> = cells.iter().map(|c| *c as f64).collect();
                put(&mut floats, row, v);
                self.cells = Cells::F64(floats);
            }
            // Texts hold what no one type of number holds exactly; they read back as the same numbers.
            _ => return self.text(row, if v == f64::NEG_INFINITY { "-inf" } else { text }),
        }
        Ok(())
    }

    fn text(&mut self, row: usize, text: &str) -> Result<(), Short> {
        if !matches!(self.cells, Cells::Texts { .. }) {
            self.room.more(TURNED.saturating_mul(self.len() as u64))?;
            let old = std::mem::replace(
                &mut self.cells,
                Cells::Texts {
                    codes: Vec::new(),
                    texts: Vec::new(),
                    places: HashMap::new(),
                },
            );
            let written: Vec<String> = match &old {
                Cells::I64(v) => v.iter().map(i64::to_string).collect(),
                Cells::U64(v) => v.iter().map(u64::to_string).collect(),
                Cells::F64(v) => v.iter().map(|v| format!("{v:?}")).collect(),
                Cells::Empty | Cells::Texts { .. } => Vec::new(),
            };
            for (row, text) in written.iter().enumerate() {
                self.code(row, text)?;
            }
        }
        self.code(row, text)
    }

    fn code(&mut self, row: usize, text: &str) -> Result<(), Short> {
        let Cells::Texts { codes, texts, places } = &mut self.cells else {
            return Ok(());
        };
        let code = match places.get(text) {
            Some(code) => *code,
            None => {
                self.room.more(TEXT + 2 * text.len() as u64)?;
                // Rows are fewer than 4 billion, and so are their texts.
                let code = texts.len() as u32;
                texts.push(text.to_owned());
                places.insert(text.to_owned(), code);
                code
            }
        };
        put(codes, row, code);
        Ok(())
    }

    /// The column with `rows` rows; its memory is taken to the end of the run.
    pub fn typed(self, rows: usize) -> TypedColumn {
        self.room.keep();
        fn fill<T: Default + Clone>(mut v: Vec<T>, rows: usize) -> Vec<T> {
            v.resize(rows, T::default());
            v
        }
        let cells = match self.cells {
            Cells::Empty => TypedCells::F64(vec![0.0; rows]),
            Cells::I64(v) => TypedCells::I64(fill(v, rows)),
            Cells::U64(v) => TypedCells::U64(fill(v, rows)),
            Cells::F64(v) => TypedCells::F64(fill(v, rows)),
            Cells::Texts { codes, texts, .. } => TypedCells::Texts {
                codes: fill(codes, rows),
                texts,
            },
        };
        let valid = fill(self.valid, rows);
        TypedColumn {
            name: self.name,
            cells,
            valid: valid.contains(&false).then_some(valid),
        }
    }
}

/// The first value of a column, in its row.
fn padded<T: Default + Clone>(row: usize, v: T) -> Vec<T> {
    let mut out = vec![T::default(); row];
    out.push(v);
    out
}

fn put<T: Default + Clone>(cells: &mut Vec<T>, row: usize, v: T) {
    cells.resize(row, T::default());
    cells.push(v);
}

#[cfg(test)]
mod tests;
