//! A binding: a trigger, where it applies, and its effect; and how bindings are looked up.

use super::controls::Spot;
use super::event::Button;
use super::keyboard::{Chord, Mods};
use super::rows::rows;
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
    /// Fits the body, axis or bar under the pointer.
    Fit,
    /// Selects the cell under the pointer, or extends the selection to it.
    Select { extend: bool },
    /// Goes to the slice under the pointer, or by as much as the wheel moved.
    Slide,
    /// Runs the command of the button under the pointer.
    Press,
    /// Moves the view to the place under the pointer on the minimap.
    GoThere,
    /// Opens the menu of the place under the pointer.
    Menu,
    /// Goes to the next entry of the menu, or the one before, in the arrow's direction.
    Turn,
    /// Runs the command of the chosen entry of the menu.
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

/// The binding of a trigger at a kind of place.
pub(super) fn find(spot: Spot, trigger: Trigger) -> Option<&'static Row> {
    let holds = |r: &&Row| r.on.holds(spot) && r.triggers.contains(&trigger);
    // The divider lies over cells.
    let nearest = rows().filter(|r| r.on == On::Divider).find(holds);
    nearest.or_else(|| rows().find(holds))
}

/// The binding of a pointer gesture, and whether it is restricted to one panel.
pub(super) fn find_at(
    spot: Spot,
    mods: Mods,
    trigger: impl Fn(Mods) -> Trigger,
) -> Option<(&'static Row, bool)> {
    let alone = || {
        let held = rows().filter(|r| r.does == Does::Alone).flat_map(|r| r.triggers);
        let mut rest = held.filter_map(|t| if let Trigger::Held(h) = t { mods.without(*h) } else { None });
        rest.find_map(|m| find(spot, trigger(m))).map(|r| (r, true))
    };
    find(spot, trigger(mods)).map(|r| (r, false)).or_else(alone)
}

/// The binding of a key.
pub(super) fn find_key(spot: Spot, chord: Chord) -> Option<&'static Row> {
    let arrow = || chord.key.arrow().and_then(|_| find(spot, Trigger::Arrows(chord.mods)));
    find(spot, Trigger::Key(chord)).or_else(arrow)
}

/// The text and the keys of a command that keys are bound to, for buttons and menus.
pub(crate) fn bound(command: &Command) -> Option<(&'static str, String)> {
    let row = rows().find(|r| matches!(&r.does, Does::Run(c) if c == command))?;
    let keys: Vec<String> = row.triggers.iter().map(ToString::to_string).collect();
    Some((row.text, keys.join(", ")))
}

/// The text and the keys of a command in one line: `Show all (Home, h, r, 0)`.
pub(crate) fn hint_of(command: &Command) -> String {
    bound(command).map_or_else(String::new, |(text, keys)| format!("{text} ({keys})"))
}

/// A binding as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyRow {
    /// The title of its group.
    pub group: &'static str,
    /// Keys and gestures, any of which has the effect: `Ctrl+C`, `Shift+drag`, `Wheel`.
    pub keys: Vec<String>,
    /// Where it applies, if not everywhere: `on a bar`.
    pub place: Option<&'static str>,
    /// Its effect.
    pub text: &'static str,
    /// The line of a script that runs the same command, if the pointer's place does not matter.
    pub line: Option<String>,
}

/// All bindings as people read them, group by group.
pub fn keys() -> Vec<KeyRow> {
    let place = |on| match on {
        On::Bar => Some("on a bar"),
        On::Slider => Some("on a slider"),
        On::Typed => Some("in a typed line"),
        On::Tool => Some("on a button"),
        On::Menu => Some("in a menu"),
        On::Minimap => Some("on the minimap"),
        On::Divider => Some("on the divider"),
        On::Title => Some("on a panel's title"),
        On::Strip => Some("on the thumbnails"),
        On::Search => Some("in a search"),
        On::Prompt => Some("in the prompt"),
        On::Maps => Some("in the table of colormaps"),
        On::Keys => Some("in this list"),
        On::Line => Some("in a search or the prompt"),
        On::Body | On::Panel | On::Anywhere => None,
    };
    let line = |row: &Row| KeyRow {
        group: row.group,
        keys: row.triggers.iter().map(Trigger::to_string).collect(),
        place: place(row.on),
        text: row.text,
        line: match &row.does {
            Does::Run(command) => Some(command.to_string()),
            _ => None,
        },
    };
    rows().map(line).collect()
}

impl fmt::Display for KeyRow {
    /// `Wheel, Pinch on a bar`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.keys.join(", "))?;
        self.place.map_or(Ok(()), |p| write!(f, " {p}"))
    }
}
