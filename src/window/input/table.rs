//! Looks up bindings: by trigger and place, and as a list for people.

use super::binding::{Does, On, Row, Trigger};
use super::chord::{Chord, Mods};
use super::rows::rows;
use super::spot::Spot;
use crate::state::Command;
use std::fmt;

/// The binding of a trigger at a kind of place.
pub(super) fn find(spot: Spot, trigger: Trigger) -> Option<&'static Row> {
    let holds = |r: &&Row| r.on.holds(spot) && r.triggers.contains(&trigger);
    // The divider lies over cells.
    let nearest = rows().filter(|r| r.on == On::Divider).find(holds);
    nearest.or_else(|| rows().find(holds))
}

/// The binding of a pointer gesture, and whether it is restricted to one panel.
pub(super) fn find_at(
    spot: Spot,
    mods: Mods,
    trigger: impl Fn(Mods) -> Trigger,
) -> Option<(&'static Row, bool)> {
    let alone = || {
        let held = rows().filter(|r| r.does == Does::Alone).flat_map(|r| r.triggers);
        let mut rest = held.filter_map(|t| if let Trigger::Held(h) = t { mods.without(*h) } else { None });
        rest.find_map(|m| find(spot, trigger(m))).map(|r| (r, true))
    };
    find(spot, trigger(mods)).map(|r| (r, false)).or_else(alone)
}

/// The binding of a key.
pub(super) fn find_key(spot: Spot, chord: Chord) -> Option<&'static Row> {
    let arrow = || chord.key.arrow().and_then(|_| find(spot, Trigger::Arrows(chord.mods)));
    find(spot, Trigger::Key(chord)).or_else(arrow)
}

/// The text and the keys of a command that keys are bound to, for buttons and menus.
pub(crate) fn bound(command: &Command) -> Option<(&'static str, String)> {
    let row = rows().find(|r| matches!(&r.does, Does::Run(c) if c == command))?;
    let keys: Vec<String> = row.triggers.iter().map(ToString::to_string).collect();
    Some((row.text, keys.join(", ")))
}

/// The text and the keys of a command in one line: `Show all (Home, h, r, 0)`.
pub(crate) fn hint_of(command: &Command) -> String {
    bound(command).map_or_else(String::new, |(text, keys)| format!("{text} ({keys})"))
}

/// A binding as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyRow {
    /// The title of its group.
    pub group: &'static str,
    /// Keys and gestures, any of which has the effect: `Ctrl+C`, `Shift+drag`, `Wheel`.
    pub keys: Vec<String>,
    /// Where it applies, if not everywhere: `on a bar`.
    pub place: Option<&'static str>,
    /// Its effect.
    pub text: &'static str,
    /// The line of a script that runs the same command, if the pointer's place does not matter.
    pub line: Option<String>,
}

/// All bindings as people read them, group by group.
pub fn keys() -> Vec<KeyRow> {
    let place = |on| match on {
        On::Bar => Some("on a bar"),
        On::Slider => Some("on a slider"),
        On::Typed => Some("in a typed line"),
        On::Tool => Some("on a button"),
        On::Menu => Some("in a menu"),
        On::Minimap => Some("on the minimap"),
        On::Divider => Some("on the divider"),
        On::Title => Some("on a panel's title"),
        On::Strip => Some("on the thumbnails"),
        On::Search => Some("in a search"),
        On::Prompt => Some("in the prompt"),
        On::Maps => Some("in the table of colormaps"),
        On::Keys => Some("in this list"),
        On::Line => Some("in a search or the prompt"),
        On::Body | On::Panel | On::Anywhere => None,
    };
    let line = |row: &Row| KeyRow {
        group: row.group,
        keys: row.triggers.iter().map(Trigger::to_string).collect(),
        place: place(row.on),
        text: row.text,
        line: match &row.does {
            Does::Run(command) => Some(command.to_string()),
            _ => None,
        },
    };
    rows().map(line).collect()
}

impl fmt::Display for KeyRow {
    /// `Wheel, Pinch on a bar`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.keys.join(", "))?;
        self.place.map_or(Ok(()), |p| write!(f, " {p}"))
    }
}
