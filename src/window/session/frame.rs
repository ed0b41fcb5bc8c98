//! A frame: the figure with the current view, where the pixels of each body come from, and the overlay on top.

use super::Session;
use super::resolved_figure::ResolvedFigure;
use super::room::{bars, panels, titles};
use crate::device_folds::DeviceFolds;
use crate::geometry::WindowGeometry;
use crate::hud::{FrameTimes, OverlayInput, Progress, key_lines, overlay};
use crate::prompt::help;
use crate::readout::view_text;
use crate::scroll::Scroll;
use crate::state::Damage;
use gridscope_core::figure::{Figure, Reduce, Toggle};
use gridscope_core::geom::Rect;
use gridscope_core::grid::{Grid, Stats, Summaries};
use gridscope_core::scale::percentiles;
use gridscope_draw::body::Body;
use gridscope_draw::coarse::Sample;
use gridscope_draw::error::Error;
use gridscope_draw::layout::{Layout, PanelLayout};
use gridscope_draw::marking::{MarkingRequest, PanelMarking, marking};
use gridscope_draw::resolve::{Colours, Folded, Frame, Palette, ResolveError, notes, rings, scales};
use gridscope_draw::scene::{Content, Item, Scene, compose};
use std::sync::{Arc, Weak};

/// Said where automatic limits are those of all slices.
const ALL_SLICES: &str = " · limits of all slices";

