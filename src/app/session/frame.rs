//! A frame: the figure with the current view, and the overlay on top.

use super::Session;
use super::resolved_figure::{bars, panels};
use crate::app::hud::{FrameTimes, OverlayInput, Progress, overlay};
use crate::app::level::{HELD, STORED};
use crate::app::readout::view_text;
use crate::app::state::Damage;
use crate::body::Body;
use crate::coarse::Sample;
use crate::color::Color;
use crate::error::Error;
use crate::figure::Reduce;
use crate::grid::{Grid, Stats};
use crate::layout::Layout;
use crate::marking::{MarkingRequest, PanelMarking, marking};
use crate::render::FoldBy;
use crate::resolve::{Folded, Palette, ResolveError, notes, rings, scales};
use crate::scale::percentiles;
use crate::scene::{Content, Item, Scene, compose};
use std::sync::Arc;

impl Session {
    /// The scene of the whole window, overlay included. `fold`, if given, folds bodies in place of the CPU.
    /// While the view moves, bodies are left to the device, and the frame lacks what only a view at rest
    /// shows.
    ///
    /// # Errors
    /// When a source cannot be read, or `fold` fails.
    pub fn draw(&mut self, fold: Option<&mut FoldBy<'_>>) -> Result<Scene, Error> {
        let damage = std::mem::take(&mut self.damage);
        let anew = damage.view || damage.colors || damage.layout;
        let moves = anew && !std::mem::take(&mut self.rests);
        self.moved = moves;
        if anew {
            self.damage = damage;
            let done = self.resolve().and_then(|()| self.paint(moves, fold));
            self.damage = Damage::default();
            match done {
                Ok(()) => (self.unrest, self.trouble) = (moves, None),
                // A window that is too small for the labels shows a notice, and may grow again.
                Err(Error::Figure(e @ (ResolveError::Size(_) | ResolveError::Dpi(_)))) => {
                    self.fail(e.to_string());
                }
                Err(e) => {
                    self.fail(e.to_string());
                    return Err(e);
                }
            }
        }
        Ok(Scene {
            size: self.geometry.size,
            background: Some(self.palette().background),
            base: Arc::clone(&self.scene.base),
            items: self.overlay(anew),
        })
    }

    /// Clears the figure until something changes, since an outdated one would be misleading.
    fn fail(&mut self, why: String) {
        self.trouble = Some(why);
        self.shown = None;
        self.scene.base = Arc::default();
    }

    /// The items over the figure; `repainted`: the figure has just been painted.
    fn overlay(&mut self, repainted: bool) -> Vec<Item> {
        if repainted {
            self.readings.forget_pointer();
        }
        let palette = self.palette();
        let view = view_text(&self.geometry, &self.state, self.geometry.reduce);
        let (pointer, selection) = self.readings.texts(&self.geometry, &self.state);
        let (pointer, selection) = (pointer.to_owned(), selection.to_owned());
        let input = OverlayInput {
            geometry: &self.geometry,
            state: &self.state,
            palette,
            em: self
                .shown
                .as_ref()
                .map_or(12.0 * self.geometry.unit, |s| s.frame.font_size),
            pointer: &pointer,
            selection: &selection,
            view: &view,
            progress: self
                .progress
                .as_ref()
                .map(|(file, share)| Progress { file, share: *share }),
            times: self.spread(),
            histograms: &self.readings.histograms,
            notice: self.trouble.as_deref(),
            keys: &self.keys,
        };
        overlay(&input, &mut self.fonts)
    }

    /// Statistics of the last frames' times.
    fn spread(&self) -> Option<FrameTimes> {
        let mut times: Vec<f64> = self.times.iter().copied().collect();
        let [median, p95] = percentiles(&mut times, &[50.0, 95.0]).try_into().ok()?;
        Some(FrameTimes {
            median,
            p95,
            frames: self.times.len(),
        })
    }

    fn palette(&self) -> Palette {
        let light = Palette {
            background: Color::WHITE,
            ink: Color::rgb(0x14, 0x14, 0x14),
        };
        self.shown.as_ref().map_or(light, |s| s.frame.palette)
    }

    /// The layout of the current views. If `settles`, the views may be refitted: square cells stay square in
    /// bodies of another shape.
    fn lay_out(&mut self, mut settles: bool) -> Option<Layout> {
        let shown = self.shown.as_mut()?;
        loop {
            for (panel, view) in shown.frame.panels.iter_mut().zip(&self.state.views) {
                (panel.part_x, panel.part_y) = (Some(view.x), Some(view.y));
            }
            let layout = shown.plan.layout(&shown.frame, &mut self.fonts);
            self.geometry.panels = panels(&shown.frame, &layout);
            if !settles || !self.state.refit(&self.geometry).view {
                return Some(layout);
            }
            settles = false;
        }
    }

