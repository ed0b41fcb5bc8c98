//! A session: a figure and its data as explored in a window, and the scene of each frame.

mod data;
mod description;
mod resolved_figure;
mod frame;
mod deferral;

pub use data::Data;

use super::geometry::WindowGeometry;
use super::hud::{KeyGroup, status_height};
use super::input::keys;
use super::level::Level;
use super::readings::Readings;
use super::readout::{CopyError, tsv};
use super::state::{Command, Damage, Effect, ViewState};
use crate::coarse::Sample;
use crate::error::Error;
use crate::figure::Figure;
use crate::geom::PxSize;
use crate::grid::{Grid, ScanResult, Stats};
use crate::render::prepare;
use crate::resolve::Seen;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::timing::Phases;
use deferral::Moment;
use resolved_figure::ResolvedFigure;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// A figure and its data with the state of exploring them.
pub struct Session {
    /// The figure as the user described it.
    figure: Arc<Figure>,
    geometry: WindowGeometry,
    state: ViewState,
    fonts: Fonts,
    scans: Vec<ScanResult>,
    /// Summaries that replace the cells of huge grids while the view moves.
    levels: Vec<Option<Level>>,
    /// The few cells that are painted until all are read.
    sample: Option<Sample>,
    /// Effects that need all cells, each with what the window showed when it was requested.
    deferred: Vec<(Effect, Moment)>,
    damage: Damage,
    /// What was resolved for the last frame.
    shown: Option<ResolvedFigure>,
    /// The figure as painted last, without overlay; its items are the base of each frame.
    scene: Scene,
    /// The last frame was a simplified one, since the view moved.
    unrest: bool,
    /// Texts and histograms of the overlay.
    readings: Readings,
    /// A file that is still being read: its name and the share read.
    progress: Option<(String, Option<f64>)>,
    /// Automatic limits from the data so far.
    seen: Seen,
    /// The limits of the data before this session: automatic limits are no narrower.
    before: Seen,
    /// Limits of each scale that came from earlier data and that the current data alone would not produce.
    earlier: Vec<(Option<f64>, Option<f64>)>,
    /// The notice shown in place of a figure that cannot be drawn.
    trouble: Option<String>,
    /// The view has come to rest: the next frame is a full one.
    rests: bool,
    /// The last frame showed another view or other colours than the one before.
    moved: bool,
    /// Milliseconds that the last frames took.
    times: VecDeque<f64>,
    keys: Vec<KeyGroup>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("figure", &self.figure)
            .field("geometry", &self.geometry)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// The number of frames whose times are remembered.
const MOST_TIMES: usize = 120;

impl Session {
    /// A session for a window that has no size yet.
    ///
    /// # Errors
    /// When the figure cannot be drawn from its data.
    pub fn new(figure: Figure, data: Data, fonts: Fonts) -> Result<Self, Error> {
        Self::after(figure, data, fonts, Seen::new())
    }

    /// A figure whose data had these limits before.
    fn after(figure: Figure, data: Data, fonts: Fonts, before: Seen) -> Result<Self, Error> {
        let Data {
            grids,
            scans,
            levels,
            sample,
        } = data;
        let stats: Vec<Stats> = scans.iter().map(|d| d.stats.clone()).collect();
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
            scans,
            levels,
            sample,
            deferred: Vec::new(),
            damage,
            shown: None,
            scene,
            unrest: false,
            readings: Readings::default(),
            progress: None,
            seen: Seen::new(),
            before,
            earlier: Vec::new(),
            trouble: None,
            rests: true,
            moved: false,
            times: VecDeque::new(),
            keys: key_groups(),
        };
        // A figure that cannot be drawn even in a large window is refused at once.
        session.resize(PxSize { w: 4000, h: 3000 }, 1.0);
        session.resolve()?;
        Ok(session)
    }

