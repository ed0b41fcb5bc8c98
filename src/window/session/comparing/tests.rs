//! Sides that blink and share a body, against each panel drawn large and against what `render` draws.

use super::*;
use crate::dice::Dice;
use crate::geometry::Hit;
use crate::session::Data;
use crate::state::{Action, Colors, Command, Swiping};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::{Point, PxRect, PxSize};
use gridscope_core::grid::{Axis, Change, Grid, State, Values};
use gridscope_core::image::Image;
use gridscope_core::text::Fonts;
use gridscope_draw::raster;
use gridscope_draw::rendered::render;
use gridscope_draw::scene::Scene;

/// Baseline, values and difference, whose values and states differ.
pub(in crate::session) fn three(rows: usize, columns: usize) -> Vec<Grid> {
    let n = rows * columns;
    let labels: Vec<String> = (0..rows).map(|i| format!("method {i}")).collect();
    let grid = |p: usize| {
        let value = |i: usize| match p {
            2 => (i * 577 % 401) as f64 / 3.0 - 60.0,
            p => (i * 7919 % 1000) as f64 / 20.0 + 0.25 + 7.0 * p as f64,
        };
        let state = |i: usize| match (p, i % 23) {
            (0, 4) => Some(State::Absent),
            (1, 9) => Some(State::Nan),
            (2, 4) => Some(State::Appeared),
            (2, 9) => Some(State::Vanished),
            _ => None,
        };
        let values = Values::F64((0..n).map(value).collect());
        let states: Vec<Option<State>> = (0..n).map(state).collect();
        Grid::new(Axis::category("method", labels.clone()), Axis::index("step", columns), values, &states)
            .unwrap()
    };
    let named = |p: usize| match p {
        0 => grid(0).with_name("before"),
        1 => grid(1).with_name("after, a run of a longer name"),
        _ => {
            let own = grid(2);
            let states: Vec<Option<State>> =
                (0..n).map(|i| own.at(i / columns, i % columns).state()).collect();
            own.changed(own.values().clone(), &states, Change::Difference("before".to_owned()))
                .unwrap()
                .with_name("after − before")
        }
    };
    (0..3).map(named).collect()
}

/// The figure of a comparison as the window has it.
pub(in crate::session) fn against(text: &str) -> Figure {
    let mut figure: Figure = toml::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    figure.data.against = Some("file:before.npy".parse().unwrap());
    figure
}

fn open(text: &str, grids: &[Grid], (w, h): (u32, u32), unit: f64) -> Session {
    let mut session = Session::new(against(text), Data::new(grids.to_vec()).unwrap(), Fonts::new()).unwrap();
    session.resize(PxSize { w, h }, unit);
    session.draw(None).unwrap();
    session
}

/// The window at rest without its overlay: the figure and the other side.
fn seen(session: &mut Session, grids: &[Grid]) -> Image {
    for _ in 0..2 {
        session.draw(None).unwrap();
        session.rest();
    }
    let frame = session.draw(None).unwrap();
    let bare = Scene { items: Vec::new(), ..frame };
    raster::draw(&bare, grids, &mut Fonts::new())
}

fn show(session: &mut Session, panel: usize) {
    session.apply(&Command::Panel(Some(panel)));
    session.draw(None).unwrap();
}

/// The first pixel of a rectangle that differs.
fn differs(a: &Image, b: &Image, within: PxRect) -> Option<(u32, u32)> {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let at = |image: &Image, x: u32, y: u32| {
        let i = ((y * image.width + x) * 4) as usize;
        [0, 1, 2, 3].map(|k| image.pixels[i + k])
    };
    let (x, y) = (within.x as u32, within.y as u32);
    let all = (y..y + within.h).flat_map(|y| (x..x + within.w).map(move |x| (x, y)));
    all.into_iter().find(|&(x, y)| at(a, x, y) != at(b, x, y))
}

/// Figures in which bodies are drawn in different ways.
const FIGURES: [&str; 6] = [
    "",
    "[annotations]\nshow = 'on'",
    "contours = '3'\nlinewidths = '1px'\n[annotations]\nmark = ['max', 'value < 10 as dot']",
    "[color]\nscale = 'panel'\nbar = 'bottom'",
    "[reduce]\nby = 'extreme'",
    "[reduce]\nby = 'count'",
];

