//! How far the list of keys is scrolled.

use super::command::Scrolling;
use super::{Damage, ViewState};

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

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::Command;
    use super::super::test_window::{geometry, run};
    use super::*;

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
}
