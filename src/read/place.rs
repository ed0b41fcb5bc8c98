//! Where in its file an input is at fault, as data.

use std::fmt;

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
