//! Records: a header and rows of texts, held in one buffer.

use super::batch::{Batch, Cells, Part, Parts, Places, Table};
use super::budget::{Budget, Short, Taken};
use super::delimiter::{parse_delimiter, propose_delimiter, sniff_delimiter};
use super::error::InputError;
use super::field::{Field, is_beyond, parse_number, read_field};
use super::marks::{delimiters, marks};
use super::ordered::threads;
use super::scan::Scan;
use super::schema::{Schema, count};
use crate::figure::{Data, Header};
use crate::lint::Lints;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Rows looked at to tell a header of plain numbers.
const SAMPLE: usize = 50;

/// Rows given at once.
const BATCH: usize = 1 << 14;

/// Bytes that a column takes: its name as it is written and as it is known, and what tells names apart.
pub(super) const COLUMN: u64 = 320;
/// Bytes that a row takes beside its text, and each of its fields.
const ROW: u64 = 16;
const FIELD: u64 = 6;

/// A table of texts, all of it in memory.
#[derive(Clone, Debug)]
pub struct Records {
    /// Its columns.
    pub schema: Schema,
    buffer: String,
    /// Where each row begins in the buffer.
    starts: Vec<usize>,
    /// Where each field ends, from its row's start.
    ends: Vec<u32>,
    lines: Vec<u32>,
    /// What all of it takes.
    room: Arc<Taken>,
}

impl Records {
    /// Reads a table; it may take as much memory as the default allows.
    ///
    /// # Errors
    /// Ragged rows, an open quote, no data rows, a single column that another delimiter would split.
    pub fn read(text: &str, file: &str, data: &Data, lints: &mut Lints) -> Result<Self, InputError> {
        Self::read_within(text, file, data, lints, &Budget::usual())
    }

    /// Reads a table within a budget.
    ///
    /// # Errors
    /// As [`Records::read`], and too little memory.
    pub(super) fn read_within(
        text: &str,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let marks = marks(text, &delimiters(data), file, budget)?;
        let delimiter = delimiter_of(text, false, file, data)?;
        drop(marks);
        Self::read_by(text, delimiter, file, data, lints, budget)
    }

    /// Reads a table whose delimiter is known.
    ///
    /// # Errors
    /// As [`Records::read_within`].
    pub(super) fn read_by(
        text: &str,
        delimiter: u8,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let _marks = marks(text, &[delimiter], file, budget)?;
        let mut room = budget
            .hold(text.len() as u64)
            .map_err(|s| s.of(file, "its text"))?;
        let schema = Schema::unnamed(file, 0, data);
        let (buffer, starts, ends, lines, none) = (
            String::new(),
            Vec::new(),
            Vec::new(),
            Vec::new(),
            Arc::new(budget.nothing()),
        );
        let mut r = Self {
            schema,
            buffer,
            starts,
            ends,
            lines,
            room: none,
        };
        let columns = r.scan(text, delimiter, &mut room)?;
        r.room = Arc::new(room);
        r.schema = Schema::unnamed(file, columns, data);
        let header = match data.header.unwrap_or_default() {
            Header::Auto => r.looks_headed(),
            Header::Yes => true,
            Header::None => false,
        };
        if header && !r.starts.is_empty() {
            let written = r.row(0).map(str::to_owned).collect();
            r.starts.remove(0);
            r.lines.remove(0);
            r.ends.drain(..columns);
            r.schema = Schema::named(file, written, data, lints);
        }
        r.schema.delimiter = Some(delimiter);
        if r.starts.is_empty() {
            return Err(InputError::refused(file, "", "no data rows"));
        }
        if columns == 1 {
            let _marks = marks(text, b",\t;|: ", file, budget)?;
            if let Some(d) = propose_delimiter(text, delimiter) {
                return Err(InputError::refused(file, "", "one column")
                    .with_hint(format!("did you mean --delimiter {d}?")));
            }
        }
        Ok(r)
    }

