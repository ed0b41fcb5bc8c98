//! NPY files to arrays: any plain number type, either byte order, either element order.

use super::InputError;
use super::npy_dtype::Dtype;
use super::npy_header::Header;
use crate::grid::Values;

/// An array of any number of dimensions, its elements in C order (the last axis runs fastest).
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Elements along each axis.
    pub shape: Vec<usize>,
    /// The elements, in a type that holds them exactly.
    pub data: Values,
}

/// Reads a whole NPY file; bytes after the last element are ignored, as numpy does.
///
/// # Errors
/// When the header is refused, or the file holds fewer bytes than it declares.
pub fn read_npy(bytes: &[u8], file: &str) -> Result<Array, InputError> {
    let h = Header::parse(bytes, file)?;
    let data = &bytes[h.start..];
    declared(&h, data.len() as u64, file)?;
    Ok(decode_array(data, h))
}

/// Refuses a file that holds fewer bytes of elements than its header declares.
pub(super) fn declared(h: &Header, held: u64, file: &str) -> Result<(), InputError> {
    if held >= h.bytes as u64 {
        return Ok(());
    }
    Err(InputError::refused(
        file,
        "data",
        format!(
            "shape {:?} declares {} bytes, file holds {held}",
            h.shape, h.bytes
        ),
    ))
}

/// The array whose elements begin at the first of `data`, of which there are enough.
pub(super) fn decode_array(data: &[u8], h: Header) -> Array {
    let data = decode(&data[..h.bytes], &h);
    Array { shape: h.shape, data }
}

fn decode(data: &[u8], h: &Header) -> Values {
    let small = |data| Values::F32 { data, integer: true };
    let float = |data| Values::F32 { data, integer: false };
    match h.dtype {
        Dtype::Bool => small(elements(data, h, |[b]: [u8; 1]| f32::from(u8::from(b != 0)))),
        Dtype::I8 => small(elements(data, h, |b| f32::from(i8::from_le_bytes(b)))),
        Dtype::U8 => small(elements(data, h, |b| f32::from(u8::from_le_bytes(b)))),
        Dtype::I16 => small(elements(data, h, |b| f32::from(i16::from_le_bytes(b)))),
        Dtype::U16 => small(elements(data, h, |b| f32::from(u16::from_le_bytes(b)))),
        Dtype::F16 => float(elements(data, h, |b| half::f16::from_le_bytes(b).to_f32())),
        Dtype::F32 => float(elements(data, h, f32::from_le_bytes)),
        Dtype::I32 => Values::I64(elements(data, h, |b| i64::from(i32::from_le_bytes(b)))),
        Dtype::U32 => Values::I64(elements(data, h, |b| i64::from(u32::from_le_bytes(b)))),
        Dtype::I64 => Values::I64(elements(data, h, i64::from_le_bytes)),
        Dtype::U64 => Values::U64(elements(data, h, u64::from_le_bytes)),
        Dtype::F64 => Values::F64(elements(data, h, f64::from_le_bytes)),
    }
}

/// Every element through `from`, which takes little-endian bytes, in C order.
fn elements<const N: usize, T>(data: &[u8], h: &Header, from: impl Fn([u8; N]) -> T) -> Vec<T> {
    let one = |chunk: &[u8]| {
        let mut b: [u8; N] = chunk.try_into().expect("a chunk is one element");
        if h.big_endian {
            b.reverse();
        }
        from(b)
    };
    if h.fortran && h.shape.len() > 1 {
        CFromFortran::new(&h.shape)
            .map(|i| one(&data[i * N..(i + 1) * N]))
            .collect()
    } else {
        data.chunks_exact(N).map(one).collect()
    }
}

/// For each element in C order, its place in Fortran order.
struct CFromFortran<'a> {
    shape: &'a [usize],
    strides: Vec<usize>,
    index: Vec<usize>,
    at: usize,
    left: usize,
}

impl<'a> CFromFortran<'a> {
    fn new(shape: &'a [usize]) -> Self {
        let left = if shape.contains(&0) {
            0
        } else {
            shape.iter().product()
        };
        let strides = shape
            .iter()
            .scan(1usize, |s, &d| Some(std::mem::replace(s, s.saturating_mul(d))))
            .collect();
        Self {
            shape,
            strides,
            index: vec![0; shape.len()],
            at: 0,
            left,
        }
    }
}

