//! Whole records of a text, cut into the texts of columns.

use super::ends::hits;
use super::head::ragged;
use super::scan::Scan;
use crate::input::bytes::text_from;
use crate::input::error::InputError;
use crate::input::table::{Batch, Cells, Part, Places, Schema};

/// Whole records of a text.
pub struct Block<'t> {
    schema: &'t Schema,
    delimiter: u8,
    bytes: Vec<u8>,
    /// Where it begins in the file, and its first line.
    at: u64,
    line: u64,
    /// The first record is the header.
    header: bool,
    /// Quotes may hide line ends and delimiters.
    quoted: bool,
    /// The records without their quotes, where there are quotes.
    texts: Vec<u8>,
    /// The line of each row, from the first of the block on.
    numbers: Vec<u32>,
    given: bool,
}

impl<'t> Block<'t> {
    /// The records in `bytes`, which begin at a byte of the file and on a line of it.
    pub fn new(
        schema: &'t Schema,
        delimiter: u8,
        bytes: Vec<u8>,
        (at, line): (u64, u64),
        header: bool,
        quoted: bool,
    ) -> Self {
        Self {
            schema,
            delimiter,
            bytes,
            at,
            line,
            header,
            quoted,
            texts: Vec::new(),
            numbers: Vec::new(),
            given: false,
        }
    }
}

impl Part for Block<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        if std::mem::replace(&mut self.given, true) {
            return Ok(None);
        }
        let schema = self.schema;
        let file = schema.file.as_str();
        let mut cut = Cut::new(schema, self.line, columns, self.header);
        let columns = if self.quoted {
            let ends = unquote(self, &mut cut)?;
            let texts = std::str::from_utf8(&self.texts[..ends])
                .map_err(|e| InputError::refused(file, "", format!("is not UTF-8: {e}")))?;
            let cells = |spans: Vec<(u32, u32)>| {
                spans
                    .into_iter()
                    .map(|(a, b)| &texts[a as usize..b as usize])
                    .collect()
            };
            cut.spans.into_iter().map(cells).collect()
        } else {
            plain(text_from(&self.bytes, self.at, file)?, self.delimiter, &mut cut)?
        };
        self.numbers = cut.numbers;
        let places = Places {
            schema,
            first: self.line,
            each: Some(&self.numbers),
        };
        Ok(Some(Batch {
            rows: self.numbers.len(),
            columns: columns.into_iter().map(Cells::Texts).collect(),
            places,
        }))
    }
}

/// What is cut out of a block.
struct Cut<'t> {
    schema: &'t Schema,
    line: u64,
    width: usize,
    /// Where each field of a record goes.
    wanted: Vec<Option<usize>>,
    /// Start and end of each row's text, of each column.
    spans: Vec<Vec<(u32, u32)>>,
    /// The line of each row, from the first of the block on.
    numbers: Vec<u32>,
    header: bool,
}

impl<'t> Cut<'t> {
    fn new(schema: &'t Schema, line: u64, columns: &[usize], header: bool) -> Self {
        let width = schema.width();
        let mut wanted = vec![None; width];
        columns.iter().enumerate().for_each(|(i, &c)| wanted[c] = Some(i));
        Self {
            schema,
            line,
            width,
            wanted,
            spans: vec![Vec::new(); columns.len()],
            numbers: Vec::new(),
            header,
        }
    }

    /// A record of this many fields has ended; whether it is a row.
    fn ended(&mut self, fields: usize, line: u32) -> Result<bool, InputError> {
        if fields != self.width {
            return Err(ragged(
                &self.schema.file,
                self.line + u64::from(line),
                None,
                fields,
                self.width,
            ));
        }
        if std::mem::take(&mut self.header) {
            return Ok(false);
        }
        self.numbers.push(line);
        Ok(true)
    }

    /// Takes the fields of the last record back: it was no row.
    fn forget(&mut self) {
        let rows = self.numbers.len();
        self.spans.iter_mut().for_each(|s| s.truncate(rows));
    }
}

