//! Cells for the clipboard: a bare value, or rows separated by tabs.

use super::super::geometry::{Hit, WindowGeometry};
use super::super::state::ViewState;
use super::pointer::block_at;
use super::statistics::selected;
use super::text::{Block, count, number};
use gridscope_core::grid::{Cell, Grid, SourceError, State};
use gridscope_core::text::one_line;
use std::borrow::Cow;
use std::fmt;

/// At most this many cells go to the clipboard.
const MOST_CELLS: usize = 1_000_000;

/// Why cells cannot be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CopyError {
    /// No cell is selected, and none is under the pointer.
    Nothing,
    /// More cells than the clipboard takes.
    TooMany {
        /// The cells.
        cells: usize,
        /// The most that are copied.
        most: usize,
    },
    /// A source that cannot be read.
    Source(SourceError),
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing to copy: point at a cell or select some"),
            Self::TooMany { cells, most } => {
                write!(f, "{} cells are too many for the clipboard: at most {}", count(*cells), count(*most))
            }
            Self::Source(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for CopyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Source(e) => Some(e),
            Self::Nothing | Self::TooMany { .. } => None,
        }
    }
}

/// The selected cells, or those under the pointer. A single cell gives its bare value. Several cells give lines with tabs
/// between them, column labels above and row labels in front. Absent, masked and pending cells are empty, NaN is `NaN`.
///
/// # Errors
/// When there is nothing to copy, too much, or a source cannot be read.
pub(crate) fn tsv(geometry: &WindowGeometry, state: &ViewState) -> Result<String, CopyError> {
    let pointed = || {
        let at = state.pointer?;
        let Hit::Body(p) = geometry.hit(at) else {
            return None;
        };
        Some((geometry.grids.get(p)?, block_at(geometry, p, at)?))
    };
    let found = match &state.selection {
        Some(s) => selected(geometry, s),
        None => pointed(),
    };
    let (grid, block) = found.ok_or(CopyError::Nothing)?;
    let cells = block.0.len() * block.1.len();
    if cells > MOST_CELLS {
        return Err(CopyError::TooMany { cells, most: MOST_CELLS });
    }
    text(grid, &block).map_err(CopyError::Source)
}

fn text(grid: &Grid, (rows, columns): &Block) -> Result<String, SourceError> {
    // Of a grid in a file only the block is read.
    let part = if grid.is_loaded() {
        None
    } else {
        let window = grid.window(rows.clone(), columns.clone());
        Some(window.map_err(|e| SourceError { file: grid.name().to_owned(), what: e.to_string() })?)
    };
    if let Some(part) = &part {
        part.load()?;
    }
    let value = |r: usize, c: usize| match &part {
        Some(part) => part.at(r, c),
        None => grid.at(rows.start + r, columns.start + c),
    };
    if rows.len() * columns.len() == 1 {
        return Ok(field(grid, value(0, 0)));
    }
    let mut out = quoted(&grid.rows().name).into_owned();
    for c in columns.clone() {
        out.push('\t');
        out.push_str(&quoted(&grid.columns().label(c)));
    }
    out.push('\n');
    for r in 0..rows.len() {
        out.push_str(&quoted(&grid.rows().label(rows.start + r)));
        for c in 0..columns.len() {
            out.push('\t');
            out.push_str(&field(grid, value(r, c)));
        }
        out.push('\n');
    }
    Ok(out)
}

fn field(grid: &Grid, cell: Cell) -> String {
    match cell {
        Cell::Value(v) => number(grid, v),
        Cell::Empty(State::Nan) => "NaN".to_owned(),
        Cell::Empty(_) => String::new(),
    }
}

/// A label as spreadsheets read it: no tab, no line end, and in quotes where it begins with a quote.
fn quoted(label: &str) -> Cow<'_, str> {
    let plain = |c: char| c != '"' && !c.is_control();
    if label.chars().all(plain) {
        return Cow::Borrowed(label);
    }
    let line = one_line(label);
    Cow::Owned(if line.starts_with('"') { format!("\"{}\"", line.replace('"', "\"\"")) } else { line })
}

#[cfg(test)]
mod tests {
    use super::super::super::state::Selection;
    use super::super::super::test_grids::{geometry, sweep};
    use super::*;
    use gridscope_core::geom::{Point, PxSize};
    use std::ops::Range;

    fn select(rows: Range<usize>, columns: Range<usize>) -> ViewState {
        let mut state = ViewState::default();
        state.selection = Some(Selection { panel: 0, anchor: (0, 0), rows, columns });
        state
    }

    #[test]
    fn a_block_has_labels_and_a_cell_is_bare() {
        let mut g = sweep();
        g.set_rows(gridscope_core::grid::Axis::category(
            "win\tdow",
            vec!["\"a\" b".into(), "c\nd".into(), "e \"f\"".into()],
        ))
        .unwrap();
        g.set_state(0, 0, State::Nan);
        for (c, s) in [(1, State::Absent), (2, State::Masked), (3, State::Pending)] {
            g.set_state(1, c, s);
        }
        let w = geometry(vec![g], PxSize { w: 400, h: 300 });
        let all = "win dow\t0.1\t0.2\t0.3\t0.4\n\"\"\"a\"\" b\"\tNaN\t1.5\t2.5\t3.5\nc d\t4.5\t\t\t\ne \"f\"\t8.5\t9.5\t10.5\t11.5\n";
        assert_eq!(tsv(&w, &select(0..3, 0..4)).unwrap(), all);
        assert_eq!(tsv(&w, &select(2..3, 3..4)).unwrap(), "11.5");
        assert_eq!(
            (tsv(&w, &select(0..1, 0..1)).unwrap(), tsv(&w, &select(1..2, 1..2)).unwrap()),
            ("NaN".to_owned(), String::new())
        );
        let pointed = |x, y| {
            let mut state = ViewState::default();
            state.pointer = Some(Point { x, y });
            tsv(&w, &state)
        };
        assert_eq!(pointed(450.0, 60.0).unwrap(), "3.5");
        assert!(pointed(1.0, 1.0).unwrap_err() == CopyError::Nothing);
        assert!(tsv(&w, &select(7..9, 0..1)).is_err() && tsv(&w, &ViewState::default()).is_err());
    }

    #[test]
    fn too_many_cells_are_refused() {
        let w = geometry(
            vec![Grid::from_rows(1001, 1000, vec![0.0; 1_001_000]).unwrap()],
            PxSize { w: 10, h: 10 },
        );
        assert_eq!(
            tsv(&w, &select(0..1001, 0..1000)).unwrap_err().to_string(),
            "1,001,000 cells are too many for the clipboard: at most 1,000,000"
        );
        assert_eq!(tsv(&w, &select(0..1000, 0..1000)).unwrap().lines().count(), 1001);
    }
}
