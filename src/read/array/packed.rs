//! Arrays whose attributes say which numbers mean nothing, and how whole numbers become others, as CF conventions have it.

use super::source::{ArraySource, Window};
use gridscope_core::grid::{Buffer, Part, SourceError, Values};

/// How stored numbers become values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Packing {
    /// Numbers that mean no value.
    pub missing: Vec<f64>,
    /// Factor and offset of the others.
    pub scale: Option<f64>,
    pub offset: Option<f64>,
    /// Whether values have single precision.
    pub is_single: bool,
}

impl Packing {
    /// Whether numbers stay as they are.
    pub(crate) fn is_plain(&self) -> bool {
        self.missing.iter().all(|m| m.is_nan()) && self.scale.is_none() && self.offset.is_none()
    }

    /// The value of a stored number.
    pub(crate) fn value(&self, stored: f64) -> f64 {
        if self.missing.contains(&stored) {
            return f64::NAN;
        }
        let round = |v: f64| if self.is_single { f64::from(v as f32) } else { v };
        // Each step is rounded.
        let stored = round(stored);
        let scaled = self.scale.map_or(stored, |scale| round(stored * scale));
        self.offset.map_or(scaled, |offset| round(scaled + offset))
    }
}

/// An array with values in place of the numbers that are stored.
#[derive(Debug)]
pub(crate) struct PackedArray<S> {
    source: S,
    packing: Packing,
}

impl<S: ArraySource> PackedArray<S> {
    pub(crate) fn new(source: S, packing: Packing) -> Self {
        Self { source, packing }
    }

    fn unpack(&self, stored: Buffer) -> Buffer {
        let value = |stored: f64| self.packing.value(stored);
        match stored {
            Buffer::F32 { bits, .. } if self.packing.is_single => {
                let one = |bits: u32| match f32::from_bits(bits) {
                    stored if stored.is_nan() => bits,
                    stored => (value(f64::from(stored)) as f32).to_bits(),
                };
                Buffer::F32 { bits: bits.into_iter().map(one).collect(), integer: false }
            }
            Buffer::F64(numbers) => Buffer::F64(numbers.into_iter().map(value).collect()),
            other => {
                let numbers = Values::from(other);
                let values = (0..numbers.len()).map(|i| value(numbers.get(i).as_f64()));
                match self.packing.is_single {
                    true => {
                        Buffer::F32 { bits: values.map(|v| (v as f32).to_bits()).collect(), integer: false }
                    }
                    false => Buffer::F64(values.collect()),
                }
            }
        }
    }
}

impl<S: ArraySource> ArraySource for PackedArray<S> {
    fn shape(&self) -> &[usize] {
        self.source.shape()
    }

    fn buffer(&self) -> Buffer {
        match self.packing.is_single {
            true => Buffer::F32 { bits: Vec::new(), integer: false },
            false => Buffer::F64(Vec::new()),
        }
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        let mut stored = self.source.buffer();
        self.source.read(window, &mut stored)?;
        *into = self.unpack(stored);
        Ok(())
    }

    fn axis_name(&self, axis: usize) -> &str {
        self.source.axis_name(axis)
    }

    fn coordinates(&self, axis: usize) -> Option<Vec<f64>> {
        self.source.coordinates(axis)
    }

    fn levels(&self, axis: usize) -> Vec<Vec<String>> {
        self.source.levels(axis)
    }

    fn unit(&self, axis: usize) -> String {
        self.source.unit(axis)
    }

    fn axis_title(&self, axis: usize) -> String {
        self.source.axis_title(axis)
    }

    fn has_absent(&self) -> bool {
        self.source.has_absent()
    }

    fn read_absent(
        &self,
        window: &Window,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        let mut stored = self.source.buffer();
        self.source.read_absent(window, &mut stored, absent)?;
        *into = self.unpack(stored);
        Ok(())
    }

    fn reads_by_columns(&self, row_axis: usize, column_axis: usize) -> bool {
        self.source.reads_by_columns(row_axis, column_axis)
    }
}

#[cfg(test)]
mod tests {
    use super::super::strided::Array;
    use super::*;

    fn read(data: Values, packing: Packing) -> Vec<f64> {
        let array = PackedArray::new(Array { shape: vec![1, data.len()], data }, packing);
        let columns = array.shape()[1];
        let window = Window { first: vec![0, 0], row_axis: Some(0), column_axis: 1, rows: 1, columns };
        let mut into = array.buffer();
        array.read(&window, &mut into).unwrap();
        let values = Values::from(into);
        (0..columns).map(|i| values.get(i).as_f64()).collect()
    }

    #[test]
    fn stored_numbers_become_values() {
        let packing =
            Packing { missing: vec![-32768.0], scale: Some(0.25), offset: Some(10.0), is_single: false };
        let found = read(Values::I64(vec![20, -32768, 0]), packing);
        assert_eq!((found[0], found[2]), (15.0, 10.0));
        assert!(found[1].is_nan());
        let missing = Packing { missing: vec![-1.0, 7.0], is_single: true, ..Packing::default() };
        let single = Values::F32 { data: vec![-1.0, 0.1, 7.0], integer: false };
        let found = read(single, missing);
        assert!(found[0].is_nan() && found[2].is_nan() && found[1] == f64::from(0.1f32));
        assert!(Packing { missing: vec![f64::NAN], ..Packing::default() }.is_plain());
    }
}
