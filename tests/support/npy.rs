//! Small NPY files.

use std::fs::{self, File};
use std::path::Path;

/// The bytes before the data: magic number, version 1.0 and this dictionary.
pub fn head(dictionary: &str) -> Vec<u8> {
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((dictionary.len() as u16).to_le_bytes());
    out.extend(dictionary.as_bytes());
    out
}

/// The bytes before the data of an array of this type, order and shape: a multiple of 64, as numpy writes them.
pub fn header(descr: &str, fortran: bool, shape: &[usize]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let sides = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let comma = if shape.len() == 1 { "," } else { "" };
    let mut dictionary =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({sides}{comma}), }}");
    dictionary += &" ".repeat(63 - (10 + dictionary.len()) % 64);
    head(&(dictionary + "\n"))
}

/// A file of elements that are given as bytes.
pub fn array(descr: &str, fortran: bool, shape: &[usize], data: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let mut out = header(descr, fortran, shape);
    out.extend(data);
    out
}

/// A file of f64 numbers; the shape as Python writes it.
pub fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
    let mut out = head(&format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n"));
    out.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    out
}

/// Writes a sparse file whose elements are all zero.
pub fn zeros(path: impl AsRef<Path>, descr: &str, fortran: bool, shape: &[usize]) {
    let size = descr[2..].parse::<usize>().unwrap();
    let header = header(descr, fortran, shape);
    fs::write(&path, &header).unwrap();
    let bytes = header.len() + size * shape.iter().product::<usize>();
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(bytes as u64).unwrap();
}
