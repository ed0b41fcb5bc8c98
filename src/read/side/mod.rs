//! Side files: masks, and the values and labels of axes, which options name beside the data.

mod numbers;
mod axis_values;
mod own_labels;
mod marked_cells;

pub(crate) use axis_values::apply_axis_values;
pub(crate) use marked_cells::list_marked;
pub(crate) use own_labels::apply_own_labels;

use crate::budget::{Budget, read_side_file};
use crate::{ErrorKind, InputError};
use gridscope_core::figure;
use gridscope_core::figure::{Agg, CellCondition, rows_without};
use gridscope_core::grid::{Grid, HiddenCells};
use numbers::Flags;
use std::path::Path;
use std::sync::Arc;

/// Which cells are hidden.
pub(crate) enum Mask {
    /// At least this many columns right of the diagonal, as `numpy.triu(ones, k)`: 0 hides the diagonal, too.
    Upper(i64),
    /// At least this many rows below the diagonal, as `numpy.tril(ones, -k)`.
    Lower(i64),
    /// Those that meet a condition; of the quantity, if it is an aggregate of another column, this aggregate unless it names one.
    Condition(CellCondition, Agg),
    /// Where a file holds 1.
    File {
        /// The file, as the user named it.
        file: String,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// Whether each cell is hidden, row after row.
        hidden: Arc<Vec<bool>>,
    },
}

/// Hides the cells of all masks.
///
/// # Errors
/// When a file's mask has another shape than the grid, and when the grid does not have what a condition compares.
///
/// # Panics
/// When the cells are not in memory.
pub(crate) fn hide_all(masks: &[Mask], grid: &mut Grid, data: &str) -> Result<(), InputError> {
    let mut hidden = masks.iter().map(|mask| mask.of(grid, data));
    let Some(first) = hidden.next().transpose()? else {
        return Ok(());
    };
    let width = grid.width();
    let all = hidden.try_fold(first, |a, b| {
        let b = b?;
        let either = |i: usize| a.hides(i / width, i % width) || b.hides(i / width, i % width);
        let listed: Vec<bool> = (0..grid.len()).map(either).collect();
        Ok::<_, InputError>(HiddenCells::Listed(Arc::new(listed), width))
    })?;
    grid.hide(all);
    Ok(())
}

impl Mask {
    /// The mask that `mask` of a figure names; paths start at `base`. `agg` is the aggregate of the values.
    ///
    /// # Errors
    /// When it is a file that cannot be read, or that does not hold 0 and 1 in rows of one length.
    pub(crate) fn read(
        mask: &figure::Mask,
        agg: Agg,
        base: &Path,
        budget: &Arc<Budget>,
    ) -> Result<Mask, InputError> {
        let spec = match mask {
            figure::Mask::Upper(k) => return Ok(Mask::Upper(i64::from(*k))),
            figure::Mask::Lower(k) => return Ok(Mask::Lower(i64::from(*k))),
            figure::Mask::Condition(condition) => return Ok(Mask::Condition(condition.clone(), agg)),
            figure::Mask::File(path) => path.as_str(),
        };
        // The names of files may hold `=`.
        if let (false, Some(rows)) = (base.join(spec).exists(), rows_without(spec)) {
            let what = "no such file, and no condition on cells: after the comparison is a number";
            return Err(
                InputError::usage(spec, what).with_hint(format!("--where '{rows}' leaves out such rows"))
            );
        }
        let hint = |e: InputError| match e.kind {
            ErrorKind::Limit => e,
            _ => e.with_hint(FORMS),
        };
        let (bytes, _held) = read_side_file(&base.join(spec), spec, budget).map_err(hint)?;
        let flags = Flags::of(&bytes, spec, "a mask", budget)?;
        Ok(Mask::File {
            file: spec.to_owned(),
            rows: flags.rows,
            columns: flags.columns,
            hidden: Arc::new(flags.are_set),
        })
    }

    /// The cells of a grid that it hides.
    fn of(&self, grid: &Grid, data: &str) -> Result<HiddenCells, InputError> {
        let (h, w) = (grid.height(), grid.width());
        Ok(match self {
            Mask::Upper(k) => HiddenCells::Upper(*k),
            Mask::Lower(k) => HiddenCells::Lower(*k),
            Mask::Condition(condition, agg) => {
                let test = condition.test(grid, *agg).ok_or_else(|| {
                    let what = format!("mask '{condition}': a cell has no such number");
                    InputError::usage(data, what).with_hint(COMPARED)
                })?;
                let meets = |i: usize| {
                    let value = grid.at(i / w, i % w).value();
                    value.is_some_and(|v| test.holds(v, i / w, i % w))
                };
                HiddenCells::Listed(Arc::new((0..h * w).map(meets).collect()), w)
            }
            Mask::File { file, rows, columns, hidden } => {
                Flags::fits(file, "a mask", (*rows, *columns), (h, w))?;
                HiddenCells::Listed(Arc::clone(hidden), w)
            }
        })
    }
}

/// Forms of a mask.
const FORMS: &str =
    "mask is 'upper', 'lower', a condition such as 'p > 0.05', or a file of 0 and 1 in the shape of the grid";
/// Quantities that a condition on cells may compare.
const COMPARED: &str = "value; an aggregate of its rows such as n or std; a key of an axis by its name; of a tidy table, another column";