    /// Replaces the data: views and limits that a person set stay, automatic limits only widen. Returns the
    /// number of new values, 0 if either session is coarse.
    ///
    /// # Errors
    /// As [`Session::new`]; the session then stays as it was.
    pub fn replace(&mut self, figure: Figure, data: Data) -> Result<u64, Error> {
        let values = |stats: &[Stats]| stats.iter().map(|s| s.values).sum::<u64>();
        let before = values(&self.geometry.stats);
        // If the new data are refused, the session must still have its fonts.
        let mut next = Self::after(figure, data, Fonts::new(), self.seen.clone())?;
        next.fonts = std::mem::take(&mut self.fonts);
        for (name, limits) in std::mem::take(&mut self.seen) {
            if next.seen.iter().all(|(n, _)| *n != name) {
                // The panel may return.
                next.seen.push((name, limits));
            }
        }
        next.adopt(self);
        next.state = std::mem::take(&mut self.state);
        next.state.follow(&self.geometry, &next.geometry);
        next.deferred = std::mem::take(&mut self.deferred);
        next.deferred
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

    /// Takes over the state of a coarse session of the same figure and grids.
    pub fn take_over(&mut self, before: Session) {
        self.adopt(&before);
        (self.geometry.panels, self.geometry.bars) = (before.geometry.panels, before.geometry.bars);
        (self.state, self.deferred) = (before.state, before.deferred);
        self.state.arrive(&self.geometry);
    }

    /// Takes over the window of an earlier session.
    fn adopt(&mut self, before: &Session) {
        self.resize(before.geometry.size, before.geometry.unit);
        // Until the next frame, views are fitted to the bodies as last painted.
        self.geometry
            .panels
            .iter_mut()
            .zip(&before.geometry.panels)
            .for_each(|(now, was)| now.body = was.body);
        self.times.clone_from(&before.times);
        self.damage.layout = true;
    }

    /// Sets the window's size in pixels and its scale factor.
    pub fn resize(&mut self, size: PxSize, unit: f64) {
        if (size, unit) != (self.geometry.size, self.geometry.unit) {
            (self.geometry.size, self.geometry.unit) = (size, unit);
            self.damage.layout = true;
        }
    }

    /// Applies a command, and returns the effect that the caller has to carry out now. An effect that needs
    /// all cells is held back while the session is coarse.
    pub fn apply(&mut self, command: &Command) -> Option<Effect> {
        let outcome = self.state.apply(command, &self.geometry);
        self.damage |= outcome.damage;
        outcome.effect.and_then(|effect| self.defer(effect))
    }

    /// Whether a frame is due.
    pub fn is_damaged(&self) -> bool {
        self.damage.any()
    }

    /// Whether the last frame was simplified because the view moved; after [`Session::rest`] a full one is
    /// due.
    pub fn is_moving(&self) -> bool {
        self.moved
    }

    /// Ends a movement of the view: the next frame is a full one.
    pub fn rest(&mut self) {
        if std::mem::take(&mut self.unrest) {
            self.rests = true;
            self.damage.view = true;
        }
    }

    /// Where everything is, as painted last.
    pub fn geometry(&self) -> &WindowGeometry {
        &self.geometry
    }

    /// The state that commands change.
    pub fn state(&self) -> &ViewState {
        &self.state
    }

    /// The grids and the fonts that scenes are drawn with.
    pub fn grids_and_fonts(&mut self) -> (&[Grid], &mut Fonts) {
        (&self.geometry.grids, &mut self.fonts)
    }

    /// The picture to save or copy: the view at rest without overlay, and its resolution in dots per inch.
    ///
    /// # Errors
    /// As [`Session::draw`], and while the session is coarse.
    pub fn picture(&mut self) -> Result<(Scene, f64), Error> {
        self.refuse_coarse()?;
        self.paint_at_rest()?;
        Ok((self.scene.clone(), 96.0 * self.geometry.unit))
    }

    /// Paints the view at rest.
    fn paint_at_rest(&mut self) -> Result<(), Error> {
        if self.unrest || self.damage.any() {
            self.unrest = true;
            self.rest();
            self.draw(None)?;
        }
        match &self.trouble {
            Some(trouble) => Err(Error::unavailable(trouble)),
            None => Ok(()),
        }
    }

    /// The whole figure at its own size, in the window's colours, and its resolution in dots per inch.
    ///
    /// # Errors
    /// As [`Session::picture`].
    pub fn whole_figure(&mut self) -> Result<(Scene, f64), Error> {
        self.refuse_coarse()?;
        let mut figure = Figure::clone(&self.figure);
        self.state.overrides.apply_to(&mut figure, &self.scales_of());
        let prepared = prepare(&figure, &self.geometry.grids, &mut self.fonts, &mut Phases::new())?;
        Ok((prepared.scene, prepared.frame.dpi))
    }

    /// The value under the pointer or the selection as tab-separated values.
    ///
    /// # Errors
    /// When there is nothing to copy, too much, or a source cannot be read.
    pub fn cells_as_tsv(&self) -> Result<String, CopyError> {
        tsv(&self.geometry, &self.state)
    }

    /// Records which file is still being read, and the share read (0 to 1).
    pub fn set_progress(&mut self, progress: Option<(String, Option<f64>)>) {
        self.damage.overlay |= self.progress != progress;
        self.progress = progress;
    }

    /// Shows a message.
    pub fn show_message(&mut self, message: String) {
        self.state.message = Some(message);
        self.damage.overlay = true;
    }

    /// Records how many milliseconds the last frame took.
    pub fn add_frame_time(&mut self, ms: f64) {
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
            .map(|(g, s)| (g.name().to_owned(), *s))
            .collect()
    }

    /// The size of the figure: the window without its status line.
    fn canvas(&self) -> PxSize {
        let size = self.geometry.size;
        PxSize {
            w: size.w,
            h: size.h.saturating_sub(status_height(self.geometry.unit)).max(1),
        }
    }
}

/// All keys, grouped as the overlay lists them.
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