/// Cuts a text without quotes: gives the texts of each column.
fn plain<'b>(text: &'b str, delimiter: u8, cut: &mut Cut) -> Result<Vec<Vec<&'b str>>, InputError> {
    let room = text.len() / (2 * cut.width).max(16);
    let columns = cut.spans.iter().map(|_| Vec::with_capacity(room)).collect();
    let mut plain = Plain {
        cut,
        text,
        columns,
        start: 0,
        from: 0,
        field: 0,
        line: 0,
        after_cr: usize::MAX,
    };
    hits(text.as_bytes(), [delimiter, b'\n', b'\r'], &mut |at| {
        plain.hit(at)
    })?;
    if plain.start < text.len() {
        plain.ended(text.len())?;
    }
    Ok(plain.columns)
}

/// A text without quotes while it is cut.
struct Plain<'b, 'c, 't> {
    cut: &'c mut Cut<'t>,
    text: &'b str,
    columns: Vec<Vec<&'b str>>,
    /// Where the record begins, and its field.
    start: usize,
    from: usize,
    /// Fields of the record before this one.
    field: usize,
    line: u32,
    /// The place after the last carriage return.
    after_cr: usize,
}

impl Plain<'_, '_, '_> {
    /// There is a delimiter or the end of a line here.
    fn hit(&mut self, at: usize) -> Result<(), InputError> {
        let byte = self.text.as_bytes()[at];
        if byte != b'\n' && byte != b'\r' {
            self.take(at);
            (self.from, self.field) = (at + 1, self.field + 1);
            return Ok(());
        }
        // A line feed after a carriage return is the second half of a line end.
        if byte == b'\r' || self.after_cr != at {
            self.ended(at)?;
            (self.field, self.line) = (0, self.line + 1);
        }
        (self.start, self.from) = (at + 1, at + 1);
        if byte == b'\r' {
            self.after_cr = at + 1;
        }
        Ok(())
    }

    /// A field ends here.
    fn take(&mut self, at: usize) {
        if let Some(Some(to)) = self.cut.wanted.get(self.field) {
            self.columns[*to].push(&self.text[self.from..at]);
        }
    }

    /// A record ends here.
    fn ended(&mut self, at: usize) -> Result<(), InputError> {
        // Lines without a character, or with nothing but delimiters, are not rows.
        let blank = at == self.start || (self.field > 0 && at - self.start == self.field);
        if !blank {
            self.take(at);
            if self.cut.ended(self.field + 1, self.line)? {
                return Ok(());
            }
        }
        let rows = self.cut.numbers.len();
        self.columns.iter_mut().for_each(|c| c.truncate(rows));
        Ok(())
    }
}

/// Cuts a text with quotes, and takes them off; gives the bytes that it wrote.
fn unquote(block: &mut Block, cut: &mut Cut) -> Result<usize, InputError> {
    let schema = block.schema;
    let file = schema.file.as_str();
    let text = text_from(&block.bytes, block.at, file)?;
    let mut scan = Scan::within(text, block.delimiter, block.line - 1, 1000 + 4 * schema.width());
    block.texts.resize(text.len(), 0);
    let mut ends = vec![0; schema.width().max(64)];
    let mut at = 0;
    while let Some(p) = scan.next(&mut block.texts, at, &mut ends, file)? {
        if p.bytes == 0 && (p.fields > 1 || cut.width > 1) {
            continue;
        }
        let mut from = at;
        for (field, end) in ends[..p.fields].iter().enumerate() {
            if let Some(Some(to)) = cut.wanted.get(field) {
                cut.spans[*to].push((from as u32, (at + end) as u32));
            }
            from = at + end;
        }
        if !cut.ended(p.fields, p.line - 1)? {
            cut.forget();
        }
        at += p.bytes;
    }
    Ok(at)
}
