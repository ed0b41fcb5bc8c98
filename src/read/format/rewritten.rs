//! Texts that were rewritten as CSV.

use super::csv::CsvTable;
use super::reader::{Contents, Input, OneTable};
use crate::bytes::Content;
use crate::error::InputError;
use gridscope_core::figure::Header;
use gridscope_core::lint::Lints;

/// A table that was rewritten as CSV.
#[derive(Default)]
pub(super) struct Rewritten {
    pub csv: String,
    /// What its first line is, where that is known.
    pub header: Option<Header>,
    pub lints: Lints,
    pub notice: String,
    /// The name that its columns have together.
    pub columns_name: Option<String>,
    /// What tells it from other tables of its file.
    pub title: Option<String>,
}

impl Rewritten {
    /// The table.
    ///
    /// # Errors
    /// As [`CsvTable::open`].
    pub(super) fn open(self, input: &Input) -> Result<OneTable, InputError> {
        let Self { csv, header, mut lints, notice, columns_name, title } = self;
        let request = input.request;
        let room = request.budget.reserve(csv.len() as u64);
        room.map_err(|s| s.of(request.file, "its rows"))?.keep();
        let mut data = request.figure.data.clone();
        data.header = header.or(data.header);
        (data.delimiter, data.comment, data.skip_rows) =
            (Some(",".to_owned()), Some("none".to_owned()), None);
        let content = Content::Memory(csv.into_bytes());
        let table = CsvTable::open(content, request.file, &data, &mut lints, request.budget);
        // Lines of the text are not those of a file of rows.
        let mut table = table.map_err(|mut fault| {
            fault.hint = fault.hint.filter(|hint| !hint.starts_with("--skip-rows"));
            fault
        })?;
        table.set_title(title);
        table.set_columns_name(columns_name);
        Ok(OneTable { source: Box::new(table), lints, notice, waits: false })
    }
}

/// The table of a text that was rewritten as CSV.
///
/// # Errors
/// As [`CsvTable::open`].
pub(super) fn of_csv(csv: String, notice: String, input: &Input) -> Result<Contents, InputError> {
    let table = Rewritten { csv, notice, ..Rewritten::default() }.open(input)?;
    Ok(Contents::Tables(vec![table]))
}

/// The table of a text whose first line as CSV is the names that its reader wrote.
///
/// # Errors
/// As [`CsvTable::open`].
pub(super) fn of_named_csv(csv: String, notice: String, input: &Input) -> Result<Contents, InputError> {
    let table = Rewritten { csv, notice, header: Some(Header::Yes), ..Rewritten::default() }.open(input)?;
    Ok(Contents::Tables(vec![table]))
}

/// A cell as CSV has it.
pub(super) fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r', '#']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
