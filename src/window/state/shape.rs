//! The shape of cells: square cells give way to a move along one axis alone, and come back with all data.

use super::super::geometry::WindowGeometry;
use super::history::Place;
use super::square::Along;
use super::{Damage, ViewState};

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
    pub(super) fn place(&self) -> Place {
        Place { views: self.views.clone(), square: self.overrides.square, gave_way: self.gave_way }
    }

    /// Returns to a place.
    pub(super) fn take_place(&mut self, place: Place, geometry: &WindowGeometry) -> Damage {
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

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Command, Drag};
    use super::super::test_window::{at, geometry, run, view, zoom};
    use super::*;
    use gridscope_core::geom::PxRect;
    use gridscope_core::view::View;

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
}
