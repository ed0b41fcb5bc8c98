//! The window: a figure to move through and to read.

mod command;
mod world;
mod state;
mod session;

pub use command::{Colors, Command, Drag, Reach, Typing};
pub use session::Session;
pub use state::{Damage, Effect, Look, Outcome, ScaleLook, Selection, State};
pub use world::{BarAt, PanelAt, Place, World};
