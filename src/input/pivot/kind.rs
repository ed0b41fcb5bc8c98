//! Which kind of table it is: wide, or a matrix.

use super::profile::{all_differ, numeric};
use super::roles::axes;
use super::suggest::ask_for_columns;
use crate::figure::{Figure, TableKind};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::table::TableSource;
use std::sync::Arc;

/// Whether only the rows of a table without x and y can say what it is, so that they are read more than once.
pub(super) fn is_open(figure: &Figure) -> bool {
    figure.data.table.is_none() && !is_named(figure)
}

/// Whether the figure names columns, as for a tidy table.
fn is_named(figure: &Figure) -> bool {
    let (x, y) = axes(figure);
    x.is_some() || y.is_some() || figure.data.value.is_some() || figure.data.panel.is_some()
}

/// Whether a table without x and y is wide, or else a matrix. The rows are read, more than once, if [`is_open`] says so.
///
/// # Errors
/// A table that is neither, options that do not fit, whatever is wrong with the rows, too little memory.
pub(super) fn is_wide(
    table: &dyn TableSource,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<bool, InputError> {
    match figure.data.table {
        Some(kind @ (TableKind::Wide | TableKind::Matrix)) if is_named(figure) => {
            let what = format!(
                "--x, --y, --value and --panel are for a tidy table, not --table {}",
                kind.word()
            );
            Err(InputError::usage(&table.schema().file, what))
        }
        Some(kind @ (TableKind::Wide | TableKind::Matrix)) => Ok(kind == TableKind::Wide),
        None if !is_named(figure) => by_content(table, budget),
        _ => Err(ask_for_columns(table, "a tidy table needs --x and --y", budget)),
    }
}

/// Whether a table is wide, or else a matrix, by what it holds.
fn by_content(table: &dyn TableSource, budget: &Arc<Budget>) -> Result<bool, InputError> {
    let schema = table.schema();
    let width = schema.width();
    let columns: Vec<usize> = (0..width).collect();
    let labelled = schema.has_header && width > 1;
    let (numeric, labels_differ) = numeric(&[table], &columns, labelled, budget)?;
    let numbers = |c: &[Option<bool>]| c.contains(&Some(true)) && !c.contains(&Some(false));
    let all = numbers(&numeric);
    match (width, schema.has_types) {
        _ if !schema.has_header && all => return Ok(false),
        (1, true) if all => return Ok(false),
        (1, true) => {
            let why = "one column, which is not a matrix";
            return Err(ask_for_columns(table, why, budget));
        }
        (1, false) => {
            return Err(InputError::refused(&schema.file, "", "one column")
                .with_hint("did you mean --delimiter? --table matrix takes one column as it is"));
        }
        _ => {}
    }
    if all && are_numbered(&schema.headers) {
        return Ok(false);
    }
    if labelled && numbers(&numeric[1..]) && (labels_differ || all_differ(table, 0, budget)?) {
        return Ok(true);
    }
    let why = if all {
        "a table of numbers with a header is tidy, wide or a matrix (--table)"
    } else {
        "neither a wide table nor a matrix"
    };
    Err(ask_for_columns(table, why, budget))
}

/// Whether headers count on from one to the next: `V1,V2,V3`.
fn are_numbered(headers: &[String]) -> bool {
    let split = |h: &String| -> Option<(String, u64)> {
        let head = h.trim_end_matches(|c: char| c.is_ascii_digit());
        Some((head.to_owned(), h[head.len()..].parse().ok()?))
    };
    let parts: Option<Vec<_>> = headers.iter().map(split).collect();
    let follows = |w: &[(String, u64)]| w[0].0 == w[1].0 && w[0].1.checked_add(1) == Some(w[1].1);
    parts.is_some_and(|p| p.windows(2).all(follows))
}
