//! Records: a header and rows of texts, held in one buffer.

use super::delimiter::{parse_delimiter, propose_delimiter, sniff_delimiter};
use super::error::InputError;
use super::field::{Field, parse_number, read_field, shown};
use super::scan::Scan;
use crate::figure::{Data, Header};
use crate::lint::{LintName, Lints};
use std::collections::HashMap;

/// Rows looked at to tell a header of plain numbers.
const SAMPLE: usize = 50;

/// A table of texts with a name a column.
#[derive(Clone, Debug)]
pub struct Records {
    /// The file as the user named it.
    pub file: String,
    /// One name a column, all different.
    pub headers: Vec<String>,
    /// Whether the names stand in the file.
    pub has_header: bool,
    /// Texts that stand for a missing value, beside the usual ones.
    pub missing: Vec<String>,
    /// The headers as the file has them, or empty.
    written: Vec<String>,
    buffer: String,
    /// Where each row begins in the buffer.
    starts: Vec<usize>,
    /// Where each field ends, from its row's start.
    ends: Vec<u32>,
    lines: Vec<u32>,
    /// What `lines` counts: lines of a text, or rows of a table with types.
    counted: &'static str,
    /// The first row of each file but the first, and its name.
    joined: Vec<(usize, String)>,
    /// Columns whose keys have an order of their own, with their texts in it.
    orders: Vec<(usize, Vec<String>)>,
    /// Whether the file has columns that were not read.
    partial: bool,
}

impl Records {
    /// Reads a table.
    ///
    /// # Errors
    /// Ragged rows, an open quote, no data rows, a single column that another delimiter would split.
    pub fn read(text: &str, file: &str, data: &Data, lints: &mut Lints) -> Result<Self, InputError> {
        let delimiter = match &data.delimiter {
            Some(d) => parse_delimiter(d, file)?,
            None => sniff_delimiter(text, file)?,
        };
        let missing = data.missing.as_ref().map_or_else(Vec::new, |m| m.0.clone());
        let mut r = Self {
            file: file.to_owned(),
            headers: Vec::new(),
            has_header: false,
            missing,
            written: Vec::new(),
            buffer: String::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            lines: Vec::new(),
            counted: "line",
            joined: Vec::new(),
            orders: Vec::new(),
            partial: false,
        };
        r.scan(text, delimiter)?;
        let header = match data.header.unwrap_or_default() {
            Header::Auto => r.looks_headed(),
            Header::Yes => true,
            Header::None => false,
        };
        if header && !r.starts.is_empty() {
            r.take_header(lints);
        } else {
            r.headers = (1..=r.headers.len()).map(|i| format!("column {i}")).collect();
        }
        if r.starts.is_empty() {
            return Err(InputError::refused(file, "", "no data rows"));
        }
        if r.headers.len() == 1
            && let Some(d) = propose_delimiter(text, delimiter, file)
        {
            return Err(InputError::refused(file, "", "one column").with_hint(format!("did you mean --delimiter {d}?")));
        }
        Ok(r)
    }

    /// A table of `rows` rows whose fields `write` puts after a text.
    ///
    /// # Errors
    /// No column, no row, or a row that is too long.
    pub fn of_rows(
        file: &str,
        headers: Vec<String>,
        rows: usize,
        write: &dyn Fn(usize, usize, &mut String),
        data: &Data,
        lints: &mut Lints,
    ) -> Result<Self, InputError> {
        if headers.is_empty() || rows == 0 {
            return Err(InputError::refused(file, "", "no data rows"));
        }
        let missing = data.missing.as_ref().map_or_else(Vec::new, |m| m.0.clone());
        let columns = headers.len();
        let mut r = Self {
            file: file.to_owned(),
            headers: vec![String::new(); columns],
            has_header: true,
            missing,
            written: Vec::new(),
            buffer: String::new(),
            starts: Vec::with_capacity(rows),
            ends: Vec::with_capacity(rows * columns),
            lines: (1..=rows as u32).collect(),
            counted: "row",
            joined: Vec::new(),
            orders: Vec::new(),
            partial: false,
        };
        for row in 0..rows {
            let start = r.buffer.len();
            r.starts.push(start);
            for column in 0..columns {
                write(row, column, &mut r.buffer);
                let end = u32::try_from(r.buffer.len() - start);
                r.ends.push(end.map_err(|_| InputError::limit(file, format!("row {}: a record of over 4 GiB", row + 1)))?);
            }
        }
        r.name_columns(headers, lints);
        Ok(r)
    }

