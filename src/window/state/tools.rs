//! The buttons of the toolbar: each is a command of the table of bindings, from which it has its text and its keys.

use super::super::geometry::{TOOLBAR, WindowGeometry};
use super::ViewState;
use super::action::{Action, Effect};
use super::command::{Colors, Command, Entry, Menuing, PRESS, Swiping, Typing};
use super::messages::Mode;
use gridscope_core::geom::{PxRect, PxSize};

/// The picture of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    /// Four corners of a frame.
    Whole,
    /// A plus.
    Plus,
    /// A minus.
    Minus,
    /// A dashed frame.
    Box,
    /// Cells, one of them selected.
    Cells,
    /// An arrow to the left.
    Left,
    /// An arrow to the right.
    Right,
    /// The colours of the first scale.
    Map,
    /// A ramp and its reverse.
    Reverse,
    /// A curve.
    Curve,
    /// A bar between two limits.
    Limits,
    /// A number in a cell.
    Number,
    /// A square cell.
    Square,
    /// A magnifying glass.
    Glass,
    /// An arrow into a tray.
    Tray,
    /// Two squares, one behind the other.
    Blink,
    /// A square of two sides.
    Swipe,
    /// A triangle.
    Difference,
    /// A question mark.
    Question,
    /// Three lines.
    Menu,
    /// Two points to the right: there is more.
    More,
}

/// A button.
#[derive(Debug)]
pub(crate) struct Tool {
    /// Its command.
    pub command: Command,
    /// Its picture.
    pub icon: Icon,
    /// It begins a group: there is a gap before it.
    begins: bool,
    /// How long it stays when the window narrows: the lowest stay longest.
    rank: u8,
}

const fn tool(command: Command, icon: Icon, begins: bool, rank: u8) -> Tool {
    Tool { command, icon, begins, rank }
}

/// All buttons, from left to right.
pub(crate) static TOOLS: &[Tool] = &[
    tool(Command::Do(Action::Home), Icon::Whole, false, 1),
    tool(Command::Nearer(PRESS), Icon::Plus, false, 4),
    tool(Command::Nearer(1.0 / PRESS), Icon::Minus, false, 5),
    tool(Command::Do(Action::BoxMode), Icon::Box, true, 16),
    tool(Command::Do(Action::SelectMode), Icon::Cells, false, 10),
    tool(Command::Do(Action::Back), Icon::Left, true, 6),
    tool(Command::Do(Action::Forward), Icon::Right, false, 11),
    tool(Command::Colors(Colors::Turn(1)), Icon::Map, true, 3),
    tool(Command::Colors(Colors::Invert), Icon::Reverse, false, 12),
    tool(Command::Colors(Colors::NextNorm), Icon::Curve, false, 9),
    tool(Command::Colors(Colors::Auto), Icon::Limits, false, 13),
    tool(Command::Do(Action::Annotations), Icon::Number, true, 14),
    tool(Command::Do(Action::Square), Icon::Square, false, 15),
    tool(Command::Do(Action::Blink), Icon::Blink, true, 17),
    tool(Command::Swipe(Swiping::Toggle), Icon::Swipe, false, 18),
    tool(Command::Do(Action::Difference), Icon::Difference, false, 19),
    tool(Command::Type(Typing::Open(Entry::Search)), Icon::Glass, true, 7),
    tool(Command::Effect(Effect::Save), Icon::Tray, false, 8),
    tool(Command::Do(Action::Keys), Icon::Question, false, 2),
    tool(Command::Menu(Menuing::Main), Icon::Menu, false, 0),
];

impl Tool {
    /// Whether a window of this many panels has a use for it.
    pub(crate) fn suits(&self, panels: usize) -> bool {
        let compares = matches!(self.icon, Icon::Blink | Icon::Swipe | Icon::Difference);
        !compares || panels > 1
    }

    /// Whether it would do anything now.
    pub(crate) fn has_effect(&self, state: &ViewState, geometry: &WindowGeometry) -> bool {
        match self.command {
            Command::Do(Action::Difference) => geometry.compares,
            Command::Do(Action::Back) => state.can_travel(true),
            Command::Do(Action::Forward) => state.can_travel(false),
            _ => true,
        }
    }

    /// Whether its switch is on.
    pub(crate) fn is_on(&self, state: &ViewState, geometry: &WindowGeometry) -> bool {
        match self.command {
            Command::Do(Action::BoxMode) => state.mode == Some(Mode::Box),
            Command::Do(Action::SelectMode) => state.mode == Some(Mode::Select),
            Command::Do(Action::Annotations) => geometry.shows_values(),
            Command::Do(Action::Square) => geometry.square,
            Command::Do(Action::Keys) => state.keys,
            Command::Do(Action::Blink) => state.is_blinking(),
            Command::Swipe(_) => geometry.swipe.is_some(),
            Command::Do(Action::Difference) => {
                let of = geometry.large.and_then(|large| geometry.comparison(large));
                of.is_some_and(|of| geometry.large == Some(of[2]))
            }
            Command::Type(_) => state.typed(Entry::Search).is_some(),
            Command::Menu(_) => state.menu.as_ref().is_some_and(|m| m.is_main),
            _ => false,
        }
    }
}

