//! Files of bare numbers: type and size come from the user, as `f32le 4096x4096`.

use super::numbers::open_numbers;
use super::reader::{Contents, Input};
use crate::input::InputError;
use crate::input::array::{Dtype, Layout};

/// The words of number types; those of one byte have no byte order.
const TYPES: [(&str, Dtype); 11] = [
    ("i8", Dtype::I8),
    ("u8", Dtype::U8),
    ("i16", Dtype::I16),
    ("u16", Dtype::U16),
    ("i32", Dtype::I32),
    ("u32", Dtype::U32),
    ("i64", Dtype::I64),
    ("u64", Dtype::U64),
    ("f16", Dtype::F16),
    ("f32", Dtype::F32),
    ("f64", Dtype::F64),
];

/// What `TYPE COLUMNSxROWS` says of a file: rows of numbers from its first byte on.
///
/// # Errors
/// What is wrong with the words.
pub fn parse_raw(spec: &str) -> Result<Layout, String> {
    let wrong =
        |what: String| format!("'{spec}': {what}; it reads as f32le 4096x4096, the type and columns x rows");
    let (word, size) = spec
        .trim()
        .split_once(char::is_whitespace)
        .ok_or_else(|| wrong("a type and a size are needed".to_owned()))?;
    let (name, order) = match word {
        w if w.ends_with("le") => (&w[..w.len() - 2], Some(false)),
        w if w.ends_with("be") => (&w[..w.len() - 2], Some(true)),
        w => (w, None),
    };
    let dtype = TYPES.iter().find(|t| t.0 == name).map(|t| t.1).ok_or_else(|| {
        let known: Vec<&str> = TYPES.iter().map(|t| t.0).collect();
        wrong(format!("no type '{word}' ({} with le or be)", known.join(", ")))
    })?;
    let big_endian = match order {
        Some(big) => big,
        None if dtype.size() == 1 => false,
        None => {
            return Err(wrong(format!(
                "'{word}' needs its byte order, {word}le or {word}be"
            )));
        }
    };
    let side = |t: &str| t.trim().parse::<usize>().ok();
    let sides = size
        .split_once(['x', 'X', '×'])
        .and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let (columns, rows) = sides.ok_or_else(|| wrong(format!("'{}' is not a size", size.trim())))?;
    let count = columns.checked_mul(rows);
    let bytes = count
        .and_then(|n| n.checked_mul(dtype.size()))
        .filter(|b| isize::try_from(*b).is_ok());
    let (count, bytes) = count
        .zip(bytes)
        .ok_or_else(|| wrong("no file holds this many numbers".to_owned()))?;
    Ok(Layout {
        dtype,
        big_endian,
        fortran: false,
        shape: vec![rows, columns],
        count,
        bytes,
        start: 0,
    })
}

/// The array of a file of these numbers.
///
/// # Errors
/// A file of another length, and what the options are at fault with.
pub fn open(input: &mut Input, layout: &Layout) -> Result<Contents, InputError> {
    let file = input.request.file;
    open_numbers(input, |_, len| {
        check_length(layout, len, file)?;
        Ok(layout.clone())
    })
}

/// Refuses a file that is not as long as its numbers are.
///
/// # Errors
/// When the lengths differ.
pub fn check_length(layout: &Layout, len: u64, file: &str) -> Result<(), InputError> {
    if len == layout.bytes as u64 {
        return Ok(());
    }
    let [rows, columns] = layout.shape[..] else {
        return Ok(());
    };
    let what = format!(
        "{columns} x {rows} numbers of {} bytes are {} bytes, the file holds {len}",
        layout.dtype.size(),
        layout.bytes
    );
    Err(InputError::refused(file, "", what).with_hint("--raw TYPE COLUMNSxROWS names type and size"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_and_size_are_read() {
        let h = parse_raw("f32le 4096x100").unwrap();
        assert_eq!(
            (h.dtype, h.big_endian, h.shape, h.bytes),
            (Dtype::F32, false, vec![100, 4096], 1_638_400)
        );
        let h = parse_raw(" u16be  3 x 2 ").unwrap();
        assert_eq!((h.dtype, h.big_endian, h.shape), (Dtype::U16, true, vec![2, 3]));
        assert_eq!(parse_raw("u8 7x1").unwrap().bytes, 7);
        assert!(
            check_length(&parse_raw("u8 7x1").unwrap(), 8, "a")
                .unwrap_err()
                .to_string()
                .contains("7 x 1 numbers of 1 bytes are 7 bytes")
        );
    }

    #[test]
    fn wrong_words_are_named() {
        for (bad, what) in [
            ("f32le", "a type and a size"),
            ("f32 4x4", "byte order"),
            ("float 4x4", "no type 'float'"),
            ("f32le 4", "not a size"),
            ("f32le 4x-4", "not a size"),
            ("f64le 99999999999x99999999999", "no file holds"),
        ] {
            let e = parse_raw(bad).unwrap_err();
            assert!(e.contains(what), "{bad}: {e}");
        }
    }
}
