//! Parquet files: row groups are read a slice of rows at a time, and of the columns only those that a figure needs.

mod footer;
mod pages;
mod chunk;
mod table;

use super::reader::{Contents, Input};
use crate::error::InputError;
use gridscope_core::lint::Lints;
use table::ParquetTable;

/// The table of a Parquet file.
///
/// # Errors
/// As [`ParquetTable::open`].
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let mut lints = Lints::default();
    let table = ParquetTable::open(input.content(), &input.request, &mut lints)?;
    Ok(Contents::table(table, lints, String::new(), false))
}
