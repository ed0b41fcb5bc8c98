//! The window: a figure to move through and to read.

mod command;
#[cfg(test)]
mod samples;
mod world;
mod state;
mod input;
mod script;

pub use command::{Colors, Command, Drag, Reach, Typing};
pub use input::{Button, Chord, Event, Input, Key, KeyRow, Mods, keys, translate};
pub use script::{Line, Mistake, Runner, Step, WORDS, parse};
pub use state::{Damage, Effect, Look, Outcome, ScaleLook, Selection, State};
pub use world::{BarAt, PanelAt, Place, World};
