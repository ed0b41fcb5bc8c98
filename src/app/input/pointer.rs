//! The shape of the pointer: what a press would do here.

use super::binding::{Does, Trigger};
use super::chord::Mods;
use super::event::Button;
use super::table::find_at;
use super::{Input, spot, unit};
use crate::app::geometry::{BarAt, Place, WindowGeometry};
use crate::app::state::Drag;
use crate::app::state::ViewState;
use crate::geom::Point;
use winit::window::CursorIcon;

/// An end of a bar takes a quarter of it, and this many logical pixels at least: what a drag of its limits takes hold of.
const HOLD: f64 = 12.0;

impl Input {
    /// The shape that fits what is done now, or what a drag from here would do.
    pub fn pointer(&self, world: &WindowGeometry, state: &ViewState) -> CursorIcon {
        if let Some((drag, from)) = self.dragging() {
            return shape(drag, from, true, world);
        }
        if state.search.is_some() {
            return CursorIcon::Text;
        }
        let Some(at) = self.at else {
            return CursorIcon::Default;
        };
        let reading = matches!(world.place(at), Place::Body(_)) && self.mods == Mods::NONE;
        match find_at(spot(world, at), self.mods, |m| Trigger::Drag(Button::Left, m)) {
            // Nothing may cover the cell that is read.
            Some(_) if reading => CursorIcon::Crosshair,
            Some((row, _)) => match row.does {
                Does::Drag(drag) => shape(drag, at, false, world),
                _ => CursorIcon::Default,
            },
            None => CursorIcon::Default,
        }
    }
}

fn shape(drag: Drag, from: Point, held: bool, world: &WindowGeometry) -> CursorIcon {
    match drag {
        Drag::Pan if held => CursorIcon::Grabbing,
        Drag::Pan => CursorIcon::Grab,
        Drag::Box => CursorIcon::Crosshair,
        Drag::Select => CursorIcon::Cell,
        Drag::Limits => match world.place(from) {
            Place::Bar(b) => world
                .bars
                .get(b)
                .and_then(Option::as_ref)
                .map_or(CursorIcon::Default, |b| on_bar(b, from, held, unit(world))),
            _ => CursorIcon::Default,
        },
    }
}

fn on_bar(bar: &BarAt, at: Point, held: bool, unit: f64) -> CursorIcon {
    let r = bar.ramp.rect();
    let (length, along) = if bar.horizontal {
        (r.w, at.x - r.x)
    } else {
        (r.h, at.y - r.y)
    };
    let hold = (length / 4.0).max(HOLD * unit).min(length / 2.0);
    match (along >= hold && along <= length - hold, bar.horizontal) {
        (true, _) if held => CursorIcon::Grabbing,
        (true, _) => CursorIcon::Grab,
        (false, true) => CursorIcon::EwResize,
        (false, false) => CursorIcon::NsResize,
    }
}
