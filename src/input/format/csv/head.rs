//! The first records of a text: how many columns it has, and what they are called.

use super::cutter::{Field as Written, Record, Sink, cut};
use super::delimiter::propose_delimiter;
use crate::figure::{Data, Header};
use crate::input::budget::{Budget, OverBudget, Reservation};
use crate::input::error::InputError;
use crate::input::field::{Field, is_beyond, is_decimal_comma, parse_number, read_field};
use crate::input::place::Place;
use crate::input::table::{COLUMN, Schema, count};
use crate::lint::Lints;
use std::borrow::Cow;
use std::sync::Arc;

/// Rows that show whether there is a header and what the columns are.
pub(super) const ENOUGH: usize = 50;

/// Bytes that a field takes beside its text.
const FIELD: u64 = 24;

/// What the first records of a text say of the table.
#[derive(Debug)]
pub(super) struct Head {
    /// The columns.
    pub schema: Schema,
    /// The rows after the header, as far as they were looked at: at most [`ENOUGH`] and one or two more.
    pub rows: usize,
}

impl Head {
    /// Reads the first records of a text whose delimiter is known.
    ///
    /// # Errors
    /// Ragged rows or an open quote among those records, no data rows, a single column that another delimiter would
    /// split, too little memory.
    pub(super) fn read(
        text: &str,
        delimiter: u8,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let first = First::read(text, delimiter, file, budget)?;
        let missing = data.missing.as_ref().map_or(&[][..], |m| &m.0);
        let has_header = match data.header.unwrap_or_default() {
            Header::Auto => first.looks_headed(missing),
            Header::Yes => true,
            Header::None => false,
        };
        let mut schema = if has_header && first.rows > 0 {
            let names = first.row(0).iter().map(|name| name.clone().into_owned());
            Schema::named(file, names.collect(), data, lints)
        } else {
            Schema::unnamed(file, first.width, data)
        };
        schema.delimiter = Some(delimiter);
        let rows = first.rows - usize::from(schema.has_header);
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
    first_line: u64,
    room: Reservation,
}

impl<'t> First<'t> {
    fn read(text: &'t str, delimiter: u8, file: &'t str, budget: &Arc<Budget>) -> Result<Self, InputError> {
        let room = budget.reserve(text.len() as u64);
        let mut first = Self {
            text,
            file,
            cells: Vec::new(),
            width: 0,
            rows: 0,
            first_line: 0,
            room: room.map_err(|s| s.of(file, "its text"))?,
        };
        // The columns are counted before a field is held.
        let mut size_columns = |record: Record| {
            if record.is_blank(0) {
                return Ok(());
            }
            (first.width, first.first_line) = (record.fields, 1 + u64::from(record.line));
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

    fn get(&self, row: usize, column: usize) -> &str {
        &self.cells[row * self.width + column]
    }

    fn row(&self, row: usize) -> &[Cow<'t, str>] {
        &self.cells[row * self.width..(row + 1) * self.width]
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
        let line = 1 + u64::from(record.line);
        if let Some(open) = record.open {
            return Err(Some(unclosed(self.file, 1 + u64::from(open))));
        }
        if record.is_blank(self.width) {
            self.cells.truncate(self.rows * self.width);
            return Ok(());
        }
        if record.fields != self.width {
            let text = self.cells.iter().find(|t| !t.is_empty());
            let after_comment = self.rows == 1 && text.is_some_and(|t| t.starts_with('#'));
            let comment = after_comment.then_some(self.first_line);
            return Err(Some(ragged(self.file, line, comment, record.fields, self.width)));
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

/// A row with another number of fields; `comment` is the line of a comment that appears where the header should.
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
        return InputError::refused(file, Place::lines(first, line), what)
            .with_hint("remove the lines that begin with #");
    }
    InputError::refused(
        file,
        Place::line(line),
        format!("{}, {expected} expected", count(found, "field")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::LintName;

    fn read(text: &str) -> Result<Head, InputError> {
        read_with(text, &Data::default(), &mut Lints::default())
    }

    fn read_with(text: &str, data: &Data, lints: &mut Lints) -> Result<Head, InputError> {
        let delimiter = super::super::delimiter::sniff_delimiter(text, false);
        Head::read(text, delimiter, "t.csv", data, lints, &Budget::new(1 << 20))
    }

    #[test]
    fn ragged_rows_are_refused_with_their_line() {
        let e = read("id,name,age\n1,x,2\n2,y,3,z\n").unwrap_err();
        assert_eq!(
            (e.place, e.what.as_str()),
            (Place::line(3), "4 fields, 3 expected")
        );
        let e = read("# comment\nf1,f2\n1,2\n").unwrap_err();
        assert_eq!(e.place, Place::lines(1, 2));
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
        let data = Data {
            header: Some(Header::None),
            ..Data::default()
        };
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
        assert!(
            schema
                .column("id")
                .unwrap_err()
                .what
                .contains("2 columns are named")
        );
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
}
