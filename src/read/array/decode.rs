//! Bytes to numbers: the one table of element types and byte orders, and the numbers that hold them exactly.

use super::dtype::Dtype;
use bytemuck::Pod;
use gridscope_core::grid::{Buffer, State};
use std::mem::{discriminant, size_of_val};

/// Element type and byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encoding {
    /// The element type.
    pub dtype: Dtype,
    /// Whether elements are big-endian.
    pub big_endian: bool,
}

/// Decodes as many elements as `out` has places: every `step`th of those in `bytes`, from the first on.
pub(crate) type Decode<T> = fn(bytes: &[u8], step: usize, out: &mut [T]);

/// Work that fills a buffer, whatever the kind of its numbers.
pub(crate) trait Fill {
    /// Result of the work.
    type Out;

    /// Fills `out` with numbers that `decode` makes of bytes; `blank` goes where there is no data.
    fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, blank: T) -> Self::Out;
}

/// The decoder of elements of `$size` bytes: `$from` makes a number of an element's little-endian bytes.
macro_rules! decoder {
    ($encoding:expr, $size:literal, $from:expr) => {
        if $encoding.big_endian {
            |bytes, step, out| {
                each(bytes, step, out, |mut element: [u8; $size]| {
                    element.reverse();
                    ($from)(element)
                })
            }
        } else {
            |bytes, step, out| each::<$size, _>(bytes, step, out, $from)
        }
    };
}

/// The same for elements that are the numbers themselves.
macro_rules! plain_decoder {
    ($encoding:expr, $size:literal, $from:expr) => {
        if $encoding.is_native() {
            |bytes, step, out| match step {
                1 => {
                    let len = size_of_val(out);
                    bytemuck::cast_slice_mut(out).copy_from_slice(&bytes[..len]);
                }
                _ => each::<$size, _>(bytes, step, out, $from),
            }
        } else {
            decoder!($encoding, $size, $from)
        }
    };
}

impl Encoding {
    /// Runs `work` on the numbers of `into`, which becomes a buffer of this type's kind if it is not one.
    pub(crate) fn fill<F: Fill>(self, into: &mut Buffer, work: F) -> F::Out {
        let own = self.dtype.buffer();
        if discriminant(into) != discriminant(&own) {
            *into = own;
        }
        match into {
            Buffer::F32 { bits, .. } => work.fill(bits, self.singles(), State::Absent.bits()),
            Buffer::F64(v) => work.fill(v, self.doubles(), f64::NAN),
            Buffer::I64(v) => work.fill(v, self.integers(), 0),
            Buffer::U64(v) => work.fill(v, self.naturals(), 0),
        }
    }

    /// Whether elements have the byte order of this machine.
    pub(crate) fn is_native(self) -> bool {
        self.big_endian == cfg!(target_endian = "big")
    }

    /// To the bits of f32.
    fn singles(self) -> Decode<u32> {
        match self.dtype {
            Dtype::Bool => |bytes, step, out| {
                each(bytes, step, out, |[b]: [u8; 1]| f32::from(u8::from(b != 0)).to_bits());
            },
            Dtype::I8 => {
                |bytes, step, out| each(bytes, step, out, |b| f32::from(i8::from_le_bytes(b)).to_bits())
            }
            Dtype::U8 => {
                |bytes, step, out| each(bytes, step, out, |b| f32::from(u8::from_le_bytes(b)).to_bits())
            }
            Dtype::I16 => decoder!(self, 2, |b| f32::from(i16::from_le_bytes(b)).to_bits()),
            Dtype::U16 => decoder!(self, 2, |b| f32::from(u16::from_le_bytes(b)).to_bits()),
            Dtype::F16 => decoder!(self, 2, |b| half::f16::from_le_bytes(b).to_f32().to_bits()),
            _ => plain_decoder!(self, 4, u32::from_le_bytes),
        }
    }

    /// To f64.
    fn doubles(self) -> Decode<f64> {
        plain_decoder!(self, 8, f64::from_le_bytes)
    }

    /// To i64.
    fn integers(self) -> Decode<i64> {
        match self.dtype {
            Dtype::I32 => decoder!(self, 4, |b| i64::from(i32::from_le_bytes(b))),
            Dtype::U32 => decoder!(self, 4, |b| i64::from(u32::from_le_bytes(b))),
            _ => plain_decoder!(self, 8, i64::from_le_bytes),
        }
    }

