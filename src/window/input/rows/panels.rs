//! Bindings that choose among panels.

use super::{NONE, SHIFT, at, key, run, sign};
use crate::input::binding::{Does, On, Row, Trigger};
use crate::input::keyboard::Key;
use crate::state::{Action, Command};

const GROUP: &str = "Panels";

pub(super) static ROWS: &[Row] = &[
    at(GROUP, On::Title, &[Trigger::DoubleClick(NONE)], Does::Fit, "This panel large, or all panels again"),
    run(
        GROUP,
        &[key(Key::Enter)],
        Command::Do(Action::Enlarge),
        "Panel under the pointer large, or all panels again",
    ),
    run(GROUP, &[sign(']')], Command::Do(Action::NextPanel), "Next panel, large"),
    run(GROUP, &[sign('[')], Command::Do(Action::PreviousPanel), "Previous panel, large"),
    at(GROUP, On::Strip, &[Trigger::Click(NONE)], Does::Panel, "This panel large"),
    at(
        GROUP,
        On::Strip,
        &[
            Trigger::Wheel(NONE),
            Trigger::Wheel(SHIFT),
            Trigger::Tilt(NONE),
            Trigger::Tilt(SHIFT),
            Trigger::Scroll(NONE),
            Trigger::Scroll(SHIFT),
        ],
        Does::Sideways,
        "Scroll the thumbnails",
    ),
    run(GROUP, &[sign('b')], Command::Do(Action::Thumbnails), "Thumbnails beside a large panel on or off"),
    run(
        GROUP,
        &[sign('j')],
        Command::Do(Action::LinkedCursor),
        "Mark the cell under the pointer in all panels",
    ),
];
