//! Commands without arguments, one line each: name, word in a script, and meaning.
//!
//! A new action is a line in `Action`, an arm in `ViewState::act`, and a row in `input/rows.rs` that binds a key to it;
//! scripts, their list of commands and the tests take it from here.

use super::super::geometry::WindowGeometry;
use super::{Damage, ViewState};

/// Declares commands without arguments: each has a name, its word in a script, and its meaning for people.
macro_rules! commands {
    ($(#[$about:meta])* $name:ident { $($variant:ident: $word:literal, $meaning:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = $meaning] $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word in a script and what it does.
            pub const fn usage(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$variant => ($word, $meaning),)*
                }
            }

            /// The one with this word.
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|c| c.usage().0 == word)
            }
        }
    };
}

commands! {
    /// A command that changes the state.
    Action {
        Cancel: "cancel", "cancels the current action, or closes overlays, as Esc does";
        Home: "home", "shows all data";
        Actual: "actual", "shows one cell per pixel, about the middle";
        Back: "back", "returns to the previous view";
        Forward: "forward", "goes to the next view";
        Square: "square", "makes cells square, or not";
        NextMaximum: "maximum", "goes to the greatest value of the panel under the pointer; again: to the next";
        Annotations: "annotations", "shows or hides values in cells";
        Borders: "borders", "shows or hides lines between cells";
        Labels: "labels", "shows or hides tick labels";
        Keys: "keys", "shows or hides the list of keys";
        Frames: "frames", "shows or hides frame times";
    }
}

commands! {
    /// A command that does not change the state; the caller carries it out.
    Effect {
        Copy: "copy", "copies the value or the selection to the clipboard";
        CopyPicture: "copy-picture", "copies the picture to the clipboard";
        Save: "save", "saves the view as NAME-1.png";
        SaveFigure: "save-figure", "saves the whole figure as NAME-1.png";
        Write: "write", "saves view and colours as a figure file, NAME-1.toml";
        FullScreen: "full-screen", "enters or leaves full screen";
        Quit: "quit", "closes the window";
    }
}

impl ViewState {
    /// Applies an action.
    pub(super) fn act(&mut self, action: Action, geometry: &WindowGeometry) -> Damage {
        match action {
            Action::Cancel => self.cancel(geometry),
            Action::Home => self.home(None, geometry),
            Action::Actual => self.actual(geometry),
            Action::Back => self.travel(true, geometry),
            Action::Forward => self.travel(false, geometry),
            Action::Square => self.square(geometry),
            Action::NextMaximum => self.next_maximum(geometry),
            Action::Annotations => toggle(
                &mut self.overrides.annotations,
                geometry.annotations,
                Damage::COLORS,
            ),
            Action::Borders => toggle(&mut self.overrides.borders, geometry.borders, Damage::COLORS),
            Action::Labels => toggle(&mut self.overrides.labels, geometry.labels, Damage::LAYOUT),
            Action::Keys => {
                self.keys = !self.keys;
                Damage::OVERLAY
            }
            Action::Frames => {
                self.frames = !self.frames;
                Damage::OVERLAY
            }
        }
    }

    /// Cancels one thing: a gesture, the search, the list of keys, the selection or the message.
    fn cancel(&mut self, geometry: &WindowGeometry) -> Damage {
        if let Some(damage) = self.give_up(geometry) {
            return damage;
        }
        if self.search.take().is_some() {
            // The message about its matches disappears too.
            (self.found, self.message) = (None, None);
            return Damage::OVERLAY;
        }
        if self.keys {
            self.keys = false;
            return Damage::OVERLAY;
        }
        let selected = self.selection.take().is_some();
        Damage::OVERLAY.when(selected || self.message.take().is_some())
    }
}

/// Toggles a switch, from its painted state if it was never set.
fn toggle(change: &mut Option<bool>, painted: bool, damage: Damage) -> Damage {
    *change = Some(!change.unwrap_or(painted));
    damage
}

#[cfg(test)]
mod tests {
    use super::super::command::{Command, Drag, Typing};
    use super::super::test_window::{at, geometry};
    use super::*;

    #[test]
    fn esc_gives_up_one_thing_after_the_other() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        s.apply(&Command::Do(Action::Keys), &w);
        s.apply(
            &Command::Select {
                panel: 0,
                rows: 0..1,
                columns: 0..1,
            },
            &w,
        );
        s.apply(&Command::Search(Typing::Open), &w);
        s.apply(
            &Command::Begin {
                drag: Drag::Box,
                at: at(200.0, 200.0),
                alone: false,
            },
            &w,
        );
        s.message = Some("saved".to_owned());
        let mut left = || {
            let d = s.apply(&Command::Do(Action::Cancel), &w).damage;
            (
                d.any(),
                s.rubber.is_some(),
                s.search.is_some(),
                s.keys,
                s.selection.is_some(),
                s.message.is_some(),
            )
        };
        assert_eq!(left(), (true, false, true, true, true, true));
        assert_eq!(left(), (true, false, false, true, true, false));
        assert_eq!(left(), (true, false, false, false, true, false));
        assert_eq!(left(), (true, false, false, false, false, false));
        assert_eq!(left(), (false, false, false, false, false, false));
    }

    #[test]
    fn toggles_begin_at_what_is_painted() {
        let w = WindowGeometry {
            annotations: true,
            ..geometry(1, 10, 10)
        };
        let mut s = ViewState::new(&w);
        let damage = [
            Command::Do(Action::Annotations),
            Command::Do(Action::Borders),
            Command::Do(Action::Labels),
            Command::Do(Action::Keys),
            Command::Do(Action::Frames),
        ]
        .map(|c| s.apply(&c, &w).damage);
        assert_eq!(
            damage,
            [
                Damage::COLORS,
                Damage::COLORS,
                Damage::LAYOUT,
                Damage::OVERLAY,
                Damage::OVERLAY
            ]
        );
        assert_eq!(
            (s.overrides.annotations, s.overrides.borders, s.overrides.labels),
            (Some(false), Some(true), Some(false))
        );
        assert!(s.keys && s.frames);
        s.apply(&Command::Do(Action::Annotations), &w);
        assert_eq!(s.overrides.annotations, Some(true));
    }

    #[test]
    fn each_word_names_one_command() {
        let mut words: Vec<&str> = Action::ALL.iter().map(|a| a.usage().0).collect();
        words.extend(Effect::ALL.iter().map(|e| e.usage().0));
        for word in &words {
            assert_eq!(words.iter().filter(|w| *w == word).count(), 1, "{word}");
            assert_eq!(
                Action::of_word(word).is_some(),
                Effect::of_word(word).is_none(),
                "{word}"
            );
        }
    }
}
