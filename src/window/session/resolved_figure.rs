//! A figure resolved and laid out for the window's size.

use super::Session;
use super::room::panels;
use crate::state::ViewState;
use gridscope_core::figure::{Annotate, Figure, Reduce, Ticks, TicksWord};
use gridscope_core::grid::{Grid, LineSummary, MarginRequest, ScanResult, State, Stats};
use gridscope_core::scale::AutoLimits;
use gridscope_draw::coarse::Sample;
use gridscope_draw::error::Error;
use gridscope_draw::layout::Plan;
use gridscope_draw::resolve::{
    Colours, Folded, Frame, NOT_COUNTED, Overrides, ResolveError, frame, keyed_states, limits,
    margin_request, name_reductions, scales, states_of,
};
use std::sync::Arc;

/// A resolved figure; what a frame does not change is reused from the previous one.
pub(super) struct ResolvedFigure {
    /// The figure as the user described it.
    pub figure: Arc<Figure>,
    pub frame: Frame,
    pub plan: Plan,
    pub colours: Option<Colours>,
    /// All panels showed the same part.
    pub linked: bool,
}

impl Session {
    /// Resolves figure and layout if anything has changed.
    pub(super) fn resolve(&mut self) -> Result<(), Error> {
        if self.shown.is_some() && !self.damage.layout && !self.damage.colors {
            return Ok(());
        }
        if self.damage.layout {
            // A bar that is held would no longer be beside its body.
            self.holds = false;
            self.state.release_hold();
        }
        let holds = self.state.held_bar().is_some();
        let first = self.geometry.panels.is_empty() && self.state.views.is_empty();
        let mut frame = self.frame_with(&self.overrides())?;
        self.geometry.large = frame.only;
        self.sum_up(margin_request(&frame.tracks))?;
        // Counts of cells beyond limits take room in the layout, which bars without limits leave to others.
        let clips = |f: &Frame| -> Vec<_> { f.bars.iter().map(|b| (b.clips, b.title())).collect() };
        let linked = self.is_linked();
        let before = self.shown.take().filter(|s| {
            !self.damage.layout && s.linked == linked && (holds || clips(&s.frame) == clips(&frame))
        });
        let reused = before.map(|s| s.plan);
        let plan = match reused {
            Some(plan) => plan,
            None => Plan::new(&frame, &mut self.fonts)?,
        };
        self.geometry.scale_of = frame.panels.iter().map(|p| p.scale).collect();
        self.geometry.reduce = frame.reduce;
        self.geometry.annotations = !matches!(frame.annotate, Annotate::Off);
        if self.geometry.coarse {
            // Values would be written over colours of other cells.
            frame.annotate = Annotate::Off;
        }
        self.geometry.theme = self.overrides().theme.or(self.figure.theme).unwrap_or_default();
        self.geometry.borders = frame.cell_lines.is_some();
        self.geometry.labels = [&frame.x, &frame.y].iter().any(|a| a.ticks != Ticks::Word(TicksWord::None));
        // Cells of another shape keep it where both axes zoom alike.
        self.geometry.square = frame.square && frame.aspect == 1.0;
        self.shown = Some(ResolvedFigure { figure: self.figure.clone(), frame, plan, colours: None, linked });
        if first {
            self.open()?;
        }
        Ok(())
    }

    /// The figure with these changes, resolved.
    pub(super) fn frame_with(&self, changes: &Overrides) -> Result<Frame, ResolveError> {
        let grids = &self.geometry.grids;
        let mut frame = frame(&self.figure, changes, grids)?;
        let held = |(d, g): (&ScanResult, &Grid)| keyed_states(&self.figure, g, d.stats.states_held());
        let held: Vec<u8> = self.scans.iter().zip(grids.iter()).map(held).collect();
        let any = |panels: &[u8]| panels.iter().fold(0, |all, s| all | s);
        let (states, of_all) = (any(&held[frame.drawn_panels()]), any(&held));
        let reduce = frame.reduce;
        name_reductions(&mut frame.bars, grids, reduce, None);
        // A few cells may lack states that occur in the source.
        let met = |states: &[State]| match self.geometry.coarse {
            true => states.iter().fold(0u8, |all, s| all | 1 << s.index()),
            false => 0,
        };
        frame.states_of_all = states_of(of_all | met(&frame.states_of_all));
        frame.states = states_of(states | met(&frame.states));
        Ok(frame)
    }

