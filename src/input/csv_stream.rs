//! A large table of text, block by block: only the blocks that are worked on are in memory.

use super::batch::{Batch, Cells, Part, Parts, Places, Table};
use super::budget::{Budget, Short, Taken};
use super::bytes::{Content, mark, text, text_from};
use super::csv::{AsRecords, COLUMN, Records, delimiter_of, ragged};
use super::ends::{hits, last_end, lines};
use super::error::{ErrorKind, InputError};
use super::marks::{delimiters, most_fields};
use super::ordered::threads;
use super::scan::Scan;
use super::schema::Schema;
use crate::figure::Data;
use crate::lint::Lints;
use memchr::memchr;
use std::borrow::Cow;
use std::sync::Arc;

/// Bytes at the start by which delimiter and header are told.
pub(super) const HEAD: u64 = 1 << 20;

/// Rows by which delimiter and header are told.
const ENOUGH: usize = 50;

/// Bytes of a block.
const BLOCK: u64 = 512 << 10;

/// What a thread holds while it works on a block: the block, its fields, what is made of them. And a column's part of that.
const THREAD: u64 = 4 << 20;
const COLUMN_OF_THREAD: u64 = 24;

/// A table of text that stays where it is.
#[derive(Debug)]
pub struct CsvTable {
    content: Content,
    schema: Schema,
    data: Data,
    delimiter: u8,
    /// Where the text begins, behind its byte order mark, and where it ends.
    from: u64,
    to: u64,
    /// The most bytes that a record may take: each thread may hold one.
    longest: u64,
    block: u64,
    budget: Arc<Budget>,
    /// What its columns take.
    _room: Taken,
}

impl CsvTable {
    /// Tells delimiter and header by the first rows. A text that is not longer than those is read at once.
    ///
    /// # Errors
    /// What the first rows are at fault with.
    pub(super) fn open(
        content: Content,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Box<dyn AsRecords>, InputError> {
        Self::open_by(content, file, data, lints, budget, (HEAD, BLOCK))
    }

    fn open_by(
        content: Content,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
        (mut head, block): (u64, u64),
    ) -> Result<Box<dyn AsRecords>, InputError> {
        let limit = (budget.left() / 8).max(HEAD);
        loop {
            let size = head.min(limit).min(content.len());
            let _held = budget.hold(size).map_err(|s| s.of(file, format_args!("its first {size} bytes")))?;
            let bytes = content.read_up_to(0, size, file)?;
            let all = bytes.len() as u64 == content.len();
            if all {
                return Ok(Box::new(Records::read_within(text(&bytes, file)?, file, data, lints, budget)?));
            }
            let from = mark(&bytes, file)?;
            // Any delimiter will do to find the ends of records without quotes; with quotes the right one is needed.
            let start = bytes.get(from as usize..).unwrap_or_default();
            let known = data.delimiter.is_some() || memchr(b'"', start).is_none();
            let tries = if known { vec![delimiter_or_comma(data, file)?] } else { vec![b',', b'\t', b';', b'|'] };
            let mut some = false;
            for delimiter in tries {
                let Some(end) = last_end(start, delimiter, false) else { continue };
                some = true;
                let text = text_from(&start[..end], from, file)?;
                if !known && delimiter_of(text, file, data) != Ok(delimiter) {
                    continue;
                }
                let mut noticed = Lints::default();
                let first = match Records::read_within(text, file, data, &mut noticed, budget) {
                    Ok(first) if first.len() > ENOUGH || head >= limit => first,
                    Err(e) if e.kind == ErrorKind::Limit || lines(text.as_bytes()) > 4 * ENOUGH as u64 => return Err(e),
                    // So few rows may say something else than all of them.
                    _ => continue,
                };
                lints.append(noticed);
                let delimiter = delimiter_of(text, file, data)?;
                let to = content.len();
                let (schema, data) = (first.schema, data.clone());
                let columns = schema.width() as u64;
                let _room = budget.hold(columns.saturating_mul(COLUMN)).map_err(|s| s.of(file, format_args!("{columns} columns")))?;
                let longest = budget.limit() / 8 / threads() as u64;
                let budget = Arc::clone(budget);
                return Ok(Box::new(Self { content, schema, data, delimiter, from, to, longest, block, budget, _room }));
            }
            // A record of too many fields is refused before its end is found.
            let fields = if some { 0 } else { most_fields(start, &delimiters(data)) };
            budget.hold(fields.saturating_mul(COLUMN)).map_err(|s| s.of(file, format_args!("a record of {fields} fields and more")))?;
            if head >= limit {
                let what = format!("no row ends within {limit} bytes");
                return Err(InputError::limit(file, what).with_hint(LONG));
            }
            head *= 2;
        }
    }
}

/// What to do about a record that does not end.
const LONG: &str = "a quote that is never closed, or --max-memory raises the limit";

fn delimiter_or_comma(data: &Data, file: &str) -> Result<u8, InputError> {
    if data.delimiter.is_some() { delimiter_of("", file, data) } else { Ok(b',') }
}

impl Table for CsvTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        Box::new(Blocks { table: self, at: self.from, line: 1, header: self.schema.has_header, done: false })
    }

    fn threads(&self) -> usize {
        threads().min(self.budget.shares(THREAD + COLUMN_OF_THREAD * self.schema.width() as u64))
    }
}

