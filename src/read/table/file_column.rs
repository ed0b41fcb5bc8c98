//! A source with a last column that holds the name of its file in every row.

use super::batch::{Batch, Cells};
use super::schema::Schema;
use super::source::{Part, Parts, Reads, TableSource};
use crate::error::InputError;

/// A source, and what its column says.
struct WithFile {
    source: Box<dyn TableSource>,
    schema: Schema,
    name: String,
}

/// The source with a further column `file`.
pub(crate) fn with_file(source: Box<dyn TableSource>, name: String) -> Box<dyn TableSource> {
    let mut schema = source.schema().clone();
    schema.add_column("file");
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
