//! A line of text that is typed, with a cursor.

use std::ops::Range;

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
    pub(super) fn erase_after(&mut self) {
        let from = self.cursor;
        self.right();
        self.text.replace_range(from..self.cursor, "");
        self.cursor = from;
    }

    /// Erases everything before the cursor.
    pub(super) fn erase_to_start(&mut self) {
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
    use super::*;
    use crate::dice::Dice;

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
