//! Moves of the views: zoom, pan, steps.

use super::super::geometry::{Hit, PanelAt, WindowGeometry};
use super::command::Reach;
use super::history::Run;
use super::square::{self, Along};
use super::{Damage, ViewState};
use crate::geom::Point;
use crate::view::{Part, View};

/// A command pans by at most this many pixels, so that sums stay finite.
const FARTHEST: f64 = 1e9;

/// Whether a number is a valid zoom factor.
fn is_factor(factor: f64) -> bool {
    factor.is_finite() && factor > 0.0
}

/// The panel that was hit, and the axes that a move there concerns.
pub(super) fn axes(hit: Hit) -> Option<(usize, Along)> {
    match hit {
        Hit::Body(p) => Some((p, Along::BOTH)),
        Hit::XAxis(p) => Some((p, Along { x: true, y: false })),
        Hit::YAxis(p) => Some((p, Along { x: false, y: true })),
        Hit::Bar(_) | Hit::Elsewhere => None,
    }
}

/// A place on an axis of length `from`, at the same share of an axis of length `to`.
pub(super) fn carry(v: f64, from: f64, to: f64) -> f64 {
    if from == to { v } else { v / from * to }
}

/// The view within a panel's axes; a part that is longer than its axis already may stay so.
pub(super) fn clamped(panel: &PanelAt, view: &View) -> View {
    let clamp = |p: &Part, length: f64| p.clamp(length, p.len().max(length));
    View {
        x: clamp(&view.x, panel.x.length()),
        y: clamp(&view.y, panel.y.length()),
    }
}

/// Whether two views look the same: no end differs by as much as a billionth of its part.
pub(super) fn alike(a: &View, b: &View) -> bool {
    let near = |a: &Part, b: &Part| (a.from - b.from).abs().max((a.to - b.to).abs()) <= 1e-9 * a.len();
    near(&a.x, &b.x) && near(&a.y, &b.y)
}

impl ViewState {
    /// Whether cells stay square.
    pub(super) fn is_square(&self) -> bool {
        self.overrides.square == Some(true)
    }

    /// The views after a move of all panels, or of one alone.
    pub(super) fn moved(
        &self,
        geometry: &WindowGeometry,
        one: Option<usize>,
        f: impl Fn(&PanelAt, &View) -> View,
    ) -> Vec<View> {
        let each = self.views.iter().zip(&geometry.panels).enumerate();
        each.map(|(i, (v, p))| {
            if one.is_none_or(|one| one == i) {
                f(p, v)
            } else {
                *v
            }
        })
        .collect()
    }

    /// Shows other views. Moves of one run add one entry to the history.
    pub(super) fn show(&mut self, mut views: Vec<View>, run: Option<Run>) -> Damage {
        for (new, old) in views.iter_mut().zip(&self.views).filter(|(a, b)| alike(a, b)) {
            *new = *old;
        }
        if views == self.views {
            return Damage::NONE;
        }
        // A drag adds its entry when it ends.
        if !self.rebase(&views) {
            self.history.leave(&self.views, run);
        }
        self.views = views;
        Damage::VIEW
    }

    /// Zooms in `factor` times about a point.
    pub(super) fn zoom(&mut self, at: Point, factor: f64, alone: bool, geometry: &WindowGeometry) -> Damage {
        if !is_factor(factor) || !at.is_finite() {
            return Damage::NONE;
        }
        let hit = geometry.hit(at);
        if let Hit::Bar(b) = hit {
            return self.zoom_limits(b, at, factor, geometry);
        }
        let Some((i, along)) = axes(hit) else {
            return Damage::NONE;
        };
        let (panel, view) = (&geometry.panels[i], self.views[i]);
        let share = panel.share(at);
        let (x, y) = (view.x.at(share.0), view.y.at(share.1));
        let square = self.is_square();
        let views = self.moved(geometry, alone.then_some(i), |p, v| {
            let x = along.x.then(|| carry(x, panel.x.length(), p.x.length()));
            let y = along.y.then(|| carry(y, panel.y.length(), p.y.length()));
            square::zoomed(p, v, (x, y), factor, square)
        });
        self.show(views, Some(Run::Zoom))
    }

