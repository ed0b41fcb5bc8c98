//! The shape of the pointer, which shows what a press would do.

use super::Input;
use super::binding::{Does, Trigger};
use super::chord::Mods;
use super::event::Button;
use super::spot::Spot;
use super::table::find_at;
use crate::app::geometry::{BarAt, BarPart, Hit, WindowGeometry};
use crate::app::state::{Drag, ViewState};
use crate::geom::Point;
use winit::window::CursorIcon;

impl Input {
    /// The shape for the drag in progress, or for the drag that a press here would begin.
    pub(crate) fn pointer(&self, geometry: &WindowGeometry, state: &ViewState) -> CursorIcon {
        if let Some((drag, from)) = self.dragging() {
            return shape(drag, from, true, geometry);
        }
        if state.search.is_some() {
            return CursorIcon::Text;
        }
        let Some(at) = self.at else {
            return CursorIcon::Default;
        };
        let reading = matches!(geometry.hit(at), Hit::Body(_)) && self.mods == Mods::NONE;
        match find_at(Spot::at(geometry, at), self.mods, |m| {
            Trigger::Drag(Button::Left, m)
        }) {
            // A hand would cover the cell under the pointer.
            Some(_) if reading => CursorIcon::Crosshair,
            Some((row, _)) => match row.does {
                Does::Drag(drag) => shape(drag, at, false, geometry),
                _ => CursorIcon::Default,
            },
            None => CursorIcon::Default,
        }
    }
}

fn shape(drag: Drag, from: Point, dragging: bool, geometry: &WindowGeometry) -> CursorIcon {
    match drag {
        Drag::Pan if dragging => CursorIcon::Grabbing,
        Drag::Pan => CursorIcon::Grab,
        Drag::Box => CursorIcon::Crosshair,
        Drag::Select => CursorIcon::Cell,
        Drag::Limits => match geometry.hit(from) {
            Hit::Bar(b) => geometry
                .bars
                .get(b)
                .and_then(Option::as_ref)
                .map_or(CursorIcon::Default, |b| {
                    on_bar(b, from, dragging, geometry.logical_pixel())
                }),
            _ => CursorIcon::Default,
        },
    }
}

fn on_bar(bar: &BarAt, at: Point, dragging: bool, unit: f64) -> CursorIcon {
    match (bar.part_at(at, unit), bar.horizontal) {
        (BarPart::Middle, _) if dragging => CursorIcon::Grabbing,
        (BarPart::Middle, _) => CursorIcon::Grab,
        (_, true) => CursorIcon::EwResize,
        (_, false) => CursorIcon::NsResize,
    }
}
