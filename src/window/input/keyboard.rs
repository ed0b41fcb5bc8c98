//! A key with its modifiers, as people write it, `Ctrl+C`; keys and typed text to commands.

use super::binding::{Does, Trigger, find, find_key};
use super::controls::Spot;
use super::event::Event;
use super::wheel::PIXELS;
use super::{Button, Input, Stage};
use crate::geometry::WindowGeometry;
use crate::state::{Action, Command, Menuing, Pick, Scrolling, Typing, ViewState};
use gridscope_core::text::{clean, did_you_mean, nearest};
use std::fmt;
use std::str::FromStr;

/// Lines of the list of keys that a notch of the wheel scrolls.
const LINES: f64 = 3.0;

impl Input {
    /// The commands of a key; `text`: what it types. Slices that play stop at any key, and Esc does no more than that.
    pub fn press(
        &mut self,
        chord: Chord,
        text: Option<String>,
        repeat: bool,
        state: &ViewState,
    ) -> Vec<Command> {
        let mut commands = self.pressed(chord, text, repeat, state);
        if state.is_playing() && !repeat {
            commands.retain(|c| !matches!(c, Command::Do(Action::Cancel | Action::Play)));
            commands.insert(0, Command::Do(Action::Play));
        }
        commands
    }

    /// The commands that a key is bound to.
    fn pressed(
        &mut self,
        chord: Chord,
        text: Option<String>,
        repeat: bool,
        state: &ViewState,
    ) -> Vec<Command> {
        let in_menu = state.menu.as_ref().and_then(|_| find_key(Spot::Menu, chord));
        let spot = Spot::of_keys(state);
        let row = match (in_menu.or_else(|| find_key(spot, chord)), text) {
            (Some(row), _) => Some(row),
            // Some keyboards type a key's third character with Ctrl and Alt.
            (None, Some(text)) if types(spot) && (!chord.mods.ctrl || chord.mods.alt) => {
                return typed(text, state);
            }
            (None, _) => find_key(Spot::Elsewhere, chord),
        };
        if let (Some(menu), Some(Does::Choose)) = (&state.menu, row.map(|r| &r.does)) {
            return menu.commands(menu.chosen.unwrap_or(usize::MAX));
        }
        let command = row.and_then(|r| match (&r.does, chord.key.arrow()) {
            (Does::Turn, Some((right, down))) => Some(Command::Menu(Menuing::Step(right + down))),
            (Does::Scroll { pages: true }, Some((right, down))) => {
                Some(Command::Scroll(Scrolling::Pages(right + down)))
            }
            (Does::Scroll { pages: false }, Some((right, down))) => {
                Some(Command::Scroll(Scrolling::Lines(right + down)))
            }
            (Does::Run(command), _) => Some(command.clone()),
            (Does::Step(reach), Some((right, down))) => Some(Command::Step { right, down, reach: *reach }),
            _ => None,
        });
        let Some(command) = command.filter(|c| !repeat || repeats(c)) else {
            return Vec::new();
        };
        if let (Command::Do(Action::Cancel), Some(press)) = (&command, &mut self.press) {
            press.stage = Stage::Spent;
        }
        vec![command]
    }

    /// The commands of a wheel over the list of keys, which covers what lies under it; `None` for other events, and while it
    /// is closed.
    pub(super) fn in_keys(
        &mut self,
        event: &Event,
        geometry: &WindowGeometry,
        state: &ViewState,
    ) -> Option<Vec<Command>> {
        let lines = match event {
            _ if Spot::of_keys(state) != Spot::Keys => return None,
            Event::Wheel(notches) => -LINES * notches,
            Event::Scroll(by) => -by.y / (PIXELS * geometry.logical_pixel()),
            Event::Tilt(_) | Event::Pinch(_) => 0.0,
            _ => return None,
        };
        if !lines.is_finite() {
            return Some(Vec::new());
        }
        // Fingers on a trackpad move parts of a line.
        self.slid += lines;
        let whole = self.slid.trunc();
        self.slid -= whole;
        let lines = Command::Scroll(Scrolling::Lines(whole as i32));
        Some((whole != 0.0).then_some(lines).into_iter().collect())
    }

