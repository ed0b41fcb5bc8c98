//! Wheel, trackpad, clicks and drags.

use super::*;
use winit::window::CursorIcon;

#[test]
fn the_wheel_zooms_at_the_pointer() {
    let factor = |hand: &mut Hand, event| match hand.does(event)[..] {
        [Command::Zoom { factor, alone, .. }] => (factor, alone),
        ref other => panic!("{other:?}"),
    };
    let mut hand = Hand::at(BODY);
    assert_eq!(hand.does(Event::Wheel(1.0)), [Command::Zoom { at: BODY, factor: 1.15, alone: false }]);
    assert_eq!(factor(&mut hand, Event::Wheel(-2.0)).0, 1.15f64.powf(-2.0));
    assert_eq!(factor(&mut hand, Event::Wheel(f64::INFINITY)).0, 1.15f64.powf(20.0));
    assert_eq!(
        (factor(&mut hand, Event::Pinch(0.25)).0, factor(&mut hand, Event::Pinch(-7.0)).0),
        (1.25, 0.1)
    );
    assert!(
        hand.does(Event::Wheel(f64::NAN)).is_empty()
            && hand.does(Event::Wheel(0.0)).is_empty()
            && hand.does(Event::Pinch(f64::NAN)).is_empty()
    );
    hand.holds(Mods::ALT);
    assert_eq!(factor(&mut hand, Event::Wheel(1.0)), (1.15, true));
    assert_eq!(Hand::at(ELSEWHERE).does(Event::Wheel(1.0)), []);
    assert_eq!(Hand::default().does(Event::Wheel(1.0)), [], "no pointer was seen yet");
    assert_eq!(
        Hand::at(AXIS).does(Event::Wheel(1.0)),
        [Command::Zoom { at: AXIS, factor: 1.15, alone: false }]
    );
}

#[test]
fn a_trackpad_moves_and_zooms_with_ctrl() {
    let by = Point { x: 3.0, y: -40.0 };
    let mut hand = Hand::at(BODY);
    assert_eq!(hand.does(Event::Scroll(by)), [Command::Pan { at: BODY, by, alone: false }]);
    assert_eq!(hand.does(Event::Scroll(Point::default())), []);
    assert_eq!(hand.does(Event::Scroll(Point { x: f64::NAN, y: 1.0 })), []);
    hand.holds(Mods::CTRL);
    assert_eq!(
        hand.does(Event::Scroll(by)),
        [Command::Zoom { at: BODY, factor: 1.15f64.powf(-2.0), alone: false }]
    );
    hand.scale = 2.0;
    assert_eq!(
        hand.does(Event::Scroll(by)),
        [Command::Zoom { at: BODY, factor: 1.15f64.powf(-1.0), alone: false }]
    );
    assert_eq!(
        Hand::at(MIDDLE).does(Event::Scroll(by)),
        [Command::Zoom { at: MIDDLE, factor: 1.15f64.powf(-2.0), alone: false }]
    );
}

#[test]
fn a_wheel_with_shift_and_a_tilted_wheel_move_sideways() {
    let pan = |at: Point, x: f64, alone: bool| [Command::Pan { at, by: Point { x, y: 0.0 }, alone }];
    let shift_alt = Mods { alt: true, ..Mods::SHIFT };
    let mut hand = Hand::at(BODY);
    assert_eq!(hand.does(Event::Tilt(-1.0)), pan(BODY, -60.0, false));
    hand.holds(Mods::SHIFT);
    assert_eq!(hand.does(Event::Wheel(1.0)), pan(BODY, 60.0, false));
    assert_eq!(hand.does(Event::Wheel(-1e9)), pan(BODY, -1200.0, false));
    assert_eq!(hand.does(Event::Tilt(2.0)), pan(BODY, 120.0, false));
    assert_eq!(hand.does(Event::Scroll(Point { x: 0.0, y: 7.0 })), pan(BODY, 7.0, false));
    assert!(hand.does(Event::Wheel(f64::NAN)).is_empty() && hand.does(Event::Tilt(0.0)).is_empty());
    hand.scale = 2.0;
    hand.holds(shift_alt);
    assert_eq!(hand.does(Event::Wheel(1.0)), pan(BODY, 120.0, true));
    // Beside the content, and while a button is down, nothing moves.
    assert_eq!(Hand::at(ELSEWHERE).holds(Mods::SHIFT).does(Event::Wheel(1.0)), []);
    hand.button(Button::Left, true);
    assert_eq!(hand.does(Event::Wheel(1.0)), []);
    // A vertical axis has no other direction than its own.
    let axis = Point { x: 80.0, y: 150.0 };
    let along = Command::Pan { at: axis, by: Point { x: 0.0, y: 60.0 }, alone: false };
    assert_eq!(Hand::at(axis).holds(Mods::SHIFT).does(Event::Wheel(1.0)), [along]);
}