#[test]
fn each_side_is_the_panel_drawn_large() {
    for (case, text) in FIGURES.iter().enumerate() {
        for (rows, columns) in [(7, 9), (300, 420)] {
            let grids = three(rows, columns);
            let unit = [1.0, 1.5, 2.0][case % 3];
            let size = ((700.0 * unit) as u32, (520.0 * unit) as u32);
            let mut s = open(text, &grids, size, unit);
            let large: Vec<(Image, PxRect)> = (0..3)
                .map(|p| {
                    show(&mut s, p);
                    (seen(&mut s, &grids), s.geometry.panels[p].body)
                })
                .collect();
            let body = large[0].1;
            assert!(
                large.iter().all(|l| l.1 == body),
                "the body moves: {text} {:?}",
                large.iter().map(|l| l.1).collect::<Vec<_>>()
            );
            for (panel, other) in [(1, 0), (0, 1), (2, 1)] {
                show(&mut s, panel);
                let share = [0.3, 0.0, 1.0][panel];
                s.apply(&Command::Swipe(Swiping::To(share)));
                let both = seen(&mut s, &grids);
                let swipe = s.geometry.swipe.unwrap_or_else(|| panic!("{:?}: {text}", s.state.message));
                assert_eq!(swipe.other, other);
                let left = swipe.rect();
                let right = PxRect { x: left.x + left.w as i32, w: body.w - left.w, ..body };
                let what = format!("{text}, {rows} x {columns}, panel {panel}");
                assert_eq!(differs(&both, &large[other].0, left), None, "left: {what}");
                assert_eq!(differs(&both, &large[panel].0, right), None, "right: {what}");
                // Beside the body: the large panel.
                let above = PxRect {
                    x: 0,
                    y: s.geometry.toolbar as i32,
                    w: size.0,
                    h: (body.y as u32).saturating_sub(s.geometry.toolbar),
                };
                assert_eq!(differs(&both, &large[panel].0, above), None, "above: {what}");
                // Nothing of it is saved.
                let (scene, _) = s.picture().unwrap();
                let saved = raster::draw(&scene, &grids, &mut Fonts::new());
                let figure: Figure = toml::from_str(&s.figure_file().unwrap()).unwrap();
                assert_eq!(figure.only_panel.as_deref(), Some(grids[panel].name()));
                assert!(saved == render(&figure, &grids).unwrap().picture, "saved: {what}");
            }
        }
    }
}

#[test]
fn sides_take_the_window_whatever_its_shape() {
    for ((rows, columns), size) in [
        ((60, 80), (1280, 800)),
        ((60, 80), (600, 1100)),
        ((20, 400), (1280, 800)),
        ((200, 10), (1280, 800)),
        ((8, 12), (1600, 500)),
    ] {
        let grids = three(rows, columns);
        let covered = |text: &str| -> (usize, u32) {
            let s = open(text, &grids, size, 1.0);
            let bodies: Vec<PxRect> = s.geometry.panels.iter().map(|p| p.body).collect();
            let in_first_row = bodies.iter().filter(|b| b.y == bodies[0].y).count();
            (in_first_row, bodies.iter().map(|b| b.w * b.h).sum())
        };
        let (own, area) = covered("");
        let most = (1..=3).map(|c| covered(&format!("columns = {c}")).1).max().unwrap();
        let what = format!("{rows} x {columns} in {size:?}: {own} in a row, {area} of {most} pixels");
        assert!(f64::from(area) > 0.7 * f64::from(most), "{what}");
        let mut s = open("", &grids, size, 1.0);
        let (scene, _) = s.picture().unwrap();
        let saved = raster::draw(&scene, &grids, &mut Fonts::new());
        let figure: Figure = toml::from_str(&s.figure_file().unwrap()).unwrap();
        assert!(saved == render(&figure, &grids).unwrap().picture, "saved: {what}");
    }
}

#[test]
fn a_comparison_opens_with_what_can_be_done() {
    let grids = three(7, 9);
    let s = open("", &grids, (900, 520), 1.0);
    let message = s.state.message.clone().unwrap();
    assert_eq!(
        message,
        "3 cells not in the baseline · 3 cells only in the baseline · Tab: other side · Shift+B: blink · \
         Shift+W: swipe · Shift+D: difference"
    );
    let mut before = crate::state::ViewState::default();
    let mut s = s;
    s.take_line(&mut before);
    assert_eq!(s.state.message, Some(message), "although another line may have been typed before");
}

