//! The minimap: moves the view to a place of it.

use super::super::geometry::WindowGeometry;
use super::moves::clamped;
use super::pin::carry;
use super::{Damage, ViewState};
use gridscope_core::geom::Point;
use gridscope_core::view::View;

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

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Command, Drag};
    use super::super::test_window::{at, geometry, view};
    use super::*;
    use gridscope_core::geom::PxRect;

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
}
