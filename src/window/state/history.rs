//! The history of views, and jumps: all data, a fit, one cell per pixel, back and forward.

use super::super::geometry::{Hit, PanelAt, WindowGeometry};
use super::moves::{axes, within_data};
use super::shape::{Along, Shape, carry};
use super::{Damage, ViewState, shape};
use gridscope_core::geom::Point;
use gridscope_core::view::{Part, View};

/// The most entries.
const MOST: usize = 200;

/// Moves of the same kind in a row make one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveKind {
    Zoom,
    Pan,
    Step,
    Nearer,
}

/// View that going back returns to.
#[derive(Clone, Debug, Default)]
pub(super) struct PastView {
    pub views: Vec<View>,
    /// Square cells, as in the overrides.
    pub square: Option<bool>,
    /// They gave way to a move along one axis.
    pub gave_way: bool,
}

impl PartialEq for PastView {
    /// Whether they look the same.
    fn eq(&self, other: &Self) -> bool {
        (&self.views, self.square) == (&other.views, other.square)
    }
}

/// The places before and after the present one, as in a browser.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    past: Vec<PastView>,
    future: Vec<PastView>,
    run: Option<MoveKind>,
}

impl History {
    /// Adds the place before a move, and drops the entries after it.
    pub(super) fn leave(&mut self, place: PastView, run: Option<MoveKind>) {
        if run.is_some() && self.run == run {
            return;
        }
        self.run = run;
        self.future.clear();
        self.past.push(place);
        if self.past.len() > MOST {
            self.past.remove(0);
        }
    }

    /// The next move makes an entry of its own.
    pub(super) fn rest(&mut self) {
        self.run = None;
    }

    /// Whether there is a place to go back to, or forward to.
    fn leads(&self, back: bool, now: &PastView) -> bool {
        let list = if back { &self.past } else { &self.future };
        list.iter().any(|place| place != now)
    }

    /// Goes back from the present place.
    pub(super) fn back(&mut self, now: &PastView) -> Option<PastView> {
        self.run = None;
        step(&mut self.past, &mut self.future, now)
    }

    /// Goes forward from the present place.
    pub(super) fn forward(&mut self, now: &PastView) -> Option<PastView> {
        self.run = None;
        step(&mut self.future, &mut self.past, now)
    }
}

/// Takes the last entry that differs from the present place, which is added to the other side.
fn step(from: &mut Vec<PastView>, to: &mut Vec<PastView>, now: &PastView) -> Option<PastView> {
    let last = from.iter().rposition(|place| place != now)?;
    from.truncate(last + 1);
    let found = from.pop()?;
    to.push(now.clone());
    Some(found)
}

impl ViewState {
    /// Shows all data, in every panel or in one.
    pub(super) fn home(&mut self, one: Option<usize>, geometry: &WindowGeometry) -> Damage {
        let before = self.place();
        let regains = one.is_none() && self.regain();
        let square = self.is_square();
        let views = self.moved(geometry, one, |p, _| shape::home(p, square));
        if regains {
            return self.change_shape(before, views, geometry);
        }
        self.show(views, None)
    }

    /// Applies a double click.
    pub(super) fn fit(&mut self, at: Point, alone: bool, geometry: &WindowGeometry) -> Damage {
        let hit = geometry.hit(at);
        match hit {
            Hit::Bar(b) => return self.auto_limits(b),
            Hit::Distribution(b) => {
                let over = geometry.distribution.as_ref();
                return if over.is_some_and(|d| d.is_track(at)) {
                    self.hide(b, [None; 2], geometry)
                } else {
                    self.auto_limits(b)
                };
            }
            Hit::Title(_) if self.large.is_some() => return self.show_panel(None, geometry),
            Hit::Title(panel) => return self.show_panel(Some(panel), geometry),
            _ => {}
        }
        let Some((i, along)) = axes(hit) else {
            return Damage::NONE;
        };
        let one = alone.then_some(i);
        if along == Along::BOTH {
            return self.home(one, geometry);
        }
        self.look_at(geometry, one, along, Shape::GivesWay, |p, v| {
            let x = if along.x { p.x.whole() } else { v.x };
            View { x, y: if along.y { p.y.whole() } else { v.y } }
        })
    }

    /// Shows parts along the given axes; where square cells stay so, the other axis follows about its middle.
    pub(super) fn look_at(
        &mut self,
        geometry: &WindowGeometry,
        one: Option<usize>,
        along: Along,
        shape: Shape,
        f: impl Fn(&PanelAt, &View) -> View,
    ) -> Damage {
        let gives_way = self.is_square() && shape.gives_way(along);
        let square = self.is_square() && !gives_way;
        let views = self.moved(geometry, one, |p, v| {
            let v = &if gives_way { within_data(p, v) } else { *v };
            let new = f(p, v);
            let on = |part: &Part, length: f64| part.clamp(length, length);
            let new = View {
                x: if along.x { on(&new.x, p.x.length()) } else { v.x },
                y: if along.y { on(&new.y, p.y.length()) } else { v.y },
            };
            if square { shape::squared(p, &new, along) } else { new }
        });
        let mut damage = self.show(views, None);
        if gives_way && damage.any() {
            damage |= self.give_way(geometry);
        }
        damage
    }

