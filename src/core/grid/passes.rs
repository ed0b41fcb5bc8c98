//! Passes over the cells of a grid, in memory or in a source: statistics, folds, ranks.

use super::bin_counts::bin_counts;
use super::block_statistics::block_statistics;
use super::request::{ScanRequest, Spans};
use super::walk::{Stop, Walk};
use super::window_fold::Cut;
use super::{
    BinCounts, BlockStatistics, Exact, Grid, Ranked, RankedCell, RowFold, ScanResult, SourceError, Stats,
    Summaries, WideRows, bounds, part_pass, peek, scan, scan_result, top, wide_ranks,
};
use std::ops::Range;

impl Grid {
    /// Passes once over all cells, on every core; the result does not depend on how many there are.
    ///
    /// # Errors
    /// When the source does not give its cells, or a span of the body leaves the grid.
    pub fn scan(&self, ask: &ScanRequest<'_>) -> Result<ScanResult, SourceError> {
        ask.body
            .map_or(Ok(()), |(columns, rows)| bounds::spans(columns, rows, (self.height(), self.width())))?;
        let cut = Cut::of_cores();
        scan_result::scan_backing(&self.backing, (self.height(), self.width()), ask, cut)
    }

    /// Exact statistics of all cells.
    ///
    /// # Panics
    /// As [`Grid::cells`]; [`Grid::scan`] reads a source.
    pub fn stats(&self) -> Stats {
        let ask = ScanRequest { positive: true, ..ScanRequest::default() };
        self.loaded();
        self.scan(&ask).map(|d| d.stats).unwrap_or_default()
    }

    /// Exact statistics of some rows and columns; no other cell is looked at, and none is copied.
    ///
    /// # Errors
    /// When the source does not give its cells.
    ///
    /// # Panics
    /// As a slice: when a range leaves the grid or ends before it starts. An empty range has no cells, and neither has the result.
    #[track_caller]
    pub fn stats_of(&self, rows: Range<usize>, columns: Range<usize>) -> Result<Stats, SourceError> {
        bounds::assert_range("rows", &rows, self.height());
        bounds::assert_range("columns", &columns, self.width());
        let cut = Cut::of_cores();
        part_pass::part(&self.backing, (self.height(), self.width()), rows, columns, cut)
    }

    /// Exact statistics of some rows and columns, with spread and quartiles, by several passes on `threads` threads for as long
    /// as `goes_on` says so; `None` once it does not.
    ///
    /// # Errors
    /// When the source does not give its cells.
    ///
    /// # Panics
    /// As [`Grid::stats_of`].
    #[track_caller]
    pub fn block_statistics(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        threads: usize,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<BlockStatistics>, SourceError> {
        bounds::assert_range("rows", &rows, self.height());
        bounds::assert_range("columns", &columns, self.width());
        let cut = Cut { threads, ..Cut::of_cores() };
        let cells = (&self.backing, (self.height(), self.width()));
        let walk = Walk::within(cells, (rows, columns), cut, goes_on);
        let kind = (self.kind(), self.is_f32() == Some(true));
        wanted(block_statistics(&walk, kind))
    }

    /// How many values lie in each of the bins between ascending edges, by a pass on `threads` threads for as long as `goes_on`
    /// says so; `None` once it does not.
    ///
    /// # Errors
    /// When the source does not give its cells.
    pub fn bin_counts(
        &self,
        edges: &[f64],
        threads: usize,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<BinCounts>, SourceError> {
        let cut = Cut { threads, ..Cut::of_cores() };
        let all = (0..self.height(), 0..self.width());
        let cells = (&self.backing, (self.height(), self.width()));
        wanted(bin_counts(&Walk::within(cells, all, cut, goes_on), edges))
    }

    /// The row, column and value of the first `n` cells by finite value: greatest first, or least; ties by place.
    ///
    /// # Errors
    /// When the source does not give its cells.
    pub fn extremes(&self, n: usize, greatest: bool) -> Result<Vec<RankedCell>, SourceError> {
        top::top(&self.backing, (self.height(), self.width()), n, greatest, scan::cores(), scan::WINDOW_CELLS)
    }

    /// The Summary of each pixel of a body, row after row, from the cells that it shows alone.
    ///
    /// # Errors
    /// When the source does not give its cells, or a span leaves the grid.
    pub fn fold(&self, columns: Spans<'_>, rows: Spans<'_>) -> Result<Summaries, SourceError> {
        bounds::spans(columns, rows, (self.height(), self.width()))?;
        let cut = Cut::of_cores();
        let width = if self.backing.transposed() { self.height() } else { self.width() };
        part_pass::shown(&self.backing, width, (columns, rows), cut)
    }

    /// Folds row by row of a body with these pixel columns; of a grid whose numbers are f32.
    ///
    /// # Panics
    /// When a span leaves the grid, and as [`Grid::cells`].
    #[track_caller]
    pub fn row_fold(&self, columns: Spans<'_>) -> RowFold<'_> {
        let shape = (self.height(), self.width());
        bounds::spans(columns, &[], shape).unwrap_or_else(|e| panic!("{e}"));
        RowFold::new(self.loaded(), shape, columns)
    }

    /// As [`Grid::row_fold`], of a grid of a wide kind.
    ///
    /// # Panics
    /// As [`Grid::row_fold`].
    #[track_caller]
    pub fn wide_rows(&self, columns: Spans<'_>) -> WideRows<'_> {
        let shape = (self.height(), self.width());
        bounds::spans(columns, &[], shape).unwrap_or_else(|e| panic!("{e}"));
        WideRows::new(self.loaded(), shape, columns)
    }

    /// The reductions of the source's own numbers under each pixel of a body, row after row.
    ///
    /// # Errors
    /// As [`Grid::fold`].
    pub fn exact(&self, columns: Spans<'_>, rows: Spans<'_>) -> Result<Vec<Exact>, SourceError> {
        Ok(Exact::all(&self.fold(columns, rows)?, self.is_f32() == Some(true)))
    }

    /// Bit [`State::index`] for states that some cells are known to have before all are read: all of them in memory, of a
    /// source those of a few windows.
    ///
    /// # Errors
    /// When the source does not give its cells.
    pub fn peek_states(&self) -> Result<u8, SourceError> {
        peek::peek(&self.backing, (self.height(), self.width()))
    }
}

/// The finite values of these ranks (ascending, counted from 0) among the cells of all grids together, which hold `finite`
/// of them; fewer, if the cells have changed.
///
/// # Errors
/// When a source does not give its cells.
pub fn ranks(grids: &[&Grid], finite: u64, wanted: &[u64]) -> Result<Vec<Ranked>, SourceError> {
    let cells: Vec<_> = grids.iter().map(|g| (&g.backing, (g.height(), g.width()))).collect();
    let walk = Walk::over(&cells, Cut::of_cores());
    // Few values are gathered in one pass.
    let is_wide = grids.iter().any(|g| g.kind().is_wide()) || finite <= wide_ranks::GATHERED;
    whole(if is_wide {
        wide_ranks::wide_ranks(&walk, wanted, finite)
    } else {
        super::ranks::ranks(&walk, wanted)
    })
}

/// The result of a pass; `None` if it was stopped.
fn wanted<T>(result: Result<T, Stop>) -> Result<Option<T>, SourceError> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(Stop::Source(e)) => Err(e),
        Err(Stop::Cancelled) => Ok(None),
    }
}

/// The result of a pass that nobody stops.
fn whole<T: Default>(result: Result<T, Stop>) -> Result<T, SourceError> {
    wanted(result).map(Option::unwrap_or_default)
}
