//! A table with further columns, each computed from those of the table row by row.

use super::made::{Derived, Made};
use super::value::Row;
use crate::error::InputError;
use crate::numeral::Numeral;
use crate::table::{Batch, Cells, Part, Parts, Reads, Schema, TableSource};
use std::sync::Arc;

/// A source with derived columns behind its own.
pub(super) struct DerivedTable {
    source: Box<dyn TableSource>,
    schema: Schema,
    /// The columns of the source.
    width: usize,
    columns: Vec<Derived>,
}

impl DerivedTable {
    pub(super) fn new(source: Box<dyn TableSource>, columns: Vec<Derived>) -> Self {
        let mut schema = source.schema().clone();
        for column in &columns {
            let mut inputs = Vec::new();
            column.expression.columns(&mut inputs);
            let bins = column.bins.as_ref().map(|b| Arc::clone(&b.0));
            // Conditions on it write numbers as those on its columns do.
            let numeral = inputs.iter().find_map(|c| schema.numeral(*c));
            schema.add_derived(&column.text, inputs, bins);
            if let Some(numeral) = numeral {
                schema.set_numerals(&[(schema.width() - 1, Numeral { unit: None, ..numeral })]);
            }
        }
        Self { width: source.schema().width(), source, schema, columns }
    }
}

impl TableSource for DerivedTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let part = |inner| DerivedPart {
            inner,
            table: self,
            asked: Vec::new(),
            read: Vec::new(),
            made: self.columns.iter().map(Made::new).collect(),
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

struct DerivedPart<'t> {
    inner: Box<dyn Part + 't>,
    table: &'t DerivedTable,
    /// The columns that were asked for, and those of the source that they take.
    asked: Vec<usize>,
    read: Vec<usize>,
    /// The values of the derived columns in the batch.
    made: Vec<Made>,
}

impl DerivedPart<'_> {
    /// Notes which columns of the source the asked ones take.
    fn ask(&mut self, columns: &[usize]) {
        if self.asked == columns && !self.read.is_empty() {
            return;
        }
        let width = self.table.width;
        self.asked = columns.to_vec();
        self.read = columns.iter().copied().filter(|c| *c < width).collect();
        for column in columns.iter().filter(|c| **c >= width) {
            self.table.columns[column - width].expression.columns(&mut self.read);
        }
    }
}

impl Part for DerivedPart<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        self.ask(columns);
        let (width, table) = (self.table.width, self.table);
        let Some(batch) = self.inner.next(&self.read)? else {
            return Ok(None);
        };
        let Batch { rows, columns: cells, places } = batch;
        for &asked in columns.iter().filter(|c| **c >= width) {
            let (column, made) = (&table.columns[asked - width], &mut self.made[asked - width]);
            let first = Row { schema: table.source.schema(), columns: &self.read, cells: &cells, row: 0 };
            made.fill(column, first, rows)
                .map_err(|(row, what)| places.refused(row, format!("{}: {what}", column.text)))?;
        }
        let mut cells: Vec<Option<Cells>> = cells.into_iter().map(Some).collect();
        let made = &self.made;
        let of = |&column: &usize| match column.checked_sub(width) {
            Some(derived) => {
                Cells::Typed { cells: made[derived].cells(), valid: Some(made[derived].valid()), from: 0 }
            }
            None => {
                let at = self.read.iter().position(|c| *c == column);
                at.and_then(|at| cells[at].take()).unwrap_or(Cells::One(""))
            }
        };
        Ok(Some(Batch { rows, columns: columns.iter().map(of).collect(), places }))
    }
}
