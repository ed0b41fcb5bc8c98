//! Which columns of a tidy table are x, y, value and panel.

use super::profile::numeric;
use super::suggest::ask_for_columns;
use super::tidy::Roles;
use crate::figure::{Agg, Figure, List};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::table::{Schema, TableSource, listed};
use std::sync::Arc;

/// The columns given for x and y, those of a transposed table swapped.
pub(super) fn axes(figure: &Figure) -> (Option<&List>, Option<&List>) {
    let x = figure.data.x.as_ref().or(figure.x.column.as_ref());
    let y = figure.data.y.as_ref().or(figure.y.column.as_ref());
    if figure.data.transpose == Some(true) {
        (y, x)
    } else {
        (x, y)
    }
}

/// Whether the rows must be read to find the columns that make the grids.
pub(super) fn are_open(figure: &Figure) -> bool {
    figure.data.value.is_none() && figure.data.agg != Some(Agg::Count)
}

/// The columns that make the grids; `schema` is that of all tables together. The rows are read if [`are_open`] says so.
///
/// # Errors
/// Unknown columns, no column or several that could be the value, whatever is wrong with the rows, too little memory.
pub(super) fn roles(
    tables: &[&dyn TableSource],
    schema: &Schema,
    figure: &Figure,
    (x, y): (&List, &List),
    budget: &Arc<Budget>,
) -> Result<Roles, InputError> {
    let columns = |List(names): &List| {
        let columns = names.iter().map(|name| schema.column(name));
        columns.collect::<Result<Vec<_>, _>>()
    };
    let mut roles = Roles {
        x: columns(x)?,
        y: columns(y)?,
        ..Roles::default()
    };
    let ask = |why| Err(ask_for_columns(tables[0], why, budget));
    if roles.x.is_empty() || roles.y.is_empty() {
        return ask("a tidy table needs --x and --y");
    }
    roles.panel = figure.data.panel.as_ref().map(|p| schema.column(p)).transpose()?;
    if let Some(value) = &figure.data.value {
        roles.values = columns(value)?;
        return Ok(roles);
    }
    if figure.data.agg == Some(Agg::Count) {
        return Ok(roles);
    }
    let strip = figure.strip.as_ref().and_then(|s| schema.column(&s.column).ok());
    let taken = |c: &usize| roles.keys().contains(c) || strip == Some(*c);
    let left: Vec<usize> = (0..tables[0].schema().width()).filter(|c| !taken(c)).collect();
    let (are_numeric, _) = numeric(tables, &left, false, budget)?;
    let left = left.into_iter().zip(are_numeric).filter(|c| c.1 == Some(true));
    roles.values = left.map(|c| c.0).collect();
    match roles.values.as_slice() {
        [_] => Ok(roles),
        [] => ask("no column of numbers is left for --value"),
        many => {
            let names: Vec<String> = many.iter().map(|&c| schema.headers[c].clone()).collect();
            let what = format!("which column is --value? {}", listed(&names));
            Err(InputError::usage(&schema.file, what))
        }
    }
}
