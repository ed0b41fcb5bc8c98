//! Plays a script in the window, and reports how long frames took.

use super::script::{Runner, ScriptLine, Step};
use gridscope_core::geom::PxSize;
use gridscope_core::scale::percentiles;
use gridscope_gpu::{Counts, Worker};
use std::iter::Peekable;
use std::time::{Duration, Instant};

/// A window that has not taken a requested size by then never will.
const SIZING: Duration = Duration::from_secs(1);

/// A script being played.
pub(super) struct Player {
    steps: Peekable<Runner>,
    /// No step is due before this,
    until: Option<Instant>,
    /// unless the window has this size.
    size: Option<PxSize>,
}

impl Player {
    /// A player before the first step.
    pub(super) fn new(lines: Vec<ScriptLine>) -> Self {
        Self { steps: Runner::new(lines).peekable(), until: None, size: None }
    }

    /// Whether no step is left.
    pub(super) fn is_over(&mut self) -> bool {
        self.until.is_none() && self.steps.peek().is_none()
    }

    /// The next step, if it is due in a window of this size.
    pub(super) fn next(&mut self, now: Instant, size: Option<PxSize>) -> Option<Step> {
        if self.until.is_some_and(|until| now < until) && (self.size.is_none() || self.size != size) {
            return None;
        }
        (self.until, self.size) = (None, None);
        let step = self.steps.next()?;
        match &step {
            Step::Wait(time) => self.until = now.checked_add(*time),
            Step::Size(size) => (self.until, self.size) = (Some(now + SIZING), Some(*size)),
            _ => {}
        }
        Some(step)
    }

    /// When the next step is due, if that is not now.
    pub(super) fn until(&self) -> Option<Instant> {
        self.until
    }
}

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
    use super::super::script::parse;
    use super::*;

    #[test]
    fn steps_wait_for_the_clock_or_for_the_size() {
        let mut player = Player::new(parse("wait 2\nhome\nsize 300 200\nhome\nquit").unwrap());
        let (start, small, large) =
            (Instant::now(), Some(PxSize { w: 30, h: 20 }), Some(PxSize { w: 300, h: 200 }));
        let mut word = |seconds: f64, size| {
            let step = player.next(start + Duration::from_secs_f64(seconds), size);
            (
                step.map(|s| {
                    let text = format!("{s:?}").replace("(Do(", "(").replace("(Effect(", "(");
                    text.chars().take(4).collect::<String>()
                })
                .unwrap_or_default(),
                player.is_over(),
            )
        };
        let of = |text: &str, over| (text.to_owned(), over);
        assert_eq!(word(0.0, small), of("Wait", false));
        assert_eq!(word(1.9, small), of("", false));
        assert_eq!(word(2.0, small), of("Do(H", false));
        assert_eq!(word(2.0, small), of("Size", false));
        assert_eq!(word(2.1, small), of("", false));
        assert_eq!(word(2.2, large), of("Do(H", false));
        assert_eq!(word(2.2, large), of("Do(Q", true));
        assert_eq!(word(2.2, large), of("", true));
    }

    #[test]
    fn the_spread_is_numpys() {
        let times = (1..=20).map(|i| f64::from(i * i)).collect();
        let [median, p95, most] = Frames { times, ..Frames::default() }.spread().unwrap();
        assert!((median, most) == (110.5, 400.0) && (p95 - 362.95).abs() < 1e-9, "{p95}");
        assert_eq!(Frames::default().spread(), None);
    }
}
