//! Columnar tables as text, for what reads no batches: each column is read whole.

use super::budget::Budget;
use crate::input::batch::Table;
use crate::input::budget::Taken;
use crate::input::csv::{AsRecords, Records};
use crate::input::error::InputError;
use crate::input::ordered::{in_order, threads, waiting};
use crate::input::typed::TypedColumn;
use crate::input::typed_table::records_of;
use std::borrow::Cow;
use std::sync::Arc;

/// A table whose columns can be read whole.
pub(super) trait WholeColumns: Table {
    /// Rows and columns.
    fn size(&self) -> (u64, usize);

    /// What it takes its memory off.
    fn budget(&self) -> &Arc<Budget>;

    /// All rows of a column, and what its texts take.
    ///
    /// # Errors
    /// Damage, or too little memory.
    fn read_column(&self, column: usize) -> Result<(TypedColumn, Taken), InputError>;
}

impl<T: WholeColumns> AsRecords for T {
    fn records(&self) -> Result<Cow<'_, Records>, InputError> {
        let (schema, budget, (rows, all)) = (self.schema(), self.budget(), self.size());
        let _room = budget
            .table(rows, all as u64)
            .map_err(|f| f.at(&schema.file, ""))?;
        let (mut next, mut columns, mut rooms) = (0..all, Vec::new(), Vec::new());
        let threads = threads().min(all);
        in_order(
            (threads, waiting(threads)),
            || Ok(next.next()),
            || (),
            |(), column, give| give(self.read_column(column)?),
            |_, (column, room)| {
                columns.push(column);
                rooms.push(room);
                Ok(())
            },
        )?;
        let records = records_of(schema.clone(), &columns, rows as usize, budget)?;
        Ok(Cow::Owned(records))
    }
}