impl Iterator for CFromFortran<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let here = self.at;
        for axis in (0..self.shape.len()).rev() {
            self.index[axis] += 1;
            self.at += self.strides[axis];
            if self.index[axis] < self.shape[axis] {
                break;
            }
            self.at -= self.index[axis] * self.strides[axis];
            self.index[axis] = 0;
        }
        Some(here)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Number;

    fn npy(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let dict = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
        let mut out = b"\x93NUMPY\x01\x00".to_vec();
        out.extend((dict.len() as u16).to_le_bytes());
        out.extend(dict.as_bytes());
        out.extend(data);
        out
    }

    #[test]
    fn byte_order_and_element_order_come_out_the_same() {
        let le: Vec<u8> = [1u16, 2, 3, 4, 5, 65535]
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        let be: Vec<u8> = [1u16, 4, 2, 5, 3, 65535]
            .iter()
            .flat_map(|v| v.to_be_bytes())
            .collect();
        let a = read_npy(&npy("<u2", "False", "(2, 3)", &le), "a").unwrap();
        let b = read_npy(&npy(">u2", "True", "(2, 3)", &be), "b").unwrap();
        assert_eq!(a, b);
        assert_eq!(
            a.data,
            Values::F32 {
                data: vec![1.0, 2.0, 3.0, 4.0, 5.0, 65535.0],
                integer: true
            }
        );
    }

    #[test]
    fn three_fortran_dimensions_are_gathered() {
        // Element (i, j, k) holds i * 100 + j * 10 + k; in Fortran order i runs fastest.
        let mut data = Vec::new();
        for k in 0..4u8 {
            for j in 0..3u8 {
                data.extend((0..2u8).map(|i| i * 100 + j * 10 + k));
            }
        }
        let a = read_npy(&npy("|u1", "True", "(2, 3, 4)", &data), "a").unwrap();
        let want: Vec<f32> = (0..24)
            .map(|n| ((n / 12) * 100 + (n / 4 % 3) * 10 + n % 4) as f32)
            .collect();
        assert_eq!(
            a.data,
            Values::F32 {
                data: want,
                integer: true
            }
        );
    }

    #[test]
    fn wide_integers_stay_exact() {
        let a = read_npy(&npy("<u8", "False", "(1,)", &u64::MAX.to_le_bytes()), "a").unwrap();
        assert_eq!(a.data.get(0), Number::U64(u64::MAX));
        let a = read_npy(
            &npy(">i8", "False", "(1,)", &9_007_199_254_740_993i64.to_be_bytes()),
            "a",
        )
        .unwrap();
        assert_eq!(a.data.get(0), Number::I64(9_007_199_254_740_993));
    }

    #[test]
    fn a_file_cut_anywhere_is_refused_and_a_longer_one_is_not() {
        let mut bytes = npy("<f8", "False", "(2, 2)", &[0; 32]);
        for n in 0..bytes.len() {
            assert!(read_npy(&bytes[..n], "a").is_err(), "{n} bytes");
        }
        bytes.extend([1, 2, 3]);
        assert!(read_npy(&bytes, "a").is_ok());
        let e = read_npy(&npy("<f4", "False", "(1000000, 1800)", &[0; 432]), "a").unwrap_err();
        assert_eq!(
            e.to_string(),
            "a: data: shape [1000000, 1800] declares 7200000000 bytes, file holds 432"
        );
    }

    #[test]
    fn flipped_bits_never_panic() {
        let good = npy("<f4", "True", "(3, 4)", &[7; 48]);
        let mut seed = 1u64;
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..3 {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let at = (seed >> 33) as usize % bytes.len();
                bytes[at] ^= 1 << (seed >> 61);
            }
            let _ = read_npy(&bytes, "a");
        }
    }

    #[test]
    fn empty_arrays_parse_whatever_their_other_sides() {
        let a = read_npy(&npy("<f4", "True", "(4611686018427387904, 8, 0)", &[]), "a").unwrap();
        assert!(a.data.is_empty());
    }
}
