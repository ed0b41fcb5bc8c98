//! Keys, and the text of a search.

use super::*;
use crate::state::{Colors, Effect, Pick, Reach};

#[test]
fn keys_do_what_the_issue_says() {
    let step = |right, down, reach| Command::Step { right, down, reach };
    let turn = |n| Command::Colors(Colors::Turn(n));
    let press = 1.15 * 1.15 * 1.15;
    for (key, wanted) in [
        ("Left", step(-1, 0, Reach::Step)),
        ("Shift+Down", step(0, 1, Reach::Page)),
        ("Ctrl+Up", step(0, -1, Reach::Edge)),
        ("+", Command::Nearer(press)),
        ("=", Command::Nearer(press)),
        ("-", Command::Nearer(1.0 / press)),
        ("Home", Command::Do(Action::Home)),
        ("0", Command::Do(Action::Home)),
        ("1", Command::Do(Action::Actual)),
        ("Alt+Left", Command::Do(Action::Back)),
        ("Backspace", Command::Do(Action::Back)),
        ("Alt+Right", Command::Do(Action::Forward)),
        ("c", turn(1)),
        ("C", turn(-1)),
        ("Ctrl+C", Command::Effect(Effect::Copy)),
        ("Ctrl+Shift+C", Command::Effect(Effect::CopyPicture)),
        ("s", Command::Effect(Effect::Save)),
        ("S", Command::Effect(Effect::SaveFigure)),
        ("F", Command::Do(Action::Frames)),
        ("F11", Command::Effect(Effect::FullScreen)),
        ("?", Command::Do(Action::Keys)),
        ("/", Command::Type(Typing::Open(Entry::Search))),
        (":", Command::Type(Typing::Open(Entry::Prompt))),
        ("Enter", Command::Do(Action::Enlarge)),
        ("]", Command::Do(Action::NextPanel)),
        ("[", Command::Do(Action::PreviousPanel)),
        ("Ctrl+W", Command::Effect(Effect::Quit)),
        ("Ctrl+S", Command::Effect(Effect::Save)),
        ("Ctrl+F", Command::Type(Typing::Open(Entry::Search))),
        ("Ctrl+A", Command::Do(Action::SelectAll)),
        ("Ctrl+Z", Command::Do(Action::Undo)),
        ("Ctrl+Y", Command::Do(Action::Redo)),
        ("Ctrl+Shift+Z", Command::Do(Action::Redo)),
        ("Shift+L", Command::Do(Action::Alone)),
        ("Alt+Left", Command::Do(Action::Back)),
    ] {
        assert_eq!(Hand::default().types(key), [wanted], "{key}");
    }
    for key in ["Ctrl+G", "Alt+q", "Ctrl+Shift+Q", "Ctrl+Enter", "Alt+Up", "y", "Ctrl+Alt+C"] {
        assert_eq!(Hand::default().types(key), [], "{key}");
    }
    // As windows report it: modifiers by themselves, a capital letter.
    let mut hand = Hand::default();
    let capital = || Event::Key { key: Key::Char('S'), text: Some("S".to_owned()), repeat: false };
    assert_eq!(hand.does(capital()), [Command::Effect(Effect::Save)], "Caps Lock");
    assert_eq!(hand.holds(Mods::SHIFT).does(capital()), [Command::Effect(Effect::SaveFigure)]);
    assert_eq!(hand.does(Event::Text("q".to_owned())), []);
}

#[test]
fn moves_repeat_and_switches_do_not() {
    let mut hand = Hand::default();
    let mut held =
        |key: &str| hand.input.press(key.parse().unwrap(), None, true, &ViewState::default()).len();
    assert!(["Left", "Shift+Up", "+", "-", "Backspace", "Alt+Right", "x"].iter().all(|k| held(k) == 1));
    assert!(
        ["a", "f", "n", "g", "s", "S", "w", "i", "m", "?", "q", "Esc", "Ctrl+C", "/"]
            .iter()
            .all(|k| held(k) == 0)
    );
}

#[test]
fn a_search_takes_the_text_and_leaves_the_rest() {
    let text = |t: &str| Command::Type(Typing::Text(t.to_owned()));
    for (key, wanted) in [
        ("q", text("q")),
        ("S", text("S")),
        ("/", text("/")),
        ("Space", text(" ")),
        ("1", text("1")),
        ("Backspace", Command::Type(Typing::Erase(Erased::Before))),
        ("Ctrl+U", Command::Type(Typing::Erase(Erased::ToStart))),
        ("Left", Command::Type(Typing::Cursor(CursorMove::Left))),
        ("Home", Command::Type(Typing::Cursor(CursorMove::Start))),
        ("Ctrl+V", Command::Effect(Effect::Paste)),
        ("Enter", Command::Type(Typing::Enter { back: false })),
        ("Shift+Enter", Command::Type(Typing::Enter { back: true })),
        ("Esc", Command::Do(Action::Cancel)),
        ("F1", Command::Do(Action::Keys)),
        ("Ctrl+Q", Command::Effect(Effect::Quit)),
        ("Ctrl+C", Command::Effect(Effect::Copy)),
        ("Alt+Left", Command::Do(Action::Back)),
    ] {
        assert_eq!(Hand::searches().types(key), [wanted], "{key}");
    }
    let mut hand = Hand::searches();
    assert_eq!(hand.does(Event::Text("比".to_owned())), [text("比")]);
    let key = |repeat| Event::Key { key: Key::Char('a'), text: Some("â".to_owned()), repeat };
    assert_eq!((hand.does(key(false)), hand.does(key(true))), (vec![text("â")], vec![text("â")]));
    // The third character of a key.
    hand.holds(Mods { ctrl: true, ..Mods::ALT });
    assert_eq!(
        hand.does(Event::Key { key: Key::Char('@'), text: Some("@".to_owned()), repeat: false }),
        [text("@")]
    );
}

#[test]
fn the_prompt_takes_every_key_that_types_or_moves_within_it() {
    for (key, wanted) in [
        ("q", Typing::Text("q".to_owned())),
        (":", Typing::Text(":".to_owned())),
        ("Enter", Typing::Enter { back: false }),
        ("Tab", Typing::Complete { back: false }),
        ("Shift+Tab", Typing::Complete { back: true }),
        ("Up", Typing::Recall { older: true }),
        ("Down", Typing::Recall { older: false }),
        ("Right", Typing::Cursor(CursorMove::Right)),
        ("End", Typing::Cursor(CursorMove::End)),
        ("Delete", Typing::Erase(Erased::After)),
    ] {
        assert_eq!(Hand::writes(Entry::Prompt).types(key), [Command::Type(wanted)], "{key}");
    }
    let map = |key: &str| Hand::writes(Entry::Map).types(key);
    let step = |right, down| [Command::Pick(Pick::Step { right, down })];
    assert_eq!((map("Left"), map("Down")), (step(-1, 0).to_vec(), step(0, 1).to_vec()));
    assert_eq!(map("q"), [Command::Type(Typing::Text("q".to_owned()))]);
    let mut hand = Hand::at(BODY);
    hand.state.line = Some(TypedLine::with(Entry::Map, ""));
    assert_eq!(hand.click(Button::Left), [Command::Pick(Pick::At(BODY))]);
    assert_eq!(hand.does(Event::Wheel(-2.0)), step(0, 2));
    assert_eq!((hand.click(Button::Right), hand.does(Event::Pinch(0.5))), (vec![], vec![]));
    for key in ["Shift+Tab", "Delete", "End"] {
        assert_eq!(Hand::default().types(key), [], "{key}");
    }
}
