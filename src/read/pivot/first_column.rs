//! Whether the first column of a table of numbers labels its rows, or is one of its values.

use super::profile::{all_cells, counts_rows, is_row_number};
use super::suggest::is_measure_name;
use crate::error::InputError;
use crate::field::{Field, parse_number};
use crate::table::TableSource;

/// Rows, and columns, of a square that is looked at.
const MOST: usize = 4_096;

/// What the first column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstColumn {
    Labels,
    /// It counts the rows, and the second one labels them.
    Counter,
    /// All columns are values.
    Values,
    /// All columns are values, and the rows have the names of the columns.
    Square,
}

/// The first column of a table that has only columns of numbers, and a header.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn first_column(table: &dyn TableSource) -> Result<FirstColumn, InputError> {
    let schema = table.schema();
    let columns: Vec<usize> = schema.own().collect();
    let first = numbers_of(table, 0)?;
    if first.len() == columns.len() && (2..=MOST).contains(&first.len()) && schema.levels.len() < 2 {
        let square = columns.iter().map(|c| numbers_of(table, *c)).collect::<Result<Vec<_>, _>>()?;
        if is_square(&square, is_monotone(&first)) {
            return Ok(FirstColumn::Square);
        }
    }
    let is_named = parse_number(&schema.headers[1]).is_none();
    if is_counter(&schema.headers[0])
        && is_named
        && columns.len() > 2
        && counts_rows(table, 0)?
        && grows(table, 1)?
    {
        return Ok(FirstColumn::Counter);
    }
    // What a program wrote as numbers are labels where they go on from row to row.
    if schema.has_types && (!grows(table, 0)? || is_measure_name(&schema.headers[0])) {
        return Ok(FirstColumn::Values);
    }
    Ok(FirstColumn::Labels)
}

/// Whether a header is that of a column that only counts rows: pandas' and R's are blank or `rownames`.
fn is_counter(header: &str) -> bool {
    let lower = header.trim().to_lowercase();
    matches!(lower.as_str(), "" | "unnamed: 0" | "rownames" | "row names" | "index") || is_row_number(header)
}

/// Whether columns of numbers, as many as rows, are one of correlations, distances or counts of classes: symmetric, or with the
/// largest number of each row on the diagonal. Where the first grows, it is a matrix only with one number along its diagonal.
fn is_square(columns: &[Vec<f64>], grows: bool) -> bool {
    let at = |r: usize, c: usize| columns[c][r];
    let n = columns.len();
    let is_near =
        |a: f64, b: f64| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-6 * a.abs().max(b.abs());
    let is_symmetric = (0..n).all(|r| (0..r).all(|c| is_near(at(r, c), at(c, r))));
    let is_even = (1..n).all(|i| is_near(at(i, i), at(0, 0)));
    let leads = || (0..n).all(|r| (0..n).all(|c| at(r, c) <= at(r, r)));
    is_symmetric && (is_even || !grows) || !grows && leads()
}

fn is_monotone(numbers: &[f64]) -> bool {
    numbers.windows(2).all(|w| w[0] < w[1]) || numbers.windows(2).all(|w| w[0] > w[1])
}

/// The numbers of a column, NaN for others; no more than are looked at.
fn numbers_of(table: &dyn TableSource, column: usize) -> Result<Vec<f64>, InputError> {
    let mut all = Vec::new();
    for part in table.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&[column])? {
            let of = |row| match batch.columns[0].field(row, &table.schema().missing) {
                Field::Number(n) => n.as_f64(),
                _ => f64::NAN,
            };
            all.extend((0..batch.rows).map(of));
            if all.len() > MOST {
                return Ok(all);
            }
        }
    }
    Ok(all)
}

/// Whether the numbers of a column grow from row to row, as sizes and steps do.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn grows(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    let mut before = f64::NEG_INFINITY;
    let grows = all_cells(table, column, |cells, row| match cells.field(row, &table.schema().missing) {
        Field::Number(n) if before < n.as_f64() => {
            before = n.as_f64();
            true
        }
        _ => false,
    })?;
    Ok(grows && before > f64::NEG_INFINITY)
}

/// Whether a column without a header holds years that follow each other.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn holds_years(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    let years = numbers_of(table, column)?;
    let follow = years.windows(2).all(|w| w[1] - w[0] == 1.0);
    Ok(years.len() > 2 && follow && (1_000.0..=2_999.0).contains(&years[0]) && years[0].fract() == 0.0)
}
