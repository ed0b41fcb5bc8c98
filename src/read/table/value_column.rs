//! Columns of values that are in memory already: arrays of one length, records.

use super::column::Column;
use super::column_builder::{CellType, ColumnBuilder};
use super::column_table::ColumnTable;
use crate::budget::{Budget, OverBudget};
use crate::error::InputError;
use gridscope_core::figure::Data;
use gridscope_core::grid::Number;
use gridscope_core::lint::Lints;
use std::sync::Arc;

/// Bytes that a value takes while its column is made.
const VALUE: u64 = 64;

/// A column by its name.
pub(crate) type NamedColumn = (String, Vec<ColumnValue>);

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColumnValue {
    Nothing,
    Number(Number),
    Text(String),
    /// A value of a type that is not read.
    Unread,
}

impl ColumnValue {
    /// A number; NaN is nothing.
    pub(crate) fn of_f64(value: f64) -> Self {
        if value.is_nan() { Self::Nothing } else { Self::Number(Number::F64(value)) }
    }

    /// Its shortest text.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Nothing | Self::Unread => String::new(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// A column of these values.
///
/// # Errors
/// Too little memory.
fn column(name: &str, values: &[ColumnValue], budget: &Arc<Budget>) -> Result<Column, OverBudget> {
    budget.take(VALUE.saturating_mul(values.len() as u64))?;
    let mut cells = ColumnBuilder::new(CellType::I64, budget);
    for value in values {
        match value {
            ColumnValue::Nothing | ColumnValue::Unread => cells.push_missing(1),
            ColumnValue::Number(number) => cells.push_number(*number, || number.to_string())?,
            ColumnValue::Text(text) => cells.push_text(text)?,
        }
    }
    let (column, texts) = cells.finish(name)?;
    texts.keep();
    Ok(column)
}

/// The table of columns under their names, which a key may have found.
///
/// # Errors
/// Too little memory, and no rows.
pub(crate) fn table_of_values(
    columns: &[NamedColumn],
    file: &str,
    data: &Data,
    lints: &mut Lints,
    budget: &Arc<Budget>,
) -> Result<ColumnTable, InputError> {
    let columns = columns.iter().map(|(name, values)| column(name, values, budget));
    let columns = columns.collect::<Result<Vec<_>, _>>().map_err(|short| short.of(file, "its columns"))?;
    let mut table = ColumnTable::new(file, columns, data, lints)?;
    table.set_keyed();
    Ok(table)
}