    /// The commands of a button or a wheel over the table of colormaps, which covers what lies under it; `None` for other
    /// events, and while it is closed.
    pub(super) fn in_maps(&self, event: &Event, state: &ViewState) -> Option<Vec<Command>> {
        let pick = match event {
            _ if Spot::of_keys(state) != Spot::Maps => return None,
            Event::Button { button: Button::Left, pressed: true, .. } => self.at.map(Pick::At),
            Event::Wheel(notches) => Some(Pick::Step { right: 0, down: -notches.round() as i32 }),
            Event::Button { pressed: true, .. } | Event::Tilt(_) | Event::Scroll(_) | Event::Pinch(_) => None,
            _ => return None,
        };
        Some(pick.map(Command::Pick).into_iter().collect())
    }
}

/// Whether text is typed there.
fn types(spot: Spot) -> bool {
    !matches!(spot, Spot::Elsewhere | Spot::Keys)
}

/// Adds text to the typed line, if one is open.
pub(super) fn typed(text: String, state: &ViewState) -> Vec<Command> {
    let row = find(Spot::of_keys(state), Trigger::Typing);
    match row.map(|r| &r.does) {
        Some(Does::Type) => vec![Command::Type(Typing::Text(text))],
        _ => Vec::new(),
    }
}

/// Whether a held key repeats the command: moves do, toggles and saving do not.
fn repeats(command: &Command) -> bool {
    matches!(
        command,
        Command::Step { .. }
            | Command::Nearer(_)
            | Command::Menu(Menuing::Step(_))
            | Command::Do(
                Action::Back
                    | Action::Forward
                    | Action::Undo
                    | Action::Redo
                    | Action::NextMaximum
                    | Action::PreviousMaximum
                    | Action::NextMinimum
                    | Action::PreviousMinimum
                    | Action::NextPanel
                    | Action::PreviousPanel
            )
            | Command::Type(
                Typing::Erase(_) | Typing::Cursor(_) | Typing::Complete { .. } | Typing::Recall { .. }
            )
            | Command::Slice(_)
            | Command::Pick(_)
            | Command::Scroll(_)
    )
}

/// Modifiers that are held. On macOS Cmd counts as Ctrl.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mods {
    /// Ctrl.
    pub ctrl: bool,
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
}

impl Mods {
    /// None.
    pub const NONE: Mods = Mods { ctrl: false, shift: false, alt: false };
    /// Ctrl alone.
    pub const CTRL: Mods = Mods { ctrl: true, ..Mods::NONE };
    /// Shift alone.
    pub const SHIFT: Mods = Mods { shift: true, ..Mods::NONE };
    /// Alt alone.
    pub const ALT: Mods = Mods { alt: true, ..Mods::NONE };

    /// These without `other`; `None` unless all of `other` are among them.
    pub fn without(self, other: Mods) -> Option<Mods> {
        let lacks = other.ctrl && !self.ctrl || other.shift && !self.shift || other.alt && !self.alt;
        let rest = Mods {
            ctrl: self.ctrl && !other.ctrl,
            shift: self.shift && !other.shift,
            alt: self.alt && !other.alt,
        };
        (!lacks).then_some(rest)
    }
}

/// A key that a binding can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Key {
    /// A character; letters are in lower case, since Shift is a modifier.
    Char(char),
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// Home.
    Home,
    /// End.
    End,
    /// Page Up.
    PageUp,
    /// Page Down.
    PageDown,
    /// Tab.
    Tab,
    /// Delete.
    Delete,
    /// Enter, on the number pad too.
    Enter,
    /// Esc.
    Escape,
    /// Backspace.
    Backspace,
    /// F1 to F35.
    F(u8),
}

impl Key {
    /// Where an arrow points, right and down.
    pub fn arrow(self) -> Option<(i32, i32)> {
        match self {
            Key::Left => Some((-1, 0)),
            Key::Right => Some((1, 0)),
            Key::Up => Some((0, -1)),
            Key::Down => Some((0, 1)),
            _ => None,
        }
    }
}

