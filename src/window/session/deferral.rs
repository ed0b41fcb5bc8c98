//! Effects that need all cells while the session is coarse: each waits until they are read, with a record of
//! what the window showed.

use super::Session;
use crate::geometry::WindowGeometry;
use crate::state::{Effect, ViewState, WHEN_READ};
use gridscope_core::geom::PxSize;
use gridscope_draw::error::Error;

/// State of the window at a moment.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    state: ViewState,
    size: PxSize,
    unit: f64,
}

impl Moment {
    /// Adapts to other data, as [`ViewState::follow`].
    pub(super) fn follow(&mut self, before: &WindowGeometry, now: &WindowGeometry) {
        self.state.follow(before, now);
    }
}

impl Session {
    /// Whether not all cells are read yet, so that colours come from a few of them. Rows, columns and values
    /// are exact all the same.
    pub fn is_coarse(&self) -> bool {
        self.geometry.coarse
    }

    /// Takes over the state of a coarse session of the same figure and grids.
    pub fn take_over(&mut self, before: Session) {
        self.adopt(&before);
        (self.geometry.panels, self.geometry.bars) = (before.geometry.panels, before.geometry.bars);
        (self.state, self.deferred, self.lines) = (before.state, before.deferred, before.lines);
        self.all_slices = before.all_slices.not_in_force();
        self.traces = before.traces;
        self.state.arrive(&self.geometry);
        self.settle_limits();
    }

    /// An error while the session is coarse: nothing coarse is saved.
    pub(super) fn refuse_coarse(&self) -> Result<(), Error> {
        if self.is_coarse() { Err(Error::unavailable("not all cells are read yet")) } else { Ok(()) }
    }

    /// Returns an effect that can be carried out now; one that needs all cells is stored until then, together
    /// with the present view.
    pub(super) fn defer(&mut self, effect: Effect) -> Option<Effect> {
        let done = match effect {
            Effect::SaveFigure if self.is_coarse() || self.slow.sorting.is_some() => "will be saved",
            Effect::Save if self.is_coarse() || self.awaits_cells() => "will be saved",
            Effect::CopyPicture if self.is_coarse() || self.awaits_cells() => "will be copied",
            _ => return Some(effect),
        };
        let then = Moment { state: self.state.clone(), size: self.geometry.size, unit: self.geometry.unit };
        self.deferred.push((effect, then));
        self.show_message(format!("{done} {WHEN_READ}"));
        None
    }

    /// Whether effects wait for all cells.
    pub(crate) fn has_deferred(&self) -> bool {
        !self.deferred.is_empty()
    }

    /// The effects that waited for all cells, in order; empty while they still have to wait.
    pub(crate) fn take_deferred(&mut self) -> Vec<(Effect, Moment)> {
        if self.is_coarse() || self.awaits_cells() { Vec::new() } else { std::mem::take(&mut self.deferred) }
    }

    /// Shows another moment, and returns the present one so that it can be restored.
    pub(crate) fn swap(&mut self, to: Moment) -> Moment {
        let state = std::mem::replace(&mut self.state, to.state);
        let now = Moment { state, size: self.geometry.size, unit: self.geometry.unit };
        self.resize(to.size, to.unit);
        (self.damage.layout, self.rests) = (true, true);
        now
    }
}
