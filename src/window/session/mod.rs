//! A session: a figure and its data as explored in a window, and the scene of each frame.

mod data;
mod description;
mod resolved_figure;
mod comparing;
mod frame;
mod room;
mod minimap;
mod sorting;
mod deferral;
mod messages;
mod slices;
mod tracing;
mod slow;
mod too_small;
mod novelty;
mod reread;

pub use data::Data;
pub use novelty::Novelty;
pub use slices::{SliceRange, SliceWish};
pub use tracing::{TracePart, TraceWish};

pub(super) use tracing::Trace;

use super::geometry::{WindowGeometry, compares};
use super::hud::KeyGroup;
use super::levels::Levels;
use super::prompt::{Folder, complete, goes_through};
use super::readings::Readings;
use super::script::ScriptLine;
use super::scroll::Scroll;
use super::state::{Command, Damage, Effect, Entry, LineOrder, Typing, ViewState};
use super::task::Wake;
use deferral::Moment;
use frame::DeviceShare;
use gridscope_core::figure::Figure;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, ScanResult, Stats};
use gridscope_core::text::Fonts;
use gridscope_draw::coarse::Sample;
use gridscope_draw::error::Error;
use gridscope_draw::resolve::Seen;
use gridscope_draw::scene::{Item, Scene};
use messages::key_list;
use minimap::{Overview, Thumbnails};
use resolved_figure::ResolvedFigure;
use slices::AllSlices;
use sorting::Unsorted;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use tracing::Traces;

/// A figure and its data with the state of exploring them.
pub struct Session {
    /// The figure as the user described it.
    figure: Arc<Figure>,
    geometry: WindowGeometry,
    state: ViewState,
    fonts: Fonts,
    scans: Vec<ScanResult>,
    /// Summaries that replace the cells of huge grids while the view moves.
    levels: Vec<Option<Levels>>,
    /// Folds of each grid in the last picture of a moving view.
    scrolls: Vec<Option<Scroll>>,
    /// The few cells that are painted until all are read.
    sample: Option<Sample>,
    /// Effects that need all cells, each with the picture of the window when it was requested.
    deferred: Vec<(Effect, Moment)>,
    /// The files that the prompt offers.
    folder: Folder,
    /// Lines of the prompt whose steps need a window.
    lines: Vec<ScriptLine>,
    damage: Damage,
    /// The figure as it was resolved for the last frame.
    shown: Option<ResolvedFigure>,
    /// The figure as painted last, without overlay; its items are the base of each frame.
    scene: Scene,
    /// Its items where the window has them.
    base: Arc<Vec<Item>>,
    /// The other side of a large panel, in the same body, where the window has it.
    other: Arc<Vec<Item>>,
    /// The cells of the minimap as they were folded last.
    overview: Option<Overview>,
    /// The command that asked for other files or flags, or for a file to be saved.
    file: Option<Command>,
    /// Order from before a command sorted.
    unsorted: Option<Unsorted>,
    /// The grids were sorted anew.
    sorted: bool,
    /// The next frame is a picture on its own page, which a window does not show through.
    paper: bool,
    /// The last frame was a simplified one, since the view moved.
    unrest: bool,
    /// Share of a device in the frames.
    device: DeviceShare,
    /// Texts and histograms of the overlay.
    readings: Readings,
    thumbnails: Thumbnails,
    /// Wakes who draws this session when something was computed beside it; without one, nothing is.
    wake: Option<Wake>,
    /// A file that is still being read: its name and the share read.
    progress: Option<(String, Option<f64>)>,
    /// A colour bar stays in its place while its limits are dragged.
    holds: bool,
    /// Lasting message, such as that a watched file is gone.
    standing: Option<String>,
    /// Automatic limits from the data so far.
    seen: Seen,
    /// The limits of the data before this session: automatic limits are no narrower.
    before: Seen,
    /// Limits of each scale that came from earlier data and that the current data alone would not produce.
    earlier: Vec<(Option<f64>, Option<f64>)>,
    /// The notice shown in place of a figure that cannot be drawn.
    trouble: Option<String>,
    /// Work on all cells beside the session.
    slow: slow::Slow,
    /// Other slices of the arrays can be read.
    has_slices: bool,
    /// Limits of all slices.
    all_slices: AllSlices,
    /// Values of a cell in all slices.
    traces: Traces,
    /// The slice that is wanted has been awaited for long.
    is_late: bool,
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

impl Session {
    /// A session for a window that has no size yet.
    ///
    /// # Errors
    /// When the figure cannot be drawn from its data.
    pub fn new(figure: Figure, data: Data, fonts: Fonts) -> Result<Self, Error> {
        Self::after(figure, data, fonts, Seen::new(), None)
    }