impl AsRecords for CsvTable {
    fn records(&self) -> Result<Cow<'_, Records>, InputError> {
        let file = &self.schema.file;
        let _held = self.budget.hold(self.content.len()).map_err(|s: Short| s.of(file, "its bytes"))?;
        let bytes = self.content.read_up_to(0, self.content.len(), file)?;
        // What was noticed in the header was told when the table was opened.
        let records = Records::read_within(text(&bytes, file)?, file, &self.data, &mut Lints::default(), &self.budget)?;
        Ok(Cow::Owned(records))
    }
}

/// The blocks of a text, each of whole records.
struct Blocks<'t> {
    table: &'t CsvTable,
    at: u64,
    line: u64,
    /// The first record is the header.
    header: bool,
    done: bool,
}

impl<'t> Iterator for Blocks<'t> {
    type Item = Result<Box<dyn Part + 't>, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done || self.at >= self.table.to {
            return None;
        }
        let block = self.block();
        self.done = block.is_err();
        Some(block.map(|b| Box::new(b) as Box<dyn Part>))
    }
}

impl<'t> Blocks<'t> {
    fn block(&mut self) -> Result<Block<'t>, InputError> {
        let table = self.table;
        let mut size = table.block;
        loop {
            let left = table.to - self.at;
            let mut bytes = table.content.read_up_to(self.at, size.min(left), &table.schema.file)?;
            let last = size >= left;
            let quoted = memchr(b'"', &bytes).is_some();
            let end = if last { Some(bytes.len()) } else { last_end(&bytes, table.delimiter, quoted) };
            if let Some(end) = end {
                bytes.truncate(end);
                let (at, line, header) = (self.at, self.line, std::mem::take(&mut self.header));
                self.at += end as u64;
                self.line += lines(&bytes);
                return Ok(Block { table, bytes, at, line, header, quoted, texts: Vec::new(), numbers: Vec::new(), given: false });
            }
            // Places in a block are of 32 bits.
            let most = table.longest.max(table.block).min(u64::from(u32::MAX) / 2);
            if size >= most {
                let what = format!("line {}: no record ends within {most} bytes", self.line);
                return Err(InputError::limit(&table.schema.file, what).with_hint(LONG));
            }
            size = (size * 2).min(most);
        }
    }
}

/// Whole records of a text.
struct Block<'t> {
    table: &'t CsvTable,
    bytes: Vec<u8>,
    /// Where it stands in the file, and its first line.
    at: u64,
    line: u64,
    header: bool,
    quoted: bool,
    /// The records without their quotes, where there are quotes.
    texts: Vec<u8>,
    /// The line of each row, from the first of the block on.
    numbers: Vec<u32>,
    given: bool,
}

impl Part for Block<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        if std::mem::replace(&mut self.given, true) {
            return Ok(None);
        }
        let file = self.table.schema.file.as_str();
        let mut cut = Cut::new(self.table, self.line, columns, self.header);
        let columns = if self.quoted {
            let ends = unquote(self, &mut cut)?;
            let texts =
                std::str::from_utf8(&self.texts[..ends]).map_err(|e| InputError::refused(file, "", format!("is not UTF-8: {e}")))?;
            let cells = |spans: Vec<(u32, u32)>| spans.into_iter().map(|(a, b)| &texts[a as usize..b as usize]).collect();
            cut.spans.into_iter().map(cells).collect()
        } else {
            plain(text_from(&self.bytes, self.at, file)?, &mut cut)?
        };
        self.numbers = cut.numbers;
        let places = Places { schema: &self.table.schema, first: self.line, each: Some(&self.numbers) };
        Ok(Some(Batch { rows: self.numbers.len(), columns: columns.into_iter().map(Cells::Texts).collect(), places }))
    }
}

/// What is cut out of a block.
struct Cut<'t> {
    table: &'t CsvTable,
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
    fn new(table: &'t CsvTable, line: u64, columns: &[usize], header: bool) -> Self {
        let width = table.schema.width();
        let mut wanted = vec![None; width];
        columns.iter().enumerate().for_each(|(i, &c)| wanted[c] = Some(i));
        Self { table, line, width, wanted, spans: vec![Vec::new(); columns.len()], numbers: Vec::new(), header }
    }

    /// A record of so many fields ended; whether it is a row.
    fn ended(&mut self, fields: usize, line: u32) -> Result<bool, InputError> {
        if fields != self.width {
            return Err(ragged(&self.table.schema.file, self.line + u64::from(line), None, fields, self.width));
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
fn plain<'b>(text: &'b str, cut: &mut Cut) -> Result<Vec<Vec<&'b str>>, InputError> {
    let room = text.len() / (2 * cut.width).max(16);
    let columns = cut.spans.iter().map(|_| Vec::with_capacity(room)).collect();
    let delimiter = cut.table.delimiter;
    let mut plain = Plain { cut, text, columns, start: 0, from: 0, field: 0, line: 0, after_cr: usize::MAX };
    hits(text.as_bytes(), [delimiter, b'\n', b'\r'], &mut |at| plain.hit(at))?;
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
    /// The place behind the last carriage return.
    after_cr: usize,
}

