//! Zoom boxes.

use super::super::geometry::WindowGeometry;
use super::shape::Shape;
use super::square::Along;
use super::{Damage, ViewState};
use gridscope_core::geom::{Point, PxRect};
use gridscope_core::view::{Part, View};

/// A side of a box is ignored below this many logical pixels.
const LEAST: f64 = 4.0;

/// The point of a body nearest to a point.
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

impl ViewState {
    /// Shows the part within a box, along the directions in which it is large enough.
    pub(super) fn show_box(
        &mut self,
        at: (usize, Along),
        alone: bool,
        (a, b): (Point, Point),
        geometry: &WindowGeometry,
    ) -> Damage {
        let (i, along) = at;
        // A box on an axis is of that axis alone; a flat one in a body is of both where cells are square.
        let shape = if along == Along::BOTH { Shape::Stays } else { Shape::GivesWay };
        let (Some(panel), Some(view)) = (geometry.panels.get(i), self.views.get(i).copied()) else {
            return Damage::NONE;
        };
        let least = LEAST * geometry.logical_pixel();
        let along =
            Along { x: along.x && (b.x - a.x).abs() >= least, y: along.y && (b.y - a.y).abs() >= least };
        if !along.x && !along.y {
            return Damage::NONE;
        }
        let (a, b) = (panel.share(a), panel.share(b));
        let part = |p: &Part, a: f64, b: f64| Part { from: p.at(a.min(b)), to: p.at(a.max(b)) };
        let shown = View { x: part(&view.x, a.0, b.0), y: part(&view.y, a.1, b.1) };
        self.look_alike(i, alone, &shown, (along, shape), geometry)
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Command, Drag};
    use super::super::test_window::{at, geometry, view};
    use super::*;

    /// A box from one corner to the other.
    fn drawn(s: &mut ViewState, w: &WindowGeometry, from: (f64, f64), to: (f64, f64), alone: bool) -> Damage {
        s.apply(&Command::Begin { drag: Drag::Box, at: at(from.0, from.1), alone }, w);
        s.apply(&Command::Move(at(to.0, to.1)), w);
        s.apply(&Command::End(at(to.0, to.1)), w).damage
    }

    #[test]
    fn a_box_becomes_the_view() {
        let w = geometry(2, 30, 40);
        let mut s = ViewState::new(&w);
        assert_eq!(drawn(&mut s, &w, (300.0, 250.0), (200.0, 150.0), false), Damage::VIEW | Damage::OVERLAY);
        assert_eq!(
            (s.views[0], s.views[1], s.rubber),
            (view((10.0, 20.0), (10.0, 20.0)), view((10.0, 20.0), (10.0, 20.0)), None)
        );
        drawn(&mut s, &w, (100.0, 50.0), (102.0, 200.0), true);
        assert_eq!(s.views[0], view((10.0, 20.0), (10.0, 15.0)));
        assert_eq!(s.views[1], view((10.0, 20.0), (10.0, 20.0)));
        assert_eq!(drawn(&mut s, &w, (100.0, 150.0), (103.9, 153.9), false), Damage::OVERLAY);
        s.apply(&Command::Do(Action::Back), &w);
        assert_eq!(s.views[0], view((10.0, 20.0), (10.0, 20.0)));
    }

    #[test]
    fn the_box_stays_in_its_body_and_can_be_given_up() {
        let w = geometry(1, 30, 40);
        let mut s = ViewState::new(&w);
        s.apply(&Command::Begin { drag: Drag::Box, at: at(200.0, 150.0), alone: false }, &w);
        assert_eq!(s.rubber, Some((at(200.0, 150.0), at(200.0, 150.0))));
        assert_eq!(s.apply(&Command::Move(at(1e9, -5.0)), &w).damage, Damage::OVERLAY);
        assert_eq!(s.rubber, Some((at(200.0, 150.0), at(500.0, 50.0))));
        assert_eq!(s.apply(&Command::Do(Action::Cancel), &w).damage, Damage::OVERLAY);
        assert_eq!((s.rubber, s.is_dragging()), (None, false));
        assert_eq!(s.apply(&Command::End(at(1e9, -5.0)), &w).damage, Damage::NONE);
        assert_eq!(s.views[0], View::whole(40.0, 30.0));
    }

    #[test]
    fn on_an_axis_it_is_a_stretch() {
        let mut w = geometry(1, 30, 40);
        w.panels[0].lower = true;
        let mut s = ViewState::new(&w);
        s.apply(&Command::Begin { drag: Drag::Box, at: at(90.0, 50.0), alone: false }, &w);
        s.apply(&Command::Move(at(300.0, 125.0)), &w);
        assert_eq!(s.rubber, Some((at(100.0, 50.0), at(500.0, 125.0))));
        s.apply(&Command::End(at(300.0, 125.0)), &w);
        assert_eq!(s.views[0], view((0.0, 40.0), (22.5, 30.0)));
        drawn(&mut s, &w, (150.0, 360.0), (200.0, 90.0), false);
        assert_eq!(s.views[0], view((5.0, 10.0), (22.5, 30.0)));
    }

    #[test]
    fn with_square_cells_all_of_the_box_is_seen() {
        let w = geometry(1, 100, 100);
        let mut s = ViewState::new(&w);
        s.apply(&Command::Do(Action::Square), &w);
        // 3 pixels a cell: 60 x 30 pixels are 20 x 10 cells about the middle of the body.
        drawn(&mut s, &w, (270.0, 185.0), (330.0, 215.0), false);
        let v = s.views[0];
        assert!(
            [v.x.from - 40.0, v.x.to - 60.0, v.y.from - 42.5, v.y.to - 57.5].iter().all(|d| d.abs() < 1e-9),
            "{v:?}"
        );
    }
}
