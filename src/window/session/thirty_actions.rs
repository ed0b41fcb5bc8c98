//! The thirty actions of the book's table, tried one by one.

use super::*;
use crate::input::{Button, Event, Input, Mods};
use gridscope_core::geom::{Point, Rect};
use std::time::Duration;

/// A person at a window of two panels, 40 rows x 60 columns each.
struct Person {
    session: Session,
    input: Input,
    when: u64,
    /// Effects that the window was asked to carry out.
    effects: Vec<Effect>,
}

impl Person {
    fn new() -> Self {
        let grid = |name: &str| {
            let values = (0..2400).map(|i| f64::from(i * 7919 % 1009) / 8.0 + 0.5).collect();
            Grid::from_rows(40, 60, values).unwrap().with_name(name)
        };
        let grids = vec![grid("one"), grid("two")];
        let figure = toml::from_str("square = 'off'").unwrap();
        let mut session = Session::new(figure, Data::new(grids).unwrap(), Fonts::new()).unwrap();
        session.resize(PxSize { w: 1000, h: 700 }, 1.0);
        session.draw(None).unwrap();
        Self { session, input: Input::default(), when: 0, effects: Vec::new() }
    }

    fn carry_out(&mut self, commands: &[Command]) {
        for c in commands {
            self.effects.extend(self.session.apply(c));
        }
        self.session.draw(None).unwrap();
    }

    fn does(&mut self, event: Event) {
        let commands = self.input.event(event, self.session.geometry(), self.session.state());
        self.carry_out(&commands);
    }

    fn types(&mut self, keys: &str) {
        let chord: crate::input::Chord = keys.parse().unwrap();
        let commands = self.input.press(chord, chord.text(), false, self.session.state());
        self.carry_out(&commands);
    }

    fn holds(&mut self, mods: Mods) {
        self.does(Event::Modifiers(mods));
    }

    fn body(&self) -> Rect {
        self.session.geometry().panels[0].body.rect()
    }

    fn to(&mut self, at: Point) {
        self.does(Event::Moved(at));
    }

    /// To a place of the first panel, by shares.
    fn over(&mut self, x: f64, y: f64) {
        let b = self.body();
        self.to(Point { x: b.x + x * b.w, y: b.y + y * b.h });
    }

    fn over_x_axis(&mut self) {
        let b = self.body();
        self.to(Point { x: b.x + 0.5 * b.w, y: b.bottom() + 8.0 });
    }

    fn over_bar(&mut self, share: f64) {
        let bar = self.session.geometry().bars.iter().flatten().next().unwrap();
        let (r, horizontal) = (bar.ramp.rect(), bar.horizontal);
        let at = if horizontal {
            Point { x: r.x + share * r.w, y: r.y + r.h / 2.0 }
        } else {
            Point { x: r.x + r.w / 2.0, y: r.bottom() - share * r.h }
        };
        self.to(at);
    }

    fn button(&mut self, pressed: bool) {
        self.when += 40;
        self.does(Event::Button { button: Button::Left, pressed, when: Duration::from_millis(self.when) });
    }

    fn click(&mut self) {
        self.when += 2000;
        self.button(true);
        self.button(false);
    }

    fn double_click(&mut self) {
        self.click();
        self.button(true);
        self.button(false);
    }

    fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.over(from.0, from.1);
        self.button(true);
        self.over(f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
        self.over(to.0, to.1);
        self.button(false);
    }

    /// The first panel's view: from and to of x and of y.
    fn view(&self) -> [f64; 4] {
        let v = self.session.state().views[0];
        [v.x.from, v.x.to, v.y.from, v.y.to]
    }

    fn limits(&self) -> (f64, f64) {
        let spec = self.session.geometry().scales[0].spec();
        (spec.vmin, spec.vmax)
    }

    fn scale_words(&mut self) -> String {
        self.session.figure_file().unwrap()
    }
}

const ALL: [f64; 4] = [0.0, 60.0, 0.0, 40.0];

