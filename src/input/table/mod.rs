//! Tables: their schema, their columns, and the batches of rows that every reader yields and every consumer takes.

mod schema;
mod column;
mod batch;
mod source;
mod typed_table;
mod spool;

pub use batch::{Batch, Cells, Places};
pub use column::{TypedCells, TypedColumn};
pub use schema::{COLUMN, Schema, count, listed, nearest};
#[cfg(test)]
pub use source::texts;
pub use source::{Part, Parts, Reads, TableSource};
pub use spool::rereadable;
pub use typed_table::TypedTable;
