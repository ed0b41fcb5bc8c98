//! A binding: a trigger, where it applies, and its effect.

use super::chord::{Chord, Mods};
use super::event::Button;
use super::spot::Spot;
use crate::state::{Command, Drag, Reach};
use std::fmt;

/// Action of a person that triggers a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trigger {
    /// A key.
    Key(Chord),
    /// Any arrow.
    Arrows(Mods),
    /// Any key that types text.
    Typing,
    /// The wheel.
    Wheel(Mods),
    /// The wheel, tilted to a side.
    Tilt(Mods),
    /// Two fingers on a trackpad.
    Scroll(Mods),
    /// Two fingers spread or closed.
    Pinch(Mods),
    /// The pointer moves while a button is down.
    Drag(Button, Mods),
    /// The left button is pressed and released.
    Click(Mods),
    /// The same twice.
    DoubleClick(Mods),
    /// The right button is pressed and released.
    RightClick(Mods),
    /// Modifiers held during a pointer gesture.
    Held(Mods),
}

/// Where a binding applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// Cells.
    Body,
    /// Cells and axes.
    Panel,
    /// Colour bars.
    Bar,
    /// Sliders of slices.
    Slider,
    /// Buttons of the toolbar.
    Tool,
    /// The minimap.
    Minimap,
    /// Menus.
    Menu,
    /// The divider between two sides.
    Divider,
    /// Titles of panels.
    Title,
    /// The strip of thumbnails.
    Strip,
    /// Everywhere.
    Anywhere,
    /// Everywhere, while a line is typed; these take precedence over `Anywhere`.
    Typed,
    /// Everywhere, while a search is typed.
    Search,
    /// Everywhere, while the prompt is open.
    Prompt,
    /// Everywhere, while the table of colormaps is open.
    Maps,
    /// Everywhere, while the list of keys is open; these take precedence over `Anywhere`.
    Keys,
    /// Everywhere, while a line is typed in which a cursor moves.
    Line,
}

impl On {
    /// Whether a binding applies here.
    pub(super) fn holds(self, spot: Spot) -> bool {
        match self {
            On::Body => spot == Spot::Body,
            // The divider lies over cells.
            On::Panel => matches!(spot, Spot::Body | Spot::Axis | Spot::Divider),
            On::Divider => spot == Spot::Divider,
            On::Bar => spot == Spot::Bar,
            On::Slider => spot == Spot::Slider,
            On::Typed => matches!(spot, Spot::Search | Spot::Prompt | Spot::Maps),
            On::Line => matches!(spot, Spot::Search | Spot::Prompt),
            On::Maps => spot == Spot::Maps,
            On::Keys => spot == Spot::Keys,
            On::Tool => spot == Spot::Tool,
            On::Menu => spot == Spot::Menu,
            On::Minimap => spot == Spot::Minimap,
            On::Title => spot == Spot::Title,
            On::Strip => spot == Spot::Strip,
            On::Search => spot == Spot::Search,
            On::Prompt => spot == Spot::Prompt,
            On::Anywhere => {
                !matches!(spot, Spot::Search | Spot::Prompt | Spot::Maps | Spot::Menu | Spot::Keys)
            }
        }
    }
}

/// The effect of a binding.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Does {
    /// Runs this command.
    Run(Command),
    /// Moves the view in the arrow's direction.
    Step(Reach),
    /// Zooms at the pointer, by as much as wheel or fingers moved.
    Zoom,
    /// Moves the content with the fingers.
    Pan,
    /// Moves the content sideways, by as much as wheel or fingers moved.
    Sideways,
    /// Shows the panel of the thumbnail under the pointer.
    Panel,
    /// Drags.
    Drag(Drag),
    /// Fits what is under the pointer.
    Fit,
    /// Selects the cell under the pointer, or extends the selection to it.
    Select { extend: bool },
    /// Goes to the slice under the pointer, or by as much as the wheel moved.
    Slide,
    /// Does what the button under the pointer does.
    Press,
    /// Moves the view to what is under the pointer of the minimap.
    GoThere,
    /// Opens the menu of what is under the pointer.
    Menu,
    /// Goes to the next entry of the menu, or the one before, in the arrow's direction.
    Turn,
    /// Does what the chosen entry of the menu says.
    Choose,
    /// Adds the text to the typed line.
    Type,
    /// Restricts the gesture to one panel.
    Alone,
    /// Scrolls the list of keys, by as much as wheel or fingers moved, or a line in the arrow's direction; `pages`: a page.
    Scroll { pages: bool },
}

/// One binding, with all triggers that have the same effect.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The title of its group.
    pub group: &'static str,
    /// Where it applies.
    pub on: On,
    /// Actions of a person that trigger a binding.
    pub triggers: &'static [Trigger],
    /// Its effect.
    pub does: Does,
    /// Its description.
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
            Trigger::Tilt(m) => (m, "Tilted wheel"),
            Trigger::Scroll(m) => (m, "Two-finger scroll"),
            Trigger::Pinch(m) => (m, "Pinch"),
            Trigger::Drag(Button::Left, m) => (m, "Drag"),
            Trigger::Drag(Button::Middle, m) => (m, "Middle drag"),
            Trigger::Drag(Button::Right, m) => (m, "Right drag"),
            Trigger::Click(m) => (m, "Click"),
            Trigger::DoubleClick(m) => (m, "Double click"),
            Trigger::RightClick(m) => (m, "Right click"),
        };
        match mods {
            Mods::NONE => f.write_str(what),
            _ => write!(f, "{mods}{}", what.to_lowercase()),
        }
    }
}
