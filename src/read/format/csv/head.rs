//! The first records of a text: lines before the header, and the number and names of columns.

use super::cutter::{Field as Written, Record, Sink, cut, lines};
use super::delimiter::propose_delimiter;
use crate::budget::{Budget, OverBudget, Reservation};
use crate::error::InputError;
use crate::field::{Field, is_beyond, is_decimal_comma, parse_number, read_field};
use crate::numeral::Numeral;
use crate::position::Place;
use crate::table::{COLUMN, Schema, count};
use gridscope_core::figure::{Data, Header};
use gridscope_core::lint::Lints;
use memchr::memchr;
use std::borrow::Cow;
use std::sync::Arc;

/// Rows by which header and columns are recognised.
pub(super) const ENOUGH: usize = 50;

/// Bytes that a field takes beside its text.
const FIELD: u64 = 24;

/// Facts about the table from the first records of a text.
#[derive(Debug)]
pub(super) struct Head {
    /// The columns.
    pub schema: Schema,
    /// The rows after the header, as far as they were looked at: at most [`ENOUGH`] and one or two more.
    pub rows: usize,
}

impl Head {
    /// Reads the first records of a text whose delimiter is known; `line` is that on which it begins.
    ///
    /// # Errors
    /// Ragged rows or an open quote among those records, no data rows, a single column that another delimiter would
    /// split, too little memory.
    pub(super) fn read(
        (text, line): (&str, u64),
        delimiter: u8,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let first = First::read((text, line), delimiter, file, budget)?;
        let missing = data.missing.as_ref().map_or(&[][..], |m| &m.0);
        let has_header = match data.header.unwrap_or_default() {
            Header::Auto => first.looks_headed(missing),
            Header::Yes => true,
            Header::None => false,
        };
        let mut schema = if has_header && first.rows > 0 {
            let names = first.row(0).iter().map(|name| name.clone().into_owned());
            Schema::named_but(file, names.collect(), data, first.blank(), lints)
        } else {
            Schema::unnamed(file, first.width, data)
        };
        schema.delimiter = Some(delimiter);
        let above = usize::from(has_header) + usize::from(data.units_row == Some(true));
        schema.set_suspects(first.suspects(above, delimiter));
        let rows = first.rows.saturating_sub(above);
        if rows == 0 {
            return Err(InputError::refused(file, "", "no data rows"));
        }
        if first.width == 1
            && let Some(d) = propose_delimiter(text, delimiter)
        {
            let hint = format!("did you mean --delimiter {d}?");
            return Err(InputError::refused(file, "", "one column").with_hint(hint));
        }
        Ok(Self { schema, rows })
    }
}

/// The first records of a text.
struct First<'t> {
    text: &'t str,
    file: &'t str,
    /// The fields of all rows, row after row.
    cells: Vec<Cow<'t, str>>,
    width: usize,
    rows: usize,
    delimiter: u8,
    /// The line on which the text begins.
    line: u64,
    first_line: u64,
    room: Reservation,
}

