//! Columns whose values have one type, as JSON, Parquet and Arrow files hold them.

use std::fmt::Write;

/// A column whose values have one type.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name, as the file has it.
    pub name: String,
    /// Its values.
    pub cells: ColumnValues,
    /// Which rows have a value; `None` where all have.
    pub valid: Option<Vec<bool>>,
}

/// The values of a column, one per row; a row without a value has an arbitrary one.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// Signed integers.
    I64(Vec<i64>),
    /// Unsigned integers.
    U64(Vec<u64>),
    /// Numbers of single precision.
    F32(Vec<f32>),
    /// Numbers of double precision.
    F64(Vec<f64>),
    /// Texts: for each row, the place of its text.
    Texts {
        /// Places in `texts`.
        codes: Vec<u32>,
        /// The texts.
        texts: Vec<String>,
    },
}

impl ColumnValues {
    /// Rows.
    pub fn len(&self) -> usize {
        match self {
            ColumnValues::I64(v) => v.len(),
            ColumnValues::U64(v) => v.len(),
            ColumnValues::F32(v) => v.len(),
            ColumnValues::F64(v) => v.len(),
            ColumnValues::Texts { codes, .. } => codes.len(),
        }
    }

    /// Bits by which a row's number differs from the others of the column; of a text its place.
    pub fn bits(&self, row: usize) -> u64 {
        match self {
            ColumnValues::I64(v) => v[row] as u64,
            ColumnValues::U64(v) => v[row],
            ColumnValues::F32(v) => u64::from(v[row].to_bits()),
            ColumnValues::F64(v) => v[row].to_bits(),
            ColumnValues::Texts { codes, .. } => u64::from(codes[row]),
        }
    }

    /// The row after a run of one number, or one text, that begins at a row and goes on to `end` at most.
    pub(crate) fn end_of_run(&self, row: usize, end: usize) -> usize {
        fn run<T: Copy, B: PartialEq>(values: &[T], bits: impl Fn(T) -> B) -> usize {
            let first = values.first().map(|v| bits(*v));
            values.iter().position(|v| Some(bits(*v)) != first).unwrap_or(values.len())
        }
        row + match self {
            ColumnValues::I64(v) => run(&v[row..end], |v| v),
            ColumnValues::U64(v) => run(&v[row..end], |v| v),
            ColumnValues::F32(v) => run(&v[row..end], f32::to_bits),
            ColumnValues::F64(v) => run(&v[row..end], f64::to_bits),
            ColumnValues::Texts { codes, .. } => run(&codes[row..end], |v| v),
        }
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shortest text that reads back as a row's value.
    pub fn text(&self, row: usize) -> String {
        match self {
            ColumnValues::I64(v) => v[row].to_string(),
            ColumnValues::U64(v) => v[row].to_string(),
            // Digits that tell a single from its neighbours do so for the double that they read back as.
            ColumnValues::F32(v) => format!("{:?}", v[row]),
            ColumnValues::F64(v) => format!("{:?}", v[row]),
            ColumnValues::Texts { codes, texts } => texts[codes[row] as usize].clone(),
        }
    }
}

/// The number that a single's own digits say: the f64 nearest to its shortest decimal. So `0.1f32` is 0.1, not
/// 0.10000000149011612. NaN and the infinities stay what they are.
pub(crate) fn single(value: f32) -> f64 {
    /// Singles below this are whole numbers that their digits write in full.
    const EXACT: f32 = (1 << f32::MANTISSA_DIGITS) as f32;
    let exact = value.abs() < EXACT && value == value.trunc();
    if exact || !value.is_finite() {
        return f64::from(value);
    }
    let mut digits = Digits::default();
    let written = write!(digits, "{value:e}");
    let text = std::str::from_utf8(&digits.bytes[..digits.len]).ok();
    written.ok().and(text).and_then(|t| t.parse().ok()).unwrap_or(f64::from(value))
}

/// The digits of a number, without memory of their own.
#[derive(Default)]
struct Digits {
    bytes: [u8; 32],
    len: usize,
}

impl Write for Digits {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.len + text.len();
        let room = self.bytes.get_mut(self.len..end).ok_or(std::fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::Random;

    #[test]
    fn a_single_is_the_number_that_its_digits_say() {
        let mut random = Random(1);
        for _ in 0..200_000 {
            let value = f32::from_bits(random.bits() as u32);
            if value.is_nan() {
                continue;
            }
            let said: f64 = format!("{value:?}").parse().unwrap();
            assert_eq!(single(value).to_bits(), said.to_bits(), "{value:?}");
        }
        let whole = [0.0, -0.0, 5.0, 16_777_215.0, 16_777_216.0, 123_456_792.0, f32::MAX, f32::INFINITY];
        let small = [0.1, 0.5, 0.25, 1.0 / 3.0, f32::MIN_POSITIVE, 1e-45, 1234.5678];
        for value in whole.into_iter().chain(small) {
            let said: f64 = format!("{value:?}").parse().unwrap();
            assert_eq!(single(value).to_bits(), said.to_bits(), "{value:?}");
        }
        assert!(single(f32::NAN).is_nan());
    }
}
