//! Records as a table: blocks of whole records are decoded by all cores, and only those being worked on are in memory.

use super::column::push;
use super::lists::rows_of_lists;
use super::records::{Rows, asked_lists, check_options, choose, listed_records, records};
use super::shape::{Shape, shape};
use super::survey::{RowBlock, Survey, survey};
use super::tokenizer::{JsonFault, Scalar, Tokenizer, decode};
use crate::budget::{Budget, Reservation};
use crate::bytes::Content;
use crate::error::InputError;
use crate::ordered::threads;
use crate::position::{Place, floor, place_in};
use crate::table::{Batch, CellType, ColumnBuilder, Part, Parts, Schema, TableSource, listed};
use gridscope_core::figure::Figure;
use gridscope_core::lint::Lints;
use memchr::{memchr2, memrchr2};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a block.
const BLOCK: u64 = 512 << 10;

/// Bytes that a thread holds for a block: its text and its cells.
const THREAD: u64 = 4 << 20;

/// The file is not what it was when its columns were looked at.
const CHANGED: &str = "changed while it was read";

/// Records in a file or in memory: one after the other, or in a list.
pub(crate) struct JsonTable {
    source: Source,
    survey: Survey,
    /// Of each column of the table, its place among all that the records name.
    columns: Vec<usize>,
    schema: Schema,
}

/// A table of records, what was noticed in its names, and what was left out, in words.
pub(crate) type Opened = (JsonTable, Lints, String);

/// Whether the first bytes of a text hold a record and the beginning of a further one.
pub(crate) fn begins_lines(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    shape(text, &|_| true, bytes.len()) == Ok(Shape::Lines)
}

impl JsonTable {
    /// Reads all records once for their columns and types.
    ///
    /// # Errors
    /// Text that is not JSON, with line and column; a column of lists that the figure asks for; too little memory.
    pub(super) fn open(
        content: Content,
        file: &str,
        figure: &Figure,
        budget: &Arc<Budget>,
    ) -> Result<Opened, InputError> {
        let source = Source::new(content, file, figure.data.json_nan == Some(true), budget)?;
        Self::of(source, figure, BLOCK)
    }

    /// The table of a source in blocks of about `block` bytes.
    pub(super) fn of(source: Source, figure: &Figure, block: u64) -> Result<Opened, InputError> {
        let (file, budget) = (&source.file, &source.budget);
        let parts = usize::try_from(source.content.len() / block.max(1)).unwrap_or(usize::MAX);
        let threads = threads().min(budget.shares(THREAD)).min(parts.saturating_add(1));
        let survey = survey(&source, block, threads)?;
        check_options(figure, file)?;
        let asked = asked_lists(&survey, figure);
        if !asked.is_empty()
            && let Some(rows) = rows_of_lists(&source, &asked)?
        {
            drop(survey);
            return Self::of(rows, figure, block);
        }
        let (columns, lists) =
            choose(&survey, figure).map_err(|fault| source.refused(fault.at as u64, fault))?;
        if columns.is_empty() || survey.rows == 0 {
            let what = match lists.as_slice() {
                [] => "no data rows".to_owned(),
                lists => format!("holds lists only: {}", listed(lists)),
            };
            return Err(InputError::refused(file, "", what));
        }
        let notice = match lists.as_slice() {
            [] => String::new(),
            lists => format!("{file}: columns of lists left out: {}", listed(lists)),
        };
        let mut lints = Lints::default();
        let names = columns.iter().map(|&c| survey.names.get(c).to_owned()).collect();
        let mut schema = Schema::typed(file, names, &figure.data, &mut lints);
        (schema.keyed, schema.lists) = (true, lists);
        let table = Self { source, survey, columns, schema };
        Ok((table, lints, notice))
    }

    /// Its first column labels its rows.
    pub(super) fn set_labelled(&mut self) {
        self.schema.label_columns = Some(1);
    }
}

impl TableSource for JsonTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        Box::new(self.survey.blocks.iter().map(|block| {
            let part =
                RecordBlock { table: self, block: *block, wanted: Vec::new(), columns: Vec::new(), row: 0 };
            Ok(Box::new(part) as Box<dyn Part>)
        }))
    }

    fn threads(&self) -> usize {
        threads().min(self.survey.blocks.len()).min(self.source.budget.shares(THREAD))
    }
}

