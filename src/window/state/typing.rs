//! Typed lines: the search and the prompt share one field, a text with a cursor.

use super::super::geometry::WindowGeometry;
use super::command::{CursorMove, Entry, Erased, Typing};
use super::{Damage, ViewState};
use std::ops::Range;
use std::path::MAIN_SEPARATOR;

/// The most lines that can be recalled.
const MOST: usize = 100;

/// A line that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypedLine {
    /// Its purpose.
    pub entry: Entry,
    /// Its text and cursor.
    pub field: TextField,
    /// Why the line was refused, and how it is written; empty once it is edited.
    pub refusal: Vec<String>,
    completing: Option<Completing>,
    recalled: Option<Recalled>,
}

/// Candidates that are tried one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Completing {
    /// The bytes of the text that the candidate takes now.
    at: Range<usize>,
    candidates: Vec<String>,
    chosen: usize,
}

/// An earlier line in place of the typed one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Recalled {
    /// Which of the entered lines.
    index: usize,
    /// The line as it was typed, for the return.
    draft: String,
}

impl TypedLine {
    /// An empty line.
    pub(crate) fn new(entry: Entry) -> Self {
        Self { entry, field: TextField::default(), refusal: Vec::new(), completing: None, recalled: None }
    }

    /// A line with a text.
    #[cfg(test)]
    pub(crate) fn with(entry: Entry, text: &str) -> Self {
        let mut line = Self::new(entry);
        line.field.insert(text);
        line
    }

    /// A line that was entered earlier.
    #[cfg(test)]
    pub(crate) fn recalled_with(text: &str) -> Self {
        let recalled = Some(Recalled { index: 0, draft: String::new() });
        Self { recalled, ..Self::with(Entry::Prompt, text) }
    }

    /// The candidates that are tried in turn, and which one is in the line now.
    pub(crate) fn candidates(&self) -> Option<(&[String], usize)> {
        self.completing.as_ref().map(|c| (&c.candidates[..], c.chosen))
    }

    /// Completes the word that begins at byte `start` and ends at the cursor: as far as all candidates agree; where that adds
    /// nothing, by the first of them, and from then on by the next one.
    pub(crate) fn complete(&mut self, start: usize, candidates: Vec<String>, back: bool) {
        let end = self.field.halves().0.len();
        let typed = &self.field.text()[start..end];
        match &candidates[..] {
            [] => {}
            [only] => {
                // An argument follows a word; a candidate may itself end where a number goes on.
                let space = if only.ends_with([' ', ':', MAIN_SEPARATOR]) { "" } else { " " };
                let whole = format!("{only}{space}");
                self.field.replace(start..end, &whole);
            }
            [first, others @ ..] => {
                let common = others.iter().fold(first.as_str(), |a, b| shared(a, b));
                let goes_on = common.to_lowercase().starts_with(&typed.to_lowercase());
                if goes_on && common != typed {
                    let common = common.to_owned();
                    self.field.replace(start..end, &common);
                } else {
                    let chosen = if back { candidates.len() - 1 } else { 0 };
                    self.field.replace(start..end, &candidates[chosen]);
                    let at = start..start + candidates[chosen].len();
                    self.completing = Some(Completing { at, candidates, chosen });
                }
            }
        }
        self.refusal.clear();
    }

    /// Whether the line is one that was entered earlier.
    pub(crate) fn is_recalled(&self) -> bool {
        self.recalled.is_some()
    }

    /// Goes on to the next candidate or the one before; whether candidates are being tried.
    pub(crate) fn turn(&mut self, back: bool) -> bool {
        let Some(c) = &mut self.completing else {
            return false;
        };
        let n = c.candidates.len();
        c.chosen = (c.chosen + if back { n - 1 } else { 1 }) % n;
        self.field.replace(c.at.clone(), &c.candidates[c.chosen]);
        c.at.end = c.at.start + c.candidates[c.chosen].len();
        true
    }

    /// Ends completion and recall, which depend on the text as it was.
    fn edited(&mut self) {
        (self.completing, self.recalled) = (None, None);
        self.refusal.clear();
    }
}

/// The beginning that two texts share.
fn shared<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    &a[..same.map(|(c, _)| c.len_utf8()).sum::<usize>()]
}

