//! A figure in a window: state and data to what is painted.

mod data;
mod describe;
mod resolved;
mod paint;
mod later;

pub use data::Data;

use super::geometry::WindowGeometry;
use super::hud::{KeyGroup, status_height};
use super::input::keys;
use super::level::Level;
use super::reading::Readings;
use super::readout::tsv;
use super::state::{Command, Damage, Effect, ViewState};
use crate::coarse::Sample;
use crate::error::Error;
use crate::figure::Figure;
use crate::geom::PxSize;
use crate::grid::{Digest, Grid, Stats};
use crate::render::prepare;
use crate::resolve::{Seen, remember};
use crate::scene::Scene;
use crate::text::Fonts;
use crate::timing::Phases;
use later::Moment;
use resolved::Resolved;
use std::collections::VecDeque;
use std::sync::Arc;

/// A figure and its data, looked at through a window.
pub struct Session {
    /// As the user described it.
    figure: Arc<Figure>,
    geometry: WindowGeometry,
    state: ViewState,
    fonts: Fonts,
    digests: Vec<Digest>,
    /// What replaces the cells of huge grids while the view moves.
    levels: Vec<Option<Level>>,
    /// What is painted until all cells are read.
    sample: Option<Sample>,
    /// What was asked for and needs all cells, with what the window showed then.
    waiting: Vec<(Effect, Moment)>,
    damage: Damage,
    /// What was resolved for the last frame.
    shown: Option<Resolved>,
    /// The figure as it was painted last, without any overlay: its items are the base of each frame.
    scene: Scene,
    /// The last frame had no rings, since the view moved.
    unrest: bool,
    /// Texts and histograms of the overlay.
    readings: Readings,
    /// A file that is still being read: its name and how far.
    progress: Option<(String, Option<f64>)>,
    /// Automatic limits of the data so far.
    seen: Seen,
    /// Limits of each scale that earlier data give and those of now do not.
    earlier: Vec<(Option<f64>, Option<f64>)>,
    /// Why there is no figure in the window.
    trouble: Option<String>,
    /// The view has come to rest: the next frame is whole.
    rests: bool,
    /// The last frame showed the view in another place, or in other colours.
    moved: bool,
    /// Milliseconds of the last frames.
    times: VecDeque<f64>,
    keys: Vec<KeyGroup>,
}

/// Frame times are those of at most this many frames.
const MOST_TIMES: usize = 120;

impl Session {
    /// A figure in a window that has no size yet.
    ///
    /// # Errors
    /// When the figure does not fit its data.
    pub fn new(figure: Figure, data: Data, fonts: Fonts) -> Result<Self, Error> {
        let Data {
            grids,
            digests,
            levels,
            sample,
        } = data;
        let stats: Vec<Stats> = digests.iter().map(|d| d.stats.clone()).collect();
        let coarse = sample.is_some();
        let geometry = WindowGeometry {
            grids: Arc::new(grids),
            stats: Arc::new(stats),
            unit: 1.0,
            coarse,
            ..WindowGeometry::default()
        };
        let scene = Scene::new(PxSize { w: 0, h: 0 }, None, Vec::new());
        let (state, damage) = (
            ViewState::default(),
            Damage {
                layout: true,
                ..Damage::default()
            },
        );
        let mut session = Self {
            figure: Arc::new(figure),
            geometry,
            state,
            fonts,
            digests,
            levels,
            sample,
            waiting: Vec::new(),
            damage,
            shown: None,
            scene,
            unrest: false,
            readings: Readings::default(),
            progress: None,
            seen: Seen::new(),
            earlier: Vec::new(),
            trouble: None,
            rests: true,
            moved: false,
            times: VecDeque::new(),
            keys: key_groups(),
        };
        // A figure that cannot be drawn at any size is refused before there is a window.
        session.resize(PxSize { w: 4000, h: 3000 }, 1.0);
        session.resolve()?;
        Ok(session)
    }

    /// The same figure with its data as they are now: views and limits that a person set stay, automatic limits only widen.
    /// Gives how many values are new; of a coarse session nobody knows, so none.
    ///
    /// # Errors
    /// As [`Session::new`]; the session then stays as it was.
    pub fn replace(&mut self, mut figure: Figure, data: Data) -> Result<u64, Error> {
        let values = |stats: &[Stats]| stats.iter().map(|s| s.values).sum::<u64>();
        let before = values(&self.geometry.stats);
        remember(&mut figure, &self.seen);
        // The session keeps its fonts where the new data are refused.
        let mut next = Self::new(figure, data, Fonts::new())?;
        next.fonts = std::mem::take(&mut self.fonts);
        for (name, limits) in std::mem::take(&mut self.seen) {
            if next.seen.iter().all(|(n, _)| *n != name) {
                // The panel may come back.
                next.seen.push((name, limits));
            }
        }
        next.adopt(self);
        next.state = std::mem::take(&mut self.state);
        next.state.follow(&self.geometry, &next.geometry);
        next.waiting = std::mem::take(&mut self.waiting);
        next.waiting
            .iter_mut()
            .for_each(|(_, then)| then.follow(&self.geometry, &next.geometry));
        let coarse = self.is_coarse();
        *self = next;
        Ok(if coarse {
            0
        } else {
            values(&self.geometry.stats).saturating_sub(before)
        })
    }