    /// Shows parts of a panel, and the same shares of all other panels, or of that panel alone.
    pub(super) fn look_alike(
        &mut self,
        panel: usize,
        alone: bool,
        shown: &View,
        along: Along,
        shape: Shape,
        geometry: &WindowGeometry,
    ) -> Damage {
        let at = &geometry.panels[panel];
        let over =
            |p: &Part, from: f64, to: f64| Part { from: carry(p.from, from, to), to: carry(p.to, from, to) };
        self.look_at(geometry, self.is_alone(alone).then_some(panel), along, shape, |p, _| View {
            x: over(&shown.x, at.x.length(), p.x.length()),
            y: over(&shown.y, at.y.length(), p.y.length()),
        })
    }

    /// One cell per pixel about the middle.
    pub(super) fn actual(&mut self, geometry: &WindowGeometry) -> Damage {
        let views = self.moved(geometry, self.one_by_key(geometry), |p, v| shape::scaled(p, v, 1.0));
        self.show(views, None)
    }

    /// Shows this view in every panel.
    pub(super) fn exactly(&mut self, view: &View, geometry: &WindowGeometry) -> Damage {
        if !view.is_valid() {
            return Damage::NONE;
        }
        self.look_at(geometry, None, Along::BOTH, Shape::Stays, |_, _| *view)
    }

    /// Toggles square cells.
    pub(super) fn square(&mut self, geometry: &WindowGeometry) -> Damage {
        let before = self.place();
        let square = !self.overrides.square.unwrap_or(geometry.square);
        (self.overrides.square, self.gave_way) = (Some(square), false);
        let views = self.moved(geometry, None, |p, v| {
            if square { shape::squared(p, v, Along::BOTH) } else { within_data(p, v) }
        });
        self.change_shape(before, views, geometry)
    }

    /// Shows views of cells that became square or are no longer; the place before is one to go back to.
    fn change_shape(&mut self, before: PastView, views: Vec<View>, geometry: &WindowGeometry) -> Damage {
        if !self.rebase(&views) {
            self.history.leave(before, None);
        }
        let changed = views != self.views;
        self.views = views;
        Damage::LAYOUT | Damage::VIEW.when(changed) | self.refit(geometry)
    }

    /// Whether there are previous or next views to go to.
    pub(super) fn can_travel(&self, back: bool) -> bool {
        self.history.leads(back, &self.place())
    }

    /// Goes to the previous or the next views.
    pub(super) fn travel(&mut self, back: bool, geometry: &WindowGeometry) -> Damage {
        let before = self.place();
        while let Some(place) = if back { self.history.back(&before) } else { self.history.forward(&before) }
        {
            let damage = self.take_place(place, geometry);
            // If the window has changed since, views that differed may now be the same.
            if damage.any() {
                self.rebase(&self.views.clone());
                return damage;
            }
        }
        Damage::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(i: usize) -> PastView {
        PastView { views: vec![View::whole(i as f64 + 1.0, 1.0)], ..PastView::default() }
    }

    #[test]
    fn back_and_forward_are_a_browsers() {
        let mut h = History::default();
        assert_eq!(h.back(&at(0)), None);
        h.leave(at(0), None);
        assert!(h.leads(true, &at(1)) && !h.leads(true, &at(0)) && !h.leads(false, &at(1)));
        h.leave(at(1), None);
        assert_eq!((h.back(&at(2)), h.back(&at(1)), h.back(&at(0))), (Some(at(1)), Some(at(0)), None));
        assert_eq!(
            (h.forward(&at(0)), h.forward(&at(1)), h.forward(&at(2))),
            (Some(at(1)), Some(at(2)), None)
        );
        h.back(&at(2));
        h.leave(at(1), None);
        assert_eq!((h.forward(&at(5)), h.back(&at(5))), (None, Some(at(1))));
    }

    #[test]
    fn a_run_is_one_entry_and_there_are_at_most_200() {
        let mut h = History::default();
        h.leave(at(0), Some(MoveKind::Zoom));
        h.leave(at(1), Some(MoveKind::Zoom));
        h.leave(at(2), Some(MoveKind::Pan));
        h.rest();
        h.leave(at(3), Some(MoveKind::Pan));
        assert_eq!(
            (h.back(&at(4)), h.back(&at(3)), h.back(&at(2)), h.back(&at(0))),
            (Some(at(3)), Some(at(2)), Some(at(0)), None)
        );
        (0..500).for_each(|i| h.leave(at(i), None));
        let mut now = at(500);
        let mut steps = 0;
        while let Some(v) = h.back(&now) {
            (now, steps) = (v, steps + 1);
        }
        assert_eq!((steps, now), (200, at(300)));
    }

    #[test]
    fn views_like_the_present_one_are_skipped() {
        let mut h = History::default();
        h.leave(at(0), None);
        h.leave(at(1), None);
        assert_eq!(h.back(&at(1)), Some(at(0)));
    }
}

#[cfg(test)]
mod jumps_tests {
    use super::super::action::Action;
    use super::super::command::{Command, Reach};
    use super::super::test_window::{at, geometry, run, view, zoom};
    use super::*;

