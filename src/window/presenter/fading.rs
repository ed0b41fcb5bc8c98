//! Messages fade: each goes away when its time is over, for which the event loop wakes once.

use super::Presenter;
use std::time::{Duration, Instant};

/// A message, counted from the first one, and how long it stays.
pub(crate) type Said = (u64, Duration);

/// When the message that is shown goes away.
#[derive(Debug, Default)]
pub(super) struct Fading {
    shown: Option<(u64, Instant)>,
}

impl Fading {
    /// Whether the message is over, and when it will be.
    fn at(&mut self, said: Option<Said>, now: Instant) -> (bool, Option<Instant>) {
        let end = said.map(|(count, life)| match self.shown {
            Some((known, end)) if known == count => (count, end),
            _ => (count, now + life),
        });
        self.shown = end.filter(|(_, end)| *end > now);
        (end.is_some() && self.shown.is_none(), self.shown.map(|s| s.1))
    }
}

impl Presenter {
    /// Removes a message whose time is over, and returns when the present one's is.
    pub(crate) fn fade(&mut self, now: Instant) -> Option<Instant> {
        let session = self.session.as_mut()?;
        let (over, end) = self.fading.at(session.said(), now);
        if over {
            session.forget_message();
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_its_time_and_the_next_one_its_own() {
        let (mut f, start) = (Fading::default(), Instant::now());
        let at = |s: u64| start + Duration::from_secs(s);
        let six = Duration::from_secs(6);
        assert_eq!(f.at(None, at(0)), (false, None));
        assert_eq!(f.at(Some((1, six)), at(1)), (false, Some(at(7))));
        assert_eq!(f.at(Some((1, six)), at(6)), (false, Some(at(7))));
        // The same words again are another message.
        assert_eq!(f.at(Some((2, six)), at(6)), (false, Some(at(12))));
        assert_eq!(f.at(Some((2, six)), at(12)), (true, None));
        assert_eq!(f.at(None, at(13)), (false, None));
    }
}