impl<'t> First<'t> {
    fn read(
        (text, line): (&'t str, u64),
        delimiter: u8,
        file: &'t str,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let room = budget.reserve(text.len() as u64);
        let mut first = Self {
            text,
            file,
            cells: Vec::new(),
            width: 0,
            rows: 0,
            delimiter,
            line,
            first_line: 0,
            room: room.map_err(|s| s.of(file, "its text"))?,
        };
        // The columns are counted before a field is held.
        let mut size_columns = |record: Record| {
            if record.is_blank(0) {
                return Ok(());
            }
            (first.width, first.first_line) = (record.fields, line + u64::from(record.line));
            Err(())
        };
        if cut(text.as_bytes(), delimiter, &mut size_columns).is_err() {
            let (line, columns) = (first.first_line, first.width);
            let short = |s: OverBudget| InputError {
                place: Place::line(line),
                ..s.of(file, format_args!("{columns} columns"))
            };
            let bytes = COLUMN.saturating_mul(columns as u64);
            first.room.more(bytes).map_err(short)?;
        }
        match cut(text.as_bytes(), delimiter, &mut first) {
            Ok(()) | Err(None) => Ok(first),
            Err(Some(fault)) => Err(fault),
        }
    }

    /// The lines before a record of more fields, if it begins a table and few rows are before it.
    fn rows_before(&self, record: &Record) -> Option<u64> {
        if record.fields <= self.width || self.rows > 9 {
            return None;
        }
        let lines = usize::try_from(record.line).ok()?;
        let mut at = 0;
        for _ in 0..lines {
            at += memchr(b'\n', &self.text.as_bytes()[at..])? + 1;
        }
        let (mut rows, mut same) = (0, true);
        let mut count = |next: Record| {
            if !next.empty {
                rows += 1;
                same &= next.fields == record.fields;
            }
            if rows < ENOUGH { Ok(()) } else { Err(()) }
        };
        let _ = cut(&self.text.as_bytes()[at..], self.delimiter, &mut count);
        let first = self.text[at..].lines().next().unwrap_or_default();
        (rows > 1 && same && first.contains(char::is_alphabetic))
            .then_some(self.line - 1 + u64::from(record.line))
    }

    fn get(&self, row: usize, column: usize) -> &str {
        &self.cells[row * self.width + column]
    }

    fn row(&self, row: usize) -> &[Cow<'t, str>] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }

    /// The columns without a name and without a value, but the first.
    fn blank(&self) -> Vec<usize> {
        let is_blank = |&c: &usize| (0..self.rows).all(|row| self.get(row, c).trim().is_empty());
        (1..self.width).filter(is_blank).collect()
    }

    /// The columns whose plain numbers may all have parted thousands, as `1.234`, in a file where commas may be decimal.
    fn suspects(&self, from: usize, delimiter: u8) -> Vec<usize> {
        let column = |c| (from..self.rows).map(move |row| self.get(row, c));
        let is_comma = |c: &usize| column(*c).any(is_decimal_comma);
        if delimiter != b';' && !(0..self.width).any(|c| is_comma(&c)) {
            return Vec::new();
        }
        let is_suspect = |c: &usize| {
            let mut fractions =
                column(*c).filter(|t| t.contains('.') && parse_number(t).is_some()).peekable();
            fractions.peek().is_some() && fractions.all(|t| Numeral::COMMA.plain(t).is_some())
        };
        (0..self.width).filter(is_suspect).collect()
    }

    /// A header is a first record that is not all numbers; or numbers 0, 1, 2 … or a growing row after an empty corner,
    /// as pandas writes them.
    fn looks_headed(&self, missing: &[String]) -> bool {
        if self.rows == 0 {
            return false;
        }
        let first = self.row(0);
        let is_value = |t: &str| read_field(t, missing) != Field::Text || is_beyond(t);
        if first.iter().any(|t| !is_value(t)) {
            // Numbers with decimal commas name no columns, but behind an empty corner.
            let is_number = |t: &Cow<str>| is_value(t) || is_decimal_comma(t);
            return first[0].is_empty() || !first.iter().all(is_number);
        }
        let rows = self.rows.min(ENOUGH);
        let numbers: Option<Vec<f64>> =
            first.iter().skip(1).map(|t| Some(parse_number(t)?.as_f64())).collect();
        let Some(rest) = numbers.filter(|n| !n.is_empty() && rows > 1) else {
            return false;
        };
        let grows = rest.windows(2).all(|w| w[0] < w[1]);
        if first[0].is_empty() {
            return grows && (1..rows).all(|r| !self.get(r, 0).is_empty());
        }
        let counts = first.iter().enumerate().all(|(i, t)| *t == i.to_string());
        counts && (1..rows).any(|r| self.row(r).iter().any(|t| t.contains(['.', 'e', 'E'])))
    }
}

impl Sink for First<'_> {
    /// A fault; none where the rows are enough.
    type Stop = Option<InputError>;

    fn field(&mut self, field: Written) {
        if field.index < self.width {
            self.cells.push(field.text(self.text));
        }
    }

    fn record(&mut self, record: Record) -> Result<(), Self::Stop> {
        let line = self.line + u64::from(record.line);
        if let Some(open) = record.open {
            return Err(Some(unclosed(self.file, self.line + u64::from(open))));
        }
        if record.is_blank(self.width) {
            self.cells.truncate(self.rows * self.width);
            return Ok(());
        }
        if record.fields != self.width {
            let fault = if self.text.trim_start().starts_with('#') {
                let found = count(record.fields, "field");
                let what = format!("a comment, then {found}; {} expected as in the comment", self.width);
                InputError::refused(self.file, Place::lines(self.first_line, line), what)
                    .with_hint("remove the lines that begin with #")
            } else {
                ragged(self.file, line, record.fields, self.width)
            };
            return Err(Some(match self.rows_before(&record) {
                Some(lines) => fault.with_hint(format!("--skip-rows {lines} begins with line {line}")),
                None => fault,
            }));
        }
        self.rows += 1;
        let rows = self.rows;
        let owed = self.room.owe(FIELD * self.width as u64);
        owed.map_err(|s| InputError {
            place: Place::line(line),
            ..s.of(self.file, format_args!("{rows} rows"))
        })?;
        // One of them may be the header.
        if rows < ENOUGH + 2 { Ok(()) } else { Err(None) }
    }
}

/// A quote that is still open at the end of the text.
pub(super) fn unclosed(file: &str, line: u64) -> InputError {
    InputError::refused(file, Place::line(line), "a quote opens here and is never closed")
}

/// A row with another number of fields.
pub(super) fn ragged(file: &str, line: u64, found: usize, expected: usize) -> InputError {
    let what = format!("{}, {expected} expected", count(found, "field"));
    InputError::refused(file, Place::line(line), what)
}

/// The beginning of the header of a text, and facts known before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lead {
    /// Bytes and lines before it.
    pub bytes: usize,
    pub lines: u64,
    /// The delimiter that a line names.
    pub delimiter: Option<u8>,
}