#[test]
fn a_drag_begins_beyond_four_pixels_where_the_button_went_down() {
    for (scale, slack) in [(1.0, 4.0), (2.0, 8.0)] {
        let mut hand = Hand { scale, ..Hand::default() };
        hand.to(BODY);
        assert_eq!(hand.button(Button::Left, true), []);
        assert_eq!(hand.to(moved(slack)), [Command::Point(moved(slack))]);
        let (to, far) = (moved(slack + 0.5), moved(90.0));
        let begin = Command::Begin { drag: Drag::Pan, at: BODY, alone: false };
        assert_eq!(hand.to(to), [Command::Point(to), begin, Command::Move(to)]);
        assert_eq!(hand.to(far), [Command::Point(far), Command::Move(far)]);
        assert_eq!(hand.to(BODY), [Command::Point(BODY), Command::Move(BODY)]);
        assert_eq!(hand.button(Button::Left, false), [Command::End(BODY)]);
    }
}

#[test]
fn button_modifiers_and_place_say_what_a_drag_does() {
    let alt = |m: Mods| Mods { alt: true, ..m };
    for (at, button, mods, wanted) in [
        (BODY, Button::Left, Mods::NONE, Some((Drag::Pan, false))),
        (BODY, Button::Middle, Mods::NONE, Some((Drag::Pan, false))),
        (BODY, Button::Right, Mods::NONE, Some((Drag::Box, false))),
        (BODY, Button::Left, Mods::SHIFT, Some((Drag::Box, false))),
        (BODY, Button::Left, Mods::CTRL, Some((Drag::Select, false))),
        (BODY, Button::Left, Mods::ALT, Some((Drag::Pan, true))),
        (BODY, Button::Left, alt(Mods::SHIFT), Some((Drag::Box, true))),
        (AXIS, Button::Left, Mods::NONE, Some((Drag::Pan, false))),
        (AXIS, Button::Right, Mods::ALT, Some((Drag::Box, true))),
        (AXIS, Button::Left, Mods::CTRL, None),
        (LOW, Button::Left, Mods::NONE, Some((Drag::Limits, false))),
        (LOW, Button::Right, Mods::NONE, None),
        (ELSEWHERE, Button::Left, Mods::NONE, None),
    ] {
        let mut hand = Hand::at(at);
        hand.holds(mods).button(button, true);
        let begun = hand.by(0.0, 30.0).into_iter().find_map(|c| match c {
            Command::Begin { drag, alone, .. } => Some((drag, alone)),
            _ => None,
        });
        assert_eq!(begun, wanted, "{at:?} {button:?} {mods:?}");
        assert_eq!(hand.button(button, false).len(), usize::from(wanted.is_some()));
    }
}

#[test]
fn nothing_changes_what_a_drag_does() {
    let mut hand = Hand::at(BODY);
    hand.holds(Mods::SHIFT).button(Button::Left, true);
    hand.holds(Mods::NONE);
    assert!(hand.to(moved(50.0)).contains(&Command::Begin { drag: Drag::Box, at: BODY, alone: false }));
    hand.holds(Mods::CTRL);
    assert_eq!(hand.click(Button::Right), []);
    assert_eq!(hand.does(Event::Wheel(1.0)), []);
    // It continues outside the window.
    assert_eq!(hand.does(Event::Left), []);
    let out = Point { x: -20.0, y: 150.0 };
    assert_eq!(hand.to(out), [Command::Point(out), Command::Move(out)]);
    assert_eq!(hand.button(Button::Left, false), [Command::End(out), Command::Leave]);
    assert_eq!(hand.does(Event::Wheel(1.0)), [], "no pointer is in the window");
}

#[test]
fn esc_gives_a_drag_up_and_never_quits() {
    let mut hand = Hand::at(BODY);
    hand.button(Button::Left, true);
    hand.to(moved(50.0));
    assert_eq!(hand.types("Esc"), [Command::Do(Action::Cancel)]);
    assert_eq!(hand.to(moved(60.0)), [Command::Point(moved(60.0))]);
    assert_eq!(hand.button(Button::Left, false), []);
    assert_eq!(hand.types("Esc"), [Command::Do(Action::Cancel)]);
    // A cancelled press is not a click.
    hand.button(Button::Left, true);
    hand.types("Esc");
    assert_eq!(hand.button(Button::Left, false), []);
}

#[test]
fn a_lost_keyboard_or_button_ends_a_drag() {
    for (mods, end) in [(Mods::NONE, Command::End(moved(50.0))), (Mods::SHIFT, Command::Do(Action::Cancel))] {
        let mut hand = Hand::at(BODY);
        hand.holds(mods).button(Button::Left, true);
        hand.to(moved(50.0));
        assert_eq!(hand.does(Event::Unfocused), [end]);
        assert_eq!((hand.to(BODY), hand.button(Button::Left, false)), (vec![Command::Point(BODY)], vec![]));
        assert_eq!(hand.does(Event::Wheel(1.0)).len(), 1, "modifiers are up again");
    }
    let mut hand = Hand::at(BODY);
    hand.button(Button::Left, true);
    hand.to(moved(50.0));
    assert_eq!(hand.button(Button::Left, true), [Command::End(moved(50.0))], "the way up was lost");
    assert_eq!(hand.does(Event::Left), []);
    hand.button(Button::Left, false);
    assert_eq!(hand.does(Event::Left), [Command::Leave]);
}

