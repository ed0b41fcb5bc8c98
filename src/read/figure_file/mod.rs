//! Figure files: TOML or JSON to a [`Figure`](gridscope_core::figure::Figure), every fault with its place.

mod fault;
mod value;
mod parse_json;
mod parse_toml;
mod deserializer;
mod validate;
mod assign;
mod read;
mod source;
mod given;

pub use assign::assign;
pub use given::figure_of_json;
pub use read::{Format, read_figure};
pub use source::{open_figure, open_figure_within};
