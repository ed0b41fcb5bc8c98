//! A pass over all cells of some grids, or over a block of one, that may be stopped between its windows.

use super::SourceError;
use super::backing::{Backing, Strip, Unit};
use super::scan::{plain_units, scan};
use super::window_fold::Cut;
use std::ops::Range;

/// Cells of one grid: where they are, rows and columns.
pub(super) type Cells<'a> = (&'a Backing, (usize, usize));

/// Whether a pass is to go on.
pub(super) type GoesOn<'a> = &'a (dyn Fn() -> bool + Sync);

/// Windows of a thread between two questions whether a pass is to go on: some milliseconds of work.
const WINDOWS: usize = 16;

/// Why a pass has ended early.
#[derive(Debug)]
pub(super) enum Stop {
    /// A source does not give its cells.
    Source(SourceError),
    /// Nobody wants the result any more.
    Cancelled,
}

impl From<SourceError> for Stop {
    fn from(e: SourceError) -> Self {
        Stop::Source(e)
    }
}

/// Windows of one grid, and the number of columns of its source.
struct Part<'a> {
    cells: &'a Backing,
    width: usize,
    units: Vec<Unit>,
}

/// The windows of a pass.
pub(super) struct Walk<'a> {
    parts: Vec<Part<'a>>,
    threads: usize,
    goes_on: Option<GoesOn<'a>>,
}

impl<'a> Walk<'a> {
    /// Over all cells of grids.
    pub(super) fn over(grids: &[Cells<'a>], cut: Cut) -> Self {
        let part = |(cells, shape): &Cells<'a>| {
            let (height, width) = cells.source_shape(*shape);
            let units = plain_units(height, width, cut.cells);
            Part { cells, width, units }
        };
        Self { parts: grids.iter().map(part).collect(), threads: cut.threads, goes_on: None }
    }

    /// Over a block of a grid, for as long as `goes_on` says so.
    pub(super) fn within(
        (cells, shape): Cells<'a>,
        (rows, columns): (Range<usize>, Range<usize>),
        cut: Cut,
        goes_on: GoesOn<'a>,
    ) -> Self {
        let (r, c) = if cells.transposed() { (columns, rows) } else { (rows, columns) };
        let moved = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        let units = plain_units(r.len(), c.len(), cut.cells)
            .into_iter()
            .map(|u| (moved(u.0, r.start), moved(u.1, c.start)))
            .collect();
        let width = cells.source_shape(shape).1;
        Self { parts: vec![Part { cells, width, units }], threads: cut.threads, goes_on: Some(goes_on) }
    }

    /// The number of grids.
    pub(super) fn grids(&self) -> usize {
        self.parts.len()
    }

    /// Runs `work` over all windows and hands its results to `accept` in their order.
    ///
    /// # Errors
    /// When a source does not give its cells, or the pass is not to go on.
    pub(super) fn each<T: Send>(
        &self,
        work: impl Fn(&Strip<'_>) -> T + Sync,
        accept: impl FnMut(T) + Send,
    ) -> Result<(), Stop> {
        self.each_of(|_, strip| work(strip), accept)
    }

    /// As [`Walk::each`]; `work` receives the index of the grid too.
    pub(super) fn each_of<T: Send>(
        &self,
        work: impl Fn(usize, &Strip<'_>) -> T + Sync,
        mut accept: impl FnMut(T) + Send,
    ) -> Result<(), Stop> {
        for (grid, part) in self.parts.iter().enumerate() {
            let work = |strip: &Strip<'_>| work(grid, strip);
            let step = match self.goes_on {
                Some(_) => WINDOWS * self.threads.max(1),
                None => part.units.len().max(1),
            };
            for units in part.units.chunks(step) {
                if self.goes_on.is_some_and(|goes_on| !goes_on()) {
                    return Err(Stop::Cancelled);
                }
                scan(part.cells, part.width, units, self.threads, work, &mut accept)?;
            }
        }
        Ok(())
    }
}
