//! A typed line in the status line: its text and its cursor.

use super::lettering::{fit_head, fit_tail, write};
use crate::state::{Entry, TypedLine};
use gridscope_core::geom::Rect;
use gridscope_core::text::Measure;
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::Item;

/// Before the cursor, at least this share of the room, where the text is longer than the room.
const BEFORE: f64 = 0.8;

/// Where a line is painted: its left end, its middle and its width, in pixels.
pub(super) struct FieldAt {
    pub x: f64,
    pub middle: f64,
    pub width: f64,
    pub font: f64,
    /// Thickness of the cursor.
    pub line: f64,
}

/// The whole line: its sign and its text.
pub(super) fn whole(line: &TypedLine) -> String {
    format!("{}{}", sign(line), line.field.text())
}

fn sign(line: &TypedLine) -> &'static str {
    match line.entry {
        Entry::Search => "/ ",
        Entry::Prompt => ": ",
        Entry::Map => "map: ",
    }
}

/// Paints a line; a text longer than the room is cut so that the cursor is in view. Returns the width of the text.
pub(super) fn paint(
    line: &TypedLine,
    at: &FieldAt,
    palette: Palette,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) -> f64 {
    let (font, room) = (at.font, at.width - 3.0 * at.line);
    let (before, after) = line.field.halves();
    let head = format!("{}{before}", sign(line));
    let text = whole(line);
    let wide = m.size(&text, font).width;
    let (head, cursor, wide) = if wide <= room {
        write(&text, font, at.x, at.middle, palette.ink, items);
        let cursor = m.size(&head, font).width;
        (head, cursor, wide)
    } else {
        let most = if after.is_empty() { room } else { BEFORE * room };
        let head = fit_tail(&head, font, most, m);
        let cursor = m.size(&head, font).width;
        let tail = fit_head(after, font, room - cursor - 2.0 * at.line, m);
        write(&head, font, at.x, at.middle, palette.ink, items);
        let x = at.x + cursor + 2.0 * at.line;
        write(&tail, font, x, at.middle, palette.ink, items);
        (head, cursor, cursor + m.size(&tail, font).width)
    };
    if !head.is_empty() {
        let tall = (1.15 * font).round();
        items.push(Item::Rect {
            rect: Rect::new(
                (at.x + cursor + at.line).round(),
                (at.middle - tall / 2.0).round(),
                at.line,
                tall,
            ),
            color: palette.ink,
        });
    }
    wide
}
