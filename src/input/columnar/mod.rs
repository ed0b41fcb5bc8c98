//! Columnar files: Parquet, Arrow IPC and Feather V2. What a file declares is checked before it is believed.

mod fault;
mod guard;
mod source;
mod codec;
mod dates;
mod budget;
mod value_type;
mod projection;
#[cfg(feature = "parquet")]
mod thrift;
#[cfg(feature = "parquet")]
mod footer;
#[cfg(feature = "parquet")]
mod delta;
#[cfg(feature = "parquet")]
mod page_header;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet_type;
#[cfg(feature = "parquet")]
mod chunk;
#[cfg(feature = "parquet")]
mod parquet_table;
#[cfg(feature = "arrow")]
mod arrow_message;
#[cfg(feature = "arrow")]
mod record_batch;
#[cfg(feature = "arrow")]
mod arrow_schema;
#[cfg(feature = "arrow")]
mod arrow_batch;
#[cfg(feature = "arrow")]
mod arrow_dictionary;
#[cfg(feature = "arrow")]
mod arrow_file;
#[cfg(feature = "arrow")]
mod arrow_table;
mod read;

pub use guard::is_decoding;
pub(super) use read::read_columnar;
