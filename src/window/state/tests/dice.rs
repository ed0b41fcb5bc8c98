//! Random windows and commands, among them impossible numbers and places.

use super::super::action::{Action, Effect};
use super::super::command::{Colors, Command, Drag, Entry, Erased, Reach, Typing};
use super::super::test_window::{at, of, ramp_x, scale};
use crate::geometry::WindowGeometry;
use gridscope_core::figure::Reduce;
use gridscope_core::geom::{Point, PxRect};
use gridscope_core::grid::Grid;
use gridscope_core::scale::Norm;
use gridscope_core::view::{Part, Track, View};
use gridscope_random::Random;

fn number(d: &mut Random) -> f64 {
    let wild = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e308,
        -1e308,
        1e-308,
        0.0,
        -0.0,
        f64::MAX,
        f64::MIN_POSITIVE,
    ];
    if d.below(12) == 0 {
        d.pick(&wild)
    } else {
        d.below(20_000) as f64 / 10_000.0 * d.pick(&[0.1, 1.0, 10.0, 700.0]) - 5.0
    }
}

fn point(d: &mut Random, geometry: &WindowGeometry) -> Point {
    let share = || -> [f64; 5] { [0.0, 0.3, 0.5, 0.9, 1.01] };
    match d.below(8) {
        0 => at(number(d), number(d)),
        1 => at(ramp_x(geometry.panels.len()) + 5.0, 50.0 + 200.0 * d.pick(&share())),
        _ if geometry.panels.is_empty() => at(number(d), number(d)),
        _ => {
            let r = geometry.panels[d.below(geometry.panels.len())].body.rect();
            let y = if d.below(4) == 0 { r.bottom() + 10.0 } else { r.y + r.h * d.pick(&share()) };
            let x = if d.below(4) == 0 { r.x - 10.0 } else { r.x + r.w * d.pick(&share()) };
            at(x, y)
        }
    }
}

fn part(d: &mut Random) -> Part {
    Part { from: number(d), to: number(d) }
}

pub(in crate::state) fn command(d: &mut Random, geometry: &WindowGeometry) -> Command {
    let (alone, p) = (d.below(4) == 0, point(d, geometry));
    let index = |d: &mut Random| d.pick(&[0, 1, 2, 5, 19, 40, usize::MAX]);
    match d.below(38) {
        0 => Command::Point(p),
        1 => Command::Leave,
        2..6 => Command::Zoom { at: p, factor: number(d), alone },
        6..8 => Command::Pan { at: p, by: at(number(d), number(d)), alone },
        8..13 => Command::Begin {
            drag: d.pick(&[Drag::Pan, Drag::Box, Drag::Select, Drag::Limits, Drag::Fine, Drag::Overview]),
            at: p,
            alone,
        },
        13..18 => Command::Move(p),
        18..21 => Command::End(p),
        21 => Command::Do(Action::Cancel),
        22 => Command::Fit { at: p, alone },
        23 => {
            let steps = d.pick(&[0, 1, -1, 7, i32::MAX, i32::MIN]);
            Command::Step {
                right: steps,
                down: d.pick(&[0, 1, -1, i32::MIN]),
                reach: d.pick(&[Reach::Step, Reach::Page, Reach::Edge]),
            }
        }
        24 => Command::Nearer(number(d)),
        25 => d.pick(&[Command::Do(Action::Home), Command::Do(Action::Actual), Command::Do(Action::Square)]),
        26 => Command::Do(Action::Back),
        27 => d.pick(&[Action::Forward, Action::Undo, Action::Undo, Action::Redo].map(Command::Do)),
        28 => Command::Show(View { x: part(d), y: part(d) }),
        29 => Command::Click { at: p, extend: d.chance(0.5) },
        30 => Command::Select { panel: index(d), rows: index(d)..index(d), columns: index(d)..index(d) },
        31 => Command::Do(Action::NextMaximum),
        32 => {
            let text = d.pick(&["1", "3", "99999999999999999999", "x", "\u{7}", "é"]).to_owned();
            Command::Type(d.pick(&[
                Typing::Open(Entry::Search),
                Typing::Open(Entry::Map),
                Typing::Text(text.clone()),
                Typing::Erase(Erased::Before),
                Typing::Enter { back: false },
                Typing::Enter { back: true },
            ]))
        }
        33 => Command::Reduce(d.pick(&[None, Some(Reduce::Max)])),
        34 => Command::Colors(Colors::Limits(number(d), number(d))),
        35 => {
            let norm = d.pick(&[
                "log",
                "symlog:1",
                "quantile",
                "power:2",
                "bounds:1,2,3",
                "twoslope",
                "centered",
                "NaN",
                "linear",
            ]);
            d.pick(&[Command::Colors(Colors::Norm(norm.to_owned())), Command::Colors(Colors::NextNorm)])
        }
        36 => {
            let map = d.pick(&["viridis", "jet_r", "red,blue", "none", ","]).to_owned();
            let turn = d.pick(&[1, -1, i32::MIN, i32::MAX]);
            let all = [Colors::Turn(turn), Colors::Map(map), Colors::Invert, Colors::Auto];
            Command::Colors(d.pick(&all))
        }
        _ => d.pick(&[
            Command::Do(Action::Annotations),
            Command::Do(Action::Borders),
            Command::Do(Action::Labels),
            Command::Do(Action::Keys),
            Command::Do(Action::Frames),
            Command::Do(Action::Alone),
            Command::Do(Action::SelectAll),
            Command::Effect(Effect::Copy),
        ]),
    }
}

