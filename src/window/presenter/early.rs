//! Commands while there is no figure yet: what is typed is shown, and what it asks for is done when the figure is there.

use super::{Presenter, Wanted};
use crate::hud::{Counted, OverlayInput, overlay};
use crate::prompt::{Entered, complete, enter, help};
use crate::state::{Action, Command, Damage, Effect, Entry, Typing};
use gridscope_core::geom::PxSize;
use gridscope_core::text::one_line;
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::Item;

impl Presenter {
    /// Shows a message.
    pub(crate) fn show_message(&mut self, text: &str) {
        self.session.iter_mut().for_each(|s| s.show_message(one_line(text)));
    }

    /// Applies a command; returns whether the window closes.
    pub(super) fn apply_early(&mut self, command: &Command) -> bool {
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
                self.wanted = Some(Wanted::Dialog);
                Damage::NONE
            }
            Command::Open(file) => {
                self.wanted = Some(Wanted::File(file.clone()));
                Damage::NONE
            }
            Command::Effect(effect) => {
                let command = Command::Effect(*effect);
                if !self.early.contains(&command) {
                    self.early.push(command);
                }
                Damage::NONE
            }
            Command::Type(Typing::Complete { back }) => complete(state, *back, geometry),
            Command::Type(Typing::Enter { .. }) if state.typed(Entry::Prompt).is_some() => {
                let (damage, entered) = enter(state);
                match entered {
                    Entered::Nothing => {}
                    Entered::Command(command @ (Command::Effect(_) | Command::Open(_))) => {
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
        if state.line.is_none() && state.message.is_none() {
            return Vec::new();
        }
        let prompt = help(state, geometry);
        let input = OverlayInput {
            geometry,
            state,
            palette: Palette::of(self.theme),
            em: 12.0 * self.unit,
            pointer: "",
            selection: "",
            linked: &[],
            thumbs: &[],
            view: "",
            progress: None,
            times: None,
            statistics: None,
            profiles: None,
            counted: &Counted::Counting,
            obstacles: &[],
            histograms: &[],
            standing: None,
            minimap: None,
            notice: None,
            prompt: prompt.as_ref(),
            keys: &[],
        };
        overlay(&input, &mut self.fonts)
    }
}
