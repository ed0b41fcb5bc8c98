//! Bounds of requests: places, ranges and spans that leave a grid are refused before any cell is looked at.

use super::SourceError;
use super::error::GridError;
use super::request::Spans;
use std::ops::Range;

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
