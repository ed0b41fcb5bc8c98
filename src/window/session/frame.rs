//! A frame: the figure with the current view, and the overlay on top.

use super::Session;
use super::painting::Painted;
use super::places::{bars, panels, titles};
use super::resolved_figure::ResolvedFigure;
use super::too_small::too_small;
use crate::device_folds::DeviceFolds;
use crate::geometry::WindowGeometry;
use crate::hud::{FrameTimes, OverlayInput, Progress, key_lines, overlay};
use crate::prompt::help;
use crate::readout::view_text;
use crate::state::Damage;
use gridscope_core::geom::Rect;
use gridscope_core::scale::percentiles;
use gridscope_draw::error::Error;
use gridscope_draw::layout::Layout;
use gridscope_draw::resolve::{Palette, ResolveError};
use gridscope_draw::scene::{Item, Scene};
use std::sync::Arc;

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
                    let why = too_small(&e, self.fits_without_labels(), self.geometry.unit);
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
        let obstacles = match self.readings.profiles(&self.geometry, &self.state).is_some() {
            true => self.readings.obstacles(&self.base, &mut self.fonts),
            false => Vec::new(),
        };
        let profiles = self.readings.profiles(&self.geometry, &self.state).cloned();
        if self.state.keys {
            let room = key_lines(&self.keys, &self.geometry, &mut self.fonts);
            self.state.scroll.set_room(room);
        }
        let prompt = help(&self.state, &self.geometry);
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
        let own = || Palette::of(self.state.overrides.theme.or(self.figure.theme).unwrap_or_default());
        self.shown.as_ref().map_or_else(own, |s| s.frame.palette)
    }

    /// The layout of the current views. If `settles`, the views may be refitted: square cells stay square in
    /// bodies of another shape.
    fn lay_out(&mut self, mut settles: bool) -> Option<Layout> {
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
            self.paint_panels((figure, frame), layout, known, moves, device)?;
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
            let panels = (layout.panels.as_slice(), first);
            self.readings.count(&self.geometry, panels, &colours, &known);
        }
        self.scene = Scene { base: Arc::new(scene.items), items: Vec::new(), ..scene };
        self.base = self.hung(&self.scene.base);
        if !moves {
            self.geometry.written = written(&self.geometry, &self.base);
            self.state.find_values(&self.geometry);
        }
        self.paint_other(figure, (layout, &colours), moves, device)?;
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
