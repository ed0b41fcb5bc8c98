//! Boxes drawn over a body, which become the view.

use super::super::world::World;
use super::moves::carry;
use super::square::Along;
use super::{Damage, State};
use crate::geom::{Point, PxRect};
use crate::view::{Part, View};

/// A box less wide and high than this many logical pixels is none.
const LEAST: f64 = 4.0;

/// The point of a body nearest to another.
fn inside(body: &PxRect, at: Point) -> Point {
    let r = body.rect();
    Point { x: at.x.clamp(r.x, r.right()), y: at.y.clamp(r.y, r.bottom()) }
}

/// The corners of a box in a body; over an axis it is as deep as the body.
pub(super) fn corners(body: &PxRect, along: Along, from: Point, to: Point) -> (Point, Point) {
    let (a, b, r) = (inside(body, from), inside(body, to), body.rect());
    let (ax, bx) = if along.x { (a.x, b.x) } else { (r.x, r.right()) };
    let (ay, by) = if along.y { (a.y, b.y) } else { (r.y, r.bottom()) };
    (Point { x: ax, y: ay }, Point { x: bx, y: by })
}

impl State {
    /// A box becomes the view, along the directions in which it is large enough.
    pub(super) fn show_box(&mut self, at: (usize, Along), alone: bool, (a, b): (Point, Point), world: &World) -> Damage {
        let (i, along) = at;
        let (Some(panel), Some(view)) = (world.panels.get(i), self.views.get(i).copied()) else { return Damage::NONE };
        let least = LEAST * world.unit.max(0.25);
        let along = Along { x: along.x && (b.x - a.x).abs() >= least, y: along.y && (b.y - a.y).abs() >= least };
        if !along.x && !along.y {
            return Damage::NONE;
        }
        let (a, b) = (panel.share(a), panel.share(b));
        let part = |p: &Part, a: f64, b: f64| Part { from: p.at(a.min(b)), to: p.at(a.max(b)) };
        let (x, y) = (part(&view.x, a.0, b.0), part(&view.y, a.1, b.1));
        let over = |p: &Part, from: f64, to: f64| Part { from: carry(p.from, from, to), to: carry(p.to, from, to) };
        self.look_at(world, alone.then_some(i), along, |p, _| View {
            x: over(&x, panel.x.length(), p.x.length()),
            y: over(&y, panel.y.length(), p.y.length()),
        })
    }
}