    /// To u64.
    fn naturals(self) -> Decode<u64> {
        plain_decoder!(self, 8, u64::from_le_bytes)
    }
}

/// Every `step`th element through `from`, which takes an element's bytes.
fn each<const N: usize, T>(bytes: &[u8], step: usize, out: &mut [T], from: impl Fn([u8; N]) -> T) {
    let number = |element: &[u8]| from(element.try_into().expect("the bytes of one element"));
    if step == 1 {
        out.iter_mut().zip(bytes.chunks_exact(N)).for_each(|(to, element)| *to = number(element));
    } else {
        out.iter_mut().zip(bytes.chunks(N * step.max(1))).for_each(|(to, chunk)| *to = number(&chunk[..N]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Run<'a>(&'a [u8], usize, usize);

    impl Fill for Run<'_> {
        type Out = ();

        fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, blank: T) {
            *out = vec![blank; self.2];
            decode(self.0, self.1, out);
        }
    }

    fn decoded(dtype: Dtype, big_endian: bool, bytes: &[u8], step: usize, count: usize) -> Buffer {
        // A buffer of another kind is replaced.
        let mut out = Buffer::U64(vec![9]);
        Encoding { dtype, big_endian }.fill(&mut out, Run(bytes, step, count));
        out
    }

    fn singles(values: &[f32], integer: bool) -> Buffer {
        let bits = values.iter().map(|v| v.to_bits()).collect();
        Buffer::F32 { bits, integer }
    }

    #[test]
    fn every_type_is_read_in_either_order() {
        let half = half::f16::from_f32(-1.5);
        for (dtype, le, wanted) in [
            (Dtype::Bool, vec![2], singles(&[1.0], true)),
            (Dtype::I8, vec![0xfe], singles(&[-2.0], true)),
            (Dtype::U8, vec![0xfe], singles(&[254.0], true)),
            (Dtype::I16, (-300i16).to_le_bytes().to_vec(), singles(&[-300.0], true)),
            (Dtype::U16, 65_535u16.to_le_bytes().to_vec(), singles(&[65_535.0], true)),
            (Dtype::F16, half.to_le_bytes().to_vec(), singles(&[-1.5], false)),
            (Dtype::F32, 0.1f32.to_le_bytes().to_vec(), singles(&[0.1], false)),
            (Dtype::I32, i32::MIN.to_le_bytes().to_vec(), Buffer::I64(vec![i64::from(i32::MIN)])),
            (Dtype::U32, u32::MAX.to_le_bytes().to_vec(), Buffer::I64(vec![i64::from(u32::MAX)])),
            (Dtype::I64, i64::MIN.to_le_bytes().to_vec(), Buffer::I64(vec![i64::MIN])),
            (Dtype::U64, u64::MAX.to_le_bytes().to_vec(), Buffer::U64(vec![u64::MAX])),
            (Dtype::F64, 0.1f64.to_le_bytes().to_vec(), Buffer::F64(vec![0.1])),
        ] {
            assert_eq!(le.len(), dtype.size());
            assert_eq!(decoded(dtype, false, &le, 1, 1), wanted, "{dtype:?}");
            let be: Vec<u8> = le.iter().rev().copied().collect();
            assert_eq!(decoded(dtype, true, &be, 1, 1), wanted, "{dtype:?} big-endian");
        }
    }

    #[test]
    fn steps_leave_elements_out() {
        let le: Vec<u8> = (0..7).flat_map(|i| f64::from(i).to_le_bytes()).collect();
        let be: Vec<u8> = (0..7).flat_map(|i| f64::from(i).to_be_bytes()).collect();
        for (step, wanted) in [(1, vec![0.0, 1.0, 2.0]), (2, vec![0.0, 2.0, 4.0]), (3, vec![0.0, 3.0, 6.0])] {
            let wanted = Buffer::F64(wanted);
            assert_eq!(decoded(Dtype::F64, false, &le, step, 3), wanted);
            assert_eq!(decoded(Dtype::F64, true, &be, step, 3), wanted);
        }
    }
}
