//! A table of text, read block by block of whole records: only the blocks that are worked on are in memory.

use super::cutter::{Cut, Field, Record, Sink, cut, last_break, last_end, lines};
use super::delimiter::{CANDIDATES, most_fields, parse_delimiter, sniff_delimiter};
use super::head::{ENOUGH, Head, Lead, comment_of, ragged, unclosed};
use crate::budget::{Budget, Reservation};
use crate::bytes::{Content, mark, text_from};
use crate::error::{ErrorKind, InputError};
use crate::format::reader::SHORT_TEXT;
use crate::loaded::Delimiter;
use crate::ordered::threads;
use crate::position::Place;
use crate::table::{Batch, COLUMN, Cells, OddLines, Part, Parts, Places, Schema, TableSource};
use gridscope_core::figure::Data;
use gridscope_core::lint::Lints;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Bytes at the start that show delimiter and header.
const HEAD: u64 = SHORT_TEXT;

/// Bytes of a block.
const BLOCK: u64 = 512 << 10;

/// Bytes that a thread holds for a block: the block, its fields, their values. And a column's part of that.
const THREAD: u64 = 4 << 20;
const COLUMN_OF_THREAD: u64 = 24;

/// A table of text that stays where it is, in its file or in memory.
#[derive(Debug)]
pub struct CsvTable {
    text: CsvText,
    /// What its first lines were taken for, where that is not a header alone.
    pub(super) notice: Option<String>,
    budget: Arc<Budget>,
    /// Reserved bytes of its columns.
    _room: Reservation,
}

impl CsvTable {
    /// The table of a text in memory, whose bytes were taken off the budget before. `name` is what messages call it;
    /// empty or repeated headers are reported in `lints`.
    ///
    /// # Errors
    /// Whatever is wrong with the first rows, and too little memory.
    pub fn read(
        text: Vec<u8>,
        name: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        Self::open(Content::Memory(text), name, data, lints, budget)
    }

    /// Says what tells it from other tables of its file.
    pub(in crate::format) fn set_title(&mut self, title: Option<String>) {
        self.text.schema.title = title;
    }

    /// Says what its columns are called together.
    pub(in crate::format) fn set_columns_name(&mut self, name: Option<String>) {
        if let Some(name) = name {
            self.text.schema.level_names = vec![name];
        }
    }

    /// Finds delimiter and header by the first rows.
    ///
    /// # Errors
    /// Whatever is wrong with the first rows, and too little memory.
    pub(crate) fn open(
        content: Content,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        Self::open_by(content, file, data, lints, budget, (HEAD, BLOCK))
    }

    fn open_by(
        content: Content,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
        (mut head, block): (u64, u64),
    ) -> Result<Self, InputError> {
        let named = data.delimiter.as_deref();
        let named = named.map(|d| parse_delimiter(d, file)).transpose()?;
        let limit = (budget.left() / 8).max(HEAD);
        loop {
            let size = head.min(limit).min(content.len());
            let held =
                budget.reserve(size).map_err(|s| s.of(file, format_args!("its first {size} bytes")))?;
            let bytes = content.read_up_to(0, size, file)?;
            let from = mark(&bytes, file)?;
            let whole = bytes.len() as u64 == content.len();
            let start = Start {
                bytes: bytes.get(from as usize..).unwrap_or_default(),
                from,
                whole,
                last: whole || head >= limit,
            };
            if let Some((first, how, lead, noticed)) = start.first_rows(file, data, named, budget)? {
                lints.append(noticed);
                let from = from + lead.bytes as u64;
                drop((bytes, held));
                let (schema, to) = (first.schema, content.len());
                let columns = schema.width() as u64;
                let room = budget
                    .reserve(columns.saturating_mul(COLUMN))
                    .map_err(|s| s.of(file, format_args!("{columns} columns")))?;
                // A text that was looked at as a whole is one block.
                let block = if whole { block.max(to).min(MOST) } else { block };
                let text = CsvText {
                    content,
                    schema,
                    how,
                    from,
                    line: 1 + lead.lines,
                    above: first.above,
                    to,
                    block,
                    longest: budget.limit() / 8 / threads() as u64,
                };
                return Ok(Self { text, notice: first.notice, budget: Arc::clone(budget), _room: room });
            }
            if head >= limit {
                let what = format!("no row ends within {limit} bytes");
                return Err(InputError::limit(file, what).with_hint(LONG));
            }
            head *= 2;
        }
    }
}

