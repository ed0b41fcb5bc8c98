//! Which cells of a grid are read.

use crate::notation::{Notation, ParseError};
use std::fmt;
use std::str::FromStr;

/// Row or column indices from `start` up to `end`, which is excluded: `2:5`; what is left out is the end of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellRange {
    /// The first index.
    pub start: Option<usize>,
    /// The index after the last one.
    pub end: Option<usize>,
}

/// Reads `A:B`, where either may be left out.
impl FromStr for CellRange {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let side = |t: &str| match t.trim() {
            "" => Some(None),
            t => t.parse().ok().map(Some),
        };
        let ends = text.split_once(':').and_then(|(a, b)| Some((side(a)?, side(b)?)));
        let wrong = |reason| Err(ParseError::new(Notation::CellRange, text, reason));
        match ends {
            None => wrong("give two indices from 0, as 0:10"),
            Some((Some(a), Some(b))) if a >= b => wrong("it is empty; A:B ends before B"),
            Some((start, end)) => Ok(Self { start, end }),
        }
    }
}

impl fmt::Display for CellRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |index: Option<usize>| index.map(|i| i.to_string()).unwrap_or_default();
        write!(f, "{}:{}", side(self.start), side(self.end))
    }
}

/// The cell in the middle of what is read: `max`, `min` or `ROW,COLUMN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Around {
    /// The first greatest value of any grid.
    Max,
    /// The first least value of any grid.
    Min,
    /// This cell.
    Cell {
        /// Its row, counted from 0.
        row: usize,
        /// Its column, counted from 0.
        column: usize,
    },
}

impl FromStr for Around {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let index = |t: &str| t.trim().parse().ok();
        match text {
            "max" => Ok(Self::Max),
            "min" => Ok(Self::Min),
            text => text
                .split_once(',')
                .and_then(|(r, c)| Some((index(r)?, index(c)?)))
                .map(|(row, column)| Self::Cell { row, column })
                .ok_or_else(|| ParseError::new(Notation::Around, text, "give max, min or ROW,COLUMN")),
        }
    }
}

impl fmt::Display for Around {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Max => f.write_str("max"),
            Self::Min => f.write_str("min"),
            Self::Cell { row, column } => write!(f, "{row},{column}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_print_as_they_are_read() {
        for text in ["0:3", "4:", ":7", ":"] {
            assert_eq!(text.parse::<CellRange>().unwrap().to_string(), text);
        }
        for bad in ["-1:3", "3:1", "2:2", "3", "a:b", "", "1:2:3", "0:99999999999999999999"] {
            assert_eq!(bad.parse::<CellRange>().unwrap_err().kind, Notation::CellRange, "{bad}");
        }
    }

    #[test]
    fn places_print_as_they_are_read() {
        for text in ["max", "min", "2,3"] {
            assert_eq!(text.parse::<Around>().unwrap().to_string(), text);
        }
        assert_eq!("2, 3".parse(), Ok(Around::Cell { row: 2, column: 3 }));
        for bad in ["peak", "-1,0", "1", "1,2,3"] {
            assert_eq!(bad.parse::<Around>().unwrap_err().kind, Notation::Around, "{bad}");
        }
    }
}
