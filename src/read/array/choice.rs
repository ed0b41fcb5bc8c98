//! Which axes of an array become rows, columns and panels.

use super::options::{no_table_options, panel_axis, shape_text, slices, too_many_axes};
use super::window::Window;
use crate::InputError;
use crate::panels::check_count;
use gridscope_core::figure::Figure;

/// Roles that the options give to the axes of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The plane of the first panel.
    pub plane: Window,
    /// The axis whose indexes are panels.
    pub panel: Option<usize>,
    /// How many panels there are: one where no axis is theirs.
    pub panels: usize,
}

impl Choice {
    /// The plane of a panel.
    pub(crate) fn plane(&self, panel: usize) -> Window {
        let mut plane = self.plane.clone();
        if let Some(axis) = self.panel {
            plane.first[axis] = panel;
        }
        plane
    }
}

/// The rows, columns and panels of an array of this shape; its axes may have names.
///
/// A 1-D array of n is a grid of 1 x n. More than two dimensions need `slice` or `panel = "axis:N"`; axes of length 1
/// drop out by themselves, the first ones first.
///
/// # Errors
/// When the options do not leave two dimensions, name an axis that the array does not have, or the array has no element.
pub(crate) fn choose(
    (shape, names): (&[usize], &[String]),
    file: &str,
    figure: &Figure,
) -> Result<Choice, InputError> {
    no_table_options(file, figure)?;
    if shape.is_empty() {
        let e = InputError::refused(file, "shape ()", "a 0-d array holds one number, not a grid");
        return Err(e.with_hint("save it with two dimensions: array.reshape(1, 1)"));
    }
    let panel = panel_axis(file, figure, (shape, names))?;
    let mut fixed = slices(file, figure.data.slice.as_ref(), (shape, names))?;
    if let Some(p) = panel.filter(|&p| fixed[p].is_some()) {
        let what = format!("axis {p} is both sliced and made into panels");
        return Err(InputError::usage(file, what));
    }
    let mut rest: Vec<usize> = (0..shape.len()).filter(|&a| fixed[a].is_none() && Some(a) != panel).collect();
    while rest.len() > 2 {
        let Some(i) = rest.iter().position(|&a| shape[a] == 1) else {
            break;
        };
        fixed[rest.remove(i)] = Some(0);
    }
    let (row, column) = match rest[..] {
        [r, c] => (Some(r), c),
        [c] => (None, c),
        [] => {
            let shape = shape_text(shape);
            let what = format!("the slices of shape {shape} leave one number, not a grid");
            return Err(InputError::usage(file, what));
        }
        _ => return Err(too_many_axes(file, shape, &rest, panel)),
    };
    let (rows, columns) = (row.map_or(1, |a| shape[a]), shape[column]);
    let panels = panel.map_or(1, |p| shape[p]);
    if let Some(p) = panel {
        check_count(panels, file, || format!("axis {p} makes {panels} panels")).map_err(|e| {
            e.with_hint(format!(
                "--slice {p}=0 in place of --panel draws one of them; --panel axis:N takes another axis"
            ))
        })?;
    }
    if rows == 0 || columns == 0 || panels == 0 {
        let of = panel.map(|_| format!(" in {panels} panels")).unwrap_or_default();
        let what = format!("no cells: {rows} rows x {columns} columns{of}");
        return Err(InputError::refused(file, "", what));
    }
    if let Some(side) = [rows, columns].into_iter().find(|n| *n > u32::MAX as usize) {
        let what = format!("{side} cells in a row or column: sides end at {}", u32::MAX);
        return Err(InputError::limit(file, what));
    }
    Ok(Choice {
        plane: Window {
            first: fixed.into_iter().map(Option::unwrap_or_default).collect(),
            row_axis: row,
            column_axis: column,
            rows,
            columns,
        },
        panel,
        panels,
    })
}
