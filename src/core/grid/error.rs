//! Why values, axes, ranges or indices do not make a grid, and requests that leave one.

use super::SourceError;
use super::axis::{Axis, Coords};
use super::scan_result::Spans;
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

/// Checks a range of `side` ("rows") that is to become a grid of its own: within `len`, and not empty.
pub(super) fn part(side: &'static str, range: &Range<usize>, len: usize) -> Result<(), GridError> {
    let range = range.clone();
    if range.is_empty() {
        return Err(GridError::EmptyRange { side, range });
    }
    if range.end > len { Err(GridError::Range { side, range, len }) } else { Ok(()) }
}

/// Checks indices of `side` ("rows"), all of which must lie within `len`.
pub(super) fn indices(side: &'static str, list: &[usize], len: usize) -> Result<(), GridError> {
    match list.iter().find(|&&i| i >= len) {
        Some(&index) => Err(GridError::Index { side, index, len }),
        None => Ok(()),
    }
}

/// Checks the spans of a body's pixel columns and pixel rows on a grid of this height and width. Spans without cells are
/// background wherever they lie.
pub(super) fn spans(
    columns: Spans<'_>,
    rows: Spans<'_>,
    (height, width): (usize, usize),
) -> Result<(), SourceError> {
    for (side, list, len) in [("columns", columns, width), ("rows", rows, height)] {
        if let Some([from, end]) = list.iter().find(|s| s[0] < s[1] && s[1] as usize > len) {
            let what = format!("a pixel of {side} {from}..{end} leaves the grid, whose {side} are 0..{len}");
            return Err(SourceError { file: String::new(), what });
        }
    }
    Ok(())
}

/// A range of `side` ("rows") to be looked at, by the rule of slices: it may be empty.
///
/// # Panics
/// When it leaves `len`, or ends before it starts.
#[track_caller]
pub(super) fn assert_range(side: &str, range: &Range<usize>, len: usize) {
    assert!(
        range.start <= range.end && range.end <= len,
        "{side} {range:?} of a grid whose {side} are 0..{len}"
    );
}

/// Where a cell lies in a grid of this height and width, counted row after row.
///
/// # Panics
/// When the place leaves the grid.
#[track_caller]
pub(super) fn cell((row, column): (usize, usize), (height, width): (usize, usize)) -> usize {
    assert!(
        row < height && column < width,
        "row {row}, column {column} of a grid of {height} rows x {width} columns"
    );
    row * width + column
}

/// The number of cells of a grid with these axes.
pub(super) fn cells(rows: &Axis, columns: &Axis) -> Result<usize, GridError> {
    let (h, w) = (rows.len(), columns.len());
    if let Some(cells) = [h, w].into_iter().find(|n| *n > u32::MAX as usize) {
        return Err(GridError::TooLong { cells });
    }
    axis("rows", rows, h)?;
    axis("columns", columns, w)?;
    match h.checked_mul(w) {
        None => Err(GridError::TooMany { rows: h, columns: w }),
        Some(0) => Err(GridError::Empty { rows: h, columns: w }),
        Some(n) => Ok(n),
    }
}

/// Checks that an axis of `side` ("rows") fits this many cells, and that its levels, coordinates and strip fit it: they
/// are public.
pub(super) fn axis(side: &str, axis: &Axis, cells: usize) -> Result<(), GridError> {
    length(|| format!("axis of {side} '{}'", axis.name), axis.len(), cells)?;
    let part = |what: &str, len, wanted| length(|| format!("{what} of axis '{}'", axis.name), len, wanted);
    for texts in &axis.levels {
        part("labels", texts.len(), cells)?;
    }
    for strip in &axis.strips {
        part("strip", strip.len(), cells)?;
    }
    match &axis.coords {
        Some(Coords::Centers(c)) => part("coordinates", c.len(), cells),
        Some(Coords::Edges(e)) => part("coordinates", e.len(), cells + 1),
        None => Ok(()),
    }
}

/// Checks the length of something that has one entry per cell or line of cells.
pub(super) fn length(what: impl Fn() -> String, len: usize, wanted: usize) -> Result<(), GridError> {
    if len == wanted { Ok(()) } else { Err(GridError::Length { what: what(), len, wanted }) }
}