impl Lead {
    /// Passes over `skip` lines and a line `sep=;`. `whole` says that nothing follows the text. `None` where more of the text
    /// must be seen.
    pub(super) fn of(text: &str, whole: bool, skip: u64) -> Option<Self> {
        let mut lead = Self::default();
        for _ in 0..skip {
            let Some(end) = line_end(&text[lead.bytes..]) else {
                lead.bytes = text.len();
                break;
            };
            lead.bytes += end;
        }
        let rest = &text[lead.bytes..];
        if let Some((end, named)) = named_delimiter(rest) {
            lead.bytes += end;
            lead.delimiter = Some(named);
        }
        lead.lines = lines(&text.as_bytes()[..lead.bytes]);
        (whole || lead.bytes < text.len()).then_some(lead)
    }
}

/// Where the first line of a text ends, its break included; `None` where it is the last.
fn line_end(text: &str) -> Option<usize> {
    memchr(b'\n', text.as_bytes()).map(|at| at + 1)
}

/// The delimiter that the line `sep=;` names, and where that line ends.
fn named_delimiter(text: &str) -> Option<(usize, u8)> {
    let end = line_end(text)?;
    let line = text[..end].trim_end_matches(['\r', '\n']).trim_matches('"');
    match line.strip_prefix("sep=")?.as_bytes() {
        [b] if b.is_ascii() && *b != b'"' => Some((end, *b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::lint::LintName;

    fn read(text: &str) -> Result<Head, InputError> {
        read_with(text, &Data::default(), &mut Lints::default())
    }

    fn read_with(text: &str, data: &Data, lints: &mut Lints) -> Result<Head, InputError> {
        let delimiter = super::super::delimiter::sniff_delimiter(text, false);
        Head::read((text, 1), delimiter, "t.csv", data, lints, &Budget::new(1 << 20))
    }

    #[test]
    fn ragged_rows_are_refused_with_their_line() {
        let e = read("id,name,age\n1,x,2\n2,y,3,z\n").unwrap_err();
        assert_eq!((e.place, e.what.as_str()), (Place::line(3), "4 fields, 3 expected"));
        assert_eq!(e.hint, None);
        for (text, hint) in [
            ("Report\n\nf1,f2\n1,2\n", Some("--skip-rows 2 begins with line 3")),
            ("a,b\nf1,f2,f3\n1,2,3\n", Some("--skip-rows 1 begins with line 2")),
            ("a,b\n1,2\n1,2,3\n", None),
            ("a\nf1,f2\n", None),
        ] {
            assert_eq!(read(text).unwrap_err().hint.as_deref(), hint, "{text:?}");
        }
    }

    #[test]
    fn no_rows_are_refused() {
        for text in ["", "\n\n", "a,b\n", "a,b\n\n,\n"] {
            assert_eq!(read(text).unwrap_err().what, "no data rows", "{text:?}");
        }
    }

    #[test]
    fn one_column_proposes_a_delimiter() {
        assert_eq!(read("a:b\n1:2\n").unwrap_err().hint.unwrap(), "did you mean --delimiter :?");
        assert_eq!(read("value\n01\n").unwrap().schema.width(), 1);
    }

    #[test]
    fn headers_are_told_from_numbers() {
        let headed = |t: &str| read(t).unwrap().schema.has_header;
        assert!(headed("a,1\n2,3\n") && headed("x,y\nz,w\n"));
        assert!(!headed("1,2\n3,4\n") && !headed("NaN,2\n3,4\n") && !headed("1e400,2\n3,4\n"));
        assert!(headed(",0,1,2\n0,5,6,7\n1,8,9,9\n"));
        assert!(headed("0,1,2\n0.5,6,7\n") && !headed("0,1,2\n1,0,1\n2,1,0\n"));
        assert!(!headed("1,5;2,5\n3,5;4,5\n") && headed(";0,5;1,5\na;2,5;3\n") && headed("m;0,5\na;2,5\n"));
        let data = Data { header: Some(Header::None), ..Data::default() };
        let head = read_with("a,b\n1,2\n", &data, &mut Lints::default()).unwrap();
        assert_eq!((head.rows, head.schema.headers[1].as_str()), (2, "column 2"));
    }

    #[test]
    fn headers_are_made_different_and_reported() {
        let mut lints = Lints::default();
        let head = read_with("id,name,id,,id.1\n1,2,3,4,5\n", &Data::default(), &mut lints).unwrap();
        let schema = head.schema;
        assert_eq!(schema.headers, ["id", "name", "id (2)", "column 4", "id.1"]);
        assert_eq!((lints.0[0].name, lints.0[0].count), (LintName::Headers, 2));
        assert!(schema.column("id").unwrap_err().what.contains("2 columns are named"));
        assert_eq!((schema.column("column 3"), schema.column("id.1")), (Ok(2), Ok(4)));
        let mut none = Lints::default();
        read_with(",a\nx,1\n", &Data::default(), &mut none).unwrap();
        assert!(none.0.is_empty());
    }

    #[test]
    fn an_unknown_column_names_the_nearest() {
        let schema = read("ratio,window\n1,2\n").unwrap().schema;
        let e = schema.column("ratoi").unwrap_err();
        assert_eq!(e.hint.unwrap(), "did you mean 'ratio'? columns: ratio, window");
        assert_eq!(read("id, Test\n1,2\n").unwrap().schema.column("Test"), Ok(1));
    }

    #[test]
    fn no_more_records_are_read_than_show_the_columns() {
        let rows = "1,2\n".repeat(ENOUGH + 9);
        assert_eq!(read(&format!("a,b\n{rows}")).unwrap().rows, ENOUGH + 1);
        assert!(read(&format!("a,b\n{rows}3\n")).is_ok());
    }

    #[test]
    fn a_header_is_found_behind_what_is_before_it() {
        for (text, skip, bytes, delimiter) in [
            ("a,b\n1,2\n", 0, 0, None),
            ("#chrom\tstart\nx\t1\n", 0, 0, None),
            ("#", 0, 0, None),
            ("sep=;\r\na;b\n1;2\n", 0, 7, Some(b';')),
            ("\"sep=\t\"\na\tb\n", 0, 8, Some(b'\t')),
            ("sep=ab\n1\n", 0, 0, None),
            ("Report,,\n,,\na,b,c\n1,2,3\n", 2, 12, None),
            ("# c\na,b\n1,2\n", 1, 4, None),
            ("a\n", 5, 2, None),
        ] {
            let lead = Lead::of(text, true, skip).unwrap();
            assert_eq!((lead.bytes, lead.delimiter), (bytes, delimiter), "{text:?}");
        }
        assert_eq!(Lead::of("x\ny\n", false, 3), None);
    }
}
