//! Pictures and reports of data that a caller holds, each in one call, for bindings to other languages.
//!
//! Where [`render`](gridscope_draw::rendered::render()) and its kin draw a figure as a library does, these functions do what the program does:
//! fonts of the figure and of the machine, the description in the picture, the objects of `--json`. They draw on the CPU, which
//! gives the pictures of every back end.

mod reading;
mod picture;
mod reports;
mod fold;

pub use fold::{FoldRequest, Folded, fold, fold_parts, fold_plan};
pub use gridscope_draw::picture::PictureFormat;
pub use picture::{DrawOptions, Held, Picture, PictureAs, draw, shown};
pub use reading::{figure_json, figure_of_file, needs, serves, toml_of_figure};
pub use reports::{compare, describe, report};
