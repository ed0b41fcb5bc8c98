//! Passes over the cells of grids and of parts of them, in windows, on every core, taken up in a fixed order.

use super::backing::{Backing, Strip, Unit};
use super::bin_counts::bin_counts;
use super::block_statistics::block_statistics;
use super::body::{Body, Cut, fold_window, pixels, total};
use super::kernel::ColumnSums;
use super::scan_result::{ScanRequest, Spans};
use super::statistics::Statistics;
use super::{
    BinCounts, BlockStatistics, Exact, Grid, Ranked, RankedCell, RowFold, ScanResult, SourceError, Stats,
    Summaries, WideRows, error, hidden, scan_result, statistics,
};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

impl Grid {
    /// Passes once over all cells, on every core; the result does not depend on how many there are.
    ///
    /// # Errors
    /// When the source does not give its cells, or a span of the body leaves the grid.
    pub fn scan(&self, ask: &ScanRequest<'_>) -> Result<ScanResult, SourceError> {
        ask.body
            .map_or(Ok(()), |(columns, rows)| error::spans(columns, rows, (self.height(), self.width())))?;
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
        error::assert_range("rows", &rows, self.height());
        error::assert_range("columns", &columns, self.width());
        let cut = Cut::of_cores();
        part(&self.backing, (self.height(), self.width()), rows, columns, cut)
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
        error::assert_range("rows", &rows, self.height());
        error::assert_range("columns", &columns, self.width());
        let cut = Cut { threads, ..Cut::of_cores() };
        let cells = (&self.backing, (self.height(), self.width()));
        let walk = Walk::within(cells, (rows, columns), cut, goes_on);
        let whole = self.is_f32() == Some(true);
        wanted(block_statistics(&walk, self.kind(), whole))
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
        statistics::top(&self.backing, (self.height(), self.width()), n, greatest, cores(), WINDOW_CELLS)
    }

    /// The Summary of each pixel of a body, row after row, from the cells that it shows alone.
    ///
    /// # Errors
    /// When the source does not give its cells, or a span leaves the grid.
    pub fn fold(&self, columns: Spans<'_>, rows: Spans<'_>) -> Result<Summaries, SourceError> {
        error::spans(columns, rows, (self.height(), self.width()))?;
        let cut = Cut::of_cores();
        let width = if self.backing.transposed() { self.height() } else { self.width() };
        shown(&self.backing, width, (columns, rows), cut)
    }

