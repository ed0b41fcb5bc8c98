//! The window: a figure to move through and to read.

mod command;
mod world;
mod state;

pub use command::{Colors, Command, Drag, Reach, Typing};
pub use state::{Damage, Effect, Look, Outcome, ScaleLook, Selection, State};
pub use world::{BarAt, PanelAt, Place, World};
