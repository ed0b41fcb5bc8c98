//! The mode of drags: what the left button does over cells.

use super::{Damage, ViewState};

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
    use super::super::command::Command;
    use super::super::test_window::geometry;
    use super::*;

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