/// Names of keys without a visible character.
const NAMES: [(&str, Key); 14] = [
    ("Left", Key::Left),
    ("Right", Key::Right),
    ("Up", Key::Up),
    ("Down", Key::Down),
    ("Home", Key::Home),
    ("End", Key::End),
    ("PageUp", Key::PageUp),
    ("PageDown", Key::PageDown),
    ("Tab", Key::Tab),
    ("Delete", Key::Delete),
    ("Enter", Key::Enter),
    ("Esc", Key::Escape),
    ("Backspace", Key::Backspace),
    ("Space", Key::Char(' ')),
];

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    /// The modifiers; Shift only with letters and keys that type no character.
    pub mods: Mods,
    /// The key.
    pub key: Key,
}

impl Chord {
    /// Chord of a key with these modifiers. Letters follow Shift, not their case (Caps Lock). Other characters (`?`, `+`) imply
    /// their Shift, whatever key a layout puts them on.
    pub fn new(mods: Mods, key: Key) -> Self {
        match key {
            Key::Char(c) if c.is_alphabetic() => {
                let mut lower = c.to_lowercase();
                // A letter whose lower case has two characters stays as it is.
                let key = if lower.len() == 1 { Key::Char(lower.next().unwrap_or(c)) } else { key };
                Self { mods, key }
            }
            Key::Char(_) => Self { mods: Mods { shift: false, ..mods }, key },
            _ => Self { mods, key },
        }
    }

    /// The text that it types, if any.
    pub fn text(self) -> Option<String> {
        match self.key {
            Key::Char(c) if !self.mods.ctrl && !self.mods.alt => {
                Some(if self.mods.shift { c.to_uppercase().collect() } else { c.to_string() })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Mods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [(self.ctrl, "Ctrl+"), (self.alt, "Alt+"), (self.shift, "Shift+")] {
            f.write_str(if held { name } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.mods)?;
        match self.key {
            Key::F(n) => write!(f, "F{n}"),
            key => match (NAMES.iter().find(|n| n.1 == key), key) {
                (Some((name, _)), _) => f.write_str(name),
                (None, Key::Char(c)) if self.mods != Mods::NONE && c.to_uppercase().count() == 1 => {
                    write!(f, "{}", c.to_uppercase())
                }
                (None, Key::Char(c)) => write!(f, "{c}"),
                (None, _) => Ok(()),
            },
        }
    }
}

/// Why a text names no key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChordError {
    /// A modifier other than Ctrl, Shift and Alt.
    Modifier(String),
    /// Nothing follows the modifiers of this text.
    NoKey(String),
    /// A key that does not exist, and the name nearest to it.
    UnknownKey(String, Option<&'static str>),
}

impl fmt::Display for ChordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Modifier(name) => write!(f, "'{}' is not one of Ctrl, Alt, Shift", clean(name)),
            Self::NoKey(text) => write!(f, "'{}' does not name a key", clean(text)),
            Self::UnknownKey(name, near) => {
                write!(f, "'{}' is not a key{}", clean(name), did_you_mean(*near))
            }
        }
    }
}

impl std::error::Error for ChordError {}

impl FromStr for Chord {
    type Err = ChordError;

    /// `C` alone is Shift+C; after a modifier the case of a letter does not matter.
    fn from_str(text: &str) -> Result<Self, ChordError> {
        let (mut mods, mut rest) = (Mods::NONE, text);
        while let Some((name, after)) = rest.split_once('+').filter(|(name, _)| !name.is_empty()) {
            match name.to_ascii_lowercase().as_str() {
                "ctrl" | "cmd" => mods.ctrl = true,
                "shift" => mods.shift = true,
                "alt" => mods.alt = true,
                _ => return Err(ChordError::Modifier(name.to_owned())),
            }
            rest = after;
        }
        let mut chars = rest.chars();
        let key = match (chars.next(), chars.next()) {
            (None, _) => return Err(ChordError::NoKey(text.to_owned())),
            (Some(c), None) => Key::Char(c),
            _ => named(rest)?,
        };
        if let (Mods::NONE, Key::Char(c)) = (mods, key) {
            mods.shift = c.is_uppercase();
        }
        Ok(Self::new(mods, key))
    }
}

