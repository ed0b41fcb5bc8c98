//! Drags: a gesture from its beginning to its end.

use super::super::geometry::{Hit, ValueAxis, WindowGeometry};
use super::command::Drag;
use super::distribution::DistributionGrip;
use super::history::PastView;
use super::limits::Grip;
use super::moves::{axes, corners};
use super::shape::Along;
use super::{Damage, Selection, ViewState};
use gridscope_core::geom::{Point, PxRect};
use gridscope_core::view::View;

/// A drag in progress.
#[derive(Clone, Debug)]
pub(super) enum Gesture {
    /// Content that follows the pointer. Every move is measured from `from` and the views there.
    Pan { at: (usize, Along), alone: bool, from: Point, last: Point, views: Vec<View>, before: PastView },
    /// A box, limited to the body where it began.
    Box { at: (usize, Along), alone: bool },
    /// A block of cells, from those where the drag began.
    Select { panel: usize, from: ([u32; 2], [u32; 2]), before: Option<Selection> },
    /// Limits on a bar.
    Limits(Grip),
    /// The view of a panel at the minimap.
    Overview { panel: usize, alone: bool, before: PastView },
    /// A slider, by its place among the sliced axes, and the index where the drag began.
    Slice { place: usize, before: usize },
    /// The divider between two sides, and where it was.
    Divider { before: f64 },
    /// Limits or thresholds over a distribution.
    Distribution(Box<DistributionGrip>),
}

impl ViewState {
    /// Whether a drag is in progress.
    #[cfg(test)]
    pub(crate) fn is_dragging(&self) -> bool {
        self.gesture.is_some()
    }

    /// Whether nothing is being dragged.
    pub(crate) fn is_still(&self) -> bool {
        self.gesture.is_none()
    }

    /// Continues a pan from views that another command has changed; returns whether there is a pan.
    pub(super) fn rebase(&mut self, shown: &[View]) -> bool {
        let Some(Gesture::Pan { from, last, views, .. }) = &mut self.gesture else {
            return false;
        };
        *from = *last;
        *views = shown.to_vec();
        true
    }

    /// The bar whose limits are being dragged and where its ramp was when the drag began: it stays there meanwhile.
    pub(crate) fn held_bar(&self) -> Option<(usize, PxRect)> {
        match &self.gesture {
            Some(Gesture::Limits(grip)) => grip.held(),
            _ => None,
        }
    }

    /// The axis of a distribution that must stay, since a drag is measured on it.
    pub(crate) fn held_axis(&self) -> Option<ValueAxis> {
        match &self.gesture {
            Some(Gesture::Distribution(grip)) => Some(grip.axis()),
            _ => None,
        }
    }

    /// Lets a bar go to its own place while its limits are being dragged, because the window is laid out again.
    pub(crate) fn release_hold(&mut self) {
        if let Some(Gesture::Limits(grip)) = &mut self.gesture {
            grip.release_hold();
        }
    }

    /// Ends a drag of limits; the limits stay.
    pub(super) fn release_bar(&mut self) {
        self.gesture.take_if(|g| matches!(g, Gesture::Limits(_) | Gesture::Distribution(_)));
    }

