//! The part of a grid that a body shows, and the cells under each of its pixels.

mod edges;
mod part;
mod shared_pixels;
mod track;

pub use edges::EdgeTable;
pub use part::{Part, View};
pub use shared_pixels::shared_pixels;
pub use track::Track;
