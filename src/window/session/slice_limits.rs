//! Limits of all slices of an array, in place of those of the slice that is shown.

use super::{Data, Session};
use gridscope_core::grid::{Grid, ScanRequest, SourceError, Stats};
use gridscope_core::scale::{AutoLimits, Norm, ValueRule};
use gridscope_draw::resolve::Seen;
use std::sync::Arc;

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
        let order = (self.unsorted.clone(), self.state.order.clone());
        match self.exchange(figure, data, limits) {
            Ok(()) => (self.unsorted, self.state.order) = order,
            Err(e) => {
                self.all_slices.in_force = !wanted;
                self.state.slices.of_all = !wanted;
                self.show_message(e.to_string());
            }
        }
    }

    /// The limits of all slices where they are in force, else none.
    pub(super) fn slice_limits(&self) -> Seen {
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