/// The start of a text.
struct Start<'b> {
    bytes: &'b [u8],
    /// Where it begins in the file.
    from: u64,
    /// It is the whole text.
    whole: bool,
    /// No more bytes may be looked at.
    last: bool,
}

impl Start<'_> {
    /// The first rows, the delimiter that they show unless one is `named`, and what was noticed; `None` where they are too
    /// few to say what all rows are.
    fn first_rows(
        &self,
        file: &str,
        data: &Data,
        named: Option<Delimiter>,
        budget: &Arc<Budget>,
    ) -> Result<Option<(Head, Cut, Lead, Lints)>, InputError> {
        // A record of too many fields is refused before its end is found.
        let endless = |delimiters: &[u8]| {
            let fields = most_fields(self.bytes, delimiters);
            let room = budget.reserve(fields.saturating_mul(COLUMN));
            room.map(|_| None).map_err(|s| s.of(file, format_args!("a record of {fields} fields and more")))
        };
        let len = self.bytes.len();
        let Some(end) = (if self.whole { Some(len) } else { last_break(self.bytes) }) else {
            return match named {
                Some(named) => endless(&[named.byte()]),
                None => endless(&CANDIDATES),
            };
        };
        let text = text_from(&self.bytes[..end], self.from, file)?;
        let Some(lead) = Lead::of(text, self.last, data.skip_rows.unwrap_or(0)) else {
            return Ok(None);
        };
        let named = named.or(lead.delimiter.map(Delimiter::Byte));
        let (bytes, text) = (&self.bytes[lead.bytes..], &text[lead.bytes..]);
        let len = bytes.len();
        let comment = comment_of(text, data);
        let delimiter = named.unwrap_or_else(|| sniff_delimiter(text, comment.as_ref(), !self.whole));
        let how = Cut { delimiter, comment };
        let Some(end) = (if self.whole { Some(len) } else { last_end(bytes, &how) }) else {
            return endless(&[delimiter.byte()]);
        };
        let text = &text[..end];
        let mut noticed = Lints::default();
        match Head::read((text, 1 + lead.lines), &how, file, data, &mut noticed, budget) {
            Ok(first) if first.rows > ENOUGH || self.last => Ok(Some((first, how, lead, noticed))),
            Err(e) if self.whole || e.kind == ErrorKind::Limit || holds_enough(text, &how) => Err(e),
            // So few rows may say something else than all of them.
            _ => Ok(None),
        }
    }
}

/// Whether a text holds more records than are needed to recognise its columns.
fn holds_enough(text: &str, how: &Cut) -> bool {
    let mut records = 0;
    let mut count = |_: Record| {
        records += 1;
        if records > ENOUGH { Err(()) } else { Ok(()) }
    };
    cut(text.as_bytes(), how, &mut count).is_err()
}

impl TableSource for CsvTable {
    fn schema(&self) -> &Schema {
        &self.text.schema
    }

    fn parts(&self) -> Parts<'_> {
        Box::new(Blocks::new(&self.text))
    }

    fn threads(&self) -> usize {
        let a_thread = THREAD + COLUMN_OF_THREAD * self.text.schema.width() as u64;
        let blocks = (self.text.to - self.text.from).div_ceil(self.text.block).max(1);
        threads().min(self.budget.shares(a_thread)).min(usize::try_from(blocks).unwrap_or(usize::MAX))
    }
}

