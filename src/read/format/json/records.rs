//! Records: an object is a row, objects in it give columns under dotted names.

use super::survey::Survey;
use super::tokenizer::{JsonFault, Scalar, Tokenizer};
use crate::error::InputError;
use foldhash::fast::RandomState;
use gridscope_core::figure::{Figure, List};
use std::collections::HashMap;

/// The longest name of a column in bytes, from the outermost key to the innermost.
const LONGEST_NAME: usize = 1 << 20;

/// Receiver of the rows of records.
pub(super) trait Rows {
    /// The column of that name, which the row names at `at`; probably it is column `next`.
    ///
    /// # Errors
    /// When the row has named it before, or there are too many columns.
    fn column(&mut self, name: &str, next: usize, at: usize) -> Result<usize, JsonFault>;

    /// The row has a list in a column.
    fn list(&mut self, column: usize, at: usize);

    /// The row has a value in a column, which it names at `at`.
    ///
    /// # Errors
    /// A value that the column cannot take.
    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize) -> Result<(), JsonFault>;

    /// The row ends.
    fn end_row(&mut self);
}

/// Reads records one after the other, up to the first that begins at byte `end` or behind it.
///
/// # Errors
/// The first fault of the text or of the rows.
pub(super) fn records(text: &mut Tokenizer<'_>, end: usize, rows: &mut impl Rows) -> Result<(), JsonFault> {
    let mut keys = RecordKeys::default();
    while text.peek().is_some() && text.at() < end {
        keys.record(text, rows)?;
    }
    Ok(())
}

/// Reads records with a comma between two, up to the end of the text: a part of a list.
///
/// # Errors
/// As [`records`].
pub(super) fn listed_records(text: &mut Tokenizer<'_>, rows: &mut impl Rows) -> Result<(), JsonFault> {
    let mut keys = RecordKeys::default();
    loop {
        keys.record(text, rows)?;
        if !text.take(b',') {
            return text.end();
        }
    }
}

/// Where in a record its reader is.
#[derive(Default)]
pub(super) struct RecordKeys {
    /// The name of the keys around.
    outer: String,
    /// The column that probably comes next: rows mostly name them in the same order.
    next: usize,
}

impl RecordKeys {
    /// Reads a record, which is a row.
    ///
    /// # Errors
    /// As [`records`].
    pub(super) fn record(&mut self, text: &mut Tokenizer<'_>, rows: &mut impl Rows) -> Result<(), JsonFault> {
        self.next = 0;
        self.object(text, rows)?;
        rows.end_row();
        Ok(())
    }

    /// Reads the keys of an object; the name of the keys around it is left as it was unless there is a fault.
    fn object<R: Rows>(&mut self, text: &mut Tokenizer<'_>, rows: &mut R) -> Result<(), JsonFault> {
        let before = self.outer.len();
        let dot = usize::from(before > 0);
        text.object(&mut |text, key, at| {
            if before + dot + key.len() > LONGEST_NAME {
                let what = format!("a name of over {} MiB", LONGEST_NAME >> 20);
                return Err(JsonFault::limit(at, what));
            }
            let nested = text.peek() == Some(b'{');
            if before == 0 && !nested {
                return value(text, &key, &mut self.next, at, rows);
            }
            self.outer.push_str(&"."[..dot]);
            self.outer.push_str(&key);
            if nested {
                self.object(text, rows)?;
            } else {
                value(text, &self.outer, &mut self.next, at, rows)?;
            }
            self.outer.truncate(before);
            Ok(())
        })
    }
}

/// Reads the value of a key that does not hold an object.
fn value<R: Rows>(
    text: &mut Tokenizer<'_>,
    name: &str,
    next: &mut usize,
    at: usize,
    rows: &mut R,
) -> Result<(), JsonFault> {
    let column = rows.column(name, *next, at)?;
    *next = column + 1;
    if text.peek() == Some(b'[') {
        rows.list(column, at);
        return text.skip();
    }
    let value = text.scalar()?;
    rows.value(column, &value, at)
}