impl ViewState {
    /// The text of a typed line of this kind.
    pub(crate) fn typed(&self, entry: Entry) -> Option<&str> {
        let line = self.line.as_ref().filter(|l| l.entry == entry)?;
        Some(line.field.text())
    }

    /// Applies input of a typed line. What needs the words of scripts is not done here: completing and running lines.
    pub(super) fn type_line(&mut self, typing: &Typing, geometry: &WindowGeometry) -> Damage {
        let (before, mut found) = (self.line.clone(), Damage::NONE);
        if matches!(typing, Typing::Open(_) | Typing::Prompt(_))
            && let Some(damage) = self.restore_map()
        {
            found = damage;
        }
        match (typing, &mut self.line) {
            // The table of colormaps has its own action.
            (Typing::Open(Entry::Map), _) => return Damage::NONE,
            (Typing::Open(entry), line) => {
                *line = Some(TypedLine::new(*entry));
                self.found = None;
            }
            (Typing::Prompt(text), line) => {
                let opened = line.insert(TypedLine::new(Entry::Prompt));
                opened.field.insert(&format!("{text} "));
                self.found = None;
            }
            (Typing::Text(more), Some(line)) => {
                line.field.insert(more);
                line.edited();
            }
            (Typing::Erase(part), Some(line)) => {
                match part {
                    Erased::Before => line.field.erase(),
                    Erased::After => line.field.erase_after(),
                    Erased::ToStart => line.field.erase_to_start(),
                }
                line.edited();
            }
            (Typing::Cursor(to), Some(line)) => {
                match to {
                    CursorMove::Left => line.field.left(),
                    CursorMove::Right => line.field.right(),
                    CursorMove::Start => line.field.start(),
                    CursorMove::End => line.field.end(),
                }
                line.completing = None;
            }
            (Typing::Recall { older }, Some(line)) => recall(line, *older, &self.entered),
            (Typing::Enter { .. }, Some(line)) if line.entry == Entry::Map => return self.keep_map(),
            (Typing::Enter { back }, Some(line)) if line.entry == Entry::Search => {
                let text = line.field.text().to_owned();
                return self.find(&text, *back, geometry);
            }
            (Typing::Enter { .. } | Typing::Complete { .. }, _) | (_, None) => {}
        }
        let text = |line: &Option<TypedLine>| line.as_ref().map(|l| l.field.text().to_owned());
        if text(&before) != text(&self.line) {
            self.found = None;
            self.find_all(geometry);
            found = self.find_map();
        }
        found | Damage::OVERLAY.when(before != self.line)
    }

    /// Takes over the line that is being typed in another state, the lines entered there, and its message.
    pub(crate) fn take_line(&mut self, before: &mut ViewState) {
        (self.line, self.entered) = (before.line.take(), std::mem::take(&mut before.entered));
        self.message = before.message.take().or(self.message.take());
    }

    /// Keeps the line open, with the reason why it was refused.
    pub(crate) fn refuse(&mut self, refusal: Vec<String>) -> Damage {
        let line = self.line.as_mut();
        line.map_or(Damage::NONE, |line| {
            let changed = line.refusal != refusal;
            line.refusal = refusal;
            Damage::OVERLAY.when(changed)
        })
    }

    /// Closes the line, and stores its text so that it can be recalled.
    pub(crate) fn close_prompt(&mut self, text: &str) -> Damage {
        if !text.trim().is_empty() {
            self.entered.retain(|e| e != text);
            self.entered.push(text.to_owned());
            let over = self.entered.len().saturating_sub(MOST);
            self.entered.drain(..over);
        }
        Damage::OVERLAY.when(self.line.take().is_some())
    }
}

/// Puts an earlier line in place of the typed one, or the one that follows it.
fn recall(line: &mut TypedLine, older: bool, entered: &[String]) {
    if line.entry != Entry::Prompt {
        return;
    }
    let draft = || line.field.text().to_owned();
    let next = match (&line.recalled, older) {
        (None, true) => entered.len().checked_sub(1).map(|index| Recalled { index, draft: draft() }),
        (None, false) => None,
        (Some(now), true) => Some(Recalled { index: now.index.saturating_sub(1), draft: now.draft.clone() }),
        (Some(now), false) => Some(Recalled { index: now.index + 1, draft: now.draft.clone() }),
    };
    let Some(next) = next else { return };
    line.edited();
    match entered.get(next.index) {
        Some(text) => {
            line.field.set(text.clone());
            line.recalled = Some(next);
        }
        None => line.field.set(next.draft),
    }
}

