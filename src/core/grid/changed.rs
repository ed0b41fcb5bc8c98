//! Changes of the values of a grid after rows became cells.

use super::backing::{Backing, LoadedCells};
use super::error::GridError;
use super::{Axis, Grid, HiddenCells, MarkedCells, State, Values, error};
use std::sync::Arc;

/// A step that gave the cells other values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Each value is its difference from that of a baseline of this name.
    Difference(String),
    /// Each value is its ratio to that of a baseline of this name.
    Ratio(String),
    /// Each value is its change from that of a baseline of this name, in per cent.
    Percent(String),
    /// Each value is a share of the sum over this: `row`, `column`, `panel` or `all`.
    Share(&'static str),
    /// Each value is its distance from the mean of this, in standard deviations: `row` or `column`.
    ZScore(&'static str),
    /// Each value is its place from the least (0) to the greatest (1) of this.
    MinMax(&'static str),
    /// Each value is its rank within this.
    Rank(&'static str),
    /// Each value is how far two columns of the rows vary together, by this coefficient.
    Correlation(&'static str),
}

impl Change {
    /// The value that others are above or below, of which there are two kinds then.
    pub fn center(&self) -> Option<f64> {
        match self {
            Change::Difference(_) | Change::Percent(_) | Change::ZScore(_) | Change::Correlation(_) => {
                Some(0.0)
            }
            Change::Ratio(_) => Some(1.0),
            Change::Share(_) | Change::MinMax(_) | Change::Rank(_) => None,
        }
    }

    /// Whether values became what they are to those of a baseline.
    pub fn is_comparison(&self) -> bool {
        matches!(self, Change::Difference(_) | Change::Ratio(_) | Change::Percent(_))
    }
}

/// The field of the p values of paired differences, which templates call `p`.
pub const P_VALUES: &str = "p of pairs";

/// Below each of these p values a cell has one star more.
pub const P_LEVELS: [f64; 3] = [0.05, 0.01, 0.001];

/// An axis, and which cell of another one each of its cells is.
pub(crate) type Placed<'a> = (&'a Axis, &'a [Option<usize>]);

impl Grid {
    /// Changes of the values, in order; empty where they are those of the source.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// A line under the figure that explains the texts of cells.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Sets the line under the figure.
    pub fn set_note(&mut self, note: Option<String>) {
        self.note = note;
    }

    /// The stars of a cell whose difference is more than noise; empty for others.
    pub fn stars(&self, cell: usize) -> &'static str {
        let p = self.fields.get(P_VALUES).map_or(f64::NAN, |p| p[cell]);
        let levels = P_LEVELS.iter().filter(|level| p < **level).count();
        &"***"[..levels]
    }

    /// The same grid with other values, which came of its own by this change. Names, axes, fields and texts stay.
    ///
    /// # Errors
    /// As [`Grid::new`].
    pub fn changed(
        &self,
        values: Values,
        states: &[Option<State>],
        change: Change,
    ) -> Result<Grid, GridError> {
        // The lengths are those of any new grid.
        let new = Grid::new(self.rows.clone(), self.columns.clone(), values, states)?;
        let mut changes = self.changes.clone();
        changes.push(change);
        let mut out = Grid {
            name: self.name.clone(),
            value_name: self.value_name.clone(),
            fields: self.fields.clone(),
            texts: self.texts.clone(),
            merged: self.merged.clone(),
            hidden: self.hidden.clone(),
            note: self.note.clone(),
            facet: self.facet.clone(),
            caption: self.caption.clone(),
            file: self.file.clone(),
            said: Arc::clone(&self.said),
            slices: Arc::clone(&self.slices),
            min_count: self.min_count,
            changes,
            ..new
        };
        out.count_hidden();
        Ok(out)
    }

    /// The cells under other axes: at each place that of this grid, or an absent one where this grid has none.
    ///
    /// # Errors
    /// More cells than a grid may have.
    ///
    /// # Panics
    /// When a place leaves the grid, and as [`Grid::cells`].
    pub(crate) fn placed(&self, rows: Placed<'_>, columns: Placed<'_>) -> Result<Grid, GridError> {
        let n = error::cells(rows.0, columns.0)?;
        let stays = |places: &[Option<usize>], n: usize| (0..n).map(Some).eq(places.iter().copied());
        if stays(rows.1, self.height()) && stays(columns.1, self.width()) {
            // The cells are shared.
            return Ok(Grid {
                rows: rows.0.clone(),
                columns: columns.0.clone(),
                marked: MarkedCells::new(),
                ..self.clone()
            });
        }
        let w = self.width();
        let places = || {
            let of_row = |row: Option<usize>| columns.1.iter().map(move |c| Some(row? * w + (*c)?));
            rows.1.iter().flat_map(move |row| of_row(*row))
        };
        let loaded = self.loaded();
        let values = Values::of(self.kind(), places().map(|at| Some(loaded.values().get(at?))));
        // Integers that f32 holds stay integers.
        let values = match (values, loaded.values()) {
            (Values::F32 { data, .. }, Values::F32 { integer, .. }) => {
                Values::F32 { data, integer: *integer }
            }
            (values, _) => values,
        };
        let states: Vec<Option<State>> = places()
            .map(|at| at.map_or(Some(State::Absent), |at| State::of_bits(loaded.cells()[at])))
            .collect();
        let mut out = Grid {
            name: self.name.clone(),
            value_name: self.value_name.clone(),
            merged: self.merged.clone(),
            changes: self.changes.clone(),
            note: self.note.clone(),
            facet: self.facet.clone(),
            caption: self.caption.clone(),
            file: self.file.clone(),
            said: Arc::clone(&self.said),
            slices: Arc::clone(&self.slices),
            min_count: self.min_count,
            fields: self
                .fields
                .iter()
                .map(|(k, v)| (k.clone(), places().map(|at| at.map_or(f64::NAN, |at| v[at])).collect()))
                .collect(),
            texts: self
                .texts
                .iter()
                .map(|(k, v)| {
                    let text = |at: Option<usize>| at.map_or_else(String::new, |at| v[at].clone());
                    (k.clone(), places().map(text).collect())
                })
                .collect(),
            ..Self::of(rows.0.clone(), columns.0.clone(), Backing::held(LoadedCells::new(values, &states)))
        };
        debug_assert_eq!(out.len(), n);
        if self.hidden.is_some() {
            let hides = |at: Option<usize>| at.is_some_and(|at| self.is_hidden(at / w, at % w));
            out.hide(HiddenCells::Listed(Arc::new(places().map(hides).collect()), columns.1.len()));
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_keep_their_places_are_shared() {
        let grid = Grid::from_rows(2, 3, vec![0.0, 1.0, 2.0, f64::NAN, 4.0, 5.0]).unwrap();
        let all = |n: usize| (0..n).map(Some).collect::<Vec<_>>();
        let (rows, columns) = (Axis::index("row", 2), Axis::index("column", 3));
        let same = grid.placed((&rows, &all(2)), (&columns, &all(3))).unwrap();
        assert_eq!((same.rows().name.as_str(), same.columns().name.as_str()), ("row", "column"));
        assert!(same.cells() == grid.cells() && same.cells().as_ptr() == grid.cells().as_ptr());
        // A changed copy leaves the other as it is.
        let mut changed = same.clone();
        changed.set_state(0, 1, State::Masked);
        assert!(changed.cells()[1] != same.cells()[1] && same.cells() == grid.cells());
        for rows in [vec![Some(1), Some(0)], vec![None, Some(1)]] {
            let moved = grid.placed((&grid.rows, &rows), (&columns, &all(3))).unwrap();
            let expected: Vec<_> = rows
                .iter()
                .flat_map(|r| (0..3).map(move |c| r.map(|r| (r, c))))
                .map(|at| at.map_or(State::Absent.bits(), |(r, c)| grid.cells()[r * 3 + c]))
                .collect();
            assert_eq!(moved.cells(), expected);
        }
    }
}
