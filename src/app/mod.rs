//! The window: a figure to move through and to read.

mod command;
#[cfg(test)]
mod samples;
mod world;
mod state;
mod input;
mod script;
mod waiting;
mod session;
mod keep;
mod gate;
mod screen;
mod frames;
mod stage;
mod player;
mod window;

pub use command::{Colors, Command, Drag, Reach, Typing};
pub use frames::Frames;
pub use input::{Button, Chord, Event, Input, Key, KeyRow, Mods, keys, translate};
pub use keep::stem;
pub use script::{Line, Mistake, Runner, Step, WORDS, parse};
pub use session::Session;
pub use state::{Damage, Effect, Look, Outcome, ScaleLook, Selection, State};
pub use window::{Opening, Options, run, wanted};
pub use world::{BarAt, PanelAt, Place, World};
