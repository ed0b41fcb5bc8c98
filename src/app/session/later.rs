//! Effects that need all cells of a figure that is still coarse: each waits until they are read, with the moment it was
//! asked for.

use super::Session;
use crate::app::geometry::WindowGeometry;
use crate::app::state::{Effect, ViewState, WHEN_READ};
use crate::error::Error;
use crate::geom::PxSize;

/// What the window showed at a moment.
#[derive(Clone, Debug)]
pub(in crate::app) struct Moment {
    state: ViewState,
    size: PxSize,
    unit: f64,
}

impl Moment {
    /// Goes over to other data, as [`ViewState::follow`].
    pub(super) fn follow(&mut self, before: &WindowGeometry, now: &WindowGeometry) {
        self.state.follow(before, now);
    }
}

impl Session {
    /// Whether its colours are those of a few cells, until all are read. Rows, columns and values are the grids' own all the same.
    pub fn is_coarse(&self) -> bool {
        self.geometry.coarse
    }

    /// Nothing coarse is saved.
    pub(super) fn refuse_coarse(&self) -> Result<(), Error> {
        if self.is_coarse() {
            Err(Error::Grid("not all cells are read yet".to_owned()))
        } else {
            Ok(())
        }
    }

    /// Gives an effect that can be done now; one that needs all cells waits for them, and so does the view that it is about.
    pub(super) fn defer(&mut self, effect: Effect) -> Option<Effect> {
        let done = match effect {
            Effect::Save | Effect::SaveFigure if self.is_coarse() => "saved",
            Effect::CopyPicture if self.is_coarse() => "copied",
            _ => return Some(effect),
        };
        let then = Moment {
            state: self.state.clone(),
            size: self.geometry.size,
            unit: self.geometry.unit,
        };
        self.waiting.push((effect, then));
        self.say(format!("{done} {WHEN_READ}"));
        None
    }

    /// What has waited for all cells, in its order; nothing while it still waits.
    pub(in crate::app) fn awaited(&mut self) -> Vec<(Effect, Moment)> {
        if self.is_coarse() {
            Vec::new()
        } else {
            std::mem::take(&mut self.waiting)
        }
    }

    /// Shows what another moment did; gives the present one, to be shown again.
    pub(in crate::app) fn turn(&mut self, to: Moment) -> Moment {
        let state = std::mem::replace(&mut self.state, to.state);
        let now = Moment {
            state,
            size: self.geometry.size,
            unit: self.geometry.unit,
        };
        self.resize(to.size, to.unit);
        (self.damage.layout, self.rests) = (true, true);
        now
    }
}
