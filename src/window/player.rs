//! Plays a script in the window: which step is due when.

use super::script::{Runner, ScriptLine, Step};
use gridscope_core::geom::PxSize;
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
}