/// A text that is a table.
#[derive(Debug)]
pub(super) struct CsvText {
    pub content: Content,
    pub schema: Schema,
    pub how: Cut,
    /// Where it begins, after its byte order mark, and where it ends.
    pub from: u64,
    pub to: u64,
    /// The line on which it begins.
    pub line: u64,
    /// Its first records that are no rows: header, units, names of an index.
    pub above: usize,
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
            width_to_last: schema.width_to_last(),
            line: self.line,
            header: self.header,
            wanted,
            columns: columns.iter().map(|_| Vec::with_capacity(room)).collect(),
            how: &self.text.how,
            filled: 0,
            odd: OddLines::default(),
            numbers: Vec::new(),
            rewritten: Vec::new(),
        };
        cut(text.as_bytes(), &self.text.how, &mut rows)?;
        schema.noticed.set(self.at, rows.odd);
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
    how: &'b Cut,
    /// Columns without blank ones at the end.
    width_to_last: usize,
    /// The end of the fields beyond the columns that hold a character.
    filled: usize,
    odd: OddLines,
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
        let column = match self.wanted.get(field.index) {
            Some(Some(column)) => *column,
            Some(None) => return,
            None => {
                if !field.text(self.text).trim().is_empty() {
                    self.filled = field.index + 1;
                }
                return;
            }
        };
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

    fn comment(&mut self, line: u32, bytes: Range<usize>) {
        self.odd.comments += 1;
        // Above the rows, a comment may name the columns.
        if self.header > 0 || self.numbers.is_empty() && self.schema.named_in_comment {
            return;
        }
        let mut fields = 0;
        let count = &mut |record: Record| {
            fields = record.fields;
            Err(())
        };
        let _ = cut(&self.text.as_bytes()[bytes], &Cut::at(self.how.delimiter), count);
        if fields == self.schema.width() && fields > 1 && self.how.delimiter != Delimiter::Blanks {
            if self.odd.like_rows == 0 {
                self.odd.first_like = self.line + u64::from(line);
            }
            self.odd.like_rows += 1;
        }
    }

    fn record(&mut self, record: Record) -> Result<(), InputError> {
        let (file, width) = (self.schema.file.as_str(), self.schema.width());
        if let Some(line) = record.open {
            return Err(unclosed(file, self.line + u64::from(line)));
        }
        let filled = std::mem::take(&mut self.filled);
        if !record.is_blank(width) {
            if self.header == 0 {
                if record.fields != width {
                    let line = self.line + u64::from(record.line);
                    if filled > width {
                        return Err(ragged(file, line, record.fields, width));
                    }
                    self.pad(record.fields, line);
                }
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

impl Rows<'_> {
    /// Gives a row without its last fields empty ones, and counts it.
    #[cold]
    fn pad(&mut self, fields: usize, line: u64) {
        let rows = self.numbers.len() + 1;
        self.columns.iter_mut().for_each(|column| column.resize(rows, ""));
        // A delimiter at the end of the names alone makes no column.
        let gap = self.width_to_last.saturating_sub(fields) as u64;
        if gap > 0 {
            if self.odd.short == 0 {
                self.odd.first_short = line;
            }
            self.odd.short += 1;
            self.odd.longest_gap = self.odd.longest_gap.max(gap);
        }
    }
}

/// Advice about a record that does not end.
pub(super) const LONG: &str = "a quote that is never closed, or --max-memory raises the limit";

/// The most bytes of a block: places in it are of 32 bits.
pub(super) const MOST: u64 = u32::MAX as u64 / 2;

/// The blocks of a text, each of whole records.
pub(super) struct Blocks<'t> {
    text: &'t CsvText,
    at: u64,
    line: u64,
    /// The first records are the header, and units under it: this many.
    header: usize,
    done: bool,
}

impl<'t> Iterator for Blocks<'t> {
    type Item = Result<Box<dyn Part + 't>, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done || self.at >= self.text.to {
            return None;
        }
        let block = self.block();
        self.done = block.is_err();
        Some(block.map(|b| Box::new(b) as Box<dyn Part>))
    }
}

impl<'t> Blocks<'t> {
    pub(super) fn new(text: &'t CsvText) -> Self {
        Self { text, at: text.from, line: text.line, header: text.above, done: false }
    }

    /// Whether the records above the rows end within these bytes.
    fn holds_header(&self, bytes: &[u8]) -> bool {
        let (mut left, width) = (self.header, self.text.schema.width());
        let count = &mut |record: Record| {
            left = left.saturating_sub(usize::from(!record.is_blank(width)));
            if left > 0 { Ok(()) } else { Err(()) }
        };
        if self.header > 0 {
            let _ = cut(bytes, &self.text.how, count);
        }
        left == 0
    }

    fn block(&mut self) -> Result<Block<'t>, InputError> {
        let text = self.text;
        let mut size = text.block;
        loop {
            let left = text.to - self.at;
            let mut bytes = text.content.read_up_to(self.at, size.min(left), &text.schema.file)?;
            let last = size >= left;
            let end = if last { Some(bytes.len()) } else { last_end(&bytes, &text.how) };
            if let Some(end) = end.filter(|end| last || self.holds_header(&bytes[..*end])) {
                bytes.truncate(end);
                let (at, line, header) = (self.at, self.line, std::mem::take(&mut self.header));
                self.at += end as u64;
                self.line += lines(&bytes);
                return Ok(Block::new(text, bytes, (at, line), header));
            }
            let most = text.longest.max(text.block).min(MOST);
            if size >= most {
                let what = format!("no record ends within {most} bytes");
                let limit = InputError::limit(&text.schema.file, what).with_hint(LONG);
                return Err(InputError { place: Place::line(self.line), ..limit });
            }
            size = (size * 2).min(most);
        }
    }
}

#[cfg(test)]
mod tests;
