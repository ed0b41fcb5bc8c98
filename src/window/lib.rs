//! The window: a figure to explore and to read values from.
//!
//! Everything that a person does becomes a [`Command`]: [`Input`] makes commands of events by one table of bindings
//! ([`keys`]), and [`parse`] makes them of the lines of a script. A [`Session`] applies commands to its [`ViewState`] (views,
//! colours, selection, pointer), for which it looks up the [`WindowGeometry`]: where everything is as painted last. What has
//! to happen outside of a session, as saving, copying or closing, comes back as an [`Effect`]. None of these depends on
//! windows, devices or files.
//!
//! A frame passes through four owners, each above the next:
//!
//! - the event loop ([`run`]) decides when a frame is due;
//! - the presenter decides what the window shows, a figure or a message, and carries out effects;
//! - a [`Session`] joins state and figure with their [`Data`] and makes the [`Scene`](gridscope_draw::scene::Scene) of each frame: the
//!   scene that [`render`](gridscope_draw::rendered::render()) draws of the same view, with status line and marks over it;
//! - the surface draws scenes on a device, and opens a new device when one is lost.
//!
//! A huge grid is first painted from a few of its cells ([`Data::coarse`]), until a session of all cells takes over
//! ([`Session::take_over`]). Both have the same views and selections, and read values from the grid itself.
//!
//! A session needs no window:
//!
//! ```
//! use gridscope_window::{Command, Data, Session};
//! use gridscope_core::{figure::Figure, geom::{Point, PxSize}, grid::Grid, text::Fonts};
//! use gridscope_draw::raster::draw;
//!
//! let grid = Grid::from_rows(30, 40, (0..1200).map(f64::from).collect())?;
//! let mut session = Session::new(Figure::default(), Data::new(vec![grid])?, Fonts::new())?;
//! session.resize(PxSize { w: 640, h: 480 }, 1.0); // pixels, scale factor
//! session.draw(None)?; // lays out the figure, so that commands find its parts
//!
//! let at = Point { x: 300.0, y: 200.0 };
//! session.apply(&Command::Point(at));
//! session.apply(&Command::Zoom { at, factor: 4.0, alone: false });
//! let scene = session.draw(None)?;
//! let columns = session.state().views[0].x;
//! assert!(columns.to - columns.from < 20.0); // of 40
//!
//! let (grids, fonts) = session.grids_and_fonts();
//! let image = draw(&scene, grids, fonts);
//! assert_eq!((image.width, image.height), (640, 480));
//! println!("{}", session.figure_file()?); // a figure file of this view
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may open files and start threads"))]

#[cfg(test)]
mod dice;
mod task;
mod geometry;
mod map_table;
#[cfg(test)]
mod test_grids;
mod state;
mod input;
mod script;
mod prompt;
mod readout;
mod shades;
mod histogram;
mod distribution;
mod profile;
mod hud;
mod readings;
mod levels;
mod scroll;
mod device_folds;
mod session;
mod slices;
mod clipboard;
mod save;
mod swapchain;
mod surface;
mod display;
mod presenter;
mod player;
mod recent;
mod file_request;
mod options;
mod event_loop;

pub use device_folds::DeviceFolds;
pub use display::is_opening;
pub use event_loop::{News, Opened, Opener, run};
pub use file_request::FileRequest;
pub use geometry::{
    BarAt, DistributionAt, Hit, PanelAt, SliderAt, StripAt, SwipeAt, ThumbAt, ValueAxis, WindowGeometry,
};
pub use input::{Button, Chord, ChordError, Event, Input, Key, KeyRow, Mods, keys};
pub use options::Options;
pub use player::Frames;
pub use readout::CopyError;
pub use script::{ScriptError, ScriptLine, WORDS, parse};
pub use session::{Data, Novelty, Session, SliceRange, SliceWish, TracePart, TraceWish};
pub use slices::SliceNews;
pub use state::{
    Action, Colors, Command, CursorMove, Destination, Drag, Effect, Entry, Erased, Menuing, Mode, Pick,
    Reach, Scrolling, Selection, Slicing, Swiping, TextField, TypedLine, Typing, ViewState,
};
