//! Bindings that move the view.

use super::{ALT, CTRL, CTRL_SHIFT, NONE, SHIFT, at, key, run, sign, with};
use crate::input::binding::{Does, On, Row, Trigger};
use crate::input::event::Button;
use crate::input::keyboard::Key;
use crate::state::{Action, Command, Drag, PRESS, Reach};

const GROUP: &str = "Moving";

pub(super) static ROWS: &[Row] = &[
    at(
        GROUP,
        On::Panel,
        &[Trigger::Wheel(NONE), Trigger::Wheel(CTRL), Trigger::Scroll(CTRL), Trigger::Pinch(NONE)],
        Does::Zoom,
        "Zoom at the pointer; over an axis: that axis only",
    ),
    at(
        GROUP,
        On::Panel,
        &[Trigger::Drag(Button::Left, NONE), Trigger::Drag(Button::Middle, NONE)],
        Does::Drag(Drag::Pan),
        "Move; over an axis: along it only",
    ),
    at(GROUP, On::Panel, &[Trigger::Scroll(NONE)], Does::Pan, "Move, on a trackpad"),
    at(
        GROUP,
        On::Panel,
        &[Trigger::Wheel(SHIFT), Trigger::Tilt(NONE), Trigger::Tilt(SHIFT), Trigger::Scroll(SHIFT)],
        Does::Sideways,
        "Move sideways",
    ),
    at(
        GROUP,
        On::Panel,
        &[Trigger::Drag(Button::Right, NONE), Trigger::Drag(Button::Left, SHIFT)],
        Does::Drag(Drag::Box),
        "Zoom to a box",
    ),
    run(GROUP, &[sign('z')], Command::Do(Action::BoxMode), "Drag zooms to a box (on or off)"),
    run(
        GROUP,
        &[sign('o')],
        Command::Do(Action::Minimap),
        "Minimap on or off, while the view is part of the data",
    ),
    at(GROUP, On::Minimap, &[Trigger::Drag(Button::Left, NONE)], Does::Drag(Drag::Overview), "Move the view"),
    at(GROUP, On::Minimap, &[Trigger::Click(NONE)], Does::GoThere, "Move the view there"),
    at(GROUP, On::Panel, &[Trigger::DoubleClick(NONE)], Does::Fit, "Show all; over an axis: that axis only"),
    at(GROUP, On::Anywhere, &[Trigger::Held(ALT)], Does::Alone, "With a pointer gesture: one panel only"),
    run(
        GROUP,
        &[with(SHIFT, Key::Char('l'))],
        Command::Do(Action::Alone),
        "One panel only, without holding a key; again: all",
    ),
    at(GROUP, On::Anywhere, &[Trigger::Arrows(NONE)], Does::Step(Reach::Step), "Move one step"),
    at(GROUP, On::Anywhere, &[Trigger::Arrows(SHIFT)], Does::Step(Reach::Page), "Move one page"),
    run(
        GROUP,
        &[key(Key::PageUp)],
        Command::Step { right: 0, down: -1, reach: Reach::Page },
        "Move one page up",
    ),
    run(
        GROUP,
        &[key(Key::PageDown)],
        Command::Step { right: 0, down: 1, reach: Reach::Page },
        "Move one page down",
    ),
    at(GROUP, On::Anywhere, &[Trigger::Arrows(CTRL)], Does::Step(Reach::Edge), "Move to the edge"),
    run(GROUP, &[sign('+'), sign('=')], Command::Nearer(PRESS), "Zoom in"),
    run(GROUP, &[sign('-')], Command::Nearer(1.0 / PRESS), "Zoom out"),
    run(GROUP, &[key(Key::Home), sign('h'), sign('r'), sign('0')], Command::Do(Action::Home), "Show all"),
    run(GROUP, &[sign('1')], Command::Do(Action::Actual), "One cell per pixel"),
    run(GROUP, &[key(Key::Backspace), with(ALT, Key::Left)], Command::Do(Action::Back), "Previous view"),
    run(GROUP, &[with(ALT, Key::Right)], Command::Do(Action::Forward), "Next view"),
    run(
        GROUP,
        &[with(CTRL, Key::Char('z'))],
        Command::Do(Action::Undo),
        "Undo: views, colours, reduction, switches",
    ),
    run(
        GROUP,
        &[with(CTRL, Key::Char('y')), with(CTRL_SHIFT, Key::Char('z'))],
        Command::Do(Action::Redo),
        "Redo",
    ),
    run(GROUP, &[sign('a')], Command::Do(Action::Square), "Square cells on or off"),
];
