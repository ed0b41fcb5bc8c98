//! Records: an object is a row, and objects in it give columns under dotted names.

use super::fault::Fault;
use super::tokenizer::{Scalar, Tokenizer};

/// The longest name of a column in bytes, from the outermost key to the innermost.
const LONGEST_NAME: usize = 1 << 20;

/// Receiver of the rows of records.
pub(super) trait Rows {
    /// The column of that name, which the row names at `at`; probably it is column `next`.
    ///
    /// # Errors
    /// When the row has named it before, or there are too many columns.
    fn column(&mut self, name: &str, next: usize, at: usize) -> Result<usize, Fault>;

    /// The row has a list in a column.
    fn list(&mut self, column: usize, at: usize);

    /// The row has a value in a column, which it names at `at`.
    ///
    /// # Errors
    /// A value that the column cannot take.
    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize) -> Result<(), Fault>;

    /// The row ends.
    fn end_row(&mut self);
}

/// Reads records one after the other, up to the first that begins at byte `end` or behind it.
///
/// # Errors
/// The first fault of the text or of the rows.
pub(super) fn records(text: &mut Tokenizer<'_>, end: usize, rows: &mut impl Rows) -> Result<(), Fault> {
    let mut keys = Keys::default();
    while text.peek().is_some() && text.at() < end {
        keys.record(text, rows)?;
    }
    Ok(())
}

/// Reads records with a comma between two, up to the end of the text: a part of a list.
///
/// # Errors
/// As [`records`].
pub(super) fn listed_records(text: &mut Tokenizer<'_>, rows: &mut impl Rows) -> Result<(), Fault> {
    let mut keys = Keys::default();
    loop {
        keys.record(text, rows)?;
        if !text.take(b',') {
            return text.end();
        }
    }
}

/// Where in a record its reader is.
#[derive(Default)]
pub(super) struct Keys {
    /// The name of the keys around.
    outer: String,
    /// The column that probably comes next: rows mostly name them in the same order.
    next: usize,
}

impl Keys {
    /// Reads a record, which is a row.
    ///
    /// # Errors
    /// As [`records`].
    pub(super) fn record(&mut self, text: &mut Tokenizer<'_>, rows: &mut impl Rows) -> Result<(), Fault> {
        self.next = 0;
        self.object(text, rows)?;
        rows.end_row();
        Ok(())
    }

    /// Reads the keys of an object; the name of the keys around it is left as it was unless there is a fault.
    fn object<R: Rows>(&mut self, text: &mut Tokenizer<'_>, rows: &mut R) -> Result<(), Fault> {
        let before = self.outer.len();
        let dot = usize::from(before > 0);
        text.object(&mut |text, key, at| {
            if before + dot + key.len() > LONGEST_NAME {
                let what = format!("a name of over {} MiB", LONGEST_NAME >> 20);
                return Err(Fault::limit(at, what));
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
) -> Result<(), Fault> {
    let column = rows.column(name, *next, at)?;
    *next = column + 1;
    if text.peek() == Some(b'[') {
        rows.list(column, at);
        return text.skip();
    }
    let value = text.scalar()?;
    rows.value(column, &value, at)
}
