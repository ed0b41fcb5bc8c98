//! The shape of the pointer, which shows what a press would do.

use super::Input;
use super::binding::{Does, Row, Trigger};
use super::chord::Mods;
use super::controls::in_mode;
use super::event::Button;
use super::spot::Spot;
use super::table::find_at;
use crate::geometry::{BarAt, BarPart, DistributionPart, Hit, WindowGeometry};
use crate::state::{Drag, Entry, ViewState};
use gridscope_core::geom::Point;
use winit::window::CursorIcon;

impl Input {
    /// The shape for the drag in progress, or for the drag that a press here would begin.
    pub(crate) fn pointer(&self, geometry: &WindowGeometry, state: &ViewState) -> CursorIcon {
        if let Some((drag, from)) = self.dragging() {
            return shape(drag, from, true, geometry);
        }
        let types = |entry| state.typed(entry).is_some();
        if types(Entry::Map) {
            return CursorIcon::Default;
        }
        if types(Entry::Search) || types(Entry::Prompt) {
            return CursorIcon::Text;
        }
        let Some(at) = self.at else {
            return CursorIcon::Default;
        };
        let reading = matches!(geometry.hit(at), Hit::Body(_)) && self.mods == Mods::NONE;
        let spot = Spot::at(geometry, at);
        if matches!(spot, Spot::Tool | Spot::Menu) {
            return CursorIcon::Pointer;
        }
        match find_at(spot, self.mods, |m| Trigger::Drag(Button::Left, m)) {
            Some((Row { does: Does::Drag(drag), .. }, _)) if state.mode.is_some() => {
                shape(in_mode(*drag, Button::Left, spot, state), at, false, geometry)
            }
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
        Drag::Box | Drag::Overview => CursorIcon::Crosshair,
        Drag::Select => CursorIcon::Cell,
        Drag::Slice | Drag::Divider => CursorIcon::EwResize,
        Drag::Limits | Drag::Fine => match geometry.hit(from) {
            Hit::Bar(b) => geometry
                .bars
                .get(b)
                .and_then(Option::as_ref)
                .map_or(CursorIcon::Default, |b| on_bar(b, from, dragging, geometry.logical_pixel())),
            Hit::Distribution(_) => {
                let over = geometry.distribution.as_ref();
                match over.and_then(|d| d.part_at(from, geometry.logical_pixel())) {
                    Some(DistributionPart::Both) if dragging => CursorIcon::Grabbing,
                    Some(DistributionPart::Both) => CursorIcon::Grab,
                    Some(_) => CursorIcon::EwResize,
                    None => CursorIcon::Default,
                }
            }
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
