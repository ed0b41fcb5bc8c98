//! Heatmaps of parameter sweeps: results files to PNG, SVG and PDF, or into a window. Every pixel is an exact
//! reduction of all cells beneath it, and whatever a figure leaves out is reported.
//!
//! # First steps
//!
//! A [`Grid`] holds values on rows and columns, a [`Figure`] describes how they are drawn; its fields are the
//! keys of a figure file. One call returns a [`Rendering`]: the picture and the warnings about it.
//!
//! ```
//! use gridscope::{Figure, Grid, render_png};
//!
//! let values = (0..12).map(|i| f64::from(i) * 0.5).collect();
//! let grid = Grid::from_rows(3, 4, values).unwrap();
//! let mut figure = Figure::default();
//! figure.title = Some("Accuracy by depth and width".to_owned());
//! figure.color.cmap = Some("magma".parse().unwrap());
//! let png = render_png(&figure, &[grid]).unwrap();
//! assert!(png.picture.starts_with(b"\x89PNG"));
//! assert!(png.lints.0.is_empty());
//! ```
//!
//! [`input`] reads grids from files (CSV, JSON and NPY; NPZ, Parquet, Arrow and Zarr with their features) by
//! the keys of `figure.data`. [`render()`] returns pixels; [`render_png`], [`render_svg`] and `render_pdf`
//! return the contents of files. `examples/embed.rs` draws into a texture of the caller's own wgpu device.
//!
//! # Stages
//!
//! Data pass through these modules in order; each imports only those before it.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`grid`] | values and states of cells, statistics, reductions |
//! | [`view`], [`scale`] | parts of a grid; norms, colormaps, number formats, ticks |
//! | [`figure`] | the description of a figure, as in figure files |
//! | [`input`] | files to grids |
//! | [`resolve`] | the visible part, colours and limits: nothing stays automatic |
//! | [`layout`] | places, by pure geometry |
//! | [`scene`] | the list of what is painted |
//! | [`raster`], `gpu` | paint a scene on the CPU, or through wgpu |
//! | [`png`], [`svg`], `pdf` | write pictures |
//! | [`render()`] | runs all stages |
//! | `app` | the window: a session that takes commands and returns scenes |
//! | `run_program` | the command line |
//!
//! [`tiling::fold_missing`], or [`tiling::strips`], which calls it, must precede a back end that is given a
//! [`scene`] directly: back ends paint from cells in memory, and panic if a grid that stays in its file
//! cannot be read any more.
//!
//! # Features
//!
//! All are on by default.
//!
//! | feature | adds |
//! | --- | --- |
//! | `cli` | `run_program`, the program `gridscope` |
//! | `gpu` | the module `gpu`: drawing and reducing through wgpu |
//! | `window` | the module `app` and `gridscope view`; includes `gpu` |
//! | `pdf` | `render_pdf`, the module `pdf`, and fonts embedded in SVG |
//! | `npz`, `parquet`, `arrow`, `zarr` | readers of these formats, in Rust alone |
//!
//! # Limits
//!
//! [`render()`] keeps the picture in memory and refuses more than [`MOST_PIXELS`]; [`render_png`] encodes
//! larger pictures while it draws them. A side has at most 65,535 pixels, a figure at most 4,096 panels. Readers share one budget of memory; what does not fit is an error before the memory is
//! allocated.
//!
//! # Panics
//!
//! Functions that can panic say so. Decoders, graphics drivers and display libraries that panic are caught by
//! unwinding, and their panics become errors: a program built with `panic = "abort"` ends instead. Only
//! `run_program` sets a panic hook. A hook of your own can skip such panics: `input::is_decoding`,
//! `gpu::is_guarded` and `app::is_opening` report whether a panic of this thread is caught.
//!
//! # More
//!
//! The book, in the repository's `docs/src`, covers formats, figure files, warnings, limits, back ends and
//! the window. `CONTRIBUTING.md` says where a new format, norm, key or warning goes.

pub mod geom;
pub mod text;
pub mod notation;
pub mod color;
pub mod image;
pub mod timing;
mod workers;
pub mod lint;
pub mod output;
pub mod grid;
pub mod view;
pub mod scale;
pub mod figure;
pub mod input;
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
mod body;
pub mod tiling;
pub mod render;
mod rendered;
#[cfg(feature = "window")]
mod coarse;
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
pub use rendered::{MOST_PIXELS, Rendering, render, render_png, render_svg};

/// The examples of the README and of the book are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/src/library.md")]
pub struct Readme;
