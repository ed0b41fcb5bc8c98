//! The type of a column: the narrowest that holds all of its values exactly, whatever order their rows are looked at in.

use super::tokenizer::{Fault, Scalar};

/// Integers up to here are exact as f64.
pub(super) const EXACT: u64 = 1 << 53;

/// A row that does not exist.
const NONE: u64 = u64::MAX;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    /// No row has a value.
    Empty,
    I64,
    U64,
    F64,
    /// Texts: from row `written` on numbers are as they are written; before, they are integers, or with `floats` f64s, in
    /// the shortest form that reads back.
    Text {
        written: u64,
        floats: bool,
    },
}

/// The first row of a column with a value of each kind; [`NONE`] without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FirstRows {
    value: u64,
    negative: u64,
    /// An integer beyond [`EXACT`], or its negative.
    inexact: u64,
    /// An integer beyond i64.
    wide: u64,
    float: u64,
    text: u64,
}

impl Default for FirstRows {
    fn default() -> Self {
        Self {
            value: NONE,
            negative: NONE,
            inexact: NONE,
            wide: NONE,
            float: NONE,
            text: NONE,
        }
    }
}

impl FirstRows {
    /// Takes in the value of a row that comes after the rows before.
    ///
    /// # Errors
    /// A number beyond f64.
    pub fn note(&mut self, row: u64, value: &Scalar<'_>, at: usize) -> Result<(), Fault> {
        match value {
            Scalar::Null => return Ok(()),
            Scalar::Bool(_) | Scalar::Text(_) => first(&mut self.text, row),
            Scalar::NotFinite(_) => first(&mut self.float, row),
            Scalar::Number(text) => self.number(row, text, at)?,
        }
        first(&mut self.value, row);
        Ok(())
    }

    fn number(&mut self, row: u64, text: &str, at: usize) -> Result<(), Fault> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let integer = digits.bytes().all(|b| b.is_ascii_digit());
        if integer && digits.len() < 16 {
            if digits.len() < text.len() && digits != "0" {
                first(&mut self.negative, row);
            }
        } else if let (true, Ok(v)) = (integer, text.parse::<i64>()) {
            if v.unsigned_abs() > EXACT {
                first(&mut self.inexact, row);
            }
            if v < 0 {
                first(&mut self.negative, row);
            }
        } else if integer && text.parse::<u64>().is_ok() {
            first(&mut self.wide, row);
        } else {
            first(&mut self.float, row);
            // Shorter ones without an exponent are below 1e300.
            if text.len() > 300 || text.contains(['e', 'E']) {
                float(text, at)?;
            }
        }
        Ok(())
    }

    /// Takes in the rows of a later part of the table, `before` rows of which came before it.
    pub fn append(&mut self, later: &Self, before: u64) {
        let both = [
            (&mut self.value, later.value),
            (&mut self.negative, later.negative),
            (&mut self.inexact, later.inexact),
            (&mut self.wide, later.wide),
            (&mut self.float, later.float),
            (&mut self.text, later.text),
        ];
        for (row, later) in both {
            first(row, later.saturating_add(before));
        }
    }

    /// The type of all values.
    pub fn column_type(&self) -> ColumnType {
        // Neither 64-bit integers nor f64s hold both kinds of each pair.
        let pairs = [
            self.wide.max(self.negative),
            self.wide.max(self.float),
            self.inexact.max(self.float),
        ];
        let written = pairs.into_iter().fold(self.text, u64::min);
        if written != NONE {
            let floats = self.float < written;
            return ColumnType::Text { written, floats };
        }
        match self {
            Self { value: NONE, .. } => ColumnType::Empty,
            Self {
                float: NONE,
                wide: NONE,
                ..
            } => ColumnType::I64,
            Self { float: NONE, .. } => ColumnType::U64,
            _ => ColumnType::F64,
        }
    }
}

fn first(known: &mut u64, row: u64) {
    *known = (*known).min(row);
}

/// The f64 nearest to a number as it is written.
///
/// # Errors
/// A number beyond the largest f64.
pub(super) fn float(text: &str, at: usize) -> Result<f64, Fault> {
    // -0 is an integer, and integers have one zero.
    let text = if text == "-0" { "0" } else { text };
    match text.parse::<f64>() {
        Ok(v) if v.is_finite() => Ok(v),
        Ok(_) => Err(Fault::new(at, "a number beyond 1.8e308")),
        Err(_) => Err(Fault::new(at, "is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_decide_where_numbers_become_texts() {
        fn scalar(text: &str) -> Scalar<'_> {
            match text {
                "null" => Scalar::Null,
                "NaN" => Scalar::NotFinite(f64::NAN),
                t if t.starts_with('"') => Scalar::Text(t.into()),
                t => Scalar::Number(t),
            }
        }
        fn noted(values: &[&str]) -> FirstRows {
            let mut rows = FirstRows::default();
            for (row, v) in values.iter().enumerate() {
                rows.note(row as u64, &scalar(v), 0).unwrap();
            }
            rows
        }
        let of = |values: &[&str]| {
            for cut in 0..values.len() {
                let mut halves = noted(&values[..cut]);
                halves.append(&noted(&values[cut..]), cut as u64);
                assert_eq!(halves, noted(values), "{values:?} cut at {cut}");
            }
            noted(values).column_type()
        };
        let text = |written, floats| ColumnType::Text { written, floats };
        assert_eq!(of(&["null", "null"]), ColumnType::Empty);
        assert_eq!(of(&["1", "-2", "9007199254740993"]), ColumnType::I64);
        assert_eq!(of(&["1", "18446744073709551615", "-0"]), ColumnType::U64);
        assert_eq!(of(&["9007199254740992", "0.5", "-7"]), ColumnType::F64);
        assert_eq!(of(&["1", "NaN"]), ColumnType::F64);
        assert_eq!(of(&["18446744073709551616", "1"]), ColumnType::F64);
        assert_eq!(of(&["1", "\"a\"", "0.5"]), text(1, false));
        assert_eq!(of(&["1", "0.5", "\"a\""]), text(2, true));
        assert_eq!(of(&["9007199254740993", "1", "0.5"]), text(2, false));
        assert_eq!(of(&["0.5", "null", "-9007199254740993"]), text(2, true));
        assert_eq!(of(&["18446744073709551615", "1", "-1"]), text(2, false));
        assert_eq!(of(&["-1", "18446744073709551615"]), text(1, false));
        assert_eq!(of(&["0.5", "18446744073709551615"]), text(1, true));
        let beyond = FirstRows::default().note(0, &Scalar::Number("1e999"), 7);
        assert_eq!(beyond.unwrap_err().at, 7);
    }

    #[test]
    fn floats_are_read_as_integers_become_floats() {
        assert_eq!(float("-0", 0).unwrap().to_bits(), 0.0f64.to_bits());
        assert_eq!(float("-0.0", 0).unwrap().to_bits(), (-0.0f64).to_bits());
        assert_eq!(float("1e999", 3).unwrap_err().at, 3);
    }
}