#[test]
fn moves_go_on_on_both_sides() {
    let grids = three(300, 420);
    let mut s = open("", &grids, (700, 520), 1.0);
    show(&mut s, 1);
    s.apply(&Command::Swipe(Swiping::To(0.5)));
    s.draw(None).unwrap();
    let body = s.geometry.panels[1].body.rect();
    let left = Point { x: body.x + 0.2 * body.w, y: body.y + 0.4 * body.h };
    let zoom = Command::Zoom { at: left, factor: 5.0, alone: true };
    s.apply(&zoom);
    let both = seen(&mut s, &grids);
    assert_eq!(s.state.views[0], s.state.views[1]);
    assert_eq!((s.geometry.hit(left), s.geometry.hit(body.center())), (Hit::Body(0), Hit::Divider(1)));
    let rect = s.geometry.swipe.unwrap().rect();
    show(&mut s, 0);
    let other = seen(&mut s, &grids);
    assert_eq!(differs(&both, &other, rect), None);
    // The divider passes under a pointer that stays.
    s.apply(&Command::Swipe(Swiping::Toggle));
    s.apply(&Command::Point(left));
    let read = |s: &mut Session, share: f64| {
        s.apply(&Command::Swipe(Swiping::To(share)));
        s.draw(None).unwrap();
        s.readings.texts(&s.geometry, &s.state).0.split(' ').next().map(str::to_owned)
    };
    let sides = [0.5, 0.1, 0.6].map(|share| read(&mut s, share));
    assert_eq!(sides, ["after,", "before", "after,"].map(|name| Some(name.to_owned())));
    s.apply(&Command::Do(Action::Cancel));
    // The colours of the side under the pointer change.
    s.apply(&Command::Swipe(Swiping::Toggle));
    s.draw(None).unwrap();
    s.apply(&Command::Point(left));
    s.apply(&Command::Colors(Colors::Map("magma".to_owned())));
    seen(&mut s, &grids);
    let lut = |s: &Session, p: usize| s.geometry.scales[s.geometry.scale_of[p]].spec().map.name.clone();
    assert_eq!((lut(&s, 0), lut(&s, 1)), ("magma".to_owned(), "magma".to_owned()));
    assert_ne!(lut(&s, 2), "magma");
}

#[test]
fn what_blinks_is_exact_at_once_and_what_is_written() {
    let grids = three(300, 420);
    let mut s = open("[reduce]\nby = 'mean'", &grids, (640, 480), 1.0);
    show(&mut s, 1);
    let first = seen(&mut s, &grids);
    s.apply(&Command::Do(Action::Blink));
    for turn in 0..4 {
        s.blink_on();
        s.draw(None).unwrap();
        assert!(!s.is_moving(), "a flip is no move");
        let (scene, _) = s.picture().unwrap();
        let saved = raster::draw(&scene, &grids, &mut Fonts::new());
        let figure: Figure = toml::from_str(&s.figure_file().unwrap()).unwrap();
        assert!(saved == render(&figure, &grids).unwrap().picture, "turn {turn}");
        if turn % 2 == 1 {
            assert!(seen(&mut s, &grids) == first, "turn {turn}");
        }
    }
    assert!(s.state.is_blinking() && !s.left_out().is_empty());
}

#[test]
fn small_windows_many_panels_and_overlays_do_no_harm() {
    let grids = three(40, 50);
    let mut d = Dice(11);
    for (w, h) in [(300, 200), (120, 90), (20, 20), (900, 300)] {
        let mut s = open("", &grids, (w, h), 1.0);
        for command in [
            Command::Swipe(Swiping::Toggle),
            Command::Do(Action::Profiles),
            Command::Do(Action::Minimap),
            Command::Do(Action::LinkedCursor),
            Command::Reduce(Some(Reduce::Count)),
            Command::Colors(Colors::HideBelow(20.0)),
            Command::Do(Action::Other),
            Command::Swipe(Swiping::To(0.2)),
            Command::Do(Action::Blink),
            Command::Nearer(3.0),
        ] {
            let share = |d: &mut Dice, side: u32| d.below(u64::from(side)) as f64;
            let at = Point { x: share(&mut d, w), y: share(&mut d, h) };
            s.apply(&command);
            s.apply(&Command::Point(at));
            seen(&mut s, &grids);
        }
    }
    let many: Vec<Grid> = (0..65).map(|i| three(6, 5)[i % 2].clone().with_name(format!("p{i}"))).collect();
    let mut s = Session::new(Figure::default(), Data::new(many.clone()).unwrap(), Fonts::new()).unwrap();
    s.resize(PxSize { w: 800, h: 600 }, 1.0);
    s.apply(&Command::Panel(Some(64)));
    s.apply(&Command::Swipe(Swiping::Toggle));
    seen(&mut s, &many);
    assert_eq!(s.geometry.swipe.map(|s| s.other), Some(0));
}

#[test]
fn sorting_keeps_both_sides_of_a_divider_in_one_order() {
    let grids = three(6, 8);
    let mut s = open("", &grids, (700, 520), 1.0);
    show(&mut s, 1);
    s.apply(&Command::Swipe(Swiping::Toggle));
    s.draw(None).unwrap();
    let body = s.geometry.panels[1].body.rect();
    s.apply(&Command::Point(Point { x: body.x - 8.0, y: body.y + 0.5 }));
    s.sort_here().unwrap();
    let sorted = s.geometry.grids.to_vec();
    seen(&mut s, &sorted);
    match s.geometry.swipe {
        Some(swipe) => assert_eq!(s.geometry.apart(1, swipe.other), None),
        None => assert!(s.state.swiped(&s.geometry).is_none()),
    }
}
