//! The window: a figure to move through and to read.

mod command;
mod world;
mod state;
mod input;
mod script;
mod waiting;
mod session;
mod keep;
mod screen;
mod frames;
mod stage;
mod window;

pub use command::{Colors, Command, Drag, Reach, Typing};
pub use frames::Frames;
pub use keep::stem;
pub use script::{Step, parse};
pub use session::Session;
pub use state::{Damage, Effect, Look, Outcome, ScaleLook, Selection, State};
pub use window::{Options, Opening, run};
pub use world::{BarAt, PanelAt, Place, World};
