//! Arrays in memory, also those that somebody else owns, with any steps, type and order of bytes.

use super::dtype::{Decode, Dtype, Encoding, Fill, TimeUnit};
use super::source::{ArraySource, Window, strides};
use crate::InputError;
use bytemuck::Pod;
use gridscope_core::grid::{Buffer, SourceError, Values};
use std::fmt;

/// Bytes of elements that are gathered before they are decoded.
const CHUNK: usize = 1 << 12;

/// The elements of some bytes, which stay where they are: windows of them are decoded when they are needed.
pub struct StridedArray<M> {
    memory: M,
    encoding: Encoding,
    shape: Vec<usize>,
    /// Bytes from one index to the next along each axis; negative where the elements run backwards.
    strides: Vec<isize>,
    /// The byte where the element of the indexes 0, 0, … begins.
    first: usize,
}

impl<M> fmt::Debug for StridedArray<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StridedArray")
            .field("encoding", &self.encoding)
            .field("shape", &self.shape)
            .field("strides", &self.strides)
            .finish_non_exhaustive()
    }
}

impl<M: AsRef<[u8]> + Send + Sync> StridedArray<M> {
    /// The array of elements of a type as `NumPy` writes it (`<f4`, `>i2`, `|b1`) in some bytes. `strides` are bytes from one index
    /// to the next along each axis, and may be negative or 0; `first` is the byte where the element of the indexes 0, 0, … begins.
    /// `memory` is held as long as the array and its grids.
    ///
    /// ```
    /// use gridscope_core::figure::Figure;
    /// use gridscope_read::{Budget, StridedArray, grids_of_source};
    ///
    /// // Two rows of three big-endian numbers, of which every row runs backwards.
    /// let memory: Vec<u8> = (1..=6i16).flat_map(i16::to_be_bytes).collect();
    /// let array = StridedArray::new(memory, ">i2", vec![2, 3], vec![6, -2], 4, "a")?;
    /// let grids = grids_of_source(Box::new(array), "a", &Figure::default(), &Budget::usual())?;
    /// assert_eq!(grids[0].at(0, 0).as_f64(), 3.0);
    /// # Ok::<(), gridscope_read::InputError>(())
    /// ```
    ///
    /// # Errors
    /// A type that is not read, or elements outside of the bytes; `file` is how the message calls the array.
    pub fn new(
        memory: M,
        dtype: &str,
        shape: Vec<usize>,
        strides: Vec<isize>,
        first: usize,
        file: &str,
    ) -> Result<Self, InputError> {
        let (order, name) = dtype.split_at_checked(1).unwrap_or(("", dtype));
        let known = Dtype::from_descr(name).filter(|_| matches!(order, "<" | ">" | "|" | "="));
        let encoding = Encoding {
            dtype: known.ok_or_else(|| unread(dtype, file))?,
            big_endian: match order {
                ">" => true,
                "=" => cfg!(target_endian = "big"),
                _ => false,
            },
        };
        let array = Self { memory, encoding, shape, strides, first };
        let len = array.memory.as_ref().len();
        match array.extent() {
            _ if array.strides.len() != array.shape.len() => {
                let what = format!("{} strides for {} axes", array.strides.len(), array.shape.len());
                Err(InputError::refused(file, "", what))
            }
            Some((low, high)) if low >= 0 && high as usize <= len => Ok(array),
            _ => {
                let what = format!(
                    "the elements of shape {:?} with strides {:?} leave the {len} bytes of their memory",
                    array.shape, array.strides
                );
                Err(InputError::refused(file, "", what))
            }
        }
    }

    /// The first byte of any element and the byte behind the last one; `None` where they cannot be counted.
    fn extent(&self) -> Option<(isize, isize)> {
        let first = isize::try_from(self.first).ok()?;
        if self.shape.contains(&0) {
            return Some((0, 0));
        }
        let (mut low, mut high) = (first, first);
        for (side, stride) in self.shape.iter().zip(&self.strides) {
            let reach = isize::try_from(side - 1).ok()?.checked_mul(*stride)?;
            low = low.checked_add(reach.min(0))?;
            high = high.checked_add(reach.max(0))?;
        }
        Some((low, high.checked_add(self.encoding.dtype.size() as isize)?))
    }
}

