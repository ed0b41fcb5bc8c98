//! Messages in the status line, lines of the prompt that are run, and the list of keys.

use super::Session;
use crate::hud::KeyGroup;
use crate::input::keys;
use crate::prompt::{Entered, enter};
use crate::script::ScriptLine;
use crate::state::{Effect, ViewState};
use std::time::Duration;

impl Session {
    /// Shows a message.
    pub fn show_message(&mut self, message: String) {
        self.show_outcome(Ok(message));
    }

    /// Shows a message, or that something failed.
    pub(crate) fn show_outcome(&mut self, outcome: Result<String, String>) {
        let failed = outcome.is_err();
        self.state.tell(outcome.unwrap_or_else(|why| why), failed);
        self.damage.overlay = true;
    }

    /// Shows a lasting message whenever there is no other, until it is taken away.
    pub(crate) fn set_standing(&mut self, message: Option<String>) {
        self.damage.overlay |= self.standing != message;
        self.standing = message;
    }

    /// The message that is shown: its number and how long it stays; `None` where it does not go away by itself.
    pub(crate) fn said(&self) -> Option<(u64, Duration)> {
        self.state.said()
    }

    /// Removes the message, whose time is over.
    pub(crate) fn forget_message(&mut self) {
        self.damage.overlay |= self.state.message.take().is_some();
    }

    /// Records which file is still being read, and the share read (0 to 1).
    pub fn set_progress(&mut self, progress: Option<(String, Option<f64>)>) {
        self.damage.overlay |= self.progress != progress;
        self.progress = progress;
    }
}

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

/// All keys, in the groups of their table.
pub(super) fn key_list() -> Vec<KeyGroup> {
    let mut out: Vec<KeyGroup> = Vec::new();
    for row in keys() {
        let line = (row.to_string(), row.text.to_owned());
        match out.last_mut() {
            Some((group, lines)) if group == row.group => lines.push(line),
            _ => out.push((row.group.to_owned(), vec![line])),
        }
    }
    out
}
