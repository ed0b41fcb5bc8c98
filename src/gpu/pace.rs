//! How much work one submission may hold, by how long the last ones took: a display shares the device, and drivers reset one
//! that is busy for seconds.

use gridscope_core::image::STRIP_PIXELS;
use std::cell::Cell;
use std::time::Duration;

/// The time that a submission should take: far below 100 ms, for its cost is an estimate.
const WANTED: Duration = Duration::from_millis(40);
/// Bounds of the budget of cells.
const CELLS: [u64; 2] = [1 << 18, 1 << 36];
/// Bounds of the budget of pixels; the most is what a GPU paints in a few milliseconds.
const PIXELS: [u64; 2] = [1 << 14, STRIP_PIXELS as u64];
/// From one submission to the next the budget grows at most this many times: the next one may read something else.
const GROWTH: u64 = 2;
/// A submission of less than this part of the budget says little: most of its time is the way to the device and back.
const TELLING: u64 = 4;

/// The budget of a submission.
#[derive(Debug)]
pub(super) struct Pace {
    budget: Cell<u64>,
    bounds: [u64; 2],
}

impl Pace {
    /// A budget of cells read, on a device of which nothing is known but its kind.
    pub(super) fn of_cells(budget: u64) -> Self {
        Self::new(budget, CELLS)
    }

    /// A budget of pixels painted.
    pub(super) fn of_pixels(budget: u64) -> Self {
        Self::new(budget, PIXELS)
    }

    fn new(budget: u64, bounds: [u64; 2]) -> Self {
        Self { budget: Cell::new(budget.clamp(bounds[0], bounds[1])), bounds }
    }

    /// Cost that the next submission may have.
    pub(super) fn budget(&self) -> u64 {
        self.budget.get()
    }

    /// Learns from a submission that began on an idle device.
    pub(super) fn observe(&self, cost: u64, took: Duration) {
        let (budget, [least, most]) = (self.budget.get(), self.bounds);
        if took <= WANTED && cost < budget / TELLING {
            return;
        }
        let fits = cost as f64 * (WANTED.as_secs_f64() / took.as_secs_f64().max(1e-6));
        self.budget.set((fits as u64).clamp(least, most.min(budget.saturating_mul(GROWTH))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folds work of a device with this many cells per second; returns the longest submission.
    fn longest(pace: &Pace, rate: f64, mut work: u64) -> Duration {
        let mut longest = Duration::ZERO;
        while work > 0 {
            let cost = pace.budget().min(work);
            let took = Duration::from_secs_f64(1e-4 + cost as f64 / rate);
            pace.observe(cost, took);
            (work, longest) = (work - cost, longest.max(took));
        }
        longest
    }

    #[test]
    fn submissions_of_any_device_soon_take_what_is_wanted() {
        for rate in [1e8, 1e9, 1e10, 1e12] {
            let pace = Pace::of_cells(64 << 20);
            longest(&pace, rate, 1 << 32);
            let later = longest(&pace, rate, 1 << 32);
            assert!(later <= WANTED * 2, "{rate}: {later:?}");
            // A fast device gets all of it at once.
            assert_eq!(pace.budget() >= 1 << 32, rate > 1e11, "{rate}");
        }
        assert!(longest(&Pace::of_cells(16 << 20), 4e8, 1 << 30) < Duration::from_millis(100));
    }

    #[test]
    fn a_short_submission_says_nothing_and_a_long_one_always() {
        let pace = Pace::of_cells(1 << 24);
        pace.observe(1 << 10, Duration::from_millis(1));
        assert_eq!(pace.budget(), 1 << 24);
        pace.observe(1 << 10, Duration::from_secs(9));
        assert_eq!(pace.budget(), CELLS[0]);
        pace.observe(1 << 18, Duration::ZERO);
        assert_eq!(pace.budget(), CELLS[0] * GROWTH);
    }
    #[test]
    fn strips_are_never_larger_than_those_of_files() {
        let pace = Pace::of_pixels(1 << 19);
        (0..9).for_each(|_| pace.observe(pace.budget(), Duration::from_micros(1)));
        assert_eq!(pace.budget(), u64::from(STRIP_PIXELS));
        pace.observe(pace.budget(), Duration::from_secs(9));
        assert!(pace.budget() < u64::from(STRIP_PIXELS) / 100 && pace.budget() >= PIXELS[0]);
    }
}
