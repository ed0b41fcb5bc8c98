//! The table of bindings: complete, without collisions, readable by people.

use super::*;
use crate::dice::Dice;
use crate::input::binding::On;
use crate::input::rows::rows;
use crate::state::random_commands::all;
use crate::state::{Colors, Effect, Pick, Slicing, Swiping};

/// Does what a row says, where it holds.
fn perform(row: &Row, trigger: Trigger) -> Vec<Command> {
    let place = match row.on {
        On::Body | On::Panel | On::Anywhere => BODY,
        On::Bar => MIDDLE,
        On::Slider => SLIDER,
        On::Tool => TOOL,
        On::Menu => ENTRY,
        On::Minimap => MINIMAP,
        On::Divider => DIVIDER,
        On::Title => TITLE,
        On::Strip => THUMBNAIL,
        On::Search | On::Prompt | On::Maps | On::Typed | On::Line | On::Keys => ELSEWHERE,
    };
    let mut hand = Hand::at(place);
    hand.state.line = match row.on {
        On::Maps => Some(TypedLine::with(Entry::Map, "")),
        On::Search | On::Typed | On::Line => Some(TypedLine::with(Entry::Search, "")),
        On::Prompt => Some(TypedLine::with(Entry::Prompt, "")),
        _ => None,
    };
    hand.state.keys = row.on == On::Keys;
    if row.on == On::Menu {
        hand.opens_a_menu();
    }
    match trigger {
        Trigger::Key(chord) => hand.input.press(chord, chord.text(), false, &hand.state),
        Trigger::Arrows(mods) => hand.input.press(Chord { mods, key: Key::Up }, None, false, &hand.state),
        Trigger::Typing => hand.types("z"),
        Trigger::Wheel(mods) => hand.holds(mods).does(Event::Wheel(1.0)),
        Trigger::Tilt(mods) => hand.holds(mods).does(Event::Tilt(1.0)),
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
        Trigger::RightClick(mods) => hand.holds(mods).click(Button::Right),
    }
}

/// Whether a row must lead to this command: a new one does not compile until it is judged. Not wanted: what only a script can name.
fn wanted(command: &Command) -> bool {
    match command {
        Command::Show(_) | Command::Select { .. } | Command::Reduce(Some(_)) | Command::Go(_) => false,
        // A file is opened by a menu.
        Command::Open { .. } | Command::Save(_) => false,
        Command::Read(_) => true,
        // Menus have these.
        Command::Effect(Effect::OwnColumnOrder | Effect::OwnRowOrder) => false,
        Command::Type(Typing::Prompt(_)) => false,
        Command::Swipe(Swiping::To(_)) => false,
        Command::Swipe(Swiping::Toggle | Swiping::By(_)) => true,
        Command::Menu(_) => true,
        Command::Panel(None) => false,
        Command::Panel(Some(_)) => true,
        // The press of a button in the table.
        Command::Pick(Pick::At(_)) => false,
        Command::Pick(Pick::Step { .. }) | Command::Scroll(_) => true,
        Command::Colors(Colors::Map(_) | Colors::Norm(_) | Colors::Limits(..)) => false,
        // Drags over a distribution move thresholds, and a double click there takes them away.
        Command::Colors(Colors::HideBelow(_) | Colors::HideAbove(_) | Colors::HideNone) => false,
        Command::Colors(Colors::Low(_) | Colors::High(_) | Colors::Percentiles(..) | Colors::InView) => false,
        Command::Colors(Colors::Center(_)) => false,
        // The pointer itself.
        Command::Point(_) | Command::Leave => false,
        Command::Slice(Slicing::To { .. } | Slicing::Speed(_)) => false,
        Command::Slice(Slicing::By(_) | Slicing::Axis(_) | Slicing::At(_) | Slicing::Turn { .. }) => true,
        // Esc does it when nothing else is left to cancel.
        Command::Effect(Effect::LeaveFullScreen) => false,
        Command::Zoom { .. }
        | Command::Pan { .. }
        | Command::Fit { .. }
        | Command::Click { .. }
        | Command::Nearer(_) => true,
        Command::Begin { .. } | Command::Move(_) | Command::End(_) | Command::Step { .. } => true,
        Command::Do(_) | Command::Effect(_) => true,
        Command::Type(
            Typing::Open(_)
            | Typing::Text(_)
            | Typing::Erase(_)
            | Typing::Cursor(_)
            | Typing::Complete { .. }
            | Typing::Recall { .. }
            | Typing::Enter { .. },
        )
        | Command::Reduce(None) => true,
        Command::Colors(Colors::Turn(_) | Colors::Invert | Colors::NextNorm | Colors::Auto) => true,
    }
}

