//! Files of 0 and 1, one a cell.

use super::numbers::{parse_table, read_side_array};
use crate::InputError;
use crate::budget::Budget;
use crate::format::npy::MAGIC;
use std::sync::Arc;

/// A grid of 0 and 1.
#[derive(Debug)]
pub(super) struct Flags {
    pub rows: usize,
    pub columns: usize,
    /// Row after row.
    pub are_set: Vec<bool>,
}

impl Flags {
    /// Those of a file's bytes; `what` they are, in words.
    ///
    /// # Errors
    /// When the bytes are not numbers, in rows of several lengths, or others than 0 and 1.
    pub(super) fn of(bytes: &[u8], file: &str, what: &str, budget: &Arc<Budget>) -> Result<Self, InputError> {
        let refuse = |place: &str, what: String| InputError::refused(file, place, what);
        let (rows, columns, values, _room): (usize, usize, Vec<f64>, _) = if bytes.starts_with(MAGIC) {
            let (array, room) = read_side_array(bytes, file, budget)?;
            let values = array.to_f64();
            match array.shape[..] {
                [r, c] => (r, c, values, room),
                [c] => (1, c, values, room),
                _ => {
                    let what = format!("shape {:?}: {what} has two dimensions", array.shape);
                    return Err(refuse("header", what));
                }
            }
        } else {
            let (table, room) = parse_table(bytes, file, budget)?;
            let columns = table.first().map_or(0, Vec::len);
            if let Some(i) = table.iter().position(|r| r.len() != columns) {
                let what = format!("row {} has {} numbers, row 1 has {columns}", i + 1, table[i].len());
                return Err(refuse("", what));
            }
            (table.len(), columns, table.into_iter().flatten().collect(), room)
        };
        if let Some(v) = values.iter().find(|v| **v != 0.0 && **v != 1.0) {
            return Err(refuse("", format!("{what} holds 0 and 1, found {v}")));
        }
        budget.take(values.len() as u64).map_err(|s| s.of(file, format_args!("{rows} x {columns} cells")))?;
        Ok(Self { rows, columns, are_set: values.iter().map(|v| *v == 1.0).collect() })
    }

    /// Checks the shape against that of a grid.
    ///
    /// # Errors
    /// When they differ.
    pub(super) fn fits(
        file: &str,
        what: &str,
        own: (usize, usize),
        grid: (usize, usize),
    ) -> Result<(), InputError> {
        if own == grid {
            return Ok(());
        }
        let ((rows, columns), (h, w)) = (own, grid);
        let text =
            format!("{what} of {rows} rows x {columns} columns, but the grid has {h} rows x {w} columns");
        Err(InputError::refused(file, "", text))
    }
}
