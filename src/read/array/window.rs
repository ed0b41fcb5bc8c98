//! Windows of arrays: rows along one axis and columns along another.

use std::ops::Range;

/// A window of an array: rows along one axis and columns along another, at one index of every other axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The indexes of the first element, one for each axis of the array.
    pub first: Vec<usize>,
    /// The axis of the rows; `None` where there is one row.
    pub row_axis: Option<usize>,
    /// The axis of the columns.
    pub column_axis: usize,
    /// Rows, each one index along [`Window::row_axis`].
    pub rows: usize,
    /// Columns, each one index along [`Window::column_axis`].
    pub columns: usize,
}

impl Window {
    /// Elements.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether the window holds no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The part of these rows and columns, counted from the window's first.
    pub fn part(&self, rows: Range<usize>, columns: Range<usize>) -> Self {
        let mut part = Self { rows: rows.len(), columns: columns.len(), ..self.clone() };
        if let Some(axis) = self.row_axis {
            part.first[axis] += rows.start;
        }
        part.first[self.column_axis] += columns.start;
        part
    }

    /// The indexes of each element, row after row.
    pub fn indexes(&self) -> impl Iterator<Item = Vec<usize>> {
        let element = |row: usize, column: usize| self.part(row..row + 1, column..column + 1).first;
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| element(row, column)))
    }

    /// The place of the first element, and the steps from row to row and from column to column, where `strides` are the steps from
    /// one index to the next along each axis.
    pub fn steps(&self, strides: &[usize]) -> (usize, usize, usize) {
        let first = self.first.iter().zip(strides).map(|(i, s)| i * s).sum();
        // A lone row counts as rows of its own length.
        let across = strides[self.column_axis];
        let down = self.row_axis.map_or(self.columns * across, |axis| strides[axis]);
        (first, down, across)
    }
}

/// Elements from one index to the next along each axis.
pub(super) fn strides(shape: &[usize], fortran: bool) -> Vec<usize> {
    let mut out = vec![1usize; shape.len()];
    for i in 1..shape.len() {
        let (here, before) = if fortran { (i, i - 1) } else { (shape.len() - 1 - i, shape.len() - i) };
        // Sides beside a side of 0 may have any product.
        out[here] = out[before].saturating_mul(shape[before]);
    }
    out
}
