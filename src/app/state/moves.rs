//! Moves of the views: zoom, pan, arrows, home, back and forward.

use super::super::command::Reach;
use super::super::world::{PanelAt, Place, World};
use super::history::Run;
use super::square::{self, Along};
use super::{Damage, State};
use crate::geom::Point;
use crate::view::{Part, View};

/// No pan goes farther in one command, in pixels: what is left over would be lost in infinities.
const FARTHEST: f64 = 1e9;

/// Whether a number can be a zoom.
fn is_factor(factor: f64) -> bool {
    factor.is_finite() && factor > 0.0
}

/// Whether a point can be one of a window.
pub(super) fn is_place(at: Point) -> bool {
    at.x.is_finite() && at.y.is_finite()
}

/// The panel at a place, and which of its axes a move there is about.
pub(super) fn axes(place: Place) -> Option<(usize, Along)> {
    match place {
        Place::Body(p) => Some((p, Along::BOTH)),
        Place::XAxis(p) => Some((p, Along { x: true, y: false })),
        Place::YAxis(p) => Some((p, Along { x: false, y: true })),
        Place::Bar(_) | Place::Elsewhere => None,
    }
}

/// The same share of another axis.
pub(super) fn carry(v: f64, from: f64, to: f64) -> f64 {
    if from == to { v } else { v / from * to }
}

/// Kept on a panel's axes; what is longer than its axis already may stay so.
fn kept(panel: &PanelAt, view: &View) -> View {
    let keep = |p: &Part, length: f64| p.clamp(length, p.len().max(length));
    View { x: keep(&view.x, panel.x.length()), y: keep(&view.y, panel.y.length()) }
}

/// Views that no pixel tells apart.
pub(super) fn alike(a: &View, b: &View) -> bool {
    let near = |a: &Part, b: &Part| (a.from - b.from).abs().max((a.to - b.to).abs()) <= 1e-9 * a.len();
    near(&a.x, &b.x) && near(&a.y, &b.y)
}

impl State {
    /// Whether cells are kept square.
    pub(super) fn is_square(&self) -> bool {
        self.look.square == Some(true)
    }

    /// The views after a move of all panels, or of one alone.
    pub(super) fn moved(&self, world: &World, one: Option<usize>, f: impl Fn(&PanelAt, &View) -> View) -> Vec<View> {
        let each = self.views.iter().zip(&world.panels).enumerate();
        each.map(|(i, (v, p))| if one.is_none_or(|one| one == i) { f(p, v) } else { *v }).collect()
    }

    /// Shows other views; moves of one run leave one view to go back to.
    pub(super) fn show(&mut self, mut views: Vec<View>, run: Option<Run>) -> Damage {
        for (new, old) in views.iter_mut().zip(&self.views).filter(|(a, b)| alike(a, b)) {
            *new = *old;
        }
        if views == self.views {
            return Damage::NONE;
        }
        // A drag leaves its view when it ends.
        if !self.rebase(&views) {
            self.history.leave(&self.views, run);
        }
        self.views = views;
        Damage::VIEW
    }

    /// `factor` times nearer about a place.
    pub(super) fn zoom(&mut self, at: Point, factor: f64, alone: bool, world: &World) -> Damage {
        if !is_factor(factor) || !is_place(at) {
            return Damage::NONE;
        }
        let place = world.place(at);
        if let Place::Bar(b) = place {
            return self.zoom_limits(b, at, factor, world);
        }
        let Some((i, along)) = axes(place) else { return Damage::NONE };
        let (panel, view) = (&world.panels[i], self.views[i]);
        let share = panel.share(at);
        let (x, y) = (view.x.at(share.0), view.y.at(share.1));
        let square = self.is_square();
        let views = self.moved(world, alone.then_some(i), |p, v| {
            let x = along.x.then(|| carry(x, panel.x.length(), p.x.length()));
            let y = along.y.then(|| carry(y, panel.y.length(), p.y.length()));
            square::zoomed(p, v, (x, y), factor, square)
        });
        self.show(views, Some(Run::Zoom))
    }

    /// The content under a place moves by so many pixels.
    pub(super) fn pan(&mut self, at: Point, by: Point, alone: bool, world: &World) -> Damage {
        if !is_place(at) || !is_place(by) {
            return Damage::NONE;
        }
        let place = world.place(at);
        if let Place::Bar(b) = place {
            return self.shift_limits(b, by, world);
        }
        let Some((i, along)) = axes(place) else { return Damage::NONE };
        let views = self.panned(&self.views, (i, along), by, alone, world);
        self.show(views, Some(Run::Pan))
    }

