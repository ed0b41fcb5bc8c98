//! The table of bindings: what is bound, what keys do and what the overlay and the README say all come from it.

use super::chord::{Chord, Key, Mods};
use super::event::Button;
use crate::app::command::{Colors, Command, Drag, Reach, Typing};
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

/// What is at the place where something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Cells.
    Body,
    /// An axis.
    Axis,
    /// A colour bar.
    Bar,
    /// None of these.
    Elsewhere,
    /// A search is typed, wherever the pointer is.
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
    /// The title that it stands under.
    pub group: &'static str,
    /// Where it holds.
    pub on: On,
    /// What a person does.
    pub triggers: &'static [Trigger],
    /// What comes of it.
    pub does: Does,
    /// What people are told.
    pub text: &'static str,
}

/// One line for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// The title that it stands under.
    pub group: &'static str,
    /// What to do, any of them: `Ctrl+C`, `Shift+drag`, `Wheel`.
    pub keys: Vec<String>,
    /// Where, if that is not everywhere: `on a bar`.
    pub place: Option<&'static str>,
    /// What comes of it.
    pub text: &'static str,
}

/// All bindings as people read them, in the order of their groups.
pub fn keys() -> Vec<KeyRow> {
    let place = |on| match on {
        On::Bar => Some("on a bar"),
        On::Search => Some("in a search"),
        On::Body | On::Panel | On::Anywhere => None,
    };
    let line = |row: &Row| KeyRow {
        group: row.group,
        keys: row.triggers.iter().map(Trigger::to_string).collect(),
        place: place(row.on),
        text: row.text,
    };
    ROWS.iter().map(line).collect()
}

impl fmt::Display for KeyRow {
    /// `Wheel, Pinch on a bar`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.keys.join(", "))?;
        self.place.map_or(Ok(()), |p| write!(f, " {p}"))
    }
}

/// The binding of a trigger at a place.
pub fn find(spot: Spot, trigger: Trigger) -> Option<&'static Row> {
    ROWS.iter().find(|r| r.on.holds(spot) && r.triggers.contains(&trigger))
}

/// The binding of something done with the pointer, and whether it concerns one panel alone.
pub fn find_at(spot: Spot, mods: Mods, trigger: impl Fn(Mods) -> Trigger) -> Option<(&'static Row, bool)> {
    let alone = || {
        let held = ROWS.iter().filter(|r| r.does == Does::Alone).flat_map(|r| r.triggers);
        let rest = held.filter_map(|t| if let Trigger::Held(h) = t { mods.without(*h) } else { None });
        rest.filter_map(|m| find(spot, trigger(m))).next().map(|r| (r, true))
    };
    find(spot, trigger(mods)).map(|r| (r, false)).or_else(alone)
}

/// The binding of a key.
pub fn find_key(spot: Spot, chord: Chord) -> Option<&'static Row> {
    let arrow = || chord.key.arrow().and_then(|_| find(spot, Trigger::Arrows(chord.mods)));
    find(spot, Trigger::Key(chord)).or_else(arrow)
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

const MOVING: &str = "Moving";
const READING: &str = "Reading";
const COLOUR: &str = "Colour";
const FIGURE: &str = "Figure and window";

/// A wheel's notch.
pub const NOTCH: f64 = 1.15;
/// Three of them: a press of + or -.
const PRESS: f64 = NOTCH * NOTCH * NOTCH;

const fn at(group: &'static str, on: On, triggers: &'static [Trigger], does: Does, text: &'static str) -> Row {
    Row { group, on, triggers, does, text }
}

/// A row of keys that hold anywhere.
const fn run(group: &'static str, triggers: &'static [Trigger], command: Command, text: &'static str) -> Row {
    Row { group, on: On::Anywhere, triggers, does: Does::Run(command), text }
}

const fn key(key: Key) -> Trigger {
    Trigger::Key(Chord { mods: Mods::NONE, key })
}

const fn sign(c: char) -> Trigger {
    key(Key::Char(c))
}

const fn with(mods: Mods, key: Key) -> Trigger {
    Trigger::Key(Chord { mods, key })
}

const NONE: Mods = Mods::NONE;
const CTRL: Mods = Mods::CTRL;
const SHIFT: Mods = Mods::SHIFT;
const ALT: Mods = Mods::ALT;
const CTRL_SHIFT: Mods = Mods { ctrl: true, ..Mods::SHIFT };

