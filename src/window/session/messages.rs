//! Messages in the status line: what a command did, which goes away by itself, and what lasts.

use super::Session;
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

    /// Shows a message whenever there is no other, until it is taken away: what it says lasts.
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
