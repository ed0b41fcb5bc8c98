//! A plane of an array as the cells of a grid, whatever the array's format.

use super::source::ArraySource;
use super::window::Window;
use gridscope_core::grid::{Buffer, CellSource, Part, SourceError};
use std::ops::Range;
use std::sync::Arc;

/// Two axes of an array as rows and columns, at one index of each other axis.
#[derive(Debug)]
pub(super) struct Plane {
    source: Arc<dyn ArraySource>,
    whole: Window,
    /// Whether the last row, and the last column, comes first.
    reversed: (bool, bool),
    /// Whether rows and columns are swapped, because the source is read faster so.
    pub turned: bool,
}

impl Plane {
    /// A window of a source as a plane; `reversed` says whether its last row, and its last column, comes first.
    pub(super) fn new(source: &Arc<dyn ArraySource>, whole: Window, reversed: (bool, bool)) -> Self {
        let source = Arc::clone(source);
        let column = whole.column_axis;
        match whole.row_axis.filter(|row| source.reads_by_columns(*row, column)) {
            Some(row) => Self {
                source,
                whole: Window {
                    row_axis: Some(column),
                    column_axis: row,
                    rows: whole.columns,
                    columns: whole.rows,
                    ..whole
                },
                reversed: (reversed.1, reversed.0),
                turned: true,
            },
            None => Self { source, whole, reversed, turned: false },
        }
    }

    /// The numbers of the whole plane.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub(super) fn numbers(&self) -> Result<Buffer, SourceError> {
        let mut buffer = self.buffer();
        self.read(0..self.whole.rows, 0..self.whole.columns, &mut buffer)?;
        Ok(buffer)
    }
}

impl CellSource for Plane {
    fn rows(&self) -> usize {
        self.whole.rows
    }

    fn columns(&self) -> usize {
        self.whole.columns
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
        let window = self.whole.part(
            in_order(rows, self.whole.rows, self.reversed.0),
            in_order(columns, self.whole.columns, self.reversed.1),
        );
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
        // All numbers backwards are the rows backwards, and each of them backwards.
        if rows {
            v.reverse();
        }
        if rows != within {
            v.chunks_exact_mut(columns).for_each(<[T]>::reverse);
        }
    }
    match numbers {
        Buffer::F32 { bits, .. } => turn(bits, columns, reversed),
        Buffer::F64(v) => turn(v, columns, reversed),
        Buffer::I64(v) => turn(v, columns, reversed),
        Buffer::U64(v) => turn(v, columns, reversed),
    }
}
