//! Commands, the effects that they have outside the session, those typed before there is a figure, and messages that fade.

use super::{Presenter, Wanted};
use crate::hud::{OverlayInput, overlay};
use crate::prompt::{Entered, complete, enter, help};
use crate::save::{perform, save_as};
use crate::script::ScriptLine;
use crate::session::Session;
use crate::state::{Action, Command, Damage, Effect, Entry, Typing};
use gridscope_core::geom::PxSize;
use gridscope_core::text::one_line;
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::Item;
use std::time::{Duration, Instant};
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
        match session.take_file() {
            Some(Command::Save(file)) => {
                let done = save_as(session, &file);
                session.show_outcome(done);
            }
            Some(asked) => self.wanted = Some(Wanted::Files(asked)),
            None => {}
        }
        let closes = effect.is_some_and(|effect| self.carry_out(effect));
        self.look_at_order();
        // A command that ended work may have been what a picture waited for.
        self.perform_deferred();
        closes
    }

    /// Gives a device other cells once they were sorted, by a command or by undo.
    pub(super) fn look_at_order(&mut self) {
        if self.session.as_mut().is_some_and(Session::take_sorted) {
            self.surface.release();
            (self.shown, self.uploading) = (false, false);
        }
    }

    /// Carries out an effect; returns whether the window closes.
    fn carry_out(&mut self, effect: Effect) -> bool {
        let Some(session) = &mut self.session else {
            return false;
        };
        match effect {
            Effect::Quit => return true,
            Effect::OpenDialog | Effect::CompareDialog => self.wanted = Some(Wanted::Dialog(effect)),
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

impl Presenter {
    /// Shows a message.
    pub(crate) fn show_message(&mut self, text: &str) {
        self.session.iter_mut().for_each(|s| s.show_message(one_line(text)));
    }

    /// Applies a command; returns whether the window closes.
    fn apply_early(&mut self, command: &Command) -> bool {
        let (geometry, state) = &mut self.nothing;
        let damage = match command {
            Command::Effect(Effect::Quit) => return true,
            Command::Effect(Effect::Paste) => match self.clipboard.read() {
                Ok(text) => state.apply(&Command::Type(Typing::Text(text)), geometry).damage,
                Err(e) => {
                    state.message = Some(one_line(&e.to_string()));
                    Damage::OVERLAY
                }
            },
            Command::Effect(Effect::OpenDialog) => {
                self.wanted = Some(Wanted::Dialog(Effect::OpenDialog));
                Damage::NONE
            }
            Command::Open { .. } => {
                self.wanted = Some(Wanted::Files(command.clone()));
                Damage::NONE
            }
            Command::Effect(effect) => {
                let command = Command::Effect(*effect);
                if !self.early.contains(&command) {
                    self.early.push(command);
                }
                Damage::NONE
            }
            Command::Type(Typing::Complete { back }) => complete(state, *back, geometry, &self.folder),
            Command::Type(Typing::Enter { .. }) if state.typed(Entry::Prompt).is_some() => {
                let (damage, entered) = enter(state);
                match entered {
                    Entered::Nothing => {}
                    Entered::Command(command @ (Command::Effect(_) | Command::Open { .. })) => {
                        return self.apply_early(&command);
                    }
                    Entered::Command(command) => {
                        state.message = Some(format!("{command}: once the file is read"));
                        self.early.push(command);
                    }
                    Entered::Lines(lines) => self.early_lines.extend(lines),
                }
                damage
            }
            Command::Type(_) | Command::Do(Action::Cancel) => state.apply(command, geometry).damage,
            _ => Damage::NONE,
        };
        self.ticked |= damage.any();
        false
    }

    /// The line that is being typed while there is no figure, and the message about the last one.
    pub(super) fn early_items(&mut self, size: PxSize) -> Vec<Item> {
        let (geometry, state) = &mut self.nothing;
        (geometry.size, geometry.unit) = (size, self.unit);
        let prompt = help(state, geometry, &self.folder);
        if state.line.is_none() && state.message.is_none() {
            return Vec::new();
        }
        let input = OverlayInput {
            prompt: prompt.as_ref(),
            ..OverlayInput::bare(geometry, state, Palette::of(self.theme), 12.0 * self.unit)
        };
        overlay(&input, &mut self.fonts)
    }
}

/// A message, counted from the first one, and how long it stays.
type Said = (u64, Duration);

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
