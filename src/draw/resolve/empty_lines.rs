//! Rows and columns without a value that nobody asked for: not those of a mask, of a given domain, or of other panels.

use gridscope_core::figure::Figure;
use gridscope_core::grid::{Axis, Empty, Grid, ScanResult, State};

/// Facts about all panels together.
pub(super) struct EmptyLines<'a> {
    figure: &'a Figure,
    /// Where the panels share their rows: whether any panel has a value in each. The same for columns.
    shared: [Option<Vec<bool>>; 2],
}

impl<'a> EmptyLines<'a> {
    /// Of these grids, whose passes found `scans`.
    pub(super) fn new<'s>(
        figure: &'a Figure,
        grids: &[Grid],
        mut scans: impl Iterator<Item = &'s ScanResult>,
    ) -> Self {
        let any = scans.any(|s| s.empty_rows.count + s.empty_columns.count > 0);
        let is_open = grids.len() > 1 && any && grids.iter().all(Grid::is_loaded);
        let is_shared =
            |axis: fn(&Grid) -> &Axis| is_open && grids.iter().all(|g| axis(g) == axis(&grids[0]));
        let mut rows = is_shared(Grid::rows).then(|| vec![false; grids[0].height()]);
        let mut columns = is_shared(Grid::columns).then(|| vec![false; grids[0].width()]);
        if rows.is_some() || columns.is_some() {
            for grid in grids {
                for (i, bits) in grid.cells().iter().enumerate() {
                    if State::of_bits(*bits).is_none() {
                        rows.iter_mut().for_each(|rows| rows[i / grid.width()] = true);
                        columns.iter_mut().for_each(|columns| columns[i % grid.width()] = true);
                    }
                }
            }
        }
        Self { figure, shared: [rows, columns] }
    }

    /// The empty rows of a grid, of those that its pass found.
    pub(super) fn rows(&self, grid: &Grid, found: &Empty) -> Empty {
        let cells = |row| (0..grid.width()).map(move |column| (row, column));
        self.unasked(grid, found, (grid.height(), 0), self.figure.y.domain.is_some(), cells)
    }

    /// The empty columns of a grid, of those that its pass found.
    pub(super) fn columns(&self, grid: &Grid, found: &Empty) -> Empty {
        let cells = |column| (0..grid.height()).map(move |row| (row, column));
        self.unasked(grid, found, (grid.width(), 1), self.figure.x.domain.is_some(), cells)
    }

    /// Absent cells of a grid in rows and columns that a domain asks for and that have none but absent cells.
    pub(super) fn asked_cells(&self, grid: &Grid) -> u64 {
        let [x, y] = [&self.figure.x, &self.figure.y].map(|axis| axis.domain.is_some());
        if !(x || y) || !grid.is_loaded() || grid.is_empty() {
            return 0;
        }
        let (mut rows, mut columns) = (vec![y; grid.height()], vec![x; grid.width()]);
        for (i, bits) in grid.cells().iter().enumerate() {
            let (row, column) = (i / grid.width(), i % grid.width());
            if State::of_bits(*bits) != Some(State::Absent) || grid.is_hidden(row, column) {
                (rows[row], columns[column]) = (false, false);
            }
        }
        let asked = |lines: &[bool]| lines.iter().filter(|asked| **asked).count() as u64;
        let (r, c) = (asked(&rows), asked(&columns));
        r * grid.width() as u64 + c * grid.height() as u64 - r * c
    }

    fn unasked<I: Iterator<Item = (usize, usize)>>(
        &self,
        grid: &Grid,
        found: &Empty,
        (lines, side): (usize, usize),
        has_domain: bool,
        cells: impl Fn(usize) -> I,
    ) -> Empty {
        if found.count == 0 || !grid.is_loaded() {
            return found.clone();
        }
        let state = |(row, column): (usize, usize)| State::of_bits(grid.cells()[row * grid.width() + column]);
        let is_unasked = |line: &usize| {
            // A line of one side of a comparison has its own warning.
            let is_reported = |at| matches!(state(at), None | Some(State::Appeared | State::Vanished));
            if cells(*line).any(is_reported) {
                return false;
            }
            let is_elsewhere = self.shared[side].as_ref().is_some_and(|held| held[*line]);
            let is_given = has_domain || is_elsewhere;
            let is_asked = |at: (usize, usize)| {
                grid.is_hidden(at.0, at.1) || (is_given && state(at) == Some(State::Absent))
            };
            !cells(*line).all(is_asked)
        };
        let mut out = Empty::default();
        for line in (0..lines).filter(is_unasked) {
            out.count += 1;
            if out.first.len() < Empty::LISTED {
                out.first.push(line);
            }
        }
        out
    }
}