impl Session {
    /// The scene of the whole window, overlay included. With a `device`, it folds the bodies of grids of f32 as it paints them.
    /// While the view moves, the frame lacks what only a view at rest shows; with a device, until
    /// [`Session::summaries_arrived`].
    ///
    /// # Errors
    /// When a source cannot be read.
    pub fn draw(&mut self, device: Option<&mut (dyn DeviceFolds + '_)>) -> Result<Scene, Error> {
        self.change_device(device.is_some());
        let damage = std::mem::take(&mut self.damage);
        let anew = damage.view || damage.colors || damage.layout;
        let moves = anew && !std::mem::take(&mut self.rests);
        self.moved = moves;
        if anew {
            self.furnish();
            self.damage = damage;
            let done = self.resolve().and_then(|()| self.paint(moves, device));
            self.damage = Damage::default();
            match done {
                Ok(()) => (self.unrest, self.trouble) = (moves, None),
                // A window that is too small for the labels shows a notice, and may grow again.
                Err(Error::Figure(
                    e @ (ResolveError::Size(_) | ResolveError::Small { .. } | ResolveError::Dpi(_)),
                )) => {
                    let why = self.too_small(&e);
                    self.fail(why);
                }
                Err(e) => {
                    self.fail(e.to_string());
                    return Err(e);
                }
            }
        }
        self.geometry.strip = self.strip();
        let items = self.overlay(anew);
        Ok(Scene {
            size: self.geometry.size,
            background: Some(self.palette().background),
            base: Arc::clone(&self.base),
            inset: self.inset(),
            items,
        })
    }

    /// Clears the figure until something changes, since an outdated one would be misleading.
    fn fail(&mut self, why: String) {
        self.trouble = Some(why);
        self.shown = None;
        (self.scene.base, self.base, self.other) = Default::default();
    }

    /// The items over the figure; `repainted`: the figure has just been painted.
    fn overlay(&mut self, repainted: bool) -> Vec<Item> {
        if repainted {
            self.readings.forget_pointer();
        }
        self.geometry.sliders = self.geometry.place_sliders(self.state.slices.chosen);
        self.place_divider();
        self.furnish_menu();
        let minimap = self.minimap();
        let palette = self.palette();
        let held = self.state.held_axis();
        let wanted = self.state.distribution;
        self.geometry.distribution = wanted.and_then(|s| self.geometry.place_distribution(s, held));
        let counted = self.readings.counted(&self.geometry, self.wake.as_ref());
        let view = view_text(&self.geometry, &self.state, self.geometry.reduce);
        let (pointer, selection) = self.readings.texts(&self.geometry, &self.state);
        let (pointer, selection) = (pointer.to_owned(), selection.to_owned());
        let strip = self.geometry.strip.clone();
        let (thumbs, waits) = strip.map_or_else(Default::default, |s| self.thumbnails(&s));
        self.damage.overlay |= waits;
        let linked = self.readings.linked(&self.geometry, &self.state).to_vec();
        let statistics = self.readings.statistics(&self.geometry, &self.state, self.wake.as_ref());
        self.follow_trace();
        let trace = self.traces.shown();
        let shows_strips = self.readings.profiles(&self.geometry, &self.state).is_some() || trace.is_some();
        let obstacles = match shows_strips {
            true => self.readings.obstacles(&self.base, &mut self.fonts),
            false => Vec::new(),
        };
        let profiles = self.readings.profiles(&self.geometry, &self.state).cloned();
        if self.state.keys {
            let room = key_lines(&self.keys, &self.geometry, &mut self.fonts);
            self.state.scroll.set_room(room);
        }
        let prompt = help(&self.state, &self.geometry, &self.folder);
        let late = self.late_slice();
        let of_all = if self.shows_all_limits() { ALL_SLICES } else { "" };
        let view = format!("{view}{of_all}");
        let input = OverlayInput {
            geometry: &self.geometry,
            state: &self.state,
            palette,
            em: self.shown.as_ref().map_or(12.0 * self.geometry.unit, |s| s.frame.font_size),
            pointer: &pointer,
            selection: &selection,
            linked: &linked,
            thumbs: &thumbs,
            view: &view,
            progress: self
                .progress
                .as_ref()
                .map(|(file, share)| Progress { file, share: *share })
                .or_else(|| late.as_deref().map(|file| Progress { file, share: None })),
            standing: self.standing.as_deref(),
            times: self.spread(),
            statistics: statistics.as_ref(),
            profiles: profiles.as_ref(),
            trace,
            counted: &counted,
            obstacles: &obstacles,
            histograms: &self.readings.histograms,
            minimap: minimap.as_ref(),
            notice: self.trouble.as_deref(),
            prompt: prompt.as_ref(),
            keys: &self.keys,
        };
        overlay(&input, &mut self.fonts)
    }

    /// Statistics of the last frames' times.
    fn spread(&self) -> Option<FrameTimes> {
        let mut times: Vec<f64> = self.times.iter().copied().collect();
        let [median, p95] = percentiles(&mut times, &[50.0, 95.0]).try_into().ok()?;
        Some(FrameTimes { median, p95, frames: self.times.len() })
    }

    fn palette(&self) -> Palette {
        let page = self.figure.background.as_deref().copied();
        let own = || Palette::on(self.state.overrides.theme.or(self.figure.theme), page);
        self.shown.as_ref().map_or_else(own, |s| s.frame.palette)
    }

    /// The layout of the current views. If `settles`, the views may be refitted: square cells stay square in
    /// bodies of another shape.
    pub(super) fn lay_out(&mut self, mut settles: bool) -> Option<Layout> {
        let room = self.room();
        let shown = self.shown.as_mut()?;
        loop {
            for (panel, view) in shown.frame.panels.iter_mut().zip(&self.state.views) {
                (panel.part_x, panel.part_y) = (Some(view.x), Some(view.y));
            }
            let layout = shown.plan.layout(&shown.frame, &mut self.fonts);
            self.geometry.panels = panels(&shown.frame, &layout, room);
            self.geometry.titles = titles(&shown.frame, &layout, room);
            if !settles || !self.state.refit(&self.geometry).view {
                self.state.laid_out();
                return Some(layout);
            }
            settles = false;
        }
    }

    /// Paints the figure, and the other side of a large panel.
    fn paint(&mut self, moves: bool, mut device: Option<&mut (dyn DeviceFolds + '_)>) -> Result<(), Error> {
        let room = self.room();
        let Some(mut layout) = self.lay_out(true) else {
            return Ok(());
        };
        // Panels that start or stop showing the same part get other labels, so the figure is laid out again.
        if self.shown.as_ref().is_some_and(|s| s.linked != self.is_linked()) {
            self.damage.layout = true;
            self.resolve()?;
            let Some(again) = self.lay_out(true) else {
                return Ok(());
            };
            layout = again;
        }
        let Some(mut shown) = self.shown.take() else {
            return Ok(());
        };
        if let Some((bar, ramp)) = self.state.held_bar()
            && let Some(bar) = bar.checked_sub(shown.frame.drawn_bars().start)
            && let Some(Some(bar)) = layout.bars.get_mut(bar)
        {
            bar.held = Some(ramp.moved(-room.x, -room.y));
        }
        let done = self.paint_layout(&mut shown, &layout, moves, &mut device);
        self.shown = Some(shown);
        done
    }

    /// Paints a figure as it is laid out.
    fn paint_layout(
        &mut self,
        shown: &mut ResolvedFigure,
        layout: &Layout,
        moves: bool,
        device: &mut Option<&mut (dyn DeviceFolds + '_)>,
    ) -> Result<(), Error> {
        let known = shown.colours.take();
        let (figure, frame, room) = (&shown.figure, &shown.frame, self.room());
        let Painted { scene, colours, known, awaits } =
            self.paint_panels(figure, frame, layout, known, moves, device)?;
        self.geometry.scales = colours.bars.iter().map(|b| b.scale.clone()).collect();
        self.geometry.bars = bars(frame, layout, &colours.drawn(frame), &scene, room);
        if moves || awaits {
            self.readings.move_on();
            if moves && !self.damage.view && !self.damage.layout {
                // Limits change under a view that stays.
                self.readings.follow(&self.geometry, &colours);
            }
        } else {
            let first = frame.drawn_panels().start;
            self.readings.count(&self.geometry, &layout.panels, first, &colours, &known);
        }
        self.scene = Scene { base: Arc::new(scene.items), items: Vec::new(), ..scene };
        self.base = self.hung(&self.scene.base);
        if !moves {
            self.geometry.written = written(&self.geometry, &self.base);
            self.state.find_values(&self.geometry);
        }
        self.paint_other(figure, layout, &colours, moves, device)?;
        if !moves {
            self.count_later(&colours);
        }
        shown.colours = Some(colours);
        Ok(())
    }
}

/// Whether each panel has texts within its body.
fn written(geometry: &WindowGeometry, items: &[Item]) -> Vec<bool> {
    let holds = |body: &Rect| {
        let within = |i: &Item| matches!(i, Item::Text { at, .. } if body.contains(&Rect::new(at.x, at.y, 0.0, 0.0), 0.0));
        items.iter().any(within)
    };
    geometry.panels.iter().map(|p| holds(&p.body.rect())).collect()
}

/// A pixel of a moving view that covers at most this many cells is folded as it is painted.
const FEW: usize = 6;

/// Share of a device in the frames of a session.
#[derive(Debug, Default)]
pub(super) struct DeviceShare {
    /// It folds bodies as it paints them.
    pub folds: bool,
    /// The last frame at rest did without some of its Summaries.
    spares: bool,
    /// Its Summaries for a picture, which takes those that are the same bytes as the CPU's.
    pub lent: Vec<Option<Arc<Summaries>>>,
}

/// The bodies of a frame, one per grid.
struct FrameBodies {
    /// Bodies that they are painted from.
    pub painted: Vec<Body>,
    /// Reductions under their pixels, as far as they are in memory.
    pub known: Vec<Option<Arc<Summaries>>>,
    /// Summaries that the CPU needs are still on the device.
    pub awaits: bool,
    /// Those of an earlier frame, from which pixels that show the same were taken.
    before: Vec<Option<Weak<Summaries>>>,
}

/// Whether pixels cover few cells.
fn is_fine(panel: &PanelLayout) -> bool {
    let cells = panel.columns.shown().len().saturating_mul(panel.rows.shown().len());
    let pixels = panel.columns.pixels() as usize * panel.rows.pixels() as usize;
    cells <= pixels.saturating_mul(FEW)
}

impl Session {
    /// The Summaries that a device has read back for a frame are there: a full frame is due, unless the view moves.
    pub fn summaries_arrived(&mut self) {
        if !self.unrest {
            self.repaint();
        }
    }

    /// Paints the figure again as it is, at rest if it rests.
    fn repaint(&mut self) {
        self.rests |= !self.unrest;
        self.damage.view = true;
    }

    /// Paints again what another painter cannot use: the device takes over from the CPU, or the reverse.
    fn change_device(&mut self, folds: bool) {
        let changed = std::mem::replace(&mut self.device.folds, folds) != folds;
        // Profiles are made of Summaries that nothing else may have needed.
        let lacks = folds && self.device.spares && self.state.profiles && !self.unrest;
        if self.shown.is_some() && (changed || lacks) {
            self.repaint();
        }
    }

    /// Whether something at rest is made of the Summaries of bodies: rings, marks, contours, histograms, profiles.
    fn needs_summaries(&self, frame: &Frame, layout: &Layout) -> bool {
        let rings = frame.reduce == Reduce::Mean && self.figure.reduce.rings != Some(Toggle::Off);
        rings || self.marks_summaries(frame) || layout.bars.iter().any(Option::is_some)
    }

    /// Whether something that a moving view shows, too, is made of the Summaries of bodies: marks, contours, profiles.
    fn marks_summaries(&self, frame: &Frame) -> bool {
        let marks = frame.contours.is_some() || frame.panels.iter().any(|p| !p.marks.is_empty());
        marks || self.state.profiles
    }

    /// The bodies of the panels that `frame` draws where `layout` has them. While the view moves, they may be coarser, and what only a view at rest shows is not known.
    ///
    /// # Errors
    /// When a source cannot be read.
    fn frame_bodies(
        &mut self,
        frame: &Frame,
        layout: &Layout,
        moves: bool,
        device: &mut Option<&mut (dyn DeviceFolds + '_)>,
    ) -> Result<FrameBodies, Error> {
        let grids = self.geometry.grids.clone();
        let mut out = FrameBodies {
            painted: Vec::with_capacity(grids.len()),
            known: Vec::with_capacity(grids.len()),
            awaits: false,
            before: vec![None; grids.len()],
        };
        let (drawn, by) = (frame.drawn_panels(), frame.reduce);
        let needs = self.needs_summaries(frame, layout);
        let marks = self.marks_summaries(frame);
        let (sample, counts) = (self.sample.as_ref(), by == Reduce::Count);
        let panel = |i: usize| i.checked_sub(drawn.start).and_then(|i| layout.panels.get(i));
        let reduces = |i: usize| panel(i).is_some_and(PanelLayout::reduces);
        // A panel whose pixels are a cell or less counts beside one on the same bar whose pixels are more.
        let counted = |i: usize| {
            counts && frame.bars.iter().any(|b| b.panels.contains(&i) && b.panels.iter().any(|&i| reduces(i)))
        };
        for (i, g) in grids.iter().enumerate() {
            let Some(p) = panel(i) else {
                out.push(Body::Cells, None);
                continue;
            };
            let reduces = p.reduces() || counted(i);
            let narrow = !g.kind().is_wide();
            let own = device.as_deref_mut().filter(|_| narrow && sample.is_none());
            if let Some(device) = own.filter(|_| reduces || moves && !counts) {
                let known = match (counts, moves) {
                    (true, _) => Some(device.fold(i, &p.columns, &p.rows)?),
                    (_, false) if needs => device.known(i, &p.columns, &p.rows),
                    _ => None,
                };
                out.awaits |= needs && !moves && known.is_none();
                out.push(Body::Cells, known);
                continue;
            }
            let lent = self.device.lent.get(i).cloned().flatten();
            // A mean of the device may be one colour off.
            let pixels = p.columns.spans().len() * p.rows.spans().len();
            let lent = lent.filter(|l| by != Reduce::Mean && reduces && l.len() == pixels);
            let level = self.levels[i].as_ref().filter(|_| moves && !counts);
            let level = level.and_then(|l| l.of(&p.columns, &p.rows));
            let summaries = match (sample, lent) {
                (Some(sample), _) => Arc::new(sample.fold(i, &p.columns, &p.rows)?),
                (_, Some(lent)) => lent,
                // What a moving view shares with the frame before is not even folded again.
                _ if level.is_none()
                    && g.is_loaded()
                    && (!reduces || moves && !counts && (!marks || is_fine(p))) =>
                {
                    out.push(Body::Cells, None);
                    continue;
                }
                _ => {
                    let scrolled = Scroll::fold(&mut self.scrolls[i], g, level, (&p.columns, &p.rows))?;
                    out.before[i] = scrolled.before;
                    scrolled.summaries
                }
            };
            out.push(Body::Summaries(summaries.clone()), Some(summaries));
        }
        self.device.spares = !moves && !needs;
        Ok(out)
    }
}

impl FrameBodies {
    /// Lets a back end keep the pixels that a body has in common with an earlier frame.
    fn relate(&self, scene: &mut Scene) {
        for item in &mut scene.items {
            if let Item::Cells(c) = item {
                let own = self.painted.get(c.grid).and_then(Body::summaries);
                let is_own = own.zip(c.summaries.as_ref()).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
                c.before = self.before.get(c.grid).cloned().flatten().filter(|_| is_own);
            }
        }
    }

    fn push(&mut self, body: Body, known: Option<Arc<Summaries>>) {
        self.painted.push(body);
        self.known.push(known);
    }
}

/// The panels that a frame draws, painted.
pub(super) struct Painted {
    pub scene: Scene,
    /// The colours of all panels.
    pub colours: Colours,
    /// Reductions under the pixels of each panel, as far as they are in memory.
    pub known: Vec<Option<Arc<Summaries>>>,
    /// Summaries that the CPU needs are still on the device.
    pub awaits: bool,
}

impl Session {
    /// Paints the panels that `frame` draws where `layout` has them, in colours that are known already or are decided now.
    /// While the view moves, bodies may be coarser, and what takes long is left out.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub(super) fn paint_panels(
        &mut self,
        figure: &Figure,
        frame: &Frame,
        layout: &Layout,
        known: Option<Colours>,
        moves: bool,
        device: &mut Option<&mut (dyn DeviceFolds + '_)>,
    ) -> Result<Painted, Error> {
        let grids = self.geometry.grids.clone();
        let counts = frame.reduce == Reduce::Count;
        let bodies = self.frame_bodies(frame, layout, moves, device)?;
        let sample = self.sample.as_ref();
        let drawn = frame.drawn_panels();
        let folded: Vec<Folded<'_>> = self
            .scans
            .iter()
            .zip(&bodies.known)
            .enumerate()
            .map(|(i, (scan, known))| {
                let p = i.checked_sub(drawn.start).and_then(|i| layout.panels.get(i));
                Folded {
                    scan,
                    summaries: known.as_deref(),
                    body: p.filter(|p| p.reduces()).map(|p| (&p.columns, &p.rows)),
                    strips: None,
                    later: self.defers(),
                }
            })
            .collect();
        let mut colours = match known.filter(|_| !counts) {
            Some(colours) => colours,
            None => scales(figure, frame, sample.map_or(grids.as_slice(), Sample::grids), &folded)?,
        };
        colours.panels.iter_mut().for_each(|p| p.rings.clear());
        if !moves && sample.is_none() {
            rings(figure, &folded, &mut colours)?;
        }
        let (drawn_frame, drawn_grids) = (frame.drawn(), &grids[drawn.clone()]);
        colours.notes = notes(frame, &grids, &folded, &colours);
        if sample.is_some() {
            // Notes about counts and reductions would be wrong for a few cells; only the user's own note
            // stays.
            colours.notes.truncate(usize::from(!frame.note.is_empty()));
            colours.bars.iter_mut().for_each(|bar| (bar.below, bar.above) = (0, 0));
        }
        let drawn_colours = colours.drawn(frame);
        let painted: Vec<_> = bodies.painted.iter().map(|b| b.summaries().cloned()).collect();
        let stats: Vec<&Stats> = self.geometry.stats[drawn.clone()].iter().collect();
        // While the view moves, only what needs no reading is marked.
        let is_ready = sample.is_none() && (!moves || drawn_grids.iter().all(Grid::is_loaded));
        let marking = match is_ready {
            true => marking(&MarkingRequest {
                frame: &drawn_frame,
                layout,
                colours: &drawn_colours,
                grids: drawn_grids,
                stats: &stats,
                folded: &folded[drawn.clone()],
                counts: false,
            })?,
            false => vec![PanelMarking::default(); drawn_grids.len()],
        };
        let (mut scene, _) = compose(
            &drawn_frame,
            layout,
            &drawn_colours,
            &Content {
                first: drawn.start,
                grids: drawn_grids,
                stats: &self.geometry.stats[drawn.clone()],
                summaries: &painted[drawn.clone()],
                marking: &marking,
            },
            &mut self.fonts,
        );
        drop(drawn_colours);
        if sample.is_none() {
            self.remember_counts(&colours);
        }
        bodies.relate(&mut scene);
        Ok(Painted { scene, colours, known: bodies.known, awaits: bodies.awaits })
    }
}
