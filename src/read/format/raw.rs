//! Files of bare numbers: type and size come from the user, as `f32le 4096x4096`; long ones stay in their file.

use super::reader::{Contents, Input};
use crate::InputError;
use crate::array::{ArrayFault, Dtype, Encoding, Layout, STORED_FROM, StoredArray};
use gridscope_core::grid::CELL_BYTES;

/// Layout that `TYPE COLUMNSxROWS` describes: rows of numbers from the first byte of a file on.
///
/// # Errors
/// Faults of the words.
pub(crate) fn parse_raw(spec: &str) -> Result<Layout, InputError> {
    layout(spec).map_err(|f| InputError {
        place: "raw".into(),
        ..InputError::usage("", format!("'{spec}': {}", f.what))
            .with_hint("--raw 'f32le 4096x4096' names type and columns x rows")
    })
}

fn layout(spec: &str) -> Result<Layout, ArrayFault> {
    let (word, size) = spec.trim().split_once(char::is_whitespace).ok_or("a type and a size are needed")?;
    let (name, order) = match (word.strip_suffix("le"), word.strip_suffix("be")) {
        (Some(name), _) => (name, Some(false)),
        (_, Some(name)) => (name, Some(true)),
        _ => (word, None),
    };
    let dtype = Dtype::from_short(name).filter(|d| *d != Dtype::Bool);
    let dtype = dtype.ok_or_else(|| {
        format!("no type '{word}' (i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64 with le or be)")
    })?;
    // A byte has no order.
    let big_endian = order.or((dtype.size() == 1).then_some(false));
    let big_endian =
        big_endian.ok_or_else(|| format!("'{word}' needs its byte order, {word}le or {word}be"))?;
    let side = |t: &str| t.trim().parse::<usize>().ok();
    let sides = size.split_once(['x', 'X', '×']).and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let (columns, rows) = sides.ok_or_else(|| format!("'{}' is not a size", size.trim()))?;
    Layout::new(Encoding { dtype, big_endian }, false, vec![rows, columns], 0)
}

/// The array of a file of these numbers.
///
/// # Errors
/// A file of another length, and options that do not fit.
pub(crate) fn open(input: &mut Input, layout: &Layout) -> Result<Contents, InputError> {
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
pub(crate) fn check_length(layout: &Layout, len: u64, file: &str) -> Result<(), InputError> {
    if len == layout.bytes as u64 {
        return Ok(());
    }
    let [rows, columns] = layout.shape[..] else {
        return Ok(());
    };
    let what = format!(
        "{columns} x {rows} numbers of {} bytes are {} bytes, the file holds {len}",
        layout.encoding.dtype.size(),
        layout.bytes
    );
    Err(InputError::refused(file, "", what).with_hint("--raw TYPE COLUMNSxROWS names type and size"))
}

/// The array of a file; `layout` finds how its numbers lie by its first bytes and its length.
///
/// # Errors
/// Those of `layout`, options that do not fit the array, and too little memory.
pub(super) fn open_numbers(
    input: &mut Input,
    layout: impl Fn(&[u8], u64) -> Result<Layout, InputError>,
) -> Result<Contents, InputError> {
    let request = input.request;
    if let Some((file, len)) = input.file() {
        let layout = layout(&input.head()?, len)?;
        if layout.count >= STORED_FROM {
            let array = StoredArray::new(&file, request.file, layout);
            return Contents::array(Box::new(array), &request);
        }
    }
    let (bytes, held) = input.bytes()?;
    let layout = layout(&bytes, bytes.len() as u64)?;
    let cells = CELL_BYTES.saturating_mul(layout.count as u64);
    let taken = request.budget.take(cells);
    taken.map_err(|s| s.of(request.file, format_args!("{} elements", layout.count)))?;
    let start = layout.start;
    let array = layout.decode(&bytes[start..]);
    drop((bytes, held));
    Contents::array(Box::new(array), &request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_and_size_are_read() {
        let h = parse_raw("f32le 4096x100").unwrap();
        assert_eq!(
            (h.encoding.dtype, h.encoding.big_endian, h.shape, h.bytes),
            (Dtype::F32, false, vec![100, 4096], 1_638_400)
        );
        let h = parse_raw(" u16be  3 x 2 ").unwrap();
        let encoding = Encoding { dtype: Dtype::U16, big_endian: true };
        assert_eq!((h.encoding, h.shape), (encoding, vec![2, 3]));
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
            ("bool 4x4", "no type 'bool'"),
            ("f32le 4", "not a size"),
            ("f32le 4x-4", "not a size"),
            ("f64le 99999999999x99999999999", "no file holds"),
        ] {
            let e = parse_raw(bad).unwrap_err();
            assert!(e.what.contains(what) && e.hint.is_some(), "{bad}: {e}");
        }
    }
}
