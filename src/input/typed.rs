//! Columns whose values have types, as JSON, Parquet and Arrow hold them.

use super::csv::Records;
use super::error::InputError;
use crate::figure::Data;
use crate::lint::Lints;
use std::fmt::Write;

/// A column of a table with types.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedColumn {
    /// Its name, as the file has it.
    pub name: String,
    /// Its values.
    pub cells: TypedCells,
    /// Which rows have a value; `None` where all have.
    pub valid: Option<Vec<bool>>,
}

/// The values of a column, one a row; where a row has none, any value stands.
#[derive(Clone, Debug, PartialEq)]
pub enum TypedCells {
    /// Signed integers.
    I64(Vec<i64>),
    /// Unsigned integers.
    U64(Vec<u64>),
    /// Numbers of single precision.
    F32(Vec<f32>),
    /// Numbers of double precision.
    F64(Vec<f64>),
    /// Texts: of each row the place of its text.
    Texts {
        /// Places in `texts`.
        codes: Vec<u32>,
        /// The texts.
        texts: Vec<String>,
    },
}

impl TypedCells {
    /// Rows.
    pub fn len(&self) -> usize {
        match self {
            TypedCells::I64(v) => v.len(),
            TypedCells::U64(v) => v.len(),
            TypedCells::F32(v) => v.len(),
            TypedCells::F64(v) => v.len(),
            TypedCells::Texts { codes, .. } => codes.len(),
        }
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shortest text that reads back as a row's value.
    pub fn text(&self, row: usize) -> String {
        let mut out = String::new();
        self.write(row, &mut out);
        out
    }

    /// Writes the shortest text that reads back as a row's value.
    fn write(&self, row: usize, out: &mut String) {
        let written = match self {
            TypedCells::I64(v) => write!(out, "{}", v[row]),
            TypedCells::U64(v) => write!(out, "{}", v[row]),
            // Digits that tell a single from its neighbours do so for the double that they read back as.
            TypedCells::F32(v) => write!(out, "{:?}", v[row]),
            TypedCells::F64(v) => write!(out, "{:?}", v[row]),
            TypedCells::Texts { codes, texts } => {
                out.push_str(&texts[codes[row] as usize]);
                Ok(())
            }
        };
        written.expect("writing to memory does not fail");
    }
}

/// The table of these columns, which have a row each for every row; rows without a value are empty fields.
///
/// # Errors
/// No column, no row, or a row that is too long.
pub fn records_of(file: &str, columns: &[TypedColumn], data: &Data, lints: &mut Lints) -> Result<Records, InputError> {
    let rows = columns.iter().map(|c| c.cells.len()).min().unwrap_or(0);
    let write = |row: usize, column: usize, out: &mut String| {
        let c = &columns[column];
        if c.valid.as_ref().is_none_or(|v| v[row]) {
            c.cells.write(row, out);
        }
    };
    Records::of_rows(file, columns.iter().map(|c| c.name.clone()).collect(), rows, &write, data, lints)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Number;
    use crate::input::field::Field;

    #[test]
    fn values_read_back_and_names_are_told_apart() {
        let column = |name: &str, cells| TypedColumn { name: name.to_owned(), cells, valid: None };
        let texts = TypedCells::Texts { codes: vec![1, 0, 1], texts: vec!["a,\"b\"\n".into(), "".into()] };
        let some = TypedColumn { valid: Some(vec![true, false, true]), ..column("v", TypedCells::F64(vec![1e300, 2.0, -0.0])) };
        let columns = [
            column("k", texts),
            some,
            column("v", TypedCells::F32(vec![0.1, f32::INFINITY, f32::NAN])),
            column("", TypedCells::U64(vec![u64::MAX, 0, 1])),
            column("n", TypedCells::I64(vec![i64::MIN, 0, 1])),
        ];
        let mut lints = Lints::default();
        let r = records_of("t.parquet", &columns, &Data::default(), &mut lints).unwrap();
        assert_eq!(r.headers, ["k", "v", "v.1", "column 4", "n"]);
        assert_eq!((r.len(), lints.0.len(), r.get(1, 0)), (3, 1, "a,\"b\"\n"));
        let of = |row, c| r.field(row, c);
        assert_eq!((of(0, 1), of(1, 1)), (Field::Number(Number::F64(1e300)), Field::Missing));
        assert_eq!(
            (of(0, 2), of(1, 2), of(2, 2)),
            (Field::Number(Number::F64(0.1)), Field::Number(Number::F64(f64::INFINITY)), Field::Missing)
        );
        assert_eq!((of(0, 3), of(0, 4)), (Field::Number(Number::U64(u64::MAX)), Field::Number(Number::I64(i64::MIN))));
        assert_eq!(r.refused(1, "x").place, "row 2");
        assert!(records_of("t", &[], &Data::default(), &mut lints).is_err());
    }
}