    fn scan(&mut self, text: &str, delimiter: u8) -> Result<(), InputError> {
        let file = self.file.clone();
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
            } else if p.fields != columns {
                return Err(self.ragged(&out, p.line, p.fields, columns));
            }
            if u32::try_from(p.bytes).is_err() {
                return Err(InputError::limit(&file, format!("line {}: a record of {} bytes", p.line, p.bytes)));
            }
            self.starts.push(at);
            self.lines.push(p.line);
            self.ends.extend(ends[..p.fields].iter().map(|&e| e as u32));
            at += p.bytes;
        }
        out.truncate(at);
        self.headers = vec![String::new(); columns];
        // The text was UTF-8 and is cut at ASCII characters only.
        self.buffer = String::from_utf8(out).map_err(|e| InputError::refused(&file, "", format!("is not UTF-8: {e}")))?;
        Ok(())
    }

    fn ragged(&self, out: &[u8], line: u32, found: usize, expected: usize) -> InputError {
        if self.starts.len() == 1 && out.first() == Some(&b'#') {
            let what = format!("a comment, then {}; {expected} expected as in the comment", count(found, "field"));
            return InputError::refused(&self.file, format!("line {}-{line}", self.lines[0]), what)
                .with_hint("remove the lines that begin with #");
        }
        InputError::refused(&self.file, format!("line {line}"), format!("{}, {expected} expected", count(found, "field")))
    }

    /// A header is a first record that is not all numbers; or numbers 0, 1, 2 … or a growing row after an empty corner, as pandas writes them.
    fn looks_headed(&self) -> bool {
        let first: Vec<&str> = self.row(0).collect();
        if self.row(0).any(|t| read_field(t, &self.missing) == Field::Text) {
            return true;
        }
        let rows = self.len().min(SAMPLE);
        let numbers: Option<Vec<f64>> = first.iter().skip(1).map(|t| Some(parse_number(t)?.as_f64())).collect();
        let Some(rest) = numbers.filter(|n| !n.is_empty() && rows > 1) else { return false };
        let grows = rest.windows(2).all(|w| w[0] < w[1]);
        if first[0].is_empty() {
            return grows && (1..rows).all(|r| !self.get(r, 0).is_empty());
        }
        let counts = first.iter().enumerate().all(|(i, t)| *t == i.to_string());
        counts && (1..rows).any(|r| self.row(r).any(|t| t.contains(['.', 'e', 'E'])))
    }

    fn take_header(&mut self, lints: &mut Lints) {
        let written = self.row(0).map(str::to_owned).collect();
        let columns = self.headers.len();
        self.starts.remove(0);
        self.lines.remove(0);
        self.ends.drain(..columns);
        self.name_columns(written, lints);
    }

    /// Gives each column a name of its own.
    fn name_columns(&mut self, written: Vec<String>, lints: &mut Lints) {
        (self.written, self.has_header) = (written, true);
        let mut taken: HashMap<String, usize> = HashMap::new();
        for h in &self.written {
            *taken.entry(h.clone()).or_default() += 1;
        }
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut renamed = Vec::new();
        for (i, h) in self.written.iter().enumerate() {
            let n = seen.entry(h).or_default();
            let mut name = match (h.is_empty(), *n) {
                // An empty corner is how pandas names an index.
                (true, _) if i == 0 => String::new(),
                (true, _) => format!("column {}", i + 1),
                (false, 0) => h.clone(),
                (false, n) => format!("{h}.{n}"),
            };
            *n += 1;
            while name != *h && taken.contains_key(&name) {
                name.push_str(".1");
            }
            if name != *h {
                taken.insert(name.clone(), 1);
                renamed.push(format!("column {} is {}", i + 1, shown(&name)));
            }
            self.headers[i] = name;
        }
        if !renamed.is_empty() {
            let n = renamed.len();
            renamed.truncate(5);
            let more = if n > 5 { ", …" } else { "" };
            lints.add(LintName::Headers, n as u64, format!("empty or repeated headers: {}{more}", renamed.join(", ")));
        }
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
        self.headers.len()
    }

    /// Whether its file holds types, and not only texts.
    pub fn has_types(&self) -> bool {
        self.counted == "row"
    }

    /// Gives the keys of a column an order of their own: that of these texts.
    pub fn set_order(&mut self, column: usize, texts: Vec<String>) {
        self.orders.push((column, texts));
    }

    /// The order that the file gives the keys of a column.
    pub fn order(&self, column: usize) -> Option<&[String]> {
        self.orders.iter().find(|o| o.0 == column).map(|o| o.1.as_slice())
    }

    /// Tells that its file has columns that were not read.
    pub fn set_partial(&mut self) {
        self.partial = true;
    }

    /// Whether its file has columns that were not read.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// The text of a field.
    pub fn get(&self, row: usize, column: usize) -> &str {
        let i = row * self.headers.len() + column;
        let from = if column == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.buffer[self.starts[row] + from..self.starts[row] + self.ends[i] as usize]
    }

    /// The texts of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = &str> {
        (0..self.headers.len()).map(move |c| self.get(row, c))
    }

    /// The field as a value.
    pub fn field(&self, row: usize, column: usize) -> Field {
        read_field(self.get(row, column), &self.missing)
    }

    /// A refusal of a field's text, with its file and line.
    pub fn refused(&self, row: usize, what: impl Into<String>) -> InputError {
        let file = self.joined.iter().rev().find(|j| j.0 <= row).map_or(&self.file, |j| &j.1);
        InputError::refused(file, format!("{} {}", self.counted, self.lines[row]), what)
    }

    /// The column of that name; `column N` names any by its place.
    ///
    /// # Errors
    /// No such column, or several headers of that name.
    pub fn column(&self, name: &str) -> Result<usize, InputError> {
        let twins: Vec<usize> = (0..self.written.len()).filter(|&i| !name.is_empty() && self.written[i] == name).collect();
        if twins.len() > 1 {
            let what = format!("column {} stands {} times", shown(name), twins.len());
            let names = twins.iter().map(|i| format!("'column {}'", i + 1)).collect::<Vec<_>>().join(", ");
            return Err(InputError::usage(&self.file, what).with_hint(format!("name one by its place: {names}")));
        }
        let exact = self.headers.iter().position(|h| h == name);
        let trimmed = || self.headers.iter().position(|h| h.trim() == name.trim());
        let placed = || name.strip_prefix("column ")?.parse::<usize>().ok()?.checked_sub(1).filter(|&i| i < self.width());
        exact.or_else(trimmed).or_else(placed).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> InputError {
        let list = listed(&self.headers);
        let near = nearest(name, &self.headers).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
        InputError::usage(&self.file, format!("no column {}", shown(name))).with_hint(format!("{near}columns: {list}"))
    }

    /// Adds the rows of another table with the same columns.
    ///
    /// # Errors
    /// When the headers differ.
    pub fn append(&mut self, other: &Records) -> Result<(), InputError> {
        if self.headers != other.headers {
            let what = format!("its columns ({}) are not those of {} ({})", listed(&other.headers), self.file, listed(&self.headers));
            return Err(InputError::refused(&other.file, "header", what));
        }
        let base = self.buffer.len();
        self.joined.push((self.len(), other.file.clone()));
        self.buffer.push_str(&other.buffer);
        self.starts.extend(other.starts.iter().map(|s| s + base));
        self.ends.extend(&other.ends);
        self.lines.extend(&other.lines);
        // Files that differ in the order of their keys have none together.
        self.orders.retain(|o| other.orders.contains(o));
        self.partial |= other.partial;
        Ok(())
    }

    /// Adds a last column of one text; the column's name is `name`, or `name.1` where that is taken.
    pub fn add_column(&mut self, name: &str, text: &str) {
        let width = self.width();
        let mut buffer = String::with_capacity(self.buffer.len() + self.len() * text.len());
        let mut ends = Vec::with_capacity(self.ends.len() + self.len());
        for row in 0..self.len() {
            let last = if width == 0 { 0 } else { self.ends[row * width + width - 1] };
            let start = self.starts[row];
            ends.extend(&self.ends[row * width..(row + 1) * width]);
            ends.push(last + text.len() as u32);
            self.starts[row] = buffer.len();
            buffer.push_str(&self.buffer[start..start + last as usize]);
            buffer.push_str(text);
        }
        (self.buffer, self.ends) = (buffer, ends);
        let taken = self.headers.iter().any(|h| h == name);
        self.headers.push(if taken { format!("{name}.1") } else { name.to_owned() });
    }
}

