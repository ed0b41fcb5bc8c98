//! From what the user said and the data hold to a figure without anything automatic left.

mod annotate;
mod frame;
mod limits;
mod colour;
mod lints;
mod notes;

pub use annotate::{Annotate, CellText, Template};
pub use colour::{Bar, Colours, Folded, PanelColours, bare_scale, colours};
pub use frame::{AxisFrame, BarFrame, Frame, Palette, PanelFrame, ResolveError, StripFrame, frame};
pub use notes::place_of;
