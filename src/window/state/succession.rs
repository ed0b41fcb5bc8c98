//! Carries the state over to data that were read again: by names of panels, not by positions.

use super::super::geometry::WindowGeometry;
use super::moves::alike;
use super::{Damage, ViewState};
use gridscope_core::view::{Part, View};

impl ViewState {
    /// Adapts to the data of `now`: views and colours follow the names of panels. A view of all data shows
    /// all of the new data; the selection stays if the labels of its panel are the same.
    pub(crate) fn follow(&mut self, before: &WindowGeometry, now: &WindowGeometry) -> Damage {
        let was = |panel: usize| {
            before.grids.iter().position(|g| now.grids.get(panel).is_some_and(|n| n.name() == g.name()))
        };
        let panels: Vec<Option<usize>> = (0..now.grids.len()).map(was).collect();
        let kept = self.selection.as_ref().is_some_and(|s| {
            let old = before.grids.get(s.panel);
            let new = now.grids.get(s.panel).filter(|n| {
                old.is_some_and(|o| (o.name(), o.rows(), o.columns()) == (n.name(), n.rows(), n.columns()))
            });
            new.is_some()
        });
        if !kept {
            self.selection = None;
        }
        self.large = self
            .large
            .and_then(|large| panels.iter().position(|old| *old == Some(large)))
            .filter(|_| now.grids.len() > 1);
        self.follow_sides(&panels, now);
        // The table of maps stays open where its panels do; else the map that was only tried goes.
        let same = panels.iter().copied().eq((0..before.grids.len()).map(Some));
        if !same || before.scale_of != now.scale_of {
            self.restore_map();
        }
        let scale = |s: usize| {
            let first =
                now.scale_of.iter().enumerate().filter(|(_, of)| **of == s).find_map(|(i, _)| panels[i])?;
            self.overrides.scales.get(*before.scale_of.get(first)?).cloned()
        };
        let scales = (0..now.scales.len()).map(|s| scale(s).unwrap_or_default()).collect();
        self.overrides.scales = scales;
        if !same {
            self.take_views(&panels, before);
        }
        let shape = |w: &WindowGeometry| -> Vec<(String, usize, usize)> {
            w.grids.iter().map(|g| (g.name().to_owned(), g.height(), g.width())).collect()
        };
        self.extremes = None;
        // Of other slices of the same arrays the places are the same: a drag goes on while they come.
        if now.slices.is_empty() || shape(before) != shape(now) {
            (self.gesture, self.rubber, self.found) = (None, None, None);
        }
        if !same || before.scale_of != now.scale_of {
            self.forget_changes();
            (self.scale_pointed, self.panel_pointed) = (None, None);
        }
        self.find_all(now);
        // The figure's own maps and norms may have changed.
        self.own.clear();
        self.refit(now)
    }

    /// Adapts to the same data with all cells read: everything stays.
    pub(crate) fn arrive(&mut self, now: &WindowGeometry) -> Damage {
        // The breakpoints of a norm differ from those of a few cells.
        self.own.clear();
        self.refit(now)
    }

    /// Reorders the views with their panels. A new panel shows the same part as the others, if all show the
    /// same.
    fn take_views(&mut self, panels: &[Option<usize>], before: &WindowGeometry) {
        let all = View { x: Part::whole(f64::NAN), y: Part::whole(f64::NAN) };
        let whole = |i: usize, v: &View| {
            before.panels.get(i).is_some_and(|p| alike(v, &View { x: p.x.whole(), y: p.y.whole() }))
        };
        let view = |i: usize| self.views.get(i).copied().filter(|v| !whole(i, v)).unwrap_or(all);
        let linked = self.views.windows(2).all(|p| p[0] == p[1]);
        let first = if linked { view(0) } else { all };
        self.views = panels.iter().map(|old| old.map_or(first, view)).collect();
        self.known.clear();
        self.history = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{Colors, Command, Drag};
    use super::super::test_window::{at, geometry, view};
    use super::*;
    use gridscope_core::grid::{Axis, SlicedAxis};
    use gridscope_draw::resolve::ScaleOverrides;
    use std::sync::Arc;

    fn named(names: &[&str]) -> WindowGeometry {
        let mut w = geometry(names.len(), 20, 20);
        let mut grids = (*w.grids).clone();
        grids.iter_mut().zip(names).for_each(|(g, n)| g.set_name(*n));
        w.grids = Arc::new(grids);
        w.scale_of = (0..names.len()).collect();
        w.scales = vec![w.scales[0].clone(); names.len()];
        w
    }

    #[test]
    fn colours_and_views_stay_with_their_panels() {
        let (before, now) = (named(&["10", "20"]), named(&["5", "10", "20"]));
        let mut s = ViewState::new(&before);
        s.apply(&Command::Colors(Colors::Map("magma".to_owned())), &before);
        s.apply(&Command::Show(view((2.0, 6.0), (3.0, 9.0))), &before);
        s.apply(&Command::Select { panel: 0, rows: 1..2, columns: 1..2 }, &before);
        s.follow(&before, &now);
        let map = |changes: &ScaleOverrides| changes.colormap.as_ref().map(|map| map.name.clone());
        let maps: Vec<_> = s.overrides.scales.iter().map(map).collect();
        assert_eq!((maps, &s.selection), (vec![None, Some("magma".to_owned()), None], &None));
        assert_eq!(s.views, [view((2.0, 6.0), (3.0, 9.0)); 3]);
    }

    #[test]
    fn a_drag_goes_on_while_slices_come() {
        let sliced = || WindowGeometry {
            slices: vec![SlicedAxis::new(0, 0, Axis::index("", 9), false)],
            ..named(&["a"])
        };
        let (before, now) = (sliced(), sliced());
        let mut s = ViewState::new(&before);
        let begin = Command::Begin { drag: Drag::Pan, at: at(200.0, 200.0), alone: false };
        s.apply(&Command::Nearer(2.0), &before);
        s.apply(&begin, &before);
        s.follow(&before, &now);
        assert!(s.is_dragging());
        s.follow(&now, &named(&["a"]));
        assert!(!s.is_dragging(), "of other data");
    }

    #[test]
    fn all_of_the_data_stays_all_of_them() {
        let (before, now) =
            (named(&["a"]), { WindowGeometry { panels: geometry(2, 30, 40).panels, ..named(&["a", "b"]) } });
        let mut s = ViewState::new(&before);
        s.follow(&before, &now);
        assert_eq!(s.views, [View::whole(40.0, 30.0); 2]);
    }
}