#[test]
fn clicks_select_and_two_of_them_fit() {
    let click = |extend| Command::Click { at: BODY, extend };
    let fit = |at, alone| Command::Fit { at, alone };
    let mut hand = Hand::at(BODY);
    assert_eq!(hand.click(Button::Left), [click(false)]);
    hand.when = 400;
    assert_eq!(hand.click(Button::Left), [fit(BODY, false)]);
    hand.when = 500;
    assert_eq!(hand.click(Button::Left), [click(false)], "a third click is a first one");
    hand.when = 901;
    assert_eq!(hand.click(Button::Left), [click(false)], "too late");
    hand.by(5.5, 0.0);
    assert_eq!(hand.click(Button::Left), [Command::Click { at: moved(5.5), extend: false }], "too far");
    hand.to(BODY);
    hand.when = 5000;
    hand.holds(Mods::SHIFT);
    assert_eq!((hand.click(Button::Left), hand.click(Button::Left)), (vec![click(true)], vec![click(true)]));
    assert_eq!((hand.click(Button::Right), hand.click(Button::Middle)), (vec![], vec![]));
    let beside = Command::Click { at: AXIS, extend: false };
    for (at, first) in [(AXIS, vec![beside]), (MIDDLE, vec![])] {
        let mut hand = Hand::at(at);
        assert_eq!((hand.click(Button::Left), hand.click(Button::Left)), (first, vec![fit(at, false)]));
    }
    let mut hand = Hand::at(AXIS);
    hand.holds(Mods::ALT).click(Button::Left);
    assert_eq!(hand.click(Button::Left), [fit(AXIS, true)]);
    assert_eq!(
        (Hand::at(ELSEWHERE).click(Button::Left), Hand::default().click(Button::Left)),
        (vec![], vec![])
    );
}

#[test]
fn a_drag_between_two_clicks_parts_them() {
    let mut hand = Hand::at(BODY);
    hand.click(Button::Left);
    hand.button(Button::Left, true);
    hand.to(moved(50.0));
    assert_eq!(hand.to(BODY).len(), 2);
    assert_eq!(hand.button(Button::Left, false), [Command::End(BODY)]);
    assert_eq!(hand.click(Button::Left), [Command::Click { at: BODY, extend: false }]);
}

#[test]
fn the_pointer_shows_what_a_press_would_do() {
    let shape = |hand: &Hand| hand.input.pointer(&geometry(1.0), &hand.state);
    for (at, mods, wanted) in [
        (BODY, Mods::NONE, CursorIcon::Crosshair),
        (BODY, Mods::SHIFT, CursorIcon::Crosshair),
        (BODY, Mods::CTRL, CursorIcon::Cell),
        (AXIS, Mods::NONE, CursorIcon::Grab),
        (LOW, Mods::NONE, CursorIcon::NsResize),
        (MIDDLE, Mods::NONE, CursorIcon::Grab),
        (SLIDER, Mods::NONE, CursorIcon::EwResize),
        (ELSEWHERE, Mods::NONE, CursorIcon::Default),
    ] {
        let mut hand = Hand::at(at);
        hand.holds(mods);
        assert_eq!(shape(&hand), wanted, "{at:?} {mods:?}");
    }
    // The same bar lying down, and one so short that its ends are all of it.
    let mut lying = geometry(1.0);
    lying.sliders.clear();
    let lies = |x: f64, w: u32, geometry: &mut WindowGeometry| {
        geometry.bars = vec![Some(BarAt { ramp: PxRect { x: 100, y: 360, w, h: 20 }, horizontal: true })];
        Hand::at(Point { x, y: 370.0 }).input.pointer(geometry, &ViewState::default())
    };
    let at = [
        lies(149.0, 200, &mut lying),
        lies(150.0, 200, &mut lying),
        lies(251.0, 200, &mut lying),
        lies(109.0, 20, &mut lying),
    ];
    assert_eq!(at, [CursorIcon::EwResize, CursorIcon::Grab, CursorIcon::EwResize, CursorIcon::EwResize]);
    let mut hand = Hand::at(BODY);
    hand.button(Button::Left, true);
    assert_eq!(shape(&hand), CursorIcon::Crosshair);
    hand.to(LOW);
    assert_eq!(shape(&hand), CursorIcon::Grabbing);
    assert_eq!((shape(&Hand::default()), shape(&Hand::searches())), (CursorIcon::Default, CursorIcon::Text));
}
