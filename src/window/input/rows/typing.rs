//! Bindings of typed lines: the search and the prompt.

use super::{CTRL, SHIFT, at, key, run, sign, with};
use crate::input::binding::{Does, On, Row, Trigger};
use crate::input::keyboard::Key;
use crate::state::{Command, CursorMove, Effect, Entry, Erased, Typing};

const GROUP: &str = "Typing";

/// A row of keys that apply while a line is typed.
const fn types(on: On, triggers: &'static [Trigger], typing: Typing, text: &'static str) -> Row {
    at(GROUP, on, triggers, Does::Run(Command::Type(typing)), text)
}

const fn cursor(triggers: &'static [Trigger], to: CursorMove, text: &'static str) -> Row {
    types(On::Line, triggers, Typing::Cursor(to), text)
}

const fn erase(triggers: &'static [Trigger], part: Erased, text: &'static str) -> Row {
    types(On::Typed, triggers, Typing::Erase(part), text)
}

pub(super) static ROWS: &[Row] = &[
    run(
        GROUP,
        &[sign(':')],
        Command::Type(Typing::Open(Entry::Prompt)),
        "Open the prompt: limits LOW HIGH, limits 2% 98%, go 12,40",
    ),
    run(
        GROUP,
        &[sign('/'), with(CTRL, Key::Char('f'))],
        Command::Type(Typing::Open(Entry::Search)),
        "Search the labels",
    ),
    at(GROUP, On::Typed, &[Trigger::Typing], Does::Type, "Add text"),
    erase(
        &[key(Key::Backspace), with(SHIFT, Key::Backspace)],
        Erased::Before,
        "Erase the character before the cursor",
    ),
    types(
        On::Line,
        &[key(Key::Delete)],
        Typing::Erase(Erased::After),
        "Erase the character after the cursor",
    ),
    erase(&[with(CTRL, Key::Char('u'))], Erased::ToStart, "Erase everything before the cursor"),
    cursor(&[key(Key::Left)], CursorMove::Left, "Move the cursor left"),
    cursor(&[key(Key::Right)], CursorMove::Right, "Move the cursor right"),
    cursor(&[key(Key::Home)], CursorMove::Start, "Move the cursor to the start"),
    cursor(&[key(Key::End)], CursorMove::End, "Move the cursor to the end"),
    at(
        GROUP,
        On::Typed,
        &[with(CTRL, Key::Char('v'))],
        Does::Run(Command::Effect(Effect::Paste)),
        "Add the text of the clipboard",
    ),
    types(On::Search, &[key(Key::Enter)], Typing::Enter { back: false }, "Go to the next match"),
    types(On::Search, &[with(SHIFT, Key::Enter)], Typing::Enter { back: true }, "Go to the previous match"),
    types(
        On::Prompt,
        &[key(Key::Enter), with(SHIFT, Key::Enter)],
        Typing::Enter { back: false },
        "Run the line",
    ),
    types(
        On::Prompt,
        &[key(Key::Tab)],
        Typing::Complete { back: false },
        "Complete the word; again: the next candidate",
    ),
    types(On::Prompt, &[with(SHIFT, Key::Tab)], Typing::Complete { back: true }, "The previous candidate"),
    types(
        On::Prompt,
        &[key(Key::Up)],
        Typing::Recall { older: true },
        "Recall an older line; among candidates: the one before",
    ),
    types(
        On::Prompt,
        &[key(Key::Down)],
        Typing::Recall { older: false },
        "Recall a newer line, else go through the candidates",
    ),
];
