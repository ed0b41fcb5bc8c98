//! Tables: their schema, their columns, and the batches of rows that every reader yields and every consumer takes.

mod schema;
mod column;
#[cfg(any(feature = "parquet", feature = "arrow"))]
mod column_builder;
mod batch;
mod source;
mod typed_table;
mod spool;

pub use batch::{Batch, Cells, Places};
pub use column::{TypedCells, TypedColumn};
#[cfg(any(feature = "parquet", feature = "arrow"))]
pub use column_builder::{CellType, ColumnBuilder};
pub use schema::{COLUMN, Schema, count, listed, nearest};
#[cfg(test)]
pub use source::texts;
pub use source::{Part, Parts, Reads, TableSource};
pub use spool::rereadable;
pub use typed_table::TypedTable;
