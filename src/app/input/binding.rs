//! What a binding is made of: what a person does, where, and what comes of it.

use super::chord::{Chord, Mods};
use super::event::Button;
use super::spot::Spot;
use crate::app::state::{Command, Drag, Reach};
use std::fmt;

/// What a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A key.
    Key(Chord),
    /// Any arrow.
    Arrows(Mods),
    /// Any key that types text.
    Typing,
    /// The wheel.
    Wheel(Mods),
    /// Two fingers on a trackpad.
    Scroll(Mods),
    /// Two fingers spread or closed.
    Pinch(Mods),
    /// A button is held while the pointer moves.
    Drag(Button, Mods),
    /// The left button goes down and up.
    Click(Mods),
    /// And once more.
    DoubleClick(Mods),
    /// Modifiers that change what the pointer does.
    Held(Mods),
}

/// Where a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// Cells.
    Body,
    /// Cells and axes.
    Panel,
    /// Colour bars.
    Bar,
    /// Everywhere.
    Anywhere,
    /// Everywhere, while a search is typed; comes before `Anywhere`.
    Search,
}

impl On {
    /// Whether a binding holds here.
    pub fn holds(self, spot: Spot) -> bool {
        match self {
            On::Body => spot == Spot::Body,
            On::Panel => matches!(spot, Spot::Body | Spot::Axis),
            On::Bar => spot == Spot::Bar,
            On::Search => spot == Spot::Search,
            On::Anywhere => spot != Spot::Search,
        }
    }
}

/// What a binding does.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    /// This command.
    Run(Command),
    /// Steps where the arrow points.
    Step(Reach),
    /// Zooms at the pointer by as much as wheel or fingers moved.
    Zoom,
    /// Moves the content with the fingers.
    Pan,
    /// Drags.
    Drag(Drag),
    /// Fits what is under the pointer.
    Fit,
    /// Selects the cell under the pointer, or extends the selection to it.
    Select { extend: bool },
    /// Adds the text to the search.
    Type,
    /// The move that goes with it concerns one panel.
    Alone,
}

/// One binding. Several triggers do the same.
#[derive(Clone, Debug)]
pub struct Row {
    /// The title of its group.
    pub group: &'static str,
    /// Where it holds.
    pub on: On,
    /// What a person does.
    pub triggers: &'static [Trigger],
    /// What comes of it.
    pub does: Does,
    /// What people read.
    pub text: &'static str,
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mods, what) = match *self {
            Trigger::Key(chord) => return write!(f, "{chord}"),
            Trigger::Held(mods) => return f.write_str(mods.to_string().trim_end_matches('+')),
            Trigger::Typing => return f.write_str("Typing"),
            Trigger::Arrows(m) => (m, "Arrows"),
            Trigger::Wheel(m) => (m, "Wheel"),
            Trigger::Scroll(m) => (m, "Two-finger scroll"),
            Trigger::Pinch(m) => (m, "Pinch"),
            Trigger::Drag(Button::Left, m) => (m, "Drag"),
            Trigger::Drag(Button::Middle, m) => (m, "Middle drag"),
            Trigger::Drag(Button::Right, m) => (m, "Right drag"),
            Trigger::Click(m) => (m, "Click"),
            Trigger::DoubleClick(m) => (m, "Double click"),
        };
        match mods {
            Mods::NONE => f.write_str(what),
            _ => write!(f, "{mods}{}", what.to_lowercase()),
        }
    }
}
