//! Data frames as pandas writes them: by columns, or split into names, index and rows.

use super::column::GrowingColumn;
use super::fault::Fault;
use super::tokenizer::{Scalar, Tokenizer};
use crate::budget::Budget;
use crate::table::Column;
use std::borrow::Cow;
use std::sync::Arc;

/// Columns that are objects, with a value under the key of each row: pandas' own orientation. The keys make a first column.
///
/// # Errors
/// The first fault of the text, columns of different lengths, and too little memory.
pub(super) fn by_columns(mut r: Tokenizer<'_>, budget: &Arc<Budget>) -> Result<Vec<Column>, Fault> {
    let mut columns = vec![GrowingColumn::new("", 0, budget)?];
    r.object(&mut |r, key, at| {
        let (is_first, mut column) = (columns.len() == 1, GrowingColumn::new(&key, at, budget)?);
        r.object(&mut |r, label, at| {
            if is_first {
                columns[0].push(&Scalar::Text(label), at)?;
            }
            column.push(&r.scalar()?, at)
        })?;
        let [rows, all] = [column.len(), columns[0].len()];
        if rows != all {
            let what = format!("{rows} rows under '{key}', {all} under the first column");
            return Err(Fault::new(at, what));
        }
        columns.push(column);
        Ok(())
    })?;
    r.end()?;
    finish(columns)
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
    let mut columns = vec![GrowingColumn::new("", 0, budget)?];
    tokens().object(&mut |r, key, _| match &*key {
        "columns" => r.list(&mut |r| {
            let at = r.at();
            let name = match r.scalar()? {
                Scalar::Text(name) => name,
                Scalar::Null => Cow::Borrowed(""),
                // As it is written.
                _ => Cow::Borrowed(text[at..r.at()].trim()),
            };
            columns.push(GrowingColumn::new(&name, at, budget)?);
            Ok(())
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
    finish(columns)
}

/// The columns with all of their rows.
fn finish(columns: Vec<GrowingColumn>) -> Result<Vec<Column>, Fault> {
    columns.into_iter().map(GrowingColumn::finish).collect()
}