    /// Begins a drag. A pan that begins on a bar moves its limits.
    pub(super) fn begin(&mut self, drag: Drag, at: Point, alone: bool, geometry: &WindowGeometry) -> Damage {
        let mut damage = self.finish(None, geometry);
        if !at.is_finite() {
            return damage;
        }
        let hit = geometry.hit(at);
        self.gesture = match (drag, hit, axes(hit)) {
            (Drag::Pan | Drag::Limits | Drag::Fine, Hit::Bar(b), _) => {
                self.grip(b, at, drag == Drag::Fine, geometry).map(Gesture::Limits)
            }
            (Drag::Slice, Hit::Slider(i), _) => self.hold_slider(i, geometry),
            (Drag::Divider, Hit::Divider(_), _) => {
                let swipe = self.comparing.swipe;
                swipe.map(|before| Gesture::Divider { before })
            }
            (Drag::Pan | Drag::Limits | Drag::Fine, Hit::Distribution(_), _) => {
                let grip = self.grip_distribution(at, geometry);
                grip.map(|grip| Gesture::Distribution(Box::new(grip)))
            }
            (Drag::Pan, _, Some(found)) => {
                let views = self.views.clone();
                Some(Gesture::Pan { at: found, alone, from: at, last: at, before: self.place(), views })
            }
            (Drag::Overview, Hit::Minimap(panel), _) => {
                Some(Gesture::Overview { panel, alone, before: self.place() })
            }
            (Drag::Box, _, Some(found)) => Some(Gesture::Box { at: found, alone }),
            (Drag::Select, Hit::Body(panel), _) => Self::spans_near(panel, at, geometry)
                .map(|from| Gesture::Select { panel, from, before: self.selection.clone() }),
            _ => None,
        };
        if let Some(Gesture::Box { at: (panel, along), .. }) = &self.gesture {
            self.rubber = Some(corners(&geometry.panels[*panel].body, *along, at, at));
        }
        if let Some(Gesture::Overview { panel, alone, .. }) = self.gesture {
            damage |= self.go_there(panel, alone, at, geometry);
        }
        if let Some(Gesture::Slice { place, .. }) = self.gesture {
            damage |= self.slide(place, at, geometry);
        }
        if let Some(Gesture::Select { panel, from, .. }) = &self.gesture {
            damage |= self.select_to(*panel, *from, at, geometry);
        }
        damage
    }

    /// Continues the drag to a point.
    pub(super) fn drag_to(&mut self, to: Point, geometry: &WindowGeometry) -> Damage {
        if !to.is_finite() {
            return Damage::NONE;
        }
        let pointed = Damage::OVERLAY.when(self.pointer.replace(to) != Some(to));
        let Some(mut gesture) = self.gesture.take() else {
            return pointed;
        };
        let damage = match &mut gesture {
            Gesture::Pan { at, alone, from, last, views, .. } => {
                *last = to;
                let by = Point { x: to.x - from.x, y: to.y - from.y };
                let new = self.panned(views, *at, by, *alone, geometry);
                let changed = new.len() == self.views.len() && new != self.views;
                if changed {
                    self.views = new;
                }
                Damage::VIEW.when(changed)
            }
            Gesture::Box { at: (panel, along), .. } => match (geometry.panels.get(*panel), self.rubber) {
                (Some(p), Some((from, _))) => {
                    self.rubber = Some(corners(&p.body, *along, from, to));
                    Damage::NONE
                }
                _ => Damage::NONE,
            },
            Gesture::Select { panel, from, .. } => self.select_to(*panel, *from, to, geometry),
            Gesture::Limits(grip) => self.pull(grip, to, geometry),
            Gesture::Overview { panel, alone, .. } => self.go_there(*panel, *alone, to, geometry),
            Gesture::Slice { place, .. } => self.slide(*place, to, geometry),
            Gesture::Divider { .. } => self.divide_at(to, geometry),
            Gesture::Distribution(grip) => self.pull_distribution(grip, to, geometry),
        };
        self.gesture = Some(gesture);
        pointed | damage
    }

    /// Ends the drag at a point.
    pub(super) fn end(&mut self, at: Point, geometry: &WindowGeometry) -> Damage {
        let damage = self.drag_to(at, geometry);
        let boxed = match &self.gesture {
            Some(Gesture::Box { at, alone }) => Some((*at, *alone)),
            _ => None,
        };
        damage | self.finish(boxed, geometry)
    }

    /// Ends the gesture, leaving its result; a box becomes the view only if `boxed` says which.
    fn finish(&mut self, boxed: Option<((usize, Along), bool)>, geometry: &WindowGeometry) -> Damage {
        let gesture = self.gesture.take();
        if let Some(Gesture::Pan { before, .. } | Gesture::Overview { before, .. }) = gesture
            && before != self.place()
        {
            self.history.leave(before, None);
        }
        match (self.rubber.take(), boxed) {
            (Some(corners), Some((at, alone))) => self.show_box(at, alone, corners, geometry),
            _ => Damage::NONE,
        }
    }

