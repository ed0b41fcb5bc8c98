//! Where the elements of an array lie among the bytes of a file.

use super::decode::{Decode, Encoding, Fill};
use super::fault::Fault;
use super::memory::Array;
use super::window::strides;
use bytemuck::Pod;

/// An array in a file; `count` and `bytes` are checked products of `shape`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Element type and byte order.
    pub encoding: Encoding,
    /// Whether the first axis runs fastest.
    pub fortran: bool,
    /// Elements along each axis.
    pub shape: Vec<usize>,
    /// Elements.
    pub count: usize,
    /// Bytes of the elements.
    pub bytes: usize,
    /// The byte of the file where the elements begin.
    pub start: usize,
}

impl Layout {
    /// An array of this shape whose elements begin at a byte of the file.
    ///
    /// # Errors
    /// When the elements or their bytes cannot be counted.
    pub(crate) fn new(
        encoding: Encoding,
        fortran: bool,
        shape: Vec<usize>,
        start: usize,
    ) -> Result<Self, Fault> {
        let count = if shape.contains(&0) {
            Some(0)
        } else {
            shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d))
        };
        let bytes = count.and_then(|n| n.checked_mul(encoding.dtype.size()));
        let bytes = bytes.filter(|b| isize::try_from(*b).is_ok());
        let Some((count, bytes)) = count.zip(bytes) else {
            return Err(format!("shape {shape:?} overflows: no file holds this many elements").into());
        };
        Ok(Self { encoding, fortran, shape, count, bytes, start })
    }

    /// Refuses a file that holds fewer bytes of elements than there must be.
    ///
    /// # Errors
    /// When `held` is less than that.
    pub(crate) fn check_length(&self, held: u64) -> Result<(), Fault> {
        let (shape, bytes) = (&self.shape, self.bytes);
        if held >= bytes as u64 {
            Ok(())
        } else {
            Err(Fault::from(format!("shape {shape:?} declares {bytes} bytes, file holds {held}"))
                .within("data"))
        }
    }

    /// Elements from one index to the next along each axis.
    pub(crate) fn strides(&self) -> Vec<usize> {
        strides(&self.shape, self.fortran)
    }

    /// The array whose elements are the first of `data`.
    ///
    /// # Panics
    /// When `data` is shorter than the elements.
    pub(crate) fn decode(self, data: &[u8]) -> Array {
        let mut buffer = self.encoding.dtype.buffer();
        let whole = Whole { data: &data[..self.bytes], layout: &self, strides: &self.strides() };
        self.encoding.fill(&mut buffer, whole);
        Array { data: buffer.into(), shape: self.shape }
    }
}

/// Decodes a whole array in C order.
struct Whole<'a> {
    data: &'a [u8],
    layout: &'a Layout,
    strides: &'a [usize],
}

impl Fill for Whole<'_> {
    type Out = ();

    fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, _: T) {
        *out = vec![T::zeroed(); self.layout.count];
        let shape = &self.layout.shape;
        if !self.layout.fortran || shape.len() < 2 || out.is_empty() {
            return decode(self.data, 1, out);
        }
        // Runs along the last axis, for each index of the others.
        let last = shape.len() - 1;
        let (mut index, mut at) = (vec![0; last], 0);
        for run in out.chunks_exact_mut(shape[last]) {
            let data = &self.data[at * self.layout.encoding.dtype.size()..];
            decode(data, self.strides[last], run);
            for axis in (0..last).rev() {
                index[axis] += 1;
                at += self.strides[axis];
                if index[axis] < shape[axis] {
                    break;
                }
                at -= index[axis] * self.strides[axis];
                index[axis] = 0;
            }
        }
    }
}