/// The most characters of a line.
const LONGEST: usize = 500;

/// A line of text and the place in it where text is added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextField {
    text: String,
    /// The cursor, in bytes of the text, between two characters.
    cursor: usize,
}

impl TextField {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The texts before and after the cursor.
    pub fn halves(&self) -> (&str, &str) {
        self.text.split_at(self.cursor)
    }

    /// Adds text at the cursor: of several lines all in one, without control characters.
    pub(super) fn insert(&mut self, more: &str) {
        let room = LONGEST.saturating_sub(self.text.chars().count());
        let spaced = more.trim_end_matches(['\r', '\n']).replace(['\n', '\t'], " ");
        let more: String = spaced.chars().filter(|c| !c.is_control()).take(room).collect();
        self.text.insert_str(self.cursor, &more);
        self.cursor += more.len();
    }

    /// Replaces the bytes of a range, and places the cursor behind what replaces them.
    pub(super) fn replace(&mut self, range: Range<usize>, by: &str) {
        self.text.replace_range(range.clone(), by);
        self.cursor = range.start + by.len();
    }

    /// Replaces the whole text.
    pub(super) fn set(&mut self, text: String) {
        (self.cursor, self.text) = (text.len(), text);
    }

    /// Erases the character before the cursor.
    pub(super) fn erase(&mut self) {
        let to = self.cursor;
        self.left();
        self.text.replace_range(self.cursor..to, "");
    }

    /// Erases the character after the cursor.
    fn erase_after(&mut self) {
        let from = self.cursor;
        self.right();
        self.text.replace_range(from..self.cursor, "");
        self.cursor = from;
    }

    /// Erases everything before the cursor.
    fn erase_to_start(&mut self) {
        self.text.replace_range(..self.cursor, "");
        self.cursor = 0;
    }

    /// Moves the cursor a character to the left.
    pub(super) fn left(&mut self) {
        self.cursor -= self.halves().0.chars().next_back().map_or(0, char::len_utf8);
    }

    /// Moves the cursor a character to the right.
    pub(super) fn right(&mut self) {
        self.cursor += self.halves().1.chars().next().map_or(0, char::len_utf8);
    }

    /// Moves the cursor to the start.
    pub(super) fn start(&mut self) {
        self.cursor = 0;
    }

    /// Moves the cursor to the end.
    pub(super) fn end(&mut self) {
        self.cursor = self.text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::Command;
    use super::super::test_window::{geometry, run};
    use super::*;
    use crate::dice::Dice;

    fn texts(words: &[&str]) -> Vec<String> {
        words.iter().map(|w| (*w).to_owned()).collect()
    }

    fn line(text: &str) -> TypedLine {
        TypedLine::with(Entry::Prompt, text)
    }

    #[test]
    fn words_are_completed_as_far_as_they_agree_and_then_in_turn() {
        let mut only = line("vmi");
        only.complete(0, texts(&["vmin"]), false);
        assert_eq!((only.field.text(), only.candidates()), ("vmin ", None));
        let mut norm = line("norm s");
        norm.complete(5, texts(&["symlog:"]), false);
        assert_eq!(norm.field.text(), "norm symlog:");
        let mut none = line("xyz");
        none.complete(0, Vec::new(), false);
        assert_eq!(none.field.text(), "xyz");
        let mut several = line("cmap ylg");
        let names = texts(&["YlGn", "YlGnBu"]);
        several.complete(5, names.clone(), false);
        assert_eq!((several.field.text(), several.candidates()), ("cmap YlGn", None));
        assert!(!several.turn(false));
        several.complete(5, names.clone(), false);
        assert_eq!(several.candidates(), Some((&names[..], 0)));
        let mut turned = |back| (several.turn(back), several.field.text().to_owned());
        assert_eq!(turned(false), (true, "cmap YlGnBu".to_owned()));
        assert_eq!(turned(false), (true, "cmap YlGn".to_owned()));
        assert_eq!(turned(true), (true, "cmap YlGnBu".to_owned()));
        // The text behind the cursor stays.
        let mut before = line("redu max");
        (0..4).for_each(|_| before.field.left());
        before.complete(0, texts(&["reduce"]), false);
        assert_eq!(before.field.text(), "reduce  max");
    }

    #[test]
    fn entered_lines_are_recalled_and_the_draft_returns() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        for text in ["vmin 1", "home", "vmin 1", "  "] {
            s.line = Some(line(text));
            assert_eq!(s.close_prompt(text), Damage::OVERLAY);
        }
        assert_eq!(s.entered, ["home", "vmin 1"]);
        s.line = Some(line("dra"));
        let mut recalled = |older| {
            run(&mut s, &w, &Command::Type(Typing::Recall { older }));
            s.typed(Entry::Prompt).unwrap().to_owned()
        };
        let seen = [true, true, true, false, false, false].map(&mut recalled);
        assert_eq!(seen, ["vmin 1", "home", "home", "vmin 1", "dra", "dra"]);
        (0..300).for_each(|i| _ = s.close_prompt(&format!("vmin {i}")));
        assert_eq!(s.entered.len(), MOST);
    }

