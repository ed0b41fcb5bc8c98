//! Tables by runs of rows: what every reader of tables gives, so that no table need be in memory as a whole.

use super::error::InputError;
use super::field::{Field, parse_number, read_field};
use super::schema::Schema;
use super::typed::TypedCells;
use crate::grid::Number;
use std::borrow::Cow;

/// The runs of a table's rows, in their order.
pub type Parts<'t> = Box<dyn Iterator<Item = Result<Box<dyn Part + 't>, InputError>> + Send + 't>;

/// A table whose rows can be read as often as they are needed.
pub trait Table: Sync {
    /// Its columns.
    fn schema(&self) -> &Schema;

    /// Its rows, from the first on.
    fn parts(&self) -> Parts<'_>;

    /// Threads that its rows are worth.
    fn threads(&self) -> usize;
}

/// A run of rows before it is decoded.
pub trait Part: Send {
    /// The cells of these columns in its next rows; they are the same columns each time.
    ///
    /// # Errors
    /// What the rows are at fault with.
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError>;
}

/// A run of rows.
pub struct Batch<'p> {
    /// Rows.
    pub rows: usize,
    /// The cells of the columns that were asked for, in their order.
    pub columns: Vec<Cells<'p>>,
    /// Where the rows stand.
    pub places: Places<'p>,
}

/// Where rows stand in their file.
pub struct Places<'p> {
    /// Their table.
    pub schema: &'p Schema,
    /// What is added to each number; or the number of the first row, where there are none.
    pub first: u64,
    /// The line of each row.
    pub each: Option<&'p [u32]>,
}

impl Places<'_> {
    /// A refusal of a row.
    pub fn refused(&self, row: usize, what: impl Into<String>) -> InputError {
        let at = self.first + self.each.map_or(row as u64, |e| u64::from(e[row]));
        InputError::refused(&self.schema.file, format!("{} {at}", self.schema.counted()), what)
    }
}

/// The cells of a column.
pub enum Cells<'p> {
    /// Texts, one a row.
    Texts(Vec<&'p str>),
    /// Values with a type, and which rows have one; the first row is at `from` in both.
    Typed {
        cells: &'p TypedCells,
        valid: Option<&'p [bool]>,
        from: usize,
    },
    /// The same text in all rows.
    One(&'p str),
}

impl Cells<'_> {
    /// Whether its values are texts.
    pub fn is_text(&self) -> bool {
        !matches!(self, Cells::Typed { cells, .. } if !matches!(cells, TypedCells::Texts { .. }))
    }

    /// The text of a row; empty where there is no value.
    pub fn text(&self, row: usize) -> Cow<'_, str> {
        match self {
            Cells::Texts(texts) => Cow::Borrowed(texts[row]),
            Cells::One(text) => Cow::Borrowed(text),
            Cells::Typed {
                valid: Some(valid),
                from,
                ..
            } if !valid[from + row] => Cow::Borrowed(""),
            Cells::Typed {
                cells: TypedCells::Texts { codes, texts },
                from,
                ..
            } => Cow::Borrowed(&texts[codes[from + row] as usize]),
            Cells::Typed { cells, from, .. } => Cow::Owned(cells.text(from + row)),
        }
    }

    /// The value of a row; `missing` are further texts for a missing value.
    pub fn field(&self, row: usize, missing: &[String]) -> Field {
        match self {
            Cells::Texts(texts) => read_field(texts[row], missing),
            Cells::Typed { cells, valid, from } if missing.is_empty() => {
                let at = from + row;
                match cells {
                    _ if valid.is_some_and(|v| !v[at]) => Field::Missing,
                    TypedCells::I64(v) => Field::Number(Number::I64(v[at])),
                    TypedCells::U64(v) => {
                        Field::Number(i64::try_from(v[at]).map_or(Number::U64(v[at]), Number::I64))
                    }
                    TypedCells::F64(v) if v[at].is_nan() => Field::Missing,
                    TypedCells::F64(v) => Field::Number(Number::F64(v[at])),
                    // A single is the number that its own digits say.
                    TypedCells::F32(_) => parse_number(&cells.text(at)).map_or(Field::Missing, Field::Number),
                    TypedCells::Texts { codes, texts } => read_field(&texts[codes[at] as usize], missing),
                }
            }
            _ => read_field(&self.text(row), missing),
        }
    }
}