    /// A table of `rows` rows whose fields `write` puts after a text.
    ///
    /// # Errors
    /// No column, no row, or a row that is too long.
    pub(super) fn of_rows(
        schema: Schema,
        rows: usize,
        write: &dyn Fn(usize, usize, &mut String),
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let columns = schema.width();
        if columns == 0 || rows == 0 {
            return Err(InputError::refused(&schema.file, "", "no data rows"));
        }
        let file = schema.file.clone();
        let short = |s: Short| s.of(&file, format_args!("{rows} rows of {columns} columns as text"));
        let fields = (columns as u64)
            .saturating_mul(FIELD)
            .saturating_add(ROW)
            .saturating_mul(rows as u64);
        let mut room = budget.hold(fields).map_err(short)?;
        let mut r = Self {
            buffer: String::new(),
            starts: Vec::with_capacity(rows),
            ends: Vec::with_capacity(rows * columns),
            lines: (1..=rows as u32).collect(),
            room: Arc::new(budget.nothing()),
            schema,
        };
        for row in 0..rows {
            let start = r.buffer.len();
            r.starts.push(start);
            for column in 0..columns {
                write(row, column, &mut r.buffer);
                let end = u32::try_from(r.buffer.len() - start);
                r.ends.push(end.map_err(|_| {
                    InputError::limit(&r.schema.file, format!("row {}: a record of over 4 GiB", row + 1))
                })?);
            }
            room.owe((r.buffer.len() - start) as u64).map_err(short)?;
        }
        r.room = Arc::new(room);
        Ok(r)
    }

    fn scan(&mut self, text: &str, delimiter: u8, room: &mut Taken) -> Result<usize, InputError> {
        let file = self.schema.file.clone();
        let mut scan = Scan::new(text, delimiter);
        // Fields never take more bytes than their quoted form.
        let mut out = vec![0; text.len()];
        let mut ends = vec![0; 64];
        let (mut at, mut columns) = (0, 0);
        while let Some(p) = scan.next(&mut out, at, &mut ends, &file)? {
            let blank = p.bytes == 0 && p.fields > 1;
            if blank || (p.bytes == 0 && columns > 1) {
                continue;
            }
            if self.starts.is_empty() {
                columns = p.fields;
                let short = |s: Short| s.of(&file, format_args!("line {}: {columns} columns", p.line));
                room.more((columns as u64).saturating_mul(COLUMN))
                    .map_err(short)?;
            } else if p.fields != columns {
                let after_comment = self.starts.len() == 1 && out.first() == Some(&b'#');
                let first = after_comment.then(|| u64::from(self.lines[0]));
                return Err(ragged(&file, u64::from(p.line), first, p.fields, columns));
            }
            if u32::try_from(p.bytes).is_err() {
                return Err(InputError::limit(
                    &file,
                    format!("line {}: a record of {} bytes", p.line, p.bytes),
                ));
            }
            let rows = self.starts.len() + 1;
            room.owe(ROW + FIELD * p.fields as u64)
                .map_err(|s| s.of(&file, format_args!("line {}: {rows} rows", p.line)))?;
            self.starts.push(at);
            self.lines.push(p.line);
            self.ends.extend(ends[..p.fields].iter().map(|&e| e as u32));
            at += p.bytes;
        }
        out.truncate(at);
        // The text was UTF-8 and is cut at ASCII characters only.
        self.buffer = String::from_utf8(out)
            .map_err(|e| InputError::refused(&file, "", format!("is not UTF-8: {e}")))?;
        Ok(columns)
    }

    /// A header is a first record that is not all numbers; or numbers 0, 1, 2 … or a growing row after an empty corner, as pandas writes them.
    fn looks_headed(&self) -> bool {
        let first: Vec<&str> = self.row(0).collect();
        if self
            .row(0)
            .any(|t| read_field(t, &self.schema.missing) == Field::Text && !is_beyond(t))
        {
            return true;
        }
        let rows = self.len().min(SAMPLE);
        let numbers: Option<Vec<f64>> = first
            .iter()
            .skip(1)
            .map(|t| Some(parse_number(t)?.as_f64()))
            .collect();
        let Some(rest) = numbers.filter(|n| !n.is_empty() && rows > 1) else {
            return false;
        };
        let grows = rest.windows(2).all(|w| w[0] < w[1]);
        if first[0].is_empty() {
            return grows && (1..rows).all(|r| !self.get(r, 0).is_empty());
        }
        let counts = first.iter().enumerate().all(|(i, t)| *t == i.to_string());
        counts && (1..rows).any(|r| self.row(r).any(|t| t.contains(['.', 'e', 'E'])))
    }

