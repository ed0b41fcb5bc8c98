//! The trait by which every table is read, and sources with a further column or rewritten numbers.

use super::batch::{Batch, Cells};
use super::column::ColumnValues;
use super::schema::Schema;
use crate::error::InputError;
use crate::numeral::Numeral;
use crate::pivot::DateReading;

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

/// A source, and the text of its column.
struct WithFile {
    source: Box<dyn TableSource>,
    schema: Schema,
    name: String,
}

/// The column of the titles of tables of one text.
pub(crate) const TABLE: &str = "table";

/// The source with a further column: the name that tells it from others.
pub(crate) fn with_file(source: Box<dyn TableSource>, column: &str, name: String) -> Box<dyn TableSource> {
    let mut schema = source.schema().clone();
    schema.add_column(column);
    Box::new(WithFile { source, schema, name })
}

impl TableSource for WithFile {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let part = |inner| PartWithFile {
            inner,
            file: self.schema.width() - 1,
            name: &self.name,
            asked: Vec::new(),
        };
        Box::new(self.source.parts().map(move |inner| Ok(Box::new(part(inner?)) as Box<dyn Part>)))
    }

    fn threads(&self) -> usize {
        self.source.threads()
    }

    fn reads(&self) -> Reads {
        self.source.reads()
    }
}

struct PartWithFile<'t> {
    inner: Box<dyn Part + 't>,
    /// The place of the column.
    file: usize,
    name: &'t str,
    /// The other columns that are asked for.
    asked: Vec<usize>,
}

impl Part for PartWithFile<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let Some(at) = columns.iter().position(|c| *c == self.file) else {
            return self.inner.next(columns);
        };
        self.asked.clear();
        self.asked.extend(columns.iter().filter(|c| **c != self.file));
        let batch = self.inner.next(&self.asked)?;
        Ok(batch.map(|mut batch| {
            batch.columns.insert(at, Cells::One(self.name));
            batch
        }))
    }
}

/// A source with some of its columns rewritten.
struct Rewritten {
    source: Box<dyn TableSource>,
    schema: Schema,
}

/// The source with the numbers of these columns as plain ones; what is not a number by a column's rule stays as it is.
pub(crate) fn rewritten(source: Box<dyn TableSource>, numerals: &[(usize, Numeral)]) -> Box<dyn TableSource> {
    if numerals.is_empty() {
        return source;
    }
    let mut schema = source.schema().clone();
    schema.set_numerals(numerals);
    Box::new(Rewritten { source, schema })
}

/// The source with columns whose texts conditions compare letter for letter.
pub(crate) fn with_exact(source: Box<dyn TableSource>, columns: &[usize]) -> Box<dyn TableSource> {
    let mut schema = source.schema().clone();
    schema.set_exact(columns);
    Box::new(Rewritten { source, schema })
}

/// The source with the order of day and month in the dates of these columns.
pub(crate) fn with_readings(
    source: Box<dyn TableSource>,
    readings: &[(usize, DateReading)],
) -> Box<dyn TableSource> {
    let mut schema = source.schema().clone();
    schema.set_date_readings(readings);
    Box::new(Rewritten { source, schema })
}

impl TableSource for Rewritten {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let part = |inner| RewrittenPart { inner, schema: &self.schema, texts: Vec::new() };
        Box::new(self.source.parts().map(move |inner| Ok(Box::new(part(inner?)) as Box<dyn Part>)))
    }

    fn threads(&self) -> usize {
        self.source.threads()
    }

    fn reads(&self) -> Reads {
        self.source.reads()
    }
}

struct RewrittenPart<'t> {
    inner: Box<dyn Part + 't>,
    schema: &'t Schema,
    /// By column of the batch: the new text of each row that has one; empty for columns that stay.
    texts: Vec<Vec<Option<String>>>,
}

impl Part for RewrittenPart<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let Some(batch) = self.inner.next(columns)? else {
            return Ok(None);
        };
        let Batch { rows, columns: cells, places } = batch;
        let plain = |(cells, &column): (&Cells, &usize)| match self.schema.numeral(column) {
            Some(numeral) if cells.is_text() => {
                (0..rows).map(|row| numeral.plain(&cells.text(row))).collect()
            }
            _ => Vec::new(),
        };
        self.texts = cells.iter().zip(columns).map(plain).collect();
        let columns = cells.into_iter().zip(&self.texts);
        Ok(Some(Batch {
            rows,
            columns: columns.map(|(cells, new)| replaced(cells, rows, new)).collect(),
            places,
        }))
    }
}

/// A column with new texts in place of some of its own; with none at all it stays as it is.
fn replaced<'p>(cells: Cells<'p>, rows: usize, new: &'p [Option<String>]) -> Cells<'p> {
    if new.is_empty() {
        return cells;
    }
    let old: Vec<&str> = match cells {
        Cells::Texts(texts) => texts,
        Cells::One(text) => vec![text; rows],
        Cells::Typed { cells, valid, from } => {
            let text = |row: usize| match cells {
                _ if valid.is_some_and(|v| !v[from + row]) => "",
                ColumnValues::Texts { codes, texts } => texts[codes[from + row] as usize].as_str(),
                _ => "",
            };
            (0..rows).map(text).collect()
        }
    };
    let text = |(old, new): (_, &'p Option<String>)| new.as_deref().unwrap_or(old);
    Cells::Texts(old.into_iter().zip(new).map(text).collect())
}
