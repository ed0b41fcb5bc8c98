//! Cells of a column in a block of records: of the type that the whole column has.

use super::column_type::{ColumnType, float};
use super::tokenizer::{Fault, Scalar};
use crate::input::table::{Cells, TypedCells};
use std::borrow::Cow;

/// The file is not what it was when its columns were looked at.
pub(super) const CHANGED: &str = "changed while it was read";

/// A column of a block while its rows are decoded.
#[derive(Debug)]
pub(super) struct Decoded {
    values: Values,
    /// Which rows have a value; `None` while all have.
    valid: Option<Vec<bool>>,
}

#[derive(Debug)]
enum Values {
    Numbers(TypedCells),
    /// Places of texts. Numbers of rows before `written` are integers, or with `floats` f64s, in their shortest form.
    Texts {
        places: Vec<(u32, u32)>,
        written: u64,
        floats: bool,
    },
}

/// The texts of a block: first those in its bytes, then those that were made of them.
#[derive(Clone, Copy)]
pub(super) struct Texts<'b> {
    pub block: &'b str,
    pub made: &'b str,
}

impl<'b> Texts<'b> {
    fn get(&self, (from, to): (u32, u32)) -> &'b str {
        let (from, to, block) = (from as usize, to as usize, self.block.len());
        match from.checked_sub(block) {
            Some(from) => &self.made[from..to - block],
            None => &self.block[from..to],
        }
    }
}

impl Decoded {
    /// A column of this type before its first row.
    pub fn new(column_type: ColumnType, rows: usize) -> Self {
        let values = match column_type {
            ColumnType::I64 => Values::Numbers(TypedCells::I64(Vec::with_capacity(rows))),
            ColumnType::U64 => Values::Numbers(TypedCells::U64(Vec::with_capacity(rows))),
            ColumnType::F64 | ColumnType::Empty => Values::Numbers(TypedCells::F64(Vec::with_capacity(rows))),
            ColumnType::Text { written, floats } => {
                let places = Vec::with_capacity(rows);
                Values::Texts {
                    places,
                    written,
                    floats,
                }
            }
        };
        Self { values, valid: None }
    }

    fn len(&self) -> usize {
        match &self.values {
            Values::Numbers(cells) => cells.len(),
            Values::Texts { places, .. } => places.len(),
        }
    }

    /// Gives rows before this one that have no value a cell; false if this one has a value already.
    pub fn fill(&mut self, row: usize) -> bool {
        let len = self.len();
        if len < row {
            self.valid
                .get_or_insert_with(|| vec![true; len])
                .resize(row, false);
            match &mut self.values {
                Values::Numbers(TypedCells::I64(v)) => v.resize(row, 0),
                Values::Numbers(TypedCells::U64(v)) => v.resize(row, 0),
                Values::Numbers(TypedCells::F64(v)) => v.resize(row, 0.0),
                Values::Numbers(_) => {}
                Values::Texts { places, .. } => places.resize(row, (0, 0)),
            }
        }
        len <= row
    }

    /// Adds the value of the next row, which is row `number` of the table. Its token, at byte `at`, ends in the block of
    /// `block` bytes before byte `end`; what the block does not hold as it is goes to `made`.
    ///
    /// # Errors
    /// A value that is not of the column's type.
    pub fn push(
        &mut self,
        (number, value): (u64, &Scalar<'_>),
        (at, end, block): (usize, usize, usize),
        made: &mut String,
    ) -> Result<(), Fault> {
        let changed = || Fault::new(at, CHANGED);
        match (&mut self.values, value) {
            (Values::Numbers(TypedCells::I64(v)), Scalar::Number(t)) => {
                v.push(t.parse().map_err(|_| changed())?)
            }
            (Values::Numbers(TypedCells::U64(v)), Scalar::Number(t)) => {
                // Integers have one zero.
                let digits = if *t == "-0" { "0" } else { t };
                v.push(digits.parse().map_err(|_| changed())?);
            }
            (Values::Numbers(TypedCells::F64(v)), Scalar::Number(t)) => v.push(float(t, at)?),
            (Values::Numbers(TypedCells::F64(v)), Scalar::NotFinite(x)) => v.push(*x),
            (Values::Numbers(_), _) => return Err(changed()),
            (
                Values::Texts {
                    places,
                    written,
                    floats,
                },
                value,
            ) => {
                let early = number < *written;
                let held = match value {
                    // A text ends with a quote.
                    Scalar::Text(Cow::Borrowed(t)) => Some((end - 1 - t.len(), end - 1)),
                    Scalar::Number(t) if !early || !*floats && *t != "-0" => Some((end - t.len(), end)),
                    _ => None,
                };
                let (from, to) = match held {
                    Some(held) => held,
                    None => {
                        let from = block + made.len();
                        match value {
                            Scalar::Number(t) if *floats => made.push_str(&format!("{:?}", float(t, at)?)),
                            Scalar::Number(_) => made.push('0'),
                            Scalar::NotFinite(v) => made.push_str(&format!("{v:?}")),
                            Scalar::Bool(b) => made.push_str(if *b { "true" } else { "false" }),
                            Scalar::Text(t) => made.push_str(t),
                            Scalar::Null => return Err(changed()),
                        }
                        (from, block + made.len())
                    }
                };
                places.push((from as u32, to as u32));
            }
        }
        if let Some(valid) = &mut self.valid {
            valid.push(true);
        }
        Ok(())
    }

    /// The cells.
    pub fn cells<'p>(&'p self, texts: Texts<'p>) -> Cells<'p> {
        match &self.values {
            Values::Numbers(cells) => Cells::Typed {
                cells,
                valid: self.valid.as_deref(),
                from: 0,
            },
            Values::Texts { places, .. } => Cells::Texts(places.iter().map(|p| texts.get(*p)).collect()),
        }
    }
}
