//! The window: a figure to move through and to read.
//!
//! What a person does is a [`Command`]: [`Input`] makes it of events by one table of bindings ([`keys`]), [`parse`] of a
//! script's lines ([`WORDS`]). [`ViewState`] is all that commands change (views, colours, selection, pointer). It asks the
//! [`WindowGeometry`] where everything is, and answers with [`Damage`], what must be painted anew, and with an [`Effect`],
//! what is to be done outside: save, copy, close. None of these knows of windows, devices or files.
//!
//! Four owners make a frame of it, each above the next:
//!
//! - the event loop ([`run`]) decides when a frame is due;
//! - the presenter decides what the window shows, a figure or a message, and carries out effects;
//! - a [`Session`] joins state and figure to its [`Data`] and gives the [`Scene`](crate::scene::Scene) of each frame: the one
//!   that [`render`](crate::render()) would draw of the same view, with status line and marks over it;
//! - the surface draws scenes on a device, and opens a new device where one is lost.
//!
//! Of a huge grid a session of a few cells ([`Data::coarse`]) is painted first, until that of all cells takes its place
//! ([`Session::succeed`]). Places, views, selections and read-outs of both are the grid's own.
//!
//! A session needs no window:
//!
//! ```
//! use gridscope::app::{Command, Data, Session};
//! use gridscope::geom::{Point, PxSize};
//! use gridscope::text::Fonts;
//! use gridscope::{Figure, Grid, raster};
//!
//! let grid = Grid::from_rows(30, 40, (0..1200).map(f64::from).collect())?;
//! let mut session = Session::new(Figure::default(), Data::new(vec![grid])?, Fonts::new())?;
//! session.resize(PxSize { w: 640, h: 480 }, 1.0); // pixels, scale factor
//! session.draw(None)?; // from now on it is known where everything is
//!
//! let at = Point { x: 300.0, y: 200.0 };
//! session.apply(&Command::Point(at));
//! session.apply(&Command::Zoom { at, factor: 4.0, alone: false });
//! let scene = session.draw(None)?;
//! let columns = session.state().views[0].x;
//! assert!((columns.to - columns.from - 10.0).abs() < 0.5); // of 40
//!
//! let (grids, fonts) = session.materials();
//! let image = raster::draw(&scene, grids, fonts);
//! assert_eq!((image.width, image.height), (640, 480));
//! println!("{}", session.written()?); // a figure file of this view
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod dice;
mod geometry;
#[cfg(test)]
mod sample;
mod state;
mod input;
mod script;
mod readout;
mod shades;
mod histogram;
mod hud;
mod reading;
mod level;
mod session;
mod placeholder;
mod clipboard;
mod save;
mod fair_mutex;
mod swapchain;
mod surface;
mod frames;
mod display;
mod presenter;
mod player;
mod options;
mod window;

pub use display::is_opening;
pub use frames::Frames;
pub use geometry::{BarAt, Hit, PanelAt, WindowGeometry};
pub use histogram::Histogram;
pub use hud::{FrameTimes, KeyGroup, OverlayInput, Progress, overlay, status_height};
pub use input::{Button, Chord, Event, Input, Key, KeyRow, Mods, keys, translate};
pub use options::{Options, wanted};
pub use readout::{pointer_text, selection_text, tsv, view_text};
pub use save::stem;
pub use script::{Line, Mistake, Runner, Step, WORDS, parse};
pub use session::{Data, Session};
pub use state::{
    Action, Colors, Command, Damage, Drag, Effect, Outcome, Reach, Selection, Typing, ViewState,
};
pub use window::{News, run};
