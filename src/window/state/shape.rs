//! The shape of cells, and views in which they are square.

use super::super::geometry::{PanelAt, WindowGeometry};
use super::history::PastView;
use super::{Damage, ViewState};
use gridscope_core::geom::{Point, PxSize};
use gridscope_core::view::{Part, View};
use gridscope_draw::layout::BodyRange;

/// The message of the move that square cells gave way to.
pub(super) const GAVE_WAY: &str = "cells are no longer square; a or Home makes them square again";

/// Effect of a move along one axis on square cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// They stay square: the other axis follows.
    Stays,
    /// They give way: the other axis stays.
    GivesWay,
}

impl Shape {
    /// Whether square cells give way to a move along these axes.
    pub(super) fn gives_way(self, along: Along) -> bool {
        self == Self::GivesWay && along != Along::BOTH
    }
}

impl ViewState {
    /// Whether cells stay square.
    pub(super) fn is_square(&self) -> bool {
        self.overrides.square == Some(true)
    }

    /// Where the state is, to return to.
    pub(super) fn place(&self) -> PastView {
        PastView { views: self.views.clone(), square: self.overrides.square, gave_way: self.gave_way }
    }

    /// Returns to a place.
    pub(super) fn take_place(&mut self, place: PastView, geometry: &WindowGeometry) -> Damage {
        let before = std::mem::replace(&mut self.views, place.views);
        let shape = std::mem::replace(&mut self.overrides.square, place.square);
        self.gave_way = place.gave_way;
        self.refit(geometry);
        Damage::VIEW.when(self.views != before) | Damage::LAYOUT.when(self.overrides.square != shape)
    }

    /// Gives up square cells for a move along one axis, which has changed views.
    pub(super) fn give_way(&mut self, geometry: &WindowGeometry) -> Damage {
        (self.overrides.square, self.gave_way) = (Some(false), true);
        Damage::LAYOUT | self.refit(geometry) | self.say(GAVE_WAY.to_owned())
    }

    /// Makes cells square again that gave way to a move; returns whether they did.
    pub(super) fn regain(&mut self) -> bool {
        let gave_way = std::mem::take(&mut self.gave_way);
        if gave_way {
            self.overrides.square = Some(true);
        }
        gave_way
    }
}

/// The axes that a move concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Along {
    pub x: bool,
    pub y: bool,
}

impl Along {
    pub(super) const BOTH: Self = Self { x: true, y: true };
}

/// Whether a body has pixels: it has none while the window is hidden.
fn has_pixels(size: PxSize) -> bool {
    size.w > 0 && size.h > 0
}

/// The view of all of a panel's data; with square cells, one axis may extend beyond the data.
pub(super) fn home(panel: &PanelAt, square: bool) -> View {
    let whole = View { x: panel.x.whole(), y: panel.y.whole() };
    let range = panel.range();
    if !square || !has_pixels(range.base) || range.whole_scale().is_some() {
        return whole;
    }
    placed(panel, &range, range.least_scale(), [(0.5, whole.x), (0.5, whole.y)])
}

/// The view with cells of this many pixels, in the body that it has then: of each part, the position at a share stays there.
fn placed(panel: &PanelAt, range: &BodyRange, scale: f64, parts: [(f64, Part); 2]) -> View {
    let lengths = range.lengths(scale);
    let part = |side: usize, whole: Part| {
        let (share, part) = parts[side];
        let Some(len) = lengths[side] else { return whole };
        let from = part.at(share) - share * len;
        Part { from, to: from + len }.clamp(whole.len(), f64::INFINITY)
    };
    View { x: part(0, panel.x.whole()), y: part(1, panel.y.whole()) }
}

/// The view with cells of this many pixels about the same middle.
pub(super) fn scaled(panel: &PanelAt, view: &View, scale: f64) -> View {
    let range = panel.range();
    if !has_pixels(range.base) {
        return *view;
    }
    placed(panel, &range, scale.min(largest(&range)), [(0.5, view.x), (0.5, view.y)])
}

