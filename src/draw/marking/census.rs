//! How many cells of a whole grid a mark names, and the first of them.

use crate::resolve::{PanelCells, PanelMark};
use gridscope_core::grid::{Grid, Stats};

/// The marked cells of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Census {
    /// How many.
    pub count: u64,
    /// The first of them, by row and column, as many as extremes have.
    pub first: Vec<(usize, usize)>,
}

impl Census {
    fn add(&mut self, row: usize, column: usize) {
        self.count += 1;
        if self.first.len() < Stats::MAX_CELLS {
            self.first.push((row, column));
        }
    }

    /// Of a mark; `None` where the cells are not in memory and would have to be read once more.
    pub(super) fn of(mark: &PanelMark, grid: &Grid, stats: &Stats) -> Option<Census> {
        let mut out = Census::default();
        match &mark.cells {
            PanelCells::Nothing => {}
            PanelCells::Max => (out.count, out.first) = (stats.max_ties, stats.max_cells.clone()),
            PanelCells::Min => (out.count, out.first) = (stats.min_ties, stats.min_cells.clone()),
            PanelCells::Listed => {
                let cells = grid.marked(&mark.text).iter();
                cells.for_each(|(row, column)| out.add(*row as usize, *column as usize));
            }
            PanelCells::Lines { rows, columns } => {
                let number = |list: &Option<Vec<usize>>, all: usize| list.as_ref().map_or(all, Vec::len);
                let (height, width) = (number(rows, grid.height()), number(columns, grid.width()));
                let nth = |list: &Option<Vec<usize>>, i: usize| list.as_ref().map_or(i, |list| list[i]);
                let all = (0..height).flat_map(|r| (0..width).map(move |c| (r, c)));
                let first = all.take(Stats::MAX_CELLS);
                out.first = first.map(|(r, c)| (nth(rows, r), nth(columns, c))).collect();
                out.count = height as u64 * width as u64;
            }
            PanelCells::Condition(condition, agg) => {
                if !grid.is_loaded() {
                    return None;
                }
                let test = condition.test(grid, *agg)?;
                for row in 0..grid.height() {
                    for column in 0..grid.width() {
                        let value = grid.at(row, column).value();
                        if value.is_some_and(|v| test.holds(v, row, column)) {
                            out.add(row, column);
                        }
                    }
                }
            }
        }
        Some(out)
    }
}
