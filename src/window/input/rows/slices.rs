//! Bindings of slices of arrays.

use super::{CTRL, NONE, SHIFT, at, run, sign, with};
use crate::input::binding::{Does, On, Row, Trigger};
use crate::input::event::Button;
use crate::input::keyboard::Key;
use crate::state::{Action, Command, Drag, Slicing};

const GROUP: &str = "Slices of an array";

/// The slices that a long step goes on by.
const FAR: i64 = 10;

pub(super) static ROWS: &[Row] = &[
    at(
        GROUP,
        On::Slider,
        &[Trigger::Drag(Button::Left, NONE)],
        Does::Drag(Drag::Slice),
        "Go through the slices",
    ),
    at(
        GROUP,
        On::Slider,
        &[Trigger::Click(NONE)],
        Does::Slide,
        "Go to a slice; on the triangle: play, or stop",
    ),
    at(
        GROUP,
        On::Slider,
        &[Trigger::Wheel(NONE), Trigger::Scroll(NONE)],
        Does::Slide,
        "Next or previous slice",
    ),
    run(GROUP, &[sign('.')], Command::Slice(Slicing::By(1)), "Next slice"),
    run(GROUP, &[sign(',')], Command::Slice(Slicing::By(-1)), "Previous slice"),
    run(GROUP, &[sign('>')], Command::Slice(Slicing::By(FAR)), "Ten slices on"),
    run(GROUP, &[sign('<')], Command::Slice(Slicing::By(-FAR)), "Ten slices back"),
    run(GROUP, &[with(CTRL, Key::Char('.'))], Command::Slice(Slicing::Axis(1)), "Next axis of slices"),
    run(GROUP, &[with(CTRL, Key::Char(','))], Command::Slice(Slicing::Axis(-1)), "Previous axis of slices"),
    run(GROUP, &[sign(' ')], Command::Do(Action::Play), "Play the slices; any key stops them"),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('p'))],
        Command::Do(Action::Trace),
        "Trace: the cell under the pointer in all slices",
    ),
    run(
        GROUP,
        &[with(CTRL, Key::Char('l'))],
        Command::Do(Action::SliceLimits),
        "Limits of all slices, or of this one; again: stop reading",
    ),
];
