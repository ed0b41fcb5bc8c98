//! Reads and prints the input of typed lines.

use super::parser::{Fields, LineError};
use crate::state::{CursorMove, Entry, Erased, Typing};

/// The words of the moves of a cursor.
const MOVES: [(&str, CursorMove); 4] = [
    ("left", CursorMove::Left),
    ("right", CursorMove::Right),
    ("start", CursorMove::Start),
    ("end", CursorMove::End),
];

/// The input that a line describes; `None` for words that have nothing to do with typing.
pub(super) fn typing(word: &str, fields: &mut Fields<'_>) -> Result<Option<Typing>, LineError> {
    Ok(Some(match word {
        "search" => Typing::Open(Entry::Search),
        "prompt" if !fields.rest.is_empty() => Typing::Prompt(fields.text("TEXT")?),
        "prompt" => Typing::Open(Entry::Prompt),
        "type" => Typing::Text(fields.text("TEXT")?),
        "erase" if fields.flag("after") => Typing::Erase(Erased::After),
        "erase" if fields.flag("start") => Typing::Erase(Erased::ToStart),
        "erase" => Typing::Erase(Erased::Before),
        "cursor" => Typing::Cursor(fields.one_of("left, right, start or end", &MOVES)?),
        "complete" => Typing::Complete { back: fields.flag("back") },
        "recall" => {
            Typing::Recall { older: fields.one_of("older or newer", &[("older", true), ("newer", false)])? }
        }
        "enter" => Typing::Enter { back: fields.flag("back") },
        _ => return Ok(None),
    }))
}

/// The line that describes an input; `quoted` prints texts.
pub(super) fn line(typing: &Typing, quoted: impl Fn(&str) -> String) -> String {
    let back = |word: &str, back: bool| format!("{word}{}", if back { " back" } else { "" });
    match typing {
        Typing::Open(Entry::Search) => "search".to_owned(),
        Typing::Open(Entry::Prompt) => "prompt".to_owned(),
        Typing::Prompt(text) => format!("prompt {}", quoted(text)),
        Typing::Open(Entry::Map) => "maps".to_owned(),
        Typing::Text(text) => format!("type {}", quoted(text)),
        Typing::Erase(Erased::Before) => "erase".to_owned(),
        Typing::Erase(Erased::After) => "erase after".to_owned(),
        Typing::Erase(Erased::ToStart) => "erase start".to_owned(),
        Typing::Cursor(to) => {
            let word = MOVES.iter().find(|m| m.1 == *to).map_or("", |m| m.0);
            format!("cursor {word}")
        }
        Typing::Complete { back: b } => back("complete", *b),
        Typing::Recall { older: true } => "recall older".to_owned(),
        Typing::Recall { older: false } => "recall newer".to_owned(),
        Typing::Enter { back: b } => back("enter", *b),
    }
}
