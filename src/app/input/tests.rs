//! The table, and what events become.

use super::table::{On, ROWS};
use super::*;
use crate::app::command::{Colors, Reach};
use crate::app::samples::{Dice, all};
use crate::app::world::{BarAt, PanelAt};
use crate::geom::{PxRect, PxSize};
use crate::view::{EdgeTable, Track};
use winit::window::CursorIcon;

const BODY: Point = Point { x: 150.0, y: 150.0 };
const AXIS: Point = Point { x: 150.0, y: 320.0 };
const LOW: Point = Point { x: 410.0, y: 295.0 };
const MIDDLE: Point = Point { x: 410.0, y: 200.0 };
const ELSEWHERE: Point = Point { x: 5.0, y: 5.0 };

/// One panel with its body at 100..300 and a bar beside it.
fn world(unit: f64) -> World {
    let panel = PanelAt {
        body: PxRect { x: 100, y: 100, w: 200, h: 200 },
        columns: EdgeTable::fit(20, 200),
        rows: EdgeTable::fit(20, 200),
        x: Track::even(20),
        y: Track::even(20),
        lower: false,
    };
    let bar = BarAt { ramp: PxRect { x: 400, y: 100, w: 20, h: 200 }, horizontal: false };
    World { size: PxSize { w: 500, h: 400 }, unit, panels: vec![panel], bars: vec![Some(bar)], ..World::default() }
}

/// A person at the window.
#[derive(Default)]
struct Hand {
    input: Input,
    state: State,
    scale: f64,
    when: u64,
}

impl Hand {
    fn does(&mut self, event: Event) -> Vec<Command> {
        self.input.event(event, &world(self.scale.max(1.0)), &self.state)
    }

    fn at(at: Point) -> Self {
        let mut hand = Self::default();
        assert_eq!(hand.to(at), [Command::Point(at)]);
        hand
    }

    fn to(&mut self, at: Point) -> Vec<Command> {
        self.does(Event::Moved(at))
    }

    fn by(&mut self, dx: f64, dy: f64) -> Vec<Command> {
        let at = self.input.at.unwrap();
        self.to(Point { x: at.x + dx, y: at.y + dy })
    }

    fn holds(&mut self, mods: Mods) -> &mut Self {
        assert_eq!(self.does(Event::Modifiers(mods)), []);
        self
    }

    fn button(&mut self, button: Button, pressed: bool) -> Vec<Command> {
        self.does(Event::Button { button, pressed, when: Duration::from_millis(self.when) })
    }

    fn click(&mut self, button: Button) -> Vec<Command> {
        let mut commands = self.button(button, true);
        commands.extend(self.button(button, false));
        commands
    }

    fn types(&mut self, text: &str) -> Vec<Command> {
        let chord: Chord = text.parse().unwrap();
        self.input.press(chord, chord.text(), false, &self.state)
    }

    fn searches() -> Self {
        let mut hand = Self::default();
        hand.state.search = Some("ab".to_owned());
        hand
    }
}

fn moved(by: f64) -> Point {
    Point { x: BODY.x + by, y: BODY.y }
}

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
        Trigger::Arrows(mods) => hand.input.press(Chord { mods, key: Key::Up }, None, false, &hand.state),
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
        Command::Zoom { .. } | Command::Pan { .. } | Command::Fit { .. } | Command::Click { .. } | Command::Nearer(_) => true,
        Command::Begin { .. } | Command::Move(_) | Command::End(_) | Command::Cancel | Command::Step { .. } => true,
        Command::Home | Command::Actual | Command::Back | Command::Forward | Command::Square | Command::NextMaximum => true,
        Command::Search(Typing::Open | Typing::Text(_) | Typing::Erase | Typing::Next) | Command::Reduce(None) => true,
        Command::Colors(Colors::Turn(_) | Colors::Invert | Colors::NextNorm) => true,
        Command::Annotations | Command::Borders | Command::Labels | Command::Copy | Command::CopyPicture => true,
        Command::Save | Command::SaveFigure | Command::Write | Command::FullScreen => true,
        Command::Keys | Command::Frames | Command::Quit => true,
    }
}

/// A command's first word in a script, and the second where it names a thing of its own.
fn name(command: &Command) -> String {
    let text = command.to_string();
    let words = if text.starts_with("begin") || text.starts_with("map") { 2 } else { 1 };
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
    let kinds = ["begin pan", "begin box", "begin select", "begin limits", "map next", "map previous"].map(str::to_owned);
    let several = |c: &Command| matches!(c, Command::Begin { .. } | Command::Colors(Colors::Turn(_)));
    let mut all: Vec<String> = all(&mut Dice(3)).iter().filter(|c| wanted(c) && !several(c)).map(name).chain(kinds).collect();
    (all.sort(), reached.sort());
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
                assert!(!seen.contains(&(spot, trigger)), "{trigger} is bound twice: {}", row.text);
                seen.push((spot, trigger));
                let Trigger::Key(chord) = trigger else { continue };
                assert_eq!(Chord::new(chord.mods, chord.key), chord, "{chord} can never be typed");
                assert_eq!(chord.to_string().parse(), Ok(chord));
                assert!(chord.key.arrow().is_none() || !seen.contains(&(spot, Trigger::Arrows(chord.mods))), "{chord}");
            }
        }
    }
}

