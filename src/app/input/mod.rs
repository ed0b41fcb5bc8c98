//! Events to commands, by one table of bindings.

mod chord;
mod event;
mod spot;
mod binding;
mod rows;
mod table;
mod pointer;

pub use chord::{Chord, ChordError, Key, Mods};
pub(crate) use event::translate;
pub use event::{Button, Event};
pub use table::{KeyRow, keys};

use super::geometry::WindowGeometry;
use super::state::{Action, Command, Drag, Typing, ViewState};
use crate::geom::Point;
use binding::{Does, Row, Trigger};
use rows::NOTCH;
use spot::Spot;
use std::time::Duration;
use table::{find, find_at, find_key};

/// A press becomes a drag after this many logical pixels.
const SLACK: f64 = 4.0;
/// Two clicks are a double click within this time
const DOUBLE: Duration = Duration::from_millis(400);
/// and within this many logical pixels.
const NEAR: f64 = 5.0;
/// This many logical pixels of a trackpad zoom like one notch of a wheel.
const PIXELS: f64 = 20.0;
/// One event zooms by at most this many notches.
const MOST: f64 = 20.0;

/// Modifiers, pointer and button, on which the meaning of an event depends.
#[derive(Debug, Default)]
pub struct Input {
    mods: Mods,
    at: Option<Point>,
    press: Option<Press>,
    /// The previous click: when and where it began.
    click: Option<(Duration, Point)>,
}

/// A button that is down. The modifiers of the press apply until it is released.
#[derive(Clone, Copy, Debug)]
struct Press {
    button: Button,
    at: Point,
    when: Duration,
    mods: Mods,
    /// The previous click was close, in time and position.
    double: bool,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    /// It has not moved: a click, if it is released here.
    Still,
    /// It is a drag.
    Drags(Drag),
    /// It has no effect any more.
    Spent,
}

impl Input {
    /// The commands of an event, in order.
    pub fn event(&mut self, event: Event, geometry: &WindowGeometry, state: &ViewState) -> Vec<Command> {
        match event {
            Event::Key { key, text, repeat } => self.press(Chord::new(self.mods, key), text, repeat, state),
            Event::Text(text) => typed(text, state),
            Event::Modifiers(mods) => {
                self.mods = mods;
                Vec::new()
            }
            Event::Moved(at) if at.is_finite() => self.moved(at, geometry),
            Event::Moved(_) => Vec::new(),
            // The release of the button is still reported, so the drag continues outside.
            Event::Left if self.press.is_some() => Vec::new(),
            Event::Left => {
                self.at = None;
                vec![Command::Leave]
            }
            Event::Button {
                button,
                pressed: true,
                when,
            } => self.down(button, when, geometry),
            Event::Button {
                button,
                pressed: false,
                ..
            } => self.up(button, geometry),
            Event::Wheel(notches) => {
                self.turned(Trigger::Wheel, NOTCH.powf(notches.clamp(-MOST, MOST)), geometry)
            }
            Event::Scroll(by) => self.scrolled(by, geometry),
            Event::Pinch(by) => self.turned(Trigger::Pinch, (1.0 + by).clamp(0.1, 10.0), geometry),
            Event::Unfocused => {
                self.mods = Mods::NONE;
                self.drop_press()
            }
        }
    }