pub(in crate::state) fn geometry(d: &mut Random) -> WindowGeometry {
    let grid = |d: &mut Random| {
        let (r, c) = (d.pick(&[1, 2, 20]), d.pick(&[1, 3, 40]));
        let wild = [f64::NAN, f64::INFINITY, -3.0, 0.0, 1e300, 1e-300];
        let values = (0..r * c).map(|i| if d.below(20) == 0 { d.pick(&wild) } else { i as f64 }).collect();
        Grid::from_rows(r, c, values).unwrap()
    };
    let n = d.below(5);
    let mut w = of(n, (0..n).map(|_| grid(d)).collect());
    for p in &mut w.panels {
        p.lower = d.chance(0.5);
        p.leftward = d.chance(0.5);
        if d.below(5) == 0 {
            p.body.w = 0;
        }
        if d.below(5) == 0 {
            p.body.h = 0;
        }
        if d.below(3) == 0 {
            let places = (0..p.x.cells()).map(|i| [i as f64 * 1.5, i as f64 * 1.5 + 1.0]).collect();
            p.x = Track::placed(places);
        }
    }
    match d.below(6) {
        0 => w.bars = vec![None],
        1 => w.bars = Vec::new(),
        2 => w.bars[0].as_mut().unwrap().ramp = PxRect::default(),
        3 => (w.scales, w.scale_of) = (Vec::new(), Vec::new()),
        _ => {}
    }
    let norms = [
        (Norm::Log, 1e-3, 1e3),
        (Norm::SymLog { linthresh: 1.0, linscale: 1.0, base: 10.0 }, -5.0, 50.0),
        (Norm::Power { gamma: 0.5 }, 0.0, 7.0),
        (Norm::TwoSlope { center: 0.0 }, -1.0, 2.0),
        (Norm::CenterLinear { center: 0.0 }, -1.0, 2.0),
        (Norm::Centered { center: 1.0, half: None }, -1.0, 3.0),
        (Norm::Quantile(vec![0.0, 1.0, 5.0]), 0.0, 5.0),
        (Norm::Bounds(vec![0.0, 1.0, 5.0]), 0.0, 5.0),
        (Norm::Linear, 5.0, 5.0),
        (Norm::Linear, -1.7e308, 1.7e308),
    ];
    if d.chance(0.5) && !w.scales.is_empty() {
        let (norm, low, high) = d.pick(&norms);
        w.scales = vec![scale(norm, low, high)];
    }
    w
}
