//! How rows are written.

use crate::input::binding::{Does, On, Row, Trigger};
use crate::input::chord::{Chord, Key, Mods};
use crate::state::Command;

pub(super) const fn at(
    group: &'static str,
    on: On,
    triggers: &'static [Trigger],
    does: Does,
    text: &'static str,
) -> Row {
    Row { group, on, triggers, does, text }
}

/// A row of keys that apply anywhere.
pub(super) const fn run(
    group: &'static str,
    triggers: &'static [Trigger],
    command: Command,
    text: &'static str,
) -> Row {
    Row { group, on: On::Anywhere, triggers, does: Does::Run(command), text }
}

pub(super) const fn key(key: Key) -> Trigger {
    Trigger::Key(Chord { mods: Mods::NONE, key })
}

pub(super) const fn sign(c: char) -> Trigger {
    key(Key::Char(c))
}

pub(super) const fn with(mods: Mods, key: Key) -> Trigger {
    Trigger::Key(Chord { mods, key })
}

pub(super) const NONE: Mods = Mods::NONE;
pub(super) const CTRL: Mods = Mods::CTRL;
pub(super) const SHIFT: Mods = Mods::SHIFT;
pub(super) const ALT: Mods = Mods::ALT;
pub(super) const CTRL_SHIFT: Mods = Mods { ctrl: true, ..Mods::SHIFT };
