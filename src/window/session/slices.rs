//! Slices of arrays: the one that a session shows, and those that it wants to be read.

use super::{Data, Session};
use gridscope_core::figure::Figure;
use gridscope_core::grid::SlicedAxis;
use gridscope_draw::error::Error;
use gridscope_read::common_slices;

/// The slices that a window asks its reader for. Each is an index for every axis of [`WindowGeometry::slices`], in its order.
///
/// [`WindowGeometry::slices`]: crate::WindowGeometry::slices
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SliceWish {
    /// The slice to show.
    pub at: Vec<usize>,
    /// Those that are likely to follow, the likeliest first.
    pub ahead: Vec<Vec<usize>>,
    /// Whether the ranges of all slices are wanted.
    pub limits: bool,
}

impl Session {
    /// The same session where other slices of its arrays can be read: commands choose among them.
    #[must_use]
    pub fn with_slices(mut self) -> Self {
        self.has_slices = true;
        self.list_slices();
        self
    }

    /// Records the axes of which the grids are slices.
    pub(super) fn list_slices(&mut self) {
        if self.has_slices && self.figure.panel.is_empty() {
            self.geometry.slices = common_slices(&self.geometry.grids);
        }
        self.geometry.sliders = self.geometry.place_sliders(self.state.slices.chosen);
        self.state.refit(&self.geometry);
        // The sliders take room of the figure.
        self.damage.layout |= !self.geometry.slices.is_empty();
    }

    /// The slices to read; `None` where there are no others.
    pub fn slices_to_read(&self) -> Option<SliceWish> {
        (!self.geometry.slices.is_empty()).then(|| SliceWish {
            at: self.state.slices.wanted.clone(),
            ahead: self.state.slices.ahead(),
            limits: self.wants_limits(),
        })
    }

    /// Whether another slice is wanted than the one that is shown.
    pub fn awaits_slice(&self) -> bool {
        let shown = self.geometry.slices.iter().map(|s| s.index);
        !self.geometry.slices.is_empty() && !shown.eq(self.state.slices.wanted.iter().copied())
    }

    /// Shown index of each axis of an array: `axis 0 = 37, time = 3.5 (index 7)`; empty where there are no others.
    pub fn slice_text(&self) -> String {
        let shown: Vec<String> = self.geometry.slices.iter().map(SlicedAxis::to_string).collect();
        shown.join(", ")
    }

    /// Says from now on that the slice that is wanted is being read, until it comes.
    pub fn say_slice_is_late(&mut self) {
        self.damage.overlay |= !self.is_late;
        self.is_late = true;
    }

    /// The slice that is being read, where that takes long.
    pub(super) fn late_slice(&self) -> Option<String> {
        let (slices, wanted) = (&self.geometry.slices, &self.state.slices.wanted);
        let waits = self.is_late && self.awaits_slice();
        let of = |(axis, index): (&SlicedAxis, &usize)| axis.at(*index).to_string();
        let text = || slices.iter().zip(wanted).map(of).collect::<Vec<_>>();
        waits.then(|| format!("slice {}", text().join(", ")))
    }

    /// Shows another slice of the same arrays: views, selection and colours stay, and automatic limits are those of the slice.
    ///
    /// # Errors
    /// As [`Session::new`]; the session then stays as it was, and so does the slice.
    pub fn show_slice(&mut self, figure: Figure, data: Data) -> Result<(), Error> {
        // All cells of a slice of which a few are shown are still that slice.
        let is_other = figure.data.slice != self.figure.data.slice;
        let waited = if is_other { std::mem::take(&mut self.deferred) } else { Vec::new() };
        if let Err(e) = self.exchange(figure, data, self.slice_limits()) {
            self.deferred.extend(waited);
            self.keep_slice();
            return Err(e);
        }
        if !waited.is_empty() {
            // It would be another slice that is saved.
            self.show_message("not saved: the slice changed before all its cells were read".to_owned());
        }
        Ok(())
    }

    /// The slice that is wanted cannot be shown: the one that is stays.
    pub fn keep_slice(&mut self) {
        self.state.stay(&self.geometry);
        self.is_late = false;
        self.damage.overlay = true;
    }
}
