//! Commands without arguments, one line each: name, word in a script, and meaning.
//!
//! A new action is a line in `Action`, an arm in `ViewState::act`, and a row in `input/rows/` that binds a key to it;
//! scripts, their list of commands and the tests take it from here.

use super::super::geometry::WindowGeometry;
use super::messages::Mode;
use super::{Damage, ViewState};
use gridscope_core::figure::Theme;

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
        Undo: "undo", "takes back the last change of view, colours, reduction or switches";
        Redo: "redo", "makes the change again that was taken back last";
        Alone: "alone", "moves one panel only from now on, or all again, as held Alt does";
        SelectAll: "select-all", "selects all cells of the panel under the pointer";
        Square: "square", "makes cells square, or not";
        Enlarge: "enlarge", "shows the panel under the pointer alone, or all panels again";
        NextPanel: "next-panel", "shows the next panel alone";
        PreviousPanel: "previous-panel", "shows the previous panel alone";
        Other: "other", "shows the other side of a comparison alone; in other figures the panel that was shown before, else the next one";
        Blink: "blink", "shows the two sides in turn, about twice a second, or stops";
        Difference: "difference", "shows the difference of a comparison alone, or what was shown before it";
        Thumbnails: "thumbnails", "shows or hides small pictures of all panels beside a large one";
        LinkedCursor: "linked-cursor", "marks the cell under the pointer in all panels, or not";
        NextMaximum: "maximum", "goes to the greatest value of the panel under the pointer; again: to the next";
        PreviousMaximum: "previous-maximum", "goes back through the greatest values";
        NextMinimum: "minimum", "goes to the least value of the panel under the pointer; again: to the next";
        PreviousMinimum: "previous-minimum", "goes back through the least values";
        Annotations: "annotations", "shows or hides values in cells";
        Borders: "borders", "shows or hides lines between cells";
        Labels: "labels", "shows or hides tick labels";
        Distribution: "distribution", "shows or hides how many cells of the scale under the pointer have which values";
        LogCounts: "log-counts", "counts of the distribution on a logarithmic axis, or not";
        Profiles: "profiles", "shows or hides the values along the row and the column under the pointer";
        Trace: "trace", "shows or hides the values of the cell under the pointer in all slices of an array";
        Statistics: "statistics", "shows or hides statistics of the selection, else of the panel";
        BoxMode: "box-mode", "a drag with the left button draws a box to zoom to, or moves the view again";
        SelectMode: "select-mode", "a drag with the left button selects cells, or moves the view again";
        Toolbar: "toolbar", "shows or hides the toolbar";
        Minimap: "minimap", "shows or hides the minimap, which is there while the view is part of the data";
        Theme: "theme", "makes the figure and the window dark, or light";
        Play: "play", "plays the slices of an array, about 10 a second, or stops";
        Maps: "maps", "shows all colormaps to choose from, or keeps the one that is shown";
        SliceLimits: "slice-limits", "automatic limits of all slices, which are read for them, or of the one shown";
        Keys: "keys", "shows or hides the list of keys";
        Frames: "frames", "shows or hides frame times";
    }
}

commands! {
    /// A command that does not change the state; the caller carries it out.
    Effect {
        Copy: "copy", "copies the value or the selection to the clipboard";
        CopyPicture: "copy-picture", "copies the picture to the clipboard";
        Sort: "sort", "sorts columns by the row whose label is under the pointer, rows by the column; again: in reverse, then back";
        OwnColumnOrder: "own-column-order", "puts sorted columns back into their own order";
        OwnRowOrder: "own-row-order", "puts sorted rows back into their own order";
        OpenDialog: "open-dialog", "asks for another file to open";
        CompareDialog: "compare-dialog", "asks for a file to compare with";
        Save: "save", "saves the view as NAME-1.png";
        SaveFigure: "save-figure", "saves the whole figure as NAME-1.png";
        Write: "write", "saves view and colours as a figure file, NAME-1.toml";
        Paste: "paste", "adds the text of the clipboard to the typed line";
        FullScreen: "full-screen", "enters or leaves full screen";
        LeaveFullScreen: "leave-full-screen", "leaves full screen, as Esc does when nothing else is left to cancel";
        Quit: "quit", "closes the window";
    }
}

