//! What the data say where the pointer is and where cells are selected: texts, and nothing else.

mod text;
mod pointer;
mod selection;
mod tsv;
mod zoom;

pub use pointer::pointer_text;
pub use selection::selection_text;
pub use tsv::tsv;
pub use zoom::view_text;
