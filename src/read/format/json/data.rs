//! JSON that holds data: which of its shapes it has, and what they give.

use super::array::{numbers, values};
use super::chosen::check_options;
use super::fault::Fault;
use super::frame::{by_columns, split};
use super::shape::{KEY, Shape, not_data, shape};
use super::tokenizer::{Tokenizer, whole_text};
use crate::array::Array;
use crate::budget::Budget;
use crate::error::{ErrorKind, InputError};
use crate::figure_keys::is_figure_key;
use crate::position::place;
use crate::table::{Column, ColumnTable};
use gridscope_core::figure::Figure;
use gridscope_core::lint::Lints;
use std::sync::Arc;

/// Keys that are looked at to tell data from a figure, and lines from a list.
const MOST_KEYS: usize = 1 << 20;

/// The data of a JSON text.
#[derive(Debug)]
pub(crate) enum Json {
    /// An array of numbers.
    Numbers(Array),
    /// A data frame, and what was noticed in its names.
    Frame(Box<ColumnTable>, Lints),
    /// Records, which [`super::JsonTable`] reads.
    Records,
}

/// Whether the text, or its beginning, holds data rather than a figure.
pub(crate) fn is_data(text: &str) -> bool {
    let starts = text.trim_start_matches('\u{feff}').trim_start();
    starts.starts_with('[')
        || starts.starts_with('{') && shape(starts, &is_figure_key, MOST_KEYS) != Ok(Shape::Object)
}

/// Whether the text consists of objects one after the other, of which more may follow.
pub(crate) fn is_lines(bytes: &[u8], file: &str) -> bool {
    named_lines(file)
        || whole_text(bytes, file).is_ok_and(|t| shape(t, &|_| true, MOST_KEYS) == Ok(Shape::Lines))
}

fn named_lines(file: &str) -> bool {
    file.ends_with(".jsonl") || file.ends_with(".ndjson")
}

/// Reads JSON data; its memory is taken off the budget. Records are not read, only recognised.
///
/// # Errors
/// Text that is not JSON, with line and column; a shape that is not data; a column of lists that the figure asks for; too
/// little memory.
pub(crate) fn read_json(
    bytes: &[u8],
    file: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Json, InputError> {
    let text = whole_text(bytes, file)?;
    let refused = |f: Fault| f.error(file, |at| place(text, at));
    let tokens = || Tokenizer::new(text, figure.data.json_nan == Some(true));
    let keys = usize::try_from(budget.left() / 2 / KEY).unwrap_or(usize::MAX);
    // A log of one line, or one on its way through a pipe.
    let line = file == "-" || named_lines(file);
    let array = |read: Result<Array, Fault>| read.map(Json::Numbers).map_err(refused);
    let frame = |read: Result<Vec<Column>, Fault>| {
        let (columns, mut lints) = (read.map_err(refused)?, Lints::default());
        check_options(figure, file)?;
        let table = ColumnTable::new(file, columns, &figure.data, &mut lints)?;
        Ok(Json::Frame(Box::new(table), lints))
    };
    match shape(text, &is_figure_key, keys) {
        Ok(Shape::Array) => array(numbers(tokens(), budget)),
        Ok(Shape::Values) => array(values(tokens(), budget)),
        Ok(Shape::Records | Shape::Lines) => Ok(Json::Records),
        Ok(Shape::Split) => frame(split(text, &tokens, budget)),
        Ok(Shape::Columns) => frame(by_columns(tokens(), budget)),
        Ok(Shape::Object) if line => Ok(Json::Records),
        Err(limit) if limit.kind == ErrorKind::Limit => Err(refused(limit)),
        other => {
            // What is not JSON at all says so, with its place.
            let mut tokens = tokens();
            tokens.skip().and_then(|()| tokens.end()).map_err(refused)?;
            let object = "is an object that is not data; a figure file comes first on the command line";
            Err(refused(other.err().unwrap_or_else(|| not_data(object))))
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod random_tests;
