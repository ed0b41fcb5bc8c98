//! A block of records, of which the columns that are asked for are decoded.

use super::blocks::Source;
use super::decoded::{CHANGED, Decoded, Texts};
use super::record::Rows;
use super::survey::{Place, Survey};
use super::tokenizer::{Fault, Scalar};
use crate::input::error::InputError;
use crate::input::table::{Batch, Part, Places, Schema};

/// A block of records before and after it is decoded.
pub(super) struct LineBlock<'t> {
    source: &'t Source,
    schema: &'t Schema,
    survey: &'t Survey,
    /// Of each column of the table, its place among all that the records name.
    columns: &'t [usize],
    not_finite: bool,
    place: Place,
    given: bool,
    text: String,
    /// What the text does not hold as it is: texts without their escapes, numbers in their shortest form.
    made: String,
    decoded: Vec<Decoded>,
}

impl<'t> LineBlock<'t> {
    /// The block of these rows.
    pub fn new(
        source: &'t Source,
        schema: &'t Schema,
        survey: &'t Survey,
        columns: &'t [usize],
        not_finite: bool,
        place: Place,
    ) -> Self {
        Self {
            source,
            schema,
            survey,
            columns,
            not_finite,
            place,
            given: false,
            text: String::new(),
            made: String::new(),
            decoded: Vec::new(),
        }
    }
}

impl Part for LineBlock<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        if std::mem::replace(&mut self.given, true) {
            return Ok(None);
        }
        let Place {
            from,
            bytes,
            first,
            rows,
        } = self.place;
        let bytes = self.source.content.read_up_to(from, bytes, &self.source.file)?;
        self.text = self.source.text(from, bytes)?;
        let mut decoder = Decoder {
            survey: self.survey,
            wanted: vec![None; self.survey.columns.len()],
            decoded: Vec::with_capacity(columns.len()),
            block: self.text.len(),
            made: &mut self.made,
            first,
            row: 0,
            next: 0,
        };
        for (i, &column) in columns.iter().enumerate() {
            let all = self.columns[column];
            decoder.wanted[all] = Some(i);
            decoder.decoded.push(Decoded::new(
                self.survey.columns[all].first_rows.column_type(),
                rows,
            ));
        }
        self.source
            .read((from, &self.text, self.text.len()), self.not_finite, &mut decoder)?;
        let read = decoder.row;
        self.decoded = decoder.decoded;
        if read != rows || self.decoded.iter_mut().any(|d| !d.fill(rows)) {
            return Err(InputError::refused(&self.source.file, "", CHANGED));
        }
        let texts = Texts {
            block: &self.text,
            made: &self.made,
        };
        let cells = self.decoded.iter().map(|d| d.cells(texts)).collect();
        let places = Places {
            schema: self.schema,
            first: 1 + first,
            each: None,
        };
        Ok(Some(Batch {
            rows,
            columns: cells,
            places,
        }))
    }
}

/// What reads the rows of a block.
struct Decoder<'d> {
    survey: &'d Survey,
    /// Of each column that the records name, its place among those that are asked for.
    wanted: Vec<Option<usize>>,
    decoded: Vec<Decoded>,
    /// Bytes of the block.
    block: usize,
    made: &'d mut String,
    /// The number of the block's first row, and of the row that is read, in the block.
    first: u64,
    row: usize,
    /// The column that a record probably names next.
    next: usize,
}

impl Rows for Decoder<'_> {
    fn column(&mut self, name: &str, at: usize) -> Result<usize, Fault> {
        let found = self.survey.names.find(name, self.next);
        let column = found.ok_or_else(|| Fault::new(at, CHANGED))?;
        self.next = column + 1;
        Ok(column)
    }

    fn list(&mut self, _: usize, _: usize) {}

    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize, end: usize) -> Result<(), Fault> {
        let (Some(i), false) = (self.wanted[column], *value == Scalar::Null) else {
            return Ok(());
        };
        let decoded = &mut self.decoded[i];
        if !decoded.fill(self.row) {
            return Err(Fault::new(at, CHANGED));
        }
        let number = self.first + self.row as u64;
        decoded.push((number, value), (at, end, self.block), self.made)
    }

    fn end_row(&mut self) {
        self.row += 1;
        self.next = 0;
    }
}
