//! Line and column of a byte, as messages give them.

use super::bytes::Content;
use super::error::InputError;
use super::place::Place;
use memchr::{memchr_iter, memrchr};

/// Bytes that are read at once while the lines of a long text are counted.
const BLOCK: u64 = 1 << 20;

/// `line 3, column 7` of a byte, both from 1, columns in characters.
pub(super) fn place(text: &str, at: usize) -> Place {
    let mut counted = Position::default();
    counted.pass(&text.as_bytes()[..floor(text, at)]);
    counted.place()
}

/// The same in a text that need not be in memory: it begins at byte `from` of its content and is read again up to `at`.
///
/// # Errors
/// When it can no longer be read.
pub(super) fn place_in(content: &Content, from: u64, at: u64, file: &str) -> Result<Place, InputError> {
    let (mut counted, mut next) = (Position::default(), from);
    while next < at {
        let bytes = content.read_up_to(next, BLOCK.min(at - next), file)?;
        if bytes.is_empty() {
            break;
        }
        counted.pass(&bytes);
        next += bytes.len() as u64;
    }
    Ok(counted.place())
}

/// The character that a byte belongs to: where it begins.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Lines and characters before a place.
#[derive(Default)]
struct Position {
    lines: usize,
    /// Characters of the last line.
    characters: usize,
}

impl Position {
    fn pass(&mut self, bytes: &[u8]) {
        let line = match memrchr(b'\n', bytes) {
            Some(end) => {
                self.lines += memchr_iter(b'\n', bytes).count();
                self.characters = 0;
                &bytes[end + 1..]
            }
            None => bytes,
        };
        // Every byte of UTF-8 but those of the form 10xxxxxx begins a character.
        self.characters += line.iter().filter(|b| **b & 0xc0 != 0x80).count();
    }

    fn place(&self) -> Place {
        Place::line_column(self.lines as u64 + 1, self.characters as u64 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(place("a\nβγ x", 7), Place::line_column(2, 4));
        assert_eq!(place("a\nβ", 3), Place::line_column(2, 1));
        assert_eq!(place("", 9), Place::line_column(1, 1));
    }

    #[test]
    fn a_long_text_has_the_same_places() {
        let text = "aé\n".repeat(700_000) + &"β".repeat(800_000) + "x";
        let content = Content::Memory(text.clone().into_bytes());
        for at in [0, 1, 4, 5, 2_500_000, text.len() - 1] {
            let at = floor(&text, at);
            assert_eq!(place_in(&content, 0, at as u64, "f").unwrap(), place(&text, at), "{at}");
        }
        let marked = Content::Memory("\u{feff}a\nb".into());
        assert_eq!(place_in(&marked, 3, 5, "f").unwrap(), Place::line_column(2, 1));
    }
}
