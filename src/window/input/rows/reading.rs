//! Bindings that read values: selection, copies, reductions, extremes.

use super::{CTRL, CTRL_SHIFT, NONE, SHIFT, at, run, sign, with};
use crate::input::binding::{Does, On, Row, Trigger};
use crate::input::event::Button;
use crate::input::keyboard::Key;
use crate::state::{Action, Command, Drag, Effect};

const GROUP: &str = "Reading";

pub(super) static ROWS: &[Row] = &[
    at(
        GROUP,
        On::Panel,
        &[Trigger::Click(NONE), Trigger::Click(CTRL)],
        Does::Select { extend: false },
        "Select a cell; over an axis: its row or column",
    ),
    at(GROUP, On::Panel, &[Trigger::Click(SHIFT)], Does::Select { extend: true }, "Extend the selection"),
    at(GROUP, On::Body, &[Trigger::Drag(Button::Left, CTRL)], Does::Drag(Drag::Select), "Select a block"),
    run(GROUP, &[sign('v')], Command::Do(Action::SelectMode), "Drag selects cells (on or off)"),
    run(
        GROUP,
        &[with(CTRL, Key::Char('a'))],
        Command::Do(Action::SelectAll),
        "Select all cells of the panel",
    ),
    run(
        GROUP,
        &[with(CTRL, Key::Char('c'))],
        Command::Effect(Effect::Copy),
        "Copy the value or the selection",
    ),
    run(GROUP, &[with(CTRL_SHIFT, Key::Char('c'))], Command::Effect(Effect::CopyPicture), "Copy the picture"),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('i'))],
        Command::Do(Action::Statistics),
        "Statistics of the selection, else of the panel",
    ),
    run(
        GROUP,
        &[sign('p')],
        Command::Do(Action::Profiles),
        "Profiles of the row and the column under the pointer",
    ),
    run(GROUP, &[sign('m')], Command::Reduce(None), "Next reduction"),
    run(
        GROUP,
        &[sign('d')],
        Command::Effect(Effect::Sort),
        "Sort by the row or column under the pointer's label",
    ),
    run(GROUP, &[sign('x')], Command::Do(Action::NextMaximum), "Go to the maximum; again: to the next"),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('x'))],
        Command::Do(Action::NextMinimum),
        "Go to the minimum; again: to the next",
    ),
    run(
        GROUP,
        &[with(CTRL, Key::Char('x'))],
        Command::Do(Action::PreviousMaximum),
        "Go back through the greatest values",
    ),
    run(
        GROUP,
        &[with(CTRL_SHIFT, Key::Char('x'))],
        Command::Do(Action::PreviousMinimum),
        "Go back through the least values",
    ),
];
