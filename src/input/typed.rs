//! Columns whose values have types, as JSON, Parquet and Arrow hold them.

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

    /// What tells a row's number from the others of the column; of a text its place.
    pub fn bits(&self, row: usize) -> u64 {
        match self {
            TypedCells::I64(v) => v[row] as u64,
            TypedCells::U64(v) => v[row],
            TypedCells::F32(v) => u64::from(v[row].to_bits()),
            TypedCells::F64(v) => v[row].to_bits(),
            TypedCells::Texts { codes, .. } => u64::from(codes[row]),
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
    pub(super) fn write(&self, row: usize, out: &mut String) {
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
