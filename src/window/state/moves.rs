//! Moves of the views: zoom, pan, steps, boxes, and the minimap.

use super::super::geometry::{Hit, PanelAt, WindowGeometry};
use super::command::Reach;
use super::history::MoveKind;
use super::shape::{Along, Pin, Shape, carry};
use super::{Damage, ViewState, shape};
use gridscope_core::geom::{Point, PxRect};
use gridscope_core::view::{Part, View};

/// A command pans by at most this many pixels, so that sums stay finite.
const FARTHEST: f64 = 1e9;

/// Whether a number is a valid zoom factor.
fn is_factor(factor: f64) -> bool {
    factor.is_finite() && factor > 0.0
}

/// The panel that was hit, and the axes that a move there concerns.
pub(super) fn axes(hit: Hit) -> Option<(usize, Along)> {
    match hit {
        Hit::Body(p) | Hit::Divider(p) => Some((p, Along::BOTH)),
        Hit::XAxis(p) => Some((p, Along { x: true, y: false })),
        Hit::YAxis(p) => Some((p, Along { x: false, y: true })),
        Hit::Bar(_)
        | Hit::Distribution(_)
        | Hit::Thumbnail(_)
        | Hit::Strip
        | Hit::Slider(_)
        | Hit::Title(_)
        | Hit::Tool(_)
        | Hit::Entry(_)
        | Hit::Minimap(_)
        | Hit::Elsewhere => None,
    }
}

/// The view within a panel's axes; a part that is longer than its axis already may stay so.
pub(super) fn clamped(panel: &PanelAt, view: &View) -> View {
    let clamp = |p: &Part, length: f64| p.clamp(length, p.len().max(length));
    View { x: clamp(&view.x, panel.x.length()), y: clamp(&view.y, panel.y.length()) }
}

/// The view of data alone: nothing beyond the ends of the axes.
pub(super) fn within_data(panel: &PanelAt, view: &View) -> View {
    let clamp = |part: &Part, length: f64| part.clamp(length, length);
    View { x: clamp(&view.x, panel.x.length()), y: clamp(&view.y, panel.y.length()) }
}

/// Whether two views look the same: no end differs by as much as a billionth of its part.
pub(super) fn alike(a: &View, b: &View) -> bool {
    let near = |a: &Part, b: &Part| (a.from - b.from).abs().max((a.to - b.to).abs()) <= 1e-9 * a.len();
    near(&a.x, &b.x) && near(&a.y, &b.y)
}

impl ViewState {
    /// The views after a move of all panels, or of one alone.
    pub(super) fn moved(
        &self,
        geometry: &WindowGeometry,
        one: Option<usize>,
        f: impl Fn(&PanelAt, &View) -> View,
    ) -> Vec<View> {
        let each = self.views.iter().zip(&geometry.panels).enumerate();
        each.map(|(i, (v, p))| if one.is_none_or(|one| one == i) { f(p, v) } else { *v }).collect()
    }