    /// Folds row by row of a body with these pixel columns; of a grid whose numbers are f32.
    ///
    /// # Panics
    /// When a span leaves the grid, and as [`Grid::cells`].
    #[track_caller]
    pub fn row_fold(&self, columns: Spans<'_>) -> RowFold<'_> {
        let shape = (self.height(), self.width());
        error::spans(columns, &[], shape).unwrap_or_else(|e| panic!("{e}"));
        RowFold::new(self.loaded(), shape, columns)
    }

    /// As [`Grid::row_fold`], of a grid of a wide kind.
    ///
    /// # Panics
    /// As [`Grid::row_fold`].
    #[track_caller]
    pub fn wide_rows(&self, columns: Spans<'_>) -> WideRows<'_> {
        let shape = (self.height(), self.width());
        error::spans(columns, &[], shape).unwrap_or_else(|e| panic!("{e}"));
        WideRows::new(self.loaded(), shape, columns)
    }

    /// The reductions of the source's own numbers under each pixel of a body, row after row.
    ///
    /// # Errors
    /// As [`Grid::fold`].
    pub fn exact(&self, columns: Spans<'_>, rows: Spans<'_>) -> Result<Vec<Exact>, SourceError> {
        Ok(Exact::all(&self.fold(columns, rows)?, self.is_f32() == Some(true)))
    }

    /// Bit [`State::index`](super::State::index) for states that some cells are known to have before all are read: all of them
    /// in memory, of a source those of a few windows.
    ///
    /// # Errors
    /// When the source does not give its cells.
    pub fn peek_states(&self) -> Result<u8, SourceError> {
        hidden::peek(&self.backing, (self.height(), self.width()))
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
    whole(super::ranks::ranks(&walk, wanted, finite, grids.iter().any(|g| g.kind().is_wide())))
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

/// Cells of a window: 1 MiB of f32, about the size of a core's own cache.
pub(super) const WINDOW_CELLS: usize = 1 << 18;

/// Cores to work on.
pub fn cores() -> usize {
    crate::workers::cores()
}

/// Results that wait for those before them.
struct Queue<T, A> {
    next: usize,
    waiting: BTreeMap<usize, T>,
    accept: A,
    failed: Option<SourceError>,
}

/// Runs `work` over all units on `threads` threads and hands its results to `accept` in the order of the units.
pub(super) fn scan<T: Send>(
    cells: &Backing,
    width: usize,
    units: &[Unit],
    threads: usize,
    work: impl Fn(&Strip<'_>) -> T + Sync,
    accept: impl FnMut(T) + Send,
) -> Result<(), SourceError> {
    let next = AtomicUsize::new(0);
    let queue = Mutex::new(Queue { next: 0, waiting: BTreeMap::new(), accept, failed: None });
    let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    let run = || {
        let mut window = cells.buffer();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = units.get(i) else { return };
            let done = cells.strip(unit, width, &mut window).map(|strip| work(&strip));
            let mut q = lock();
            match done {
                Ok(result) => {
                    q.waiting.insert(i, result);
                    loop {
                        let at = q.next;
                        let Some(result) = q.waiting.remove(&at) else {
                            break;
                        };
                        (q.accept)(result);
                        q.next += 1;
                    }
                }
                Err(e) => {
                    q.failed.get_or_insert(e);
                    next.store(units.len(), Ordering::Relaxed);
                }
            }
        }
    };
    let threads = threads.min(units.len());
    crate::workers::together(threads, run);
    queue.into_inner().unwrap_or_else(PoisonError::into_inner).failed.map_or(Ok(()), Err)
}

/// Windows over a whole grid that no pixel edges cut.
pub(super) fn plain_units(height: usize, width: usize, cells: usize) -> Vec<Unit> {
    let columns = cells.min(width).max(1);
    let rows = (cells / columns).max(1);
    let runs = |n: usize, step: usize| (0..n).step_by(step).map(move |a| a..(a + step).min(n));
    runs(height, rows).flat_map(|r| runs(width, columns).map(move |c| (r.clone(), c))).collect()
}

/// Cells of one grid: where they are, rows and columns.
pub(super) type Cells<'a> = (&'a Backing, (usize, usize));

/// Whether a pass is to go on.
type GoesOn<'a> = &'a (dyn Fn() -> bool + Sync);

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
struct GridWindows<'a> {
    cells: &'a Backing,
    width: usize,
    units: Vec<Unit>,
}

/// The windows of a pass.
pub(super) struct Walk<'a> {
    parts: Vec<GridWindows<'a>>,
    threads: usize,
    goes_on: Option<GoesOn<'a>>,
}

impl<'a> Walk<'a> {
    /// Over all cells of grids.
    pub(super) fn over(grids: &[Cells<'a>], cut: Cut) -> Self {
        let part = |(cells, shape): &Cells<'a>| {
            let (height, width) = cells.source_shape(*shape);
            let units = plain_units(height, width, cut.cells);
            GridWindows { cells, width, units }
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
        Self {
            parts: vec![GridWindows { cells, width, units }],
            threads: cut.threads,
            goes_on: Some(goes_on),
        }
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

/// The Summary of each pixel of a body, from the cells that it shows alone.
pub(super) fn shown(
    cells: &Backing,
    width: usize,
    spans: (Spans<'_>, Spans<'_>),
    cut: Cut,
) -> Result<Summaries, SourceError> {
    let transposed = cells.transposed();
    let body = Body::shown(spans, transposed);
    let mut all = Summaries::nothing(cells.kind().is_wide(), body.rows.len() * body.columns.len());
    let stride = body.columns.len();
    let work =
        |strip: &Strip<'_>| fold_window(strip, Some(&body), &mut Vec::new(), &mut ColumnSums::default()).0;
    scan(cells, width, &body.units(cut.cells), cut.threads, work, |block| {
        block.put(&mut all, stride);
    })?;
    Ok(pixels(&body, all, transposed))
}

/// The statistics of the cells of some rows and columns of the grid alone.
pub(super) fn part(
    cells: &Backing,
    shape: (usize, usize),
    rows: Range<usize>,
    columns: Range<usize>,
    cut: Cut,
) -> Result<Stats, SourceError> {
    let (r, c) = if cells.transposed() { (columns, rows) } else { (rows, columns) };
    let moved = |r: Range<usize>, by: usize| r.start + by..r.end + by;
    let units = plain_units(r.len(), c.len(), cut.cells);
    let units: Vec<Unit> = units.into_iter().map(|u| (moved(u.0, r.start), moved(u.1, c.start))).collect();
    let mut all = Statistics::default();
    let work = |strip: &Strip<'_>| {
        let (block, tally) = fold_window(strip, None, &mut Vec::new(), &mut ColumnSums::default());
        Statistics::of(strip, &tally, total(&block.summaries), &ScanRequest::default(), [None, None])
    };
    scan(cells, cells.source_shape(shape).1, &units, cut.threads, work, |statistics| all.merge(&statistics))?;
    Ok(all.into_stats())
}

#[cfg(test)]
mod tests {
    use super::super::plane::{Plane, random, transposed};
    use super::super::source::Stored;
    use super::super::{Number, Values};
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_part_has_the_statistics_of_its_own_cells_wherever_they_are() {
        let (height, width) = (40, 30);
        let values = random(height * width, 7, true);
        let f32s = |v: &[f32]| Values::F32 { data: v.to_vec(), integer: false };
        let plane = |v: Values, width: usize| Stored::new(Arc::new(Plane { width, values: v }), None);
        let held = Backing::held(super::super::backing::LoadedCells::new(f32s(&values), &[]));
        let stored = Backing::stored(plane(f32s(&values), width));
        let turned = Backing::stored(plane(transposed(&values, width), height).flipped());
        let wide = Backing::stored(plane(Values::F64(values.iter().map(|v| f64::from(*v)).collect()), width));
        for (rows, columns) in [(0..40, 0..30), (3..17, 8..9), (39..40, 0..30), (5..6, 29..30)] {
            let inside = rows.clone().flat_map(|r| columns.clone().map(move |c| (r, c)));
            let list: Vec<f32> = inside.map(|(r, c)| values[r * width + c]).collect();
            let finite = || list.iter().filter(|v| v.is_finite());
            let nan = list.iter().filter(|v| v.is_nan()).count() as u64;
            let max = finite().copied().reduce(f32::max).map(|v| Number::F64(f64::from(v)));
            let at =
                max.map(|m| values.iter().enumerate().filter(move |(_, v)| f64::from(**v) == m.as_f64()));
            let at: Vec<_> = at.into_iter().flatten().map(|(i, _)| (i / width, i % width)).collect();
            let at: Vec<_> =
                at.into_iter().filter(|(r, c)| rows.contains(r) && columns.contains(c)).collect();
            for cells in [&held, &stored, &turned, &wide] {
                let s = part(
                    cells,
                    (height, width),
                    rows.clone(),
                    columns.clone(),
                    Cut { threads: 3, cells: 11 },
                )
                .unwrap();
                assert_eq!(
                    (s.max, s.cells(), s.states[0], &s.max_cells),
                    (max, list.len() as u64, nan, &at),
                    "{rows:?} {columns:?}"
                );
                assert_eq!(s.pos_inf, list.iter().filter(|v| **v == f32::INFINITY).count() as u64);
            }
        }
    }
}