/// An action of a person, and whether it had the effect of its row.
type Deed = fn(&mut Person) -> bool;

/// The rows of the table: action, keys, and the trial of both.
const ACTIONS: [(&str, &str, Deed); 30] = [
    ("Zoom at the pointer", "`Wheel`", |p| {
        p.over(0.25, 0.5);
        p.does(Event::Wheel(3.0));
        let v = p.view();
        v[1] - v[0] < 45.0 && v[2] > 0.0 && (v[0] + 0.25 * (v[1] - v[0]) - 15.0).abs() < 0.5
    }),
    ("Zoom one axis", "`Wheel` over the axis", |p| {
        p.over_x_axis();
        p.does(Event::Wheel(3.0));
        let v = p.view();
        v[1] - v[0] < 45.0 && v[2..] == ALL[2..]
    }),
    ("Move", "`Drag`", |p| {
        p.types("+");
        let before = p.view();
        p.drag((0.5, 0.5), (0.4, 0.5));
        p.view()[0] > before[0] && p.view()[2] == before[2]
    }),
    ("Move sideways", "`Shift+wheel`", |p| {
        p.types("+");
        let before = p.view();
        p.over(0.5, 0.5);
        p.holds(Mods::SHIFT);
        p.does(Event::Wheel(-1.0));
        p.view()[0] != before[0] && p.view()[2..] == before[2..]
    }),
    ("Zoom to a box", "`Shift+drag`", |p| {
        p.holds(Mods::SHIFT);
        p.drag((0.25, 0.25), (0.5, 0.75));
        let (v, wanted) = (p.view(), [15.0, 30.0, 10.0, 30.0]);
        v.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.5)
    }),
    ("Show all", "`Double click`", |p| {
        p.types("+");
        p.over(0.5, 0.5);
        p.double_click();
        p.view() == ALL
    }),
    ("Zoom in by a key", "`+`", |p| {
        p.types("+");
        p.view()[1] - p.view()[0] < 45.0
    }),
    ("Move by a page", "`Shift+arrows`", |p| {
        p.types("+");
        let before = p.view();
        p.types("Shift+Right");
        p.view()[0] > before[0] + 5.0
    }),
    ("Move to the edge", "`Ctrl+arrows`", |p| {
        p.types("+");
        p.types("Ctrl+Right");
        p.view()[1] == 60.0
    }),
    ("One cell per pixel", "`1`", |p| {
        p.types("1");
        let (v, b) = (p.view(), p.body());
        (v[1] - v[0] - b.w).abs() < 1e-6
    }),
    ("Previous view", "`Backspace`", |p| {
        p.types("+");
        p.types("Backspace");
        p.view() == ALL
    }),
    ("Undo", "`Ctrl+Z`", |p| {
        let before = p.scale_words();
        p.types("i");
        p.types("Ctrl+Z");
        p.scale_words() == before
    }),
    ("Redo", "`Ctrl+Y`", |p| {
        p.types("i");
        let changed = p.scale_words();
        p.types("Ctrl+Z");
        p.types("Ctrl+Y");
        p.scale_words() == changed
    }),
    ("Read a value", "pointer over the cell", |p| {
        p.over(0.5, 0.5);
        let (geometry, state) = (p.session.geometry(), p.session.state());
        let (row, column) = geometry.panels[0].cell(state.pointer.unwrap()).unwrap();
        let value = geometry.grids[0].values().get(row * 60 + column).to_string();
        p.session.cells_as_tsv().unwrap().contains(&value)
    }),
    ("Select a cell", "`Click`", |p| {
        p.over(0.5, 0.5);
        p.click();
        let s = p.session.state().selection.clone().unwrap();
        (s.rows.len(), s.columns.len()) == (1, 1)
    }),
    ("Extend the selection", "`Shift+click`", |p| {
        p.over(0.25, 0.25);
        p.click();
        p.over(0.75, 0.75);
        p.holds(Mods::SHIFT);
        p.click();
        let s = p.session.state().selection.clone().unwrap();
        s.rows.len() > 15 && s.columns.len() > 25
    }),
    ("Select a block", "`Ctrl+drag`", |p| {
        p.holds(Mods::CTRL);
        p.drag((0.25, 0.25), (0.75, 0.75));
        let s = p.session.state().selection.clone().unwrap();
        s.rows.len() > 15 && s.columns.len() > 25 && p.view() == ALL
    }),
    ("Select all", "`Ctrl+A`", |p| {
        p.over(0.5, 0.5);
        p.types("Ctrl+A");
        let s = p.session.state().selection.clone().unwrap();
        (s.rows, s.columns) == (0..40, 0..60)
    }),
    ("Copy values", "`Ctrl+C`", |p| {
        p.over(0.5, 0.5);
        p.types("Ctrl+A");
        p.types("Ctrl+C");
        p.effects == [Effect::Copy] && p.session.cells_as_tsv().unwrap().lines().count() >= 40
    }),
    ("Copy the picture", "`Ctrl+Shift+C`", |p| {
        p.types("Ctrl+Shift+C");
        p.effects == [Effect::CopyPicture]
    }),
    ("Find a label", "`Ctrl+F`", |p| {
        p.types("Ctrl+F");
        p.types("3");
        p.types("Enter");
        p.session.state().line.is_some() && p.session.state().message.is_some()
    }),
    ("Find the maximum", "`x`", |p| {
        p.types("x");
        let s = p.session.state().selection.clone().unwrap();
        let value = |i: usize| (i * 7919 % 1009) as f64;
        let greatest = (0..2400).map(value).fold(0.0, f64::max);
        value(s.rows.start * 60 + s.columns.start) == greatest
    }),
    ("Set the limits of colours", "`Drag` on a bar", |p| {
        let before = p.limits();
        p.over_bar(0.98);
        p.button(true);
        p.over_bar(0.7);
        p.over_bar(0.6);
        p.button(false);
        p.limits().0 == before.0 && p.limits().1 != before.1
    }),
    ("Automatic limits", "`Double click` on a bar", |p| {
        let before = p.limits();
        p.session.apply(&Command::Colors(crate::state::Colors::Limits(3.0, 4.0)));
        p.session.draw(None).unwrap();
        p.over_bar(0.5);
        p.double_click();
        p.limits() == before
    }),
    ("Another colormap", "`c`", |p| {
        let before = p.scale_words();
        p.types("c");
        p.scale_words() != before && p.scale_words().contains("map = ")
    }),
    ("Reverse the colormap", "`i`", |p| {
        p.types("i");
        p.scale_words().contains("_r\"")
    }),
    ("Logarithmic colours", "`l`", |p| {
        p.types("l");
        p.scale_words().contains("norm = \"log\"")
    }),
    ("One panel large", "`Enter`", |p| {
        p.over(0.5, 0.5);
        let before = p.body();
        p.types("Enter");
        p.session.state().large == Some(0) && p.body().w * p.body().h > before.w * before.h
    }),
    ("Save the view", "`Ctrl+S`", |p| {
        p.types("Ctrl+S");
        p.effects == [Effect::Save] && p.session.picture().is_ok()
    }),
    ("Full screen", "`F11`", |p| {
        p.types("F11");
        p.effects == [Effect::FullScreen]
    }),
];

#[test]
fn each_action_does_what_the_book_says() {
    let failed: Vec<&str> =
        ACTIONS.iter().filter(|(_, _, deed)| !deed(&mut Person::new())).map(|(name, ..)| *name).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn the_book_lists_these_actions() {
    let book = include_str!("../../../docs/src/controls.md");
    let (_, table) = book.split_once("<!-- actions -->").unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|l| l.starts_with("| "))
        .skip(2)
        .map(|l| l.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let listed: Vec<(&str, &str)> = rows.iter().map(|r| (r[0], r[2])).collect();
    let tried: Vec<(&str, &str)> = ACTIONS.iter().map(|(name, keys, _)| (*name, *keys)).collect();
    assert_eq!(listed, tried);
}
