//! Which columns of records make the table: those of lists are left out, and so are nulls in the place of objects.

use super::fault::Fault;
use super::survey::Survey;
use crate::error::InputError;
use crate::table::listed;
use gridscope_core::figure::{Figure, List};

/// The columns of the table, and what was left out, in words.
///
/// # Errors
/// The first column of lists that the figure asks for.
pub(super) fn choose(survey: &Survey, figure: &Figure, file: &str) -> Result<(Vec<usize>, String), Fault> {
    let data = &figure.data;
    let asked = [&data.x, &data.y, &data.value, &figure.x.column, &figure.y.column];
    let asked = |name: &str| {
        let named = |l: &&Option<List>| l.as_ref().is_some_and(|List(l)| l.iter().any(|n| n == name));
        asked.iter().any(named) || data.panel_names().any(|panel| panel == name)
    };
    let mut sorted: Vec<&str> = (0..survey.columns.len()).map(|i| survey.names.get(i)).collect();
    sorted.sort_unstable();
    let (mut columns, mut lists) = (Vec::new(), Vec::new());
    for (i, column) in survey.columns.iter().enumerate() {
        let name = survey.names.get(i);
        match column.list_at {
            Some(at) if asked(name) => {
                let what = format!("column '{name}' holds lists, not values");
                return Err(Fault::new(at as usize, what));
            }
            Some(_) => lists.push(name.to_owned()),
            // A null where other rows have an object is not a column of its own.
            None if column.kinds.is_empty() && is_outer(name, &sorted) => {}
            None => columns.push(i),
        }
    }
    let notice = if lists.is_empty() {
        String::new()
    } else {
        format!("{file}: columns of lists left out: {}", listed(&lists))
    };
    Ok((columns, notice))
}

/// Whether one of these names, which are sorted, is this one with a dot and more behind it.
fn is_outer(name: &str, names: &[&str]) -> bool {
    let inner = format!("{name}.");
    let next = names.partition_point(|n| *n < inner.as_str());
    names.get(next).is_some_and(|n| n.starts_with(&inner))
}

/// Refuses options that are for tables of text alone.
///
/// # Errors
/// When the figure has one.
pub(super) fn check_options(figure: &Figure, file: &str) -> Result<(), InputError> {
    let word = match &figure.data {
        data if data.delimiter.is_some() => "delimiter",
        data if data.header.is_some() => "header",
        _ => return Ok(()),
    };
    let what = format!("'{word}' is for tables of text; this is JSON");
    Err(InputError::usage(file, what))
}
