//! Columns that name or number the rows rather than measure them.

use super::profile::all_differ;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::Field;
use crate::table::TableSource;
use gridscope_core::grid::Number;
use std::sync::Arc;

/// Whether a column of numbers names the rows rather than measures them: by its name it has ids, or row numbers behind the
/// labels, and it has different whole numbers.
///
/// # Errors
/// Whatever is wrong with the rows, and too little memory.
pub(super) fn numbers_things(
    table: &dyn TableSource,
    (column, label): (usize, usize),
    budget: &Arc<Budget>,
) -> Result<bool, InputError> {
    let name = &table.schema().headers[column];
    if is_row_number(name) && column > label {
        return counts_rows(table, column);
    }
    Ok(is_id(name) && are_whole(table, column)? && all_differ(table, column, budget)?)
}

/// Whether a header says that its column has ids: `ID`, `store_id`, `Store ID`, `storeId`, `index`.
pub(super) fn is_id(header: &str) -> bool {
    let lower = header.trim().to_lowercase();
    let camel = |end: &str| header.strip_suffix(end).is_some_and(|h| h.ends_with(|c: char| c.is_lowercase()));
    let last = lower.rsplit(|c: char| !c.is_alphanumeric()).next();
    last == Some("id") || matches!(lower.as_str(), "index" | "idx") || camel("Id") || camel("ID")
}

/// Whether a header says that its column numbers the rows.
pub(super) fn is_row_number(header: &str) -> bool {
    matches!(header.trim().to_lowercase().as_str(), "#" | "no" | "no." | "nr" | "row" | "rank")
}

/// Whether all values of a column are whole numbers.
fn are_whole(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    for part in table.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&[column])? {
            let whole = |row| matches!(batch.columns[0].field(row, &[]), Field::Number(Number::I64(_)));
            if !(0..batch.rows).all(whole) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// A text as what is before its last digits, and those digits as a number.
fn numbered(text: &str) -> Option<(&str, u64)> {
    let prefix = text.trim_end_matches(|c: char| c.is_ascii_digit());
    Some((prefix, text[prefix.len()..].parse().ok()?))
}

/// Whether a column of two rows or more is one text with the numbers 0, 1, 2 … or 1, 2, 3 … after it.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn numbers_rows(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    let mut last: Option<(String, u64)> = None;
    let mut rows = 0usize;
    for part in table.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&[column])? {
            for row in 0..batch.rows {
                let text = batch.columns[0].text(row);
                let Some((prefix, n)) = numbered(text.trim()) else {
                    return Ok(false);
                };
                let follows = match &mut last {
                    Some((before, number)) => {
                        *number += 1;
                        before == prefix && *number == n
                    }
                    None => {
                        last = Some((prefix.to_owned(), n));
                        n <= 1
                    }
                };
                if !follows {
                    return Ok(false);
                }
                rows += 1;
            }
        }
    }
    Ok(rows > 1)
}

/// Whether a column counts the rows, from 0 or 1.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn counts_rows(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    let mut next = None;
    for part in table.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&[column])? {
            for row in 0..batch.rows {
                let Field::Number(Number::I64(n)) = batch.columns[0].field(row, &table.schema().missing)
                else {
                    return Ok(false);
                };
                if next.map_or(n != 0 && n != 1, |next| n != next) {
                    return Ok(false);
                }
                next = Some(n + 1);
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_known_by_their_names() {
        for name in ["ID", "id", "store_id", "Store ID", "storeId", "userID", "index", "run.id"] {
            assert!(is_id(name), "{name}");
        }
        for name in ["valid", "ID rate", "grid", "Idaho", "humid", "PAID", "index 2020", ""] {
            assert!(!is_id(name), "{name}");
        }
    }
}
