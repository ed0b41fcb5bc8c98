//! Arrow IPC files and streams, and Feather V2: read record batch by record batch.

mod message;
mod record_batch;
mod schema;
mod body;
mod dictionary;
mod file;
mod table;

pub use table::ArrowTable;
