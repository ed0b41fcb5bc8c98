//! The part of a grid that a body shows, and the cells under each of its pixels.

mod edges;
mod part;
mod track;

pub use edges::{EdgeTable, shared_pixels};
pub use part::{Part, View};
pub use track::Track;
