//! The first records of a text: lines before the header, and the number and names of columns.

use super::cutter::{Cut, Field as Written, Record, Sink, cut, lines};
use super::delimiter::propose_delimiter;
use super::header::{Above, above, is_monotone, is_title, lacks_corner};
use crate::budget::{Budget, OverBudget, Reservation};
use crate::error::InputError;
use crate::field::{is_decimal_comma, parse_number, shown};
use crate::loaded::Delimiter;
use crate::numeral::Numeral;
use crate::position::Place;
use crate::table::{COLUMN, Schema, count};
use gridscope_core::figure::{Data, Header};
use gridscope_core::lint::{LintName, Lints};
use memchr::memchr;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Rows by which header and columns are recognised.
pub(super) const ENOUGH: usize = 50;
/// Records that are looked at: rows, the most lines of a header, and two under it.
const LOOKED_AT: usize = ENOUGH + 2 + Header::MOST as usize;

/// What stands before the names of columns in tables of PLUMED.
const FIELDS: &str = "#! FIELDS ";

/// Bytes that a field takes beside its text.
const FIELD: u64 = 24;

/// Facts about the table from the first records of a text.
#[derive(Debug)]
pub(super) struct Head {
    /// The columns.
    pub schema: Schema,
    /// The rows after the header, as far as they were looked at: at most [`LOOKED_AT`].
    pub rows: usize,
    /// The records above them: header, units, names of an index.
    pub above: usize,
    /// What the first lines were taken for, where that is not a header alone.
    pub notice: Option<String>,
}

impl Head {
    /// Reads the first records of a text; `line` is that on which it begins.
    ///
    /// # Errors
    /// Rows that are too long or an open quote among those records, no data rows, a single column that another delimiter would
    /// split, too little memory.
    pub(super) fn read(
        (text, line): (&str, u64),
        how: &Cut,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let mut first = First::read((text, line), how, file, budget)?;
        let missing = data.missing.as_ref().map_or(&[][..], |m| &m.0);
        let stray = first.stray_name();
        let header = data.header.unwrap_or_default();
        let is_blanks = how.delimiter == Delimiter::Blanks;
        // Lines that are no part of the table: a title, or settings before the names.
        let lead = match header {
            Header::Auto if is_blanks => usize::from(is_title(&first, missing)),
            Header::Auto => first.settings(),
            _ => 0,
        };
        first.rows.drain(..lead);
        first.lacks_corner = header != Header::None && lacks_corner(&first, missing);
        let (above, open) = above(&first, header, missing);
        first.lacks_corner &= above.lines() == 1;
        let given = usize::from(data.units_row == Some(true) && above != Above::Units);
        let records = above.records() + given;
        let width = first.width();
        let mut schema = match above {
            // Columns are known by their places: only a delimiter at the end makes none.
            Above::None => Schema::unnamed(file, width, data).with_blank(first.blank_at_the_end()),
            Above::Comment => {
                let names = first.comment_names().unwrap_or_default();
                let blank = first.blank().into_iter().filter(|c| names[*c].is_empty()).collect();
                Schema::named_but(file, names, data, blank, lints)
            }
            _ => first.named(above, width, data, lints),
        };
        schema.named_in_comment = above == Above::Comment;
        schema.named_by_numbers = open && first.row(0).iter().all(|t| parse_number(t).is_some());
        schema.delimiter = Some(how.delimiter);
        schema.set_suspects(first.suspects(records, how.delimiter));
        let rows = first.rows.len().saturating_sub(records);
        if rows == 0 {
            return Err(first.no_rows(how));
        }
        if let Some(row) = (records..first.rows.len()).find(|&r| first.is_too_long(r, width)) {
            return Err(first.too_long(row, width));
        }
        // Names with blanks in them are more fields than the rows have.
        if how.delimiter == Delimiter::Blanks
            && above.lines() > 0
            && (records..first.rows.len()).all(|r| first.rows[r].fields < width)
        {
            let (names, fields) = (count(width, "field"), count(first.rows[records].fields, "field"));
            let what = format!("the header has {names}, and the first row {fields}");
            let hint = "--delimiter tab or another; or names with blanks in double quotes";
            return Err(InputError::refused(file, Place::line(first.rows[0].line), what).with_hint(hint));
        }
        if width == 1
            && let Some(d) = propose_delimiter(text, how)
        {
            let hint = format!("did you mean --delimiter {d}?");
            return Err(InputError::refused(file, "", "one column").with_hint(hint));
        }
        if open {
            let what = format!(
                "{file}: line {}: read as the header, though it may be data: {}",
                first.rows[0].line,
                shown(&first.row(0).iter().take(8).map(Cow::as_ref).collect::<Vec<_>>().join(", "))
            );
            lints
                .add(LintName::HeaderLikeData, 1, what)
                .hint("--header none, or --header yes if it is right");
        }
        let notice = match above {
            Above::Units => Some(format!("line {} has units", first.rows[1].line)),
            Above::Lines(n) | Above::Unnamed(n) | Above::Named(n, _) if n > 1 => {
                Some(format!("{n} lines of names of columns"))
            }
            Above::Comment => Some("the names of columns are in a comment".to_owned()),
            _ => None,
        };
        let passed = || format!("{} above the table: {}", count(lead, "line"), shown(first.cells[0].trim()));
        let notice = if lead > 0 { Some(passed()) } else { notice };
        if let Some(place) = stray {
            let what = format!("{file}: the blank name {place} is left out: the rows have a field less");
            lints.add(LintName::Headers, 1, what);
        }
        Ok(Self { schema, rows, above: records + lead, notice })
    }
}

