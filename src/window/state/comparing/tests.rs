//! The other side, both in turn and both in one body, by commands alone.

use super::super::Action;
use super::super::command::{Command, Drag};
use super::super::test_window::{at, geometry, run, view};
use super::*;
use crate::geometry::SwipeAt;

/// Panels of the same rows and columns: two comparisons, or panels of their own.
fn window(panels: usize, compares: bool) -> WindowGeometry {
    let mut w = geometry(panels, 10, 10);
    let mut grids = (*w.grids).clone();
    grids.iter_mut().enumerate().for_each(|(i, g)| g.set_name(format!("p{i}")));
    (w.grids, w.compares) = (std::sync::Arc::new(grids), compares);
    w
}

/// Does what a hand does, in a window that is painted after each command.
fn act(s: &mut ViewState, w: &mut WindowGeometry, command: &Command) -> Option<usize> {
    run(s, w, command);
    paint(s, w);
    s.large
}

fn paint(s: &ViewState, w: &mut WindowGeometry) {
    w.large = s.large;
    w.swipe = s.swiped(w).map(|(other, share)| SwipeAt::new(other, w.panels[s.large.unwrap()].body, share));
}

#[test]
fn the_other_side_of_a_comparison_is_its_baseline_or_its_values() {
    let mut w = window(6, true);
    let mut s = ViewState::new(&w);
    let tab = Command::Do(Action::Other);
    // Nothing is large: the values are compared.
    assert_eq!(act(&mut s, &mut w, &tab), Some(0));
    assert_eq!(s.message.as_deref(), Some("panel 1 of 6: p0"));
    assert_eq!([(); 3].map(|()| act(&mut s, &mut w, &tab)), [1, 0, 1].map(Some));
    act(&mut s, &mut w, &Command::Panel(Some(5)));
    assert_eq!([(); 3].map(|()| act(&mut s, &mut w, &tab)), [4, 3, 4].map(Some));
}

#[test]
fn elsewhere_it_is_the_panel_before_else_the_next_one() {
    let mut w = window(4, false);
    let mut s = ViewState::new(&w);
    let tab = Command::Do(Action::Other);
    act(&mut s, &mut w, &Command::Panel(Some(3)));
    assert_eq!([(); 3].map(|()| act(&mut s, &mut w, &tab)), [0, 3, 0].map(Some));
    act(&mut s, &mut w, &Command::Panel(Some(2)));
    assert_eq!([(); 2].map(|()| act(&mut s, &mut w, &tab)), [0, 2].map(Some));
    let mut w = window(1, false);
    let mut s = ViewState::new(&w);
    for command in [tab, Command::Do(Action::Blink), Command::Swipe(Swiping::Toggle)] {
        assert_eq!(act(&mut s, &mut w, &command), None);
        assert_eq!(s.message.as_deref(), Some("there is one panel"));
    }
}

#[test]
fn the_difference_comes_and_goes() {
    let mut w = window(6, true);
    let mut s = ViewState::new(&w);
    let difference = Command::Do(Action::Difference);
    assert_eq!([(); 2].map(|()| act(&mut s, &mut w, &difference)), [Some(2), None], "all panels again");
    act(&mut s, &mut w, &Command::Panel(Some(3)));
    assert_eq!([(); 3].map(|()| act(&mut s, &mut w, &difference)), [5, 3, 5].map(Some));
    act(&mut s, &mut w, &Command::Panel(Some(2)));
    assert_eq!(act(&mut s, &mut w, &difference), Some(1), "the values, where nothing was left for it");
    let mut w = window(2, false);
    let mut s = ViewState::new(&w);
    assert_eq!(act(&mut s, &mut w, &difference), None);
    assert!(s.message.as_deref().unwrap().contains("--against FILE"), "{:?}", s.message);
}

#[test]
fn sides_blink_until_any_of_three_ends_it() {
    let mut w = window(3, true);
    let mut s = ViewState::new(&w);
    let blink = Command::Do(Action::Blink);
    let tick = |s: &mut ViewState, w: &mut WindowGeometry| {
        s.blink_on(w);
        paint(s, w);
        s.large
    };
    assert_eq!(tick(&mut s, &mut w), None);
    for end in [
        blink.clone(),
        Command::Do(Action::Cancel),
        Command::Do(Action::NextPanel),
        Command::Do(Action::Enlarge),
        Command::Do(Action::Other),
        Command::Swipe(Swiping::Toggle),
    ] {
        s = ViewState::new(&w);
        w.large = None;
        assert_eq!(act(&mut s, &mut w, &blink), Some(1));
        let message = s.message.clone();
        assert_eq!([(); 3].map(|()| tick(&mut s, &mut w)), [0, 1, 0].map(Some));
        assert_eq!((s.message.clone(), s.is_blinking()), (message, true));
        act(&mut s, &mut w, &end);
        let large = s.large;
        assert_eq!((s.is_blinking(), tick(&mut s, &mut w)), (false, large), "{end}");
    }
    // Esc leaves the side that was seen.
    act(&mut s, &mut w, &blink);
    let seen = tick(&mut s, &mut w);
    assert_eq!((seen, act(&mut s, &mut w, &Command::Do(Action::Cancel))), (Some(1), seen));
}