impl ViewState {
    /// Applies an action.
    pub(super) fn act(&mut self, action: Action, geometry: &WindowGeometry) -> Damage {
        match action {
            Action::Cancel => self.cancel(geometry),
            Action::Home => self.home(self.one_by_key(geometry), geometry),
            Action::Actual => self.actual(geometry),
            Action::Back => self.travel(true, geometry),
            Action::Forward => self.travel(false, geometry),
            Action::Undo => self.undo(geometry),
            Action::Redo => self.redo(geometry),
            Action::Alone => {
                self.alone = !self.alone;
                Damage::OVERLAY
            }
            Action::SelectAll => self.select_all(geometry),
            Action::Square => self.square(geometry),
            Action::Enlarge => self.enlarge(geometry),
            Action::NextPanel => self.turn_panel(true, geometry),
            Action::PreviousPanel => self.turn_panel(false, geometry),
            Action::Other => self.show_other(geometry),
            Action::Blink => self.blink(geometry),
            Action::Difference => self.show_difference(geometry),
            Action::Thumbnails => {
                self.no_strip = !self.no_strip;
                Damage::LAYOUT.when(self.large.is_some())
            }
            Action::LinkedCursor => {
                self.linked_cursor = !self.linked_cursor;
                Damage::OVERLAY
            }
            Action::NextMaximum => self.turn_extremes(true, false, geometry),
            Action::PreviousMaximum => self.turn_extremes(true, true, geometry),
            Action::NextMinimum => self.turn_extremes(false, false, geometry),
            Action::PreviousMinimum => self.turn_extremes(false, true, geometry),
            Action::Annotations => self.toggle_values(geometry),
            Action::Borders => toggle(&mut self.overrides.borders, geometry.borders, Damage::COLORS),
            Action::Labels => toggle(&mut self.overrides.labels, geometry.labels, Damage::LAYOUT),
            Action::Distribution => self.toggle_distribution(geometry),
            Action::LogCounts => {
                self.log_counts = !self.log_counts;
                Damage::OVERLAY
            }
            Action::Profiles => {
                self.profiles = !self.profiles;
                Damage::OVERLAY
            }
            Action::Trace => self.show_trace(geometry),
            Action::Statistics => {
                self.statistics = !self.statistics;
                Damage::OVERLAY
            }
            Action::BoxMode => self.set_mode(Mode::Box),
            Action::SelectMode => self.set_mode(Mode::Select),
            Action::Toolbar => {
                self.without_toolbar = !self.without_toolbar;
                Damage::LAYOUT
            }
            Action::Minimap => {
                self.minimap = !self.minimap;
                Damage::OVERLAY
            }
            Action::Theme => {
                self.themed = true;
                self.overrides.theme = Some(other(self.overrides.theme.unwrap_or(geometry.theme)));
                Damage::LAYOUT
            }
            Action::Play => self.play(geometry),
            Action::Maps => self.toggle_maps(geometry),
            Action::SliceLimits => self.limit_by_slices(geometry),
            Action::Keys => self.toggle_keys(),
            Action::Frames => {
                self.frames = !self.frames;
                Damage::OVERLAY
            }
        }
    }

    /// Cancels one thing: a gesture, the menu, the typed line, the list of keys, that two sides blink or share a body, the mode
    /// of drags, the selection, then the histogram, the statistics, the trace, the profiles, that one panel only moves, the large
    /// panel. A message goes with it.
    fn cancel(&mut self, geometry: &WindowGeometry) -> Damage {
        self.message = None;
        if let Some(damage) = self.give_up(geometry) {
            return damage;
        }
        if let Some(damage) = self.restore_map() {
            return damage;
        }
        if self.menu.take().is_some() {
            return Damage::OVERLAY;
        }
        if self.line.take().is_some() {
            self.found = None;
            self.matches.clear();
            return Damage::OVERLAY;
        }
        if self.keys {
            self.keys = false;
            return Damage::OVERLAY;
        }
        if let Some(damage) = self.end_comparing() {
            return damage;
        }
        if self.mode.take().is_some() {
            return Damage::OVERLAY;
        }
        if self.selection.take().is_some() {
            return Damage::OVERLAY;
        }
        if self.distribution.take().is_some() {
            return Damage::OVERLAY | Damage::LAYOUT.when(geometry.gives_room());
        }
        for shown in [&mut self.statistics, &mut self.trace, &mut self.profiles] {
            if std::mem::take(shown) {
                return Damage::OVERLAY;
            }
        }
        if std::mem::take(&mut self.alone) {
            return Damage::OVERLAY;
        }
        Damage::LAYOUT.when(self.large.take().is_some())
    }
}

