//! Surroundings of a figure: the desktop's theme, other files, progress and the times of frames.

use super::Session;
use crate::state::{Command, Menuing};
use gridscope_core::figure::Theme;

/// The number of frames whose times are remembered.
const MOST_TIMES: usize = 120;

impl Session {
    /// Prepares for a command: a menu closes, so that its command is about the place below it, and another file is noted.
    pub(super) fn prepare(&mut self, command: &Command) {
        let keeps_menu = matches!(
            command,
            Command::Point(_) | Command::Leave | Command::Move(_) | Command::Menu(Menuing::Step(_))
        );
        if !keeps_menu {
            self.geometry.menu = None;
        }
        if let Command::Open(file) = command {
            self.file = Some(file.clone());
        }
    }

    /// Follows the desktop's theme, unless the figure has its own or one was chosen by hand.
    pub fn follow_theme(&mut self, desktop: Theme) {
        if self.state.themed {
            return;
        }
        // A word of the figure goes first, and the usual theme needs none in what is written.
        let theme = Some(desktop).filter(|t| *t != Theme::default() && self.figure.theme.is_none());
        self.damage.layout |= theme != self.state.overrides.theme;
        self.state.overrides.theme = theme;
    }

    /// Takes the other file that a command asked for.
    pub fn take_file(&mut self) -> Option<String> {
        self.file.take()
    }

    /// Lists files in the menu, those opened last first.
    pub fn set_recent(&mut self, files: &[String]) {
        self.state.recent = files.to_vec();
    }

    /// Records how many milliseconds the last frame took.
    pub fn add_frame_time(&mut self, ms: f64) {
        self.times.push_back(ms);
        if self.times.len() > MOST_TIMES {
            self.times.pop_front();
        }
    }
}
