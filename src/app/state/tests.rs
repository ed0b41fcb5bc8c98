//! Random commands over random windows: whatever comes, every view shows something of its data.

use super::super::geometry::WindowGeometry;
use super::action::{Action, Effect};
use super::command::{Colors, Command, Drag, Reach, Typing};
use super::test_window::{at, of, paint, ramp_x, scale};
use super::{Damage, ViewState};
use crate::figure::Reduce;
use crate::geom::{Point, PxRect};
use crate::grid::Grid;
use crate::scale::Norm;
use crate::view::{Part, Track, View};

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
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
            1 => at(
                ramp_x(geometry.panels.len()) + 5.0,
                50.0 + 200.0 * self.pick(&share()),
            ),
            _ if geometry.panels.is_empty() => at(self.number(), self.number()),
            _ => {
                let r = geometry.panels[self.below(geometry.panels.len())].body.rect();
                let y = if self.below(4) == 0 {
                    r.bottom() + 10.0
                } else {
                    r.y + r.h * self.pick(&share())
                };
                let x = if self.below(4) == 0 {
                    r.x - 10.0
                } else {
                    r.x + r.w * self.pick(&share())
                };
                at(x, y)
            }
        }
    }

    fn part(&mut self) -> Part {
        Part {
            from: self.number(),
            to: self.number(),
        }
    }

    fn command(&mut self, geometry: &WindowGeometry) -> Command {
        let (alone, p) = (self.below(4) == 0, self.point(geometry));
        let index = |d: &mut Self| d.pick(&[0, 1, 2, 5, 19, 40, usize::MAX]);
        match self.below(38) {
            0 => Command::Point(p),
            1 => Command::Leave,
            2..6 => Command::Zoom {
                at: p,
                factor: self.number(),
                alone,
            },
            6..8 => Command::Pan {
                at: p,
                by: at(self.number(), self.number()),
                alone,
            },
            8..13 => Command::Begin {
                drag: self.pick(&[Drag::Pan, Drag::Box, Drag::Select, Drag::Limits]),
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
            27 => Command::Do(Action::Forward),
            28 => Command::Show(View {
                x: self.part(),
                y: self.part(),
            }),
            29 => Command::Click {
                at: p,
                extend: self.coin(),
            },
            30 => Command::Select {
                panel: index(self),
                rows: index(self)..index(self),
                columns: index(self)..index(self),
            },
            31 => Command::Do(Action::NextMaximum),
            32 => {
                let text = self
                    .pick(&["1", "3", "99999999999999999999", "x", "\u{7}", "é"])
                    .to_owned();
                Command::Search(self.pick(&[
                    Typing::Open,
                    Typing::Text(text.clone()),
                    Typing::Erase,
                    Typing::Next,
                    Typing::Next,
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
                let map = self
                    .pick(&["viridis", "jet_r", "red,blue", "none", ","])
                    .to_owned();
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
                Command::Effect(Effect::Copy),
            ]),
        }
    }

    fn geometry(&mut self) -> WindowGeometry {
        let grid = |d: &mut Self| {
            let (r, c) = (d.pick(&[1, 2, 20]), d.pick(&[1, 3, 40]));
            let wild = [f64::NAN, f64::INFINITY, -3.0, 0.0, 1e300, 1e-300];
            let values = (0..r * c)
                .map(|i| if d.below(20) == 0 { d.pick(&wild) } else { i as f64 })
                .collect();
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
                let places = (0..p.x.cells())
                    .map(|i| [i as f64 * 1.5, i as f64 * 1.5 + 1.0])
                    .collect();
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
            (
                Norm::SymLog {
                    linthresh: 1.0,
                    linscale: 1.0,
                    base: 10.0,
                },
                -5.0,
                50.0,
            ),
            (Norm::Power { gamma: 0.5 }, 0.0, 7.0),
            (Norm::TwoSlope { center: 0.0 }, -1.0, 2.0),
            (Norm::CenterLinear { center: 0.0 }, -1.0, 2.0),
            (
                Norm::Centered {
                    center: 1.0,
                    half: None,
                },
                -1.0,
                3.0,
            ),
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

/// What holds after every command.
fn check(state: &ViewState, geometry: &WindowGeometry, what: &str) {
    assert_eq!(
        (state.views.len(), state.overrides.scales.len()),
        (geometry.panels.len(), geometry.scales.len()),
        "{what}"
    );
    for (v, p) in state.views.iter().zip(&geometry.panels) {
        for (part, length) in [(v.x, p.x.length()), (v.y, p.y.length())] {
            assert!(
                part.from.is_finite() && part.to.is_finite() && part.len() > 0.49,
                "{part:?} {what}"
            );
            let inside = part.from >= 0.0 && part.to <= length;
            let around = part.from <= 1e-6
                && part.to >= length - 1e-6
                && (part.at(0.5) - length / 2.0).abs() < 1e-6 * part.len();
            assert!(inside || around, "{part:?} of {length} {what}");
        }
        if state.overrides.square == Some(true) && p.body.w > 0 && p.body.h > 0 {
            let (x, y) = (v.x.len() / f64::from(p.body.w), v.y.len() / f64::from(p.body.h));
            // A body of whole pixels that was laid out for square cells shows all data, with cells that are
            // square except for the rounding.
            assert!((x - y).abs() < 0.021 * x.max(y), "{v:?} is not square {what}");
        }
    }
    for (s, changes) in state.overrides.scales.iter().enumerate() {
        if let (Some((low, high)), Some(norm)) = (changes.limits, state.norm(s, geometry)) {
            assert!(
                low.is_finite() && high.is_finite() && low < high && norm.check(low, high).is_ok(),
                "{low} {high} {norm:?} {what}"
            );
        }
    }
    if let Some(s) = &state.selection {
        let p = &geometry.panels[s.panel];
        assert!(
            !s.rows.is_empty()
                && s.rows.end <= p.y.cells()
                && !s.columns.is_empty()
                && s.columns.end <= p.x.cells(),
            "{s:?} {what}"
        );
        assert!(
            s.rows.contains(&s.anchor.0) && s.columns.contains(&s.anchor.1),
            "{s:?} {what}"
        );
    }
    if let Some((a, b)) = state.rubber {
        assert!([a.x, a.y, b.x, b.y].iter().all(|v| v.is_finite()), "{what}");
    }
}

/// What a frame is drawn from.
fn drawn(s: &ViewState) -> impl PartialEq + use<> {
    let over = (
        s.pointer.map(|p| (p.x, p.y)),
        s.selection.clone(),
        s.search.clone(),
        s.message.clone(),
    );
    (
        s.views.clone(),
        s.overrides.clone(),
        over,
        s.rubber.map(|r| (r.0.x, r.0.y, r.1.x, r.1.y)),
        (s.keys, s.frames),
    )
}

#[test]
fn random_commands_leave_a_valid_state() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for round in 0..400 {
        let mut geometry = dice.geometry();
        let mut state = ViewState::new(&geometry);
        for step in 0..100 {
            let command = dice.command(&geometry);
            state.refit(&geometry);
            let before = state.clone();
            let outcome = state.apply(&command, &geometry);
            let what = format!("after {command:?}, step {step} of round {round}");
            check(&state, &geometry, &what);
            // Damage is honest: none where nothing changed, and some where anything did.
            let changed = drawn(&before) != drawn(&state);
            assert_eq!(outcome.damage.any(), changed, "{:?} {what}", outcome.damage);
            let (views, overrides) = (before.views != state.views, before.overrides != state.overrides);
            // Values, lines and the reduction are words of the figure as colours are.
            let resolved = |s: &ViewState| {
                (
                    s.overrides.scales.clone(),
                    s.overrides.annotations,
                    s.overrides.borders,
                    s.overrides.reduce,
                )
            };
            let (colors, d) = (resolved(&before) != resolved(&state), outcome.damage);
            assert!(d.view || !views, "{d:?} {what}");
            assert!((views || overrides) || !(d.view || d.layout), "{d:?} {what}");
            assert_eq!(d.colors, colors, "{what}");
            if dice.coin() {
                paint(&mut geometry, &state);
            }
            if dice.below(50) == 0 {
                for p in &mut geometry.panels {
                    (p.body.w, p.body.h) = (dice.pick(&[0, 1, 400, 999]), dice.pick(&[0, 3, 300, 4000]));
                }
            }
        }
    }
}

#[test]
fn a_state_moves_to_another_window() {
    let mut dice = Dice(77);
    let mut geometry = dice.geometry();
    let mut state = ViewState::new(&geometry);
    for _ in 0..2000 {
        let command = dice.command(&geometry);
        state.apply(&command, &geometry);
        if dice.below(10) == 0 {
            geometry = dice.geometry();
            state.refit(&geometry);
            check(&state, &geometry, "in another window");
            assert_eq!(state.refit(&geometry), Damage::NONE);
        }
    }
}