/// The most pixels of a cell.
fn largest(range: &BodyRange) -> f64 {
    f64::from(range.most.w.min(range.most.h)) / Part::LEAST
}

/// The view with square cells that shows everything that is now visible along the given axes.
pub(super) fn squared(panel: &PanelAt, view: &View, along: Along) -> View {
    let range = panel.range();
    if !has_pixels(range.base) {
        return *view;
    }
    let seen = |p: &Part, length: f64| p.to.min(length) - p.from.max(0.0);
    let side = |is_along: bool, pixels: u32, part: &Part, length: f64| match is_along {
        true => f64::from(pixels) / seen(part, length),
        false => f64::INFINITY,
    };
    let x = side(along.x, range.most.w, &view.x, range.cells.0);
    let y = side(along.y, range.most.h, &view.y, range.cells.1);
    let scale = x.min(y);
    if scale <= range.least_scale() {
        return home(panel, true);
    }
    scaled(panel, view, scale)
}

/// Zooms in `factor` times about places on the axes. Square cells zoom both axes, one without a place about
/// its middle.
pub(super) fn zoomed(
    panel: &PanelAt,
    view: &View,
    at: (Option<f64>, Option<f64>),
    factor: f64,
    square: bool,
) -> View {
    let range = panel.range();
    if square && has_pixels(range.base) {
        let apart = range.scale(view).is_none();
        let view = if apart { &squared(panel, view, Along::BOTH) } else { view };
        let all = range.least_scale();
        let now = range.scale(view).unwrap_or(all);
        if now * factor <= all && now >= all {
            return home(panel, true);
        }
        // Out to at most all data, in to at least half a cell along the shorter side.
        let scale = (now * factor).max(all.min(now)).min(largest(&range).max(now));
        let share = |p: &Part, at: Option<f64>| at.map_or(0.5, |at| (at - p.from) / p.len());
        let parts = [(share(&view.x, at.0), view.x), (share(&view.y, at.1), view.y)];
        return placed(panel, &range, scale, parts);
    }
    let go = |p: &Part, at: Option<f64>, length: f64| {
        let Some(at) = at else { return *p };
        let (len, most) = (p.len(), length.max(p.len()));
        if len / factor >= length && len <= length {
            return Part::whole(length);
        }
        let factor = factor.max(len / most).min(len / Part::LEAST.min(len));
        p.zoom_about(at, factor).clamp(length, most)
    };
    View { x: go(&view.x, at.0, panel.x.length()), y: go(&view.y, at.1, panel.y.length()) }
}

/// A place of the data under a point of the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin {
    panel: usize,
    at: Point,
    along: Along,
    /// Where it lies along the axes, and how long these are.
    place: (f64, f64),
    lengths: (f64, f64),
}

/// A place on an axis of length `from`, at the same share of an axis of length `to`.
pub(super) fn carry(v: f64, from: f64, to: f64) -> f64 {
    if from == to { v } else { v / from * to }
}

impl Pin {
    /// Holds the place of a panel's view at a point, along these axes.
    pub(super) fn new(panel: usize, at: Point, along: Along, shown: &PanelAt, view: &View) -> Self {
        let share = shown.share(at);
        Self {
            panel,
            at,
            along,
            place: (view.x.at(share.0), view.y.at(share.1)),
            lengths: (shown.x.length(), shown.y.length()),
        }
    }

    /// Whether it holds the place under this point.
    pub(super) fn is_at(&self, panel: usize, at: Point, along: Along) -> bool {
        (self.panel, self.at.x, self.at.y, self.along) == (panel, at.x, at.y, along)
    }

    /// The place along the axes of a panel.
    pub(super) fn place(&self, panel: &PanelAt) -> (f64, f64) {
        (
            carry(self.place.0, self.lengths.0, panel.x.length()),
            carry(self.place.1, self.lengths.1, panel.y.length()),
        )
    }