/// Width of a button, its distance from the edges of the bar, and the gap between groups, in logical pixels.
const BUTTON: f64 = 28.0;
const EDGE: f64 = 2.0;
const GAP: f64 = 9.0;

/// The buttons that suit a window of this many panels and fit into it, and where, from left to right: those that rank first,
/// if not all.
pub(crate) fn places(size: PxSize, unit: f64, panels: usize) -> Vec<(usize, PxRect)> {
    let (width, edge, gap) = ((BUTTON * unit).round(), (EDGE * unit).round(), (GAP * unit).round());
    let height = (TOOLBAR * unit).round() - 2.0 * edge;
    let place = |shown: &[usize]| -> Vec<(usize, PxRect)> {
        let (mut x, mut begins) = (edge, false);
        let mut out = Vec::new();
        for (i, tool) in TOOLS.iter().enumerate() {
            begins |= tool.begins && !out.is_empty();
            if !shown.contains(&i) {
                continue;
            }
            x += if std::mem::take(&mut begins) { gap } else { 0.0 };
            let rect = PxRect { x: x as i32, y: edge as i32, w: width as u32, h: height as u32 };
            out.push((i, rect));
            x += width;
        }
        out
    };
    let mut ranked: Vec<usize> = (0..TOOLS.len()).filter(|i| TOOLS[*i].suits(panels)).collect();
    ranked.sort_by_key(|i| TOOLS[*i].rank);
    let fits = |list: &[(usize, PxRect)]| {
        let end = list.last().map_or(0.0, |(_, r)| r.rect().right());
        end + edge <= f64::from(size.w)
    };
    let lists = (0..=ranked.len()).rev().map(|n| place(&ranked[..n]));
    lists.into_iter().find(|list| fits(list)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::geometry::Hit;

    #[test]
    fn arrows_without_a_view_to_go_to_have_no_effect_and_values_are_on_where_they_are_written() {
        use crate::state::test_window::{at, geometry, zoom};
        let mut w = geometry(2, 30, 40);
        let mut s = ViewState::new(&w);
        let tool = |icon: Icon| TOOLS.iter().find(|t| t.icon == icon).unwrap();
        let arrows = |s: &ViewState| [Icon::Left, Icon::Right].map(|i| tool(i).has_effect(s, &w));
        assert_eq!(arrows(&s), [false, false]);
        s.apply(&zoom(at(200.0, 200.0), 2.0), &w);
        assert_eq!(arrows(&s), [true, false]);
        s.apply(&Command::Do(Action::Back), &w);
        assert_eq!(arrows(&s), [false, true]);
        assert!(tool(Icon::Plus).has_effect(&s, &w) && !tool(Icon::Difference).has_effect(&s, &w));
        (w.annotations, w.written) = (true, vec![false, true]);
        let lit = |w: &WindowGeometry| tool(Icon::Number).is_on(&s, w);
        assert!(lit(&w));
        w.large = Some(0);
        assert!(!lit(&w), "the panel with values is not in the window");
        (w.large, w.written) = (None, vec![false; 2]);
        assert!(!lit(&w));
        let mut said = |written: bool| {
            w.written[0] = written;
            s.apply(&Command::Do(Action::Annotations), &w);
            s.find_values(&w);
            s.message.clone().unwrap_or_default()
        };
        assert_eq!(said(false), "values in cells: off");
        assert_eq!(said(false), "values in cells: shown once cells are large enough");
        said(true);
        assert_eq!(said(true), "values in cells: on");
    }

    #[test]
    fn each_button_has_a_rank_of_its_own() {
        let mut ranks: Vec<u8> = TOOLS.iter().map(|t| t.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        assert_eq!(ranks.len(), TOOLS.len());
    }

    #[test]
    fn buttons_stay_apart_and_in_their_window() {
        let mut dice = Dice(17);
        for unit in [1.0, 1.5, 2.0] {
            let mut most = 0;
            let mut widths: Vec<u32> = (0..200).map(|_| 100 + dice.below(3900) as u32).collect();
            widths.sort_unstable();
            for w in widths {
                let list = places(PxSize { w, h: 600 }, unit, 2);
                assert!(list.len() >= most, "a wider window has fewer buttons: {w}");
                most = list.len();
                for (a, b) in list.iter().zip(list.iter().skip(1)) {
                    assert!(a.0 < b.0 && a.1.x + a.1.w as i32 <= b.1.x, "{w} at {unit}");
                }
                for (i, r) in &list {
                    let bar = f64::from(r.y) + f64::from(r.h);
                    assert!(r.x >= 0 && r.y > 0 && bar < TOOLBAR * unit && r.rect().right() <= f64::from(w));
                    let geometry = WindowGeometry {
                        size: PxSize { w, h: 600 },
                        unit,
                        toolbar: (TOOLBAR * unit).round() as u32,
                        tools: list.clone(),
                        ..WindowGeometry::default()
                    };
                    let at = r.rect().center();
                    assert_eq!(geometry.hit(at), Hit::Tool(*i), "{w} at {unit}");
                }
            }
            assert_eq!(most, TOOLS.len());
        }
        let lone = places(PxSize { w: 4000, h: 600 }, 1.0, 1);
        assert_eq!(lone.len(), TOOLS.len() - 3, "one panel has no other side");
        assert!(places(PxSize { w: 20, h: 600 }, 1.0, 2).is_empty());
    }
}
