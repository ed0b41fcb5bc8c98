//! Lines of the prompt, which are run as lines of a script.

use super::Session;
use crate::prompt::{Entered, enter};
use crate::script::ScriptLine;
use crate::state::{Effect, ViewState};

impl Session {
    /// Runs the line of the prompt. One command is applied at once; repeated and timed lines, and those that need the window,
    /// are stored for it.
    pub(super) fn enter_prompt(&mut self) -> Option<Effect> {
        let (damage, entered) = enter(&mut self.state);
        self.damage |= damage;
        match entered {
            Entered::Nothing => None,
            Entered::Command(command) => self.apply(&command),
            Entered::Lines(lines) => {
                self.lines.extend(lines);
                None
            }
        }
    }

    /// Takes over the line that is being typed, and what was typed before.
    pub(crate) fn take_line(&mut self, before: &mut ViewState) {
        self.state.take_line(before);
    }

    /// The lines of the prompt that the window has to run, in order.
    pub(crate) fn take_lines(&mut self) -> Vec<ScriptLine> {
        std::mem::take(&mut self.lines)
    }
}
