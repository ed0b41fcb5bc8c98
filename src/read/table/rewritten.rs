//! A source whose numbers are not written as plain ones, read as if they were: `1.234,5` as `1234.5`.

use super::batch::{Batch, Cells};
use super::column::ColumnValues;
use super::schema::Schema;
use super::source::{Part, Parts, Reads, TableSource};
use crate::error::InputError;
use crate::numeral::Numeral;

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
