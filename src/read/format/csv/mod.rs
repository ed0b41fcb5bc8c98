//! CSV and its kin: delimiters, quotes and headers are recognised, and rows are read in blocks.

mod cutter;
mod delimiter;
mod head;
mod header;
mod table;

pub(crate) use header::{is_monotone, is_sentence, is_unit};
pub use table::CsvTable;

use super::reader::{Contents, Input};
use crate::error::InputError;
use gridscope_core::lint::Lints;

/// The table of a text.
///
/// # Errors
/// As [`CsvTable::open`].
pub(crate) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let (content, waits) = input.rows()?;
    let request = input.request;
    let mut lints = Lints::default();
    let table = CsvTable::open(content, request.file, &request.figure.data, &mut lints, request.budget)?;
    let notice =
        table.notice.clone().map_or_else(String::new, |notice| format!("{}: {notice}", request.file));
    Ok(Contents::table(table, lints, notice, waits))
}
