//! Fits the state to a window whose panels changed: another size, other data.

use super::super::geometry::WindowGeometry;
use super::maps::Own;
use super::moves::{alike, clamped};
use super::square;
use super::{Damage, ViewState};
use gridscope_core::geom::PxRect;
use gridscope_core::view::View;
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
            let (home, view) = (square::home(panel, square), self.views[i]);
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
                            square::scaled(panel, &view, now)
                        }
                        Some(now) if now > least => square::scaled(panel, &view, now),
                        Some(_) => home,
                        None => square::squared(panel, &view, square::Along::BOTH),
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
        let changed = before != self.views;
        if changed {
            self.rebase(&self.views.clone());
        }
        Damage::VIEW.when(changed) | self.cut_selection(geometry)
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

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::Command;
    use super::super::test_window::geometry;
    use super::*;
    use gridscope_core::view::Part;

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
}
