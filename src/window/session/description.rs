//! The state as changes over the figure: typed for the window's own frames, written out for a figure file.

use super::Session;
use gridscope_core::figure::{Figure, Reduce};
use gridscope_draw::error::Error;
use gridscope_draw::metadata::figure_toml;
use gridscope_draw::resolve::{Canvas, Overrides};

impl Session {
    /// All changes of the state, at the window's size.
    pub(super) fn overrides(&self) -> Overrides {
        let mut out = self.state.overrides.clone();
        out.seen.clone_from(&self.before);
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
    pub(super) fn scales_of(&self) -> Vec<(String, usize)> {
        self.geometry
            .grids
            .iter()
            .zip(&self.geometry.scale_of)
            .map(|(g, s)| (g.name().to_owned(), *s))
            .collect()
    }
}