/// A command's first word in a script, and the second where it names a thing of its own.
fn name(command: &Command) -> String {
    let text = command.to_string();
    let two = ["begin", "map", "menu", "slice", "erase", "cursor", "complete", "recall", "enter"];
    // Other words may begin like these.
    let first = text.split(' ').next().unwrap_or_default();
    let words = if two.contains(&first) { 2 } else { 1 };
    text.split(' ').take(words).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_command_is_bound() {
    let mut reached: Vec<String> = Vec::new();
    for row in rows() {
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
        "begin fine",
        "begin overview",
        "begin slice",
        "begin divider",
        "map next",
        "map previous",
        "slice next",
        "slice previous",
        "slice axis",
        "slice at",
        "slice turn",
        "search",
        "prompt",
        "erase",
        "erase after",
        "erase start",
        "cursor left",
        "cursor right",
        "cursor start",
        "cursor end",
        "complete",
        "complete back",
        "recall older",
        "recall newer",
        "enter",
        "enter back",
    ]
    .map(str::to_owned);
    let several = |c: &Command| {
        matches!(c, Command::Begin { .. } | Command::Colors(Colors::Turn(_)) | Command::Slice(_))
            || matches!(c, Command::Type(typing) if !matches!(typing, Typing::Text(_)))
    };
    let mut all: Vec<String> =
        all(&mut Dice(3)).iter().filter(|c| wanted(c) && !several(c)).map(name).chain(kinds).collect();
    all.sort();
    all.dedup();
    reached.sort();
    reached.dedup();
    assert_eq!(reached, all);
}

#[test]
fn no_two_bindings_collide() {
    let spots = [
        Spot::Body,
        Spot::Axis,
        Spot::Bar,
        Spot::Slider,
        Spot::Tool,
        Spot::Menu,
        Spot::Minimap,
        Spot::Title,
        Spot::Strip,
        Spot::Elsewhere,
        Spot::Search,
        Spot::Prompt,
        Spot::Maps,
        Spot::Keys,
    ];
    let mut seen: Vec<(Spot, Trigger)> = Vec::new();
    for row in rows() {
        assert!(!row.triggers.is_empty() && !row.text.is_empty());
        for spot in spots.into_iter().filter(|s| row.on.holds(*s)) {
            for &trigger in row.triggers {
                assert!(!seen.contains(&(spot, trigger)), "{trigger} is bound twice: {}", row.text);
                seen.push((spot, trigger));
                let Trigger::Key(chord) = trigger else { continue };
                assert_eq!(Chord::new(chord.mods, chord.key), chord, "{chord} can never be typed");
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
    assert_eq!(lines.len(), rows().count());
    for (line, row) in lines.iter().zip(rows()) {
        assert_eq!((line.group, line.text, line.keys.len()), (row.group, row.text, row.triggers.len()));
        assert!(line.text.chars().count() <= 60, "{}", line.text);
    }
    let mut groups: Vec<&str> = lines.iter().map(|l| l.group).collect();
    groups.dedup();
    assert_eq!(
        groups,
        [
            "Moving",
            "Reading",
            "Typing",
            "Colour",
            "Comparing",
            "Panels",
            "Slices of an array",
            "Figure and window"
        ]
    );
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
        ("Typing in a typed line", "Add text"),
        ("Double click on a bar", "Automatic colour limits"),
        ("Double click on a panel's title", "This panel large, or all panels again"),
        ("q, Ctrl+W, Ctrl+Q", "Quit"),
    ] {
        assert!(read.contains(&(line.0.to_owned(), line.1)), "{line:?} is not in {read:#?}");
    }
}
