//! Heatmaps of parameter sweeps: results files to PNG, SVG and PDF, or into a window. Every pixel is an exact
//! reduction of all cells beneath it, and whatever a figure leaves out is reported.
//!
//! # First steps
//!
//! A [`Grid`] holds values on rows and columns, a [`Plot`] says how grids, or a file, are drawn. What it draws is a
//! [`Rendering`]: the picture and the warnings about it.
//!
//! ```
//! use gridscope::{Grid, Plot};
//!
//! let grid = Grid::from_rows(3, 4, (0..12).map(f64::from).collect())?;
//! let png = Plot::new([grid]).cmap("magma").vmin(3.0).title("Accuracy by depth and width").png()?;
//! assert!(png.picture.starts_with(b"\x89PNG"));
//! assert!(png.lints.0[0].text.contains("3 of 12"), "cells below vmin are counted: {}", png.lints.0[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Figure`] is the same description as data: its fields are the keys of a figure file. [`input`] reads grids from
//! files (CSV, JSON and NPY; NPZ, Parquet, Arrow and Zarr with their features) by the keys of `figure.data`.
//! [`render()`] returns pixels; [`render_png`], [`render_svg`] and `render_pdf` return the contents of files.
//! `examples/embed.rs` draws into a texture of the caller's own wgpu device.
//!
//! # Modules
//!
//! | module | what it has |
//! | --- | --- |
//! | the root | [`Plot`]; drawing, pictures and their warnings, colours, errors |
//! | [`figure`] | the description of a figure, as in figure files |
//! | [`grid`] | values and states of cells, with an axis on each side |
//! | [`input`] | files, tables and arrays to grids |
//! | `gpu` | painting a scene into a texture through wgpu |
//! | `window` | the window: a session that takes commands and returns scenes |
//! | `embedding` | pictures and reports in one call each, for bindings to other languages |
//!
//! # Stages
//!
//! Data pass through these stages in order: input (files to grids), view and scale (the visible part, limits and
//! colours), resolve (nothing stays automatic), layout (places, by pure geometry), scene (the list of what is
//! painted), raster or gpu (pixels), png, svg and pdf (the bytes of files). [`scene()`] runs them up to the
//! scene, [`render()`] to the end.
//!
//! Each stage is in one of the crates `gridscope-core`, `-read`, `-draw`, `-gpu`, `-window` and `-cli`, which
//! depend on each other in this order. Their interfaces are internal: they change without notice, and what is
//! not reachable from this crate is not part of the library.
//!
//! # Features
//!
//! All are on by default.
//!
//! | feature | adds |
//! | --- | --- |
//! | `cli` | `run_program` and the program `gridscope` |
//! | `gpu` | the module `gpu`: drawing and reducing through wgpu |
//! | `window` | the module `window` and `gridscope view`; includes `gpu` |
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
//! `gpu::is_guarded` and `window::is_opening` report whether a panic of this thread is caught.
//!
//! # More
//!
//! The book, in the repository's `docs/src`, covers formats, figure files, warnings, limits, back ends and
//! the window. `CONTRIBUTING.md` says where a new format, norm, key or warning goes.

pub mod embedding;
mod plot;

pub use plot::Plot;

#[cfg(feature = "cli")]
pub use gridscope_cli::{main as run_program, main_with as run_program_with};
#[cfg(feature = "gpu")]
pub use gridscope_gpu as gpu;
#[cfg(feature = "gpu")]
pub use wgpu;

pub use gridscope_core::{figure, grid};
pub use gridscope_read as input;

pub use gridscope_core::color::Color;
pub use gridscope_core::figure::Figure;
pub use gridscope_core::geom::{Point, PxSize};
pub use gridscope_core::grid::Grid;
pub use gridscope_core::image::Image;
pub use gridscope_core::lint::{Lint, LintKind, LintName, Lints, Policy, Severity};
pub use gridscope_core::notation::{Literal, Notation, ParseError};
pub use gridscope_core::scale::{Colormap, NormSpec, NumberFormat};
pub use gridscope_core::text::Fonts;
pub use gridscope_core::workers::limit_threads;
pub use gridscope_draw::error::Error;
pub use gridscope_draw::picture::MOST_PIXELS;
pub use gridscope_draw::raster::draw;
#[cfg(feature = "pdf")]
pub use gridscope_draw::rendered::render_pdf;
pub use gridscope_draw::rendered::{Rendering, render, render_png, render_svg, scene};
pub use gridscope_draw::scene::Scene;

/// The window: a figure to explore and to read values from.
///
/// [`run`](window::run) shows one, and plays a script that [`parse`](window::parse) has read. A
/// [`Session`](window::Session) is a window without a display: it applies commands, and returns the scene of each frame.
///
/// ```
/// use gridscope::window::{Command, Data, Session};
/// use gridscope::{Figure, Fonts, Grid, PxSize, draw};
///
/// let grid = Grid::from_rows(30, 40, (0..1200).map(f64::from).collect())?;
/// let mut session = Session::new(Figure::default(), Data::new(vec![grid])?, Fonts::new())?;
/// session.resize(PxSize { w: 640, h: 480 }, 1.0); // pixels, scale factor
/// session.draw(None)?; // lays out the figure, so that commands find its parts
/// session.apply(&Command::Nearer(4.0));
/// let scene = session.draw(None)?;
/// let (grids, fonts) = session.grids_and_fonts();
/// assert_eq!(draw(&scene, grids, fonts).width, 640);
/// println!("{}", session.figure_file()?); // a figure file of this view
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "window")]
pub mod window {
    pub use gridscope_window::{
        Command, Data, Effect, Frames, News, Opened, Opener, Options, Session, is_opening, parse, run,
    };
}

/// The examples of the README and of the book are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/src/library.md")]
pub struct Readme;
