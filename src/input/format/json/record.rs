//! Records: an object is a row, and objects in it give columns under dotted names.

use super::tokenizer::{Fault, Scalar, Tokenizer};

/// The longest name of a column in bytes, from the outermost key to the innermost.
const LONGEST_NAME: usize = 1 << 20;

/// What the rows of records are read into.
pub(super) trait Rows {
    /// The column of that name, which the row names at `at`.
    ///
    /// # Errors
    /// When the row has named it before, or there are too many columns.
    fn column(&mut self, name: &str, at: usize) -> Result<usize, Fault>;

    /// The row has a list in a column.
    fn list(&mut self, column: usize, at: usize);

    /// The row has a value in a column; its token ends before byte `end`.
    ///
    /// # Errors
    /// A value that the column cannot take.
    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize, end: usize) -> Result<(), Fault>;

    /// The row ends.
    fn end_row(&mut self);
}

/// Reads records one after the other, up to the first that begins at byte `end` or behind it.
///
/// # Errors
/// The first fault of the text or of the rows.
pub(super) fn lines(text: &mut Tokenizer<'_>, end: usize, rows: &mut impl Rows) -> Result<(), Fault> {
    let mut name = String::new();
    while text.peek().is_some() && text.at() < end {
        record(text, &mut name, rows)?;
        rows.end_row();
    }
    Ok(())
}

/// Reads a list of records.
///
/// # Errors
/// As [`lines`].
pub(super) fn list(text: &mut Tokenizer<'_>, rows: &mut impl Rows) -> Result<(), Fault> {
    let mut name = String::new();
    text.list(&mut |text| {
        record(text, &mut name, rows)?;
        rows.end_row();
        Ok(())
    })?;
    text.end()
}

/// Reads the keys of an object; `outer` is the name of the keys around it, and is left as it was unless there is a fault.
fn record<R: Rows>(text: &mut Tokenizer<'_>, outer: &mut String, rows: &mut R) -> Result<(), Fault> {
    let before = outer.len();
    let dot = usize::from(before > 0);
    text.object(&mut |text, key, at| {
        if before + dot + key.len() > LONGEST_NAME {
            return Err(Fault {
                limit: true,
                ..Fault::new(at, format!("a name of over {} MiB", LONGEST_NAME >> 20))
            });
        }
        let nested = text.peek() == Some(b'{');
        if before == 0 && !nested {
            return value(text, &key, at, rows);
        }
        outer.push_str(&"."[..dot]);
        outer.push_str(&key);
        if nested {
            record(text, outer, rows)?;
        } else {
            value(text, outer, at, rows)?;
        }
        outer.truncate(before);
        Ok(())
    })
}

/// Reads the value of a key that does not hold an object.
fn value<R: Rows>(text: &mut Tokenizer<'_>, name: &str, at: usize, rows: &mut R) -> Result<(), Fault> {
    let column = rows.column(name, at)?;
    if text.peek() == Some(b'[') {
        rows.list(column, at);
        return text.skip();
    }
    let value = text.scalar()?;
    rows.value(column, &value, at, text.at())
}
