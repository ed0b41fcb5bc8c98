//! gridscope turns a results file into a heatmap.

pub mod geom;
pub mod color;
pub mod image;
pub mod timing;
pub mod lint;
pub mod figure;
pub mod output;
pub mod text;
pub mod grid;
pub mod input;
pub mod view;
pub mod scale;
pub mod resolve;
pub mod layout;
pub mod scene;
pub mod png;
pub mod raster;
pub mod export;
pub mod error;
pub mod report;
pub mod render;
pub mod cli;

pub use error::Error;
pub use figure::Figure;
pub use grid::Grid;
pub use render::{render, render_png};
