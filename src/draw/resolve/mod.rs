//! From the user's figure and its data to a figure without anything automatic.

mod error;
mod cell_text;
mod overrides;
mod bars;
mod tracks;
mod tick_keys;
mod titles;
mod drawn_labels;
mod axis_rule;
mod marks;
mod frame;
mod parts;
mod limits;
mod drawn;
mod margins;
mod notes;
mod lints;
mod colour;

pub use axis_rule::{directions, rules};
pub use bars::{BarFrame, changed_label, name_reductions, with_unit};
pub use cell_text::CellText;
pub use colour::{
    Bar, Colours, Folded, Palette, PanelColours, PanelMargins, Strips, bare_scale, centres, colours, limits,
    rings, scales,
};
pub use error::{ResolveError, ShortSide};
pub use frame::{AxisFrame, Facets, Frame, PanelFrame, frame, keyed_states, states_of};
pub use limits::{
    LARGE, Limit, NOT_COUNTED, Percentile, SharedPercentiles, count_beyond, knows_percentiles,
    percentiles_of, scan_requests, unknown_percentiles,
};
pub use margins::{Shown as MarginNumbers, begins_at_0, round_end, shown as margin_numbers};
pub use marks::{PanelCells, PanelMark};
pub use notes::{longest_note, notes, place_of, unread, user_texts};
pub use overrides::{Canvas, Overrides, ScaleOverrides, Seen};
pub(crate) use parts::{GAP, cells_wide, gaps};
pub use tick_keys::KeyTick;
pub use titles::document_title;
pub use tracks::{MarginTrack, StripColors, StripFrame, TrackFrame, TrackKind, TrackSide, margin_request};
