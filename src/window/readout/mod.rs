//! Texts about the data under the pointer and about selected cells.

mod text;
mod pointer;
mod linked;
mod statistics;
mod tsv;

pub(crate) use linked::{LinkedCells, linked_cells};
pub(crate) use pointer::{cell_place, pointer_text, view_text};
pub(crate) use statistics::{BlockResult, Table, Target, selection_text, table, target};
pub(crate) use text::{count, line_name};
pub use tsv::CopyError;
pub(crate) use tsv::tsv;