#[test]
fn people_read_every_row_under_its_group() {
    let lines = keys();
    assert_eq!(lines.len(), ROWS.len());
    for (line, row) in lines.iter().zip(ROWS) {
        assert_eq!((line.group, line.text, line.keys.len()), (row.group, row.text, row.triggers.len()));
        assert!(line.text.chars().count() <= 60, "{}", line.text);
    }
    let mut groups: Vec<&str> = lines.iter().map(|l| l.group).collect();
    groups.dedup();
    assert_eq!(groups, ["Moving", "Reading", "Colour", "Figure and window"]);
    let read: Vec<(String, &str)> = lines.iter().map(|l| (l.to_string(), l.text)).collect();
    for line in [
        ("Wheel, Ctrl+wheel, Ctrl+two-finger scroll, Pinch", "Zoom at the pointer; over an axis along it alone"),
        ("Right drag, Shift+drag", "Zoom to a box"),
        ("Alt", "With the pointer's moves: one panel alone"),
        ("Shift+arrows", "Go a page"),
        ("Backspace, Alt+Left", "The view before"),
        ("Ctrl+Shift+C", "Copy the picture"),
        ("Typing in a search", "What to search"),
        ("Double click on a bar", "Automatic limits"),
        ("q, Ctrl+W, Ctrl+Q", "Quit"),
    ] {
        assert!(read.contains(&(line.0.to_owned(), line.1)), "{line:?} is not in {read:#?}");
    }
}

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
    assert_eq!((factor(&mut hand, Event::Pinch(0.25)).0, factor(&mut hand, Event::Pinch(-7.0)).0), (1.25, 0.1));
    assert!(
        hand.does(Event::Wheel(f64::NAN)).is_empty()
            && hand.does(Event::Wheel(0.0)).is_empty()
            && hand.does(Event::Pinch(f64::NAN)).is_empty()
    );
    hand.holds(Mods::ALT);
    assert_eq!(factor(&mut hand, Event::Wheel(1.0)), (1.15, true));
    assert_eq!(Hand::at(ELSEWHERE).does(Event::Wheel(1.0)), []);
    assert_eq!(Hand::default().does(Event::Wheel(1.0)), [], "no pointer was seen yet");
    assert_eq!(Hand::at(AXIS).does(Event::Wheel(1.0)), [Command::Zoom { at: AXIS, factor: 1.15, alone: false }]);
}

#[test]
fn a_trackpad_moves_and_zooms_with_ctrl() {
    let by = Point { x: 3.0, y: -40.0 };
    let mut hand = Hand::at(BODY);
    assert_eq!(hand.does(Event::Scroll(by)), [Command::Pan { at: BODY, by, alone: false }]);
    assert_eq!(hand.does(Event::Scroll(Point::default())), []);
    assert_eq!(hand.does(Event::Scroll(Point { x: f64::NAN, y: 1.0 })), []);
    hand.holds(Mods::CTRL);
    assert_eq!(hand.does(Event::Scroll(by)), [Command::Zoom { at: BODY, factor: 1.15f64.powf(-2.0), alone: false }]);
    hand.scale = 2.0;
    assert_eq!(hand.does(Event::Scroll(by)), [Command::Zoom { at: BODY, factor: 1.15f64.powf(-1.0), alone: false }]);
    assert_eq!(Hand::at(MIDDLE).does(Event::Scroll(by)), [Command::Zoom { at: MIDDLE, factor: 1.15f64.powf(-2.0), alone: false }]);
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
    // Outside of the window it goes on.
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
    assert_eq!(hand.types("Esc"), [Command::Cancel]);
    assert_eq!(hand.to(moved(60.0)), [Command::Point(moved(60.0))]);
    assert_eq!(hand.button(Button::Left, false), []);
    assert_eq!(hand.types("Esc"), [Command::Cancel]);
    // A press that was given up is no click.
    hand.button(Button::Left, true);
    hand.types("Esc");
    assert_eq!(hand.button(Button::Left, false), []);
}

