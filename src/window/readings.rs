//! Texts and histograms of the overlay, computed when first needed and reused until they change.

use super::distribution::{Memory, Weighted, values};
use super::geometry::{BarAt, ValueAxis, WindowGeometry};
use super::histogram::Histogram;
use super::hud::Counted;
use super::profile::{Profiles, profiles};
use super::readout::{
    BlockResult, LinkedCells, Table, Target, linked_cells, pointer_text, selection_text, table, target,
};
use super::state::{Selection, ViewState, WHEN_READ};
use super::task::{Task, Wake, threads};
use gridscope_core::geom::{Point, Rect};
use gridscope_core::grid::{BinCounts, SourceError, Summaries};
use gridscope_core::text::Measure;
use gridscope_draw::layout::PanelLayout;
use gridscope_draw::resolve::Colours;
use gridscope_draw::scene::Item;
use std::sync::Arc;

/// A body of fewer logical pixels a side has no mark of the linked cursor.
const LEAST_BODY: f64 = 24.0;
/// Statistics of up to this many cells are computed at once: that takes no longer than a frame.
const AT_ONCE: usize = 1 << 17;
/// Bins of a distribution.
const BINS: usize = 256;
/// Statistics of this many targets are remembered.
const KNOWN: usize = 16;

/// Cells of a scale being counted, or their counts.
#[derive(Debug)]
enum Counting {
    Task(Task<Option<Result<BinCounts, SourceError>>>),
    Known(Counted),
}

/// Texts and histograms over a figure.
#[derive(Debug, Default)]
pub(super) struct Readings {
    pointed: Option<(Point, String)>,
    selected: Option<(Selection, String)>,
    linked: Option<(Point, Vec<LinkedCells>)>,
    /// Statistics of some cells: being computed, or those that were shown last.
    asked: Option<(Target, Task<Option<BlockResult>>)>,
    known: Vec<(Target, BlockResult)>,
    /// Counts of the cells of a scale along an axis: being counted, or known.
    counting: Option<((usize, ValueAxis), Counting)>,
    /// Reductions under the pixels of each body, while the view rests and all cells are read.
    folded: Vec<Option<Arc<Summaries>>>,
    profiled: Option<(Point, Option<Profiles>)>,
    /// The profiles that were known last, for a view that moves over cells which are not read yet.
    profiles: Option<Profiles>,
    /// Rectangles that the figure has painted beside its bodies, once they were looked up.
    obstacles: Option<Vec<Rect>>,
    /// The panel that was last pointed at.
    panel: usize,
    /// Histograms of the values in view, one per scale, from when the view last came to rest.
    pub histograms: Vec<Option<Histogram>>,
    /// Some of the values that the histograms count, one list per scale.
    remembered: Vec<Vec<Weighted>>,
}

impl Readings {
    /// Forgets what belongs to the pointer: after a repaint other cells may be under it.
    pub(super) fn forget_pointer(&mut self) {
        (self.pointed, self.linked) = (None, None);
        (self.profiled, self.obstacles) = (None, None);
    }

    /// The view moves: what its pixels cover is not known until it rests.
    pub(super) fn move_on(&mut self) {
        self.folded.clear();
    }

    /// Reductions under the pixels of each body, where they are known.
    pub(super) fn folded(&self) -> &[Option<Arc<Summaries>>] {
        &self.folded
    }

    /// The profiles of the pointer, where the state asks for them.
    pub(super) fn profiles(&mut self, geometry: &WindowGeometry, state: &ViewState) -> Option<&Profiles> {
        let Some(at) = state.pointer.filter(|_| state.profiles) else {
            self.profiles = None;
            return None;
        };
        if self.profiled.as_ref().map(|p| p.0) != Some(at) {
            let now = profiles(geometry, &self.folded, geometry.reduce, at);
            match &now {
                Some(now) => self.profiles = Some(now.clone()),
                // Those of the view before stay, dimmed, until the cells of this one are read.
                None => self.profiles = self.profiles.take().and_then(|last| last.outdated(geometry, at)),
            }
            self.profiled = Some((at, now.or_else(|| self.profiles.clone())));
        }
        self.profiled.as_ref().and_then(|p| p.1.as_ref())
    }

    /// Rectangles that the figure has painted beside its bodies.
    pub(super) fn obstacles(&mut self, painted: &[Item], m: &mut dyn Measure) -> Vec<Rect> {
        let all = || painted.iter().filter_map(|item| obstacle(item, m)).collect();
        self.obstacles.get_or_insert_with(all).clone()
    }