/// All bindings.
pub static ROWS: &[Row] = &[
    at(
        MOVING,
        On::Panel,
        &[Trigger::Wheel(NONE), Trigger::Wheel(CTRL), Trigger::Scroll(CTRL), Trigger::Pinch(NONE)],
        Does::Zoom,
        "Zoom at the pointer; over an axis along it alone",
    ),
    at(
        MOVING,
        On::Panel,
        &[Trigger::Drag(Button::Left, NONE), Trigger::Drag(Button::Middle, NONE)],
        Does::Drag(Drag::Pan),
        "Move; over an axis along it alone",
    ),
    at(MOVING, On::Panel, &[Trigger::Scroll(NONE)], Does::Pan, "Move, on a trackpad"),
    at(
        MOVING,
        On::Panel,
        &[Trigger::Drag(Button::Right, NONE), Trigger::Drag(Button::Left, SHIFT)],
        Does::Drag(Drag::Box),
        "Zoom to a box",
    ),
    at(MOVING, On::Panel, &[Trigger::DoubleClick(NONE)], Does::Fit, "Show all; over an axis all along it"),
    at(MOVING, On::Anywhere, &[Trigger::Held(ALT)], Does::Alone, "With the pointer's moves: one panel alone"),
    at(MOVING, On::Anywhere, &[Trigger::Arrows(NONE)], Does::Step(Reach::Step), "Go a step"),
    at(MOVING, On::Anywhere, &[Trigger::Arrows(SHIFT)], Does::Step(Reach::Page), "Go a page"),
    at(MOVING, On::Anywhere, &[Trigger::Arrows(CTRL)], Does::Step(Reach::Edge), "Go to the edge"),
    run(MOVING, &[sign('+'), sign('=')], Command::Nearer(PRESS), "Zoom in"),
    run(MOVING, &[sign('-')], Command::Nearer(1.0 / PRESS), "Zoom out"),
    run(MOVING, &[key(Key::Home), sign('h'), sign('r'), sign('0')], Command::Home, "Show all"),
    run(MOVING, &[sign('1')], Command::Actual, "A cell a pixel"),
    run(MOVING, &[key(Key::Backspace), with(ALT, Key::Left)], Command::Back, "The view before"),
    run(MOVING, &[with(ALT, Key::Right)], Command::Forward, "The view after"),
    run(MOVING, &[sign('a')], Command::Square, "Square cells, or not"),
    at(READING, On::Body, &[Trigger::Click(NONE), Trigger::Click(CTRL)], Does::Select { extend: false }, "Select a cell"),
    at(READING, On::Body, &[Trigger::Click(SHIFT)], Does::Select { extend: true }, "Extend the selection"),
    at(READING, On::Body, &[Trigger::Drag(Button::Left, CTRL)], Does::Drag(Drag::Select), "Select a block"),
    run(READING, &[with(CTRL, Key::Char('c'))], Command::Copy, "Copy the value or the selection"),
    run(READING, &[with(CTRL_SHIFT, Key::Char('c'))], Command::CopyPicture, "Copy the picture"),
    run(READING, &[sign('m')], Command::Reduce(None), "The next reduction"),
    run(READING, &[sign('x')], Command::NextMaximum, "Go to the maximum; again: the next"),
    run(READING, &[sign('/')], Command::Search(Typing::Open), "Search the labels"),
    at(READING, On::Search, &[Trigger::Typing], Does::Type, "What to search"),
    at(READING, On::Search, &[key(Key::Enter), with(SHIFT, Key::Enter)], Does::Run(Command::Search(Typing::Next)), "Go to the next match"),
    at(
        READING,
        On::Search,
        &[key(Key::Backspace), with(SHIFT, Key::Backspace)],
        Does::Run(Command::Search(Typing::Erase)),
        "Erase a character",
    ),
    at(COLOUR, On::Bar, &[Trigger::Drag(Button::Left, NONE)], Does::Drag(Drag::Limits), "Move a limit; from the middle both"),
    at(COLOUR, On::Bar, &[Trigger::Wheel(NONE), Trigger::Scroll(NONE), Trigger::Pinch(NONE)], Does::Zoom, "Narrow or widen the limits"),
    at(COLOUR, On::Bar, &[Trigger::DoubleClick(NONE)], Does::Fit, "Automatic limits"),
    run(COLOUR, &[sign('c')], Command::Colors(Colors::Turn(1)), "The next colormap"),
    run(COLOUR, &[with(SHIFT, Key::Char('c'))], Command::Colors(Colors::Turn(-1)), "The colormap before"),
    run(COLOUR, &[sign('i')], Command::Colors(Colors::Invert), "Turn the colormap round"),
    run(COLOUR, &[sign('l')], Command::Colors(Colors::NextNorm), "The next norm"),
    run(FIGURE, &[sign('n')], Command::Annotations, "Values in cells, or not"),
    run(FIGURE, &[sign('g')], Command::Borders, "Lines between cells, or not"),
    run(FIGURE, &[sign('t')], Command::Labels, "Tick labels, or not"),
    run(FIGURE, &[sign('f'), key(Key::F(11))], Command::FullScreen, "Full screen, or not"),
    run(FIGURE, &[sign('s')], Command::Save, "Save the view as a PNG"),
    run(FIGURE, &[with(SHIFT, Key::Char('s'))], Command::SaveFigure, "Save the whole figure as a PNG"),
    run(FIGURE, &[sign('w')], Command::Write, "Write view and colours as a figure file"),
    run(FIGURE, &[sign('?'), key(Key::F(1))], Command::Keys, "These keys, or not"),
    run(FIGURE, &[with(SHIFT, Key::Char('f')), key(Key::F(2))], Command::Frames, "Frame times, or not"),
    run(FIGURE, &[key(Key::Escape)], Command::Cancel, "Give up what is in work; close what lies over the figure"),
    run(FIGURE, &[sign('q'), with(CTRL, Key::Char('w')), with(CTRL, Key::Char('q'))], Command::Quit, "Quit"),
];
