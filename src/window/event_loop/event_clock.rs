//! Clock of events: when they were made, as far as the event loop can know, since winit reports no time.

use std::time::{Duration, Instant};

/// An event that comes this soon after the loop was busy had been waiting: the loop did not sleep until it came.
const WAITED: Duration = Duration::from_millis(50);

/// Clock that stands still while the loop is busy and events wait. Two clicks around a slow frame are as near to each other as
/// they were made, however late the second one is received.
#[derive(Debug)]
pub(super) struct EventClock {
    started: Instant,
    /// The loop last looked for events, or received one, then.
    received: Instant,
    /// How long the loop has been busy since, and when it was ready for events again.
    busy: Option<(Duration, Instant)>,
    /// The length of all times in which events have waited.
    waited: Duration,
}

impl EventClock {
    /// A clock at zero.
    pub(super) fn new(now: Instant) -> Self {
        Self { started: now, received: now, busy: None, waited: Duration::ZERO }
    }

    /// The loop looks for events.
    pub(super) fn looks(&mut self, now: Instant) {
        self.busy = self.busy.filter(|(_, ready)| now.saturating_duration_since(*ready) <= WAITED);
        self.received = now;
    }

    /// The time of an event that is received now.
    pub(super) fn time(&mut self, now: Instant) -> Duration {
        self.waited += self.busy.take().map_or(Duration::ZERO, |(length, _)| length);
        self.received = now;
        now.saturating_duration_since(self.started).saturating_sub(self.waited)
    }

    /// The loop has done its work, and waits for events.
    pub(super) fn waits(&mut self, now: Instant) {
        self.busy = Some((now.saturating_duration_since(self.received), now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of two clicks, the first one at 0, around a frame, all in milliseconds: when the second one is made, and how
    /// long the frame takes.
    fn apart(made: u64, frame: u64) -> Duration {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut clock = EventClock::new(start);
        clock.looks(at(0));
        let first = clock.time(at(0));
        clock.waits(at(frame));
        let received = made.max(frame);
        clock.looks(at(received));
        clock.time(at(received)).saturating_sub(first)
    }

    #[test]
    fn a_click_that_waited_for_a_slow_frame_is_no_later_than_it_was_made() {
        let ms = Duration::from_millis;
        assert_eq!(apart(100, 3000), ms(0));
        // The loop slept until the second one came.
        assert_eq!((apart(1300, 1000), apart(300, 2)), (ms(1300), ms(300)));
    }

    #[test]
    fn time_never_goes_back() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut clock = EventClock::new(start);
        let mut last = Duration::ZERO;
        for turn in 0..50u64 {
            let begin = turn * 100;
            clock.looks(at(begin));
            for event in 0..turn % 4 {
                let now = clock.time(at(begin + event));
                assert!(now >= last, "{now:?} after {last:?}");
                last = now;
            }
            clock.waits(at(begin + 10 * (turn % 10)));
        }
    }
}
