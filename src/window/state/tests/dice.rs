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

/// Numbers without a pattern, the same in every run.
pub(in crate::state) struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(in crate::state) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(in crate::state) fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    pub(in crate::state) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn number(&mut self) -> f64 {
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
        if self.below(12) == 0 {
            self.pick(&wild)
        } else {
            self.below(20_000) as f64 / 10_000.0 * self.pick(&[0.1, 1.0, 10.0, 700.0]) - 5.0
        }
    }

    fn point(&mut self, geometry: &WindowGeometry) -> Point {
        let share = || -> [f64; 5] { [0.0, 0.3, 0.5, 0.9, 1.01] };
        match self.below(8) {
            0 => at(self.number(), self.number()),
            1 => at(ramp_x(geometry.panels.len()) + 5.0, 50.0 + 200.0 * self.pick(&share())),
            _ if geometry.panels.is_empty() => at(self.number(), self.number()),
            _ => {
                let r = geometry.panels[self.below(geometry.panels.len())].body.rect();
                let y = if self.below(4) == 0 { r.bottom() + 10.0 } else { r.y + r.h * self.pick(&share()) };
                let x = if self.below(4) == 0 { r.x - 10.0 } else { r.x + r.w * self.pick(&share()) };
                at(x, y)
            }
        }
    }

    fn part(&mut self) -> Part {
        Part { from: self.number(), to: self.number() }
    }

    pub(in crate::state) fn command(&mut self, geometry: &WindowGeometry) -> Command {
        let (alone, p) = (self.below(4) == 0, self.point(geometry));
        let index = |d: &mut Self| d.pick(&[0, 1, 2, 5, 19, 40, usize::MAX]);
        match self.below(38) {
            0 => Command::Point(p),
            1 => Command::Leave,
            2..6 => Command::Zoom { at: p, factor: self.number(), alone },
            6..8 => Command::Pan { at: p, by: at(self.number(), self.number()), alone },
            8..13 => Command::Begin {
                drag: self.pick(&[
                    Drag::Pan,
                    Drag::Box,
                    Drag::Select,
                    Drag::Limits,
                    Drag::Fine,
                    Drag::Overview,
                ]),
                at: p,
                alone,
            },
            13..18 => Command::Move(p),
            18..21 => Command::End(p),
            21 => Command::Do(Action::Cancel),
            22 => Command::Fit { at: p, alone },
            23 => {
                let steps = self.pick(&[0, 1, -1, 7, i32::MAX, i32::MIN]);
                Command::Step {
                    right: steps,
                    down: self.pick(&[0, 1, -1, i32::MIN]),
                    reach: self.pick(&[Reach::Step, Reach::Page, Reach::Edge]),
                }
            }
            24 => Command::Nearer(self.number()),
            25 => self.pick(&[
                Command::Do(Action::Home),
                Command::Do(Action::Actual),
                Command::Do(Action::Square),
            ]),
            26 => Command::Do(Action::Back),
            27 => self.pick(&[Action::Forward, Action::Undo, Action::Undo, Action::Redo].map(Command::Do)),
            28 => Command::Show(View { x: self.part(), y: self.part() }),
            29 => Command::Click { at: p, extend: self.coin() },
            30 => Command::Select {
                panel: index(self),
                rows: index(self)..index(self),
                columns: index(self)..index(self),
            },
            31 => Command::Do(Action::NextMaximum),
            32 => {
                let text = self.pick(&["1", "3", "99999999999999999999", "x", "\u{7}", "é"]).to_owned();
                Command::Type(self.pick(&[
                    Typing::Open(Entry::Search),
                    Typing::Open(Entry::Map),
                    Typing::Text(text.clone()),
                    Typing::Erase(Erased::Before),
                    Typing::Enter { back: false },
                    Typing::Enter { back: true },
                ]))
            }
            33 => Command::Reduce(self.pick(&[None, Some(Reduce::Max)])),
            34 => Command::Colors(Colors::Limits(self.number(), self.number())),
            35 => {
                let norm = self.pick(&[
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
                self.pick(&[
                    Command::Colors(Colors::Norm(norm.to_owned())),
                    Command::Colors(Colors::NextNorm),
                ])
            }
            36 => {
                let map = self.pick(&["viridis", "jet_r", "red,blue", "none", ","]).to_owned();
                let turn = self.pick(&[1, -1, i32::MIN, i32::MAX]);
                let all = [Colors::Turn(turn), Colors::Map(map), Colors::Invert, Colors::Auto];
                Command::Colors(self.pick(&all))
            }
            _ => self.pick(&[
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

    pub(in crate::state) fn geometry(&mut self) -> WindowGeometry {
        let grid = |d: &mut Self| {
            let (r, c) = (d.pick(&[1, 2, 20]), d.pick(&[1, 3, 40]));
            let wild = [f64::NAN, f64::INFINITY, -3.0, 0.0, 1e300, 1e-300];
            let values =
                (0..r * c).map(|i| if d.below(20) == 0 { d.pick(&wild) } else { i as f64 }).collect();
            Grid::from_rows(r, c, values).unwrap()
        };
        let n = self.below(5);
        let mut w = of(n, (0..n).map(|_| grid(self)).collect());
        for p in &mut w.panels {
            p.lower = self.coin();
            p.leftward = self.coin();
            if self.below(5) == 0 {
                p.body.w = 0;
            }
            if self.below(5) == 0 {
                p.body.h = 0;
            }
            if self.below(3) == 0 {
                let places = (0..p.x.cells()).map(|i| [i as f64 * 1.5, i as f64 * 1.5 + 1.0]).collect();
                p.x = Track::placed(places);
            }
        }
        match self.below(6) {
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
        if self.coin() && !w.scales.is_empty() {
            let (norm, low, high) = self.pick(&norms);
            w.scales = vec![scale(norm, low, high)];
        }
        w
    }
}
