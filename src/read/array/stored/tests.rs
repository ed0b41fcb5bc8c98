//! Windows of files, of any type, order and steps.

use super::*;
use crate::array::{Dtype, Encoding};
use std::io::Write;
use std::ops::Range;

/// Rows and columns of numbers with these steps from the element `first` on, behind a head of 4 bytes.
fn array(
    dtype: Dtype,
    big_endian: bool,
    bytes: &[u8],
    first: usize,
    steps: (usize, usize),
    shape: (usize, usize),
) -> (StoredArray, tempfile::NamedTempFile) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"head").unwrap();
    file.write_all(bytes).unwrap();
    let encoding = Encoding { dtype, big_endian };
    let start = 4 + first * dtype.size();
    let layout = Layout::new(encoding, false, vec![shape.0, shape.1], start).unwrap();
    let mut array = StoredArray::new(&Arc::new(file.reopen().unwrap()), "a.npy", layout);
    array.strides = vec![steps.0, steps.1];
    (array, file)
}

fn read(array: &StoredArray, rows: Range<usize>, columns: Range<usize>) -> Buffer {
    let window = |rows: Range<usize>, columns: Range<usize>| Window {
        first: vec![rows.start, columns.start],
        row_axis: Some(0),
        column_axis: 1,
        rows: rows.len(),
        columns: columns.len(),
    };
    let mut buffer = array.buffer();
    // What the buffer held before is replaced.
    array.read(&window(0..1, 0..1), &mut buffer).unwrap();
    array.read(&window(rows, columns), &mut buffer).unwrap();
    buffer
}

#[test]
fn windows_of_any_type_and_order_are_read() {
    let floats: Vec<u8> = (0..12).flat_map(|i| (i as f32).to_be_bytes()).collect();
    let (p, _file) = array(Dtype::F32, true, &floats, 0, (4, 1), (3, 4));
    let bits = |v: &[f32]| Buffer::F32 { bits: v.iter().map(|v| v.to_bits()).collect(), integer: false };
    assert_eq!(read(&p, 1..3, 1..3), bits(&[5.0, 6.0, 9.0, 10.0]));
    assert_eq!(read(&p, 0..2, 0..4), bits(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]));
    let ints: Vec<u8> = (0..40_000i32).flat_map(|i| (-i).to_le_bytes()).collect();
    let (p, _file) = array(Dtype::I32, false, &ints, 5, (200, 1), (100, 100));
    assert_eq!(read(&p, 99..100, 98..100), Buffer::I64(vec![-19_903, -19_904]));
    let Buffer::I64(all) = read(&p, 0..100, 0..100) else { panic!("not i64") };
    assert_eq!((all.len(), all[100]), (10_000, -205));
    // The same from rows far apart.
    let (far, _other) = array(Dtype::I32, false, &ints, 5, (2000, 1), (10, 1500));
    assert_eq!(read(&far, 3..5, 1499..1500), Buffer::I64(vec![-7504, -9504]));
    assert_eq!(read(&p, 10..12, 3..5), Buffer::I64(vec![-2008, -2009, -2208, -2209]));
    let (p, _file) = array(Dtype::U64, false, &u64::MAX.to_le_bytes(), 0, (1, 1), (1, 1));
    assert_eq!(read(&p, 0..1, 0..1), Buffer::U64(vec![u64::MAX]));
    let (p, _file) = array(Dtype::I16, true, &[0xff, 0xfe], 0, (1, 1), (1, 1));
    assert_eq!(read(&p, 0..1, 0..1), Buffer::F32 { bits: vec![(-2f32).to_bits()], integer: true });
}

#[test]
fn steps_of_any_length_give_the_same_numbers() {
    let ints: Vec<u8> = (0..400_000i32).flat_map(i32::to_le_bytes).collect();
    // Short rows, long rows, rows of more than is read at once, and numbers that are far apart.
    for (steps, shape) in [
        ((12, 3), (5000, 4)),
        ((9000, 3), (40, 3000)),
        ((399_999, 1), (1, 399_000)),
        ((1, 1), (1, 7)),
        ((399_996, 3), (1, 133_000)),
        ((60_000, 1500), (6, 40)),
    ] {
        let (p, _file) = array(Dtype::I32, false, &ints, 2, steps, shape);
        for (rows, columns) in [
            (0..shape.0, 0..shape.1),
            (0..1, 1..3),
            (shape.0 - 1..shape.0, shape.1 - 2..shape.1),
            (shape.0 / 2..shape.0, 1..shape.1 - 1),
        ] {
            let want: Vec<i64> = rows
                .clone()
                .flat_map(|r| columns.clone().map(move |c| (2 + r * steps.0 + c * steps.1) as i64))
                .collect();
            assert!(
                read(&p, rows.clone(), columns.clone()) == Buffer::I64(want),
                "{steps:?} {shape:?} {rows:?} {columns:?}"
            );
        }
    }
}

#[test]
fn a_file_that_shrinks_is_an_error() {
    let (p, file) = array(Dtype::F32, false, &[0; 64], 0, (4, 1), (4, 4));
    file.as_file().set_len(30).unwrap();
    let window = Window { first: vec![0, 0], row_axis: Some(0), column_axis: 1, rows: 4, columns: 4 };
    let e = p.read(&window, &mut p.buffer()).unwrap_err();
    assert!(e.to_string().starts_with("a.npy: ends at byte 30"), "{e}");
}
