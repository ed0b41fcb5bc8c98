//! Files of numbers in one piece: where they are long they stay in their file, else they are decoded.

use super::reader::{Contents, Input};
use crate::array::{Layout, STORED_FROM, StoredArray};
use crate::error::InputError;
use gridscope_core::grid::CELL_BYTES;

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