/// A record among the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Its first field among all, and how many it has.
    from: usize,
    pub fields: usize,
    /// Its line.
    pub line: u64,
}

/// The first records of a text.
pub(super) struct First<'t> {
    text: &'t str,
    file: &'t str,
    how: &'t Cut,
    /// The fields of all rows, row after row.
    cells: Vec<Cow<'t, str>>,
    pub rows: Vec<Row>,
    /// The fields that are held of a record.
    most: usize,
    /// The last comment before the first row.
    comment: Option<&'t str>,
    /// Comments that were passed over.
    comments: u64,
    /// Rows before the first blank record: one of delimiters alone.
    pub blank_after: Option<usize>,
    /// The first row has no field for the first column.
    lacks_corner: bool,
    /// The line on which the text begins.
    line: u64,
    room: Reservation,
}

impl<'t> First<'t> {
    fn read(
        (text, line): (&'t str, u64),
        how: &'t Cut,
        file: &'t str,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let room = budget.reserve(text.len() as u64);
        let mut first = Self {
            text,
            file,
            how,
            cells: Vec::new(),
            rows: Vec::new(),
            most: 0,
            comment: None,
            comments: 0,
            blank_after: None,
            lacks_corner: false,
            line,
            room: room.map_err(|s| s.of(file, "its text"))?,
        };
        // The columns are counted before a field is held.
        let (mut records, mut widest) = (0, 0);
        let mut size_columns = |record: Record| {
            if record.fields > first.most {
                (first.most, widest) = (record.fields, line + u64::from(record.line));
            }
            records += usize::from(!record.is_blank(0));
            if records < LOOKED_AT { Ok(()) } else { Err(()) }
        };
        let _ = cut(text.as_bytes(), how, &mut size_columns);
        let columns = first.most;
        let short = |s: OverBudget| InputError {
            place: Place::line(widest),
            ..s.of(file, format_args!("{columns} columns"))
        };
        first.room.more(COLUMN.saturating_mul(columns as u64)).map_err(short)?;
        match cut(text.as_bytes(), how, &mut first) {
            Ok(()) | Err(None) => Ok(first),
            Err(Some(fault)) => Err(fault),
        }
    }

    /// A field; empty where the row has none.
    pub(super) fn field(&self, row: usize, column: usize) -> &str {
        let lacking = usize::from(self.lacks_corner && row == 0);
        let Some(column) = column.checked_sub(lacking) else { return "" };
        let row = self.rows[row];
        if column < row.fields { &self.cells[row.from + column] } else { "" }
    }

    fn row(&self, row: usize) -> &[Cow<'t, str>] {
        let row = self.rows[row];
        &self.cells[row.from..row.from + row.fields]
    }

    /// The fields of a row up to the last that holds a character.
    fn filled(&self, row: usize) -> usize {
        self.row(row).iter().rposition(|t| !t.is_empty()).map_or(0, |last| last + 1)
    }

    /// The number of fields that most rows after the first have.
    pub(super) fn usual_width(&self) -> Option<usize> {
        let counts = || self.rows.iter().skip(1).map(|row| row.fields);
        let mut sorted: Vec<usize> = counts().collect();
        sorted.sort_unstable();
        sorted.chunk_by(|a, b| a == b).max_by_key(|run| (run.len(), run[0])).map(|run| run[0])
    }

    /// The columns: as many as the first row has fields, but for names of R's form.
    pub(super) fn width(&self) -> usize {
        self.rows.first().map_or(0, |row| row.fields + usize::from(self.lacks_corner))
    }

    /// Takes out of the names a blank one that no row has a field for; its place, from 1.
    fn stray_name(&mut self) -> Option<usize> {
        let width = self.rows.first()?.fields;
        let blank: Vec<usize> = (0..width).filter(|&c| self.row(0)[c].trim().is_empty()).collect();
        let &[at] = blank.as_slice() else { return None };
        let is_within = at > 0 && at + 1 < width && self.rows.len() > 2;
        if !is_within || !self.rows[1..].iter().all(|row| row.fields + 1 == width) {
            return None;
        }
        self.cells.remove(self.rows[0].from + at);
        self.rows[0].fields -= 1;
        self.rows[1..].iter_mut().for_each(|row| row.from -= 1);
        Some(at + 1)
    }

    /// The first rows that hold a name and its value alone, as instruments write them above the names of a table, where the rows below
    /// hold more.
    fn settings(&self) -> usize {
        let is_setting = |row: usize| self.row(row).iter().skip(2).all(|t| t.trim().is_empty());
        let filled = |row: usize| self.row(row).iter().filter(|t| !t.trim().is_empty()).count();
        let lead = (0..self.rows.len()).take_while(|&row| is_setting(row)).count();
        let width = self.rows.first().map_or(0, |row| row.fields);
        let is_full = |row: usize| self.rows[row].fields == width && filled(row) > 2;
        let names = |row: &usize| self.row(*row).iter().filter(|t| parse_number(t).is_none()).count();
        let begins = lead > 0 && width > 3 && lead + 1 < self.rows.len();
        let is_table = begins
            && (lead..self.rows.len()).all(is_full)
            && 2 * filled(lead) > width
            && names(&lead) == self.rows[lead].fields;
        if is_table { lead } else { 0 }
    }

    /// Names of the columns by their lines.
    fn named(&self, above: Above, width: usize, data: &Data, lints: &mut Lints) -> Schema {
        let lines = above.lines().min(self.rows.len());
        if lines < 2 {
            let names = (0..width).map(|c| self.field(0, c).to_owned()).collect();
            let blank = self.blank();
            return Schema::named_but(self.file, names, data, blank, lints);
        }
        // A name holds on over blank fields, as over merged cells, but not from a column that has no name below it.
        let mut levels: Vec<Vec<String>> = Vec::new();
        for line in 0..lines {
            let mut names: Vec<String> = (0..width).map(|c| self.field(line, c).trim().to_owned()).collect();
            // Names that are written over each of their columns do not hold on.
            let repeats = names.windows(2).any(|w| !w[0].is_empty() && w[0] == w[1]);
            if line + 1 < lines && !repeats {
                for c in 1..width {
                    let below = |c: usize| (line + 1..lines).any(|l| !self.field(l, c).trim().is_empty());
                    let same = (0..line).all(|l| levels[l][c] == levels[l][c - 1]);
                    if names[c].is_empty() && !names[c - 1].is_empty() && below(c) && below(c - 1) && same {
                        let (before, after) = names.split_at_mut(c);
                        after[0].clone_from(&before[c - 1]);
                    }
                }
            }
            levels.push(names);
        }
        let (labels, index): (usize, Vec<String>) = match above {
            Above::Named(line, labels) => {
                (labels, (0..labels).map(|c| self.field(line, c).to_owned()).collect())
            }
            Above::Unnamed(_) => (1, vec![String::new()]),
            _ => (0, Vec::new()),
        };
        let level_names = match labels {
            0 => Vec::new(),
            _ => levels.iter().map(|level| level[0].clone()).collect(),
        };
        let join = |c: usize| match index.get(c) {
            Some(name) => name.clone(),
            None => {
                let parts = levels.iter().map(|level| level[c].as_str()).filter(|t| !t.is_empty());
                parts.collect::<Vec<_>>().join(", ")
            }
        };
        let names = (0..width).map(join).collect();
        let mut schema = Schema::named_but(self.file, names, data, self.blank(), lints);
        (schema.levels, schema.level_names) = (levels, level_names);
        schema.label_columns = (labels > 0).then_some(labels);
        schema
    }

    /// Names of columns in the last comment before the rows, where there are as many as columns and none is a number.
    pub(super) fn comment_names(&self) -> Option<Vec<String>> {
        let prefix = self.how.comment.as_deref()?;
        let comment = self.comment?.trim();
        let written = comment.strip_prefix(FIELDS).unwrap_or_else(|| comment.trim_start_matches(prefix));
        let how = Cut::at(self.how.delimiter);
        let mut names = Names { text: written, names: Vec::new() };
        let _ = cut(written.as_bytes(), &how, &mut names);
        let mut names: Vec<String> = names.names.iter().map(|n| n.trim().to_owned()).collect();
        if names.first().is_some_and(String::is_empty) {
            prefix.clone_into(&mut names[0]);
        }
        let all = self.usual_width().unwrap_or_else(|| self.width());
        // A delimiter at the end of each row, but not of the names.
        let blank =
            self.blank().iter().rev().zip((0..all).rev()).take_while(|(c, last)| **c == *last).count();
        let width = if names.len() == all { all } else { all - blank };
        // Names with blanks in them stand farther apart.
        if self.how.delimiter == Delimiter::Blanks && names.len() != width {
            let apart = written.split('\t').flat_map(|part| part.split("  ")).map(str::trim);
            names = apart.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        }
        // Names may be parted by bars, and the first may be that of rows without labels.
        if names.len() != width && written.contains('|') {
            names = written
                .split('|')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect();
        }
        if names.len() == width + 1 && written.contains('|') {
            names.remove(0);
        }
        let mut met = HashSet::new();
        let is_text = |n: &String| parse_number(n).is_none();
        // Settings may stand behind the name of the labels.
        let numbers: Vec<f64> =
            names.iter().skip(1).filter_map(|n| Some(parse_number(n)?.as_f64())).collect();
        let are_settings =
            names.first().is_some_and(is_text) && numbers.len() + 1 == names.len() && is_monotone(&numbers);
        let fits = |n: &String| {
            !n.is_empty() && n.chars().count() <= 60 && (are_settings || is_text(n)) && met.insert(n.clone())
        };
        let found = width > 1 && names.len() == width && names.iter().all(fits);
        names.resize(all, String::new());
        found.then_some(names)
    }

    /// The columns without a name and without a value, but the first.
    fn blank(&self) -> Vec<usize> {
        let is_blank = |&c: &usize| (0..self.rows.len()).all(|row| self.field(row, c).trim().is_empty());
        (1..self.width()).filter(is_blank).collect()
    }

    /// Those of them behind all others.
    fn blank_at_the_end(&self) -> Vec<usize> {
        let mut blank = self.blank();
        let at_the_end = |(n, &c): (usize, &usize)| c + n + 1 == self.width();
        let ends = blank.iter().rev().enumerate().take_while(|b| at_the_end((b.0, b.1))).count();
        blank.split_off(blank.len() - ends)
    }

    /// The columns whose plain numbers may all have parted thousands, as `1.234`, in a file where commas may be decimal.
    fn suspects(&self, from: usize, delimiter: Delimiter) -> Vec<usize> {
        let column = |c| (from..self.rows.len()).map(move |row| self.field(row, c));
        let is_grouped = |t: &str| t.matches('.').count() > 1 && Numeral::COMMA.plain(t).is_some();
        let is_comma = |c: &usize| column(*c).any(|t| is_decimal_comma(t) || is_grouped(t));
        if delimiter != Delimiter::Byte(b';') && !(0..self.width()).any(|c| is_comma(&c)) {
            return Vec::new();
        }
        let is_suspect = |c: &usize| {
            let mut fractions =
                column(*c).filter(|t| t.contains('.') && parse_number(t).is_some()).peekable();
            fractions.peek().is_some() && fractions.all(|t| Numeral::COMMA.plain(t).is_some())
        };
        (0..self.width()).filter(is_suspect).collect()
    }

    /// Whether a row has a field with a character beyond the columns.
    fn is_too_long(&self, row: usize, width: usize) -> bool {
        self.filled(row) > width
    }

    /// The refusal of a row with too many fields; where it begins the table, the lines before it are named.
    fn too_long(&self, row: usize, width: usize) -> InputError {
        let row = self.rows[row];
        let fault = ragged(self.file, row.line, row.fields, width);
        match self.rows_before(row, width) {
            Some(lines) => fault.with_hint(format!("--skip-rows {lines} begins with line {}", row.line)),
            None => fault,
        }
    }

    /// The lines before a row of more fields, if it begins a table and few rows are before it.
    fn rows_before(&self, row: Row, width: usize) -> Option<u64> {
        let before = self.rows.iter().take_while(|r| r.line < row.line).count();
        if row.fields <= width || before > 9 {
            return None;
        }
        let after = &self.rows[before..];
        let same = after.iter().take(ENOUGH).all(|r| r.fields == row.fields);
        let texts = self.row(before).iter().any(|t| t.contains(char::is_alphabetic));
        (after.len() > 1 && same && texts).then_some(row.line - 1)
    }

    fn no_rows(&self, how: &Cut) -> InputError {
        let fault = InputError::refused(self.file, "", "no data rows");
        match (&how.comment, self.comments) {
            (Some(comment), 1..) => {
                let n = count(self.comments as usize, "line");
                let what = format!("no data rows: {n} that begin with {comment} are comments");
                InputError::refused(self.file, "", what).with_hint("--comment none")
            }
            _ => fault,
        }
    }
}

/// The fields of one line.
struct Names<'t> {
    text: &'t str,
    names: Vec<Cow<'t, str>>,
}