/// Bytes that a column takes, beside its name, of which there are this many copies.
const COLUMN: u64 = 700;
const COPIES: u64 = 4;

/// Bytes of memory that a column without values takes.
pub(super) fn bytes_of_column(name: &str) -> u64 {
    COLUMN + COPIES * name.len() as u64
}

/// Names in the order of their first appearance.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: Vec<Box<str>>,
    places: HashMap<Box<str>, usize, RandomState>,
    /// The length of all of them, in bytes.
    pub bytes: usize,
}

impl Names {
    /// The column of that name; `next` is the one that is tried first.
    #[inline]
    pub(super) fn find(&self, name: &str, next: usize) -> Option<usize> {
        match self.names.get(next) {
            Some(n) if **n == *name => Some(next),
            _ => self.places.get(name).copied(),
        }
    }

    /// Adds a name that is new; returns its column.
    pub(super) fn add(&mut self, name: &str) -> usize {
        self.bytes += name.len();
        self.names.push(name.into());
        self.places.insert(name.into(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// The name of a column.
    pub(super) fn get(&self, column: usize) -> &str {
        &self.names[column]
    }
}

/// Whether a figure asks for a column of this name.
fn is_asked(name: &str, figure: &Figure) -> bool {
    asks_for(figure, |asked| asked == name)
}

/// Whether a figure asks for a column whose name is of some kind.
fn asks_for(figure: &Figure, is: impl Fn(&str) -> bool) -> bool {
    let data = &figure.data;
    let asked = [&data.x, &data.y, &data.value, &figure.x.column, &figure.y.column];
    let named = |l: &&Option<List>| l.as_ref().is_some_and(|List(l)| l.iter().any(|n| is(n)));
    asked.iter().any(named) || data.panel_names().any(is)
}

/// The columns of lists that a figure asks for, or for what their objects hold.
pub(super) fn asked_lists(survey: &Survey, figure: &Figure) -> Vec<String> {
    let names = survey.columns.iter().enumerate().filter(|(_, column)| column.list_at.is_some());
    let within = |name: &str, asked: &str| asked.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let names = names.map(|(i, _)| survey.names.get(i));
    let names = names.filter(|name| asks_for(figure, |asked| asked == *name || within(name, asked)));
    names.map(str::to_owned).collect()
}

/// The columns of the table, and those of lists, which are left out.
///
/// # Errors
/// The first column of lists that the figure asks for.
pub(super) fn choose(survey: &Survey, figure: &Figure) -> Result<(Vec<usize>, Vec<String>), JsonFault> {
    let mut sorted: Vec<&str> = (0..survey.columns.len()).map(|i| survey.names.get(i)).collect();
    sorted.sort_unstable();
    let (mut columns, mut lists) = (Vec::new(), Vec::new());
    for (i, column) in survey.columns.iter().enumerate() {
        let name = survey.names.get(i);
        match column.list_at {
            Some(at) if is_asked(name, figure) => {
                let what = format!("column '{name}' holds lists of other lengths than others, or of lists");
                return Err(JsonFault::new(at as usize, what));
            }
            Some(_) => lists.push(name.to_owned()),
            // A null where other rows have an object is not a column of its own.
            None if column.kinds.is_empty() && is_outer(name, &sorted) => {}
            None => columns.push(i),
        }
    }
    Ok((columns, lists))
}

/// Whether one of these names, which are sorted, is this one with a dot and more behind it.
fn is_outer(name: &str, names: &[&str]) -> bool {
    let inner = format!("{name}.");
    let next = names.partition_point(|n| *n < inner.as_str());
    names.get(next).is_some_and(|n| n.starts_with(&inner))
}

/// Refuses options that are for tables of text alone.
///
/// # Errors
/// When the figure has one.
pub(super) fn check_options(figure: &Figure, file: &str) -> Result<(), InputError> {
    let word = match &figure.data {
        data if data.delimiter.is_some() => "delimiter",
        data if data.header.is_some() => "header",
        _ => return Ok(()),
    };
    let what = format!("'{word}' is for tables of text; this is JSON");
    Err(InputError::usage(file, what))
}
