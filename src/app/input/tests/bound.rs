//! The table of bindings: complete, without collisions, readable by people.

use super::*;
use crate::app::dice::Dice;
use crate::app::input::binding::On;
use crate::app::input::rows::ROWS;
use crate::app::state::Colors;
use crate::app::state::random_commands::all;

/// Does what a row says, where it holds.
fn perform(row: &Row, trigger: Trigger) -> Vec<Command> {
    let place = match row.on {
        On::Body | On::Panel | On::Anywhere => BODY,
        On::Bar => MIDDLE,
        On::Search => ELSEWHERE,
    };
    let mut hand = Hand::at(place);
    hand.state.search = (row.on == On::Search).then(String::new);
    match trigger {
        Trigger::Key(chord) => hand.input.press(chord, chord.text(), false, &hand.state),
        Trigger::Arrows(mods) => hand
            .input
            .press(Chord { mods, key: Key::Up }, None, false, &hand.state),
        Trigger::Typing => hand.types("z"),
        Trigger::Wheel(mods) => hand.holds(mods).does(Event::Wheel(1.0)),
        Trigger::Scroll(mods) => hand.holds(mods).does(Event::Scroll(Point { x: 0.0, y: 20.0 })),
        Trigger::Pinch(mods) => hand.holds(mods).does(Event::Pinch(0.5)),
        Trigger::Held(mods) => hand.holds(mods).does(Event::Wheel(1.0)),
        Trigger::Drag(button, mods) => {
            let mut all = hand.holds(mods).button(button, true);
            all.extend(hand.by(30.0, 30.0));
            all.extend(hand.button(button, false));
            all
        }
        Trigger::Click(mods) => hand.holds(mods).click(Button::Left),
        Trigger::DoubleClick(mods) => {
            hand.holds(mods).click(Button::Left);
            hand.click(Button::Left)
        }
    }
}

/// Whether a row must lead to this command: a new one does not compile until it is judged. Not wanted: what only a script can name.
fn wanted(command: &Command) -> bool {
    match command {
        Command::Show(_) | Command::Select { .. } | Command::Reduce(Some(_)) => false,
        Command::Colors(Colors::Map(_) | Colors::Norm(_) | Colors::Limits(..)) => false,
        // Automatic limits are a fit over a bar; these two are the pointer itself.
        Command::Colors(Colors::Auto) | Command::Point(_) | Command::Leave => false,
        Command::Zoom { .. }
        | Command::Pan { .. }
        | Command::Fit { .. }
        | Command::Click { .. }
        | Command::Nearer(_) => true,
        Command::Begin { .. } | Command::Move(_) | Command::End(_) | Command::Step { .. } => true,
        Command::Do(_) | Command::Effect(_) => true,
        Command::Search(Typing::Open | Typing::Text(_) | Typing::Erase | Typing::Next)
        | Command::Reduce(None) => true,
        Command::Colors(Colors::Turn(_) | Colors::Invert | Colors::NextNorm) => true,
    }
}

/// A command's first word in a script, and the second where it names a thing of its own.
fn name(command: &Command) -> String {
    let text = command.to_string();
    let words = if text.starts_with("begin") || text.starts_with("map") {
        2
    } else {
        1
    };
    text.split(' ').take(words).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_command_is_bound() {
    let mut reached: Vec<String> = Vec::new();
    for row in ROWS {
        for &trigger in row.triggers {
            let commands: Vec<Command> = perform(row, trigger).into_iter().filter(wanted).collect();
            assert!(!commands.is_empty(), "{trigger} ({}) does nothing", row.text);
            reached.extend(commands.iter().map(name));
        }
    }
    // Of what has several kinds: every kind.
    let kinds = [
        "begin pan",
        "begin box",
        "begin select",
        "begin limits",
        "map next",
        "map previous",
    ]
    .map(str::to_owned);
    let several = |c: &Command| matches!(c, Command::Begin { .. } | Command::Colors(Colors::Turn(_)));
    let mut all: Vec<String> = all(&mut Dice(3))
        .iter()
        .filter(|c| wanted(c) && !several(c))
        .map(name)
        .chain(kinds)
        .collect();
    all.sort();
    reached.sort();
    reached.dedup();
    assert_eq!(reached, all);
}

#[test]
fn no_two_bindings_collide() {
    let spots = [Spot::Body, Spot::Axis, Spot::Bar, Spot::Elsewhere, Spot::Search];
    let mut seen: Vec<(Spot, Trigger)> = Vec::new();
    for row in ROWS {
        assert!(!row.triggers.is_empty() && !row.text.is_empty());
        for spot in spots.into_iter().filter(|s| row.on.holds(*s)) {
            for &trigger in row.triggers {
                assert!(
                    !seen.contains(&(spot, trigger)),
                    "{trigger} is bound twice: {}",
                    row.text
                );
                seen.push((spot, trigger));
                let Trigger::Key(chord) = trigger else { continue };
                assert_eq!(
                    Chord::new(chord.mods, chord.key),
                    chord,
                    "{chord} can never be typed"
                );
                assert_eq!(chord.to_string().parse(), Ok(chord));
                assert!(
                    chord.key.arrow().is_none() || !seen.contains(&(spot, Trigger::Arrows(chord.mods))),
                    "{chord}"
                );
            }
        }
    }
}

#[test]
fn people_read_every_row_under_its_group() {
    let lines = keys();
    assert_eq!(lines.len(), ROWS.len());
    for (line, row) in lines.iter().zip(ROWS) {
        assert_eq!(
            (line.group, line.text, line.keys.len()),
            (row.group, row.text, row.triggers.len())
        );
        assert!(line.text.chars().count() <= 60, "{}", line.text);
    }
    let mut groups: Vec<&str> = lines.iter().map(|l| l.group).collect();
    groups.dedup();
    assert_eq!(groups, ["Moving", "Reading", "Colour", "Figure and window"]);
    let read: Vec<(String, &str)> = lines.iter().map(|l| (l.to_string(), l.text)).collect();
    for line in [
        (
            "Wheel, Ctrl+wheel, Ctrl+two-finger scroll, Pinch",
            "Zoom at the pointer; over an axis: that axis only",
        ),
        ("Right drag, Shift+drag", "Zoom to a box"),
        ("Alt", "With a pointer gesture: one panel only"),
        ("Shift+arrows", "Move one page"),
        ("Backspace, Alt+Left", "Previous view"),
        ("Ctrl+Shift+C", "Copy the picture"),
        ("Typing in a search", "Text to search for"),
        ("Double click on a bar", "Automatic limits"),
        ("q, Ctrl+W, Ctrl+Q", "Quit"),
    ] {
        assert!(
            read.contains(&(line.0.to_owned(), line.1)),
            "{line:?} is not in {read:#?}"
        );
    }
}
