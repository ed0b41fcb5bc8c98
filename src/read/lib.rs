//! Files to grids: [`open`] tells the format by the first bytes and reads what a [`Figure`](gridscope_core::figure::Figure) asks for.
//!
//! | format | what it gives | options (keys of `[data]`) | what ends in [`ErrorKind::Limit`] or a refusal |
//! | --- | --- | --- | --- |
//! | CSV, TSV, columns between blanks | a table; how it is written is in [`Loaded::dialects`] | `delimiter`, `comment`, `header`, `missing` | a record of more than an eighth of the memory limit; rows with too many fields, open quotes, no UTF-8 |
//! | Markdown, LaTeX, GCT, PHYLIP | a table | `table_number` | sizes that do not fit |
//! | JSON, JSON Lines, BIOM | a table, or an array | `key`, `missing`, `json_nan` | nesting beyond 128 levels; duplicate keys; several tables without a key |
//! | .xlsx, .ods (feature `xlsx`) | a table | `sheet` | damage; more than 1,000 times the packed length |
//! | any of these in gzip or Zstandard (feature `compressed`) | the same | | damage; more than 1,000 times the packed length and 1 MiB |
//! | Parquet (feature `parquet`) | a table | `missing` | a block of more than 1,000 times its packed length and 1 MiB, or more than a sixteenth of the limit; lengths that are not inside the file |
//! | Arrow IPC, Feather V2 (feature `arrow`) | a table, ordered categories in their order | `missing` | the same |
//! | NPY | an array, in its file from [`STORED_FROM`] elements on | `slice`, `panel = "axis:N"`, `transpose` | objects, structures, texts, complex numbers; a length that is not the header's |
//! | NPZ (feature `npz`) | an array or several | `key`, and as NPY | more than 10,000 members; a member of more than 1,000 times its packed length and 1 MiB, unless the limit was raised above its default; without a key, one of several arrays that cannot be read |
//! | Zarr 2 and 3 (feature `zarr`) | an array in its chunks, or several | `key`, and as NPY | metadata of more than 8 MiB, 10,000 nodes; links that leave the store; codecs that are not read, by name |
//! | bare numbers | an array | `raw` | a length that is not that of the numbers |
//!
//! Texts of a table are one key where they are one number (within 4 ulp of f64; whole numbers exactly) or one instant.
//!
//! Every table is a [`TableSource`] that yields typed [`Batch`]es of rows; nothing else is read by what makes grids of them.
//! [`load_tables`] takes tables from anywhere: a [`ColumnTable`] of columns in memory, a [`CsvTable`], or a source of the
//! caller's own, which may be one that can be read only once; Arrow's record batches are [`RecordBatches`]. [`load_arrays`] takes
//! arrays: a [`StridedArray`] of memory that somebody else owns, a [`SparseArray`], or any [`ArraySource`].
//!
//! Tables are wide, tidy or a matrix: `table`, else the names `x`, `y`, `value`, `panel`, else their content says which. Rows of
//! tidy ones are chosen by `where` (`=`, `!=`, `<`, `<=`, `>`, `>=`, `in`), fall into cells, and become one value by `agg` (as
//! pandas does it; `median` alone keeps all values, up to 28 bytes each). They are read in runs by several threads, the same result
//! whatever their number: text and JSON Lines in blocks of 512 KiB, Parquet in slices of its row groups, Arrow in record batches, so
//! that memory grows with cells and keys; of lists of JSON records the text is held, of JSON data frames the columns. Every count that a file declares is
//! checked against its length before memory is taken, and everything that is held is taken off the run's [`Budget`], which all files
//! share. A named pipe must
//! give its first byte within [`PATIENCE`]. All files together make at most [`MOST_PANELS`] panels, each with a name of its own.
//! All errors are [`InputError`]s with file, place, reason and what to do.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may open files and start threads"))]

mod error;
mod wildcards;
mod dataset;
mod budget;
mod pipe;
mod bytes;
mod caught;
mod position;
mod fingerprint;
mod field;
mod shell_word;
mod numeral;
#[cfg_attr(not(feature = "zarr"), allow(dead_code, reason = "readers behind features keep arrays open"))]
mod kept;
mod loaded;
mod value;
mod ordered;
mod figure_keys;
mod table;
mod expression;
mod array;
mod format;
mod pivot;
mod side;
mod crop;
mod postprocess;
mod figure_file;
mod open;
mod panel_files;
mod slices;
mod system_fonts;
mod tables;
#[cfg(feature = "adbc")]
mod database;

pub use array::{
    ApartPlane, Array, ArrayAxis, ArraySource, Dtype, LabelledArray, STORED_FROM, SparseArray, StridedArray,
    Window, grids_of_array, grids_of_source, load,
};
pub use budget::{Budget, OverBudget, Reservation, parse_size};
pub use caught::is_decoding;
#[cfg(feature = "adbc")]
pub use database::cancel_queries;
pub use error::{Cause, ErrorKind, InputError};
pub use figure_file::{
    Format, assign, assign_flags, figure_of_json, open_figure, open_figure_within, read_figure,
};
pub use figure_keys::{figure_schema, is_number};
pub use fingerprint::Fingerprint;
#[cfg(feature = "arrow")]
pub use format::arrow::{BatchOptions, RecordBatchStream, RecordBatches};
pub use format::csv::CsvTable;
pub use format::npy::read_npy;
pub use kept::Kept;
pub use loaded::{Delimiter, Dialect, Loaded, Query, ReadOptions};
pub use open::open_bytes;
pub use panel_files::{MOST_PANELS, files_of_panels, open, open_within, unique_names};
pub use pipe::PATIENCE;
pub use position::Place;
pub use table::{
    Batch, Cells, Column, ColumnTable, ColumnValues, Part, Parts, Places, Reads, Schema, TableSource,
};
pub use tables::{NamedArray, load_arrays, load_tables};

pub use bytes::{read_first, read_last};
pub use shell_word::{base_name, disambiguate};
pub use slices::{common_slices, open_first_slice, sliced};
pub use value::are_versions;
pub use wildcards::expand;

// For the other crates of the workspace.
#[doc(hidden)]
pub use {
    budget::usual_limit,
    bytes::read_file,
    open::apply,
    system_fonts::{SystemFont, system_fonts},
};
