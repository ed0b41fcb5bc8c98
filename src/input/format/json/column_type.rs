//! The type of a column: the narrowest that holds all of its values exactly, whatever order their rows are looked at in.

use super::fault::Fault;
use super::number::{float, integer};
use super::tokenizer::Scalar;
use crate::grid::Number;
use crate::input::table::{CellType, EXACT};

/// A row that does not exist.
const NONE: u64 = u64::MAX;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ColumnType {
    pub cells: CellType,
    /// In a column of texts, the row from which on numbers are as they are written; before it they are in the shortest form
    /// that reads back.
    pub written: u64,
    /// Whether the numbers before that row are f64s.
    pub floats: bool,
}

/// What a value is to the type of its column.
#[derive(Clone, Copy)]
enum Kind {
    /// Any value at all.
    Value,
    Negative,
    /// An integer beyond [`EXACT`], or its negative.
    Inexact,
    /// An integer beyond i64.
    Wide,
    Float,
    Text,
}

/// The first row of a column with a value of each [`Kind`]; [`NONE`] without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FirstRows([u64; 6]);

impl Default for FirstRows {
    fn default() -> Self {
        Self([NONE; 6])
    }
}

impl FirstRows {
    fn first(&self, kind: Kind) -> u64 {
        self.0[kind as usize]
    }

    #[inline]
    fn see(&mut self, kind: Kind, row: u64) {
        let first = &mut self.0[kind as usize];
        *first = row.min(*first);
    }

    /// Takes in the value of a row that comes after the rows before.
    ///
    /// # Errors
    /// A number beyond f64.
    pub fn note(&mut self, row: u64, value: &Scalar<'_>, at: usize) -> Result<(), Fault> {
        match value {
            Scalar::Null => return Ok(()),
            Scalar::Bool(_) | Scalar::Text(_) => self.see(Kind::Text, row),
            Scalar::NotFinite(_) => self.see(Kind::Float, row),
            Scalar::Float(text) => {
                self.see(Kind::Float, row);
                // Shorter ones without an exponent are below 1e300.
                if text.len() > 300 || text.contains(['e', 'E']) {
                    float(text, at)?;
                }
            }
            // Short ones are exact.
            Scalar::Integer(text) if text.len() < 16 => {
                if text.starts_with('-') && *text != "-0" {
                    self.see(Kind::Negative, row);
                }
            }
            Scalar::Integer(text) => match integer(text, at)? {
                Number::F64(_) => self.see(Kind::Float, row),
                Number::U64(_) => self.see(Kind::Wide, row),
                Number::I64(v) => {
                    if v.unsigned_abs() > EXACT {
                        self.see(Kind::Inexact, row);
                    }
                    if v < 0 {
                        self.see(Kind::Negative, row);
                    }
                }
            },
        }
        self.see(Kind::Value, row);
        Ok(())
    }

    /// Takes in the rows of a later part of the table, `before` rows of which came before it.
    pub fn append(&mut self, later: &Self, before: u64) {
        for (first, later) in self.0.iter_mut().zip(later.0) {
            *first = later.saturating_add(before).min(*first);
        }
    }

    /// Whether no row has a value.
    pub fn is_empty(&self) -> bool {
        self.first(Kind::Value) == NONE
    }

    /// The type of all values.
    pub fn column_type(&self) -> ColumnType {
        let [negative, inexact, wide, float, text] =
            [Kind::Negative, Kind::Inexact, Kind::Wide, Kind::Float, Kind::Text].map(|kind| self.first(kind));
        // Neither 64-bit integers nor f64s hold both kinds of each pair.
        let pairs = [wide.max(negative), wide.max(float), inexact.max(float)];
        let written = pairs.into_iter().fold(text, u64::min);
        let cells = if written != NONE {
            CellType::Text
        } else if float != NONE || self.is_empty() {
            CellType::F64
        } else if wide != NONE {
            CellType::U64
        } else {
            CellType::I64
        };
        ColumnType {
            cells,
            written,
            floats: float < written,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokenizer::Tokenizer;
    use super::*;

    fn noted(values: &[&str]) -> FirstRows {
        let mut rows = FirstRows::default();
        for (row, v) in values.iter().enumerate() {
            let value = Tokenizer::new(v, true).scalar().unwrap();
            rows.note(row as u64, &value, 0).unwrap();
        }
        rows
    }

    #[test]
    fn rows_decide_where_numbers_become_texts() {
        let of = |values: &[&str]| {
            for cut in 0..values.len() {
                let mut halves = noted(&values[..cut]);
                halves.append(&noted(&values[cut..]), cut as u64);
                assert_eq!(halves, noted(values), "{values:?} cut at {cut}");
            }
            noted(values).column_type()
        };
        for (values, cells) in [
            (&["1", "-2", "9007199254740993"], CellType::I64),
            (&["1", "18446744073709551615", "-0"], CellType::U64),
            (&["9007199254740992", "0.5", "-7"], CellType::F64),
            (&["null", "1", "NaN"], CellType::F64),
            (&["null", "18446744073709551616", "1"], CellType::F64),
            (&["null", "null", "null"], CellType::F64),
        ] {
            assert_eq!(of(values).cells, cells, "{values:?}");
        }
        for (values, written, floats) in [
            (&["1", "\"a\"", "0.5"], 1, false),
            (&["1", "0.5", "\"a\""], 2, true),
            (&["9007199254740993", "1", "0.5"], 2, false),
            (&["0.5", "null", "-9007199254740993"], 2, true),
            (&["18446744073709551615", "1", "-1"], 2, false),
            (&["-1", "null", "18446744073709551615"], 2, false),
            (&["0.5", "null", "18446744073709551615"], 2, true),
        ] {
            let want = ColumnType {
                cells: CellType::Text,
                written,
                floats,
            };
            assert_eq!(of(values), want, "{values:?}");
        }
        assert!(noted(&["null"]).is_empty() && !noted(&["0"]).is_empty());
        let beyond = FirstRows::default().note(0, &Scalar::Float("1e999"), 7);
        assert_eq!(beyond.unwrap_err().at, 7);
    }
}
