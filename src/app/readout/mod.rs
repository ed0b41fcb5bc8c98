//! Texts about the data under the pointer and about selected cells.

mod text;
mod pointer;
mod selection;
mod tsv;
mod zoom;

pub use pointer::pointer_text;
pub use selection::selection_text;
pub use tsv::{CopyError, tsv};
pub use zoom::view_text;