    #[test]
    fn an_edit_withdraws_a_refusal_and_esc_closes_the_line() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Type(Typing::Open(Entry::Prompt)));
        s.refuse(texts(&["no"]));
        run(&mut s, &w, &Command::Type(Typing::Text("x".to_owned())));
        assert_eq!(s.line, Some(line("x")));
        // Running a line is not the state's.
        let enter = Command::Type(Typing::Enter { back: false });
        assert_eq!(run(&mut s, &w, &enter), Damage::NONE);
        assert_eq!(run(&mut s, &w, &Command::Do(Action::Cancel)), Damage::OVERLAY);
        assert_eq!((s.line.clone(), run(&mut s, &w, &enter)), (None, Damage::NONE));
        // The search recalls and completes nothing.
        s.line = Some(TypedLine::with(Entry::Search, "a"));
        s.entered.push("home".to_owned());
        run(&mut s, &w, &Command::Type(Typing::Recall { older: true }));
        assert_eq!(s.typed(Entry::Search), Some("a"));
        assert_eq!(s.typed(Entry::Prompt), None);
    }

    /// The same line by the plainest means: a list of characters.
    #[derive(Default)]
    struct Plain(Vec<char>, usize);

    impl Plain {
        fn text(&self) -> String {
            self.0.iter().collect()
        }
    }

    #[test]
    fn a_field_is_a_list_of_characters_with_a_place() {
        let mut dice = Dice(7);
        for _ in 0..300 {
            let (mut field, mut plain) = (TextField::default(), Plain::default());
            for _ in 0..40 {
                let Plain(chars, at) = &mut plain;
                match dice.below(8) {
                    0 => (field.left(), *at = at.saturating_sub(1)).0,
                    1 => (field.right(), *at = (*at + 1).min(chars.len())).0,
                    2 => (field.start(), *at = 0).0,
                    3 => (field.end(), *at = chars.len()).0,
                    4 => {
                        field.erase();
                        if *at > 0 {
                            *at -= 1;
                            chars.remove(*at);
                        }
                    }
                    5 => {
                        field.erase_after();
                        if *at < chars.len() {
                            chars.remove(*at);
                        }
                    }
                    6 if dice.below(4) == 0 => {
                        field.erase_to_start();
                        chars.drain(..std::mem::take(at));
                    }
                    _ => {
                        let more = ["a", "é", "比較", "x 1", "\u{1}b"][dice.below(5) as usize];
                        field.insert(more);
                        for c in more.chars().filter(|c| !c.is_control()) {
                            chars.insert(*at, c);
                            *at += 1;
                        }
                    }
                }
                assert_eq!(field.text(), plain.text());
                assert_eq!(field.halves().0.chars().count(), plain.1);
            }
        }
    }

    #[test]
    fn pasted_lines_become_one_and_end_at_the_longest() {
        let mut field = TextField::default();
        field.insert("vmin 2\tx\nhome\r\n");
        assert_eq!(field.text(), "vmin 2 x home");
        field.insert(&"é".repeat(2000));
        assert_eq!(field.text().chars().count(), LONGEST);
        field.replace(0..4, "vmax");
        assert_eq!(field.halves().0, "vmax");
        field.set("go".to_owned());
        assert_eq!(field.halves(), ("go", ""));
    }
}
