//! The list of keys, as the overlay shows it.

use crate::hud::KeyGroup;
use crate::input::keys;

/// All keys, in the groups of their table.
pub(super) fn key_list() -> Vec<KeyGroup> {
    let mut out: Vec<KeyGroup> = Vec::new();
    for row in keys() {
        let line = (row.to_string(), row.text.to_owned());
        match out.last_mut() {
            Some((group, lines)) if group == row.group => lines.push(line),
            _ => out.push((row.group.to_owned(), vec![line])),
        }
    }
    out
}
