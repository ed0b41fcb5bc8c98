//! Undo of everything gives the first picture, redo the last one.

use super::super::command::{Colors, Drag};
use super::super::test_window::{at, geometry, paint, ramp_x, view, zoom};
use super::super::tests::dice::command;
use super::*;
use gridscope_random::Random;

fn act(s: &mut ViewState, w: &WindowGeometry, action: Action) -> Damage {
    s.apply(&Command::Do(action), w).damage
}

/// Presses a key until it has nothing left to do; returns how often it had.
fn all(s: &mut ViewState, w: &mut WindowGeometry, action: Action) -> usize {
    for n in 0.. {
        let before = s.snapshot();
        act(s, w, action);
        paint(w, s);
        if before == s.snapshot() {
            assert!(s.message.as_ref().is_some_and(|m| m.starts_with("nothing to")), "{:?}", s.message);
            return n;
        }
    }
    unreachable!("the journal ends")
}

#[test]
fn undo_of_everything_gives_the_first_picture_and_redo_the_last() {
    let mut random = Random(17);
    for round in 0..150 {
        let mut w = geometry(1 + random.below(3), 20, 40);
        let mut s = ViewState::new(&w);
        let first = s.snapshot();
        for _ in 0..random.below(60) {
            let command = command(&mut random, &w);
            s.apply(&command, &w);
            paint(&mut w, &s);
        }
        act(&mut s, &w, Action::Cancel);
        act(&mut s, &w, Action::Cancel);
        // What was taken back among the random commands comes first.
        all(&mut s, &mut w, Action::Redo);
        let last = s.snapshot();
        let steps = all(&mut s, &mut w, Action::Undo);
        assert!(first == s.snapshot(), "round {round}: {first:#?} {:#?}", s.snapshot());
        assert_eq!(all(&mut s, &mut w, Action::Redo), steps);
        assert!(last == s.snapshot(), "round {round}: {last:#?} {:#?}", s.snapshot());
    }
}

#[test]
fn a_gesture_is_one_step_whatever_it_changes() {
    let mut w = geometry(2, 30, 40);
    let mut s = ViewState::new(&w);
    let bar = at(ramp_x(2) + 5.0, 100.0);
    // A run of notches over a panel, one over the bar, a pan, a drag of a limit, a colormap.
    for _ in 0..5 {
        s.apply(&zoom(at(200.0, 200.0), 1.15), &w);
    }
    s.apply(&Command::Point(at(700.0, 200.0)), &w);
    for _ in 0..5 {
        s.apply(&zoom(bar, 1.15), &w);
    }
    for (drag, from) in [(Drag::Pan, at(200.0, 200.0)), (Drag::Limits, at(ramp_x(2) + 5.0, 60.0))] {
        s.apply(&Command::Begin { drag, at: from, alone: false }, &w);
        for k in 1..9 {
            let to = at(from.x - f64::from(k) * 3.0, from.y + f64::from(k) * 4.0);
            s.apply(&Command::Move(to), &w);
            paint(&mut w, &s);
        }
        s.apply(&Command::End(at(from.x - 30.0, from.y + 40.0)), &w);
    }
    s.apply(&Command::Colors(Colors::Map("magma".to_owned())), &w);
    let mut said = Vec::new();
    while act(&mut s, &w, Action::Undo) != Damage::NONE && s.message.as_deref() != Some("nothing to undo") {
        said.extend(s.message.clone());
    }
    assert_eq!(said, ["colormap", "limits", "view", "limits", "view"].map(|what| format!("undone: {what}")));
    assert_eq!(s.snapshot(), ViewState::new(&w).snapshot());
    act(&mut s, &w, Action::Redo);
    assert_eq!(s.message.as_deref(), Some("redone: view"));
    // Another change drops what could be made again.
    act(&mut s, &w, Action::Borders);
    assert_eq!(all(&mut s, &mut w, Action::Redo), 0);
    assert_eq!(all(&mut s, &mut w, Action::Undo), 2);
}

#[test]
fn wheels_at_other_places_and_a_drag_that_is_given_up_are_told_apart() {
    let mut w = geometry(1, 30, 40);
    let mut s = ViewState::new(&w);
    for x in [200.0, 210.0, 300.0, 305.0] {
        s.apply(&zoom(at(x, 200.0), 1.15), &w);
    }
    let begin = Command::Begin { drag: Drag::Pan, at: at(200.0, 200.0), alone: false };
    let zoomed = s.snapshot();
    s.apply(&begin, &w);
    s.apply(&Command::Move(at(260.0, 200.0)), &w);
    act(&mut s, &w, Action::Undo);
    assert_eq!((s.snapshot(), s.is_dragging()), (zoomed, false));
    assert_eq!(all(&mut s, &mut w, Action::Undo), 2);
}

#[test]
fn the_previous_view_is_not_undo() {
    let w = geometry(1, 30, 40);
    let mut s = ViewState::new(&w);
    let (whole, part) = (s.views[0], view((3.0, 9.0), (4.0, 8.0)));
    s.apply(&Command::Show(part), &w);
    act(&mut s, &w, Action::Borders);
    act(&mut s, &w, Action::Back);
    assert_eq!((s.views[0], s.overrides.borders), (whole, Some(true)));
    // Going back is a change like any other.
    act(&mut s, &w, Action::Undo);
    assert_eq!((s.views[0], s.overrides.borders), (part, Some(true)));
    act(&mut s, &w, Action::Undo);
    assert_eq!((s.views[0], s.overrides.borders), (part, None));
}

#[test]
fn what_is_taken_back_has_a_name_and_a_key_is_laid_out_again() {
    let w = geometry(1, 30, 40);
    let mut s = ViewState::new(&w);
    let changes = [
        (Command::Colors(Colors::HideBelow(80.0)), "threshold", true),
        (Command::Do(Action::Theme), "theme", true),
        (Command::Colors(Colors::Norm("symlog:2".to_owned())), "norm", false),
        (Command::Colors(Colors::HideAbove(90.0)), "threshold", true),
        (Command::Colors(Colors::HideNone), "threshold", true),
    ];
    for (command, what, lays_out) in changes {
        let before = s.snapshot();
        s.apply(&command, &w);
        assert!(s.snapshot() != before, "{command}");
        for (action, how) in [
            (Action::Undo, "undone"),
            (Action::Redo, "redone"),
            (Action::Undo, "undone"),
            (Action::Redo, "redone"),
        ] {
            let damage = act(&mut s, &w, action);
            assert_eq!(s.message, Some(format!("{how}: {what}")), "{command}");
            assert!(damage.layout || !lays_out, "{command}: {how}");
        }
    }
}

#[test]
fn at_most_200_changes_are_remembered() {
    let mut w = geometry(1, 30, 40);
    let mut s = ViewState::new(&w);
    for _ in 0..300 {
        act(&mut s, &w, Action::Borders);
    }
    assert_eq!(all(&mut s, &mut w, Action::Undo), MOST);
}

#[test]
fn other_panels_have_no_changes_to_undo() {
    let (mut before, mut now) = (geometry(1, 20, 20), geometry(2, 20, 20));
    let mut s = ViewState::new(&before);
    act(&mut s, &before, Action::Borders);
    s.follow(&before, &before);
    assert_eq!(all(&mut s, &mut before, Action::Undo), 1);
    act(&mut s, &before, Action::Borders);
    s.follow(&before, &now);
    assert_eq!(all(&mut s, &mut now, Action::Undo), 0);
}