    #[test]
    fn home_fit_and_a_cell_a_pixel() {
        let w = geometry(2, 1000, 1000);
        let mut s = ViewState::new(&w);
        let whole = View::whole(1000.0, 1000.0);
        run(&mut s, &w, &Command::Do(Action::Actual));
        assert_eq!(s.views[0], view((300.0, 700.0), (350.0, 650.0)));
        run(&mut s, &w, &Command::Nearer(2.0));
        assert_eq!(s.views[1], view((400.0, 600.0), (425.0, 575.0)));
        run(&mut s, &w, &Command::Fit { at: at(200.0, 360.0), alone: true });
        assert_eq!(s.views, [view((0.0, 1000.0), (425.0, 575.0)), view((400.0, 600.0), (425.0, 575.0))]);
        run(&mut s, &w, &Command::Fit { at: at(200.0, 200.0), alone: false });
        assert_eq!((s.views[0], s.views[1]), (whole, whole));
        assert_eq!(run(&mut s, &w, &Command::Do(Action::Home)), Damage::NONE);
        // A grid smaller than its body is centred, and zooming out ends there.
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Do(Action::Actual));
        assert_eq!(s.views[0], view((-195.0, 205.0), (-145.0, 155.0)));
        assert_eq!(run(&mut s, &w, &Command::Nearer(0.5)), Damage::NONE);
        assert_eq!(run(&mut s, &w, &Command::Step { right: 1, down: 1, reach: Reach::Page }), Damage::NONE);
        run(&mut s, &w, &Command::Show(view((-5.0, 50.0), (4.0, 6.0))));
        assert_eq!(s.views[0], view((0.0, 10.0), (4.0, 6.0)));
        assert_eq!(run(&mut s, &w, &Command::Show(view((f64::NAN, 5.0), (4.0, 6.0)))), Damage::NONE);
    }

    #[test]
    fn square_cells_stay_square() {
        let w = geometry(1, 100, 100);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Show(view((40.0, 48.0), (20.0, 50.0))));
        assert_eq!(run(&mut s, &w, &Command::Do(Action::Square)), Damage::LAYOUT | Damage::VIEW);
        assert_eq!((s.overrides.square, s.views[0]), (Some(true), view((24.0, 64.0), (20.0, 50.0))));
        run(&mut s, &w, &zoom(at(200.0, 125.0), 2.0));
        assert_eq!(s.views[0], view((29.0, 49.0), (23.75, 38.75)));
        run(&mut s, &w, &Command::Do(Action::Home));
        let home = s.views[0];
        assert!((home.x.len() - 400.0 / 3.0).abs() < 1e-9 && home.y == Part::whole(100.0), "{home:?}");
        assert_eq!(run(&mut s, &w, &Command::Nearer(0.5)), Damage::NONE);
        run(&mut s, &w, &Command::Do(Action::Square));
        assert_eq!((s.overrides.square, s.views[0]), (Some(false), View::whole(100.0, 100.0)));
        // A layout with square cells is left by the first press.
        let w = WindowGeometry { square: true, ..w };
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Do(Action::Square));
        assert_eq!(s.overrides.square, Some(false));
    }

    #[test]
    fn back_goes_over_runs_of_one_kind() {
        let w = geometry(1, 30, 40);
        let mut s = ViewState::new(&w);
        let views = |s: &ViewState| s.views[0];
        let home = views(&s);
        for _ in 0..5 {
            run(&mut s, &w, &zoom(at(200.0, 125.0), 1.15));
        }
        let near = views(&s);
        let pan = Command::Pan { at: at(200.0, 125.0), by: at(-3.0, 0.0), alone: false };
        for _ in 0..5 {
            run(&mut s, &w, &pan);
        }
        run(&mut s, &w, &Command::Point(at(1.0, 1.0)));
        run(&mut s, &w, &pan);
        let moved = views(&s);
        assert_eq!(run(&mut s, &w, &Command::Do(Action::Back)), Damage::VIEW);
        assert_eq!(views(&s), near);
        run(&mut s, &w, &Command::Do(Action::Back));
        assert_eq!((views(&s), run(&mut s, &w, &Command::Do(Action::Back))), (home, Damage::NONE));
        run(&mut s, &w, &Command::Do(Action::Forward));
        run(&mut s, &w, &Command::Do(Action::Forward));
        assert_eq!((views(&s), run(&mut s, &w, &Command::Do(Action::Forward))), (moved, Damage::NONE));
        run(&mut s, &w, &Command::Click { at: at(200.0, 125.0), extend: false });
        run(&mut s, &w, &pan);
        run(&mut s, &w, &Command::Do(Action::Back));
        assert_eq!(views(&s), moved, "a click ends a run");
    }
}
