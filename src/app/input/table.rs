//! Looks up bindings: by trigger and place, and as a list for people.

use super::binding::{Does, On, Row, Trigger};
use super::chord::{Chord, Mods};
use super::rows::ROWS;
use super::spot::Spot;
use std::fmt;

/// The binding of a trigger at a kind of place.
pub(super) fn find(spot: Spot, trigger: Trigger) -> Option<&'static Row> {
    ROWS.iter()
        .find(|r| r.on.holds(spot) && r.triggers.contains(&trigger))
}

/// The binding of a pointer gesture, and whether it is restricted to one panel.
pub(super) fn find_at(
    spot: Spot,
    mods: Mods,
    trigger: impl Fn(Mods) -> Trigger,
) -> Option<(&'static Row, bool)> {
    let alone = || {
        let held = ROWS
            .iter()
            .filter(|r| r.does == Does::Alone)
            .flat_map(|r| r.triggers);
        let mut rest = held.filter_map(|t| {
            if let Trigger::Held(h) = t {
                mods.without(*h)
            } else {
                None
            }
        });
        rest.find_map(|m| find(spot, trigger(m))).map(|r| (r, true))
    };
    find(spot, trigger(mods)).map(|r| (r, false)).or_else(alone)
}

/// The binding of a key.
pub(super) fn find_key(spot: Spot, chord: Chord) -> Option<&'static Row> {
    let arrow = || {
        chord
            .key
            .arrow()
            .and_then(|_| find(spot, Trigger::Arrows(chord.mods)))
    };
    find(spot, Trigger::Key(chord)).or_else(arrow)
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
}

/// All bindings as people read them, group by group.
pub fn keys() -> Vec<KeyRow> {
    let place = |on| match on {
        On::Bar => Some("on a bar"),
        On::Search => Some("in a search"),
        On::Body | On::Panel | On::Anywhere => None,
    };
    let line = |row: &Row| KeyRow {
        group: row.group,
        keys: row.triggers.iter().map(Trigger::to_string).collect(),
        place: place(row.on),
        text: row.text,
    };
    ROWS.iter().map(line).collect()
}

impl fmt::Display for KeyRow {
    /// `Wheel, Pinch on a bar`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.keys.join(", "))?;
        self.place.map_or(Ok(()), |p| write!(f, " {p}"))
    }
}
