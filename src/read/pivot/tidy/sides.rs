//! Rows and columns of panels: values of a key column, or value columns.

use crate::error::InputError;
use gridscope_core::figure::Figure;

/// Common value of the panels of one row, or of one column of panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// A key of this column, by its place among those of panels.
    Key(usize),
    /// A value column.
    Value,
    /// There is one row, or one column.
    One,
}

/// Rows of panels, and columns of panels.
pub(super) type Sides = [Side; 2];

/// The sides that a figure asks for. Columns of panels alone may be wrapped by `columns`: they are panels without sides.
///
/// # Errors
/// Options that do not go together; `values` is the number of value columns.
pub(super) fn sides(figure: &Figure, values: usize, file: &str) -> Result<Option<Sides>, InputError> {
    let data = &figure.data;
    let usage = |what: &str, hint: &str| Err(InputError::usage(file, what).with_hint(hint));
    let (row, column) = (data.panel_row.is_some(), data.panel_column.is_some());
    if !row && !column {
        let orders = [&figure.panel_row_order, &figure.panel_column_order];
        if orders.into_iter().any(Option::is_some) {
            return usage(
                "panel_row_order and panel_column_order need panel_row or panel_column",
                "--panel-order orders the panels of --panel and --value",
            );
        }
        if data.drop_empty == Some(true) {
            return usage(
                "drop_empty needs panel_row or panel_column",
                "--panel draws no empty panel: leave --drop-empty out",
            );
        }
        return Ok(None);
    }
    if data.panel.is_some() {
        return usage(
            "panel and panel_row or panel_column both make panels",
            "give one of them: --panel-row and --panel-column take a column each, --panel several",
        );
    }
    if figure.panel_order.is_some() {
        return usage(
            "panel_order does not say whether it orders rows or columns of panels",
            "--panel-row-order, --panel-column-order",
        );
    }
    if row && figure.columns.is_some() {
        return usage(
            "columns wraps the panels of one row, and panel_row makes several rows",
            "leave --columns out, or --panel-row",
        );
    }
    // The panels of one row that is wrapped have no columns of their own.
    if figure.columns.is_some() {
        return Ok(None);
    }
    let sides = match (row, column, values > 1) {
        (true, true, false) => [Side::Key(0), Side::Key(1)],
        (true, true, true) => {
            return usage(
                "panel_row and panel_column are both given, and several value columns need one of the two sides",
                "leave out --panel-row or --panel-column: the value columns take its place; or name one --value",
            );
        }
        (true, false, false) => [Side::Key(0), Side::One],
        (true, false, true) => [Side::Key(0), Side::Value],
        (false, _, true) => [Side::Value, Side::Key(0)],
        (false, _, false) => [Side::One, Side::Key(0)],
    };
    let orders = [&figure.panel_row_order, &figure.panel_column_order];
    for (side, order, word) in [(sides[0], orders[0], "row"), (sides[1], orders[1], "column")] {
        if side == Side::One && order.is_some() {
            let what = format!("panel_{word}_order needs panel_{word}");
            return Err(InputError::usage(file, what));
        }
    }
    Ok(Some(sides))
}
