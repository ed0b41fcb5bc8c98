//! Places in files: line and column of a byte, and where an input is at fault.

use super::bytes::Content;
use super::error::InputError;
use memchr::{memchr_iter, memrchr};
use std::fmt;

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

/// A place in a file: any of a named part, a line or several, a column, a row and a byte. Empty where the whole
/// file is meant.
///
/// It is written as messages have it: `header, byte 80`, `line 3, column 7`, `row 5`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// A part by its name: `header`, an array of an archive, a node of a store, a key of a figure.
    pub part: Option<String>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The last line, from 1, where more than one is meant.
    pub last_line: Option<u64>,
    /// The character in its line, from 1.
    pub column: Option<u64>,
    /// The row of a table that has no lines, from 1.
    pub row: Option<u64>,
    /// The byte, from 0.
    pub byte: Option<u64>,
}

impl Place {
    /// The whole file.
    pub fn whole() -> Self {
        Self::default()
    }

    /// A line, from 1.
    pub fn line(line: u64) -> Self {
        Self { line: Some(line), ..Self::whole() }
    }

    /// Lines from the first to the last, both from 1.
    pub fn lines(first: u64, last: u64) -> Self {
        Self { last_line: Some(last), ..Self::line(first) }
    }

    /// A character, in columns from 1, of a line, from 1.
    pub fn line_column(line: u64, column: u64) -> Self {
        Self { column: Some(column), ..Self::line(line) }
    }

    /// A row, from 1.
    pub fn row(row: u64) -> Self {
        Self { row: Some(row), ..Self::whole() }
    }

    /// A byte, from 0.
    pub fn byte(byte: u64) -> Self {
        Self { byte: Some(byte), ..Self::whole() }
    }

    /// A named part.
    pub fn part(name: impl Into<String>) -> Self {
        let name = name.into();
        Self { part: (!name.is_empty()).then_some(name), ..Self::whole() }
    }

    /// The same place inside a part; a part that it names already is inside that one.
    #[must_use]
    pub fn within(mut self, part: &str) -> Self {
        self.part = Some(match self.part {
            Some(inner) => format!("{part}, {inner}"),
            None => part.to_owned(),
        });
        self
    }

    /// Whether the whole file is meant.
    pub fn is_whole(&self) -> bool {
        *self == Self::whole()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map(|line| match self.last_line {
            Some(last) => format!("line {line}-{last}"),
            None => format!("line {line}"),
        });
        let named = |name: &str, n: Option<u64>| n.map(|n| format!("{name} {n}"));
        let parts = [
            self.part.clone(),
            line,
            named("column", self.column),
            named("row", self.row),
            named("byte", self.byte),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

impl From<&str> for Place {
    fn from(part: &str) -> Self {
        Self::part(part)
    }
}

impl From<String> for Place {
    fn from(part: String) -> Self {
        Self::part(part)
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

    #[test]
    fn places_are_written_from_the_outside_in() {
        for (place, text) in [
            (Place::whole(), ""),
            (Place::part(""), ""),
            (Place::line(3), "line 3"),
            (Place::lines(1, 2), "line 1-2"),
            (Place::line_column(3, 7), "line 3, column 7"),
            (Place::row(5), "row 5"),
            (Place::byte(80).within("header"), "header, byte 80"),
            (Place::byte(80).within("header").within("array 'x'"), "array 'x', header, byte 80"),
        ] {
            assert_eq!(place.to_string(), text);
            assert_eq!(place.is_whole(), text.is_empty());
        }
    }
}
