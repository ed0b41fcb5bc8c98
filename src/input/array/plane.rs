//! A plane of an array as the cells of a grid, whatever the array's format.

use super::choice::Choice;
use super::source::ArraySource;
use super::window::Window;
use crate::grid::{Buffer, CellSource, Part, SourceError};
use std::ops::Range;
use std::sync::Arc;

/// Two axes of an array as rows and columns, at one index of each other axis.
#[derive(Debug)]
pub struct Plane {
    source: Arc<dyn ArraySource>,
    /// The index of each axis; 0 for those of rows and columns.
    at: Vec<usize>,
    row_axis: Option<usize>,
    column_axis: usize,
    rows: usize,
    columns: usize,
    /// Whether the last row, and the last column, comes first.
    reversed: (bool, bool),
    /// Whether rows and columns are swapped, because the source is read faster so.
    pub turned: bool,
}

impl Plane {
    /// The plane at these indexes, with the rows and columns of a choice; `reversed` says whether the last row, and the last
    /// column, comes first.
    pub fn new(
        source: &Arc<dyn ArraySource>,
        choice: &Choice,
        at: Vec<usize>,
        reversed: (bool, bool),
    ) -> Self {
        let &Choice { row, column, .. } = choice;
        let upright = Self {
            source: Arc::clone(source),
            at,
            row_axis: row,
            column_axis: column,
            rows: choice.rows,
            columns: choice.columns,
            reversed,
            turned: false,
        };
        match row.filter(|row| source.reads_by_columns(*row, column)) {
            Some(row) => Self {
                row_axis: Some(column),
                column_axis: row,
                rows: choice.columns,
                columns: choice.rows,
                reversed: (reversed.1, reversed.0),
                turned: true,
                ..upright
            },
            None => upright,
        }
    }

    /// The numbers of the whole plane.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn numbers(&self) -> Result<Buffer, SourceError> {
        let mut buffer = self.buffer();
        self.read(0..self.rows, 0..self.columns, &mut buffer)?;
        Ok(buffer)
    }
}

impl CellSource for Plane {
    fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn buffer(&self) -> Buffer {
        self.source.buffer()
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        self.read_absent(rows, columns, into, &mut Vec::new())
    }

    fn has_absent(&self) -> bool {
        self.source.has_absent()
    }

    fn read_absent(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        let in_order = |part: Range<usize>, all: usize, reversed: bool| match reversed {
            true => all - part.end..all - part.start,
            false => part,
        };
        let rows = in_order(rows, self.rows, self.reversed.0);
        let columns = in_order(columns, self.columns, self.reversed.1);
        let mut first = self.at.clone();
        if let Some(axis) = self.row_axis {
            first[axis] = rows.start;
        }
        first[self.column_axis] = columns.start;
        let window = Window {
            first,
            row_axis: self.row_axis,
            column_axis: self.column_axis,
            rows: rows.len(),
            columns: columns.len(),
        };
        self.source.read_absent(&window, into, absent)?;
        if self.reversed != (false, false) && !window.is_empty() {
            reverse(into, window.columns, self.reversed);
            for (r, c) in absent {
                *r = in_order(r.clone(), window.rows, self.reversed.0);
                *c = in_order(c.clone(), window.columns, self.reversed.1);
            }
        }
        Ok(())
    }
}

/// Puts the last row, and the last column, first.
fn reverse(numbers: &mut Buffer, columns: usize, reversed: (bool, bool)) {
    fn turn<T>(v: &mut [T], columns: usize, (rows, within): (bool, bool)) {
        match (rows, within) {
            // Rows backwards, and each of them backwards: all numbers backwards.
            (true, true) => v.reverse(),
            (false, true) => v.chunks_exact_mut(columns).for_each(<[T]>::reverse),
            (true, false) => {
                v.reverse();
                v.chunks_exact_mut(columns).for_each(<[T]>::reverse);
            }
            (false, false) => {}
        }
    }
    match numbers {
        Buffer::F32 { bits, .. } => turn(bits, columns, reversed),
        Buffer::F64(v) => turn(v, columns, reversed),
        Buffer::I64(v) => turn(v, columns, reversed),
        Buffer::U64(v) => turn(v, columns, reversed),
    }
}
