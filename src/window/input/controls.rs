//! The kinds of places that bindings distinguish, and the meaning of a press, a drag or the wheel there.

use super::binding::{Does, Row, Trigger, find_at};
use super::event::Button;
use super::keyboard::Mods;
use super::wheel::{MOST, PIXELS};
use super::{Input, Press};
use crate::geometry::{BarAt, BarPart, DistributionPart, Hit, WindowGeometry};
use crate::state::{Command, Drag, Entry, Menuing, Mode, Slicing, TOOLS, ViewState};
use gridscope_core::geom::Point;
use winit::window::CursorIcon;

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

impl Input {
    /// Whether the pointer is where the wheel goes through slices.
    pub(super) fn is_on_slider(&self, geometry: &WindowGeometry, trigger: fn(Mods) -> Trigger) -> bool {
        let Some(at) = self.at.filter(|_| self.press.is_none()) else {
            return false;
        };
        let row = find_at(Spot::at(geometry, at), self.mods, trigger);
        matches!(row, Some((Row { does: Does::Slide, .. }, _)))
    }

    /// As [`Input::slid`], for fingers that moved by this many pixels.
    pub(super) fn slid_by_pixels(&mut self, pixels: f64, geometry: &WindowGeometry) -> Vec<Command> {
        self.slid(pixels / (PIXELS * geometry.logical_pixel()))
    }

    /// Goes on by whole notches; parts of them wait for more.
    pub(super) fn slid(&mut self, notches: f64) -> Vec<Command> {
        let Some(at) = self.at.filter(|_| notches.is_finite()) else {
            return Vec::new();
        };
        self.slid += notches.clamp(-MOST, MOST);
        let by = self.slid.trunc();
        self.slid -= by;
        if by == 0.0 {
            return Vec::new();
        }
        vec![Command::Slice(Slicing::Turn { at, by: by as i64 })]
    }
}
