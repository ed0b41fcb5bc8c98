//! A batch of rows: the cells of the requested columns, and where the rows are in their file.

use super::column::{ColumnValues, single};
use super::column_builder::ColumnBuilder;
use super::schema::Schema;
use crate::error::InputError;
use crate::field::{Field, read_field};
use gridscope_core::grid::Number;
use std::borrow::Cow;

/// Consecutive rows of a table.
#[derive(Debug)]
pub struct Batch<'p> {
    /// The number of rows.
    pub rows: usize,
    /// The cells of the requested columns, in the order of the request; each has `rows` of them.
    pub columns: Vec<Cells<'p>>,
    /// Where the rows are in their file, for messages.
    pub places: Places<'p>,
}

impl<'p> Batch<'p> {
    /// All rows of columns that are filled a slice at a time; the first of them has the number `first` in the table.
    pub(crate) fn of_columns(
        schema: &'p Schema,
        first: u64,
        rows: usize,
        columns: impl Iterator<Item = &'p ColumnBuilder>,
    ) -> Self {
        let cells = columns.map(|column| {
            let (cells, valid) = column.cells();
            Cells::Typed { cells, valid, from: 0 }
        });
        Batch { rows, columns: cells.collect(), places: Places { schema, first, each: None } }
    }
}

/// Where the rows of a batch are in their file.
#[derive(Debug)]
pub struct Places<'p> {
    /// The schema of their table, which says whether rows are counted as lines or as rows.
    pub schema: &'p Schema,
    /// Without `each`, the number of the first row, from 1; with `each`, what is added to every number of it.
    pub first: u64,
    /// The number of each row, less `first`.
    pub each: Option<&'p [u32]>,
}

impl Places<'_> {
    /// The number of a row of the batch: its line in a text, else its row in the table, from 1.
    ///
    /// # Panics
    /// If the batch has no such row.
    pub fn number(&self, row: usize) -> u64 {
        self.first + self.each.map_or(row as u64, |e| u64::from(e[row]))
    }

    /// The refusal of a row: its file, its place, and its fault.
    ///
    /// # Panics
    /// If the batch has no such row.
    pub fn refused(&self, row: usize, what: impl Into<String>) -> InputError {
        let place = self.schema.place(self.number(row));
        InputError::refused(&self.schema.file, place, what)
    }
}

/// The cells of a column in a batch.
#[derive(Debug)]
pub enum Cells<'p> {
    /// One text per row.
    Texts(Vec<&'p str>),
    /// Values of one type.
    Typed {
        /// The values; the batch's first row is at `from`.
        cells: &'p ColumnValues,
        /// Which rows have a value, from the same place on; `None` where all have one.
        valid: Option<&'p [bool]>,
        /// The place of the batch's first row in both.
        from: usize,
    },
    /// The same text in every row.
    One(&'p str),
}

impl Cells<'_> {
    /// Whether the values are texts.
    pub(crate) fn is_text(&self) -> bool {
        !matches!(self, Cells::Typed { cells, .. } if !matches!(cells, ColumnValues::Texts { .. }))
    }

    /// Rows of the first `rows`, in order, that are all different values of the batch: a run of one value gives its first row.
    pub(crate) fn starts(&self, rows: usize) -> impl Iterator<Item = usize> {
        let next = move |row: &usize| Some(self.end_of_run(*row, rows)).filter(|end| *end < rows);
        std::iter::successors(Some(0).filter(|_| rows > 0), next)
    }

    /// The row after a run of one value that begins at a row.
    fn end_of_run(&self, row: usize, rows: usize) -> usize {
        match self {
            Cells::Texts(_) => row + 1,
            Cells::One(_) => rows,
            Cells::Typed { cells, valid: None, from } => cells.end_of_run(from + row, from + rows) - from,
            Cells::Typed { cells, valid: Some(valid), from } => {
                let all = &valid[from + row..from + rows];
                let alike = all.iter().position(|is| *is != all[0]).unwrap_or(all.len());
                let end = row + alike;
                if all[0] { cells.end_of_run(from + row, from + end) - from } else { end }
            }
        }
    }

    /// The text of a row; empty where the row has no value. Numbers are written so that they read back the same.
    ///
    /// # Panics
    /// If the batch has no such row.
    pub fn text(&self, row: usize) -> Cow<'_, str> {
        match self {
            Cells::Texts(texts) => Cow::Borrowed(texts[row]),
            Cells::One(text) => Cow::Borrowed(text),
            Cells::Typed { valid: Some(valid), from, .. } if !valid[from + row] => Cow::Borrowed(""),
            Cells::Typed { cells: ColumnValues::Texts { codes, texts }, from, .. } => {
                Cow::Borrowed(&texts[codes[from + row] as usize])
            }
            Cells::Typed { cells, from, .. } => Cow::Owned(cells.text(from + row)),
        }
    }

    /// The value of a row; `missing` lists further texts that mean a missing value.
    ///
    /// # Panics
    /// If the batch has no such row.
    pub(crate) fn field(&self, row: usize, missing: &[String]) -> Field {
        match self {
            Cells::Texts(texts) => read_field(texts[row], missing),
            Cells::Typed { cells, valid, from } if missing.is_empty() => {
                let at = from + row;
                match cells {
                    _ if valid.is_some_and(|v| !v[at]) => Field::Missing,
                    ColumnValues::I64(v) => Field::Number(Number::I64(v[at])),
                    ColumnValues::U64(v) => {
                        Field::Number(i64::try_from(v[at]).map_or(Number::U64(v[at]), Number::I64))
                    }
                    ColumnValues::F64(v) if v[at].is_nan() => Field::Missing,
                    ColumnValues::F64(v) => Field::Number(Number::F64(v[at])),
                    ColumnValues::F32(v) if v[at].is_nan() => Field::Missing,
                    ColumnValues::F32(v) => Field::Number(Number::F64(single(v[at]))),
                    ColumnValues::Texts { codes, texts } => read_field(&texts[codes[at] as usize], missing),
                }
            }
            _ => read_field(&self.text(row), missing),
        }
    }
}
