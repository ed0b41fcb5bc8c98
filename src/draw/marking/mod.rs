//! Which cells or pixels of each body are marked, and where contours run: exact on what is shown.

mod tiles;
mod selection;
mod panel;

pub use panel::{
    Contour, Marked, MarkedTile, MarkingRequest, PanelMarking, edge, level_width, marking, outline_width,
};
pub use selection::Census;
pub use tiles::{Piece, Tile, border};
