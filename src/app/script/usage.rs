//! The commands of scripts: usage and meaning of each line.

use crate::app::state::{Action, Effect};
use crate::text::{clean, did_you_mean, nearest};

/// Lines with arguments, and lines that only scripts have.
const LINES: &[(&str, &str)] = &[
    ("point X Y", "moves the pointer here"),
    ("leave", "moves the pointer out of the window"),
    (
        "zoom X Y FACTOR [alone]",
        "zooms in FACTOR times about a place; alone: one panel only",
    ),
    (
        "pan X Y DX DY [alone]",
        "moves the content under a place by DX, DY",
    ),
    (
        "drag pan|box|select|limits X0 Y0 X1 Y1 [N steps] [alone]",
        "a whole drag, in N even steps (1)",
    ),
    ("begin pan|box|select|limits X Y [alone]", "begins a drag"),
    ("move X Y", "continues the drag to here"),
    ("end X Y", "ends the drag"),
    (
        "fit X Y [alone]",
        "a double click: shows all of a body or an axis, or restores automatic limits of a bar",
    ),
    (
        "step RIGHT DOWN [page|edge]",
        "moves this many steps or pages, or to the edge",
    ),
    ("nearer FACTOR", "zooms in FACTOR times about the middle"),
    ("show X0:X1 Y0:Y1", "shows exactly these cells, fractions allowed"),
    (
        "click X Y [extend]",
        "selects a cell, or extends the selection to it",
    ),
    (
        "select PANEL ROW:ROW COLUMN:COLUMN",
        "selects these cells, ends excluded",
    ),
    (
        "search [TEXT]",
        "opens the search; with TEXT: goes to its first match",
    ),
    ("type TEXT", "adds text to the search"),
    ("erase", "erases the last character of the search"),
    ("next", "goes to the next match of the search"),
    ("reduce [REDUCTION]", "chooses this reduction, or the next one"),
    (
        "map NAME|next [N]|previous [N]",
        "chooses this colormap, or the one N places on",
    ),
    ("invert", "reverses the colormap"),
    ("norm [NORM]", "chooses this norm, or the next one"),
    ("limits LOW HIGH|auto", "sets these limits, or automatic ones"),
    ("repeat N LINE", "runs a line N times"),
    ("wait SECONDS", "does nothing for this long"),
    ("size W H", "resizes the window"),
    ("key KEYS", "presses a key: key Ctrl+C"),
    ("lose-device", "loses the graphics device, for tests"),
];

const COUNT: usize = LINES.len() + Action::ALL.len() + Effect::ALL.len();

/// Usage and meaning of each line. Points and lengths are in pixels of the window, indices begin at 0.
pub const WORDS: &[(&str, &str)] = &all();

const fn all() -> [(&'static str, &'static str); COUNT] {
    let mut all = [("", ""); COUNT];
    let (mut i, mut n) = (0, 0);
    while i < LINES.len() {
        all[n] = LINES[i];
        (i, n) = (i + 1, n + 1);
    }
    i = 0;
    while i < Action::ALL.len() {
        all[n] = Action::ALL[i].usage();
        (i, n) = (i + 1, n + 1);
    }
    i = 0;
    while i < Effect::ALL.len() {
        all[n] = Effect::ALL[i].usage();
        (i, n) = (i + 1, n + 1);
    }
    all
}

/// The usage of a word; empty for an unknown word.
pub(super) fn usage(word: &str) -> &'static str {
    WORDS
        .iter()
        .map(|w| w.0)
        .find(|u| first(u) == word)
        .unwrap_or_default()
}

/// The message about an unknown word, with the nearest known one.
pub(super) fn unknown(word: &str) -> String {
    format!(
        "'{}' is not a command{}",
        clean(word),
        did_you_mean(nearest(word, WORDS.iter().map(|w| first(w.0))))
    )
}

fn first(usage: &'static str) -> &'static str {
    usage.split(' ').next().unwrap_or(usage)
}