impl Plain<'_, '_, '_> {
    /// A delimiter or the end of a line stands here.
    fn hit(&mut self, at: usize) -> Result<(), InputError> {
        let byte = self.text.as_bytes()[at];
        if byte != b'\n' && byte != b'\r' {
            self.take(at);
            (self.from, self.field) = (at + 1, self.field + 1);
            return Ok(());
        }
        // A line feed behind a carriage return is the second half of a line end.
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
        // Lines without a character, or with nothing but delimiters, are no rows.
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
    let file = block.table.schema.file.as_str();
    let text = text_from(&block.bytes, block.at, file)?;
    let mut scan = Scan::within(text, block.table.delimiter, 1000 + 4 * block.table.schema.width());
    block.texts.resize(text.len(), 0);
    let mut ends = vec![0; block.table.schema.width().max(64)];
    let mut at = 0;
    while let Some(p) = scan.next(&mut block.texts, at, &mut ends, file).map_err(|e| moved(e, block.line))? {
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

/// An error of a block whose lines were counted from 1.
fn moved(mut e: InputError, line: u64) -> InputError {
    if let Some(n) = e.place.strip_prefix("line ").and_then(|n| n.parse::<u64>().ok()) {
        e.place = format!("line {}", n + line - 1);
    }
    e
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All rows of a text in blocks of so many bytes: each row's line and texts.
    fn rows(text: &str, block: u64, data: &Data) -> Result<Vec<(String, Vec<String>)>, InputError> {
        let content = Content::Memory(text.as_bytes().to_vec());
        let table = CsvTable::open_by(content, "t.csv", data, &mut Lints::default(), &Budget::new(64 << 20), (block, block))?;
        let columns: Vec<usize> = (0..table.schema().width()).collect();
        let mut out = Vec::new();
        for part in table.parts() {
            let mut part = part?;
            let batch = part.next(&columns)?.unwrap();
            for row in 0..batch.rows {
                let texts = batch.columns.iter().map(|c| c.text(row).into_owned()).collect();
                out.push((batch.places.refused(row, "").place, texts));
            }
        }
        Ok(out)
    }

    #[test]
    fn blocks_of_any_size_give_the_rows_of_the_whole() {
        let data = Data::default();
        let long = (0..300).map(|i| format!("{i},\"a \"\"{i}\"\"\n,\",{}\r\n", i * 7)).collect::<String>();
        let plain = (0..300).map(|i| format!("{i},k{},{}\n", i % 7, i * 7)).collect::<String>();
        let texts = [
            format!("x,y,v\r\n{long}"),
            format!("x,y,v\n{plain}"),
            format!("\u{feff}x,y,v\n\n{}", plain.replace('\n', "\r\n")),
            format!("x;y;v\n;;\n{}\n;;\n", plain.replace(',', ";")),
            format!("x\ty\tv\r{}", plain.replace('\n', "\r").replace(',', "\t")),
            plain.trim_end().to_owned(),
            format!("x,y,v\n{}\"é\n\",ü,5\n", plain),
            format!("x,y,v\n{}", "\u{feff}k,\"a\",11\n".repeat(299)),
            format!("x\n{},,\n{}", "k1\nk2\n".repeat(150), "k3\n".repeat(20)),
        ];
        for text in &texts {
            let whole = rows(text, 1 << 30, &data).unwrap();
            assert!(whole.len() >= 299, "{}", whole.len());
            for block in [16, 17, 64, 1000, 4096] {
                assert_eq!(rows(text, block, &data).unwrap(), whole, "{block} {:?}", &text[..30]);
            }
        }
    }

    #[test]
    fn faults_have_their_line_in_any_block() {
        let data = Data::default();
        let plain = (0..300).map(|i| format!("{i},k,{}\n", i * 7)).collect::<String>();
        for (bad, what) in [("1,2\n", "2 fields, 3 expected"), ("5,\"k,3\n4,5,6\n", "never closed"), ("1,\0,2\n", "NUL byte")] {
            let text = format!("x,y,v\n{plain}{bad}{}", if bad.contains('"') { "" } else { &plain });
            let whole = rows(&text, 1 << 30, &data).unwrap_err();
            assert!(whole.what.contains(what), "{whole}");
            for block in [64, 1000] {
                assert_eq!(rows(&text, block, &data).unwrap_err(), whole);
            }
        }
        let e = rows(&format!("x,y\n{}", "1".repeat(12 << 20)), 64, &data).unwrap_err();
        assert_eq!((e.kind, e.what.as_str()), (ErrorKind::Limit, "no row ends within 8388608 bytes"));
    }
}
