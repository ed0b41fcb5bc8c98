//! The places of panels in the rows and columns of a page.

use crate::resolve::Frame;

/// Which panel is in which row and column. A place may be empty.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Rows of panels.
    pub rows: usize,
    /// Columns of panels.
    pub columns: usize,
    /// The row and the column of each panel.
    of: Vec<(usize, usize)>,
    /// The panel at each place, row after row.
    at: Vec<Option<usize>>,
}

impl Places {
    /// The places of a figure's panels: those that they have, or else row after row of this many columns.
    pub(super) fn new(frame: &Frame, columns: usize) -> Self {
        let n = frame.panels.len();
        match &frame.facets {
            Some(facets) if facets.places.len() == n => Self::of(facets.places.clone()),
            _ => Self::of((0..n).map(|i| (i / columns.max(1), i % columns.max(1))).collect()),
        }
    }

    fn of(of: Vec<(usize, usize)>) -> Self {
        let most = |side: fn(&(usize, usize)) -> usize| of.iter().map(side).max().map_or(1, |last| last + 1);
        let (rows, columns) = (most(|p| p.0), most(|p| p.1));
        let mut at = vec![None; rows * columns];
        for (i, (row, column)) in of.iter().enumerate() {
            at[row * columns + column] = Some(i);
        }
        Self { rows, columns, of, at }
    }

    /// The row of a panel.
    pub(super) fn row(&self, panel: usize) -> usize {
        self.of[panel].0
    }

    /// The column of a panel.
    pub(super) fn column(&self, panel: usize) -> usize {
        self.of[panel].1
    }

    /// The panel at a place; `None` at an empty one and beyond the last.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<usize> {
        if column >= self.columns {
            return None;
        }
        self.at.get(row * self.columns + column).copied().flatten()
    }

    /// The panels of a row, from the left.
    pub(super) fn in_row(&self, row: usize) -> impl Iterator<Item = usize> {
        (0..self.columns).filter_map(move |column| self.at(row, column))
    }

    /// The panels of a column, from the top.
    pub(super) fn in_column(&self, column: usize) -> impl Iterator<Item = usize> {
        (0..self.rows).filter_map(move |row| self.at(row, column))
    }

    /// The next panel to the left.
    pub(super) fn left_of(&self, panel: usize) -> Option<usize> {
        let (row, column) = self.of[panel];
        (0..column).rev().find_map(|column| self.at(row, column))
    }

    /// The next panel below.
    pub(super) fn below(&self, panel: usize) -> Option<usize> {
        let (row, column) = self.of[panel];
        (row + 1..self.rows).find_map(|row| self.at(row, column))
    }

    /// Whether there is a panel right below.
    pub(super) fn is_above_panel(&self, panel: usize) -> bool {
        let (row, column) = self.of[panel];
        self.at(row + 1, column).is_some()
    }

    /// Whether the place to the right of some panel of a column is empty, the last column aside.
    pub(super) fn ends_row(&self, column: usize) -> bool {
        column + 1 < self.columns
            && (0..self.rows).any(|row| self.at(row, column).is_some() && self.at(row, column + 1).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_flow_or_have_places() {
        let flowing = Places::of((0..5).map(|i| (i / 3, i % 3)).collect());
        assert_eq!((flowing.rows, flowing.columns), (2, 3));
        assert_eq!((flowing.below(1), flowing.below(2), flowing.left_of(4)), (Some(4), None, Some(3)));
        assert_eq!([0, 1, 2].map(|c| flowing.ends_row(c)), [false, true, false]);
        // 0 . 1
        // . . .
        // 2 3 .
        let places = Places::of(vec![(0, 0), (0, 2), (2, 0), (2, 1)]);
        assert_eq!((places.rows, places.columns), (3, 3));
        assert_eq!((places.left_of(1), places.below(0), places.below(1)), (Some(0), Some(2), None));
        assert!(!places.is_above_panel(0) && places.ends_row(0));
        assert_eq!(places.in_row(2).chain(places.in_column(2)).collect::<Vec<_>>(), [2, 3, 1]);
    }
}
