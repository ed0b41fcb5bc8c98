//! What events become: a person at a window, for the tests.

mod bound;
mod pointing;
mod typing;

use super::*;
use crate::app::geometry::{BarAt, PanelAt};
use crate::geom::{PxRect, PxSize};
use crate::view::{EdgeTable, Track};

const BODY: Point = Point { x: 150.0, y: 150.0 };
const AXIS: Point = Point { x: 150.0, y: 320.0 };
const LOW: Point = Point { x: 410.0, y: 295.0 };
const MIDDLE: Point = Point { x: 410.0, y: 200.0 };
const ELSEWHERE: Point = Point { x: 5.0, y: 5.0 };

/// One panel with its body at 100..300 and a bar beside it.
fn geometry(unit: f64) -> WindowGeometry {
    let panel = PanelAt {
        body: PxRect {
            x: 100,
            y: 100,
            w: 200,
            h: 200,
        },
        columns: EdgeTable::fit(20, 200),
        rows: EdgeTable::fit(20, 200),
        x: Track::even(20),
        y: Track::even(20),
        lower: false,
        leftward: false,
    };
    let bar = BarAt {
        ramp: PxRect {
            x: 400,
            y: 100,
            w: 20,
            h: 200,
        },
        horizontal: false,
    };
    WindowGeometry {
        size: PxSize { w: 500, h: 400 },
        unit,
        panels: vec![panel],
        bars: vec![Some(bar)],
        ..WindowGeometry::default()
    }
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
        self.input
            .event(event, &geometry(self.scale.max(1.0)), &self.state)
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
        self.to(Point {
            x: at.x + dx,
            y: at.y + dy,
        })
    }

    fn holds(&mut self, mods: Mods) -> &mut Self {
        assert_eq!(self.does(Event::Modifiers(mods)), []);
        self
    }

    fn button(&mut self, button: Button, pressed: bool) -> Vec<Command> {
        self.does(Event::Button {
            button,
            pressed,
            when: Duration::from_millis(self.when),
        })
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
    Point {
        x: BODY.x + by,
        y: BODY.y,
    }
}