#[test]
fn a_lost_keyboard_or_button_ends_a_drag() {
    for (mods, end) in [(Mods::NONE, Command::End(moved(50.0))), (Mods::SHIFT, Command::Cancel)] {
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
    for at in [AXIS, MIDDLE] {
        let mut hand = Hand::at(at);
        assert_eq!((hand.click(Button::Left), hand.click(Button::Left)), (vec![], vec![fit(at, false)]));
    }
    let mut hand = Hand::at(AXIS);
    hand.holds(Mods::ALT).click(Button::Left);
    assert_eq!(hand.click(Button::Left), [fit(AXIS, true)]);
    assert_eq!((Hand::at(ELSEWHERE).click(Button::Left), Hand::default().click(Button::Left)), (vec![], vec![]));
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
        ("Home", Command::Home),
        ("0", Command::Home),
        ("1", Command::Actual),
        ("Alt+Left", Command::Back),
        ("Backspace", Command::Back),
        ("Alt+Right", Command::Forward),
        ("c", turn(1)),
        ("C", turn(-1)),
        ("Ctrl+C", Command::Copy),
        ("Ctrl+Shift+C", Command::CopyPicture),
        ("s", Command::Save),
        ("S", Command::SaveFigure),
        ("F", Command::Frames),
        ("F11", Command::FullScreen),
        ("?", Command::Keys),
        ("/", Command::Search(Typing::Open)),
        ("Ctrl+W", Command::Quit),
    ] {
        assert_eq!(Hand::default().types(key), [wanted], "{key}");
    }
    for key in ["Ctrl+S", "Alt+q", "Ctrl+Shift+Q", "Enter", "Alt+Up", "k", "Ctrl+Alt+C"] {
        assert_eq!(Hand::default().types(key), [], "{key}");
    }
    // As a window tells it: modifiers by themselves, a capital letter.
    let mut hand = Hand::default();
    let capital = || Event::Key { key: Key::Char('S'), text: Some("S".to_owned()), repeat: false };
    assert_eq!(hand.does(capital()), [Command::Save], "Caps Lock");
    assert_eq!(hand.holds(Mods::SHIFT).does(capital()), [Command::SaveFigure]);
    assert_eq!(hand.does(Event::Text("q".to_owned())), []);
}

#[test]
fn moves_repeat_and_switches_do_not() {
    let mut hand = Hand::default();
    let mut held = |key: &str| hand.input.press(key.parse().unwrap(), None, true, &State::default()).len();
    assert!(["Left", "Shift+Up", "+", "-", "Backspace", "Alt+Right", "x"].iter().all(|k| held(k) == 1));
    assert!(["a", "f", "n", "g", "s", "S", "w", "i", "m", "?", "q", "Esc", "Ctrl+C", "/"].iter().all(|k| held(k) == 0));
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
        ("Esc", Command::Cancel),
        ("F1", Command::Keys),
        ("Ctrl+Q", Command::Quit),
        ("Ctrl+C", Command::Copy),
        ("Alt+Left", Command::Back),
    ] {
        assert_eq!(Hand::searches().types(key), [wanted], "{key}");
    }
    let mut hand = Hand::searches();
    assert_eq!(hand.does(Event::Text("比".to_owned())), [text("比")]);
    let key = |repeat| Event::Key { key: Key::Char('a'), text: Some("â".to_owned()), repeat };
    assert_eq!((hand.does(key(false)), hand.does(key(true))), (vec![text("â")], vec![text("â")]));
    // The third character of a key.
    hand.holds(Mods { ctrl: true, ..Mods::ALT });
    assert_eq!(hand.does(Event::Key { key: Key::Char('@'), text: Some("@".to_owned()), repeat: false }), [text("@")]);
}

#[test]
fn the_pointer_shows_what_a_press_would_do() {
    let shape = |hand: &Hand| hand.input.pointer(&world(1.0), &hand.state);
    for (at, mods, wanted) in [
        (BODY, Mods::NONE, CursorIcon::Crosshair),
        (BODY, Mods::SHIFT, CursorIcon::Crosshair),
        (BODY, Mods::CTRL, CursorIcon::Cell),
        (AXIS, Mods::NONE, CursorIcon::Grab),
        (LOW, Mods::NONE, CursorIcon::NsResize),
        (MIDDLE, Mods::NONE, CursorIcon::Grab),
        (ELSEWHERE, Mods::NONE, CursorIcon::Default),
    ] {
        let mut hand = Hand::at(at);
        hand.holds(mods);
        assert_eq!(shape(&hand), wanted, "{at:?} {mods:?}");
    }
    let mut hand = Hand::at(BODY);
    hand.button(Button::Left, true);
    assert_eq!(shape(&hand), CursorIcon::Crosshair);
    hand.to(LOW);
    assert_eq!(shape(&hand), CursorIcon::Grabbing);
    assert_eq!((shape(&Hand::default()), shape(&Hand::searches())), (CursorIcon::Default, CursorIcon::Text));
}
