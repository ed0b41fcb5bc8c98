//! Bindings that compare two panels.

use super::{CTRL_SHIFT, NONE, SHIFT, at, key, run, with};
use crate::input::binding::{Does, On, Row, Trigger};
use crate::input::event::Button;
use crate::input::keyboard::Key;
use crate::state::{Action, Command, Drag, Swiping};

const GROUP: &str = "Comparing";

/// The share of the body by which a key moves the divider.
const STEP: f64 = 0.05;

pub(super) static ROWS: &[Row] = &[
    run(
        GROUP,
        &[key(Key::Tab)],
        Command::Do(Action::Other),
        "The other side, large: baseline, values, or panel before",
    ),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('b'))],
        Command::Do(Action::Blink),
        "Blink: both sides in turn; again: stop",
    ),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('w'))],
        Command::Swipe(Swiping::Toggle),
        "Swipe: the other side left of a divider, or not",
    ),
    at(
        GROUP,
        On::Divider,
        &[Trigger::Drag(Button::Left, NONE)],
        Does::Drag(Drag::Divider),
        "Move the divider",
    ),
    run(GROUP, &[with(CTRL_SHIFT, Key::Left)], Command::Swipe(Swiping::By(-STEP)), "Divider to the left"),
    run(GROUP, &[with(CTRL_SHIFT, Key::Right)], Command::Swipe(Swiping::By(STEP)), "Divider to the right"),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('d'))],
        Command::Do(Action::Difference),
        "Difference, large; again: back",
    ),
];
