//! Values on rows x columns with an axis each.

mod state;
mod axis;
mod values;
mod source;
mod summary;
mod stats;
mod fold;

pub use axis::{Axis, AxisKind, Coords};
pub use fold::{BACKGROUND, fold};
pub use source::SourceError;
pub use state::State;
pub use stats::Stats;
pub use summary::Summary;
pub use values::{Encoding, Number, Values};

use std::collections::BTreeMap;
use std::ops::Range;

/// One panel's data: values, states, axes. Cell (row, column) stands at `row * columns + column`.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The panel's value, empty for a lone grid.
    pub name: String,
    /// The axis down the side (y).
    pub rows: Axis,
    /// The axis along the bottom (x).
    pub columns: Axis,
    /// What the cells hold ("pass1"), empty if unknown.
    pub value_name: String,
    values: Values,
    cells: Vec<u32>,
    encoding: Encoding,
    /// Further numbers a cell, by the name a template uses (`mean`, `std`, `n`); as long as the grid.
    pub fields: BTreeMap<String, Vec<f64>>,
    /// Texts a cell, by column name (`column:note`); as long as the grid.
    pub texts: BTreeMap<String, Vec<String>>,
}

impl Grid {
    /// A grid of values as they came; `states` marks cells that hold none and may be empty when all hold one.
    ///
    /// A NaN among the values becomes [`State::Nan`].
    ///
    /// # Errors
    /// When the lengths do not match, or a side is 0.
    pub fn new(rows: Axis, columns: Axis, values: Values, states: &[Option<State>]) -> Result<Self, String> {
        let n = rows
            .len()
            .checked_mul(columns.len())
            .ok_or_else(|| format!("{} x {} cells are more than this machine counts", rows.len(), columns.len()))?;
        if n == 0 {
            return Err(format!("no cells: {} rows x {} columns", rows.len(), columns.len()));
        }
        if values.len() != n || !(states.is_empty() || states.len() == n) {
            return Err(format!("{} x {} cells, but {} values and {} states", rows.len(), columns.len(), values.len(), states.len()));
        }
        let encoding = Encoding::of(&values, states);
        let cells = (0..n)
            .map(|i| match states.get(i).copied().flatten() {
                Some(s) => s.bits(),
                None => encoding.encode(values.get(i)),
            })
            .collect();
        Ok(Self {
            name: String::new(),
            rows,
            columns,
            value_name: String::new(),
            values,
            cells,
            encoding,
            fields: BTreeMap::new(),
            texts: BTreeMap::new(),
        })
    }

    /// A grid from rows of f64, NaN for a cell without a value, with plain index axes.
    ///
    /// # Errors
    /// As [`Grid::new`].
    pub fn from_rows(rows: usize, columns: usize, values: Vec<f64>) -> Result<Self, String> {
        Self::new(Axis::index("", rows), Axis::index("", columns), Values::F64(values), &[])
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The cells as they lie on the GPU: f32 bit patterns, states as NaN payloads, row after row.
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Reads the stored bits of a window, row after row.
    ///
    /// # Errors
    /// When the source does not give them.
    ///
    /// # Panics
    /// When a range leaves the grid, or `into` is not as long as the window.
    pub fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut [u32]) -> Result<(), SourceError> {
        assert_eq!(into.len(), rows.len() * columns.len(), "a buffer for {rows:?} x {columns:?}");
        for (line, r) in into.chunks_exact_mut(columns.len().max(1)).zip(rows) {
            line.copy_from_slice(&self.cells[r * self.width()..][columns.clone()]);
        }
        Ok(())
    }

    /// How stored f32 and the source's values relate.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The source's own value, or the state.
    pub fn at(&self, row: usize, column: usize) -> Result<Number, State> {
        let i = row * self.width() + column;
        match State::of_bits(self.cells[i]) {
            Some(s) => Err(s),
            None => Ok(self.values.get(i)),
        }
    }

    /// The source's values; where a state stands the number means nothing.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Marks cells; those marked keep no value.
    pub fn set_state(&mut self, row: usize, column: usize, state: State) {
        let i = row * self.width() + column;
        self.cells[i] = state.bits();
    }

    /// Exact figures over all cells.
    pub fn stats(&self) -> Stats {
        Stats::of(self)
    }

    /// Rows and columns swapped.
    pub fn transposed(&self) -> Grid {
        let (h, w) = (self.height(), self.width());
        let order: Vec<usize> = (0..w).flat_map(|c| (0..h).map(move |r| r * w + c)).collect();
        self.gathered(self.columns.clone(), self.rows.clone(), &order)
    }

    /// The part of rows `r` and columns `c`.
    ///
    /// # Panics
    /// When a range leaves the grid.
    pub fn window(&self, r: Range<usize>, c: Range<usize>) -> Grid {
        let w = self.width();
        let order: Vec<usize> = r.clone().flat_map(|y| c.clone().map(move |x| y * w + x)).collect();
        self.gathered(self.rows.slice(r), self.columns.slice(c), &order)
    }

    /// Row `rows[i]` becomes row i, column `columns[j]` column j.
    ///
    /// # Panics
    /// When an index leaves the grid.
    pub fn permuted(&self, rows: &[usize], columns: &[usize]) -> Grid {
        let w = self.width();
        let order: Vec<usize> = rows.iter().flat_map(|&y| columns.iter().map(move |&x| y * w + x)).collect();
        self.gathered(self.rows.permuted(rows), self.columns.permuted(columns), &order)
    }

    fn gathered(&self, rows: Axis, columns: Axis, order: &[usize]) -> Grid {
        Grid {
            name: self.name.clone(),
            value_name: self.value_name.clone(),
            rows,
            columns,
            values: self.values.gathered(order),
            cells: order.iter().map(|&i| self.cells[i]).collect(),
            encoding: self.encoding,
            fields: self.fields.iter().map(|(k, v)| (k.clone(), order.iter().map(|&i| v[i]).collect())).collect(),
            texts: self.texts.iter().map(|(k, v)| (k.clone(), order.iter().map(|&i| v[i].clone()).collect())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_twice_is_the_same_grid() {
        let g = Grid::from_rows(2, 3, vec![1.0, f64::NAN, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let t = g.transposed();
        assert_eq!((t.height(), t.width()), (3, 2));
        assert_eq!(t.at(1, 0), Err(State::Nan));
        assert_eq!(t.transposed().cells(), g.cells());
        assert_eq!(g.window(1..2, 1..3).at(0, 1), Ok(Number::F64(6.0)));
    }

    #[test]
    fn permuting_moves_values_states_and_labels_together() {
        let mut g = Grid::from_rows(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
        g.rows = Axis::category("y", vec!["a".into(), "b".into()]);
        g.set_state(0, 1, State::Absent);
        assert_eq!(g.permuted(&[1, 0], &[0, 1]).columns, g.columns);
        let p = g.permuted(&[1, 0], &[1, 0]);
        assert_eq!((p.at(0, 0), p.at(1, 0), p.at(1, 1)), (Ok(Number::F64(4.0)), Err(State::Absent), Ok(Number::F64(1.0))));
        assert_eq!((p.rows.label(0), p.columns.label(0)), ("b".to_owned(), "1".to_owned()));
    }

    #[test]
    fn an_empty_grid_is_refused() {
        assert!(Grid::from_rows(0, 5, vec![]).is_err());
        assert!(Grid::from_rows(2, 2, vec![1.0]).is_err());
    }
}
