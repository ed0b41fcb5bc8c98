//! The pictures and values of a session that are saved or copied.

use super::Session;
use crate::readout::{CopyError, tsv};
use gridscope_core::figure::Figure;
use gridscope_core::geom::PxSize;
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::metadata::Description;
use gridscope_draw::render::{Prepared, prepare};
use gridscope_draw::report::limits;
use gridscope_draw::resolve::Overrides;
use gridscope_draw::scene::Scene;

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
        self.paint_at_rest(true)?;
        Ok((self.scene.clone(), 96.0 * self.geometry.unit))
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
    pub(super) fn paint_at_rest(&mut self, is_picture: bool) -> Result<(), Error> {
        self.let_go();
        let changed = self.unrest || self.damage.any();
        if changed || is_picture && self.device.folds {
            if !changed {
                self.device.lent = self.readings.folded().to_vec();
            }
            self.unrest = true;
            self.rest();
            let done = self.draw(None);
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
