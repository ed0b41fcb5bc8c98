//! The trait by which every table is read: a source yields parts, a part yields batches of rows.

use super::batch::Batch;
use super::schema::Schema;
use crate::error::InputError;

/// The parts of a table, in the order of its rows.
pub type Parts<'t> = Box<dyn Iterator<Item = Result<Box<dyn Part + 't>, InputError>> + Send + 't>;

/// How often the rows of a source can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Once: a pipe, a stream, a database cursor. Where more than one pass is needed, the rows are held in memory.
    Once,
    /// Any number of times.
    Any,
}

/// A table, from a file or from anywhere else.
///
/// Tidy tables, wide tables and matrices are all read through this trait, so a new source of tables implements it and
/// needs nothing else. A source that has its columns in memory need not implement it: see
/// [`ColumnTable`](super::ColumnTable).
pub trait TableSource: Sync {
    /// The columns of the table, known before any row is read.
    fn schema(&self) -> &Schema;

    /// The rows, from the first on. Several threads may each decode a part at the same time; parts are taken from the
    /// iterator in order.
    ///
    /// A source that [can be read once](Reads::Once) is asked for its parts once.
    fn parts(&self) -> Parts<'_>;

    /// The number of threads that decoding the rows is worth, at least 1.
    fn threads(&self) -> usize {
        1
    }

    /// How often [`parts`](TableSource::parts) may be called.
    fn reads(&self) -> Reads {
        Reads::Any
    }
}

/// Consecutive rows of a table before they are decoded.
pub trait Part: Send {
    /// The cells of the columns at these places of the schema in the next rows; `None` after the last row. Every call on
    /// a part names the same columns, and no column twice. A batch may have no rows.
    ///
    /// # Errors
    /// Whatever is wrong with the rows, with its place in the file.
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError>;
}

/// All rows of a source as texts, for tests.
#[cfg(test)]
pub(crate) fn texts(source: &dyn TableSource) -> Result<Vec<Vec<String>>, InputError> {
    let columns: Vec<usize> = (0..source.schema().width()).collect();
    let mut out = Vec::new();
    for part in source.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&columns)? {
            let row = |row| batch.columns.iter().map(|c| c.text(row).into_owned()).collect();
            out.extend((0..batch.rows).map(row));
        }
    }
    Ok(out)
}