    /// Texts of the pointer and of the selection.
    pub(super) fn texts(&mut self, geometry: &WindowGeometry, state: &ViewState) -> (&str, &str) {
        if self.pointed.as_ref().map(|p| p.0) != state.pointer {
            self.pointed = state.pointer.map(|at| (at, pointer_text(geometry, at)));
        }
        if self.selected.as_ref().map(|s| &s.0) != state.selection.as_ref() {
            self.selected = state.selection.as_ref().map(|s| (s.clone(), selection_text(geometry, s)));
        }
        (self.pointed.as_ref().map_or("", |p| &p.1), self.selected.as_ref().map_or("", |s| &s.1))
    }

    /// The cells of all panels that belong to the one under the pointer, where the cursor is linked.
    pub(super) fn linked(&mut self, geometry: &WindowGeometry, state: &ViewState) -> &[LinkedCells] {
        let at = state.pointer.filter(|_| state.linked_cursor);
        if self.linked.as_ref().map(|l| l.0) != at {
            let least = LEAST_BODY * geometry.logical_pixel();
            self.linked = at.map(|at| (at, linked_cells(geometry, at, least)));
        }
        self.linked.as_ref().map_or(&[], |l| &l.1)
    }

    /// The table of statistics that the state asks for; they are computed beside the window, which `wake` wakes.
    pub(super) fn statistics(
        &mut self,
        geometry: &WindowGeometry,
        state: &ViewState,
        wake: Option<&Wake>,
    ) -> Option<Table> {
        self.panel = pointed(geometry, state).unwrap_or(self.panel);
        let wanted = state.statistics.then(|| target(geometry, state, self.panel));
        let Some(wanted) = wanted.flatten() else {
            self.asked = None;
            return None;
        };
        if self.asked.as_ref().is_some_and(|a| a.0 != wanted) {
            self.asked = None;
        }
        if !self.known.iter().any(|k| k.0 == wanted) && self.asked.is_none() {
            let (rows, columns) = wanted.block.clone();
            let (grids, panel) = (geometry.grids.clone(), wanted.panel);
            let at_once = rows.len() * columns.len() <= AT_ONCE && grids[panel].is_loaded();
            let work = move |goes_on: &(dyn Fn() -> bool + Sync)| {
                grids[panel].block_statistics(rows, columns, threads(), goes_on).transpose()
            };
            self.asked = Some((wanted.clone(), Task::start(wake.filter(|_| !at_once), work)));
        }
        self.collect();
        let found = self.known.iter().find(|k| k.0 == wanted).map(|k| &k.1);
        table(geometry, &wanted, found)
    }

    /// The counts of the distribution; they are computed beside the window, which `wake` wakes.
    pub(super) fn counted(&mut self, geometry: &WindowGeometry, wake: Option<&Wake>) -> Counted {
        let Some(d) = &geometry.distribution else {
            self.counting = None;
            return Counted::Counting;
        };
        if geometry.coarse {
            return Counted::Not(format!("counted {WHEN_READ}"));
        }
        let key = (d.scale, d.axis.clone());
        if self.counting.as_ref().is_none_or(|c| c.0 != key) {
            let of = geometry.scale_of.iter().enumerate();
            let members: Vec<usize> = of.filter(|(_, s)| **s == d.scale).map(|(i, _)| i).collect();
            let (grids, edges) = (geometry.grids.clone(), d.axis.edges(BINS));
            let cells: usize = members.iter().map(|i| grids[*i].len()).sum();
            let at_once = cells <= AT_ONCE && members.iter().all(|i| grids[*i].is_loaded());
            let work = move |goes_on: &(dyn Fn() -> bool + Sync)| {
                let mut all = BinCounts::default();
                for i in members {
                    match grids[i].bin_counts(&edges, threads(), goes_on) {
                        Ok(Some(own)) => all.merge(&own),
                        Ok(None) => return None,
                        Err(e) => return Some(Err(e)),
                    }
                }
                Some(Ok(all))
            };
            let task = Task::start(wake.filter(|_| !at_once), work);
            self.counting = Some((key, Counting::Task(task)));
        }
        self.collect_counts();
        match &self.counting {
            Some((_, Counting::Known(known))) => known.clone(),
            _ => Counted::Counting,
        }
    }

    fn collect_counts(&mut self) -> bool {
        let Some((_, counting)) = &mut self.counting else {
            return false;
        };
        let Counting::Task(task) = counting else {
            return false;
        };
        let Some(found) = task.take().flatten() else {
            return false;
        };
        *counting = Counting::Known(match found {
            Ok(bins) => Counted::Bins(bins),
            Err(e) => Counted::Not(e.to_string()),
        });
        true
    }