    /// A figure whose data had these limits before, in the window of another session.
    fn after(
        figure: Figure,
        data: Data,
        fonts: Fonts,
        before: Seen,
        window: Option<&Self>,
    ) -> Result<Self, Error> {
        let Data { grids, scans, levels, sample } = data;
        let stats: Vec<Stats> = scans.iter().map(|d| d.stats.clone()).collect();
        let coarse = sample.is_some();
        let geometry = WindowGeometry {
            stats: Arc::new(stats),
            unit: 1.0,
            compares: figure.data.against.is_some() && compares(&grids),
            grids,
            coarse,
            ..WindowGeometry::default()
        };
        let scene = Scene::new(PxSize { w: 0, h: 0 }, None, Vec::new());
        let (state, damage) = (ViewState::default(), Damage { layout: true, ..Damage::default() });
        let mut session = Self {
            figure: Arc::new(figure),
            geometry,
            state,
            fonts,
            scans,
            scrolls: levels.iter().map(|_| None).collect(),
            levels,
            sample,
            deferred: Vec::new(),
            folder: Folder::default(),
            lines: Vec::new(),
            damage,
            shown: None,
            scene,
            base: Arc::default(),
            other: Arc::default(),
            overview: None,
            file: None,
            unsorted: None,
            sorted: false,
            paper: false,
            unrest: false,
            device: DeviceShare::default(),
            readings: Readings::default(),
            thumbnails: Thumbnails::default(),
            wake: window.and_then(|window| window.wake.clone()),
            progress: None,
            holds: false,
            standing: None,
            seen: Seen::new(),
            before,
            earlier: Vec::new(),
            trouble: None,
            slow: slow::Slow::new(window.is_some_and(|window| window.slow.is_patient)),
            has_slices: false,
            all_slices: AllSlices::default(),
            traces: Traces::default(),
            is_late: false,
            rests: true,
            moved: false,
            times: VecDeque::new(),
            keys: key_list(),
        };
        // A figure that cannot be drawn even in a large window is refused at once.
        session.resize(PxSize { w: 4000, h: 3000 }, 1.0);
        session.resolve()?;
        Ok(session)
    }

    /// Replaces the data: views and limits that a person set stay, automatic limits only widen. Returns what is new.
    ///
    /// # Errors
    /// As [`Session::new`]; the session then stays as it was.
    pub fn replace(&mut self, figure: Figure, data: Data) -> Result<Novelty, Error> {
        let before = self.geometry.clone();
        let seen = self.seen.clone();
        self.forget_limits();
        self.traces.forget();
        self.exchange(figure, data, seen)?;
        Ok(Novelty::between(&before, &self.geometry))
    }

    /// Replaces the data by others whose automatic limits are no narrower than `seen`.
    ///
    /// # Errors
    /// As [`Session::replace`].
    fn exchange(&mut self, figure: Figure, data: Data, seen: Seen) -> Result<(), Error> {
        // If the new data are refused, the session must still have its fonts.
        let mut next = Self::after(figure, data, Fonts::new(), seen, Some(self))?;
        (next.has_slices, next.all_slices) = (self.has_slices, self.all_slices.clone());
        next.traces = std::mem::take(&mut self.traces);
        next.list_slices();
        next.fonts = std::mem::take(&mut self.fonts);
        for (name, limits) in std::mem::take(&mut self.seen) {
            if next.seen.iter().all(|(n, _)| *n != name) {
                // The panel may return.
                next.seen.push((name, limits));
            }
        }
        next.adopt(self);
        next.progress = self.progress.take();
        (next.standing, next.state) = (self.standing.take(), std::mem::take(&mut self.state));
        // Other data come in their own order.
        next.state.order = LineOrder::default();
        next.state.follow(&self.geometry, &next.geometry);
        next.lines = std::mem::take(&mut self.lines);
        next.deferred = std::mem::take(&mut self.deferred);
        next.deferred.iter_mut().for_each(|(_, then)| then.follow(&self.geometry, &next.geometry));
        let waiting = std::mem::take(&mut self.slow.waiting);
        next.slow.coming = self.slow.coming.take();
        *self = next;
        // Commands that waited for cells of the data before.
        self.apply_again(waiting);
        Ok(())
    }

    /// Takes over the window of an earlier session.
    fn adopt(&mut self, before: &Session) {
        self.resize(before.geometry.size, before.geometry.unit);
        // Until the next frame, views are fitted to the bodies as last painted, and commands mean what is seen.
        self.geometry.keep_places(&before.geometry);
        self.times.clone_from(&before.times);
        self.slow.is_patient = before.slow.is_patient;
        self.wake.clone_from(&before.wake);
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
        match command {
            Command::Type(Typing::Enter { .. }) if self.state.typed(Entry::Prompt).is_some() => {
                return self.enter_prompt();
            }
            Command::Type(Typing::Complete { back }) => {
                self.damage |= complete(&mut self.state, *back, &self.geometry, &self.folder);
                return None;
            }
            Command::Type(Typing::Recall { older }) if goes_through(&self.state, *older) => {
                self.damage |= complete(&mut self.state, *older, &self.geometry, &self.folder);
                return None;
            }
            _ => {}
        }
        self.prepare(command);
        let before = self.before(command);
        self.geometry.defers = before.is_some();
        let outcome = self.state.apply(command, &self.geometry);
        if self.puts_off(command, outcome.damage, before) {
            return None;
        }
        self.damage |= outcome.damage;
        self.settle_order();
        self.settle_bar();
        self.settle_limits();
        outcome.effect.and_then(|effect| self.defer(effect))
    }

    /// From now on what takes long is computed beside the session, and `wake` is called when there is a result for
    /// [`Session::collect`].
    pub(crate) fn set_wake(&mut self, wake: Wake) {
        self.wake = Some(wake);
    }

    /// Takes up results that were computed beside the session.
    pub(crate) fn collect(&mut self) {
        self.damage.overlay |= self.readings.collect();
        self.collect_slow();
    }

    /// Whether something of what is shown is still being read, or computed beside the session.
    pub(crate) fn is_computing(&self) -> bool {
        let comes = self.progress.is_some() || self.slow.coming.is_some() || self.trace_to_read().is_some();
        self.readings.is_computing() || comes || self.wants_limits() || self.awaits_cells()
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
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod bodies;

#[cfg(test)]
mod on_device;

#[cfg(test)]
mod large_tests;

#[cfg(test)]
mod arrival;

#[cfg(test)]
mod beside;

#[cfg(test)]
mod undoing;

#[cfg(test)]
mod any_moment;

#[cfg(test)]
mod thirty_actions;