/// The key of a name of several characters.
fn named(text: &str) -> Result<Key, ChordError> {
    let lower = text.to_lowercase();
    let function = lower.strip_prefix('f').and_then(|n| n.parse().ok()).filter(|n| (1..=35).contains(n));
    let known = NAMES.iter().find(|(name, _)| name.to_lowercase() == lower).map(|n| n.1);
    let other = match lower.as_str() {
        "escape" => Some(Key::Escape),
        "return" => Some(Key::Enter),
        _ => None,
    };
    function
        .map(Key::F)
        .or(known)
        .or(other)
        .ok_or_else(|| ChordError::UnknownKey(text.to_owned(), nearest(text, NAMES.iter().map(|n| n.0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chord(ctrl: bool, shift: bool, alt: bool, key: Key) -> Chord {
        Chord { mods: Mods { ctrl, shift, alt }, key }
    }

    #[test]
    fn chords_read_as_people_write_them() {
        for (text, wanted, printed) in [
            ("Ctrl+C", chord(true, false, false, Key::Char('c')), "Ctrl+C"),
            ("ctrl+shift+c", chord(true, true, false, Key::Char('c')), "Ctrl+Shift+C"),
            ("c", chord(false, false, false, Key::Char('c')), "c"),
            ("C", chord(false, true, false, Key::Char('c')), "Shift+C"),
            ("?", chord(false, false, false, Key::Char('?')), "?"),
            ("+", chord(false, false, false, Key::Char('+')), "+"),
            ("Ctrl++", chord(true, false, false, Key::Char('+')), "Ctrl++"),
            ("Shift+?", chord(false, false, false, Key::Char('?')), "?"),
            ("Alt+Left", chord(false, false, true, Key::Left), "Alt+Left"),
            ("Shift+down", chord(false, true, false, Key::Down), "Shift+Down"),
            ("F11", chord(false, false, false, Key::F(11)), "F11"),
            ("f", chord(false, false, false, Key::Char('f')), "f"),
            ("Escape", chord(false, false, false, Key::Escape), "Esc"),
            ("Space", chord(false, false, false, Key::Char(' ')), "Space"),
            ("Cmd+Q", chord(true, false, false, Key::Char('q')), "Ctrl+Q"),
        ] {
            let read: Chord = text.parse().unwrap();
            assert_eq!((read, read.to_string().as_str()), (wanted, printed), "{text}");
            assert_eq!(printed.parse(), Ok(wanted));
        }
    }

    #[test]
    fn texts_that_name_no_key_are_refused() {
        let wrong = |t: &str| t.parse::<Chord>().unwrap_err().to_string();
        assert_eq!(wrong(""), "'' does not name a key");
        assert_eq!(wrong("Ctrl+"), "'Ctrl+' does not name a key");
        assert_eq!(wrong("Hyper+x"), "'Hyper' is not one of Ctrl, Alt, Shift");
        assert_eq!(wrong("Backspce"), "'Backspce' is not a key; did you mean 'Backspace'?");
        assert_eq!(
            (wrong("F0"), wrong("F36")),
            ("'F0' is not a key".to_owned(), "'F36' is not a key".to_owned())
        );
    }

    #[test]
    fn caps_lock_is_not_shift() {
        assert_eq!(Chord::new(Mods::NONE, Key::Char('S')), chord(false, false, false, Key::Char('s')));
        assert_eq!(Chord::new(Mods::SHIFT, Key::Char('s')).text(), Some("S".to_owned()));
        assert_eq!(Chord::new(Mods::CTRL, Key::Char('s')).text(), None);
        // The lower case of this letter has two characters.
        assert_eq!(Chord::new(Mods::NONE, Key::Char('İ')).key, Key::Char('İ'));
    }

    #[test]
    fn modifiers_are_taken_away_whole() {
        let both = Mods { alt: true, ..Mods::SHIFT };
        assert_eq!((both.without(Mods::ALT), Mods::SHIFT.without(Mods::ALT)), (Some(Mods::SHIFT), None));
    }
}
