//! Submissions of commands: the work that one may hold, counts of the device's work, and its time by its own clock.

use super::context::Context;
use super::error::{GpuError, Moment};
use super::target::Staging;
use gridscope_core::image::STRIP_PIXELS;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

impl Context {
    /// Submits commands, and returns when.
    ///
    /// # Errors
    /// As [`Context::wait`], where submissions are timed: only then is it waited for.
    pub(super) fn submit(&self, moment: Moment, encoder: wgpu::CommandEncoder) -> Result<Instant, GpuError> {
        self.at(moment);
        let (commands, start) = (encoder.finish(), Instant::now());
        self.queue().submit([commands]);
        if self.counter().one_by_one.load(Ordering::Relaxed) {
            self.done(start)?;
        }
        Ok(start)
    }

    /// Waits for a submission that began on an idle device, and returns how long it took.
    ///
    /// # Errors
    /// As [`Context::wait`].
    pub(super) fn done(&self, start: Instant) -> Result<Duration, GpuError> {
        self.wait()?;
        let took = start.elapsed();
        self.counter().submission(took);
        Ok(took)
    }

    /// Whether the device waits for each submission from now on, to learn how long the longest one takes.
    pub fn time_submissions(&self, on: bool) {
        self.counter().one_by_one.store(on, Ordering::Relaxed);
    }

    /// Work of the device since this was called last, by all clones of the context.
    pub fn take_counts(&self) -> Counts {
        self.counter().take()
    }
}

/// Timed passes, in the order of the queries: a start and an end each.
const NAMES: [&str; 2] = ["fold", "draw"];

/// Index of the fold among the times.
pub(super) const FOLD: usize = 0;
/// Index of the drawing among the times.
pub(super) const DRAW: usize = 1;

/// The timestamps of one picture.
pub(super) struct Stopwatch {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    begun: [bool; 2],
}

/// The queries to which a pass writes when it begins and ends.
pub(super) struct Marks<'a> {
    pub queries: &'a wgpu::QuerySet,
    pub begin: Option<u32>,
    pub end: Option<u32>,
}

impl Stopwatch {
    /// `None` if the device does not support timestamps.
    pub(super) fn new(context: &Context) -> Option<Self> {
        let device = context.device();
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let count = 2 * NAMES.len() as u32;
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("times"),
            ty: wgpu::QueryType::Timestamp,
            count,
        });
        let resolved = context.buffer(&wgpu::BufferDescriptor {
            label: Some("times"),
            size: 16,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Some(Self { queries, resolved, begun: [false; 2] })
    }

    /// Forgets the last picture.
    pub(super) fn restart(&mut self) {
        self.begun = [false; 2];
    }

    /// Timestamps for the next pass of a kind: the first pass starts the time, and each one moves its end.
    pub(super) fn marks(&mut self, kind: usize) -> Marks<'_> {
        let first = 2 * kind as u32;
        let begin = (!self.begun[kind]).then_some(first);
        self.begun[kind] = true;
        Marks { queries: &self.queries, begin, end: Some(first + 1) }
    }

    /// Milliseconds of each kind of pass of the last picture.
    pub(super) fn read(&self, context: &Context) -> Result<Vec<(&'static str, f64)>, GpuError> {
        let mut out = Vec::new();
        for (kind, name) in NAMES.into_iter().enumerate().filter(|(kind, _)| self.begun[*kind]) {
            let mut encoder = context.encoder("times");
            let first = 2 * kind as u32;
            encoder.resolve_query_set(&self.queries, first..first + 2, &self.resolved, 0);
            context.submit(Moment::Copy, encoder)?;
            let mut ticks = [0u64; 2];
            Staging::new(context, 16).read(context, &self.resolved, 0, 16, |bytes| {
                ticks = [0, 8].map(|i| u64::from_le_bytes(std::array::from_fn(|k| bytes[i + k])));
            })?;
            let nanoseconds =
                ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(context.queue().get_timestamp_period());
            out.push((name, nanoseconds / 1e6));
        }
        Ok(out)
    }
}

/// Work of a device since its counts were taken last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Folds of whole bodies, for pictures and for memory.
    pub folds: u64,
    /// Bytes that were read back into memory: pictures, Summaries, checks.
    pub read_back: u64,
    /// The longest of the submissions that were waited for one by one.
    pub longest: Duration,
}

impl Counts {
    /// Adds the counts of another device.
    pub fn merge(&mut self, other: &Self) {
        self.folds += other.folds;
        self.read_back += other.read_back;
        self.longest = self.longest.max(other.longest);
    }
}

/// The counts of a device that is at work, perhaps in several threads.
#[derive(Debug, Default)]
pub(super) struct Counter {
    folds: AtomicU64,
    read_back: AtomicU64,
    /// In nanoseconds.
    longest: AtomicU64,
    /// Whether each submission is waited for.
    pub one_by_one: AtomicBool,
}

impl Counter {
    /// A body is folded.
    pub(super) fn fold(&self) {
        self.folds.fetch_add(1, Ordering::Relaxed);
    }

    /// Bytes are read back.
    pub(super) fn read_back(&self, bytes: u64) {
        self.read_back.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A submission that began on an idle device is done.
    pub(super) fn submission(&self, took: Duration) {
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.longest.fetch_max(nanoseconds, Ordering::Relaxed);
    }

    /// The counts, which start again from 0.
    pub(super) fn take(&self) -> Counts {
        let take = |n: &AtomicU64| n.swap(0, Ordering::Relaxed);
        Counts {
            folds: take(&self.folds),
            read_back: take(&self.read_back),
            longest: Duration::from_nanos(take(&self.longest)),
        }
    }
}

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

    #[test]
    fn counts_start_again_when_they_are_taken() {
        let counter = Counter::default();
        counter.fold();
        counter.read_back(5);
        counter.read_back(7);
        for ms in [3, 9, 4] {
            counter.submission(Duration::from_millis(ms));
        }
        let mut all = counter.take();
        let wanted = Counts { folds: 1, read_back: 12, longest: Duration::from_millis(9) };
        assert_eq!((all, counter.take()), (wanted, Counts::default()));
        counter.fold();
        counter.submission(Duration::from_millis(2));
        all.merge(&counter.take());
        assert_eq!((all.folds, all.read_back, all.longest), (2, 12, Duration::from_millis(9)));
    }

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
