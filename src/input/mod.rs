//! Files to grids.

mod error;
mod names;
mod bytes;
mod fingerprint;
mod field;
mod time;
mod loaded;
mod value;
mod scan;
mod schema;
mod typed;
mod batch;
mod ordered;
mod delimiter;
mod csv;
mod csv_stream;
mod typed_table;
mod filter;
mod keys;
mod axes;
mod aggregate;
mod tidy;
mod wide;
mod suggest;
mod table;
mod npy_dtype;
mod npy_literal;
mod npy_header;
mod npy;
mod plane;
mod raw;
mod array;
mod axis_values;
mod select;
mod archive;
mod npz;
#[cfg(feature = "zarr")]
mod zarr;
#[cfg(any(feature = "parquet", feature = "arrow"))]
mod columnar;
mod figure_place;
mod figure_words;
mod figure_file;
mod json_text;
mod json_shape;
mod json_columns;
mod json;
mod open;

pub use array::array_grids;
pub use axis_values::hold;
pub use bytes::{Kind, read_file, read_first, read_last, refuse, sniff, text};
#[cfg(any(feature = "parquet", feature = "arrow"))]
pub use columnar::is_decoding;
pub use csv::Records;
pub use error::{ErrorKind, InputError};
pub use figure_file::{Format, figure_schema, read_figure, resolve_paths};
pub use figure_words::check_words;
pub use fingerprint::Fingerprint;
pub use loaded::{Loaded, Needs};
pub use names::{base_name, told_apart};
pub use npy::{Array, read_npy};
pub use open::{STORED_FROM, open, open_bytes, open_figure};
pub use raw::parse_raw;
pub use select::apply;
pub use table::{read_table, read_tables};
pub use typed::{TypedCells, TypedColumn};
