//! Counts of what a device did, so that a frame that folds or reads back more than it needs shows in a report.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

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
    /// Adds what another device did.
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
}
