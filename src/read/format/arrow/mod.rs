//! Arrow IPC files and streams, and Feather V2: read record batch by record batch.

mod message;
mod record_batch;
mod schema;
mod body;
mod file;
mod table;
mod data_type;
mod batches;

pub use batches::{BatchOptions, RecordBatchStream, RecordBatches};

use super::reader::{Contents, Input};
use crate::error::InputError;
use arrow_schema::ArrowError;
use gridscope_core::lint::Lints;
use std::borrow::Cow;
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

/// The message of an error, without the name of its kind unless that names the fault.
fn error_text(error: &ArrowError) -> Cow<'_, str> {
    match error {
        ArrowError::CastError(text)
        | ArrowError::MemoryError(text)
        | ArrowError::ParseError(text)
        | ArrowError::SchemaError(text)
        | ArrowError::ComputeError(text)
        | ArrowError::CsvError(text)
        | ArrowError::JsonError(text)
        | ArrowError::AvroError(text)
        | ArrowError::IoError(text, _)
        | ArrowError::IpcError(text)
        | ArrowError::InvalidArgumentError(text)
        | ArrowError::ParquetError(text)
        | ArrowError::CDataInterface(text) => text.into(),
        ArrowError::ExternalError(error) => error.to_string().into(),
        other => other.to_string().into(),
    }
}