    /// Cancels the gesture: everything is as it was before it. `None` if there is none.
    pub(super) fn give_up(&mut self, geometry: &WindowGeometry) -> Option<Damage> {
        let gesture = self.gesture.take()?;
        self.rubber = None;
        Some(match gesture {
            Gesture::Pan { before, .. } | Gesture::Overview { before, .. } => {
                self.take_place(before, geometry)
            }
            Gesture::Box { .. } => Damage::NONE,
            Gesture::Select { before, .. } => self.choose(before),
            Gesture::Limits(grip) => self.let_go(&grip),
            Gesture::Slice { place, before } => self.slice_to(place, before),
            Gesture::Divider { before } => self.divide(before),
            Gesture::Distribution(grip) => self.restore_scale(&grip),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::Command;
    use super::super::test_window::{at, geometry, paint, view};
    use super::*;

    fn begin(drag: Drag, x: f64, y: f64) -> Command {
        Command::Begin { drag, at: at(x, y), alone: false }
    }

    #[test]
    fn content_follows_the_pointer_and_comes_back_from_the_edge() {
        let mut w = geometry(2, 30, 40);
        let mut s = ViewState::new(&w);
        s.apply(&Command::Show(view((10.0, 20.0), (10.0, 20.0))), &w);
        assert_eq!(s.apply(&begin(Drag::Pan, 200.0, 200.0), &w).damage, Damage::NONE);
        assert_eq!(s.apply(&Command::Move(at(160.0, 230.0)), &w).damage, Damage::VIEW | Damage::OVERLAY);
        paint(&mut w, &s);
        assert_eq!(s.views, [view((11.0, 21.0), (9.0, 19.0)); 2]);
        s.apply(&Command::Move(at(9999.0, 200.0)), &w);
        assert_eq!(s.views[0], view((0.0, 10.0), (10.0, 20.0)));
        s.apply(&Command::End(at(240.0, 200.0)), &w);
        assert_eq!(s.views[1], view((9.0, 19.0), (10.0, 20.0)));
        assert!(s.apply(&Command::Move(at(0.0, 0.0)), &w).damage == Damage::OVERLAY && !s.is_dragging());
        s.apply(&Command::Do(Action::Back), &w);
        assert_eq!(s.views[0], view((10.0, 20.0), (10.0, 20.0)));
    }

    #[test]
    fn a_pan_on_an_axis_keeps_the_other_and_can_be_given_up() {
        let w = geometry(2, 30, 40);
        let mut s = ViewState::new(&w);
        s.apply(&Command::Show(view((10.0, 20.0), (10.0, 20.0))), &w);
        s.apply(&Command::Begin { drag: Drag::Pan, at: at(90.0, 100.0), alone: true }, &w);
        s.apply(&Command::Move(at(190.0, 130.0)), &w);
        assert_eq!(s.views, [view((10.0, 20.0), (9.0, 19.0)), view((10.0, 20.0), (10.0, 20.0))]);
        assert_eq!(s.apply(&Command::Do(Action::Cancel), &w).damage, Damage::VIEW);
        assert_eq!((s.views[0], s.is_dragging()), (view((10.0, 20.0), (10.0, 20.0)), false));
        s.apply(&Command::Do(Action::Back), &w);
        assert_eq!(s.views[0], View::whole(40.0, 30.0), "what was given up is not a view to go back to");
    }

    #[test]
    fn a_pan_continues_from_a_zoom() {
        let w = geometry(1, 30, 40);
        let mut s = ViewState::new(&w);
        s.apply(&begin(Drag::Pan, 200.0, 200.0), &w);
        s.apply(&Command::Move(at(201.0, 200.0)), &w);
        s.apply(&Command::Zoom { at: at(200.0, 200.0), factor: 2.0, alone: false }, &w);
        s.apply(&Command::Move(at(221.0, 200.0)), &w);
        assert_eq!(s.views[0], view((4.0, 24.0), (7.5, 22.5)));
        s.apply(&Command::End(at(221.0, 200.0)), &w);
        s.apply(&Command::Do(Action::Back), &w);
        assert_eq!(s.views[0], View::whole(40.0, 30.0));
    }

    #[test]
    fn drags_beside_everything_do_nothing() {
        let w = geometry(1, 30, 40);
        let mut s = ViewState::new(&w);
        for drag in [Drag::Pan, Drag::Box, Drag::Select, Drag::Limits, Drag::Fine] {
            s.apply(&begin(drag, 3.0, 3.0), &w);
            assert!(!s.is_dragging());
        }
        s.apply(&begin(Drag::Limits, 200.0, 200.0), &w);
        s.apply(&Command::Begin { drag: Drag::Pan, at: at(f64::NAN, 200.0), alone: false }, &w);
        assert!(!s.is_dragging());
    }
}
