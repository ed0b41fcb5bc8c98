//! Arrays in memory.

use super::source::ArraySource;
use super::time_unit::TimeUnit;
use super::window::{Window, strides};
use gridscope_core::grid::{Buffer, SourceError, Values};

/// An array of any number of dimensions, its elements in C order (the last axis runs fastest).
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Elements along each axis.
    pub shape: Vec<usize>,
    /// The elements, in a type that holds them exactly.
    pub data: Values,
}

impl Array {
    /// The elements as f64 in C order, the nearest where they are wider.
    pub fn to_f64(&self) -> Vec<f64> {
        (0..self.data.len()).map(|i| self.data.get(i).as_f64()).collect()
    }

    /// The elements as f64, times in `unit` as seconds since 1970.
    pub(crate) fn numbers(&self, unit: Option<TimeUnit>) -> Vec<f64> {
        match (&self.data, unit) {
            (Values::I64(steps), Some(unit)) => steps.iter().map(|v| unit.seconds(*v)).collect(),
            _ => self.to_f64(),
        }
    }

    /// Bytes of the elements.
    #[cfg(feature = "npz")]
    pub(crate) fn bytes(&self) -> u64 {
        let size = if let Values::F32 { .. } = self.data { 4 } else { 8 };
        size * self.data.len() as u64
    }

    /// Whether all elements lie along one axis.
    pub fn is_one_row(&self) -> bool {
        self.shape.iter().filter(|&&side| side != 1).count() <= 1
    }
}

impl ArraySource for Array {
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn buffer(&self) -> Buffer {
        Buffer::empty(&self.data)
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        let steps = window.steps(&strides(&self.shape, false));
        *into = match &self.data {
            Values::F32 { data, integer } => {
                Buffer::F32 { bits: elements(data, window, steps, f32::to_bits), integer: *integer }
            }
            Values::F64(v) => Buffer::F64(elements(v, window, steps, |v| v)),
            Values::I64(v) => Buffer::I64(elements(v, window, steps, |v| v)),
            Values::U64(v) => Buffer::U64(elements(v, window, steps, |v| v)),
        };
        Ok(())
    }

    fn values(&mut self) -> Option<&mut Values> {
        Some(&mut self.data)
    }
}

/// The elements of a window, `steps` from its first to the next row and column.
fn elements<T: Copy, U>(
    data: &[T],
    window: &Window,
    (first, down, across): (usize, usize, usize),
    to: impl Fn(T) -> U,
) -> Vec<U> {
    let mut out = Vec::with_capacity(window.len());
    for row in 0..window.rows {
        let row = data[first + row * down..].iter().step_by(across.max(1));
        out.extend(row.take(window.columns).map(|v| to(*v)));
    }
    out
}
