//! A large table of text, block by block: only the blocks that are worked on are in memory.

use super::batch::{Part, Parts, Table};
use super::budget::{Budget, Short, Taken};
use super::bytes::{Content, mark, text, text_from};
use super::csv::{AsRecords, COLUMN, Records, delimiter_of};
use super::csv_block::Block;
use super::ends::{last_break, last_end, lines};
use super::error::{ErrorKind, InputError};
use super::marks::{delimiters, marks, most_fields_outside};
use super::ordered::threads;
use super::scan::Scan;
use super::schema::Schema;
use crate::figure::Data;
use crate::lint::Lints;
use memchr::memchr;
use std::borrow::Cow;
use std::sync::Arc;

/// Bytes at the start that show delimiter and header.
pub(super) const HEAD: u64 = 1 << 20;

/// Rows that show delimiter and header.
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
            let _held = budget
                .hold(size)
                .map_err(|s| s.of(file, format_args!("its first {size} bytes")))?;
            let bytes = content.read_up_to(0, size, file)?;
            let all = bytes.len() as u64 == content.len();
            if all {
                return Ok(Box::new(Records::read_within(
                    text(&bytes, file)?,
                    file,
                    data,
                    lints,
                    budget,
                )?));
            }
            let from = mark(&bytes, file)?;
            let start = bytes.get(from as usize..).unwrap_or_default();
            if let Some((first, delimiter, noticed)) =
                first_rows(start, from, file, data, head >= limit, budget)?
            {
                lints.append(noticed);
                let to = content.len();
                let (schema, data) = (first.schema, data.clone());
                let columns = schema.width() as u64;
                let _room = budget
                    .hold(columns.saturating_mul(COLUMN))
                    .map_err(|s| s.of(file, format_args!("{columns} columns")))?;
                let longest = budget.limit() / 8 / threads() as u64;
                let budget = Arc::clone(budget);
                return Ok(Box::new(Self {
                    content,
                    schema,
                    data,
                    delimiter,
                    from,
                    to,
                    longest,
                    block,
                    budget,
                    _room,
                }));
            }
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

/// The first rows of a text that goes on, the delimiter that they show, and what was noticed; `None` where they are too few to
/// say what all rows are. `last` says that no more bytes may be read.
fn first_rows(
    start: &[u8],
    from: u64,
    file: &str,
    data: &Data,
    last: bool,
    budget: &Arc<Budget>,
) -> Result<Option<(Records, u8, Lints)>, InputError> {
    // A record of too many fields is refused before its end is found.
    let endless = |delimiters: &[u8]| {
        let fields = most_fields_outside(start, delimiters);
        let room = budget.hold(fields.saturating_mul(COLUMN));
        room.map(|_| None)
            .map_err(|s| s.of(file, format_args!("a record of {fields} fields and more")))
    };
    let Some(cut) = last_break(start) else {
        return endless(&delimiters(data));
    };
    let text = text_from(&start[..cut], from, file)?;
    let marks = marks(text, &delimiters(data), file, budget)?;
    let delimiter = delimiter_of(text, true, file, data)?;
    drop(marks);
    let Some(end) = last_end(start, delimiter, false) else {
        return endless(&[delimiter]);
    };
    let mut noticed = Lints::default();
    match Records::read_by(&text[..end], delimiter, file, data, &mut noticed, budget) {
        Ok(first) if first.len() > ENOUGH || last => Ok(Some((first, delimiter, noticed))),
        Err(e) if e.kind == ErrorKind::Limit || holds_more(&text[..end], delimiter, ENOUGH) => Err(e),
        // So few rows may say something else than all of them.
        _ => Ok(None),
    }
}

/// Whether a text holds more records than `most`.
fn holds_more(text: &str, delimiter: u8, most: usize) -> bool {
    let (mut out, mut ends) = (Vec::new(), Vec::new());
    let mut scan = Scan::new(text, delimiter);
    (0..=most).all(|_| scan.record(&mut out, 0, &mut ends).is_some())
}