    /// The budget that it is read within.
    pub(super) fn budget(&self) -> &Arc<Budget> {
        self.room.budget()
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.schema.width()
    }

    /// The text of a field.
    pub fn get(&self, row: usize, column: usize) -> &str {
        let i = row * self.width() + column;
        let from = if column == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.buffer[self.starts[row] + from..self.starts[row] + self.ends[i] as usize]
    }

    /// The texts of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = &str> {
        (0..self.width()).map(move |c| self.get(row, c))
    }

    /// The field as a value.
    pub fn field(&self, row: usize, column: usize) -> Field {
        read_field(self.get(row, column), &self.schema.missing)
    }

    /// A refusal of a field's text, with its file and line.
    pub fn refused(&self, row: usize, what: impl Into<String>) -> InputError {
        InputError::refused(
            &self.schema.file,
            format!("{} {}", self.schema.counted(), self.lines[row]),
            what,
        )
    }
}

impl Table for Records {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let ranges = (0..self.len())
            .step_by(BATCH)
            .map(|from| from..(from + BATCH).min(self.len()));
        Box::new(ranges.map(|rows| Ok(Box::new(Rows { records: self, rows }) as Box<dyn Part>)))
    }

    fn threads(&self) -> usize {
        if self.len() <= BATCH { 1 } else { threads() }
    }
}

/// A table that can be put into memory.
pub trait AsRecords: Table {
    /// All of it, as texts.
    ///
    /// # Errors
    /// What its rows are at fault with, or too little memory.
    fn records(&self) -> Result<Cow<'_, Records>, InputError>;
}

impl AsRecords for Records {
    fn records(&self) -> Result<Cow<'_, Records>, InputError> {
        Ok(Cow::Borrowed(self))
    }
}

/// Some of the rows, until they were given.
struct Rows<'r> {
    records: &'r Records,
    rows: Range<usize>,
}

impl Part for Rows<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let rows = std::mem::replace(&mut self.rows, 0..0);
        if rows.is_empty() {
            return Ok(None);
        }
        let texts = |c: &usize| Cells::Texts(rows.clone().map(|row| self.records.get(row, *c)).collect());
        let places = Places {
            schema: &self.records.schema,
            first: 0,
            each: Some(&self.records.lines[rows.clone()]),
        };
        Ok(Some(Batch {
            rows: rows.len(),
            columns: columns.iter().map(texts).collect(),
            places,
        }))
    }
}

/// The delimiter that the figure names, or the text shows; `cut` says that the text goes on behind its end.
///
/// # Errors
/// What the figure names is no delimiter.
pub(super) fn delimiter_of(text: &str, cut: bool, file: &str, data: &Data) -> Result<u8, InputError> {
    match &data.delimiter {
        Some(d) => parse_delimiter(d, file),
        None => Ok(sniff_delimiter(text, cut)),
    }
}

