//! Buttons, menus and modes: what a click on them, or a drag in a mode, means.

use super::Press;
use super::binding::{Does, Row, Trigger};
use super::event::Button;
use super::spot::Spot;
use super::table::find_at;
use crate::geometry::{Hit, WindowGeometry};
use crate::state::{Command, Drag, Menuing, Mode, TOOLS, ViewState};
use gridscope_core::geom::Point;

/// Drag in the state's mode, which is about the left button where it would move the view.
pub(super) fn in_mode(drag: Drag, button: Button, spot: Spot, state: &ViewState) -> Drag {
    match (drag, button, state.mode) {
        (Drag::Pan, Button::Left, Some(Mode::Box)) => Drag::Box,
        // An axis has no cells.
        (Drag::Pan, Button::Left, Some(Mode::Select)) if spot == Spot::Body => Drag::Select,
        _ => drag,
    }
}

/// Whether a press here closes the menu that is open.
pub(super) fn closes_menu(at: Point, geometry: &WindowGeometry, state: &ViewState) -> bool {
    let opens = |tool: usize| matches!(TOOLS[tool].command, Command::Menu(_));
    match geometry.hit(at) {
        // The button of the menu closes it when it is released.
        Hit::Tool(tool) if opens(tool) => false,
        Hit::Entry(_) => false,
        _ => state.menu.is_some(),
    }
}

/// The commands of the button or the entry of a menu at a place.
pub(super) fn chosen(at: Point, geometry: &WindowGeometry, state: &ViewState) -> Vec<Command> {
    match (geometry.hit(at), &state.menu) {
        (Hit::Tool(tool), _) => TOOLS.get(tool).map(|t| t.command.clone()).into_iter().collect(),
        (Hit::Entry(entry), Some(menu)) => {
            let mut commands = menu.commands(entry);
            commands.push(Command::Point(at));
            commands
        }
        _ => Vec::new(),
    }
}

/// Opens the menu of the place of a right click.
pub(super) fn right_clicked(press: Press, geometry: &WindowGeometry) -> Vec<Command> {
    match find_at(Spot::at(geometry, press.at), press.mods, Trigger::RightClick) {
        Some((Row { does: Does::Menu, .. }, _)) => vec![Command::Menu(Menuing::At(press.at))],
        _ => Vec::new(),
    }
}