/// A block of records, of which the requested columns are decoded.
struct RecordBlock<'t> {
    table: &'t JsonTable,
    block: RowBlock,
    /// Of each column that the records name, its place among those that are requested; empty before they are.
    wanted: Vec<Option<usize>>,
    columns: Vec<(CellType, ColumnBuilder)>,
    /// The row that is read, in the block.
    row: usize,
}

impl Part for RecordBlock<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let JsonTable { source, survey, schema, .. } = self.table;
        let (block, file) = (self.block, &source.file);
        if !self.wanted.is_empty() {
            return Ok(None);
        }
        self.wanted = vec![None; survey.columns.len()];
        for (i, &column) in columns.iter().enumerate() {
            let all = self.table.columns[column];
            self.wanted[all] = Some(i);
            let cell_type = survey.columns[all].kinds.cell_type();
            let mut cells = ColumnBuilder::new(cell_type, &source.budget);
            let room = cells.reserve(block.rows);
            room.map_err(|e| InputError::limit(file, format!("{} rows: {e}", block.rows)))?;
            self.columns.push((cell_type, cells));
        }
        let bytes = source.bytes(block.from, block.bytes)?;
        let text = source.text(block.from, &bytes)?;
        source.read((block.from, text, text.len()), self)?;
        let as_surveyed = |(cell_type, cells): &mut (CellType, ColumnBuilder)| {
            fill(cells, block.rows) && cells.cell_type() == *cell_type
        };
        if self.row != block.rows || !self.columns.iter_mut().all(as_surveyed) {
            return Err(InputError::refused(file, "", CHANGED));
        }
        let columns = self.columns.iter().map(|c| &c.1);
        let batch = Batch::of_columns(schema, 1 + block.first, block.rows, columns);
        Ok(Some(batch))
    }
}

/// Adds rows without a value up to this one; false if it has a value already.
fn fill(cells: &mut ColumnBuilder, row: usize) -> bool {
    let missing = row.checked_sub(cells.len());
    if let Some(rows @ 1..) = missing {
        cells.push_missing(rows);
    }
    missing.is_some()
}

impl Rows for RecordBlock<'_> {
    fn column(&mut self, name: &str, next: usize, at: usize) -> Result<usize, JsonFault> {
        let found = self.table.survey.names.find(name, next);
        found.ok_or_else(|| JsonFault::new(at, CHANGED))
    }

    fn list(&mut self, _: usize, _: usize) {}

    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize) -> Result<(), JsonFault> {
        let (Some(i), false) = (self.wanted[column], *value == Scalar::Null) else {
            return Ok(());
        };
        let cells = &mut self.columns[i].1;
        if !fill(cells, self.row) {
            return Err(JsonFault::new(at, CHANGED));
        }
        push(cells, self.table.survey.names.get(column), value, at)
    }

    fn end_row(&mut self) {
        self.row += 1;
    }
}

/// A text of records, from behind its byte order mark on.
#[derive(Debug)]
pub(super) struct Source {
    pub content: Content,
    pub file: String,
    /// Where the text begins.
    pub from: u64,
    /// Whether the records are in a list, rather than one after the other.
    pub list: bool,
    /// Whether `NaN` and `Infinity` are numbers.
    pub not_finite: bool,
    pub budget: Arc<Budget>,
}

impl Source {
    /// The text of a content. Lists are recognised in memory alone.
    ///
    /// # Errors
    /// When it can no longer be read.
    pub(super) fn new(
        content: Content,
        file: &str,
        not_finite: bool,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let marked = content.read_up_to(0, 3, file)? == "\u{feff}".as_bytes();
        let from = if marked { 3 } else { 0 };
        let list = match &content {
            Content::Memory(bytes) => bytes[from..].trim_ascii_start().starts_with(b"["),
            Content::File(..) => false,
        };
        Ok(Self {
            content,
            file: file.to_owned(),
            from: from as u64,
            list,
            not_finite,
            budget: Arc::clone(budget),
        })
    }

