//! Buttons, menus and modes.

use super::*;
use crate::state::Mode;

fn press(pressed: bool, button: Button) -> Event {
    Event::Button { button, pressed, when: Duration::from_millis(10) }
}

#[test]
fn a_click_on_a_button_is_its_command() {
    let mut hand = Hand::at(TOOL);
    assert_eq!(hand.click(Button::Left), [Command::Do(Action::Home)]);
    // Twice in a row, too, and never as a drag.
    assert_eq!(hand.click(Button::Left), [Command::Do(Action::Home)]);
    hand.button(Button::Left, true);
    hand.by(60.0, 60.0);
    assert_eq!(hand.button(Button::Left, false), []);
}

#[test]
fn a_right_click_opens_a_menu_and_a_right_drag_a_box() {
    let mut hand = Hand::at(BODY);
    assert_eq!(hand.click(Button::Right), [Command::Menu(Menuing::At(BODY))]);
    hand.button(Button::Right, true);
    assert!(hand.by(30.0, 30.0).contains(&Command::Begin { drag: Drag::Box, at: BODY, alone: false }));
    assert!(matches!(hand.button(Button::Right, false)[..], [Command::End(_)]));
}

#[test]
fn a_menu_is_used_by_keys_and_by_clicks() {
    let mut hand = Hand::at(BODY);
    hand.opens_a_menu();
    assert_eq!(hand.types("Down"), [Command::Menu(Menuing::Step(1))]);
    assert_eq!(hand.types("Up"), [Command::Menu(Menuing::Step(-1))]);
    assert_eq!(hand.types("Escape"), [Command::Do(Action::Cancel)]);
    let menu = hand.state.menu.clone().unwrap();
    let (first, second) = (menu.commands(0), menu.commands(1));
    assert_eq!(hand.types("Enter"), first);
    // Other keys do what they always do.
    assert_eq!(hand.types("c"), [Command::Colors(crate::state::Colors::Turn(1))]);
    hand.to(Point { x: 50.0, y: 370.0 });
    assert_eq!(hand.does(press(true, Button::Left)), []);
    let done = hand.does(press(false, Button::Left));
    assert_eq!(done[..done.len() - 1], second[..]);
    // A press beside the menu closes it, and is not a click on a cell.
    hand.to(BODY);
    assert_eq!(hand.does(press(true, Button::Left)), [Command::Do(Action::Cancel)]);
    assert_eq!(hand.does(press(false, Button::Left)), []);
    assert_eq!(hand.does(press(true, Button::Right)), [Command::Do(Action::Cancel)]);
    assert_eq!(hand.does(press(false, Button::Right)), [Command::Menu(Menuing::At(BODY))]);
}

#[test]
fn a_mode_is_about_the_plain_left_drag_only() {
    for (mode, place, wanted) in [
        (Mode::Box, BODY, Drag::Box),
        (Mode::Box, AXIS, Drag::Box),
        (Mode::Select, BODY, Drag::Select),
        (Mode::Select, AXIS, Drag::Pan),
        (Mode::Box, MIDDLE, Drag::Limits),
    ] {
        let mut hand = Hand::at(place);
        hand.state.mode = Some(mode);
        hand.button(Button::Left, true);
        let begun = hand.by(30.0, 0.0);
        let drags: Vec<Drag> = begun
            .iter()
            .filter_map(|c| match c {
                Command::Begin { drag, .. } => Some(*drag),
                _ => None,
            })
            .collect();
        assert_eq!(drags, [wanted], "{mode:?}");
        hand.button(Button::Left, false);
        hand.to(BODY);
        hand.button(Button::Middle, true);
        let begun = hand.by(30.0, 0.0);
        assert!(begun.iter().any(|c| matches!(c, Command::Begin { drag: Drag::Pan, .. })), "{mode:?}");
    }
}