impl Table for CsvTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        Box::new(Blocks {
            table: self,
            at: self.from,
            line: 1,
            header: self.schema.has_header,
            done: false,
        })
    }

    fn threads(&self) -> usize {
        threads().min(
            self.budget
                .shares(THREAD + COLUMN_OF_THREAD * self.schema.width() as u64),
        )
    }
}

impl AsRecords for CsvTable {
    fn records(&self) -> Result<Cow<'_, Records>, InputError> {
        let file = &self.schema.file;
        let _held = self
            .budget
            .hold(self.content.len())
            .map_err(|s: Short| s.of(file, "its bytes"))?;
        let bytes = self.content.read_up_to(0, self.content.len(), file)?;
        // What was noticed in the header was told when the table was opened.
        let text = text(&bytes, file)?;
        let records = Records::read_by(
            text,
            self.delimiter,
            file,
            &self.data,
            &mut Lints::default(),
            &self.budget,
        )?;
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
            let mut bytes = table
                .content
                .read_up_to(self.at, size.min(left), &table.schema.file)?;
            let last = size >= left;
            let quoted = memchr(b'"', &bytes).is_some();
            let end = if last {
                Some(bytes.len())
            } else {
                last_end(&bytes, table.delimiter, quoted)
            };
            if let Some(end) = end {
                bytes.truncate(end);
                let (at, line, header) = (self.at, self.line, std::mem::take(&mut self.header));
                self.at += end as u64;
                self.line += lines(&bytes);
                return Ok(Block::new(
                    &table.schema,
                    table.delimiter,
                    bytes,
                    (at, line),
                    header,
                    quoted,
                ));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &str, block: u64, data: &Data) -> Result<Box<dyn AsRecords>, InputError> {
        let content = Content::Memory(text.as_bytes().to_vec());
        CsvTable::open_by(
            content,
            "t.csv",
            data,
            &mut Lints::default(),
            &Budget::new(64 << 20),
            (block, block),
        )
    }