    /// Takes the place of a coarse session of the same figure and grids: all that a person did stays.
    pub fn succeed(&mut self, before: Session) {
        self.adopt(&before);
        (self.geometry.panels, self.geometry.bars) = (before.geometry.panels, before.geometry.bars);
        (self.state, self.waiting) = (before.state, before.waiting);
        self.state.arrive(&self.geometry);
    }

    /// The window is the same.
    fn adopt(&mut self, before: &Session) {
        self.resize(before.geometry.size, before.geometry.unit);
        // Until the next frame views are fitted to bodies as they were seen last.
        self.geometry
            .panels
            .iter_mut()
            .zip(&before.geometry.panels)
            .for_each(|(now, was)| now.body = was.body);
        self.times.clone_from(&before.times);
        self.damage.layout = true;
    }

    /// The window's size in pixels and its scale factor.
    pub fn resize(&mut self, size: PxSize, unit: f64) {
        if (size, unit) != (self.geometry.size, self.geometry.unit) {
            (self.geometry.size, self.geometry.unit) = (size, unit);
            self.damage.layout = true;
        }
    }

    /// Does what a command asks; gives what is to be done outside now. What needs all cells waits while the session is coarse.
    pub fn apply(&mut self, command: &Command) -> Option<Effect> {
        let outcome = self.state.apply(command, &self.geometry);
        self.damage |= outcome.damage;
        outcome.effect.and_then(|effect| self.defer(effect))
    }

    /// Whether a frame is due.
    pub fn is_damaged(&self) -> bool {
        self.damage.any()
    }

    /// Whether the last frame was one of a view that moves: [`Session::rest`] makes a better one due.
    pub fn is_moving(&self) -> bool {
        self.moved
    }

    /// The view rests: the next frame is whole.
    pub fn rest(&mut self) {
        if std::mem::take(&mut self.unrest) {
            self.rests = true;
            self.damage.view = true;
        }
    }

    /// What the state is asked about.
    pub fn geometry(&self) -> &WindowGeometry {
        &self.geometry
    }

    /// The state.
    pub fn state(&self) -> &ViewState {
        &self.state
    }

    /// The data, and the fonts that scenes are drawn with.
    pub fn materials(&mut self) -> (&[Grid], &mut Fonts) {
        (&self.geometry.grids, &mut self.fonts)
    }

    /// The view as it is when it rests, without the window's own marks, and its resolution: what is saved and copied.
    ///
    /// # Errors
    /// As [`Session::draw`], and while the session is coarse.
    pub fn picture(&mut self) -> Result<(Scene, f64), Error> {
        self.refuse_coarse()?;
        self.paint_at_rest()?;
        Ok((self.scene.clone(), 96.0 * self.geometry.unit))
    }

    /// Paints the view as it is when it rests; an error where it cannot be.
    fn paint_at_rest(&mut self) -> Result<(), Error> {
        if self.unrest || self.damage.any() {
            self.unrest = true;
            self.rest();
            self.draw(None)?;
        }
        match &self.trouble {
            Some(trouble) => Err(Error::Grid(trouble.clone())),
            None => Ok(()),
        }
    }

    /// The whole figure at its own size, in the colours of the window, and its resolution.
    ///
    /// # Errors
    /// As [`Session::picture`].
    pub fn whole(&mut self) -> Result<(Scene, f64), Error> {
        self.refuse_coarse()?;
        let mut figure = Figure::clone(&self.figure);
        self.state.overrides.apply_to(&mut figure, &self.scales_of());
        let prepared = prepare(&figure, &self.geometry.grids, &mut self.fonts, &mut Phases::new())?;
        Ok((prepared.scene, prepared.frame.dpi))
    }

    /// The value or the selection as lines of tab-separated values.
    ///
    /// # Errors
    /// Why there is nothing to copy.
    pub fn copied(&self) -> Result<String, String> {
        tsv(&self.geometry, &self.state)
    }

    /// Records that a file is still being read, and how far.
    pub fn reads(&mut self, progress: Option<(String, Option<f64>)>) {
        self.damage.overlay |= self.progress != progress;
        self.progress = progress;
    }

    /// Shows a message.
    pub fn say(&mut self, message: String) {
        self.state.message = Some(message);
        self.damage.overlay = true;
    }

    /// Records how many milliseconds the last frame took.
    pub fn took(&mut self, ms: f64) {
        self.times.push_back(ms);
        if self.times.len() > MOST_TIMES {
            self.times.pop_front();
        }
    }

    /// The name and the scale of each grid.
    fn scales_of(&self) -> Vec<(String, usize)> {
        self.geometry
            .grids
            .iter()
            .zip(&self.geometry.scale_of)
            .map(|(g, s)| (g.name.clone(), *s))
            .collect()
    }

    /// The figure's part of the window.
    fn canvas(&self) -> PxSize {
        let size = self.geometry.size;
        PxSize {
            w: size.w,
            h: size.h.saturating_sub(status_height(self.geometry.unit)).max(1),
        }
    }
}

/// All keys in their groups, as the overlay lists them.
fn key_groups() -> Vec<KeyGroup> {
    let mut out: Vec<KeyGroup> = Vec::new();
    for row in keys() {
        let line = (row.to_string(), row.text.to_owned());
        match out.last_mut() {
            Some((group, lines)) if group == row.group => lines.push(line),
            _ => out.push((row.group.to_owned(), vec![line])),
        }
    }
    out
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod arrival;
