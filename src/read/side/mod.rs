//! Side files: masks, and the values and labels of axes, which options name beside the data.

mod numbers;
mod axis_values;
mod own_labels;
mod cell_table;
mod marked_cells;
mod cell_texts;

pub(crate) use axis_values::apply_axis_values;
pub(crate) use cell_texts::apply_cell_texts;
pub(crate) use marked_cells::list_marked;
pub(crate) use own_labels::apply_own_labels;

use crate::budget::{Budget, read_side_file};
use crate::{ErrorKind, InputError};
use cell_table::{is_bare, panel_column, says_of, table_of};
use gridscope_core::figure;
use gridscope_core::figure::{Agg, CellCondition, Figure, rows_without};
use gridscope_core::grid::{Grid, HiddenCells};
use marked_cells::cells_of_table;
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
    /// Where a file of the shape of the grid holds 1.
    Shape {
        /// The file, as the user named it.
        file: String,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// Whether each cell is hidden, row after row.
        hidden: Arc<Vec<bool>>,
    },
    /// Those of each grid that a table names, by row and column.
    Table(Vec<Vec<(u32, u32)>>),
}

/// Hides the cells of all masks in grid `i` of those that the masks were read for.
///
/// # Errors
/// When a file's mask has another shape than the grid, and when the grid does not have what a condition compares.
///
/// # Panics
/// When the cells are not in memory.
pub(crate) fn hide_all(masks: &[Mask], i: usize, grid: &mut Grid, data: &str) -> Result<(), InputError> {
    let mut hidden = masks.iter().map(|mask| mask.of(i, grid, data));
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
    /// The mask that `mask` of a figure names, of these grids; paths start at `base`.
    ///
    /// # Errors
    /// When it is a file that cannot be read, that does not hold 0 and 1 in rows of one length, or that names a cell no grid has.
    pub(crate) fn read(
        mask: &figure::Mask,
        figure: &Figure,
        grids: &[Grid],
        base: &Path,
        budget: &Arc<Budget>,
    ) -> Result<Mask, InputError> {
        let (spec, test) = match mask {
            figure::Mask::Upper(k) => return Ok(Mask::Upper(i64::from(*k))),
            figure::Mask::Lower(k) => return Ok(Mask::Lower(i64::from(*k))),
            figure::Mask::Condition(condition) => {
                return Ok(Mask::Condition(condition.clone(), figure.data.agg.unwrap_or_default()));
            }
            figure::Mask::File(path, test) => (path.as_str(), test.as_ref()),
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
        let (bytes, held) = read_side_file(&base.join(spec), spec, budget).map_err(hint)?;
        if !is_bare(&bytes, says_of(test)) {
            let source = table_of((bytes, held), spec, FORMS, budget)?;
            let panel = panel_column(figure, source.as_ref())?;
            return cells_of_table(source.as_ref(), grids, panel, test).map(Mask::Table);
        }
        let flags = Flags::of(&bytes, spec, "a mask", test, budget)?;
        Ok(Mask::Shape {
            file: spec.to_owned(),
            rows: flags.rows,
            columns: flags.columns,
            hidden: Arc::new(flags.are_set),
        })
    }

    /// The cells of a grid that it hides.
    fn of(&self, i: usize, grid: &Grid, data: &str) -> Result<HiddenCells, InputError> {
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
            Mask::Table(cells) => {
                let mut hidden = vec![false; h * w];
                cells[i].iter().for_each(|&(row, column)| hidden[row as usize * w + column as usize] = true);
                HiddenCells::Listed(Arc::new(hidden), w)
            }
            Mask::Shape { file, rows, columns, hidden } => {
                Flags::fits(file, "a mask", (*rows, *columns), (h, w))?;
                HiddenCells::Listed(Arc::clone(hidden), w)
            }
        })
    }
}

/// Forms of a mask.
const FORMS: &str = "mask is 'upper', 'lower', a condition such as 'p > 0.05', or a file: 0 and 1 in the shape of the grid, with or without labels, or the keys of cells";
/// Quantities that a condition on cells may compare.
const COMPARED: &str = "value; an aggregate of its rows such as n or std; a key of an axis by its name; of a tidy table, another column";
