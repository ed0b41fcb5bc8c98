//! Figure files: TOML or JSON to a [`Figure`](gridscope_core::figure::Figure), every fault with its place.

mod fault;
mod deserializer;
mod assign;
mod read;
mod source;

pub use assign::{assign, assign_flags};
pub use read::{Format, read_figure};
pub use source::{figure_of_json, open_figure, open_figure_within};
