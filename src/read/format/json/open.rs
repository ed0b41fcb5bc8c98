//! Files of JSON: records are read in blocks, other data are decoded at once.

use super::data::{Json, is_lines, read_json};
use super::table::{JsonTable, begins_lines};
use crate::bytes::Content;
use crate::error::InputError;
use crate::format::reader::{Contents, Input, Request, cut_open_row};

/// The table or the array of a JSON text.
///
/// # Errors
/// Text that is not JSON, with line and column; a shape that is not data; what the options are at fault with; too little
/// memory.
pub(crate) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let request = input.request;
    let Request { file, figure, budget, .. } = request;
    if input.start_of_long_text()?.is_some_and(|start| begins_lines(&start)) {
        return records(input.rows()?, &request);
    }
    let (mut bytes, held) = input.bytes()?;
    let waits = request.needs.growing && is_lines(&bytes, file) && cut_open_row(&mut bytes);
    match read_json(&bytes, file, figure, budget)? {
        Json::Numbers(array) => {
            drop((bytes, held));
            Contents::array(Box::new(array), &request)
        }
        Json::Records => {
            // The table has them to the end of the run.
            held.keep();
            records((Content::Memory(bytes), waits), &request)
        }
        Json::Frame(table, lints) => Ok(Contents::table(*table, lints, String::new(), waits)),
    }
}

fn records((content, waits): (Content, bool), request: &Request) -> Result<Contents, InputError> {
    let (table, lints, notice) = JsonTable::open(content, request.file, request.figure, request.budget)?;
    Ok(Contents::table(table, lints, notice, waits))
}
