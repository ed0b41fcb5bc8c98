//! The state as changes over the figure, and the pictures and values of a session that are saved or copied.

use super::Session;
use crate::readout::{CopyError, tsv};
use gridscope_core::figure::{Figure, Reduce};
use gridscope_core::geom::PxSize;
use gridscope_core::timing::Phases;
use gridscope_draw::alt_text::alt_text;
use gridscope_draw::error::Error;
use gridscope_draw::metadata::{Description, figure_toml};
use gridscope_draw::render::{Prepared, prepare};
use gridscope_draw::report::limits;
use gridscope_draw::resolve::{Canvas, Colours, NOT_COUNTED, Overrides};
use gridscope_draw::scene::Scene;

impl Session {
    /// All changes of the state, at the window's size.
    pub(super) fn overrides(&self) -> Overrides {
        let mut out = self.state.overrides.clone();
        out.seen.clone_from(&self.before);
        out.opaque = !self.paper;
        out.canvas = Some(Canvas { size: self.canvas(), dpi: 96.0 * self.geometry.unit });
        out.views = Some(self.state.views.clone());
        // Until the state is known the figure itself says which panel is drawn.
        out.only = (!self.state.views.is_empty()).then_some(self.state.large);
        let scales = self.geometry.scale_of.iter().map(|s| s + 1).max().unwrap_or(0);
        out.scales.resize_with(scales.max(out.scales.len()), Default::default);
        // Earlier limits do not apply to a norm that a person chose, nor to counts.
        let counts = out.reduce.or(self.figure.reduce.by) == Some(Reduce::Count);
        for (scale, changes) in out.scales.iter_mut().enumerate() {
            let earlier = self.earlier.get(scale).copied();
            let earlier = earlier.filter(|_| !counts && changes.norm.is_none());
            // Those of all slices are known for every norm.
            let norm = changes.norm_about(self.figure.color.center).filter(|_| !counts);
            let of_all = norm.and_then(|norm| self.limits_under(scale, &norm));
            let of_all = of_all.map(|(low, high)| (Some(low), Some(high)));
            changes.earlier = Some(earlier.or(of_all).unwrap_or_default());
        }
        out
    }

    /// The figure with all changes of the state, at the window's size; `render` draws the same picture from
    /// it.
    pub fn figure(&self) -> Figure {
        let mut figure = Figure::clone(&self.figure);
        self.overrides().apply_to(&mut figure, &self.scales_of());
        figure
    }

    /// The state as the text of a figure file, from which `render` draws the same picture.
    ///
    /// # Errors
    /// As [`Session::draw`]: a figure that cannot be drawn is not written.
    pub fn figure_file(&mut self) -> Result<String, Error> {
        self.paint_at_rest(false)?;
        figure_toml(&self.figure()).map_err(|e| Error::encode(e.to_string()))
    }

    /// Whether all panels show the same part.
    pub(super) fn is_linked(&self) -> bool {
        self.state.views.windows(2).all(|p| p[0] == p[1])
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
}

impl Session {
    /// The value under the pointer or the selection as tab-separated values.
    ///
    /// # Errors
    /// When there is nothing to copy, too much, or a source cannot be read.
    pub fn cells_as_tsv(&self) -> Result<String, CopyError> {
        tsv(&self.geometry, &self.state)
    }

    /// The picture to save or copy: the view at rest without overlay, and its resolution in dots per inch.
    ///
    /// # Errors
    /// As [`Session::draw`], and while the session is coarse.
    pub fn picture(&mut self) -> Result<(Scene, f64), Error> {
        self.refuse_coarse()?;
        let dpi = 96.0 * self.geometry.unit;
        if self.figure.background.as_deref().is_none_or(|page| page.alpha() == 255) {
            self.paint_at_rest(true)?;
            return Ok((self.scene.clone(), dpi));
        }
        (self.paper, self.damage.layout) = (true, true);
        let done = self.paint_at_rest(true).map(|()| (self.scene.clone(), dpi));
        (self.paper, self.damage.layout) = (false, true);
        done
    }

    /// Lays the figure out again once a bar is no longer held in its place.
    pub(super) fn settle_bar(&mut self) {
        let holds = self.state.held_bar().is_some();
        self.damage.layout |= std::mem::replace(&mut self.holds, holds) && !holds;
    }

    /// Lays a bar out again that is held while its limits are dragged: a picture is that of its description.
    fn let_go(&mut self) {
        self.damage.layout |= std::mem::take(&mut self.holds);
        self.state.release_hold();
    }

    /// Paints the view at rest; for a picture, with the Summaries of the CPU, or those of the device that are the same bytes.
    fn paint_at_rest(&mut self, is_picture: bool) -> Result<(), Error> {
        self.let_go();
        let counted = |colours: &Colours| colours.panels.iter().all(|p| p.below.max(p.above) != NOT_COUNTED);
        let shown = self.shown.as_ref().and_then(|shown| shown.colours.as_ref());
        self.damage.colors |= is_picture && !shown.is_none_or(counted);
        let changed = self.unrest || self.damage.any();
        if changed || is_picture && self.device.folds {
            if !changed {
                self.device.lent = self.readings.folded().to_vec();
            }
            self.unrest = true;
            self.rest();
            let done = if is_picture { self.at_once(|session| session.draw(None)) } else { self.draw(None) };
            self.device.lent.clear();
            done?;
        }
        match &self.trouble {
            Some(trouble) => Err(Error::unavailable(trouble)),
            None => Ok(()),
        }
    }

    /// The description of the view that [`Session::picture`] paints: `figure` is [`Session::figure`], `files` are those of its data.
    pub(crate) fn description<'a>(
        &self,
        figure: &'a Figure,
        files: &'a [String],
        size: PxSize,
    ) -> Description<'a> {
        let shown = self.shown.as_ref();
        let reduces = self.geometry.panels.iter().any(|p| p.columns.reduces() || p.rows.reduces());
        Description {
            figure,
            files,
            limits: shown.map_or_else(Vec::new, |shown| {
                let colours = shown.colours.as_ref();
                colours.map_or_else(Vec::new, |colours| limits(&shown.frame, colours))
            }),
            reduction: reduces.then(|| figure.reduce.by.unwrap_or_default().word()),
            inputs: &[],
            bare: false,
            size,
            alt: shown.map(|s| alt_text(&s.frame, &self.geometry.grids, &self.geometry.stats)),
        }
    }

    /// The whole figure at its own size, in the window's colours, and the description that it is drawn from.
    ///
    /// # Errors
    /// As [`Session::picture`].
    pub fn whole_figure(&mut self) -> Result<(Figure, Prepared), Error> {
        self.refuse_coarse()?;
        let mut figure = Figure::clone(&self.figure);
        // At its own size, of all data: the window's limits are those that earlier data and other slices left, too.
        let overrides = Overrides { canvas: None, views: None, only: None, ..self.overrides() };
        overrides.apply_to(&mut figure, &self.scales_of());
        let prepared = prepare(&figure, &self.geometry.grids, &mut self.fonts, &mut Phases::new())?;
        Ok((figure, prepared))
    }
}