/// The names in a row, at most twenty of them.
pub fn listed(names: &[String]) -> String {
    let shown = names.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > 20 { format!("{shown}, … ({} in all)", names.len()) } else { shown }
}

/// The name most like a text, if one is close.
pub fn nearest<'a>(text: &str, names: &'a [String]) -> Option<&'a str> {
    let like = |n: &String| strsim::jaro_winkler(&text.to_lowercase(), &n.to_lowercase());
    let best = names.iter().filter(|n| n.len() < 200).max_by(|a, b| like(a).total_cmp(&like(b)))?;
    (text.len() < 200 && like(best) > 0.75).then_some(best)
}

/// `1 row`, `2 rows`.
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::List;

    fn read(text: &str) -> Result<Records, InputError> {
        Records::read(text, "t.csv", &Data::default(), &mut Lints::default())
    }

    fn cells(text: &str) -> Vec<Vec<String>> {
        let r = read(text).unwrap();
        (0..r.len()).map(|i| r.row(i).map(str::to_owned).collect()).collect()
    }

    #[test]
    fn blank_lines_and_blank_rows_are_skipped() {
        let want = [["1", "2"], ["3", "4"]];
        for text in ["a,b\n\n1,2\n\n3,4\n\n", "a,b\n1,2\n,\n3,4\n,", "a,b\r\n1,2\r\n \r\n3,4".replace(" \r\n", "\r\n").as_str()] {
            assert_eq!(cells(text), want, "{text:?}");
        }
        assert_eq!(cells("a\n\"\"\n1\n"), [[""], ["1"]]);
    }

    #[test]
    fn ragged_rows_are_refused_with_their_line() {
        let e = read("id,name,age\n1,x,2\n2,y,3,z\n").unwrap_err();
        assert_eq!((e.place.as_str(), e.what.as_str()), ("line 3", "4 fields, 3 expected"));
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
        assert_eq!(read("a:b\n1:2\n").unwrap_err().hint.unwrap(), "did you mean --delimiter :?");
        assert_eq!(read("value\n01\n").unwrap().width(), 1);
    }

    #[test]
    fn headers_are_told_from_numbers() {
        let headed = |t: &str| read(t).unwrap().has_header;
        assert!(headed("a,1\n2,3\n") && headed("x,y\nz,w\n"));
        assert!(!headed("1,2\n3,4\n") && !headed("NaN,2\n3,4\n"));
        assert!(headed(",0,1,2\n0,5,6,7\n1,8,9,9\n"));
        assert!(headed("0,1,2\n0.5,6,7\n") && !headed("0,1,2\n1,0,1\n2,1,0\n"));
        let data = Data { header: Some(Header::None), ..Data::default() };
        let r = Records::read("a,b\n1,2\n", "f", &data, &mut Lints::default()).unwrap();
        assert_eq!((r.len(), r.headers[1].as_str()), (2, "column 2"));
    }

    #[test]
    fn headers_are_made_different_and_told() {
        let mut lints = Lints::default();
        let r = Records::read("id,name,id,,id.1\n1,2,3,4,5\n", "f", &Data::default(), &mut lints).unwrap();
        assert_eq!(r.headers, ["id", "name", "id.1.1", "column 4", "id.1"]);
        assert_eq!((lints.0[0].name, lints.0[0].count), (LintName::Headers, 2));
        assert!(r.column("id").unwrap_err().what.contains("2 times"));
        assert_eq!((r.column("column 3"), r.column("id.1")), (Ok(2), Ok(4)));
        let mut none = Lints::default();
        Records::read(",a\nx,1\n", "f", &Data::default(), &mut none).unwrap();
        assert!(none.0.is_empty());
    }

    #[test]
    fn an_unknown_column_names_the_nearest() {
        let e = read("ratio,window\n1,2\n").unwrap().column("ratoi").unwrap_err();
        assert_eq!(e.hint.unwrap(), "did you mean 'ratio'? columns: ratio, window");
        assert_eq!(read("id, Test\n1,2\n").unwrap().column("Test"), Ok(1));
    }

    #[test]
    fn tables_join_with_a_column_of_their_file() {
        let mut a = read("x,y\n1,2\n").unwrap();
        let mut b = read("x,y\n3,4\n5,6\n").unwrap();
        a.add_column("file", "a");
        b.add_column("file", "b");
        a.append(&b).unwrap();
        assert_eq!(a.row(2).collect::<Vec<_>>(), ["5", "6", "b"]);
        assert_eq!(a.get(0, 2), "a");
        assert_eq!(a.refused(1, "").place, "line 2");
        assert!(a.append(&read("x,z\n1,2\n").unwrap()).is_err());
    }

    #[test]
    fn the_delimiter_and_missing_texts_can_be_given() {
        let data = Data { delimiter: Some("space".into()), missing: Some(List(vec!["?".into()])), ..Data::default() };
        let r = Records::read("a b\n1 ?\n", "f", &data, &mut Lints::default()).unwrap();
        assert_eq!((r.field(0, 0), r.field(0, 1)), (Field::Number(crate::grid::Number::I64(1)), Field::Missing));
    }
}
