//! Texts about the data under the pointer and about selected cells.

mod text;
mod sides;
mod pointer;
mod linked;
mod selection;
mod statistics;
mod tsv;
mod zoom;

pub(crate) use linked::{LinkedCells, linked_cells};
pub(crate) use pointer::pointer_text;
pub(crate) use selection::selection_text;
pub(crate) use statistics::{Found, Table, Target, table, target};
pub(crate) use text::line_name;
pub use tsv::CopyError;
pub(crate) use tsv::tsv;
pub(crate) use zoom::view_text;
