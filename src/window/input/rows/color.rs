//! Bindings that change colours.

use super::{CTRL, NONE, SHIFT, at, key, run, sign, with};
use crate::input::binding::{Does, On, Row, Trigger};
use crate::input::event::Button;
use crate::input::keyboard::Key;
use crate::state::{Action, Colors, Command, Drag, Pick, Typing};

const GROUP: &str = "Colour";

const fn picks(triggers: &'static [Trigger], right: i32, down: i32, text: &'static str) -> Row {
    let pick = Command::Pick(Pick::Step { right, down });
    at(GROUP, On::Maps, triggers, Does::Run(pick), text)
}

pub(super) static ROWS: &[Row] = &[
    at(
        GROUP,
        On::Bar,
        &[Trigger::Drag(Button::Left, NONE)],
        Does::Drag(Drag::Limits),
        "Move a limit, by round numbers; from the middle: both",
    ),
    at(
        GROUP,
        On::Bar,
        &[Trigger::Drag(Button::Left, CTRL)],
        Does::Drag(Drag::Fine),
        "Move a limit finely, without stops at round numbers",
    ),
    at(
        GROUP,
        On::Bar,
        &[Trigger::Wheel(NONE), Trigger::Scroll(NONE), Trigger::Pinch(NONE)],
        Does::Zoom,
        "Narrow or widen the limits",
    ),
    at(GROUP, On::Bar, &[Trigger::DoubleClick(NONE)], Does::Fit, "Automatic colour limits"),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('h'))],
        Command::Do(Action::Distribution),
        "Histogram of all cells: drag its limits and thresholds",
    ),
    run(GROUP, &[sign('k')], Command::Do(Action::LogCounts), "Logarithmic counts of the histogram on or off"),
    run(GROUP, &[with(SHIFT, Key::Char('a'))], Command::Colors(Colors::Auto), "Automatic colour limits"),
    run(GROUP, &[sign('c')], Command::Colors(Colors::Turn(1)), "Next colormap"),
    run(GROUP, &[with(SHIFT, Key::Char('c'))], Command::Colors(Colors::Turn(-1)), "Previous colormap"),
    run(GROUP, &[with(SHIFT, Key::Char('m'))], Command::Do(Action::Maps), "Choose from all colormaps"),
    picks(&[key(Key::Left)], -1, 0, "The map to the left"),
    picks(&[key(Key::Right)], 1, 0, "The map to the right"),
    picks(&[key(Key::Up)], 0, -1, "The map above"),
    picks(&[key(Key::Down)], 0, 1, "The map below"),
    at(
        GROUP,
        On::Maps,
        &[key(Key::Enter), with(SHIFT, Key::Enter)],
        Does::Run(Command::Type(Typing::Enter { back: false })),
        "Keep the map; a click keeps the one under it",
    ),
    run(GROUP, &[sign('i')], Command::Colors(Colors::Invert), "Reverse the colormap"),
    run(
        GROUP,
        &[sign('l')],
        Command::Colors(Colors::NextNorm),
        "Next scale of colours: linear, log, … (norm)",
    ),
];
