//! gridscope turns a results file into a heatmap: exact at any scale, honest about what it leaves out, the same picture
//! on a GPU and without one.
//!
//! ```
//! use gridscope::{Figure, Grid, render_png};
//!
//! let values = (0..12).map(|i| f64::from(i) * 0.5).collect();
//! let grid = Grid::from_rows(3, 4, values).unwrap();
//! let mut figure = Figure::default();
//! figure.title = Some("Accuracy by depth and width".to_owned());
//! figure.color.cmap = Some("magma".to_owned());
//! let png = render_png(&figure, &[grid]).unwrap();
//! assert!(png.starts_with(b"\x89PNG"));
//! ```
//!
//! The stages, each in its module, in the order in which data pass them: [`input`] reads files to [`Grid`]s, [`resolve`]
//! leaves nothing automatic, [`layout`] is pure geometry, [`scene`] lists what is painted, [`raster`] paints it on the
//! CPU and `gpu` through wgpu, [`png`] encodes; [`svg`] and `pdf` write it as shapes and text. [`render()`] runs them all.
//! `app` is the window on top of them: a session that takes commands and gives scenes. `gpu`, `app` and `pdf` are there
//! with the cargo features `gpu`, `window` and `pdf`; Zarr stores are read with the feature `zarr`.
//!
//! Whoever hands a [`scene`] to a back end calls [`pieces::fold_missing`] first, or [`pieces::strips`], which does: back ends paint
//! from cells in memory, and panic where a grid that stays in its file no longer gives them.
//!
//! Decoders, graphics drivers and display libraries that panic are caught by unwinding and become errors: a program that is
//! built with `panic = "abort"` ends instead. No panic hook is set or replaced but by `run_program`. Another may leave such panics
//! out: `input::is_decoding`, `gpu::is_guarded` and `app::is_opening` say whether this thread's are caught.

pub mod geom;
pub mod color;
pub mod image;
pub mod timing;
mod workers;
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
pub mod vector;
pub mod svg;
#[cfg(feature = "pdf")]
pub mod pdf;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod error;
pub mod export;
pub mod report;
pub mod metadata;
pub mod comparison;
pub mod pieces;
pub mod render;
mod rendered;
#[cfg(feature = "window")]
pub mod coarse;
#[cfg(feature = "window")]
pub mod app;
#[cfg(feature = "cli")]
mod cli;

#[cfg(feature = "cli")]
pub use cli::main as run_program;
#[cfg(feature = "gpu")]
pub use wgpu;

pub use error::Error;
pub use figure::Figure;
pub use grid::Grid;
#[cfg(feature = "pdf")]
pub use rendered::render_pdf;
pub use rendered::{MOST_PIXELS, Rendered, render, render_png, render_svg, render_with_lints};

/// The README's example is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