    /// Sums up rows and columns for margins, in another pass, unless that was done. A few cells of a grid have no margins.
    fn sum_up(&mut self, wanted: MarginRequest) -> Result<(), Error> {
        let lacks = |is_wanted: bool, lines: &[LineSummary]| is_wanted && lines.is_empty();
        let is_open = |scan: &ScanResult| {
            lacks(wanted.rows, &scan.margins.rows) || lacks(wanted.columns, &scan.margins.columns)
        };
        let is_open = self.sample.is_none() && self.scans.iter().any(is_open);
        if is_open && !self.defers() {
            return Ok(self.sum_now(wanted)?);
        }
        self.sum_later(is_open.then_some(wanted));
        Ok(())
    }

    /// Records the figure's automatic limits, and which of them the current data alone would not produce.
    fn automatic(&mut self, colours: &Colours) {
        let grids = &self.geometry.grids;
        let frame_bars = self.shown.as_ref().map_or(&[][..], |s| s.frame.bars.as_slice());
        let c = &self.figure.color;
        let is_automatic = |i: usize| {
            let scale = self.geometry.scale_of.get(i).copied();
            let made = scale.and_then(|s| frame_bars.get(s).zip(colours.bars.get(s)));
            made.is_some_and(|(frame, bar)| !bar.empty && !frame.names_limit())
        };
        let all = limits(grids, colours).into_iter().enumerate();
        self.seen = all.filter(|(i, _)| is_automatic(*i)).map(|(_, l)| l).collect();
        // Percentiles are not known here: then both limits are recorded.
        let plain = c.robust != Some(true) && self.figure.panels.values().all(|p| p.robust != Some(true));
        let remembers = !self.before.is_empty();
        let limits_of = |(s, bar): (usize, &gridscope_draw::resolve::Bar)| {
            let spec = bar.scale.spec();
            let fixed = !matches!(spec.norm.traits().limits, AutoLimits::Data | AutoLimits::Positive);
            let members = self
                .geometry
                .stats
                .iter()
                .zip(&self.geometry.scale_of)
                .filter(|(_, of)| **of == s)
                .map(|(stats, _)| stats);
            let range = members.filter_map(Stats::range).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
            let (Some(range), true, false) = (range, remembers, fixed) else {
                return (None, None);
            };
            (
                Some(spec.vmin).filter(|v| !plain || *v < range.0),
                Some(spec.vmax).filter(|v| !plain || *v > range.1),
            )
        };
        self.earlier = colours.bars.iter().enumerate().map(limits_of).collect();
    }

    /// Keeps the counts beyond the limits for the next frame, which then reads no cell again.
    pub(super) fn remember_counts(&mut self, colours: &Colours) {
        if colours.reduce == Reduce::Count {
            return;
        }
        for (scan, panel) in self.scans.iter_mut().zip(&colours.panels) {
            let spec = panel.scale.spec();
            let sides = [(spec.vmin, panel.below), (spec.vmax, panel.above)];
            scan.beyond = sides.map(|side| Some(side).filter(|(_, count)| *count != NOT_COUNTED));
        }
    }

    /// Sets the first state: the figure's views, else all data.
    fn open(&mut self) -> Result<(), Error> {
        let (room, later) = (self.room(), self.defers());
        let Some(shown) = &mut self.shown else {
            return Ok(());
        };
        let large = shown.frame.only;
        let parts: Vec<_> = shown.frame.panels.iter().map(|p| (p.part_x, p.part_y)).collect();
        let layout = shown.plan.layout(&shown.frame, &mut self.fonts);
        self.geometry.panels = panels(&shown.frame, &layout, room);
        let folded: Vec<Folded<'_>> = self
            .scans
            .iter()
            .map(|scan| Folded { scan, summaries: None, body: None, strips: None, later })
            .collect();
        let cells = self.sample.as_ref().map_or(self.geometry.grids.as_slice(), Sample::grids);
        let colours = scales(&shown.figure, &shown.frame, cells, &folded)?;
        self.geometry.scales = colours.bars.iter().map(|b| b.scale.clone()).collect();
        if self.sample.is_none() {
            // Limits of a few cells are not limits of the data.
            self.automatic(&colours);
            self.remember_counts(&colours);
        }
        let square = self.geometry.square;
        self.state = ViewState::new(&self.geometry);
        self.state.large = large;
        if self.geometry.compares {
            let message = self.sides_text();
            self.show_message(message);
        }
        // If the figure has square cells, zooming preserves them.
        self.state.overrides.square = square.then_some(true);
        self.state.refit(&self.geometry);
        self.state.open_parts(&parts);
        // The overrides now contain the views.
        self.shown = None;
        self.damage.layout = true;
        self.resolve()
    }
}
