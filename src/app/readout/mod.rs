//! Texts about the data under the pointer and about selected cells.

mod text;
mod pointer;
mod selection;
mod tsv;
mod zoom;

pub(crate) use pointer::pointer_text;
pub(crate) use selection::selection_text;
pub use tsv::CopyError;
pub(crate) use tsv::tsv;
pub(crate) use zoom::view_text;
