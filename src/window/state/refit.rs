//! Fits the state to a window whose panels changed, and carries it over to data that were read again.

use super::super::geometry::WindowGeometry;
use super::maps::Own;
use super::moves::{alike, clamped};
use super::{Damage, ViewState, shape};
use gridscope_core::geom::{PxRect, PxSize};
use gridscope_core::view::{Part, View};
use gridscope_draw::layout::BodyRange;
use gridscope_draw::resolve::ScaleOverrides;

/// A panel as it was when its view was fitted to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    home: View,
    body: PxRect,
    range: BodyRange,
}

impl ViewState {
    /// The state of a new window.
    pub(crate) fn new(geometry: &WindowGeometry) -> Self {
        let mut state = Self::default();
        state.refit(geometry);
        state
    }

    /// Fits the state to a window that changed. A view of all data shows all of the new data; any other view
    /// stays as far as the data reach, with square cells at its scale. The selection is cut to the cells that
    /// exist.
    pub(crate) fn refit(&mut self, geometry: &WindowGeometry) -> Damage {
        let before = self.views.clone();
        let square = self.is_square();
        self.views.resize(geometry.panels.len(), View::whole(f64::NAN, f64::NAN));
        self.known.truncate(geometry.panels.len());
        let pin = self.pin;
        for (i, panel) in geometry.panels.iter().enumerate() {
            let (home, view) = (shape::home(panel, square), self.views[i]);
            let known = self.known.get(i).copied();
            let range = panel.range();
            // The body has no pixels while the window is hidden.
            let seen = panel.body.w > 0 && panel.body.h > 0;
            let view = match known {
                _ if !view.is_valid() => home,
                Some(k) if k.home != home && alike(&k.home, &view) => home,
                Some(k) if square && range.scale(&view).is_none() => {
                    let least = range.least_scale();
                    match k.range.scale(&view) {
                        // A view of more than all data stays one.
                        Some(now) if now < 0.999_999 * k.range.least_scale() => {
                            shape::scaled(panel, &view, now)
                        }
                        Some(now) if now > least => shape::scaled(panel, &view, now),
                        Some(_) => home,
                        None => shape::squared(panel, &view, shape::Along::BOTH),
                    }
                }
                _ => view,
            };
            let view = match (pin, known) {
                (Some(pin), Some(k)) if seen && k.body != panel.body => {
                    clamped(panel, &pin.held(geometry, panel, &view))
                }
                _ => view,
            };
            let view = if alike(&home, &view) { home } else { view };
            let inside = clamped(panel, &view);
            self.views[i] = match alike(&inside, &view) {
                true => view,
                // What was beyond the data may now be all of them, but for what was rounded.
                false if alike(&home, &inside) => home,
                false => inside,
            };
            let before = known.filter(|_| !seen);
            let now = Known {
                home,
                body: before.map_or(panel.body, |k| k.body),
                range: before.map_or(range, |k| k.range),
            };
            match self.known.get_mut(i) {
                Some(k) => *k = now,
                None => self.known.push(now),
            }
        }
        self.overrides.scales.resize(geometry.scales.len(), ScaleOverrides::default());
        self.slices.refit(&geometry.slices);
        self.own.truncate(geometry.scales.len());
        let seen = self.own.len();
        self.own.extend(geometry.scales[seen..].iter().map(|s| Own::of(s.spec())));
        for s in 0..geometry.scales.len() {
            let limits = self.overrides.scales[s].limits.zip(self.norm(s, geometry));
            // The norm of another figure may not allow them.
            if limits.is_some_and(|((low, high), norm)| norm.check(low, high).is_err()) {
                self.overrides.scales[s].limits = None;
            }
        }
        let changed = before != self.views;
        if changed {
            self.rebase(&self.views.clone());
        }
        Damage::VIEW.when(changed) | self.cut_selection(geometry)
    }

    /// Shows the parts that a figure names, whatever size the bodies of its window will have.
    pub(crate) fn open_parts(&mut self, parts: &[(Option<Part>, Option<Part>)]) {
        let panels = self.views.iter_mut().zip(&mut self.known).zip(parts);
        for ((view, known), (x, y)) in panels.filter(|(_, (x, y))| x.is_some() || y.is_some()) {
            *view = View { x: x.unwrap_or(view.x), y: y.unwrap_or(view.y) };
            // A cell has no number of pixels yet that it could keep.
            known.range = BodyRange::fixed(PxSize { w: 0, h: 0 }, known.range.cells);
        }
    }

