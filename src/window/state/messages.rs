//! Which message is shown and for how long, how far the list of keys is scrolled, and the mode of drags.

use super::action::Action;
use super::command::{Command, Scrolling};
use super::{Damage, ViewState};
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

/// The list of keys: how far it is scrolled, and how far it can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scroll {
    /// The first line that is seen.
    top: usize,
    /// The greatest `top`.
    rest: usize,
    /// Lines that are seen at once.
    seen: usize,
}

impl Scroll {
    /// The first line that is seen.
    pub(crate) fn top(self) -> usize {
        self.top
    }

    /// Sets by how many lines the list can be scrolled, and how many of them are seen at once.
    pub(crate) fn set_room(&mut self, (rest, seen): (usize, usize)) {
        *self = Self { top: self.top.min(rest), rest, seen };
    }
}

impl ViewState {
    /// Opens the list of keys at its beginning, or closes it.
    pub(super) fn toggle_keys(&mut self) -> Damage {
        self.keys = !self.keys;
        self.scroll.top = 0;
        Damage::OVERLAY
    }

    /// Scrolls the list of keys, if it is open.
    pub(super) fn scroll(&mut self, scrolling: Scrolling) -> Damage {
        let Scroll { top, rest, seen } = self.scroll;
        let lines = match scrolling {
            Scrolling::Lines(n) => i64::from(n),
            // A line of the page before remains in sight.
            Scrolling::Pages(n) => i64::from(n) * seen.saturating_sub(1).max(1) as i64,
        };
        if !self.keys {
            return Damage::NONE;
        }
        self.scroll.top = (top as i64 + lines).clamp(0, rest as i64) as usize;
        Damage::OVERLAY.when(self.scroll.top != top)
    }
}

/// Effect of a drag with the left button over cells, instead of moving the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// It draws a box to zoom to.
    Box,
    /// It selects cells.
    Select,
}

impl ViewState {
    /// Chooses a mode; the same one again: drags move the view.
    pub(super) fn set_mode(&mut self, mode: Mode) -> Damage {
        self.mode = Some(mode).filter(|_| self.mode != Some(mode));
        let does = match self.mode {
            Some(Mode::Box) => "draws a box to zoom to",
            Some(Mode::Select) => "selects cells",
            None => "moves the view",
        };
        Damage::OVERLAY | self.say(format!("a drag {does}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Colors, Command, Entry, Typing};
    use super::super::test_window::{at, geometry, run};
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

    #[test]
    fn an_open_list_is_scrolled_within_its_lines() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        let lines = |n| Command::Scroll(Scrolling::Lines(n));
        let pages = |n| Command::Scroll(Scrolling::Pages(n));
        s.scroll.set_room((25, 10));
        assert!(!run(&mut s, &w, &lines(1)).any(), "it is closed");
        run(&mut s, &w, &Command::Do(Action::Keys));
        let mut tops = Vec::new();
        for command in [lines(3), lines(-5), pages(1), pages(9), lines(i32::MAX), pages(-1), pages(i32::MIN)]
        {
            run(&mut s, &w, &command);
            tops.push(s.scroll.top());
        }
        assert_eq!(tops, [3, 0, 9, 25, 25, 16, 0]);
        assert!(!run(&mut s, &w, &lines(-1)).any(), "nothing is above");
        // A larger window has less to scroll, and a list that is opened begins at its beginning.
        run(&mut s, &w, &pages(9));
        s.scroll.set_room((4, 31));
        assert_eq!(s.scroll.top(), 4);
        run(&mut s, &w, &Command::Do(Action::Keys));
        run(&mut s, &w, &Command::Do(Action::Keys));
        assert_eq!(s.scroll.top(), 0);
    }

    #[test]
    fn a_mode_holds_until_it_is_chosen_again_or_cancelled() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        let mut after = |action: Action| {
            s.apply(&Command::Do(action), &w);
            s.mode
        };
        assert_eq!(after(Action::BoxMode), Some(Mode::Box));
        assert_eq!(after(Action::SelectMode), Some(Mode::Select));
        assert_eq!(after(Action::SelectMode), None);
        assert_eq!(after(Action::BoxMode), Some(Mode::Box));
        assert_eq!((after(Action::Home), after(Action::Cancel)), (Some(Mode::Box), None));
    }
}
