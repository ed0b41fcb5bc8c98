//! Panels that have one order: those with equal axes, unless panels do not share theirs.

use crate::figure::Figure;
use crate::grid::{Axis, Grid};

/// A side of grids: their rows, or their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Rows,
    Columns,
}

impl Side {
    /// The axis of a grid.
    pub(super) fn axis(self, grid: &Grid) -> &Axis {
        match self {
            Self::Rows => grid.rows(),
            Self::Columns => grid.columns(),
        }
    }

    /// The other side.
    pub(super) fn other(self) -> Self {
        match self {
            Self::Rows => Self::Columns,
            Self::Columns => Self::Rows,
        }
    }

    /// One of its lines: `row`, `column`.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Rows => "row",
            Self::Columns => "column",
        }
    }

    /// The place of a cell by its line of this side and its place in that.
    pub(super) fn at(self, line: usize, along: usize) -> (usize, usize) {
        match self {
            Self::Rows => (line, along),
            Self::Columns => (along, line),
        }
    }
}

/// The grids of each order of a side, by their places.
pub(super) fn alike(grids: &[Grid], side: Side, figure: &Figure) -> Vec<Vec<usize>> {
    let shared = match side {
        Side::Rows => figure.share_y,
        Side::Columns => figure.share_x,
    };
    let mut out: Vec<Vec<usize>> = Vec::new();
    for (i, grid) in grids.iter().enumerate() {
        let same = |of: &&mut Vec<usize>| side.axis(&grids[of[0]]) == side.axis(grid);
        match out.iter_mut().find(same).filter(|_| shared != Some(false)) {
            Some(of) => of.push(i),
            None => out.push(vec![i]),
        }
    }
    out
}

/// The values of a line of some grids side by side; `None` for cells without one.
pub(super) fn values<'g>(
    grids: &'g [Grid],
    of: &'g [usize],
    side: Side,
    line: usize,
) -> impl Iterator<Item = Option<f64>> + 'g {
    of.iter().flat_map(move |&i| {
        let grid = &grids[i];
        (0..side.other().axis(grid).len()).map(move |along| {
            let (row, column) = side.at(line, along);
            grid.at(row, column).value().map(crate::grid::Number::as_f64)
        })
    })
}
