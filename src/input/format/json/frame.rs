//! Data frames as pandas writes them: by columns, or split into names, index and rows.

use super::column::Column;
use super::fault::Fault;
use super::tokenizer::{Scalar, Tokenizer};
use crate::input::budget::Budget;
use std::borrow::Cow;
use std::sync::Arc;

/// Columns that are objects, with a value under the key of each row: pandas' own orientation. The keys make a first column.
///
/// # Errors
/// The first fault of the text, columns of different lengths, and too little memory.
pub(super) fn by_columns(mut r: Tokenizer<'_>, budget: &Arc<Budget>) -> Result<Vec<Column>, Fault> {
    let mut columns = Vec::new();
    add("", 0, &mut columns, budget)?;
    r.object(&mut |r, key, at| {
        add(&key, at, &mut columns, budget)?;
        let [labels, others @ .., column] = &mut columns[..] else {
            return Ok(());
        };
        r.object(&mut |r, label, at| {
            if others.is_empty() {
                labels.push(&Scalar::Text(label), at)?;
            }
            column.push(&r.scalar()?, at)
        })?;
        if column.len() == labels.len() {
            return Ok(());
        }
        let [rows, all] = [column.len(), labels.len()];
        let what = format!("{rows} rows under '{key}', {all} under the first column");
        Err(Fault::new(at, what))
    })?;
    r.end()?;
    Ok(columns)
}

/// The rows of `data` under the names of `columns`, after a first column of `index`: pandas' `orient="split"`.
///
/// # Errors
/// As [`by_columns`].
pub(super) fn split<'a>(
    text: &'a str,
    tokens: &dyn Fn() -> Tokenizer<'a>,
    budget: &Arc<Budget>,
) -> Result<Vec<Column>, Fault> {
    let mut columns = Vec::new();
    add("", 0, &mut columns, budget)?;
    tokens().object(&mut |r, key, _| match &*key {
        "columns" => r.list(&mut |r| {
            let at = r.at();
            let name = label(r.scalar()?, text, at, r.at());
            add(&name, at, &mut columns, budget)
        }),
        "index" => r.list(&mut |r| {
            let label = match r.scalar()? {
                Scalar::Null => Scalar::Text(Cow::Borrowed("")),
                label => label,
            };
            columns[0].push(&label, r.at())
        }),
        _ => r.skip(),
    })?;
    let (width, mut rows) = (columns.len() - 1, 0);
    let mut r = tokens();
    r.object(&mut |r, key, _| {
        if key != "data" {
            return r.skip();
        }
        r.list(&mut |r| {
            let (mut i, at) = (0, r.at());
            r.list(&mut |r| {
                let at = r.at();
                let value = r.scalar()?;
                i += 1;
                columns.get_mut(i).map_or(Ok(()), |c| c.push(&value, at))
            })?;
            rows += 1;
            if i == width {
                return Ok(());
            }
            Err(Fault::new(at, format!("{i} values in a row, {width} columns")))
        })
    })?;
    r.end()?;
    match columns[0].len() {
        0 => drop(columns.remove(0)),
        labels if labels == rows => {}
        labels => {
            let what = format!("{labels} labels in 'index', {rows} rows in 'data'");
            return Err(Fault::new(0, what));
        }
    }
    Ok(columns)
}

/// Adds a column, which the text names at byte `at`.
fn add(name: &str, at: usize, columns: &mut Vec<Column>, budget: &Arc<Budget>) -> Result<(), Fault> {
    let column = Column::new(name, budget);
    columns.push(column.map_err(|s| Fault::short(at, format!("{} columns", columns.len() + 1), s))?);
    Ok(())
}

/// The name of a column, as it is written.
fn label<'a>(value: Scalar<'a>, text: &'a str, from: usize, to: usize) -> Cow<'a, str> {
    match value {
        Scalar::Text(t) => t,
        Scalar::Null => Cow::Borrowed(""),
        _ => Cow::Borrowed(text[from..to].trim()),
    }
}