#[test]
fn undo_takes_back_what_was_changed_and_sides_go_on_blinking() {
    let mut w = window(3, true);
    let mut s = ViewState::new(&w);
    act(&mut s, &mut w, &Command::Do(Action::Blink));
    for ticks in 1..4 {
        act(&mut s, &mut w, &Command::Do(Action::Borders));
        for _ in 0..ticks {
            s.blink_on(&w);
            paint(&s, &mut w);
        }
        let seen = s.large;
        act(&mut s, &mut w, &Command::Do(Action::Undo));
        assert_eq!((s.is_blinking(), s.large), (true, seen), "{ticks} ticks");
        assert_eq!(s.message.as_deref(), Some("undone: lines between cells"));
    }
}

#[test]
fn nothing_changes_under_a_drag() {
    let mut w = window(3, true);
    let mut s = ViewState::new(&w);
    act(&mut s, &mut w, &Command::Do(Action::Blink));
    let begin = Command::Begin { drag: Drag::Pan, at: at(700.0, 100.0), alone: false };
    act(&mut s, &mut w, &begin);
    assert_eq!((s.blink_on(&w), s.large), (Damage::NONE, Some(1)));
    act(&mut s, &mut w, &Command::End(at(710.0, 100.0)));
    assert_eq!((s.blink_on(&w), s.large), (Damage::LAYOUT, Some(0)));
}

#[test]
fn the_divider_is_dragged_moved_by_keys_and_given_up() {
    let mut w = window(3, true);
    let mut s = ViewState::new(&w);
    assert_eq!(act(&mut s, &mut w, &Command::Swipe(Swiping::Toggle)), Some(1));
    // The body of panel 1 begins at 600 and is 400 wide.
    assert_eq!(w.swipe.map(|s| (s.other, s.x())), Some((0, 800.0)));
    let begin = Command::Begin { drag: Drag::Divider, at: at(802.0, 100.0), alone: false };
    act(&mut s, &mut w, &begin);
    act(&mut s, &mut w, &Command::Move(at(700.0, 100.0)));
    assert_eq!(s.comparing.swipe, Some(0.25));
    act(&mut s, &mut w, &Command::Do(Action::Cancel));
    assert_eq!((s.comparing.swipe, s.is_dragging()), (Some(0.5), false));
    act(&mut s, &mut w, &Command::Swipe(Swiping::By(0.1)));
    act(&mut s, &mut w, &Command::Swipe(Swiping::By(9.0)));
    assert_eq!(s.comparing.swipe, Some(1.0));
    act(&mut s, &mut w, &Command::Swipe(Swiping::To(0.3)));
    // The sides change places.
    assert_eq!(act(&mut s, &mut w, &Command::Do(Action::Other)), Some(0));
    assert_eq!((s.comparing.swipe, w.swipe.map(|s| s.other)), (Some(0.3), Some(1)));
    act(&mut s, &mut w, &Command::Do(Action::Cancel));
    assert_eq!((s.comparing.swipe, s.large), (None, Some(0)));
    act(&mut s, &mut w, &Command::Swipe(Swiping::Toggle));
    assert_eq!(s.comparing.swipe, Some(0.3), "where it was last");
    act(&mut s, &mut w, &Command::Do(Action::NextPanel));
    assert_eq!((s.comparing.swipe, w.swipe), (None, None));
    act(&mut s, &mut w, &Command::Swipe(Swiping::By(0.1)));
    assert!(s.message.as_deref().unwrap().contains("Shift+W"));
}

#[test]
fn both_sides_show_the_same_part() {
    let mut w = window(2, false);
    let mut s = ViewState::new(&w);
    let alone = |factor: f64| Command::Zoom { at: at(250.0, 180.0), factor, alone: true };
    act(&mut s, &mut w, &alone(2.0));
    assert_ne!(s.views[0], s.views[1]);
    act(&mut s, &mut w, &Command::Panel(Some(0)));
    act(&mut s, &mut w, &Command::Swipe(Swiping::Toggle));
    assert_eq!(s.views[0], s.views[1]);
    act(&mut s, &mut w, &alone(2.0));
    assert_eq!(s.views[0], s.views[1]);
    act(&mut s, &mut w, &Command::Show(view((2.0, 6.0), (2.0, 6.0))));
    assert_eq!(s.views[0], s.views[1]);
}

#[test]
fn other_rows_have_no_divider_and_the_message_says_why() {
    let mut w = window(2, false);
    let other = geometry(1, 10, 12).grids[0].clone().with_name("wide");
    w.grids = std::sync::Arc::new(vec![w.grids[0].clone(), other]);
    let mut s = ViewState::new(&w);
    assert_eq!(act(&mut s, &mut w, &Command::Swipe(Swiping::Toggle)), None);
    assert_eq!(s.message.as_deref(), Some("no divider: 'p0' has 10 columns and 'wide' has 12"));
}

#[test]
fn a_side_that_vanishes_ends_it() {
    for command in [Command::Do(Action::Blink), Command::Swipe(Swiping::Toggle)] {
        let mut before = window(3, false);
        let mut s = ViewState::new(&before);
        act(&mut s, &mut before, &Command::Panel(Some(2)));
        act(&mut s, &mut before, &command);
        let mut now = window(3, false);
        let grids: Vec<_> = [2, 1].map(|i: usize| now.grids[i].clone()).into();
        now = super::super::test_window::of(2, grids);
        s.follow(&before, &now);
        // There is another panel, which is the other side now.
        assert_eq!(s.large, Some(0));
        let one = super::super::test_window::of(1, vec![now.grids[0].clone()]);
        s.follow(&now, &one);
        assert_eq!((s.large, s.is_blinking(), s.swiped(&one)), (None, false, None));
    }
}
