//! The state written back into the figure: what `render` draws the same picture of.

use super::Session;
use crate::error::Error;
use crate::figure::{Figure, Length, Reduce, TickLabels};
use crate::metadata::figure_toml;

impl Session {
    /// The figure with all that the state changes, at the window's size; `render` draws the same picture of it.
    pub fn described(&self) -> Figure {
        let mut figure = self.figure.clone();
        self.state.look.onto(&mut figure, &self.scales_of());
        self.say_limits(&mut figure);
        let (size, px) = (self.canvas(), |v: u32| Some(Length(format!("{v}px"))));
        (figure.size.width, figure.size.height, figure.size.dpi) =
            (px(size.w), px(size.h), Some(96.0 * self.world.unit));
        self.views(&mut figure);
        figure
    }

    /// The state as the text of a figure file, which `render` draws the same picture of.
    ///
    /// # Errors
    /// As [`Session::draw`]: what cannot be drawn is not written.
    pub fn written(&mut self) -> Result<String, Error> {
        self.paint_at_rest()?;
        figure_toml(&self.described()).map_err(Error::Encode)
    }

    /// Limits that only earlier data give are said in words. A norm that a person chose begins with the data as they are, and so
    /// does a count.
    fn say_limits(&self, figure: &mut Figure) {
        let counts = figure.reduce.by == Some(Reduce::Count);
        for (name, scale) in self.scales_of() {
            if let Some(p) = figure.panels.get_mut(&name) {
                p.seen = None;
            }
            let chosen = self
                .state
                .look
                .scales
                .get(scale)
                .is_some_and(|l| l.norm.is_some());
            let Some((low, high)) = self
                .words
                .get(scale)
                .filter(|(low, high)| !counts && !chosen && low.or(*high).is_some())
            else {
                continue;
            };
            if self.words.len() == 1 {
                (figure.color.vmin, figure.color.vmax) =
                    (figure.color.vmin.or(*low), figure.color.vmax.or(*high));
            } else {
                let p = figure.panels.entry(name).or_default();
                (p.vmin, p.vmax) = (p.vmin.or(*low), p.vmax.or(*high));
            }
        }
    }

    /// Whether all panels show the same part.
    pub(super) fn is_linked(&self) -> bool {
        self.state.views.windows(2).all(|p| p[0] == p[1])
    }

    fn views(&self, figure: &mut Figure) {
        let text = |p: crate::view::Part| Some(format!("{}:{}", p.from, p.to));
        let Some(first) = self.state.views.first() else {
            // The parts come when the axes are known; bodies must leave their labels room.
            figure.view.x.get_or_insert_with(|| "0:1".to_owned());
            return;
        };
        (figure.view.x, figure.view.y) = (text(first.x), text(first.y));
        if !self.is_linked() {
            // Labels beside one panel would not be true of the others.
            figure.tick_labels = Some(TickLabels::Each);
        }
        for (g, v) in self.world.grids.iter().zip(&self.state.views) {
            if let Some(p) = figure.panels.get_mut(&g.name) {
                (p.view_x, p.view_y) = (None, None);
            }
            if v != first {
                let p = figure.panels.entry(g.name.clone()).or_default();
                (p.view_x, p.view_y) = (text(v.x), text(v.y));
            }
        }
    }
}