impl Sink for Names<'_> {
    type Stop = ();

    fn field(&mut self, field: Written) {
        self.names.push(field.text(self.text));
    }

    fn record(&mut self, _: Record) -> Result<(), ()> {
        Err(())
    }
}

impl Sink for First<'_> {
    /// A fault; none where the rows are enough.
    type Stop = Option<InputError>;

    fn field(&mut self, field: Written) {
        if field.index < self.most {
            self.cells.push(field.text(self.text));
        }
    }

    fn comment(&mut self, _: u32, bytes: Range<usize>) {
        self.comments += 1;
        // PLUMED names the columns above their settings.
        let is_named = self.comment.is_some_and(|comment| comment.trim_start().starts_with(FIELDS));
        if self.rows.is_empty() && !is_named {
            self.comment = Some(&self.text[bytes]);
        }
    }

    fn record(&mut self, record: Record) -> Result<(), Self::Stop> {
        let line = self.line + u64::from(record.line);
        if let Some(open) = record.open {
            return Err(Some(unclosed(self.file, self.line + u64::from(open))));
        }
        let from = self.rows.last().map_or(0, |row| row.from + row.fields);
        if record.is_blank(self.rows.first().map_or(0, |row| row.fields)) {
            self.cells.truncate(from);
            let blank = record.fields > 1 && !self.rows.is_empty();
            self.blank_after = self.blank_after.or(blank.then_some(self.rows.len()));
            return Ok(());
        }
        self.rows.push(Row { from, fields: record.fields, line });
        let rows = self.rows.len();
        let owed = self.room.owe(FIELD * record.fields as u64);
        owed.map_err(|s| InputError {
            place: Place::line(line),
            ..s.of(self.file, format_args!("{rows} rows"))
        })?;
        if rows < LOOKED_AT { Ok(()) } else { Err(None) }
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

/// Beginnings of comments that are one where all lines before the data have them; the last also separates fields.
const COMMENTS: [&str; 3] = ["%", "//", ";"];

/// The beginning of the comments of a text: as the figure says; else `#`, or another that its first lines have.
pub(super) fn comment_of(text: &str, data: &Data) -> Option<String> {
    match data.comment.as_deref() {
        Some("none" | "") => return None,
        Some(given) => return Some(given.to_owned()),
        None => {}
    }
    let lines = || text.lines().map(str::trim_start).filter(|line| !line.is_empty());
    let first = lines().next().unwrap_or_default();
    let other = COMMENTS.into_iter().find(|c| first.starts_with(c)).filter(|c| {
        let mut below = lines().skip_while(|line| line.starts_with(c)).peekable();
        let is_table = |line: &str| line.contains(';') && *c == ";";
        below.peek().is_some_and(|row| !is_table(row))
    });
    Some(other.unwrap_or("#").to_owned())
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
        let comment = Some("#".to_owned());
        let delimiter = super::super::delimiter::sniff_delimiter(text, comment.as_ref(), false);
        let how = Cut { delimiter, comment };
        Head::read((text, 1), &how, "t.csv", data, lints, &Budget::new(1 << 20))
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
        assert!(!headed("1,5;2,5\n3,5;4,5\n") && headed(";0,5;1,5\na;2,5;3\n") && !headed("m,0.5\na,2.5\n"));
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
        assert_eq!(read(&format!("a,b\n{rows}")).unwrap().rows, ENOUGH + 9);
        assert_eq!(read(&format!("a,b\n{rows}{rows}")).unwrap().rows, LOOKED_AT - 1);
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
