//! Whether axes, fields and texts fit the cells of a grid.

use super::axis::{Axis, Coords};
use super::error::GridError;

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