    /// Moves the content under a point by this many pixels.
    pub(super) fn pan(&mut self, at: Point, by: Point, alone: bool, geometry: &WindowGeometry) -> Damage {
        if !at.is_finite() || !by.is_finite() {
            return Damage::NONE;
        }
        let hit = geometry.hit(at);
        if let Hit::Bar(b) = hit {
            return self.shift_limits(b, by, geometry);
        }
        let Some((i, along)) = axes(hit) else {
            return Damage::NONE;
        };
        let views = self.panned(&self.views, (i, along), by, alone, geometry);
        self.show(views, Some(Run::Pan))
    }

    /// These views with the content moved by this many pixels of a panel.
    pub(super) fn panned(
        &self,
        from: &[View],
        at: (usize, Along),
        by: Point,
        alone: bool,
        geometry: &WindowGeometry,
    ) -> Vec<View> {
        let (i, along) = at;
        let (Some(panel), Some(view)) = (geometry.panels.get(i), from.get(i)) else {
            return from.to_vec();
        };
        let cells = |by: f64, pixels: u32, part: &Part| {
            by.clamp(-FARTHEST, FARTHEST) / f64::from(pixels.max(1)) * part.len()
        };
        let x = if along.x {
            -cells(by.x, panel.body.w, &view.x)
        } else {
            0.0
        };
        let y = if along.y {
            cells(by.y, panel.body.h, &view.y)
        } else {
            0.0
        };
        let x = if panel.leftward { -x } else { x };
        let y = if panel.lower { y } else { -y };
        let go = |(j, (v, p)): (usize, (&View, &PanelAt))| {
            if alone && j != i {
                return *v;
            }
            let (x, y) = (
                carry(x, panel.x.length(), p.x.length()),
                carry(y, panel.y.length(), p.y.length()),
            );
            clamped(
                p,
                &View {
                    x: v.x.pan(x),
                    y: v.y.pan(y),
                },
            )
        };
        from.iter().zip(&geometry.panels).enumerate().map(go).collect()
    }

    /// Moves the view this many steps right and down.
    pub(super) fn step(&mut self, right: i32, down: i32, reach: Reach, geometry: &WindowGeometry) -> Damage {
        let go = |part: &Part, steps: f64, length: f64| match reach {
            Reach::Step => part.pan(0.1 * steps * part.len()),
            Reach::Page => part.pan(0.9 * steps * part.len()),
            Reach::Edge if steps > 0.0 => part.pan(length - part.to),
            Reach::Edge if steps < 0.0 => part.pan(-part.from),
            Reach::Edge => *part,
        };
        let views = self.moved(geometry, None, |p, v| {
            let right = if p.leftward {
                -f64::from(right)
            } else {
                f64::from(right)
            };
            let down = if p.lower {
                -f64::from(down)
            } else {
                f64::from(down)
            };
            clamped(
                p,
                &View {
                    x: go(&v.x, right, p.x.length()),
                    y: go(&v.y, down, p.y.length()),
                },
            )
        });
        self.show(views, Some(Run::Step).filter(|_| reach != Reach::Edge))
    }