    /// The frame is laid out for the views: the place of the last zoom is under the pointer.
    pub(crate) fn laid_out(&mut self) {
        self.pin = None;
    }

    /// Cuts the selection to the cells that exist.
    fn cut_selection(&mut self, geometry: &WindowGeometry) -> Damage {
        let Some(s) = &self.selection else {
            return Damage::NONE;
        };
        let cut = self.block(s.panel, &s.rows, &s.columns, s.anchor, geometry);
        let changed = cut != self.selection;
        self.selection = cut;
        Damage::OVERLAY.when(changed)
    }
}

impl ViewState {
    /// Adapts to the data of `now`: views and colours follow the names of panels. A view of all data shows
    /// all of the new data; the selection stays if the labels of its panel are the same.
    pub(crate) fn follow(&mut self, before: &WindowGeometry, now: &WindowGeometry) -> Damage {
        let panels = earlier_places(before, now);
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

    /// Sees the part that another state saw in a window of data with the same axes.
    pub(crate) fn see_as(&mut self, other: &ViewState, before: &WindowGeometry, now: &WindowGeometry) {
        (self.overrides.square, self.gave_way) = (other.overrides.square, other.gave_way);
        self.views.clone_from(&other.views);
        let known = std::mem::take(&mut self.known);
        self.take_views(&earlier_places(before, now), before);
        self.known = known;
        self.refit(now);
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

/// The earlier place of each panel, by its name.
fn earlier_places(before: &WindowGeometry, now: &WindowGeometry) -> Vec<Option<usize>> {
    let was = |name: &str| before.grids.iter().position(|g| g.name() == name);
    now.grids.iter().map(|grid| was(grid.name())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Colors, Command, Drag};
    use super::super::test_window::{at, geometry, view};
    use super::*;
    use gridscope_core::grid::{Axis, SlicedAxis};
    use std::sync::Arc;

    #[test]
    fn a_view_of_all_shows_new_data_and_another_stays() {
        let (small, large) = (geometry(1, 10, 20), geometry(1, 12, 20));
        let mut s = ViewState::new(&small);
        assert_eq!(s.refit(&large), Damage::VIEW);
        assert_eq!((s.views[0], s.refit(&large)), (View::whole(20.0, 12.0), Damage::NONE));
        let part = View { x: Part { from: 3.0, to: 9.0 }, y: Part { from: 8.0, to: 12.0 } };
        s.apply(&Command::Show(part), &large);
        s.apply(&Command::Select { panel: 0, rows: 9..12, columns: 0..1 }, &large);
        assert_eq!(s.refit(&small), Damage::VIEW | Damage::OVERLAY);
        assert_eq!(s.views[0], View { y: Part { from: 6.0, to: 10.0 }, ..part });
        assert_eq!(s.selection.as_ref().map(|s| s.rows.clone()), Some(9..10));
        s.refit(&geometry(0, 1, 1));
        assert_eq!((s.views.len(), &s.selection), (0, &None));
    }

    #[test]
    fn square_cells_keep_their_size_in_another_window() {
        let mut w = geometry(1, 100, 100);
        let mut s = ViewState::new(&w);
        s.apply(&Command::Do(Action::Square), &w);
        w.panels[0].body.w = 300;
        s.refit(&w);
        assert_eq!(s.views[0], View::whole(100.0, 100.0));
        s.apply(&Command::Nearer(4.0), &w);
        w.panels[0].body.w = 600;
        s.refit(&w);
        assert!(
            alike(&s.views[0], &View { x: Part { from: 25.0, to: 75.0 }, y: Part { from: 37.5, to: 62.5 } }),
            "{:?}",
            s.views
        );
        w.panels[0].body.w = 0;
        assert_eq!(s.refit(&w), Damage::NONE);
        w.panels[0].body.w = 300;
        s.refit(&w);
        assert!(
            alike(&s.views[0], &View { x: Part { from: 37.5, to: 62.5 }, y: Part { from: 37.5, to: 62.5 } }),
            "{:?}",
            s.views
        );
        s.apply(&Command::Do(Action::Actual), &w);
        w.panels[0].body.h = 500;
        s.refit(&w);
        assert_eq!(
            s.views[0],
            View { x: Part { from: -100.0, to: 200.0 }, y: Part { from: -200.0, to: 300.0 } }
        );
    }

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
