//! Arrow IPC files and streams, and Feather V2: read record batch by record batch.

mod message;
mod record_batch;
mod schema;
mod body;
mod dictionary;
mod file;
mod table;
mod data_type;
mod batches;

pub use batches::{BatchOptions, RecordBatchStream, RecordBatches};

use super::reader::{Contents, Input};
use crate::error::InputError;
use gridscope_core::lint::Lints;
use table::ArrowTable;

/// The table of an Arrow file.
///
/// # Errors
/// As [`ArrowTable::open`].
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let mut lints = Lints::default();
    let table = ArrowTable::open(input.content(), &input.request, &mut lints)?;
    Ok(Contents::table(table, lints, String::new(), false))
}