/// The refusal of a type, in the words of whoever has such an array.
fn unread(dtype: &str, file: &str) -> InputError {
    let kind = dtype.trim_start_matches(['<', '>', '|', '=']);
    let (what, hint) = match kind.chars().next() {
        Some('M') => ("dates and times as values", "numbers, as seconds since a start"),
        Some('m') => ("durations as values", "numbers: divide by a unit, as numpy.timedelta64(1, 's')"),
        Some('c') => ("complex numbers", "abs(a), a.real or a.imag"),
        Some('O') => ("objects", "a.astype(float)"),
        Some('U' | 'S' | 'a' | 'T') => ("texts", "numbers: a.astype(float)"),
        Some('V') => ("structures", "one of their fields: a['name']"),
        _ => ("numbers of a type that is not read", "a.astype('f8')"),
    };
    InputError::refused(file, "", format!("{what} ({kind}) are not read")).with_hint(hint)
}

impl<M: AsRef<[u8]> + Send + Sync> ArraySource for StridedArray<M> {
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn buffer(&self) -> Buffer {
        self.encoding.dtype.buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        self.encoding.fill(into, Read { array: self, window });
        Ok(())
    }

    fn reads_by_columns(&self, row_axis: usize, column_axis: usize) -> bool {
        // Rows are what lies closer together; a lone column is read as the row that it is.
        let (down, across) =
            (self.strides[row_axis].unsigned_abs(), self.strides[column_axis].unsigned_abs());
        down < across && self.shape[row_axis] > 1 || self.shape[column_axis] == 1
    }
}

/// Decodes a window.
struct Read<'a, M> {
    array: &'a StridedArray<M>,
    window: &'a Window,
}

impl<M: AsRef<[u8]> + Send + Sync> Fill for Read<'_, M> {
    type Out = ();

    fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, _: T) {
        let (array, window) = (self.array, self.window);
        out.resize(window.len(), T::zeroed());
        if out.is_empty() {
            return;
        }
        let steps = window.first.iter().zip(&array.strides);
        let first = array.first as isize + steps.map(|(i, s)| *i as isize * s).sum::<isize>();
        let across = array.strides[window.column_axis];
        let down = window.row_axis.map_or(0, |axis| array.strides[axis]);
        let size = array.encoding.dtype.size() as isize;
        if across == size && down == size * window.columns as isize {
            return decode(&array.memory.as_ref()[first as usize..], 1, out);
        }
        for (row, line) in out.chunks_exact_mut(window.columns).enumerate() {
            array.line(first + row as isize * down, across, line, decode);
        }
    }
}

impl<M: AsRef<[u8]>> StridedArray<M> {
    /// Decodes elements whose first begins at a byte, `step` bytes from one to the next.
    fn line<T: Pod>(&self, first: isize, step: isize, out: &mut [T], decode: Decode<T>) {
        let (memory, size) = (self.memory.as_ref(), self.encoding.dtype.size());
        if step == 0 {
            // One element stands for all.
            decode(&memory[first as usize..], 1, &mut out[..1]);
            let element = out[0];
            return out.fill(element);
        }
        let last = first + (out.len() as isize - 1) * step;
        if step.unsigned_abs().is_multiple_of(size) {
            let (low, high) = (first.min(last) as usize, first.max(last) as usize + size);
            decode(&memory[low..high], step.unsigned_abs() / size, out);
            if step < 0 {
                out.reverse();
            }
            return;
        }
        // Fields of structures.
        let mut bytes = [0u8; CHUNK];
        for (i, part) in out.chunks_mut(CHUNK / size).enumerate() {
            let begin = first + (i * (CHUNK / size)) as isize * step;
            for (k, to) in bytes.chunks_exact_mut(size).take(part.len()).enumerate() {
                let at = (begin + k as isize * step) as usize;
                to.copy_from_slice(&memory[at..at + size]);
            }
            decode(&bytes[..part.len() * size], 1, part);
        }
    }
}

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

#[cfg(test)]
mod tests;
