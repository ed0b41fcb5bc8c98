//! Tables: their schema, their columns, and the batches of rows that every reader yields and every consumer takes.

mod schema;
mod column;
// Columnar files alone use all of these two.
#[cfg_attr(not(all(feature = "parquet", feature = "arrow")), allow(dead_code))]
mod column_builder;
#[cfg_attr(not(all(feature = "parquet", feature = "arrow")), allow(dead_code))]
mod column_slices;
mod batch;
mod source;
mod column_table;
#[cfg(any(feature = "npz", feature = "netcdf"))]
#[cfg_attr(not(feature = "netcdf"), allow(dead_code))]
mod value_column;
mod noticed;
// Databases alone group rows.
#[cfg_attr(not(feature = "adbc"), allow(dead_code))]
mod grouping;
mod spool;

pub use batch::{Batch, Cells, Places};
#[cfg(any(feature = "npz", feature = "zarr", feature = "netcdf"))]
pub(crate) use column::single;
pub use column::{Column, ColumnValues};
pub(crate) use column_builder::{CellType, ColumnBuilder, EXACT};
pub use column_table::ColumnTable;
pub(crate) use grouping::{GroupValues, Grouping};
pub(crate) use noticed::OddLines;
pub use schema::Schema;
pub(crate) use schema::{BinAxis, BinScale, COLUMN, count, listed, nearest};
#[cfg(test)]
pub(crate) use source::texts;
pub use source::{Part, Parts, Reads, TableSource};
pub(crate) use source::{TABLE, rewritten, with_exact, with_file, with_readings};
pub(crate) use spool::rereadable;
#[cfg(any(feature = "npz", feature = "netcdf"))]
pub(crate) use value_column::{ColumnValue, NamedColumn, table_of_values};
