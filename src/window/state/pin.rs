//! The place that a zoom is about: it stays under the pointer, although the body changes with the zoom.

use super::super::geometry::{PanelAt, WindowGeometry};
use super::square::Along;
use gridscope_core::geom::Point;
use gridscope_core::view::{Part, View};

/// A place of the data under a point of the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin {
    panel: usize,
    at: Point,
    along: Along,
    /// Where it lies along the axes, and how long these are.
    place: (f64, f64),
    lengths: (f64, f64),
}

/// A place on an axis of length `from`, at the same share of an axis of length `to`.
pub(super) fn carry(v: f64, from: f64, to: f64) -> f64 {
    if from == to { v } else { v / from * to }
}

impl Pin {
    /// Holds on to what a panel's view shows at a point, along these axes.
    pub(super) fn new(panel: usize, at: Point, along: Along, shown: &PanelAt, view: &View) -> Self {
        let share = shown.share(at);
        Self {
            panel,
            at,
            along,
            place: (view.x.at(share.0), view.y.at(share.1)),
            lengths: (shown.x.length(), shown.y.length()),
        }
    }

    /// Whether it holds on to what is under this point.
    pub(super) fn is_at(&self, panel: usize, at: Point, along: Along) -> bool {
        (self.panel, self.at.x, self.at.y, self.along) == (panel, at.x, at.y, along)
    }

    /// The place along the axes of a panel.
    pub(super) fn place(&self, panel: &PanelAt) -> (f64, f64) {
        (
            carry(self.place.0, self.lengths.0, panel.x.length()),
            carry(self.place.1, self.lengths.1, panel.y.length()),
        )
    }

    /// A panel's view, moved so that the place is under the point again. It may reach beyond the data.
    pub(super) fn held(&self, geometry: &WindowGeometry, panel: &PanelAt, view: &View) -> View {
        let Some(own) = geometry.panels.get(self.panel) else {
            return *view;
        };
        let (at, place) = (own.share(self.at), self.place(panel));
        let moved = |part: &Part, place: f64, at: f64| part.pan(place - part.at(at));
        View {
            x: if self.along.x { moved(&view.x, place.0, at.0) } else { view.x },
            y: if self.along.y { moved(&view.y, place.1, at.1) } else { view.y },
        }
    }
}
