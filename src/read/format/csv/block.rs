//! Whole records of a text, cut into the texts of columns.

use super::cutter::{Field, Record, Sink, cut};
use super::head::{ragged, unclosed};
use crate::bytes::{Content, text_from};
use crate::error::InputError;
use crate::table::{Batch, Cells, Part, Places, Schema};
use std::borrow::Cow;

/// A text that is a table.
#[derive(Debug)]
pub(super) struct CsvText {
    pub content: Content,
    pub schema: Schema,
    pub delimiter: u8,
    /// Where it begins, after its byte order mark, and where it ends.
    pub from: u64,
    pub to: u64,
    /// The line on which it begins.
    pub line: u64,
    /// A row of units is under the header.
    pub units: bool,
    /// Bytes that hold its first rows.
    pub head: u64,
    /// Bytes of a block.
    pub block: u64,
    /// The most bytes that a record may take: each thread may hold one.
    pub longest: u64,
}

/// Whole records of a text, before they are cut.
pub(super) struct Block<'t> {
    text: &'t CsvText,
    bytes: Vec<u8>,
    /// Where it begins in the file, and its first line.
    at: u64,
    line: u64,
    /// The first records are the header, and units under it: this many.
    header: usize,
    /// The line of each row, from the first of the block on.
    numbers: Vec<u32>,
    rewritten: Vec<Rewritten>,
    given: bool,
}

impl<'t> Block<'t> {
    /// The records in `bytes`, which begin at a byte of the file and on a line of it.
    pub(super) fn new(text: &'t CsvText, bytes: Vec<u8>, (at, line): (u64, u64), header: usize) -> Self {
        Self { text, bytes, at, line, header, numbers: Vec::new(), rewritten: Vec::new(), given: false }
    }
}

impl Part for Block<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        if std::mem::replace(&mut self.given, true) {
            return Ok(None);
        }
        let schema = &self.text.schema;
        let text = text_from(&self.bytes, self.at, &schema.file)?;
        let mut wanted = vec![None; schema.width()];
        columns.iter().enumerate().for_each(|(i, &c)| wanted[c] = Some(i));
        let room = text.len() / (2 * schema.width()).max(16);
        let mut rows = Rows {
            text,
            schema,
            line: self.line,
            header: self.header,
            wanted,
            columns: columns.iter().map(|_| Vec::with_capacity(room)).collect(),
            numbers: Vec::new(),
            rewritten: Vec::new(),
        };
        cut(text.as_bytes(), self.text.delimiter, &mut rows)?;
        let mut columns = rows.columns;
        (self.numbers, self.rewritten) = (rows.numbers, rows.rewritten);
        for field in &self.rewritten {
            columns[field.column][field.row] = &field.text;
        }
        Ok(Some(Batch {
            rows: self.numbers.len(),
            columns: columns.into_iter().map(Cells::Texts).collect(),
            places: Places { schema, first: self.line, each: Some(&self.numbers) },
        }))
    }
}

/// A field whose text is not as it is written: it holds quotes.
struct Rewritten {
    column: usize,
    row: usize,
    text: String,
}

/// The rows of a block while it is cut.
struct Rows<'b> {
    text: &'b str,
    schema: &'b Schema,
    line: u64,
    header: usize,
    /// The column that each field of a record goes to.
    wanted: Vec<Option<usize>>,
    columns: Vec<Vec<&'b str>>,
    /// The line of each row, from the first of the block on.
    numbers: Vec<u32>,
    rewritten: Vec<Rewritten>,
}

impl Sink for Rows<'_> {
    type Stop = InputError;

    #[inline]
    fn field(&mut self, field: Field) {
        let Some(Some(column)) = self.wanted.get(field.index) else {
            return;
        };
        let column = *column;
        let text = match field.text(self.text) {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => {
                let row = self.columns[column].len();
                self.rewritten.push(Rewritten { column, row, text });
                ""
            }
        };
        self.columns[column].push(text);
    }

    fn record(&mut self, record: Record) -> Result<(), InputError> {
        let (file, width) = (self.schema.file.as_str(), self.schema.width());
        if let Some(line) = record.open {
            return Err(unclosed(file, self.line + u64::from(line)));
        }
        if !record.is_blank(width) {
            if record.fields != width {
                let line = self.line + u64::from(record.line);
                return Err(ragged(file, line, record.fields, width));
            }
            if self.header == 0 {
                self.numbers.push(record.line);
                return Ok(());
            }
            self.header -= 1;
        }
        // It is not a row.
        let rows = self.numbers.len();
        self.columns.iter_mut().for_each(|c| c.truncate(rows));
        while self.rewritten.pop_if(|field| field.row >= rows).is_some() {}
        Ok(())
    }
}
