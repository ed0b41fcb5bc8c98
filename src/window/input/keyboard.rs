//! Keys and typed text to commands.

use super::binding::{Does, Trigger};
use super::chord::Chord;
use super::event::Event;
use super::spot::Spot;
use super::table::{find, find_key};
use super::wheel::PIXELS;
use super::{Button, Input, Stage};
use crate::geometry::WindowGeometry;
use crate::state::{Action, Command, Menuing, Pick, Scrolling, Typing, ViewState};

/// Lines of the list of keys that a notch of the wheel scrolls.
const LINES: f64 = 3.0;

impl Input {
    /// The commands of a key; `text`: what it types. Slices that play stop at any key, and Esc does no more than that.
    pub fn press(
        &mut self,
        chord: Chord,
        text: Option<String>,
        repeat: bool,
        state: &ViewState,
    ) -> Vec<Command> {
        let mut commands = self.pressed(chord, text, repeat, state);
        if state.is_playing() && !repeat {
            commands.retain(|c| !matches!(c, Command::Do(Action::Cancel | Action::Play)));
            commands.insert(0, Command::Do(Action::Play));
        }
        commands
    }

    /// The commands that a key is bound to.
    fn pressed(
        &mut self,
        chord: Chord,
        text: Option<String>,
        repeat: bool,
        state: &ViewState,
    ) -> Vec<Command> {
        let in_menu = state.menu.as_ref().and_then(|_| find_key(Spot::Menu, chord));
        let spot = Spot::of_keys(state);
        let row = match (in_menu.or_else(|| find_key(spot, chord)), text) {
            (Some(row), _) => Some(row),
            // Some keyboards type a key's third character with Ctrl and Alt.
            (None, Some(text)) if types(spot) && (!chord.mods.ctrl || chord.mods.alt) => {
                return typed(text, state);
            }
            (None, _) => find_key(Spot::Elsewhere, chord),
        };
        if let (Some(menu), Some(Does::Choose)) = (&state.menu, row.map(|r| &r.does)) {
            return menu.commands(menu.chosen.unwrap_or(usize::MAX));
        }
        let command = row.and_then(|r| match (&r.does, chord.key.arrow()) {
            (Does::Turn, Some((right, down))) => Some(Command::Menu(Menuing::Step(right + down))),
            (Does::Scroll { pages: true }, Some((right, down))) => {
                Some(Command::Scroll(Scrolling::Pages(right + down)))
            }
            (Does::Scroll { pages: false }, Some((right, down))) => {
                Some(Command::Scroll(Scrolling::Lines(right + down)))
            }
            (Does::Run(command), _) => Some(command.clone()),
            (Does::Step(reach), Some((right, down))) => Some(Command::Step { right, down, reach: *reach }),
            _ => None,
        });
        let Some(command) = command.filter(|c| !repeat || repeats(c)) else {
            return Vec::new();
        };
        if let (Command::Do(Action::Cancel), Some(press)) = (&command, &mut self.press) {
            press.stage = Stage::Spent;
        }
        vec![command]
    }

    /// The commands of a wheel over the list of keys, which covers what lies under it; `None` for other events, and while it
    /// is closed.
    pub(super) fn in_keys(
        &mut self,
        event: &Event,
        geometry: &WindowGeometry,
        state: &ViewState,
    ) -> Option<Vec<Command>> {
        let lines = match event {
            _ if Spot::of_keys(state) != Spot::Keys => return None,
            Event::Wheel(notches) => -LINES * notches,
            Event::Scroll(by) => -by.y / (PIXELS * geometry.logical_pixel()),
            Event::Tilt(_) | Event::Pinch(_) => 0.0,
            _ => return None,
        };
        if !lines.is_finite() {
            return Some(Vec::new());
        }
        // Fingers on a trackpad move parts of a line.
        self.slid += lines;
        let whole = self.slid.trunc();
        self.slid -= whole;
        let lines = Command::Scroll(Scrolling::Lines(whole as i32));
        Some((whole != 0.0).then_some(lines).into_iter().collect())
    }

    /// The commands of a button or a wheel over the table of colormaps, which covers what lies under it; `None` for other
    /// events, and while it is closed.
    pub(super) fn in_maps(&self, event: &Event, state: &ViewState) -> Option<Vec<Command>> {
        let pick = match event {
            _ if Spot::of_keys(state) != Spot::Maps => return None,
            Event::Button { button: Button::Left, pressed: true, .. } => self.at.map(Pick::At),
            Event::Wheel(notches) => Some(Pick::Step { right: 0, down: -notches.round() as i32 }),
            Event::Button { pressed: true, .. } | Event::Tilt(_) | Event::Scroll(_) | Event::Pinch(_) => None,
            _ => return None,
        };
        Some(pick.map(Command::Pick).into_iter().collect())
    }
}

/// Whether text is typed there.
fn types(spot: Spot) -> bool {
    !matches!(spot, Spot::Elsewhere | Spot::Keys)
}

/// Adds text to the typed line, if one is open.
pub(super) fn typed(text: String, state: &ViewState) -> Vec<Command> {
    let row = find(Spot::of_keys(state), Trigger::Typing);
    match row.map(|r| &r.does) {
        Some(Does::Type) => vec![Command::Type(Typing::Text(text))],
        _ => Vec::new(),
    }
}

/// Whether a held key repeats the command: moves do, toggles and saving do not.
fn repeats(command: &Command) -> bool {
    matches!(
        command,
        Command::Step { .. }
            | Command::Nearer(_)
            | Command::Menu(Menuing::Step(_))
            | Command::Do(
                Action::Back
                    | Action::Forward
                    | Action::Undo
                    | Action::Redo
                    | Action::NextMaximum
                    | Action::PreviousMaximum
                    | Action::NextMinimum
                    | Action::PreviousMinimum
                    | Action::NextPanel
                    | Action::PreviousPanel
            )
            | Command::Type(
                Typing::Erase(_) | Typing::Cursor(_) | Typing::Complete { .. } | Typing::Recall { .. }
            )
            | Command::Slice(_)
            | Command::Pick(_)
            | Command::Scroll(_)
    )
}