/// Said where values in cells are switched on and off, and where no cell has room for them.
const VALUES_ON: &str = "values in cells: on";
const VALUES_OFF: &str = "values in cells: off";
const VALUES_LATER: &str = "values in cells: shown once cells are large enough";

impl ViewState {
    fn toggle_values(&mut self, geometry: &WindowGeometry) -> Damage {
        let damage = toggle(&mut self.overrides.annotations, geometry.annotations, Damage::COLORS);
        let on = self.overrides.annotations == Some(true);
        damage | self.say(if on { VALUES_ON } else { VALUES_OFF }.to_owned())
    }

    /// Says, once values that were switched on are painted, if no cell has room for one.
    pub(crate) fn find_values(&mut self, geometry: &WindowGeometry) {
        if self.message.as_deref() == Some(VALUES_ON) && !geometry.shows_values() {
            self.message = Some(VALUES_LATER.to_owned());
        }
    }
}

fn other(theme: Theme) -> Theme {
    match theme {
        Theme::Light => Theme::Dark,
        Theme::Dark => Theme::Light,
    }
}

/// Toggles a switch, from its painted state if it was never set.
fn toggle(change: &mut Option<bool>, painted: bool, damage: Damage) -> Damage {
    *change = Some(!change.unwrap_or(painted));
    damage
}

#[cfg(test)]
mod tests {
    use super::super::command::{Command, Drag, Entry, Typing};
    use super::super::test_window::{at, geometry};
    use super::*;

    #[test]
    fn esc_gives_up_one_thing_after_the_other() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        s.apply(&Command::Do(Action::Keys), &w);
        s.apply(&Command::Do(Action::Alone), &w);
        s.apply(&Command::Select { panel: 0, rows: 0..1, columns: 0..1 }, &w);
        s.apply(&Command::Type(Typing::Open(Entry::Search)), &w);
        s.apply(&Command::Begin { drag: Drag::Box, at: at(200.0, 200.0), alone: false }, &w);
        s.message = Some("saved".to_owned());
        let mut left = || {
            let d = s.apply(&Command::Do(Action::Cancel), &w).damage;
            (
                d.any(),
                s.rubber.is_some(),
                s.line.is_some(),
                s.keys,
                s.selection.is_some(),
                s.message.is_some(),
                s.alone,
            )
        };
        assert_eq!(left(), (true, false, true, true, true, false, true), "a message costs no press");
        assert_eq!(left(), (true, false, false, true, true, false, true));
        assert_eq!(left(), (true, false, false, false, true, false, true));
        assert_eq!(left(), (true, false, false, false, false, false, true));
        assert_eq!(left(), (true, false, false, false, false, false, false));
        assert_eq!(left(), (false, false, false, false, false, false, false));
    }

    #[test]
    fn toggles_begin_at_what_is_painted() {
        let w = WindowGeometry { annotations: true, ..geometry(1, 10, 10) };
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
                // A message says it, which the next command takes away.
                Damage::COLORS | Damage::OVERLAY,
                Damage::COLORS | Damage::OVERLAY,
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
    fn esc_closes_what_lies_over_the_cells_after_the_selection() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        for action in [Action::Profiles, Action::Distribution, Action::Statistics, Action::SelectAll] {
            s.apply(&Command::Do(action), &w);
        }
        let mut esc = || {
            s.apply(&Command::Do(Action::Cancel), &w);
            let open = [s.distribution.is_some(), s.statistics, s.profiles];
            (s.selection.is_some(), open.into_iter().filter(|o| *o).count())
        };
        assert_eq!([esc(), esc(), esc(), esc()], [3, 2, 1, 0].map(|n| (false, n)));
    }

    #[test]
    fn each_word_names_one_command() {
        let mut words: Vec<&str> = Action::ALL.iter().map(|a| a.usage().0).collect();
        words.extend(Effect::ALL.iter().map(|e| e.usage().0));
        for word in &words {
            assert_eq!(words.iter().filter(|w| *w == word).count(), 1, "{word}");
            assert_eq!(Action::of_word(word).is_some(), Effect::of_word(word).is_none(), "{word}");
        }
    }
}
