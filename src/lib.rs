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
//! # Modules
//!
//! | module | what it has |
//! | --- | --- |
//! | the root | drawing, pictures and their warnings, colours, errors |
//! | [`figure`] | the description of a figure, as in figure files |
//! | [`grid`] | values and states of cells, with an axis on each side |
//! | [`input`] | files, tables and arrays to grids |
//! | `gpu` | painting a scene into a texture through wgpu |
//! | `app` | the window: a session that takes commands and returns scenes |
//! | `embedding` | pictures and reports in one call each, for bindings to other languages |
//!
//! # Stages
//!
//! Data pass through these stages in order, and each module of the source imports only those before it: input
//! (files to grids), view and scale (the visible part, limits and colours), resolve (nothing stays automatic),
//! layout (places, by pure geometry), scene (the list of what is painted), raster or gpu (pixels), png, svg and
//! pdf (the bytes of files). [`scene()`] runs them up to the scene, [`render()`] to the end.
//!
//! # Features
//!
//! All are on by default.
//!
//! | feature | adds |
//! | --- | --- |
//! | `cli` | `run_program`, the program `gridscope`, and `embedding` |
//! | `gpu` | the module `gpu`: drawing and reducing through wgpu |
//! | `window` | the module `app` and `gridscope view`; includes `gpu` |
//! | `pdf` | `render_pdf`, and fonts embedded in SVG |
//! | `npz`, `parquet`, `arrow`, `zarr` | readers of these formats, in Rust alone |
//!
//! # Limits
//!
//! [`render()`] holds the picture in memory and refuses more than [`MOST_PIXELS`]; [`render_png`] encodes
//! larger pictures while it draws them. A side has at most 65,535 pixels, a figure at most 4,096 panels.
//! Readers share one budget of memory; what does not fit is an error before the memory is allocated.
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

// Some functions are only for the program or for the window; a build with all features has no dead code.
#![cfg_attr(
    not(all(feature = "cli", feature = "window", feature = "pdf")),
    allow(dead_code, unused_imports)
)]

mod geom;
mod text;
mod notation;
mod color;
mod image;
mod timing;
mod workers;
mod lint;
mod output;
pub mod grid;
mod view;
mod scale;
pub mod figure;
mod student;
mod transform;
pub mod input;
mod resolve;
mod layout;
mod marking;
mod scene;
mod png;
mod raster;
mod vector;
mod svg;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "gpu")]
pub mod gpu;
mod error;
mod export;
mod report;
mod metadata;
mod comparison;
mod findings;
mod body;
mod tiling;
mod render;
mod rendered;
#[cfg(feature = "window")]
mod coarse;
#[cfg(feature = "window")]
pub mod app;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
pub mod embedding;

#[cfg(feature = "cli")]
pub use cli::{main as run_program, main_with as run_program_with};
#[cfg(feature = "gpu")]
pub use wgpu;

pub use color::Color;
pub use error::Error;
pub use figure::Figure;
pub use geom::{Point, PxSize};
pub use grid::Grid;
pub use image::Image;
pub use lint::{Lint, LintKind, LintName, Lints, Policy, Severity};
pub use notation::{Literal, Notation, ParseError};
pub use raster::draw;
#[cfg(feature = "pdf")]
pub use rendered::render_pdf;
pub use rendered::{MOST_PIXELS, Rendering, render, render_png, render_svg, scene};
pub use scale::{Colormap, NormSpec, NumberFormat};
pub use scene::Scene;
pub use text::Fonts;
pub use workers::limit_threads;

/// The stages one by one, for the tests, benchmarks and fuzz targets of this repository. They are not part of the library's
/// interface: their names and signatures change without notice.
#[doc(hidden)]
pub mod internals {
    macro_rules! modules {
        ($($name:ident)*) => { $(pub mod $name { pub use crate::$name::*; })* };
    }

    modules! {
        geom text color image timing lint output view scale transform resolve layout marking scene png raster vector svg export metadata
        comparison findings tiling render
    }
    #[cfg(feature = "pdf")]
    modules! { pdf }
}

/// The examples of the README and of the book are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/src/library.md")]
pub struct Readme;
