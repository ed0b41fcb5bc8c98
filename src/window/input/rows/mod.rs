//! The table of all bindings. Input handling, the overlay of keys and the book's table of keys are all made of it.

mod moving;
mod reading;
mod typing;
mod color;
mod comparing;
mod panels;
mod slices;
mod figure;

use super::binding::Row;
use crate::input::binding::{Does, On, Trigger};
use crate::input::keyboard::{Chord, Key, Mods};
use crate::state::Command;

/// The bindings, group by group, as people read them; `rows` has all of them.
static GROUPS: &[&[Row]] = &[
    moving::ROWS,
    reading::ROWS,
    typing::ROWS,
    color::ROWS,
    comparing::ROWS,
    panels::ROWS,
    slices::ROWS,
    figure::ROWS,
];

/// All bindings.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    GROUPS.iter().copied().flatten()
}

const fn at(
    group: &'static str,
    on: On,
    triggers: &'static [Trigger],
    does: Does,
    text: &'static str,
) -> Row {
    Row { group, on, triggers, does, text }
}

/// A row of keys that apply anywhere.
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