/// A row of another number of fields; `comment` is the line of a comment that stands where the header should.
pub(super) fn ragged(
    file: &str,
    line: u64,
    comment: Option<u64>,
    found: usize,
    expected: usize,
) -> InputError {
    if let Some(first) = comment {
        let what = format!(
            "a comment, then {}; {expected} expected as in the comment",
            count(found, "field")
        );
        return InputError::refused(file, format!("line {first}-{line}"), what)
            .with_hint("remove the lines that begin with #");
    }
    InputError::refused(
        file,
        format!("line {line}"),
        format!("{}, {expected} expected", count(found, "field")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::List;
    use crate::lint::LintName;

    fn read(text: &str) -> Result<Records, InputError> {
        Records::read(text, "t.csv", &Data::default(), &mut Lints::default())
    }

    fn cells(text: &str) -> Vec<Vec<String>> {
        let r = read(text).unwrap();
        (0..r.len())
            .map(|i| r.row(i).map(str::to_owned).collect())
            .collect()
    }

    #[test]
    fn blank_lines_and_blank_rows_are_skipped() {
        let want = [["1", "2"], ["3", "4"]];
        for text in [
            "a,b\n\n1,2\n\n3,4\n\n",
            "a,b\n1,2\n,\n3,4\n,",
            "a,b\r\n1,2\r\n \r\n3,4".replace(" \r\n", "\r\n").as_str(),
        ] {
            assert_eq!(cells(text), want, "{text:?}");
        }
        assert_eq!(cells("a\n\"\"\n1\n"), [[""], ["1"]]);
    }

    #[test]
    fn ragged_rows_are_refused_with_their_line() {
        let e = read("id,name,age\n1,x,2\n2,y,3,z\n").unwrap_err();
        assert_eq!(
            (e.place.as_str(), e.what.as_str()),
            ("line 3", "4 fields, 3 expected")
        );
        let e = read("# comment\nf1,f2\n1,2\n").unwrap_err();
        assert_eq!(e.place, "line 1-2");
    }

    #[test]
    fn no_rows_are_refused() {
        for text in ["", "\n\n", "a,b\n", "a,b\n\n,\n"] {
            assert_eq!(read(text).unwrap_err().what, "no data rows", "{text:?}");
        }
    }

    #[test]
    fn one_column_proposes_a_delimiter() {
        assert_eq!(
            read("a:b\n1:2\n").unwrap_err().hint.unwrap(),
            "did you mean --delimiter :?"
        );
        assert_eq!(read("value\n01\n").unwrap().width(), 1);
    }

    #[test]
    fn headers_are_told_from_numbers() {
        let headed = |t: &str| read(t).unwrap().schema.has_header;
        assert!(headed("a,1\n2,3\n") && headed("x,y\nz,w\n"));
        assert!(!headed("1,2\n3,4\n") && !headed("NaN,2\n3,4\n") && !headed("1e400,2\n3,4\n"));
        assert!(headed(",0,1,2\n0,5,6,7\n1,8,9,9\n"));
        assert!(headed("0,1,2\n0.5,6,7\n") && !headed("0,1,2\n1,0,1\n2,1,0\n"));
        let data = Data {
            header: Some(Header::None),
            ..Data::default()
        };
        let r = Records::read("a,b\n1,2\n", "f", &data, &mut Lints::default()).unwrap();
        assert_eq!((r.len(), r.schema.headers[1].as_str()), (2, "column 2"));
    }

    #[test]
    fn headers_are_made_different_and_told() {
        let mut lints = Lints::default();
        let r = Records::read("id,name,id,,id.1\n1,2,3,4,5\n", "f", &Data::default(), &mut lints).unwrap();
        assert_eq!(r.schema.headers, ["id", "name", "id (2)", "column 4", "id.1"]);
        assert_eq!((lints.0[0].name, lints.0[0].count), (LintName::Headers, 2));
        assert!(r.schema.column("id").unwrap_err().what.contains("2 times"));
        assert_eq!(
            (r.schema.column("column 3"), r.schema.column("id.1")),
            (Ok(2), Ok(4))
        );
        let mut none = Lints::default();
        Records::read(",a\nx,1\n", "f", &Data::default(), &mut none).unwrap();
        assert!(none.0.is_empty());
    }

    #[test]
    fn an_unknown_column_names_the_nearest() {
        let e = read("ratio,window\n1,2\n")
            .unwrap()
            .schema
            .column("ratoi")
            .unwrap_err();
        assert_eq!(e.hint.unwrap(), "did you mean 'ratio'? columns: ratio, window");
        assert_eq!(read("id, Test\n1,2\n").unwrap().schema.column("Test"), Ok(1));
    }

    #[test]
    fn the_delimiter_and_missing_texts_can_be_given() {
        let data = Data {
            delimiter: Some("space".into()),
            missing: Some(List(vec!["?".into()])),
            ..Data::default()
        };
        let r = Records::read("a b\n1 ?\n", "f", &data, &mut Lints::default()).unwrap();
        assert_eq!(
            (r.field(0, 0), r.field(0, 1)),
            (Field::Number(crate::grid::Number::I64(1)), Field::Missing)
        );
    }
}
