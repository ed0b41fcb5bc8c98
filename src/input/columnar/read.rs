//! Which columnar format a file is, and its table.

use super::budget::Budget;
use super::projection::Request;
use super::source::Source;
use crate::figure::Figure;
use crate::input::bytes::{Kind, unbuilt};
use crate::input::error::InputError;
use crate::input::loaded::Needs;
use crate::input::pivot::Opened;
use crate::input::table::TableSource;
use crate::lint::Lints;
use std::sync::Arc;

/// The table of a columnar file, as far as the figure needs its columns; what it takes is taken off the budget.
///
/// # Errors
/// Where the file is damaged, too large, or holds what is not read.
pub(in crate::input) fn read_columnar(
    file: &str,
    kind: Kind,
    source: Source,
    figure: &Figure,
    needs: &Needs,
    budget: &Arc<Budget>,
) -> Result<Opened, InputError> {
    let mut lints = Lints::default();
    let request = Request {
        file,
        figure,
        needs,
        budget,
    };
    let table: Box<dyn TableSource> = match kind {
        #[cfg(feature = "parquet")]
        Kind::Parquet => Box::new(super::parquet_table::ParquetTable::open(
            source, &request, &mut lints,
        )?),
        #[cfg(feature = "arrow")]
        Kind::Arrow => Box::new(super::arrow_table::ArrowTable::open(
            source, &request, &mut lints,
        )?),
        _ => return Err(unbuilt(file, kind)),
    };
    Ok((table, lints))
}