    /// A panel's view, moved so that the place is under the point again. It may reach beyond the data.
    pub(super) fn held(&self, geometry: &WindowGeometry, panel: &PanelAt, view: &View) -> View {
        let Some(own) = geometry.panels.get(self.panel) else {
            return *view;
        };
        let (at, place) = (own.share(self.at), self.place(panel));
        let moved = |part: &Part, place: f64, at: f64| part.pan(place - part.at(at));
        View {
            x: if self.along.x { moved(&view.x, place.0, at.0) } else { view.x },
            y: if self.along.y { moved(&view.y, place.1, at.1) } else { view.y },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Command, Drag};
    use super::super::test_window::{at, geometry, run, view, zoom};
    use super::*;
    use gridscope_core::geom::PxRect;

    /// 100 x 100 cells in a body of 300 x 300 pixels, as a layout of square cells leaves it.
    fn square_window() -> (WindowGeometry, ViewState) {
        let mut w = geometry(1, 100, 100);
        w.square = true;
        w.panels[0].body.w = 300;
        let mut s = ViewState::new(&w);
        s.overrides.square = Some(true);
        s.refit(&w);
        (w, s)
    }

    /// The same window as laid out without square cells.
    fn filled(w: &WindowGeometry) -> WindowGeometry {
        let mut w = w.clone();
        w.square = false;
        w.panels[0].body = PxRect { x: 50, w: 400, ..w.panels[0].body };
        w
    }

    #[test]
    fn the_wheel_over_an_axis_zooms_that_axis_alone() {
        let (w, mut s) = square_window();
        let over_x = zoom(at(250.0, 360.0), 2.0);
        assert_eq!(run(&mut s, &w, &over_x), { Damage::VIEW | Damage::LAYOUT | Damage::OVERLAY });
        assert_eq!(
            (s.overrides.square, s.views[0], s.message.as_deref()),
            (Some(false), view((25.0, 75.0), (0.0, 100.0)), Some(GAVE_WAY))
        );
        // The body has become wider: the column under the pointer is still there.
        let w = filled(&w);
        s.refit(&w);
        s.laid_out();
        assert_eq!(s.views[0], view((25.0, 75.0), (0.0, 100.0)));
        run(&mut s, &w, &over_x);
        assert_eq!((s.views[0], s.message.as_deref()), (view((37.5, 62.5), (0.0, 100.0)), Some(GAVE_WAY)));
        run(&mut s, &w, &zoom(at(40.0, 200.0), 4.0));
        assert_eq!(s.views[0], view((37.5, 62.5), (37.5, 62.5)));
    }

    #[test]
    fn the_column_under_the_pointer_stays_there_in_another_body() {
        let (w, mut s) = square_window();
        run(&mut s, &w, &zoom(at(340.0, 360.0), 2.0));
        assert_eq!(s.views[0], view((40.0, 90.0), (0.0, 100.0)));
        let w = filled(&w);
        s.refit(&w);
        s.laid_out();
        // Column 80 was at 240 of 300 pixels from 100, and is now at 290 of 400 pixels from 50.
        let share = w.panels[0].share(at(340.0, 360.0)).0;
        assert!((s.views[0].x.at(share) - 80.0).abs() < 1e-9, "{:?}", s.views);
        // Only the move itself holds on to it.
        let mut wide = w.clone();
        wide.panels[0].body.w = 800;
        let before = s.views.clone();
        s.refit(&wide);
        assert_eq!(s.views, before);
    }

    #[test]
    fn a_zoom_of_the_body_and_a_pan_of_an_axis_leave_cells_square() {
        let (w, mut s) = square_window();
        run(&mut s, &w, &zoom(at(250.0, 200.0), 4.0));
        let by = at(30.0, 0.0);
        let pan = Command::Pan { at: at(250.0, 360.0), by, alone: false };
        run(&mut s, &w, &pan);
        assert_eq!(
            (s.overrides.square, s.views[0], s.message.as_deref()),
            (Some(true), view((35.0, 60.0), (37.5, 62.5)), None)
        );
    }

    #[test]
    fn a_double_click_on_an_axis_resets_that_axis_alone() {
        let (w, mut s) = square_window();
        let fit = Command::Fit { at: at(250.0, 360.0), alone: false };
        assert_eq!(run(&mut s, &w, &fit), Damage::NONE, "all columns are shown already");
        assert_eq!(s.overrides.square, Some(true));
        run(&mut s, &w, &zoom(at(250.0, 200.0), 2.0));
        run(&mut s, &w, &fit);
        assert_eq!((s.overrides.square, s.views[0]), (Some(false), view((0.0, 100.0), (25.0, 75.0))));
    }

    #[test]
    fn a_box_on_an_axis_is_of_that_axis_alone() {
        let (w, mut s) = square_window();
        let mut boxed = |from, to| {
            let drag = Drag::Box;
            run(&mut s, &w, &Command::Begin { drag, at: from, alone: false });
            run(&mut s, &w, &Command::End(to));
            (s.overrides.square, s.views[0])
        };
        assert_eq!(
            boxed(at(160.0, 360.0), at(220.0, 370.0)),
            (Some(false), view((20.0, 40.0), (0.0, 100.0)))
        );
    }

    #[test]
    fn all_data_and_going_back_make_cells_square_again() {
        for command in [Command::Do(Action::Home), Command::Do(Action::Back), Command::Do(Action::Square)] {
            let (w, mut s) = square_window();
            run(&mut s, &w, &zoom(at(250.0, 360.0), 2.0));
            let wide = filled(&w);
            s.refit(&wide);
            let damage = run(&mut s, &wide, &command);
            assert!(damage.layout && s.overrides.square == Some(true), "{command:?}");
            s.refit(&w);
            if command != Command::Do(Action::Square) {
                assert_eq!(s.views[0], View::whole(100.0, 100.0), "{command:?}");
            }
        }
        // Cells that a person unlocked stay so.
        let (w, mut s) = square_window();
        run(&mut s, &w, &Command::Do(Action::Square));
        run(&mut s, &w, &zoom(at(250.0, 360.0), 2.0));
        run(&mut s, &w, &Command::Do(Action::Home));
        assert_eq!(s.overrides.square, Some(false));
    }

    #[test]
    fn forward_gives_way_again_and_a_drag_that_is_given_up_does_not() {
        let (w, mut s) = square_window();
        let over_x = zoom(at(250.0, 360.0), 2.0);
        run(&mut s, &w, &over_x);
        run(&mut s, &w, &Command::Do(Action::Back));
        run(&mut s, &w, &Command::Do(Action::Forward));
        assert_eq!((s.overrides.square, s.views[0]), (Some(false), view((25.0, 75.0), (0.0, 100.0))));
        let (w, mut s) = square_window();
        let drag = Drag::Pan;
        run(&mut s, &w, &Command::Begin { drag, at: at(250.0, 360.0), alone: false });
        run(&mut s, &w, &over_x);
        run(&mut s, &w, &Command::Do(Action::Cancel));
        assert_eq!((s.overrides.square, s.views[0]), (Some(true), View::whole(100.0, 100.0)));
    }

    #[test]
    fn all_data_are_centred() {
        // 400 x 300 pixels.
        let w = geometry(1, 10, 20);
        assert_eq!(home(&w.panels[0], false), view((0.0, 20.0), (0.0, 10.0)));
        assert_eq!(home(&w.panels[0], true), view((0.0, 20.0), (-2.5, 12.5)));
        assert_eq!(home(&geometry(1, 30, 20).panels[0], true), view((-10.0, 30.0), (0.0, 30.0)));
        assert_eq!(home(&geometry(1, 300, 401).panels[0], true), view((0.0, 401.0), (0.0, 300.0)));
    }

    #[test]
    fn squaring_loses_nothing_that_is_seen() {
        let w = geometry(1, 100, 100);
        let p = &w.panels[0];
        assert_eq!(
            squared(p, &view((40.0, 48.0), (20.0, 50.0)), Along::BOTH),
            view((24.0, 64.0), (20.0, 50.0))
        );
        assert_eq!(squared(p, &view((0.0, 8.0), (20.0, 50.0)), Along::BOTH), view((0.0, 40.0), (20.0, 50.0)));
        assert_eq!(
            squared(p, &view((40.0, 48.0), (20.0, 50.0)), Along { x: true, y: false }),
            view((40.0, 48.0), (32.0, 38.0))
        );
        let scale = |v| p.range().scale(&v);
        assert_eq!(
            (scale(view((24.0, 64.0), (20.0, 50.0))), scale(view((0.0, 64.0), (20.0, 50.0)))),
            (Some(10.0), None)
        );
    }

    #[test]
    fn zooms_end_at_all_of_the_data_and_at_half_a_cell() {
        let w = geometry(1, 100, 100);
        let p = &w.panels[0];
        let far = |v: View, f, square| zoomed(p, &v, (Some(30.0), Some(30.0)), f, square);
        assert_eq!(far(view((10.0, 50.0), (15.0, 45.0)), 1e-300, true), home(p, true));
        assert_eq!(far(view((10.0, 50.0), (15.0, 45.0)), 1e-300, false), home(p, false));
        let near = far(view((10.0, 50.0), (15.0, 45.0)), 1e300, true);
        assert!(
            (near.y.len() - 0.5).abs() < 1e-12
                && (near.x.len() - 2.0 / 3.0).abs() < 1e-12
                && near.x.at(0.5) == 30.0,
            "{near:?}"
        );
    }

    #[test]
    fn a_zoomed_body_takes_the_free_room_and_gives_it_back() {
        let mut w = geometry(1, 100, 50);
        let sides = |w, h| PxSize { w, h };
        let p = &mut w.panels[0];
        (p.body.w, p.body.h) = (300, 600);
        p.range = Some(BodyRange { base: sides(300, 600), most: sides(1000, 600), cells: (50.0, 100.0) });
        let p = &w.panels[0];
        let (mut v, all) = (home(p, true), view((0.0, 50.0), (0.0, 100.0)));
        assert_eq!(v, all);
        v = zoomed(p, &v, (Some(25.0), Some(25.0)), 2.0, true);
        assert_eq!(v, view((0.0, 50.0), (12.5, 62.5)));
        v = zoomed(p, &v, (Some(25.0), Some(37.5)), 2.0, true);
        // 24 pixels a cell: 1000 pixels show 41.67 columns, 600 show 25 rows.
        assert_eq!(p.range().body_of(&v), sides(1000, 600));
        assert!((v.x.len() - 1000.0 / 24.0).abs() < 1e-9 && v.y == Part { from: 25.0, to: 50.0 }, "{v:?}");
        assert_eq!(zoomed(p, &v, (Some(25.0), Some(37.5)), 0.25, true), all);
        // The smallest steps move, too.
        let mut near = all;
        for _ in 0..1000 {
            near = zoomed(p, &near, (Some(25.0), Some(25.0)), 1.0001, true);
        }
        assert!((near.y.len() - 100.0 / 1.0001f64.powi(1000)).abs() < 1e-6, "{near:?}");
        assert_eq!(
            squared(p, &view((10.0, 20.0), (10.0, 20.0)), Along::BOTH).y,
            Part { from: 10.0, to: 20.0 }
        );
        assert_eq!(squared(p, &all, Along::BOTH), all);
    }
}
