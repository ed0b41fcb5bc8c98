//! Events to commands, by one table of bindings.

mod event;
mod binding;
mod rows;
mod controls;
mod wheel;
mod keyboard;

pub use binding::{KeyRow, keys};
pub(super) use binding::{bound, hint_of};
pub(crate) use event::translate;
pub use event::{Button, Event};
pub use keyboard::{Chord, ChordError, Key, Mods};

use super::geometry::{Hit, WindowGeometry};
use super::state::{Action, Command, DOUBLE_CLICK, Drag, Slicing, ViewState};
use binding::{Does, Row, Trigger, find_at};
use controls::{Spot, chosen, closes_menu, in_mode, right_clicked};
use gridscope_core::geom::Point;
use keyboard::typed;
use std::time::Duration;

/// A press becomes a drag after this many logical pixels.
const SLACK: f64 = 4.0;
/// Two clicks near each other are a double click within this time.
const DOUBLE: Duration = Duration::from_millis(400);

/// Modifiers, pointer and button, on which the meaning of an event depends.
#[derive(Debug, Default)]
pub struct Input {
    mods: Mods,
    at: Option<Point>,
    press: Option<Press>,
    /// The previous click: when and where it began.
    click: Option<(Duration, Point)>,
    /// Notches of slices, or lines of the list of keys, that fingers on a trackpad have not made whole yet.
    slid: f64,
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
        if let Some(commands) = self.in_maps(&event, state) {
            return commands;
        }
        if let Some(commands) = self.in_keys(&event, geometry, state) {
            return commands;
        }
        match event {
            Event::Key { key, text, repeat } => self.press(Chord::new(self.mods, key), text, repeat, state),
            Event::Text(text) => typed(text, state),
            Event::Modifiers(mods) => {
                self.mods = mods;
                Vec::new()
            }
            Event::Moved(at) if at.is_finite() => self.moved(at, geometry, state),
            Event::Moved(_) => Vec::new(),
            // The release of the button is still reported, so the drag continues outside.
            Event::Left if self.press.is_some() => Vec::new(),
            Event::Left => {
                self.at = None;
                vec![Command::Leave]
            }
            Event::Button { button, pressed: true, when } => self.down(button, when, geometry, state),
            Event::Button { button, pressed: false, .. } => self.up(button, geometry, state),
            Event::Wheel(notches) if self.is_on_slider(geometry, Trigger::Wheel) => self.slid(notches),
            Event::Scroll(by) if self.is_on_slider(geometry, Trigger::Scroll) => {
                self.slid_by_pixels(by.y, geometry)
            }
            Event::Wheel(notches) => self.wheeled(notches, geometry),
            Event::Tilt(notches) => self.tilted(notches, geometry),
            Event::Scroll(by) => self.scrolled(by, geometry),
            Event::Pinch(by) => self.pinched(by, geometry),
            Event::Unfocused => {
                self.mods = Mods::NONE;
                self.drop_press()
            }
        }
    }

    /// The drag in progress, and where it began.
    fn dragging(&self) -> Option<(Drag, Point)> {
        self.press.and_then(|p| if let Stage::Drags(drag) = p.stage { Some((drag, p.at)) } else { None })
    }

    fn moved(&mut self, at: Point, geometry: &WindowGeometry, state: &ViewState) -> Vec<Command> {
        self.at = Some(at);
        let mut commands = vec![Command::Point(at)];
        let Some(press) = &mut self.press else {
            return commands;
        };
        if press.stage == Stage::Still && distance(press.at, at) > SLACK * geometry.logical_pixel() {
            self.click = None;
            let (button, from) = (press.button, press.at);
            let spot = Spot::at(geometry, from);
            let row = find_at(spot, press.mods, |m| Trigger::Drag(button, m));
            press.stage = match row {
                Some((Row { does: Does::Drag(drag), .. }, alone)) => {
                    let drag = in_mode(*drag, button, spot, state);
                    commands.push(Command::Begin { drag, at: from, alone });
                    Stage::Drags(drag)
                }
                _ => Stage::Spent,
            };
        }
        if matches!(press.stage, Stage::Drags(_)) {
            commands.push(Command::Move(at));
        }
        commands
    }

    fn down(
        &mut self,
        button: Button,
        when: Duration,
        geometry: &WindowGeometry,
        state: &ViewState,
    ) -> Vec<Command> {
        if self.press.is_some_and(|p| p.button != button) {
            return Vec::new();
        }
        // A second press of the same button means that its release was lost.
        let mut commands = self.drop_press();
        if let Some(at) = self.at {
            let closes = closes_menu(at, geometry, state);
            if closes {
                commands.push(Command::Do(Action::Cancel));
            }
            let near = |(then, there)| {
                when.saturating_sub(then) <= DOUBLE
                    && distance(there, at) <= DOUBLE_CLICK * geometry.logical_pixel()
            };
            let double = button == Button::Left && self.click.is_some_and(near);
            self.press = Some(Press {
                button,
                at,
                when,
                mods: self.mods,
                double,
                // A right click opens the next menu; any other press beside a menu does no more than close it.
                stage: if closes && button != Button::Right { Stage::Spent } else { Stage::Still },
            });
        }
        commands
    }

    fn up(&mut self, button: Button, geometry: &WindowGeometry, state: &ViewState) -> Vec<Command> {
        let Some(press) = self.press.filter(|p| p.button == button) else {
            return Vec::new();
        };
        self.press = None;
        let at = self.at.unwrap_or(press.at);
        let mut commands = match press.stage {
            Stage::Still if button == Button::Left => self.clicked(press, geometry, state),
            Stage::Still if button == Button::Right => right_clicked(press, geometry),
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

    fn clicked(&mut self, press: Press, geometry: &WindowGeometry, state: &ViewState) -> Vec<Command> {
        let spot = Spot::at(geometry, press.at);
        let twice = press.double.then(|| find_at(spot, press.mods, Trigger::DoubleClick)).flatten();
        // A third click counts as a first one.
        self.click = if twice.is_some() { None } else { Some((press.when, press.at)) };
        match twice.or_else(|| find_at(spot, press.mods, Trigger::Click)) {
            Some((Row { does: Does::Panel, .. }, _)) => match geometry.hit(press.at) {
                Hit::Thumbnail(panel) => vec![Command::Panel(Some(panel))],
                _ => Vec::new(),
            },
            Some((Row { does: Does::Fit, .. }, alone)) => vec![Command::Fit { at: press.at, alone }],
            Some((Row { does: Does::Select { extend }, .. }, _)) => {
                vec![Command::Click { at: press.at, extend: *extend }]
            }
            Some((Row { does: Does::GoThere, .. }, alone)) => {
                let begin = Command::Begin { drag: Drag::Overview, at: press.at, alone };
                vec![begin, Command::End(press.at)]
            }
            Some((Row { does: Does::Slide, .. }, _)) => vec![Command::Slice(Slicing::At(press.at))],
            Some((Row { does: Does::Press | Does::Choose, .. }, _)) => chosen(press.at, geometry, state),
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
}

fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

#[cfg(test)]
mod tests;
