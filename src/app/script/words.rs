//! The words of a script: how each is written and what it does.

use crate::text::{clean, did_you_mean, nearest};

/// Usage and meaning of each line. Places and lengths are pixels of the window, counts begin at 0.
pub const WORDS: &[(&str, &str)] = &[
    ("point X Y", "the pointer is here"),
    ("leave", "the pointer leaves the window"),
    (
        "zoom X Y FACTOR [alone]",
        "FACTOR times nearer about a place; alone: one panel only",
    ),
    (
        "pan X Y DX DY [alone]",
        "the content under a place moves by so much",
    ),
    (
        "drag pan|box|select|limits X0 Y0 X1 Y1 [N steps] [alone]",
        "a whole drag, in N even steps (1)",
    ),
    ("begin pan|box|select|limits X Y [alone]", "a drag begins"),
    ("move X Y", "the drag goes on to here"),
    ("end X Y", "the drag ends"),
    ("cancel", "Esc"),
    (
        "fit X Y [alone]",
        "a double click: all of a body or an axis, automatic limits of a bar",
    ),
    (
        "step RIGHT DOWN [page|edge]",
        "so many steps, pages, or to the edge",
    ),
    ("nearer FACTOR", "FACTOR times nearer about the middle"),
    ("home", "all of the data"),
    ("actual", "a cell a pixel"),
    ("back", "the view before"),
    ("forward", "the view after"),
    ("square", "square cells, or not"),
    ("show X0:X1 Y0:Y1", "exactly these cells, fractions allowed"),
    (
        "click X Y [extend]",
        "selects a cell, or extends the selection to it",
    ),
    (
        "select PANEL ROW:ROW COLUMN:COLUMN",
        "selects these cells, the ends left out",
    ),
    ("maximum", "the greatest value; again: the next"),
    (
        "search [TEXT]",
        "opens the search; with TEXT: and goes to its first match",
    ),
    ("type TEXT", "more text for the search"),
    ("erase", "the last character of the search goes"),
    ("next", "the next match of the search"),
    ("reduce [REDUCTION]", "this reduction, or the next"),
    ("map NAME|next [N]|previous [N]", "this colormap, or so many on"),
    ("invert", "the colormap the other way round"),
    ("norm [NORM]", "this norm, or the next"),
    ("limits LOW HIGH|auto", "these limits, or automatic ones"),
    ("annotations", "values in cells, or not"),
    ("borders", "lines between cells, or not"),
    ("labels", "tick labels, or not"),
    ("copy", "the value or the selection to the clipboard"),
    ("copy-picture", "the picture to the clipboard"),
    ("save", "the view as a PNG"),
    ("save-figure", "the whole figure as a PNG"),
    ("write", "view and colours as a figure file"),
    ("full-screen", "full screen, or not"),
    ("keys", "all keys, or not"),
    ("frames", "frame times, or not"),
    ("quit", "the window closes"),
    ("repeat N LINE", "a line N times"),
    ("wait SECONDS", "nothing happens for so long"),
    ("size W H", "the window gets this size"),
    ("key KEYS", "as if typed: key Ctrl+C"),
    ("lose-device", "the graphics device is lost, for tests"),
];

/// How a line with this word is written; empty where there is no such line.
pub fn usage(word: &str) -> &'static str {
    WORDS
        .iter()
        .map(|w| w.0)
        .find(|u| first(u) == word)
        .unwrap_or_default()
}

/// That there is no such word, and the nearest that there is.
pub fn unknown(word: &str) -> String {
    format!(
        "'{}' is no command{}",
        clean(word),
        did_you_mean(nearest(word, WORDS.iter().map(|w| first(w.0))))
    )
}

fn first(usage: &'static str) -> &'static str {
    usage.split(' ').next().unwrap_or(usage)
}
