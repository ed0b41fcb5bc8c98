//! The kinds of places that bindings distinguish.

use crate::app::geometry::{Hit, WindowGeometry};
use crate::geom::Point;

/// The kind of place where something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// Cells.
    Body,
    /// An axis.
    Axis,
    /// A colour bar.
    Bar,
    /// None of these.
    Elsewhere,
    /// Anywhere, while a search is typed.
    Search,
}

impl Spot {
    /// The kind of place under a point.
    pub(super) fn at(geometry: &WindowGeometry, at: Point) -> Self {
        match geometry.hit(at) {
            Hit::Body(_) => Spot::Body,
            Hit::XAxis(_) | Hit::YAxis(_) => Spot::Axis,
            Hit::Bar(_) => Spot::Bar,
            Hit::Elsewhere => Spot::Elsewhere,
        }
    }
}
