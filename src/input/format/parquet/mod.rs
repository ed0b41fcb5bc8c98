//! Parquet files: row groups are read a slice of rows at a time, and of the columns only those that a figure needs.

mod thrift;
mod footer;
mod delta;
mod page_header;
mod pages;
mod logical_type;
mod chunk;
mod table;

pub use table::ParquetTable;
