//! Commands, and the effects that they have outside the session.

use super::{Presenter, Wanted};
use crate::save::perform;
use crate::script::ScriptLine;
use crate::session::Session;
use crate::state::{Command, Effect, Typing};
use gridscope_core::text::one_line;
use winit::window::Fullscreen;

impl Presenter {
    /// Applies commands one after the other until the window closes; returns whether it does.
    pub(crate) fn apply_all(&mut self, commands: &[Command]) -> bool {
        commands.iter().any(|command| self.apply(command))
    }

    /// Applies a command; returns whether the window closes.
    pub(crate) fn apply(&mut self, command: &Command) -> bool {
        let Some(session) = &mut self.session else {
            return self.apply_early(command);
        };
        let effect = session.apply(command);
        if let Some(file) = session.take_file() {
            self.wanted = Some(Wanted::File(file));
        }
        let closes = effect.is_some_and(|effect| self.carry_out(effect));
        // A device has the cells as they were before they were sorted, by this command or by undo.
        if self.session.as_mut().is_some_and(Session::take_sorted) {
            self.surface.release();
            (self.shown, self.uploading) = (false, false);
        }
        closes
    }

    /// Carries out an effect; returns whether the window closes.
    fn carry_out(&mut self, effect: Effect) -> bool {
        let Some(session) = &mut self.session else {
            return false;
        };
        match effect {
            Effect::Quit => return true,
            Effect::OpenDialog => self.wanted = Some(Wanted::Dialog),
            Effect::Sort | Effect::OwnColumnOrder | Effect::OwnRowOrder => {
                let done = match effect {
                    Effect::Sort => session.sort_here(),
                    other => session.unsort(other == Effect::OwnColumnOrder),
                };
                session.show_message(done.unwrap_or_else(|why| why));
            }
            Effect::Paste => match self.clipboard.read() {
                Ok(text) => _ = session.apply(&Command::Type(Typing::Text(text))),
                Err(e) => session.show_outcome(Err(one_line(&e.to_string()))),
            },
            Effect::FullScreen => {
                let full = self.window.fullscreen().is_some();
                self.window.set_fullscreen((!full).then_some(Fullscreen::Borderless(None)));
            }
            Effect::LeaveFullScreen => {
                if self.window.fullscreen().is_some() {
                    self.window.set_fullscreen(None);
                }
            }
            effect => {
                let done = perform(session, &mut self.clipboard, &self.stem, effect);
                session.show_outcome(done);
            }
        }
        false
    }

    /// The lines of the prompt that have to be run step by step, once there is a figure.
    pub(crate) fn take_lines(&mut self) -> Vec<ScriptLine> {
        let Some(session) = self.session.as_mut().filter(|_| self.shown) else {
            return Vec::new();
        };
        let mut lines = std::mem::take(&mut self.early_lines);
        lines.extend(session.take_lines());
        lines
    }

    /// Saves and copies what had to wait until all cells were read, as it looked when the command was given.
    pub(super) fn perform_deferred(&mut self) {
        let Some(session) = &mut self.session else { return };
        for (effect, then) in session.take_deferred() {
            let now = session.swap(then);
            let done = perform(session, &mut self.clipboard, &self.stem, effect);
            session.swap(now);
            session.show_outcome(done);
        }
    }
}
