//! Slices of arrays: the one that a session shows, those that it wants to be read, and limits of all of them.

use super::{Data, Session, TraceWish};
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Grid, ScanRequest, SlicedAxis, SourceError, Stats};
use gridscope_core::scale::{AutoLimits, Norm, ValueRule};
use gridscope_draw::error::Error;
use gridscope_draw::resolve::Seen;
use gridscope_read::common_slices;
use std::sync::Arc;

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
    /// The cell whose values in all slices along an axis are wanted.
    pub trace: Option<TraceWish>,
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
        self.state.slices.refit(&self.geometry.slices);
        // The sliders take room of the figure.
        self.damage.layout |= !self.geometry.slices.is_empty();
    }

    /// The slices to read; `None` where there are no others.
    pub fn slices_to_read(&self) -> Option<SliceWish> {
        (!self.geometry.slices.is_empty()).then(|| SliceWish {
            at: self.state.slices.wanted.clone(),
            ahead: self.state.slices.ahead(),
            limits: self.wants_limits(),
            trace: self.trace_to_read(),
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

/// The least and the greatest value of a panel in several slices.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SliceRange {
    /// The panel's name.
    pub panel: String,
    /// The least and the greatest finite value.
    pub range: Option<(f64, f64)>,
    /// The least value above 0.
    pub least_positive: Option<f64>,
}

impl SliceRange {
    /// The ranges of the panels of a slice; all cells are read.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub fn of_grids(grids: &[Grid]) -> Result<Vec<Self>, SourceError> {
        let of = |grid: &Grid| {
            let request = ScanRequest { positive: true, ..ScanRequest::default() };
            Ok(Self::of(grid.name(), &grid.scan(&request)?.stats))
        };
        grids.iter().map(of).collect()
    }

    fn of(panel: &str, stats: &Stats) -> Self {
        Self { panel: panel.to_owned(), range: stats.range(), least_positive: stats.least_positive }
    }

    /// Adds the ranges of another slice to those of panels of the same names.
    pub fn add(all: &mut Vec<Self>, more: &[Self]) {
        for one in more {
            match all.iter_mut().find(|r| r.panel == one.panel) {
                Some(found) => found.widen(one),
                None => all.push(one.clone()),
            }
        }
    }

    fn widen(&mut self, other: &Self) {
        let both = [self.range, other.range].into_iter().flatten();
        self.range = both.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let both = [self.least_positive, other.least_positive].into_iter().flatten();
        self.least_positive = both.reduce(f64::min);
    }

    /// The automatic limits of a norm; `None` where it has others, or no value is within them.
    fn limits(&self, norm: &Norm) -> Option<(f64, f64)> {
        let traits = norm.traits();
        let (least, greatest) = self.range?;
        let low = match traits.limits {
            AutoLimits::Data => least,
            AutoLimits::Positive => self.least_positive?,
            _ => return None,
        };
        let is_apart = match traits.values {
            ValueRule::BothSides(center) => low < center && center < greatest,
            _ => true,
        };
        is_apart.then_some((low, greatest))
    }
}

/// The limits of all slices, and whether they are in force.
#[derive(Clone, Debug, Default)]
pub(super) struct AllSlices {
    /// The ranges of the panels in all slices, once all are read.
    ranges: Option<Vec<SliceRange>>,
    /// Automatic limits are no narrower.
    in_force: bool,
}

impl AllSlices {
    /// The same of a session whose limits are its own.
    pub(super) fn not_in_force(self) -> Self {
        Self { in_force: false, ..self }
    }
}

impl Session {
    /// Whether the limits of all slices are wanted and not known yet.
    pub fn wants_limits(&self) -> bool {
        self.state.slices.of_all && self.all_slices.ranges.is_none()
    }

    /// Takes the ranges of all slices.
    pub fn take_limits(&mut self, ranges: Vec<SliceRange>) {
        self.all_slices.ranges = Some(ranges);
        self.settle_limits();
    }

    /// Forgets the ranges, since the files have changed; limits stay until they are known again.
    pub(super) fn forget_limits(&mut self) {
        self.all_slices = AllSlices::default();
    }

    /// Puts the limits of all slices into force, or those of this one, as the state says.
    pub(super) fn settle_limits(&mut self) {
        let wanted = self.state.slices.of_all && self.all_slices.ranges.is_some();
        if wanted == self.all_slices.in_force {
            return;
        }
        self.all_slices.in_force = wanted;
        let data = Data {
            grids: Arc::clone(&self.geometry.grids),
            scans: self.scans.clone(),
            levels: self.levels.clone(),
            sample: self.sample.clone(),
        };
        let figure = (*self.figure).clone();
        let limits = self.slice_limits();
        // The cells stay as they are, sorted ones too.
        let sorting = self.slow.sorting.take();
        let order = (self.unsorted.clone(), self.state.order.clone(), sorting);
        match self.exchange(figure, data, limits) {
            Ok(()) => (self.unsorted, self.state.order, self.slow.sorting) = order,
            Err(e) => {
                self.all_slices.in_force = !wanted;
                self.state.slices.of_all = !wanted;
                self.show_message(e.to_string());
            }
        }
    }

    /// The limits of all slices where they are in force, else none.
    fn slice_limits(&self) -> Seen {
        let all = self.all_slices.ranges.as_deref();
        let all = all.filter(|_| self.all_slices.in_force).unwrap_or_default();
        let of = |range: &SliceRange| {
            let place = self.geometry.grids.iter().position(|g| g.name() == range.panel)?;
            let norm = self.state.own_norm(*self.geometry.scale_of.get(place)?)?;
            Some((range.panel.clone(), range.limits(&norm)?))
        };
        all.iter().filter_map(of).collect()
    }

    /// The limits of all slices of a scale under another norm than the figure's, where they are in force.
    pub(super) fn limits_under(&self, scale: usize, norm: &Norm) -> Option<(f64, f64)> {
        let ranges = self.all_slices.ranges.as_deref().filter(|_| self.all_slices.in_force)?;
        let members = self.geometry.grids.iter().zip(&self.geometry.scale_of);
        let members = members.filter(|(_, of)| **of == scale).map(|(g, _)| g.name());
        let mut all = SliceRange::default();
        for name in members {
            all.widen(ranges.iter().find(|r| r.panel == name)?);
        }
        all.limits(norm)
    }

    /// Whether every scale shows at least the limits of all slices, as painted.
    pub(super) fn shows_all_limits(&self) -> bool {
        let covers = |(scale, painted): (usize, &Arc<gridscope_core::scale::ColorScale>)| {
            let spec = painted.spec();
            self.limits_under(scale, &spec.norm)
                .is_some_and(|(low, high)| spec.vmin <= low && high <= spec.vmax)
        };
        !self.geometry.scales.is_empty() && self.geometry.scales.iter().enumerate().all(covers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_of_all_slices_and_fit_the_norm() {
        let slice = |values: [f64; 3]| {
            SliceRange::of_grids(&[Grid::from_rows(1, 3, values.to_vec()).unwrap()]).unwrap()
        };
        let mut all = Vec::new();
        for values in [[f64::NAN, 3.0, 5.0], [-2.0, 0.5, f64::INFINITY], [f64::NAN; 3]] {
            SliceRange::add(&mut all, &slice(values));
        }
        assert_eq!(all[0].range, Some((-2.0, 5.0)));
        assert_eq!(
            [
                Norm::Linear,
                Norm::Log,
                Norm::TwoSlope { center: 0.0 },
                Norm::TwoSlope { center: 9.0 },
                Norm::Bounds(vec![0.0, 1.0])
            ]
            .map(|norm| all[0].limits(&norm)),
            [Some((-2.0, 5.0)), Some((0.5, 5.0)), Some((-2.0, 5.0)), None, None]
        );
        assert_eq!(slice([f64::NAN; 3])[0].limits(&Norm::Linear), None);
    }
}
