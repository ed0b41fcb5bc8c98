//! How the state keeps fitting a window whose panels change: another size, other data.

use super::super::world::World;
use super::maps::Own;
use super::moves::alike;
use super::square;
use super::{Damage, ScaleLook, State};
use crate::view::{Part, View};

/// What a panel was when its view was fitted to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    home: View,
    /// Cells a pixel, where cells are square.
    scale: Option<f64>,
}

impl State {
    /// The state of a window that was just opened.
    pub fn new(world: &World) -> Self {
        let mut state = Self::default();
        state.settle(world);
        state
    }

    /// Fits the state to a window that changed. A view of all data shows all of the new data; any other stays as far as data
    /// go, with square cells at its scale; a selection is cut to the cells that there are.
    pub fn settle(&mut self, world: &World) -> Damage {
        let before = self.views.clone();
        let square = self.is_square();
        self.views.resize(world.panels.len(), View::whole(f64::NAN, f64::NAN));
        self.known.truncate(world.panels.len());
        for (i, panel) in world.panels.iter().enumerate() {
            let (home, view) = (square::home(panel, square), self.views[i]);
            let known = self.known.get(i).copied();
            let shows = |p: &Part| p.from.is_finite() && p.to.is_finite() && p.from < p.to;
            let view = match known {
                _ if !shows(&view.x) || !shows(&view.y) => home,
                Some(k) if k.home != home && alike(&k.home, &view) => home,
                Some(Known { scale: Some(scale), .. }) if square && square::scale(panel, &view).is_none() => {
                    let most = square::scale(panel, &home).unwrap_or(scale);
                    square::scaled(panel, &view, scale.min(most))
                }
                _ if square && square::scale(panel, &view).is_none() => square::squared(panel, &view, square::Along::BOTH),
                _ => view,
            };
            let keep = |p: &Part, length: f64| p.clamp(length, p.len().max(length));
            let kept = View { x: keep(&view.x, panel.x.length()), y: keep(&view.y, panel.y.length()) };
            self.views[i] = if alike(&kept, &view) { view } else { kept };
            let now = Known { home, scale: square::scale(panel, &self.views[i]) };
            match self.known.get_mut(i) {
                Some(k) => *k = now,
                None => self.known.push(now),
            }
        }
        self.look.scales.resize(world.scales.len(), ScaleLook::default());
        self.own.truncate(world.scales.len());
        let seen = self.own.len();
        self.own.extend(world.scales[seen..].iter().map(|s| Own::of(s.spec())));
        let changed = before != self.views;
        if changed {
            self.rebase(&self.views.clone());
        }
        Damage::VIEW.when(changed) | self.cut_selection(world)
    }

    /// A selection of cells that are no more is cut.
    fn cut_selection(&mut self, world: &World) -> Damage {
        let Some(s) = &self.selection else { return Damage::NONE };
        let cut = self.block(s.panel, &s.rows, &s.columns, s.anchor, world);
        let changed = cut != self.selection;
        self.selection = cut;
        Damage::OVERLAY.when(changed)
    }
}
