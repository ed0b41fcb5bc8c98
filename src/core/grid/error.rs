//! Why values, axes, ranges or indices do not make a grid.

use std::fmt;
use std::ops::Range;

/// Values, axes, ranges or indices that do not make a grid. `side` is "rows" or "columns".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// No cells.
    Empty {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// A side is longer than `u32::MAX`.
    TooLong {
        /// Cells of that side.
        cells: usize,
    },
    /// More cells than this machine can count.
    TooMany {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// Values or states in another number than the cells.
    Values {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
        /// Values given.
        values: usize,
        /// States given; 0 where none are.
        states: usize,
    },
    /// An axis, a field or texts in another number than the cells that they belong to.
    Length {
        /// Subject with its name: "axis of rows 'size'", "field 'std'".
        what: String,
        /// Its length.
        len: usize,
        /// The length that fits.
        wanted: usize,
    },
    /// A range without cells.
    EmptyRange {
        /// "rows" or "columns".
        side: &'static str,
        /// The range.
        range: Range<usize>,
    },
    /// A range that leaves the grid.
    Range {
        /// "rows" or "columns".
        side: &'static str,
        /// The range.
        range: Range<usize>,
        /// Rows or columns of the grid.
        len: usize,
    },
    /// An index that leaves the grid.
    Index {
        /// "rows" or "columns".
        side: &'static str,
        /// The index.
        index: usize,
        /// Rows or columns of the grid.
        len: usize,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GridError::Empty { rows, columns } => write!(f, "no cells: {rows} rows x {columns} columns"),
            GridError::TooLong { cells } => {
                write!(f, "{cells} cells in a row or column: sides end at {}", u32::MAX)
            }
            GridError::TooMany { rows, columns } => {
                write!(f, "{rows} x {columns} cells are more than this machine can count")
            }
            GridError::Values { rows, columns, values, states } => {
                write!(f, "{rows} x {columns} cells, but {values} values and {states} states")
            }
            GridError::Length { what, len, wanted } => write!(f, "{what}: {len} entries, expected {wanted}"),
            GridError::EmptyRange { side, range } => write!(f, "{side} {range:?} hold no cells"),
            GridError::Range { side, range, len } => {
                write!(f, "{side} {range:?} leave the grid, whose {side} are 0..{len}")
            }
            GridError::Index { side, index, len } => {
                write!(f, "index {index} leaves the grid, whose {side} are 0..{len}")
            }
        }
    }
}

impl std::error::Error for GridError {}

/// For errors of readers, whose text it becomes.
impl From<GridError> for String {
    fn from(e: GridError) -> Self {
        e.to_string()
    }
}
