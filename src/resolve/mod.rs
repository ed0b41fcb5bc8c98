//! From what the user said and the data hold to a figure without anything automatic left.

mod error;
mod cell_text;
mod overrides;
mod bar_label;
mod bars;
mod strip;
mod tick_keys;
mod time_labels;
mod drawn_labels;
mod geography;
mod axis_rule;
mod panel_frame;
mod frame;
mod limits;
mod scheme;
mod notes;
mod outliers;
mod empty_lines;
mod lints;
mod colour;
mod seen;
mod user_texts;

pub use axis_rule::{directions, rules};
pub use bars::{BarFrame, name_reductions};
pub use cell_text::CellText;
pub use colour::{bare_scale, colours, rings, scales};
pub use error::ResolveError;
pub use frame::{AxisFrame, Frame, Palette, frame, keyed_states, states_of};
pub use notes::{notes, place_of};
pub use overrides::{Canvas, Overrides, ScaleOverrides, Seen};
pub use panel_frame::PanelFrame;
pub use scheme::{Bar, Colours, Folded, PanelColours, Strips};
pub use seen::limits;
pub use strip::StripFrame;
pub use tick_keys::KeyTick;
pub use user_texts::{unread, user_texts};
