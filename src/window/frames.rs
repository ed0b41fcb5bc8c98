//! The report of a window's run: how long frames took, and what went wrong.

use gridscope_core::geom::PxSize;
use gridscope_core::scale::percentiles;
use gridscope_gpu::{Counts, Worker};

/// The frames of a script, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames {
    /// The device that drew.
    pub adapter: String,
    /// Who folded and painted bodies at the end.
    pub worker: Worker,
    /// Work of devices for all frames.
    pub counts: Counts,
    /// The window's pixels at the end.
    pub size: PxSize,
    /// Milliseconds from each change of the state until the device had drawn the frame and passed it to the
    /// display.
    pub times: Vec<f64>,
    /// Problems that were recovered from.
    pub errors: Vec<String>,
}

impl Frames {
    /// The median of the times, their 95th percentile (both by numpy's linear rule) and the longest; `None`
    /// without frames.
    pub fn spread(&self) -> Option<[f64; 3]> {
        percentiles(&mut self.times.clone(), &[50.0, 95.0, 100.0]).try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_numpys() {
        let times = (1..=20).map(|i| f64::from(i * i)).collect();
        let [median, p95, most] = Frames { times, ..Frames::default() }.spread().unwrap();
        assert!((median, most) == (110.5, 400.0) && (p95 - 362.95).abs() < 1e-9, "{p95}");
        assert_eq!(Frames::default().spread(), None);
    }
}