    /// The commands of a key; `text`: what it types.
    pub fn press(
        &mut self,
        chord: Chord,
        text: Option<String>,
        repeat: bool,
        state: &ViewState,
    ) -> Vec<Command> {
        let row = match state.search {
            Some(_) => match (find_key(Spot::Search, chord), text) {
                (Some(row), _) => Some(row),
                // Some keyboards type a key's third character with Ctrl and Alt.
                (None, Some(text)) if !chord.mods.ctrl || chord.mods.alt => return typed(text, state),
                (None, _) => find_key(Spot::Elsewhere, chord),
            },
            None => find_key(Spot::Elsewhere, chord),
        };
        let command = row.and_then(|r| match (&r.does, chord.key.arrow()) {
            (Does::Run(command), _) => Some(command.clone()),
            (Does::Step(reach), Some((right, down))) => Some(Command::Step {
                right,
                down,
                reach: *reach,
            }),
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

    /// The drag in progress, and where it began.
    fn dragging(&self) -> Option<(Drag, Point)> {
        self.press.and_then(|p| {
            if let Stage::Drags(drag) = p.stage {
                Some((drag, p.at))
            } else {
                None
            }
        })
    }

    fn moved(&mut self, at: Point, geometry: &WindowGeometry) -> Vec<Command> {
        self.at = Some(at);
        let mut commands = vec![Command::Point(at)];
        let Some(press) = &mut self.press else {
            return commands;
        };
        if press.stage == Stage::Still && distance(press.at, at) > SLACK * geometry.logical_pixel() {
            self.click = None;
            let (button, from) = (press.button, press.at);
            let row = find_at(Spot::at(geometry, from), press.mods, |m| Trigger::Drag(button, m));
            press.stage = match row {
                Some((
                    Row {
                        does: Does::Drag(drag),
                        ..
                    },
                    alone,
                )) => {
                    commands.push(Command::Begin {
                        drag: *drag,
                        at: from,
                        alone,
                    });
                    Stage::Drags(*drag)
                }
                _ => Stage::Spent,
            };
        }
        if matches!(press.stage, Stage::Drags(_)) {
            commands.push(Command::Move(at));
        }
        commands
    }

    fn down(&mut self, button: Button, when: Duration, geometry: &WindowGeometry) -> Vec<Command> {
        if self.press.is_some_and(|p| p.button != button) {
            return Vec::new();
        }
        // A second press of the same button means that its release was lost.
        let commands = self.drop_press();
        if let Some(at) = self.at {
            let near = |(then, there)| {
                when.saturating_sub(then) <= DOUBLE && distance(there, at) <= NEAR * geometry.logical_pixel()
            };
            let double = button == Button::Left && self.click.is_some_and(near);
            self.press = Some(Press {
                button,
                at,
                when,
                mods: self.mods,
                double,
                stage: Stage::Still,
            });
        }
        commands
    }

    fn up(&mut self, button: Button, geometry: &WindowGeometry) -> Vec<Command> {
        let Some(press) = self.press.filter(|p| p.button == button) else {
            return Vec::new();
        };
        self.press = None;
        let at = self.at.unwrap_or(press.at);
        let mut commands = match press.stage {
            Stage::Still if button == Button::Left => self.clicked(press, geometry),
            Stage::Drags(_) => vec![Command::End(at)],
            Stage::Still | Stage::Spent => Vec::new(),
        };
        let inside = at.x >= 0.0
            && at.y >= 0.0
            && at.x < f64::from(geometry.size.w)
            && at.y < f64::from(geometry.size.h);
        if !inside {
            self.at = None;
            commands.push(Command::Leave);
        }
        commands
    }

    fn clicked(&mut self, press: Press, geometry: &WindowGeometry) -> Vec<Command> {
        let spot = Spot::at(geometry, press.at);
        let twice = press
            .double
            .then(|| find_at(spot, press.mods, Trigger::DoubleClick))
            .flatten();
        // A third click counts as a first one.
        self.click = if twice.is_some() {
            None
        } else {
            Some((press.when, press.at))
        };
        match twice.or_else(|| find_at(spot, press.mods, Trigger::Click)) {
            Some((Row { does: Does::Fit, .. }, alone)) => vec![Command::Fit { at: press.at, alone }],
            Some((
                Row {
                    does: Does::Select { extend },
                    ..
                },
                _,
            )) => vec![Command::Click {
                at: press.at,
                extend: *extend,
            }],
            _ => Vec::new(),
        }
    }

    /// Ends a press that will not be released here. A box is cancelled, since it was not finished.
    fn drop_press(&mut self) -> Vec<Command> {
        let stage = self.press.take().map(|p| p.stage);
        match (stage, self.at) {
            (Some(Stage::Drags(Drag::Box)), _) => vec![Command::Do(Action::Cancel)],
            (Some(Stage::Drags(_)), Some(at)) => vec![Command::End(at)],
            _ => Vec::new(),
        }
    }

    fn scrolled(&self, by: Point, geometry: &WindowGeometry) -> Vec<Command> {
        if !by.is_finite() {
            return Vec::new();
        }
        let factor = NOTCH.powf((by.y / (PIXELS * geometry.logical_pixel())).clamp(-MOST, MOST));
        let zoom = self.turned(Trigger::Scroll, factor, geometry);
        let Some(at) = self.at.filter(|_| zoom.is_empty() && self.press.is_none()) else {
            return zoom;
        };
        match find_at(Spot::at(geometry, at), self.mods, Trigger::Scroll) {
            Some((Row { does: Does::Pan, .. }, alone)) if by != Point::default() => {
                vec![Command::Pan { at, by, alone }]
            }
            _ => Vec::new(),
        }
    }

    /// Zooms, unless a button is down: the content would slip from under the drag.
    fn turned(
        &self,
        trigger: impl Fn(Mods) -> Trigger,
        factor: f64,
        geometry: &WindowGeometry,
    ) -> Vec<Command> {
        let Some(at) = self
            .at
            .filter(|_| self.press.is_none() && factor.is_finite() && factor != 1.0)
        else {
            return Vec::new();
        };
        match find_at(Spot::at(geometry, at), self.mods, trigger) {
            Some((Row { does: Does::Zoom, .. }, alone)) => vec![Command::Zoom { at, factor, alone }],
            _ => Vec::new(),
        }
    }
}

/// Adds text to the search, if one is open.
fn typed(text: String, state: &ViewState) -> Vec<Command> {
    let row = state
        .search
        .as_ref()
        .and_then(|_| find(Spot::Search, Trigger::Typing));
    match row.map(|r| &r.does) {
        Some(Does::Type) => vec![Command::Search(Typing::Text(text))],
        _ => Vec::new(),
    }
}

/// Whether a held key repeats the command: moves do, toggles and saving do not.
fn repeats(command: &Command) -> bool {
    matches!(
        command,
        Command::Step { .. }
            | Command::Nearer(_)
            | Command::Do(Action::Back | Action::Forward | Action::NextMaximum)
            | Command::Search(Typing::Erase | Typing::Next)
    )
}

fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

#[cfg(test)]
mod tests;
