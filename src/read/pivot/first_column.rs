//! Whether the first column of a table of numbers labels its rows, or is one of its values.

use super::columns::Content;
use super::profile::{all_cells, counts_rows, is_row_number};
use super::suggest::is_measure_name;
use crate::error::InputError;
use crate::field::{Field, parse_number};
use crate::table::{Cells, TableSource};

/// Rows, and columns, of a square that is looked at.
const MOST: usize = 4_096;

/// Columns that are looked at beside the first one.
const BESIDE: usize = 16;

/// What the first column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstColumn {
    Labels,
    /// It counts the rows, and the second one labels them.
    Counter,
    /// All columns are values.
    Values,
    /// All columns are values, or it labels the rows.
    Open,
    /// All columns are values, and the rows have the names of the columns.
    Square,
}

/// The columns of a table as numbers.
pub(super) struct Numbers<'t> {
    pub table: &'t dyn TableSource,
    pub contents: &'t [Content],
}

impl Numbers<'_> {
    fn at(&self, column: usize, cells: &Cells, row: usize) -> Option<f64> {
        match (cells.field(row, &self.table.schema().missing), &self.contents[column]) {
            (Field::Number(n), _) => Some(n.as_f64()),
            (Field::Text, Content::Numbers(Some(numeral))) => numeral.plain(&cells.text(row))?.parse().ok(),
            _ => None,
        }
    }

    /// The numbers of columns, NaN for what is none, of no more rows than are looked at.
    fn of(&self, columns: &[usize]) -> Result<Vec<Vec<f64>>, InputError> {
        let mut all = vec![Vec::new(); columns.len()];
        for part in self.table.parts() {
            let mut part = part?;
            while let Some(batch) = part.next(columns)? {
                for ((numbers, cells), &column) in all.iter_mut().zip(&batch.columns).zip(columns) {
                    numbers
                        .extend((0..batch.rows).map(|row| self.at(column, cells, row).unwrap_or(f64::NAN)));
                }
                if all[0].len() > MOST {
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
    pub(super) fn grow(&self, column: usize) -> Result<bool, InputError> {
        let mut before = f64::NEG_INFINITY;
        let grow = all_cells(self.table, column, |cells, row| match self.at(column, cells, row) {
            Some(n) if before < n => {
                before = n;
                true
            }
            _ => false,
        })?;
        Ok(grow && before > f64::NEG_INFINITY)
    }
}

/// The first column of a table that has only columns of numbers, and a header.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn first_column(numbers: &Numbers) -> Result<FirstColumn, InputError> {
    let (table, schema) = (numbers.table, numbers.table.schema());
    let columns: Vec<usize> = schema.own().collect();
    let first = numbers.of(&[0])?.swap_remove(0);
    if first.len() == columns.len()
        && (2..=MOST).contains(&first.len())
        && schema.levels.len() < 2
        && is_square(&numbers.of(&columns)?, is_monotone(&first))
    {
        return Ok(FirstColumn::Square);
    }
    let is_named = parse_number(&schema.headers[1]).is_none();
    if is_counter(&schema.headers[0])
        && is_named
        && columns.len() > 2
        && counts_rows(table, 0)?
        && numbers.grow(1)?
    {
        return Ok(FirstColumn::Counter);
    }
    // What a program wrote as numbers are labels where they go on from row to row.
    if schema.has_types && (!numbers.grow(0)? || is_measure_name(&schema.headers[0])) {
        return Ok(FirstColumn::Values);
    }
    // Numbers in no order that are measured as others are, label nothing in a text either.
    let unit = unit_of(&schema.headers[0]);
    let shares_unit = unit.is_some() && schema.headers[1..].iter().any(|header| unit_of(header) == unit);
    if !is_monotone(&first) && (shares_unit || is_measure_name(&schema.headers[0])) {
        return Ok(FirstColumn::Values);
    }
    Ok(FirstColumn::Labels)
}

/// The unit in brackets at the end of a name.
fn unit_of(header: &str) -> Option<&str> {
    let inside = header.trim().strip_suffix([')', ']'])?.rsplit_once(['(', '['])?.1.trim();
    (!inside.is_empty()).then_some(inside)
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

/// The first column of a table of numbers without a header, if it may label the rows: it goes on in even steps or ratios, or as
/// years do, and the columns beside it do not. Where it only grows, as no other does, that stays open.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn unnamed_first_column(numbers: &Numbers, width: usize) -> Result<FirstColumn, InputError> {
    let first = numbers.of(&[0])?.swap_remove(0);
    if width < 3 || !is_monotone(&first) || first.len() < 2 {
        return Ok(FirstColumn::Values);
    }
    if first.iter().all(|n| is_day(*n)) {
        return Ok(FirstColumn::Labels);
    }
    let is_square = || {
        let columns: Vec<usize> = (0..width).collect();
        Ok(width == first.len() && width <= MOST && is_square(&numbers.of(&columns)?, false))
    };
    let beside: Vec<usize> = (1..width.min(BESIDE)).collect();
    let others = numbers.of(&beside)?;
    let is_settings = |n: &[f64]| are_years(n) || n.len() > 3 && is_even(n);
    Ok(if is_settings(&first) && !others.iter().any(|n| is_settings(n)) {
        if is_square()? { FirstColumn::Values } else { FirstColumn::Labels }
    } else if first.len() > 5 && !others.iter().any(|n| is_monotone(n)) && !is_square()? {
        FirstColumn::Open
    } else {
        FirstColumn::Values
    })
}

/// Whether a number is a day as `20240131`.
fn is_day(n: f64) -> bool {
    let (month, day) = (n % 1e4 / 1e2, n % 1e2);
    n.fract() == 0.0
        && (19_000_000.0..21_000_000.0).contains(&n)
        && (1.0..13.0).contains(&month)
        && (1.0..=31.0).contains(&day)
}

/// Whether numbers are years that follow each other.
fn are_years(n: &[f64]) -> bool {
    n.len() > 2
        && n.windows(2).all(|w| w[1] - w[0] == 1.0)
        && (1_000.0..=2_999.0).contains(&n[0])
        && n[0].fract() == 0.0
}

/// Whether numbers have equal steps, or equal ratios.
fn is_even(n: &[f64]) -> bool {
    let (step, ratio) = (n[1] - n[0], n[1] / n[0]);
    let steps = n.windows(2).all(|w| (w[1] - w[0] - step).abs() <= 1e-6 * step.abs());
    steps || ratio > 0.0 && n.windows(2).all(|w| (w[1] / w[0] / ratio - 1.0).abs() <= 1e-6)
}
