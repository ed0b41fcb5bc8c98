//! Where the elements of an array lie among the bytes of a file.

use super::decode::{Decode, Encoding, Fill};
use super::dtype::Dtype;
use super::memory::{Array, values_of};
use super::window::strides;
use bytemuck::Pod;

/// An array in a file; `count` and `bytes` are checked products of `shape`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The element type.
    pub dtype: Dtype,
    /// Whether the elements are big-endian.
    pub big_endian: bool,
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
    /// Element type and byte order.
    pub fn encoding(&self) -> Encoding {
        Encoding {
            dtype: self.dtype,
            big_endian: self.big_endian,
        }
    }

    /// Elements from one index to the next along each axis.
    pub fn strides(&self) -> Vec<usize> {
        strides(&self.shape, self.fortran)
    }

    /// The array whose elements are the first of `data`.
    ///
    /// # Panics
    /// When `data` is shorter than the elements.
    pub fn decode(self, data: &[u8]) -> Array {
        let mut buffer = self.dtype.buffer();
        let (data, strides) = (&data[..self.bytes], self.strides());
        self.encoding().fill(
            &mut buffer,
            Whole {
                data,
                layout: &self,
                strides: &strides,
            },
        );
        Array {
            data: values_of(buffer),
            shape: self.shape,
        }
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
            decode(
                &self.data[at * self.layout.dtype.size()..],
                self.strides[last],
                run,
            );
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