    fn paint(&mut self, moves: bool, mut fold: Option<&mut FoldBy<'_>>) -> Result<(), Error> {
        let grids = self.geometry.grids.clone();
        let Some(mut layout) = self.lay_out(true) else {
            return Ok(());
        };
        // Panels that start or stop showing the same part get other labels, so the figure is laid out again,
        // with the same views.
        if self.shown.as_ref().is_some_and(|s| s.linked != self.is_linked()) {
            self.damage.layout = true;
            self.resolve()?;
            let Some(again) = self.lay_out(false) else {
                return Ok(());
            };
            layout = again;
        }
        let Some(shown) = &mut self.shown else {
            return Ok(());
        };
        let sample = self.sample.as_ref();
        let counts = shown.frame.reduce == Reduce::Count;
        let mut bodies = Vec::with_capacity(grids.len());
        for (i, (p, g)) in layout.panels.iter().zip(grids.iter()).enumerate() {
            let reduces = p.reduces();
            // While the view moves, the painter folds: the device, or the CPU as it paints.
            let on_cpu = fold.is_none() || g.kind().is_wide();
            let level = self.levels[i].as_ref().filter(|_| moves && !counts && on_cpu);
            let coarse =
                level.and_then(|l| l.fold(&p.columns, &p.rows, if g.is_loaded() { HELD } else { STORED }));
            let narrow = !g.kind().is_wide();
            let on_device = moves && !counts && (fold.is_some() && narrow || g.is_loaded());
            let summaries = match (sample, coarse, &mut fold) {
                (Some(sample), ..) => sample.fold(i, &p.columns, &p.rows)?,
                (_, Some(coarse), _) => coarse,
                _ if on_device || !reduces && g.is_loaded() => {
                    bodies.push(Body::Cells);
                    continue;
                }
                (.., Some(fold)) if reduces && narrow => fold(i, &p.columns, &p.rows)?,
                _ => g.fold(p.columns.spans(), p.rows.spans())?,
            };
            bodies.push(Body::Summaries(Arc::new(summaries)));
        }
        if counts {
            shown.colours = None;
        }
        let folded: Vec<Folded<'_>> = self
            .scans
            .iter()
            .zip(&layout.panels)
            .zip(&bodies)
            .map(|((scan, p), body)| Folded {
                scan,
                summaries: body.summaries().map(|all| &**all),
                body: p.reduces().then_some((&p.columns, &p.rows)),
                strips: None,
            })
            .collect();
        let mut colours = match shown.colours.take() {
            Some(c) => c,
            None => scales(
                &shown.figure,
                &shown.frame,
                sample.map_or(grids.as_slice(), Sample::grids),
                &folded,
            )?,
        };
        colours.panels.iter_mut().for_each(|p| p.rings.clear());
        if !moves && sample.is_none() {
            rings(&shown.figure, &folded, &mut colours)?;
        }
        colours.notes = notes(&shown.frame, &grids, &folded, &colours);
        if sample.is_some() {
            // Notes about counts and reductions would be wrong for a few cells; only the user's own note
            // stays.
            colours.notes.truncate(usize::from(!shown.frame.note.is_empty()));
            colours
                .bars
                .iter_mut()
                .for_each(|bar| (bar.below, bar.above) = (0, 0));
        }
        let summaries: Vec<_> = bodies.iter().map(|b| b.summaries().cloned()).collect();
        let stats: Vec<&Stats> = self.geometry.stats.iter().collect();
        // While the view moves, only what needs no reading is marked.
        let is_ready = sample.is_none() && (!moves || grids.iter().all(Grid::is_loaded));
        let marking = match is_ready {
            true => marking(&MarkingRequest {
                frame: &shown.frame,
                layout: &layout,
                colours: &colours,
                grids: &grids,
                stats: &stats,
                folded: &folded,
                counts: false,
            })?,
            false => vec![PanelMarking::default(); grids.len()],
        };
        let (scene, _) = compose(
            &shown.frame,
            &layout,
            &colours,
            &Content {
                grids: &grids,
                stats: &self.geometry.stats,
                summaries: &summaries,
                marking: &marking,
            },
            &mut self.fonts,
        );
        self.geometry.scales = colours.bars.iter().map(|b| b.scale.clone()).collect();
        self.geometry.bars = bars(&layout, &colours, &scene);
        if !moves {
            self.readings
                .count(&self.geometry, &layout.panels, &colours, &summaries);
        }
        shown.colours = Some(colours);
        self.scene = Scene {
            base: Arc::new(scene.items),
            items: Vec::new(),
            ..scene
        };
        Ok(())
    }
}
