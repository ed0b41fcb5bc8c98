//! Commands that events become: a person at a window, for the tests.

mod bound;
mod menus;
mod pointing;
mod typing;

use super::*;
use crate::geometry::{BarAt, MenuAt, PanelAt, StripAt, SwipeAt, ThumbAt};
use crate::state::{CursorMove, Entry, Erased, TypedLine};
use crate::state::{Menuing, Typing};
use gridscope_core::geom::{PxRect, PxSize, Rect};
use gridscope_core::grid::{Axis, SlicedAxis};
use gridscope_core::view::{EdgeTable, Track};

const BODY: Point = Point { x: 150.0, y: 150.0 };
const AXIS: Point = Point { x: 150.0, y: 320.0 };
const LOW: Point = Point { x: 410.0, y: 295.0 };
const MIDDLE: Point = Point { x: 410.0, y: 200.0 };
const THUMBNAIL: Point = Point { x: 150.0, y: 385.0 };
/// On the track of a slider.
const SLIDER: Point = Point { x: 450.0, y: 365.0 };
const TOOL: Point = Point { x: 210.0, y: 10.0 };
const MINIMAP: Point = Point { x: 280.0, y: 280.0 };
const ENTRY: Point = Point { x: 50.0, y: 355.0 };
/// On the line between two sides.
const DIVIDER: Point = Point { x: 297.0, y: 150.0 };
const TITLE: Point = Point { x: 150.0, y: 90.0 };
const ELSEWHERE: Point = Point { x: 5.0, y: 5.0 };

/// One panel with its body at 100..300 and a bar beside it.
fn geometry(unit: f64) -> WindowGeometry {
    let panel = PanelAt {
        body: PxRect { x: 100, y: 100, w: 200, h: 200 },
        columns: EdgeTable::fit(20, 200),
        rows: EdgeTable::fit(20, 200),
        x: Track::even(20),
        y: Track::even(20),
        lower: false,
        leftward: false,
        range: None,
    };
    let bar = BarAt { ramp: PxRect { x: 400, y: 100, w: 20, h: 200 }, horizontal: false };
    let minimap = PxRect { x: 270, y: 270, w: 25, h: 25 };
    let thumb = ThumbAt { panel: 1, rect: Rect::new(100.0, 380.0, 100.0, 10.0), picture: PxRect::default() };
    let strip = StripAt {
        rect: Rect::new(0.0, 380.0, 500.0, 10.0),
        thumbs: vec![thumb],
        tile: 100.0,
        ..StripAt::default()
    };
    let button = PxRect { x: 200, y: 2, w: 28, h: 16 };
    let mut geometry = WindowGeometry {
        size: PxSize { w: 500, h: 400 },
        unit,
        large: Some(0),
        swipe: Some(SwipeAt::new(0, panel.body, 0.975)),
        panels: vec![panel],
        titles: vec![Some(Rect::new(100.0, 80.0, 200.0, 20.0))],
        strip: Some(strip),
        bars: vec![Some(bar)],
        slices: vec![SlicedAxis::new(0, 0, Axis::index("", 10), false)],
        toolbar: 20,
        minimap: Some((0, minimap)),
        tools: vec![(0, button)],
        ..WindowGeometry::default()
    };
    geometry.sliders = geometry.place_sliders(0);
    geometry
}

/// Where a menu is: its first entry at `ENTRY`.
fn placed_menu() -> MenuAt {
    let place = |y: i32, h: u32| PxRect { x: 10, y, w: 100, h };
    MenuAt { frame: place(340, 60), entries: vec![place(344, 20), place(364, 20)] }
}

/// A person at the window.
#[derive(Default)]
struct Hand {
    input: Input,
    state: ViewState,
    scale: f64,
    when: u64,
}

impl Hand {
    fn does(&mut self, event: Event) -> Vec<Command> {
        let window = WindowGeometry {
            menu: self.state.menu.as_ref().map(|_| placed_menu()),
            ..geometry(self.scale.max(1.0))
        };
        self.input.event(event, &window, &self.state)
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

    fn opens_a_menu(&mut self) {
        self.state.apply(&Command::Menu(Menuing::At(BODY)), &geometry(1.0));
        self.state.apply(&Command::Menu(Menuing::Step(1)), &geometry(1.0));
    }

    fn types(&mut self, text: &str) -> Vec<Command> {
        let chord: Chord = text.parse().unwrap();
        self.input.press(chord, chord.text(), false, &self.state)
    }

    fn writes(entry: Entry) -> Self {
        let mut hand = Self::default();
        hand.state.line = Some(TypedLine::with(entry, "ab"));
        hand
    }

    fn searches() -> Self {
        Self::writes(Entry::Search)
    }
}

fn moved(by: f64) -> Point {
    Point { x: BODY.x + by, y: BODY.y }
}