    /// These views with the content moved by so many pixels of a panel.
    pub(super) fn panned(&self, from: &[View], at: (usize, Along), by: Point, alone: bool, world: &World) -> Vec<View> {
        let (i, along) = at;
        let (Some(panel), Some(view)) = (world.panels.get(i), from.get(i)) else { return from.to_vec() };
        let cells = |by: f64, pixels: u32, part: &Part| by.clamp(-FARTHEST, FARTHEST) / f64::from(pixels.max(1)) * part.len();
        let x = if along.x { -cells(by.x, panel.body.w, &view.x) } else { 0.0 };
        let y = if along.y { cells(by.y, panel.body.h, &view.y) } else { 0.0 };
        let y = if panel.lower { y } else { -y };
        let go = |(j, (v, p)): (usize, (&View, &PanelAt))| {
            if alone && j != i {
                return *v;
            }
            let (x, y) = (carry(x, panel.x.length(), p.x.length()), carry(y, panel.y.length(), p.y.length()));
            kept(p, &View { x: v.x.pan(x), y: v.y.pan(y) })
        };
        from.iter().zip(&world.panels).enumerate().map(go).collect()
    }

    /// So many steps right and down.
    pub(super) fn step(&mut self, right: i32, down: i32, reach: Reach, world: &World) -> Damage {
        let go = |part: &Part, steps: f64, length: f64| match reach {
            Reach::Step => part.pan(0.1 * steps * part.len()),
            Reach::Page => part.pan(0.9 * steps * part.len()),
            Reach::Edge if steps > 0.0 => part.pan(length - part.to),
            Reach::Edge if steps < 0.0 => part.pan(-part.from),
            Reach::Edge => *part,
        };
        let views = self.moved(world, None, |p, v| {
            let down = if p.lower { -f64::from(down) } else { f64::from(down) };
            kept(p, &View { x: go(&v.x, f64::from(right), p.x.length()), y: go(&v.y, down, p.y.length()) })
        });
        self.show(views, Some(Run::Step).filter(|_| reach != Reach::Edge))
    }

    /// So many times nearer about the middles.
    pub(super) fn nearer(&mut self, factor: f64, world: &World) -> Damage {
        if !is_factor(factor) {
            return Damage::NONE;
        }
        let square = self.is_square();
        let views = self.moved(world, None, |p, v| square::zoomed(p, v, (Some(v.x.at(0.5)), Some(v.y.at(0.5))), factor, square));
        self.show(views, Some(Run::Nearer))
    }

    /// All of the data, in every panel or in one.
    pub(super) fn home(&mut self, one: Option<usize>, world: &World) -> Damage {
        let square = self.is_square();
        let views = self.moved(world, one, |p, _| square::home(p, square));
        self.show(views, None)
    }

    /// Double click.
    pub(super) fn fit(&mut self, at: Point, alone: bool, world: &World) -> Damage {
        let place = world.place(at);
        if let Place::Bar(b) = place {
            return self.auto_limits(b);
        }
        let Some((i, along)) = axes(place) else { return Damage::NONE };
        let one = alone.then_some(i);
        if along == Along::BOTH {
            return self.home(one, world);
        }
        self.look_at(world, one, along, |p, v| {
            let x = if along.x { p.x.whole() } else { v.x };
            View { x, y: if along.y { p.y.whole() } else { v.y } }
        })
    }

    /// Shows parts along the given axes; where cells are square the other axis follows about its middle.
    pub(super) fn look_at(&mut self, world: &World, one: Option<usize>, along: Along, f: impl Fn(&PanelAt, &View) -> View) -> Damage {
        let square = self.is_square();
        let views = self.moved(world, one, |p, v| {
            let new = f(p, v);
            let on = |part: &Part, length: f64| part.clamp(length, length);
            let new =
                View { x: if along.x { on(&new.x, p.x.length()) } else { v.x }, y: if along.y { on(&new.y, p.y.length()) } else { v.y } };
            if square { square::squared(p, &new, along) } else { new }
        });
        self.show(views, None)
    }

    /// A cell a pixel about the middle.
    pub(super) fn actual(&mut self, world: &World) -> Damage {
        let views = self.moved(world, None, |p, v| square::scaled(p, v, 1.0));
        self.show(views, None)
    }

    /// This view in every panel.
    pub(super) fn exactly(&mut self, view: &View, world: &World) -> Damage {
        let shows = |p: &Part| p.from.is_finite() && p.to.is_finite() && p.from < p.to;
        if !shows(&view.x) || !shows(&view.y) {
            return Damage::NONE;
        }
        self.look_at(world, None, Along::BOTH, |_, _| *view)
    }

    /// Square cells, or not.
    pub(super) fn square(&mut self, world: &World) -> Damage {
        let square = !self.look.square.unwrap_or(world.square);
        self.look.square = Some(square);
        let views = self.moved(world, None, |p, v| {
            let length = (p.x.length(), p.y.length());
            if square {
                square::squared(p, v, Along::BOTH)
            } else {
                View { x: v.x.clamp(length.0, length.0), y: v.y.clamp(length.1, length.1) }
            }
        });
        Damage::LAYOUT | self.show(views, None)
    }

    /// The views before, or after.
    pub(super) fn travel(&mut self, back: bool, world: &World) -> Damage {
        let before = self.views.clone();
        while let Some(views) = if back { self.history.back(&before) } else { self.history.forward(&before) } {
            self.views = views;
            self.settle(world);
            // In a window that changed since, views that differed may have become one.
            if self.views != before {
                self.rebase(&self.views.clone());
                return Damage::VIEW;
            }
        }
        Damage::NONE
    }
}