    /// Up to this many bytes from `from` on.
    ///
    /// # Errors
    /// When they can no longer be read.
    pub(super) fn bytes(&self, from: u64, len: u64) -> Result<Cow<'_, [u8]>, InputError> {
        match &self.content {
            Content::Memory(bytes) => {
                let rest = bytes.get(from as usize..).unwrap_or_default();
                Ok(Cow::Borrowed(&rest[..rest.len().min(len as usize)]))
            }
            Content::File(..) => self.content.read_up_to(from, len, &self.file).map(Cow::Owned),
        }
    }

    /// The text of some bytes that begin at `from`.
    ///
    /// # Errors
    /// When they are not UTF-8.
    pub(super) fn text<'b>(&self, from: u64, bytes: &'b [u8]) -> Result<&'b str, InputError> {
        decode(bytes).map_err(|fault| self.refused(from + fault.at as u64, fault))
    }

    /// A tokenizer of some text.
    pub(super) fn tokens<'t>(&self, text: &'t str) -> Tokenizer<'t> {
        Tokenizer::new(text, self.not_finite)
    }

    /// Reads records in a text that begins at `from` into rows: those of a list to its end, others up to its byte `end`.
    ///
    /// # Errors
    /// The first fault of the text or of the rows.
    pub(super) fn read(
        &self,
        (from, text, end): (u64, &str, usize),
        rows: &mut impl Rows,
    ) -> Result<(), InputError> {
        let read = if self.list {
            listed_records(&mut self.tokens(text).in_list(), rows)
        } else {
            records(&mut self.tokens(text), end, rows)
        };
        read.map_err(|fault| self.fault(from, text, fault))
    }

    /// The error of a fault in a text that begins at `from`.
    pub(super) fn fault(&self, from: u64, text: &str, fault: JsonFault) -> InputError {
        self.refused(from + floor(text, fault.at) as u64, fault)
    }

    /// The error of a fault at a byte of the content.
    pub(super) fn refused(&self, at: u64, fault: JsonFault) -> InputError {
        match place_in(&self.content, self.from, at, &self.file) {
            Ok(place) => fault.error(&self.file, |_| place),
            Err(unreadable) => unreadable,
        }
    }
}

/// The most bytes of a block.
const LONGEST: u64 = 1 << 30;

/// Bytes of whole records, and of nothing else.
pub(super) struct Block {
    /// Where it begins.
    pub from: u64,
    /// Its bytes, and where more follows the bracket that the next record begins with: what breaks off in this block is
    /// refused there, as in a text that is not cut.
    pub bytes: Vec<u8>,
    /// Bytes without that bracket.
    pub len: usize,
    /// The memory of a block longer than usual.
    _room: Reservation,
}

/// The blocks of a text in their order.
pub(super) struct Blocks<'s> {
    source: &'s Source,
    at: u64,
    size: u64,
}

impl<'s> Blocks<'s> {
    /// Blocks of about `size` bytes; longer where a record is.
    pub(super) fn new(source: &'s Source, size: u64) -> Self {
        let at = source.from;
        Self { source, at, size }
    }

    /// The next block; `None` at the end of the text.
    ///
    /// # Errors
    /// When it can no longer be read, or a record is too long.
    pub(super) fn next(&mut self) -> Result<Option<Block>, InputError> {
        let (source, from) = (self.source, self.at);
        let left = source.content.len().saturating_sub(from);
        let (mut size, mut room) = (self.size, source.budget.nothing());
        let at_record = |e: InputError| InputError { place: Place::byte(from), ..e };
        if left == 0 {
            return Ok(None);
        }
        loop {
            let mut bytes = source.content.read_up_to(from, size.min(left), &source.file)?;
            let all = (size >= left).then_some(bytes.len());
            if let Some(len) = all.or_else(|| last_cut(&bytes)) {
                bytes.truncate(len + 1);
                self.at += len as u64;
                return Ok(Some(Block { from, bytes, len, _room: room }));
            }
            if size >= LONGEST {
                let what = format!("no record ends on a line of its own within {LONGEST} bytes");
                return Err(at_record(InputError::limit(&source.file, what)));
            }
            drop(bytes);
            size = (size * 2).min(LONGEST);
            let room = room.reach(size);
            room.map_err(|s| at_record(s.of(&source.file, "a record")))?;
        }
    }
}

/// The last bracket that begins a record on a line of its own behind the end of another one. Nothing else has a closing and an
/// opening brace with only blanks and a line end between them: texts hold no line end, and inside a record there is a comma.
fn last_cut(bytes: &[u8]) -> Option<usize> {
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r');
    let mut to = bytes.len();
    loop {
        let end = memrchr2(b'\n', b'\r', &bytes[..to])?;
        let next = end + bytes[end..].iter().take_while(|b| blank(b)).count();
        let before = bytes[..end].iter().rposition(|b| !blank(b))?;
        if bytes[before] == b'}' && bytes.get(next) == Some(&b'{') {
            return Some(next);
        }
        to = before + 1;
    }
}

