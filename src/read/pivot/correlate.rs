//! The numeric columns of a table against each other.

use super::columns::{Content, look, named, split_exclusions};
use super::derive::Opened;
use super::wide::{WideColumns, read_wide};
use crate::budget::Budget;
use crate::error::InputError;
use crate::loaded::{Loaded, ReadOptions};
use crate::table::{listed, rereadable, rewritten};
use gridscope_core::figure::{Correlation, Figure};
use gridscope_core::grid::{Axis, Change, Grid, Number, Values};
use gridscope_core::lint::LintName;
use gridscope_core::transform::correlate;
use std::sync::Arc;

/// The most columns.
const MOST: usize = 2_000;

/// A grid for each table: the coefficients of its columns of numbers, or of those that `value` names.
///
/// # Errors
/// Fewer than two such columns, texts among their numbers, whatever is wrong with the rows, too little memory.
pub(super) fn correlations(
    tables: Vec<Opened>,
    names: &[String],
    figure: &Figure,
    method: Correlation,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let (mut all, several) = (Loaded::default(), tables.len() > 1);
    let mut summaries = Vec::new();
    for ((table, lints), name) in tables.into_iter().zip(names) {
        let table = rereadable(table, budget)?;
        let schema = table.schema();
        let contents = look(table.as_ref(), &figure.data, budget)?;
        let (wanted, out) = match &figure.data.value {
            Some(names) => split_exclusions(names, schema)?,
            None => Default::default(),
        };
        let is_number = |c: &usize| contents[*c].is_number();
        let mut values = match wanted.0.is_empty() {
            true => (0..contents.len()).filter(is_number).collect(),
            false => named(&wanted, &[], schema)?,
        };
        values.retain(|column| !out.contains(column));
        if !(2..=MOST).contains(&values.len()) {
            let what =
                format!("--correlate needs 2 to {MOST} columns of numbers; there are {}", values.len());
            let e = InputError::usage(&schema.file, what);
            return Err(e.with_hint(format!("columns: {}", listed(&schema.headers))));
        }
        all.lints.append(lints);
        let left: Vec<String> =
            (0..contents.len()).filter(|c| !is_number(c)).map(|c| schema.headers[c].clone()).collect();
        if wanted.0.is_empty() && !left.is_empty() {
            let what = format!("columns that are no numbers are left out: {}", listed(&left));
            all.lints.add(LintName::ColumnsLeftOut, left.len() as u64, what);
        }
        let numerals = values.iter().filter_map(|&c| match contents[c] {
            Content::Numbers(Some(numeral)) => Some((c, numeral)),
            _ => None,
        });
        let table = rewritten(table, &numerals.collect::<Vec<_>>());
        let mut plain = Figure::default();
        plain.data.filter.clone_from(&figure.data.filter);
        plain.data.nodata = figure.data.nodata;
        let columns = WideColumns { values: values.clone(), ..WideColumns::default() };
        let rows = read_wide(table.as_ref(), &columns, &plain, &ReadOptions::default(), budget)?;
        let Some(grid) = rows.grids.first() else { continue };
        let names: Vec<String> = values.iter().map(|&c| table.schema().headers[c].clone()).collect();
        let mut grid =
            square(grid, names, method).map_err(|e| InputError::refused(&table.schema().file, "", e))?;
        if several {
            grid.set_name(name);
        }
        let rows = rows.grids[0].height();
        summaries.push(format!(
            "{}: {} of {} columns over {rows} rows",
            table.schema().file,
            method.word(),
            values.len()
        ));
        all.grids.push(grid);
    }
    all.summary = summaries.join("; ");
    Ok(all)
}

fn square(
    rows: &Grid,
    names: Vec<String>,
    method: Correlation,
) -> Result<Grid, gridscope_core::grid::GridError> {
    let number = |r: usize, c: usize| rows.at(r, c).value().map_or(f64::NAN, Number::as_f64);
    let column = |c: usize| (0..rows.height()).map(|r| number(r, c)).collect();
    let columns: Vec<Vec<f64>> = (0..rows.width()).map(column).collect();
    let (coefficients, counts) = correlate(&columns, method);
    let axis = || Axis::category("", names.clone());
    let blank = Grid::new(axis(), axis(), Values::F64(coefficients.clone()), &[])?;
    let mut grid = blank.changed(Values::F64(coefficients), &[], Change::Correlation(method.word()))?;
    grid.set_field("n".to_owned(), counts)?;
    Ok(grid)
}
