//! Numbers in memory that are read as those of a file are: for tests.

use super::source::{Buffer, CellSource, SourceError};
use super::values::Values;
use gridscope_random::Random;
use std::ops::Range;

/// Numbers in memory that are read as a file is.
#[derive(Debug)]
pub(crate) struct Plane {
    pub width: usize,
    pub values: Values,
}

impl CellSource for Plane {
    fn rows(&self) -> usize {
        self.values.len() / self.width
    }

    fn columns(&self) -> usize {
        self.width
    }

    fn buffer(&self) -> Buffer {
        Buffer::empty(&self.values)
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        let order: Vec<usize> = rows.flat_map(|r| columns.clone().map(move |c| r * self.width + c)).collect();
        *into = match self.values.gathered(&order) {
            Values::F32 { data, integer } => {
                Buffer::F32 { bits: data.into_iter().map(f32::to_bits).collect(), integer }
            }
            Values::F64(v) => Buffer::F64(v),
            Values::I64(v) => Buffer::I64(v),
            Values::U64(v) => Buffer::U64(v),
        };
        Ok(())
    }
}

/// Numbers of no pattern; of spoiled ones some are NaN, infinite or huge.
pub(crate) fn random(n: usize, seed: u64, spoiled: bool) -> Vec<f32> {
    let mut random = Random(seed);
    (0..n)
        .map(|_| match random.below(64) {
            0 if spoiled => f32::NAN,
            1 if spoiled => f32::INFINITY,
            2 if spoiled => 3e38,
            _ => random.below(1 << 24) as f32 / 1e5 - 80.0,
        })
        .collect()
}

/// The values of a plane of this width, column after column.
pub(crate) fn transposed(values: &[f32], width: usize) -> Values {
    let data = (0..width).flat_map(|c| values[c..].iter().step_by(width).copied()).collect();
    Values::F32 { data, integer: false }
}
