//! The clock of two sides that are shown in turn.

use std::time::{Duration, Instant};

/// From one side to the other.
const EVERY: Duration = Duration::from_millis(500);
/// A side is seen for at least this long, however late it came: faster changes are flashes.
const LEAST: Duration = Duration::from_millis(350);

/// When the other side is due.
#[derive(Debug, Default)]
pub(super) struct BlinkClock {
    due: Option<Instant>,
    /// No frame has shown this side yet.
    is_new: bool,
}

impl BlinkClock {
    /// Whether the other side is due. Sides blink since the first call that says so.
    pub(super) fn ticks(&mut self, blinks: bool, now: Instant) -> bool {
        let Some(due) = self.due.filter(|_| blinks) else {
            self.due = blinks.then(|| now + EVERY);
            return false;
        };
        if due > now {
            return false;
        }
        self.due = Some((due + EVERY).max(now + LEAST));
        self.is_new = true;
        true
    }

    /// A frame was shown: where it is the first one of a side, this stays long enough.
    pub(super) fn seen(&mut self, now: Instant) {
        if std::mem::take(&mut self.is_new) {
            self.due = self.due.map(|due| due.max(now + LEAST));
        }
    }

    /// When the other side is due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_change_twice_a_second_and_never_faster_than_three_times() {
        let (mut clock, start) = (BlinkClock::default(), Instant::now());
        let at = |ms: u64| start + Duration::from_millis(ms);
        assert!(!clock.ticks(true, at(0)) && !clock.ticks(true, at(499)));
        assert!(clock.ticks(true, at(500)) && !clock.ticks(true, at(501)));
        // Late by less than a side is seen: the next one is in time again.
        assert!(clock.ticks(true, at(1100)) && clock.next() == Some(at(1500)));
        // Late by much: none is made up for.
        assert!(clock.ticks(true, at(4000)) && clock.next() == Some(at(4350)));
        // It took long to draw.
        clock.seen(at(4300));
        assert_eq!(clock.next(), Some(at(4650)));
        // Frames that follow, as when the pointer moves, put nothing off.
        clock.seen(at(4600));
        assert_eq!(clock.next(), Some(at(4650)));
        assert!(!clock.ticks(false, at(9000)) && clock.next().is_none());
        assert!(!clock.ticks(true, at(9000)) && clock.ticks(true, at(9500)));
    }
}
