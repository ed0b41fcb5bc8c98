//! Which message is shown, and how long it stays.

use super::ViewState;
use super::action::Action;
use super::command::Command;
use std::time::Duration;

/// A message stays this long,
const STAYS: Duration = Duration::from_secs(6);
/// and longer by this for each character beyond
const A_CHARACTER: Duration = Duration::from_millis(60);
/// this many.
const SHORT: usize = 60;
/// Time of a message about a failure, which is read longer.
const FAILED_STAYS: Duration = Duration::from_secs(15);

/// The messages so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Messages {
    /// How many there were: the same words again are another message.
    count: u64,
    /// The present one says that something failed.
    failed: bool,
}

impl ViewState {
    /// Shows a message from outside of the state.
    pub(crate) fn tell(&mut self, message: String, failed: bool) {
        self.message = Some(message);
        self.messages = Messages { count: self.messages.count + 1, failed };
    }

    /// Counts the message of a command, if it has one; `before` was the message before it.
    pub(super) fn count_message(&mut self, command: &Command, before: Option<&String>) {
        let anew = !matches!(
            command,
            Command::Point(_) | Command::Leave | Command::Move(_) | Command::Do(Action::Cancel)
        );
        if self.message.is_some() && (anew || self.message.as_ref() != before) {
            self.messages = Messages { count: self.messages.count + 1, failed: false };
        }
    }

    /// The number of the message that is shown, and how long it stays; `None` for what stays until it is done:
    /// a search or a prompt has its answer beside it.
    pub(crate) fn said(&self) -> Option<(u64, Duration)> {
        let message = self.message.as_ref().filter(|_| self.line.is_none())?;
        let least = if self.messages.failed { FAILED_STAYS } else { STAYS };
        let more = message.chars().count().saturating_sub(SHORT).min(1000);
        Some((self.messages.count, least + A_CHARACTER * more as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{Colors, Entry, Typing};
    use super::super::test_window::{at, geometry};
    use super::*;

    #[test]
    fn each_message_is_counted_once_and_failures_stay_longer() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        let mut run = |c: Command| {
            s.apply(&c, &w);
            s.said()
        };
        assert_eq!(run(Command::Do(Action::Home)), None);
        let map = |name: &str| Command::Colors(Colors::Map(name.to_owned()));
        let first = run(map("none of these")).unwrap();
        assert!(first.1 >= STAYS && first.1 < 2 * STAYS, "{first:?}");
        assert_eq!(run(Command::Point(at(3.0, 3.0))), Some(first));
        let again = run(map("none of these")).unwrap();
        assert_eq!(again, (first.0 + 1, first.1));
        assert_eq!(run(Command::Do(Action::Home)), None);
        s.tell("saved a-1.png".to_owned(), false);
        assert_eq!(s.said(), Some((again.0 + 1, STAYS)));
        s.tell("disk full".to_owned(), true);
        assert_eq!(s.said(), Some((again.0 + 2, FAILED_STAYS)));
        s.tell("x".repeat(160), false);
        assert_eq!(s.said().map(|m| m.1), Some(STAYS + 100 * A_CHARACTER));
        // The number of a match stays while its search is open.
        for typing in
            [Typing::Open(Entry::Search), Typing::Text("zz".to_owned()), Typing::Enter { back: false }]
        {
            s.apply(&Command::Type(typing), &w);
        }
        assert!(s.message.is_some() && s.said().is_none());
    }
}
