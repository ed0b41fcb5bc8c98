//! The kinds of places that bindings distinguish.

use crate::geometry::{Hit, WindowGeometry};
use crate::state::{Entry, ViewState};
use gridscope_core::geom::Point;

/// The kind of place where something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// Cells.
    Body,
    /// An axis.
    Axis,
    /// A colour bar.
    Bar,
    /// The slider of a sliced axis.
    Slider,
    /// A button of the toolbar.
    Tool,
    /// The minimap.
    Minimap,
    /// An entry of a menu, or anywhere while one is used by keys.
    Menu,
    /// The divider between two sides.
    Divider,
    /// The title of a panel.
    Title,
    /// The strip of thumbnails.
    Strip,
    /// None of these.
    Elsewhere,
    /// Anywhere, while a search is typed.
    Search,
    /// Anywhere, while the prompt is open.
    Prompt,
    /// Anywhere, while the table of colormaps is open.
    Maps,
    /// Anywhere, while the list of keys is open.
    Keys,
}

impl Spot {
    /// The kind of place that keys go to.
    pub(super) fn of_keys(state: &ViewState) -> Self {
        match state.line.as_ref().map(|l| l.entry) {
            Some(Entry::Search) => Spot::Search,
            Some(Entry::Prompt) => Spot::Prompt,
            Some(Entry::Map) => Spot::Maps,
            None if state.keys => Spot::Keys,
            None => Spot::Elsewhere,
        }
    }

    /// The kind of place under a point.
    pub(super) fn at(geometry: &WindowGeometry, at: Point) -> Self {
        match geometry.hit(at) {
            Hit::Body(_) => Spot::Body,
            Hit::XAxis(_) | Hit::YAxis(_) => Spot::Axis,
            Hit::Bar(_) | Hit::Distribution(_) => Spot::Bar,
            Hit::Slider(_) => Spot::Slider,
            Hit::Tool(_) => Spot::Tool,
            Hit::Entry(_) => Spot::Menu,
            Hit::Minimap(_) => Spot::Minimap,
            Hit::Divider(_) => Spot::Divider,
            Hit::Title(_) => Spot::Title,
            Hit::Thumbnail(_) | Hit::Strip => Spot::Strip,
            Hit::Elsewhere => Spot::Elsewhere,
        }
    }
}
