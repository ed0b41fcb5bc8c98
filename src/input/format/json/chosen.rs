//! Which columns of records make the table: those of lists are left out, and so are nulls in the place of objects.

use super::fault::Fault;
use crate::figure::{Figure, List};
use crate::input::error::InputError;
use crate::input::table::listed;

/// A column as it was read.
pub(super) struct Candidate<'c> {
    pub name: &'c str,
    /// Whether no row has a value.
    pub empty: bool,
    /// The byte of its first list.
    pub list_at: Option<u64>,
}

/// The columns of the table, and what was left out, in words.
///
/// # Errors
/// The first column of lists that the figure asks for.
pub(super) fn choose(
    candidates: &[Candidate<'_>],
    figure: &Figure,
    file: &str,
) -> Result<(Vec<usize>, String), Fault> {
    let data = &figure.data;
    let asked = [&data.x, &data.y, &data.value, &figure.x.column, &figure.y.column];
    let asked = |name: &str| {
        let named = |l: &&Option<List>| l.as_ref().is_some_and(|List(l)| l.iter().any(|n| n == name));
        asked.iter().any(named) || data.panel.as_deref() == Some(name)
    };
    let mut lists = Vec::new();
    for c in candidates {
        let Some(at) = c.list_at else { continue };
        if asked(c.name) {
            let what = format!("column '{}' holds lists, not values", c.name);
            return Err(Fault::new(at as usize, what));
        }
        lists.push(c.name.to_owned());
    }
    let notice = if lists.is_empty() {
        String::new()
    } else {
        format!("{file}: columns of lists left out: {}", listed(&lists))
    };
    let mut names: Vec<&str> = candidates.iter().map(|c| c.name).collect();
    names.sort_unstable();
    // A null where other rows have an object is not a column of its own.
    let is_column = |c: &Candidate| !(c.list_at.is_some() || c.empty && is_outer(c.name, &names));
    let columns = (0..candidates.len())
        .filter(|&i| is_column(&candidates[i]))
        .collect();
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
    let given = [
        (figure.data.delimiter.is_some(), "delimiter"),
        (figure.data.header.is_some(), "header"),
    ];
    match given.iter().find(|g| g.0) {
        Some((_, word)) => Err(InputError::usage(
            file,
            format!("'{word}' is for tables of text; this is JSON"),
        )),
        None => Ok(()),
    }
}
