//! The window: a figure to move through and to read.

mod command;
#[cfg(test)]
mod samples;
mod world;
mod state;
mod input;
mod script;
mod readout;
mod shades;
mod histogram;
mod overlay;
mod reading;
mod level;
mod session;
#[cfg(test)]
mod sample;
mod waiting;
mod keep;
mod gate;
mod screen;
mod frames;
mod stage;
mod player;
mod window;

pub use command::{Colors, Command, Drag, Reach, Typing};
pub use frames::Frames;
pub use histogram::Histogram;
pub use input::{Button, Chord, Event, Input, Key, KeyRow, Mods, keys, translate};
pub use keep::stem;
pub use overlay::{FrameTimes, KeyGroup, Notice, OverlayInput, Progress, overlay, status_height};
pub use readout::{pointer_text, selection_text, tsv, view_text};
pub use script::{Line, Mistake, Runner, Step, WORDS, parse};
pub use session::{Data, Session};
pub use state::{Damage, Effect, Look, Outcome, ScaleLook, Selection, State};
pub use window::{News, Options, run, wanted};
pub use world::{BarAt, PanelAt, Place, World};
