//! Data frames as pandas writes them: by columns, or split into names, index and rows.

use super::array::lone;
use super::columns::Columns;
use super::record::Rows;
use super::tokenizer::{Fault, Scalar, Tokenizer};
use crate::input::budget::Budget;
use std::borrow::Cow;
use std::sync::Arc;

/// Columns that are objects, with a value under the key of each row: pandas' own orientation. The keys make a first column.
///
/// # Errors
/// The first fault of the text, columns of different lengths, and too little memory.
pub(super) fn by_columns(mut r: Tokenizer<'_>, budget: &Arc<Budget>) -> Result<Columns, Fault> {
    let mut columns = Columns::new(budget);
    columns.push("", 0)?;
    r.object(&mut |r, key, at| {
        let i = columns.columns.len();
        columns.push(&key, at)?;
        let mut row = 0;
        r.object(&mut |r, label, at| {
            if i == 1 {
                columns.columns[0].column.set(row, &Scalar::Text(label), at)?;
            }
            columns.go_to(row);
            let value = r.scalar()?;
            columns.set(i, &value, at)?;
            row += 1;
            Ok(())
        })?;
        if i > 1 && row != columns.columns[0].column.len() {
            return Err(Fault::new(
                at,
                format!(
                    "{row} rows under '{key}', {} under the first column",
                    columns.columns[0].column.len()
                ),
            ));
        }
        Ok(())
    })?;
    columns.go_to(columns.columns[0].column.len());
    r.end()?;
    columns.whole(r.at())?;
    Ok(columns)
}

/// The rows of `data` under the names of `columns`, after a first column of `index`: pandas' `orient="split"`.
///
/// # Errors
/// As [`by_columns`].
pub(super) fn split<'a>(
    text: &'a str,
    reader: &dyn Fn() -> Tokenizer<'a>,
    budget: &Arc<Budget>,
) -> Result<Columns, Fault> {
    let mut columns = Columns::new(budget);
    let mut index = lone(budget)?;
    reader().object(&mut |r, key, _| match &*key {
        "columns" => r.list(&mut |r| {
            let at = r.at();
            columns.push(&label(r.scalar()?, text, at, r.at()), at)
        }),
        "index" => r.list(&mut |r| {
            let (row, value) = (index.len(), r.scalar()?);
            let value = if value == Scalar::Null {
                Scalar::Text(Cow::Borrowed(""))
            } else {
                value
            };
            index.set(row, &value, r.at())
        }),
        _ => r.skip(),
    })?;
    let width = columns.columns.len();
    let mut r = reader();
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
                if i > width {
                    Ok(())
                } else {
                    columns.set(i - 1, &value, at)
                }
            })?;
            columns.end_row();
            if i == width {
                Ok(())
            } else {
                Err(Fault::new(at, format!("{i} values in a row, {width} columns")))
            }
        })
    })?;
    r.end()?;
    if !index.is_empty() {
        if index.len() != columns.rows() {
            return Err(Fault::new(
                0,
                format!(
                    "{} labels in 'index', {} rows in 'data'",
                    index.len(),
                    columns.rows()
                ),
            ));
        }
        columns.put(0, index);
    }
    columns.whole(r.at())?;
    Ok(columns)
}

/// The name of a column, as it is written.
fn label<'a>(value: Scalar<'a>, text: &'a str, from: usize, to: usize) -> Cow<'a, str> {
    match value {
        Scalar::Text(t) => t,
        Scalar::Null => Cow::Borrowed(""),
        _ => Cow::Borrowed(text[from..to].trim()),
    }
}