    /// Zooms in `factor` times about the middle of each panel.
    pub(super) fn nearer(&mut self, factor: f64, geometry: &WindowGeometry) -> Damage {
        if !is_factor(factor) {
            return Damage::NONE;
        }
        let square = self.is_square();
        let views = self.moved(geometry, None, |p, v| {
            square::zoomed(p, v, (Some(v.x.at(0.5)), Some(v.y.at(0.5))), factor, square)
        });
        self.show(views, Some(Run::Nearer))
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{Command, Reach};
    use super::super::test_window::{at, geometry, run, view, zoom};
    use super::*;
    use crate::view::Track;

    #[test]
    fn the_point_under_the_pointer_stays() {
        let w = geometry(2, 30, 40);
        let mut s = ViewState::new(&w);
        assert_eq!(run(&mut s, &w, &zoom(at(200.0, 125.0), 2.0)), Damage::VIEW);
        // A quarter along both axes: cell place (10, 7.5).
        assert_eq!(s.views, [view((5.0, 25.0), (3.75, 18.75)); 2]);
        run(
            &mut s,
            &w,
            &Command::Zoom {
                at: at(600.0, 50.0),
                factor: 2.0,
                alone: true,
            },
        );
        assert_eq!(
            s.views,
            [view((5.0, 25.0), (3.75, 18.75)), view((5.0, 15.0), (3.75, 11.25))]
        );
        run(&mut s, &w, &zoom(at(200.0, 360.0), 2.0));
        assert_eq!(s.views[0], view((7.5, 17.5), (3.75, 18.75)));
        run(&mut s, &w, &zoom(at(90.0, 50.0), 0.5));
        assert_eq!(s.views[0], view((7.5, 17.5), (0.0, 30.0)));
        assert_eq!(
            run(&mut s, &w, &zoom(at(90.0, 50.0), 0.5)),
            Damage::VIEW,
            "the other panel is still nearer"
        );
        assert_eq!(run(&mut s, &w, &zoom(at(90.0, 50.0), 0.5)), Damage::NONE);
        for nothing in [f64::NAN, f64::INFINITY, 0.0, -1.0, 1.0] {
            assert_eq!(run(&mut s, &w, &zoom(at(200.0, 125.0), nothing)), Damage::NONE);
        }
        assert_eq!(run(&mut s, &w, &zoom(at(2.0, 2.0), 2.0)), Damage::NONE);
    }

    #[test]
    fn rows_from_below_zoom_and_pan_upwards() {
        let mut w = geometry(1, 30, 40);
        w.panels[0].lower = true;
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &zoom(at(100.0, 275.0), 2.0));
        assert_eq!(
            s.views[0].y,
            Part {
                from: 3.75,
                to: 18.75
            }
        );
        // The content follows the pointer 30 pixels down: a tenth of the body.
        run(
            &mut s,
            &w,
            &Command::Pan {
                at: at(200.0, 100.0),
                by: at(0.0, 30.0),
                alone: false,
            },
        );
        assert_eq!(
            s.views[0].y,
            Part {
                from: 5.25,
                to: 20.25
            }
        );
        run(
            &mut s,
            &w,
            &Command::Step {
                right: 0,
                down: 1,
                reach: Reach::Step,
            },
        );
        assert_eq!(
            s.views[0].y,
            Part {
                from: 3.75,
                to: 18.75
            }
        );
    }

    #[test]
    fn panels_of_other_lengths_move_by_the_same_share() {
        let mut w = geometry(2, 30, 40);
        w.panels[1].x = Track::even(80);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &zoom(at(200.0, 200.0), 2.0));
        assert_eq!(
            (s.views[0].x, s.views[1].x),
            (Part { from: 5.0, to: 25.0 }, Part { from: 10.0, to: 50.0 })
        );
        run(
            &mut s,
            &w,
            &Command::Pan {
                at: at(200.0, 200.0),
                by: at(-100.0, 0.0),
                alone: false,
            },
        );
        assert_eq!(
            (s.views[0].x, s.views[1].x),
            (Part { from: 10.0, to: 30.0 }, Part { from: 20.0, to: 60.0 })
        );
    }

    #[test]
    fn pans_and_arrows_end_at_the_data() {
        let w = geometry(1, 30, 40);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Show(view((10.0, 20.0), (10.0, 20.0))));
        let step = |right, down, reach| Command::Step { right, down, reach };
        run(&mut s, &w, &step(2, -1, Reach::Step));
        assert_eq!(s.views[0], view((12.0, 22.0), (9.0, 19.0)));
        run(&mut s, &w, &step(1, 0, Reach::Page));
        assert_eq!(s.views[0].x, Part { from: 21.0, to: 31.0 });
        run(&mut s, &w, &step(1, -1, Reach::Edge));
        assert_eq!(s.views[0], view((30.0, 40.0), (0.0, 10.0)));
        assert_eq!(run(&mut s, &w, &step(1, -1, Reach::Page)), Damage::NONE);
        assert_eq!(
            run(
                &mut s,
                &w,
                &Command::Pan {
                    at: at(200.0, 200.0),
                    by: at(-5.0, 5.0),
                    alone: false
                }
            ),
            Damage::NONE
        );
        run(
            &mut s,
            &w,
            &Command::Pan {
                at: at(200.0, 360.0),
                by: at(40.0, 30.0),
                alone: false,
            },
        );
        assert_eq!(s.views[0], view((29.0, 39.0), (0.0, 10.0)));
        run(
            &mut s,
            &w,
            &Command::Pan {
                at: at(200.0, 200.0),
                by: at(1e308, -1e308),
                alone: false,
            },
        );
        assert_eq!(s.views[0], view((0.0, 10.0), (20.0, 30.0)));
    }
}