/// The blocks of a list: their bytes in it, without the commas between blocks.
///
/// A list without faults is cut between records. In another one, a block holds a fault, or [`ListBlocks::is_closed`] is false
/// at the end.
pub(super) struct ListBlocks<'t> {
    bytes: &'t [u8],
    /// Where the next block begins; none behind the last.
    at: Option<usize>,
    size: usize,
    closed: bool,
}

impl<'t> ListBlocks<'t> {
    /// Blocks of at least `size` bytes, except for the last one.
    pub(super) fn new(list: &'t [u8], size: u64) -> Self {
        let start = list.iter().position(|b| *b == b'[');
        Self {
            bytes: list,
            at: start.map(|at| at + 1),
            size: usize::try_from(size).unwrap_or(usize::MAX),
            closed: false,
        }
    }

    /// Whether the list has ended with its bracket, and only blanks follow.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    fn close(&mut self, end: usize) {
        let rest = &self.bytes[end + 1..];
        self.closed = rest.iter().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
    }
}

impl Iterator for ListBlocks<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let (bytes, start) = (self.bytes, self.at.take()?);
        let (mut at, mut depth) = (start, 1usize);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => at = closing_quote(bytes, at)?,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.close(at);
                        return Some(start..at);
                    }
                }
                b',' if depth == 1 && at - start >= self.size => {
                    self.at = Some(at + 1);
                    return Some(start..at);
                }
                _ => {}
            }
            at += 1;
        }
        None
    }
}

/// The quote that ends the text beginning at `at`; none if it is not closed.
fn closing_quote(bytes: &[u8], mut at: usize) -> Option<usize> {
    at += 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str, budget: u64) -> Source {
        Source::new(Content::Memory(text.into()), "f", false, &Budget::new(budget)).unwrap()
    }

    #[test]
    fn blocks_end_between_records() {
        for (text, cut) in [
            ("{}\n{}", Some(3)),
            ("{}\n{}\n", Some(3)),
            ("{\"a\":{}}\r\n \n{\n", Some(12)),
            ("{\"a\":\n{}\n}\n", None),
            ("{}{}", None),
            ("{\"a\":[{\n},\n{\n}]}\n", None),
            ("\n\n{", None),
            ("", None),
        ] {
            assert_eq!(last_cut(text.as_bytes()), cut, "{text:?}");
        }
    }

    #[test]
    fn lists_are_cut_between_records() {
        let cut = |text: &'static str, size| {
            let mut blocks = ListBlocks::new(text.as_bytes(), size);
            let found: Vec<&str> = blocks.by_ref().map(|r| &text[r]).collect();
            (found, blocks.is_closed())
        };
        let list = r#" [{"a":[1,{"b":"x,]\""}]}, {} ,{"c":{}}] "#;
        assert_eq!(cut(list, 1), (vec![r#"{"a":[1,{"b":"x,]\""}]}"#, " {} ", r#"{"c":{}}"#], true));
        assert_eq!(cut(list, 5).0.len(), 2);
        assert_eq!(cut(list, 1 << 20).0.len(), 1);
        for text in ["[{}", "[{}] x", "[{\"a", "[{\"a\\", "[{},", "", "["] {
            assert!(!cut(text, 1).1, "{text}");
        }
    }

    #[test]
    fn blocks_make_the_text() {
        let text =
            "\u{feff}{\"a\":1}\n\n{\"a\":{\n\"b\":2}}  \n{}{}\n  {\"long\":\"a text of some length\"}\n x";
        for size in 1..100 {
            let source = source(text, 1 << 20);
            let mut blocks = Blocks::new(&source, size);
            let mut joined: Vec<u8> = Vec::new();
            while let Some(block) = blocks.next().unwrap() {
                assert_eq!(block.from as usize, 3 + joined.len());
                let last = block.bytes.len() == block.len;
                assert!(last || block.bytes[block.len] == b'{');
                joined.extend(&block.bytes[..block.len]);
            }
            assert_eq!(joined, &text.as_bytes()[3..], "{size}");
            assert_eq!(source.budget.left(), 1 << 20);
        }
        let source = source(&"{}".repeat(5000), 5000);
        let e = Blocks::new(&source, 16).next().err().unwrap();
        assert_eq!(e.place, Place::byte(0));
    }
}
