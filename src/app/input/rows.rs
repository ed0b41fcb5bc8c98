//! The table of all bindings. Input handling, the overlay of keys and the book's table of keys are all made
//! from it.

use super::binding::{Does, On, Row, Trigger};
use super::chord::{Chord, Key, Mods};
use super::event::Button;
use crate::app::state::{Action, Colors, Command, Drag, Effect, Reach, Typing};

const MOVING: &str = "Moving";
const READING: &str = "Reading";
const COLOUR: &str = "Colour";
const FIGURE: &str = "Figure and window";

/// The zoom factor of a notch of the wheel.
pub(super) const NOTCH: f64 = 1.15;
/// The zoom factor of a press of + or -: three notches.
const PRESS: f64 = NOTCH * NOTCH * NOTCH;

const fn at(
    group: &'static str,
    on: On,
    triggers: &'static [Trigger],
    does: Does,
    text: &'static str,
) -> Row {
    Row {
        group,
        on,
        triggers,
        does,
        text,
    }
}

/// A row of keys that apply anywhere.
const fn run(group: &'static str, triggers: &'static [Trigger], command: Command, text: &'static str) -> Row {
    Row {
        group,
        on: On::Anywhere,
        triggers,
        does: Does::Run(command),
        text,
    }
}

const fn key(key: Key) -> Trigger {
    Trigger::Key(Chord {
        mods: Mods::NONE,
        key,
    })
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
const CTRL_SHIFT: Mods = Mods {
    ctrl: true,
    ..Mods::SHIFT
};

/// All bindings.
pub(super) static ROWS: &[Row] = &[
    at(
        MOVING,
        On::Panel,
        &[
            Trigger::Wheel(NONE),
            Trigger::Wheel(CTRL),
            Trigger::Scroll(CTRL),
            Trigger::Pinch(NONE),
        ],
        Does::Zoom,
        "Zoom at the pointer; over an axis: that axis only",
    ),
    at(
        MOVING,
        On::Panel,
        &[
            Trigger::Drag(Button::Left, NONE),
            Trigger::Drag(Button::Middle, NONE),
        ],
        Does::Drag(Drag::Pan),
        "Move; over an axis: along it only",
    ),
    at(
        MOVING,
        On::Panel,
        &[Trigger::Scroll(NONE)],
        Does::Pan,
        "Move, on a trackpad",
    ),
    at(
        MOVING,
        On::Panel,
        &[
            Trigger::Drag(Button::Right, NONE),
            Trigger::Drag(Button::Left, SHIFT),
        ],
        Does::Drag(Drag::Box),
        "Zoom to a box",
    ),
    at(
        MOVING,
        On::Panel,
        &[Trigger::DoubleClick(NONE)],
        Does::Fit,
        "Show all; over an axis: that axis only",
    ),
    at(
        MOVING,
        On::Anywhere,
        &[Trigger::Held(ALT)],
        Does::Alone,
        "With a pointer gesture: one panel only",
    ),
    at(
        MOVING,
        On::Anywhere,
        &[Trigger::Arrows(NONE)],
        Does::Step(Reach::Step),
        "Move one step",
    ),
    at(
        MOVING,
        On::Anywhere,
        &[Trigger::Arrows(SHIFT)],
        Does::Step(Reach::Page),
        "Move one page",
    ),
    at(
        MOVING,
        On::Anywhere,
        &[Trigger::Arrows(CTRL)],
        Does::Step(Reach::Edge),
        "Move to the edge",
    ),
    run(MOVING, &[sign('+'), sign('=')], Command::Nearer(PRESS), "Zoom in"),
    run(MOVING, &[sign('-')], Command::Nearer(1.0 / PRESS), "Zoom out"),
    run(
        MOVING,
        &[key(Key::Home), sign('h'), sign('r'), sign('0')],
        Command::Do(Action::Home),
        "Show all",
    ),
    run(
        MOVING,
        &[sign('1')],
        Command::Do(Action::Actual),
        "One cell per pixel",
    ),
    run(
        MOVING,
        &[key(Key::Backspace), with(ALT, Key::Left)],
        Command::Do(Action::Back),
        "Previous view",
    ),
    run(
        MOVING,
        &[with(ALT, Key::Right)],
        Command::Do(Action::Forward),
        "Next view",
    ),
    run(
        MOVING,
        &[sign('a')],
        Command::Do(Action::Square),
        "Square cells on or off",
    ),
    at(
        READING,
        On::Body,
        &[Trigger::Click(NONE), Trigger::Click(CTRL)],
        Does::Select { extend: false },
        "Select a cell",
    ),
    at(
        READING,
        On::Body,
        &[Trigger::Click(SHIFT)],
        Does::Select { extend: true },
        "Extend the selection",
    ),
    at(
        READING,
        On::Body,
        &[Trigger::Drag(Button::Left, CTRL)],
        Does::Drag(Drag::Select),
        "Select a block",
    ),
    run(
        READING,
        &[with(CTRL, Key::Char('c'))],
        Command::Effect(Effect::Copy),
        "Copy the value or the selection",
    ),
    run(
        READING,
        &[with(CTRL_SHIFT, Key::Char('c'))],
        Command::Effect(Effect::CopyPicture),
        "Copy the picture",
    ),
    run(READING, &[sign('m')], Command::Reduce(None), "Next reduction"),
    run(
        READING,
        &[sign('x')],
        Command::Do(Action::NextMaximum),
        "Go to the maximum; again: to the next",
    ),
    run(
        READING,
        &[sign('/')],
        Command::Search(Typing::Open),
        "Search the labels",
    ),
    at(
        READING,
        On::Search,
        &[Trigger::Typing],
        Does::Type,
        "Text to search for",
    ),
    at(
        READING,
        On::Search,
        &[key(Key::Enter), with(SHIFT, Key::Enter)],
        Does::Run(Command::Search(Typing::Next)),
        "Go to the next match",
    ),
    at(
        READING,
        On::Search,
        &[key(Key::Backspace), with(SHIFT, Key::Backspace)],
        Does::Run(Command::Search(Typing::Erase)),
        "Erase a character",
    ),
    at(
        COLOUR,
        On::Bar,
        &[Trigger::Drag(Button::Left, NONE)],
        Does::Drag(Drag::Limits),
        "Move a limit; from the middle: both",
    ),
    at(
        COLOUR,
        On::Bar,
        &[Trigger::Wheel(NONE), Trigger::Scroll(NONE), Trigger::Pinch(NONE)],
        Does::Zoom,
        "Narrow or widen the limits",
    ),
    at(
        COLOUR,
        On::Bar,
        &[Trigger::DoubleClick(NONE)],
        Does::Fit,
        "Automatic limits",
    ),
    run(
        COLOUR,
        &[sign('c')],
        Command::Colors(Colors::Turn(1)),
        "Next colormap",
    ),
    run(
        COLOUR,
        &[with(SHIFT, Key::Char('c'))],
        Command::Colors(Colors::Turn(-1)),
        "Previous colormap",
    ),
    run(
        COLOUR,
        &[sign('i')],
        Command::Colors(Colors::Invert),
        "Reverse the colormap",
    ),
    run(
        COLOUR,
        &[sign('l')],
        Command::Colors(Colors::NextNorm),
        "Next norm",
    ),
    run(
        FIGURE,
        &[sign('n')],
        Command::Do(Action::Annotations),
        "Values in cells on or off",
    ),
    run(
        FIGURE,
        &[sign('g')],
        Command::Do(Action::Borders),
        "Lines between cells on or off",
    ),
    run(
        FIGURE,
        &[sign('t')],
        Command::Do(Action::Labels),
        "Tick labels on or off",
    ),
    run(
        FIGURE,
        &[sign('f'), key(Key::F(11))],
        Command::Effect(Effect::FullScreen),
        "Full screen on or off",
    ),
    run(
        FIGURE,
        &[sign('s')],
        Command::Effect(Effect::Save),
        "Save the view as a PNG",
    ),
    run(
        FIGURE,
        &[with(SHIFT, Key::Char('s'))],
        Command::Effect(Effect::SaveFigure),
        "Save the whole figure as a PNG",
    ),
    run(
        FIGURE,
        &[sign('w')],
        Command::Effect(Effect::Write),
        "Save view and colours as a figure file",
    ),
    run(
        FIGURE,
        &[sign('?'), key(Key::F(1))],
        Command::Do(Action::Keys),
        "Show or hide these keys",
    ),
    run(
        FIGURE,
        &[with(SHIFT, Key::Char('f')), key(Key::F(2))],
        Command::Do(Action::Frames),
        "Frame times on or off",
    ),
    run(
        FIGURE,
        &[key(Key::Escape)],
        Command::Do(Action::Cancel),
        "Cancel the current action; close overlays",
    ),
    run(
        FIGURE,
        &[sign('q'), with(CTRL, Key::Char('w')), with(CTRL, Key::Char('q'))],
        Command::Effect(Effect::Quit),
        "Quit",
    ),
];