    /// Shows other views. Moves of one run add one entry to the history.
    pub(super) fn show(&mut self, mut views: Vec<View>, run: Option<MoveKind>) -> Damage {
        for (new, old) in views.iter_mut().zip(&self.views).filter(|(a, b)| alike(a, b)) {
            *new = *old;
        }
        if views == self.views {
            return Damage::NONE;
        }
        // A drag adds its entry when it ends.
        if !self.rebase(&views) {
            self.history.leave(self.place(), run);
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
        if let Hit::Bar(b) | Hit::Distribution(b) = hit {
            return self.zoom_limits(b, at, factor, geometry);
        }
        let Some((i, along)) = axes(hit) else {
            return Damage::NONE;
        };
        let (panel, view) = (&geometry.panels[i], self.views[i]);
        // Until the next frame, the view may be one for another body than the one under the pointer.
        let held = self.pin.filter(|pin| pin.is_at(i, at, along));
        let pin = held.unwrap_or_else(|| Pin::new(i, at, along, panel, &view));
        let (x, y) = pin.place(panel);
        // Of one axis alone, the other stays: cells are square no longer.
        let gives_way = self.is_square() && along != Along::BOTH;
        let square = self.is_square() && !gives_way;
        let views = self.moved(geometry, alone.then_some(i), |p, v| {
            let v = &if gives_way { within_data(p, v) } else { *v };
            let x = along.x.then(|| carry(x, panel.x.length(), p.x.length()));
            let y = along.y.then(|| carry(y, panel.y.length(), p.y.length()));
            shape::zoomed(p, v, (x, y), factor, square)
        });
        let mut damage = self.show(views, Some(MoveKind::Zoom));
        if gives_way && damage.any() {
            damage |= self.give_way(geometry);
        }
        if damage.any() {
            self.pin = Some(pin);
        }
        damage
    }

    /// Moves the content under a point by this many pixels.
    pub(super) fn pan(&mut self, at: Point, by: Point, alone: bool, geometry: &WindowGeometry) -> Damage {
        if !at.is_finite() || !by.is_finite() {
            return Damage::NONE;
        }
        let hit = geometry.hit(at);
        match hit {
            Hit::Bar(b) => return self.shift_limits(b, by, geometry),
            Hit::Thumbnail(_) | Hit::Strip => return self.scroll_strip(by, geometry),
            _ => {}
        }
        let Some((i, along)) = axes(hit) else {
            return Damage::NONE;
        };
        let views = self.panned(&self.views, (i, along), by, alone, geometry);
        self.show(views, Some(MoveKind::Pan))
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
        let x = if along.x { -cells(by.x, panel.body.w, &view.x) } else { 0.0 };
        let y = if along.y { cells(by.y, panel.body.h, &view.y) } else { 0.0 };
        let x = if panel.leftward { -x } else { x };
        let y = if panel.lower { y } else { -y };
        let go = |(j, (v, p)): (usize, (&View, &PanelAt))| {
            if alone && j != i {
                return *v;
            }
            let (x, y) = (carry(x, panel.x.length(), p.x.length()), carry(y, panel.y.length(), p.y.length()));
            clamped(p, &View { x: v.x.pan(x), y: v.y.pan(y) })
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
        let views = self.moved(geometry, self.one_by_key(geometry), |p, v| {
            let right = if p.leftward { -f64::from(right) } else { f64::from(right) };
            let down = if p.lower { -f64::from(down) } else { f64::from(down) };
            clamped(p, &View { x: go(&v.x, right, p.x.length()), y: go(&v.y, down, p.y.length()) })
        });
        self.show(views, Some(MoveKind::Step).filter(|_| reach != Reach::Edge))
    }

    /// Zooms in `factor` times about the middle of each panel.
    pub(super) fn nearer(&mut self, factor: f64, geometry: &WindowGeometry) -> Damage {
        if !is_factor(factor) {
            return Damage::NONE;
        }
        let square = self.is_square();
        let views = self.moved(geometry, self.one_by_key(geometry), |p, v| {
            shape::zoomed(p, v, (Some(v.x.at(0.5)), Some(v.y.at(0.5))), factor, square)
        });
        self.show(views, Some(MoveKind::Nearer))
    }
}

impl ViewState {
    /// Moves the middle of the view to a place of the minimap of a panel; beside it, to its nearest place.
    pub(super) fn go_there(
        &mut self,
        panel: usize,
        alone: bool,
        at: Point,
        geometry: &WindowGeometry,
    ) -> Damage {
        let Some((shown, map)) = geometry.minimap.map(|(i, r)| (i, r.rect())) else {
            return Damage::NONE;
        };
        let Some(own) = geometry.panels.get(panel).filter(|_| shown == panel && map.w > 0.0 && map.h > 0.0)
        else {
            return Damage::NONE;
        };
        let share = |v: f64, from: f64, size: f64, reversed: bool| {
            let share = ((v - from) / size).clamp(0.0, 1.0);
            if reversed { 1.0 - share } else { share }
        };
        let x = share(at.x, map.x, map.w, own.leftward) * own.x.length();
        let y = share(at.y, map.y, map.h, own.lower) * own.y.length();
        let views = self.moved(geometry, alone.then_some(panel), |p, v| {
            let (x, y) = (carry(x, own.x.length(), p.x.length()), carry(y, own.y.length(), p.y.length()));
            let there = View { x: v.x.pan(x - v.x.at(0.5)), y: v.y.pan(y - v.y.at(0.5)) };
            clamped(p, &there)
        });
        let changed = views != self.views && views.len() == self.views.len();
        if changed {
            self.views = views;
        }
        Damage::VIEW.when(changed)
    }
}

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
        self.look_alike(i, alone, &shown, along, shape, geometry)
    }
}

#[cfg(test)]
mod overview_tests {
    use super::super::action::Action;
    use super::super::command::{Command, Drag};
    use super::super::test_window::{at, geometry, view};
    use super::*;

    #[test]
    fn the_view_goes_where_the_minimap_is_pressed() {
        let mut w = geometry(2, 30, 40);
        let map = PxRect { x: 400, y: 250, w: 80, h: 60 };
        w.minimap = Some((0, map));
        let mut s = ViewState::new(&w);
        s.apply(&Command::Show(view((0.0, 10.0), (0.0, 10.0))), &w);
        let begin = |x, y| Command::Begin { drag: Drag::Overview, at: at(x, y), alone: false };
        // The middle of all data, in all panels.
        s.apply(&begin(440.0, 280.0), &w);
        assert_eq!(s.views, [view((15.0, 25.0), (10.0, 20.0)); 2]);
        s.apply(&Command::Move(at(9999.0, 280.0)), &w);
        assert_eq!(s.views[0], view((30.0, 40.0), (10.0, 20.0)));
        s.apply(&Command::End(at(440.0, 265.0)), &w);
        assert_eq!(s.views[1], view((15.0, 25.0), (2.5, 12.5)));
        // One drag is one entry of the history.
        s.apply(&Command::Do(Action::Back), &w);
        assert_eq!(s.views[0], view((0.0, 10.0), (0.0, 10.0)));
        // Esc gives the drag up.
        s.apply(&begin(440.0, 280.0), &w);
        s.apply(&Command::Do(Action::Cancel), &w);
        assert_eq!(s.views[0], view((0.0, 10.0), (0.0, 10.0)));
        // Rows from below run upwards in the minimap, too.
        w.panels.iter_mut().for_each(|p| (p.lower, p.leftward) = (true, true));
        s.apply(&begin(401.0, 251.0), &w);
        assert_eq!(s.views[0], view((30.0, 40.0), (20.0, 30.0)));
        w.minimap = None;
        assert_eq!(s.go_there(0, false, at(1.0, 1.0), &w), Damage::NONE);
    }

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

#[cfg(test)]
mod tests;
