//! Which cells or pixels of each body are marked, and where contours run: exact on what is shown.

mod tiles;
mod walk;
mod borders;
mod density;
mod pen;
mod selection;
mod census;
mod panel;

pub use borders::Piece;
pub use census::Census;
pub use panel::{Contour, Marked, MarkedTile, MarkingRequest, PanelMarking, marking};
pub use pen::{edge, level_width, outline_width};
pub use tiles::{Tile, border};