    /// All rows of a text in blocks of so many bytes: each row's line and texts.
    fn rows(text: &str, block: u64, data: &Data) -> Result<Vec<(String, Vec<String>)>, InputError> {
        let table = open(text, block, data)?;
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

    /// A table of texts, its header first, its delimiter, and its text as a writer of RFC 4180 writes it that quotes whatever
    /// another delimiter might split.
    fn written(random: &mut impl FnMut(usize) -> usize) -> (Vec<Vec<String>>, u8, String) {
        const PIECES: [&str; 13] = [
            ",", ";", "\t", "|", "\"", "\n", "\r\n", "\r", " ", ":", "a", "é", "1",
        ];
        let (columns, rows) = (1 + random(5), 1 + random(90));
        let (delimiter, end) = (
            [b',', b';', b'\t', b'|'][random(4)],
            ["\n", "\r\n", "\r"][random(3)],
        );
        let mut table: Vec<Vec<String>> = Vec::new();
        for row in 0..=rows {
            let mut cells: Vec<String> = Vec::new();
            for column in 0..columns {
                let mut cell = if row == 0 {
                    format!("h{column}")
                } else {
                    String::new()
                };
                match random(7) {
                    0 => {}
                    1 | 2 => cell += &random(1000).to_string(),
                    3 => cell += &format!("{}.5", random(100)),
                    4 => cell += "k",
                    _ => {
                        let most = if random(60) == 0 { 3000 } else { 12 };
                        (0..random(most)).for_each(|_| cell += PIECES[random(PIECES.len())]);
                    }
                }
                cells.push(cell);
            }
            // A row of empty fields is no row.
            if cells.iter().all(String::is_empty) {
                cells[0] = "z".to_owned();
            }
            table.push(cells);
        }
        let mut text = if random(8) == 0 {
            "\u{feff}".to_owned()
        } else {
            String::new()
        };
        for cells in &table {
            for (i, cell) in cells.iter().enumerate() {
                if i > 0 {
                    text.push(char::from(delimiter));
                }
                if cell.contains([',', ';', '\t', '|', '"', '\n', '\r', ' ', ':']) || random(5) == 0 {
                    text += &format!("\"{}\"", cell.replace('"', "\"\""));
                } else {
                    text += cell;
                }
            }
            text += end;
        }
        if random(2) == 0 {
            text.truncate(text.len() - end.len());
        }
        (table, delimiter, text)
    }

    #[test]
    fn tables_are_read_back_as_they_were_written() {
        let cases = std::env::var("GRIDSCOPE_CASES")
            .ok()
            .and_then(|n| n.parse::<usize>().ok())
            .unwrap_or(400);
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = move |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % n as u64) as usize
        };
        let (data, mut streamed) = (Data::default(), 0);
        for case in 0..cases {
            let (table, delimiter, text) = written(&mut random);
            let wanted = if table[0].len() > 1 { delimiter } else { b',' };
            for block in [1 << 30, 16, 300, 5000] {
                let opened = open(&text, block, &data)
                    .unwrap_or_else(|e| panic!("case {case}, blocks of {block}: {e} in {text:?}"));
                assert_eq!(
                    (&opened.schema().headers, opened.schema().delimiter),
                    (&table[0], Some(wanted)),
                    "{text:?}"
                );
                let cells: Vec<Vec<String>> = rows(&text, block, &data)
                    .unwrap()
                    .into_iter()
                    .map(|r| r.1)
                    .collect();
                assert_eq!(cells, table[1..], "case {case}, blocks of {block}: {text:?}");
                let records = opened.records().unwrap();
                streamed += usize::from(matches!(records, Cow::Owned(_)));
                assert!(
                    (0..records.len())
                        .map(|r| records.row(r).map(str::to_owned).collect::<Vec<_>>())
                        .eq(table[1..].iter().cloned())
                );
            }
        }
        assert!(streamed > 0);
    }

    #[test]
    fn a_quoted_field_may_be_longer_than_what_is_looked_at() {
        let long = "; \t|\r\n;".repeat(400);
        let plain = (0..90)
            .map(|i| format!("{i},k,{}\r\n", i * 7))
            .collect::<String>();
        for text in [
            format!("x,\"{long}\",v\r\n{plain}"),
            format!("x,y,v\r\n1,\"{long}\",2\r\n{plain}"),
            format!("x,y,v\r\n{plain}1,\"{long}\",2"),
        ] {
            let whole = rows(&text, 1 << 30, &Data::default()).unwrap();
            assert!(whole.len() >= 90 && whole.iter().all(|r| r.1.len() == 3));
            for block in [16, 64, 1000] {
                assert_eq!(rows(&text, block, &Data::default()).unwrap(), whole, "{block}");
            }
        }
    }

    #[test]
    fn blocks_of_any_size_give_the_rows_of_the_whole() {
        let data = Data::default();
        let long = (0..300)
            .map(|i| format!("{i},\"a \"\"{i}\"\"\n,\",{}\r\n", i * 7))
            .collect::<String>();
        let plain = (0..300)
            .map(|i| format!("{i},k{},{}\n", i % 7, i * 7))
            .collect::<String>();
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
                assert_eq!(
                    rows(text, block, &data).unwrap(),
                    whole,
                    "{block} {:?}",
                    &text[..30]
                );
            }
        }
    }

    #[test]
    fn faults_have_their_line_in_any_block() {
        let data = Data::default();
        let plain = (0..300).map(|i| format!("{i},k,{}\n", i * 7)).collect::<String>();
        for (bad, what) in [
            ("1,2\n", "2 fields, 3 expected"),
            ("5,\"k,3\n4,5,6\n", "never closed"),
            ("1,\0,2\n", "NUL byte"),
        ] {
            let text = format!(
                "x,y,v\n{plain}{bad}{}",
                if bad.contains('"') { "" } else { &plain }
            );
            let whole = rows(&text, 1 << 30, &data).unwrap_err();
            assert!(whole.what.contains(what), "{whole}");
            for block in [64, 1000] {
                assert_eq!(rows(&text, block, &data).unwrap_err(), whole);
            }
        }
        let e = rows(&format!("x,y\n{}", "1".repeat(12 << 20)), 64, &data).unwrap_err();
        assert_eq!(
            (e.kind, e.what.as_str()),
            (ErrorKind::Limit, "no row ends within 8388608 bytes")
        );
    }
}