    /// Whether something is being computed.
    pub(super) fn is_computing(&self) -> bool {
        self.asked.is_some() || matches!(self.counting, Some((_, Counting::Task(_))))
    }

    /// Takes up what was computed beside the window; returns whether there was anything.
    pub(super) fn collect(&mut self) -> bool {
        let counted = self.collect_counts();
        let found = self.asked.as_mut().and_then(|(_, task)| task.take()).flatten();
        let Some((found, (target, _))) = found.and_then(|f| Some((f, self.asked.take()?))) else {
            return counted;
        };
        if self.known.len() == KNOWN {
            drop(self.known.remove(0));
        }
        self.known.push((target, found));
        true
    }

    /// Counts the cells in view along each bar; `first`: which grid the first of `panels` shows.
    pub(super) fn count(
        &mut self,
        geometry: &WindowGeometry,
        panels: &[PanelLayout],
        first: usize,
        colours: &Colours,
        folded: &[Option<Arc<Summaries>>],
    ) {
        let of = |(b, bar): (usize, &Option<BarAt>)| {
            let (bar, scale) = (bar.as_ref()?, &colours.bars.get(b)?.scale);
            let members = (first..first + panels.len()).filter(|i| geometry.scale_of.get(*i) == Some(&b));
            let all = members.flat_map(|i| {
                values(
                    &geometry.grids[i],
                    &panels[i - first],
                    colours.panels[i].reduce,
                    colours.panels[i].centre,
                    folded[i].as_deref(),
                )
            });
            let bins = Histogram::bins_of(bar, geometry.unit);
            let mut memory = Memory::new();
            let histogram = Histogram::new(scale, bins, all.inspect(|v| memory.take(*v)));
            Some((histogram, memory.values()))
        };
        self.folded = if geometry.coarse { Vec::new() } else { folded.to_vec() };
        let counted: Vec<_> = geometry.bars.iter().enumerate().map(of).collect();
        (self.histograms, self.remembered) =
            counted.into_iter().map(|c| c.map_or((None, Vec::new()), |(h, some)| (Some(h), some))).unzip();
    }

    /// Records what the pixels of a panel cover that is shown beside the large one.
    pub(super) fn know(&mut self, panel: usize, covered: Option<Arc<Summaries>>) {
        if let Some(known) = self.folded.get_mut(panel) {
            *known = covered;
        }
    }

    /// Counts the remembered values along each bar, whose limits change while the view stays.
    pub(super) fn follow(&mut self, geometry: &WindowGeometry, colours: &Colours) {
        for (b, histogram) in self.histograms.iter_mut().enumerate() {
            let bar = geometry.bars.get(b).and_then(Option::as_ref);
            if let (Some(h), Some(bar), Some(made), Some(some)) =
                (histogram, bar, colours.bars.get(b), self.remembered.get(b))
            {
                let bins = Histogram::bins_of(bar, geometry.unit);
                *h = Histogram::new(&made.scale, bins, some.iter().copied());
            }
        }
    }
}

/// Where something other than a body is painted.
fn obstacle(item: &Item, m: &mut dyn Measure) -> Option<Rect> {
    let around = |points: &[Point]| {
        let first = Rect::new(points.first()?.x, points.first()?.y, 0.0, 0.0);
        let grow = |r: Rect, p: &Point| r.union(&Rect::new(p.x, p.y, 0.0, 0.0));
        Some(points.iter().fold(first, grow))
    };
    match item {
        Item::Rect { rect, .. } => Some(*rect),
        Item::Line { from, to, width, .. } => around(&[*from, *to]).map(|r| r.grown(*width)),
        Item::Polygon { points, .. } => around(points),
        Item::Text { text, font_size, at, degrees, .. } => {
            let size = m.size(text, *font_size);
            let (sin, cos) = f64::from(*degrees).to_radians().sin_cos();
            let corner =
                |(x, y): (f64, f64)| Point { x: at.x + x * cos + y * sin, y: at.y - x * sin + y * cos };
            let (top, bottom) = (-size.ascent, size.height() - size.ascent);
            around(&[(0.0, top), (size.width, top), (0.0, bottom), (size.width, bottom)].map(corner))
        }
        Item::Cells(_) | Item::Ramp { .. } => None,
    }
}

/// The panel under the pointer, by its body or an axis.
fn pointed(geometry: &WindowGeometry, state: &ViewState) -> Option<usize> {
    geometry.hit(state.pointer?).panel()
}

#[cfg(test)]
mod tests;
