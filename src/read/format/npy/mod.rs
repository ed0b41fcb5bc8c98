//! NPY files: one array of any plain number type, in either byte order and either element order.

mod header;

#[cfg(feature = "zarr")]
pub(crate) use header::parse_descr;
pub(crate) use header::{MAGIC, parse_header, parse_time_header};
#[cfg(feature = "npz")]
pub(crate) use header::{head_len, parse_text_header};

use super::raw::open_numbers;
use super::reader::{Contents, Input};
use crate::InputError;
use crate::array::Array;

/// The array of an NPY file.
///
/// # Errors
/// As [`read_npy`], and options that do not fit.
pub(crate) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let file = input.request.file;
    open_numbers(input, |head, len| parse_header(head, len).map_err(|f| f.of(file)))
}

/// Reads a whole NPY file; bytes after the last element are ignored, as numpy does.
///
/// # Errors
/// When the header is refused, or the file holds fewer bytes than it declares.
pub fn read_npy(bytes: &[u8], file: &str) -> Result<Array, InputError> {
    let layout = parse_header(bytes, bytes.len() as u64).map_err(|f| f.of(file))?;
    let data = &bytes[layout.start..];
    Ok(layout.decode(data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::{Number, Values};
    use gridscope_random::Random;

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
        let le: Vec<u8> = [1u16, 2, 3, 4, 5, 65535].iter().flat_map(|v| v.to_le_bytes()).collect();
        let be: Vec<u8> = [1u16, 4, 2, 5, 3, 65535].iter().flat_map(|v| v.to_be_bytes()).collect();
        let a = read_npy(&npy("<u2", "False", "(2, 3)", &le), "a").unwrap();
        let b = read_npy(&npy(">u2", "True", "(2, 3)", &be), "b").unwrap();
        assert_eq!(a, b);
        assert_eq!(a.data, Values::F32 { data: vec![1.0, 2.0, 3.0, 4.0, 5.0, 65535.0], integer: true });
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
        let want: Vec<f32> = (0..24).map(|n| ((n / 12) * 100 + (n / 4 % 3) * 10 + n % 4) as f32).collect();
        assert_eq!(a.data, Values::F32 { data: want, integer: true });
    }

    #[test]
    fn wide_integers_stay_exact() {
        let a = read_npy(&npy("<u8", "False", "(1,)", &u64::MAX.to_le_bytes()), "a").unwrap();
        assert_eq!(a.data.get(0), Number::U64(u64::MAX));
        let a = read_npy(&npy(">i8", "False", "(1,)", &9_007_199_254_740_993i64.to_be_bytes()), "a").unwrap();
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
        assert_eq!(e.to_string(), "a: data: shape [1000000, 1800] declares 7200000000 bytes, file holds 432");
    }

    #[test]
    fn flipped_bits_never_panic() {
        let good = npy("<f4", "True", "(3, 4)", &[7; 48]);
        let mut random = Random(1);
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..3 {
                bytes[random.below(good.len())] ^= 1 << random.below(8);
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
