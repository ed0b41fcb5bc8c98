//! Keys, and the text of a search.

use super::*;
use crate::app::state::{Colors, Effect, Reach};

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
        ("/", Command::Search(Typing::Open)),
        ("Ctrl+W", Command::Effect(Effect::Quit)),
    ] {
        assert_eq!(Hand::default().types(key), [wanted], "{key}");
    }
    for key in [
        "Ctrl+S",
        "Alt+q",
        "Ctrl+Shift+Q",
        "Enter",
        "Alt+Up",
        "k",
        "Ctrl+Alt+C",
    ] {
        assert_eq!(Hand::default().types(key), [], "{key}");
    }
    // As windows report it: modifiers by themselves, a capital letter.
    let mut hand = Hand::default();
    let capital = || Event::Key {
        key: Key::Char('S'),
        text: Some("S".to_owned()),
        repeat: false,
    };
    assert_eq!(hand.does(capital()), [Command::Effect(Effect::Save)], "Caps Lock");
    assert_eq!(
        hand.holds(Mods::SHIFT).does(capital()),
        [Command::Effect(Effect::SaveFigure)]
    );
    assert_eq!(hand.does(Event::Text("q".to_owned())), []);
}

#[test]
fn moves_repeat_and_switches_do_not() {
    let mut hand = Hand::default();
    let mut held = |key: &str| {
        hand.input
            .press(key.parse().unwrap(), None, true, &ViewState::default())
            .len()
    };
    assert!(
        ["Left", "Shift+Up", "+", "-", "Backspace", "Alt+Right", "x"]
            .iter()
            .all(|k| held(k) == 1)
    );
    assert!(
        [
            "a", "f", "n", "g", "s", "S", "w", "i", "m", "?", "q", "Esc", "Ctrl+C", "/"
        ]
        .iter()
        .all(|k| held(k) == 0)
    );
}

#[test]
fn a_search_takes_the_text_and_leaves_the_rest() {
    let text = |t: &str| Command::Search(Typing::Text(t.to_owned()));
    for (key, wanted) in [
        ("q", text("q")),
        ("S", text("S")),
        ("/", text("/")),
        ("Space", text(" ")),
        ("1", text("1")),
        ("Backspace", Command::Search(Typing::Erase)),
        ("Enter", Command::Search(Typing::Next)),
        ("Shift+Enter", Command::Search(Typing::Next)),
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
    let key = |repeat| Event::Key {
        key: Key::Char('a'),
        text: Some("â".to_owned()),
        repeat,
    };
    assert_eq!(
        (hand.does(key(false)), hand.does(key(true))),
        (vec![text("â")], vec![text("â")])
    );
    // The third character of a key.
    hand.holds(Mods {
        ctrl: true,
        ..Mods::ALT
    });
    assert_eq!(
        hand.does(Event::Key {
            key: Key::Char('@'),
            text: Some("@".to_owned()),
            repeat: false
        }),
        [text("@")]
    );
}
