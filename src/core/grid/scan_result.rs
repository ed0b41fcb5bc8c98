//! One pass over a grid: its Stats, the Summary of each pixel of a body, and the cells beyond limits.

use super::backing::{Backing, Strip, Unit};
use super::body::{Block, Body, Cut, fold_window, pixels, total};
use super::kernel::ColumnSums;
use super::line_summary::Margins;
use super::passes::{plain_units, scan};
use super::statistics::{Empty, Marks, Statistics};
use super::values::Numbers;
use super::{LineSummary, Number, SourceError, State, Stats, Summaries, line_summary};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

/// A low and a high limit as far as values were counted: each with the number of values below the low one or above the high
/// one, infinities included.
pub type BeyondLimits = [Option<(f64, u64)>; 2];

/// Result of one pass.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ScanResult {
    /// Exact statistics of all cells.
    pub stats: Stats,
    /// The Summary of each pixel of the body, row after row; empty without a body.
    pub summaries: Summaries,
    /// The requested limits, each with the number of values beyond it.
    pub beyond: BeyondLimits,
    /// Rows without any value.
    pub empty_rows: Empty,
    /// Columns without any value.
    pub empty_columns: Empty,
    /// Statistics of each row and each column, where they were requested.
    pub margins: Arc<Margins>,
}

/// Result of one window.
struct WindowResult {
    block: Block,
    statistics: Statistics,
    unit: Unit,
    /// Rows and columns with a value; `None` where all hold one.
    held: Option<(Vec<bool>, Vec<bool>)>,
    memory: LineMemory,
}

/// Sums of the rows and columns of a window. The memory goes from window to window: for wide grids it is as large as the
/// window itself, and new memory costs more than the sums in it.
#[derive(Default)]
struct LineMemory {
    lines: Margins,
    sums: ColumnSums,
}

/// Passes over `height` x `width` cells.
pub(super) fn scan_backing(
    cells: &Backing,
    shape: (usize, usize),
    ask: &ScanRequest<'_>,
    cut: Cut,
) -> Result<ScanResult, SourceError> {
    let transposed = cells.transposed();
    let (height, width) = cells.source_shape(shape);
    if let Some(found) = cells.scan_apart(shape, std::slice::from_ref(ask)) {
        return Ok(found?.pop().unwrap_or_default().finish()?);
    }
    let body = ask.body.map(|spans| Body::new(spans, height, width, transposed));
    let mut sink = pass(cells, (height, width), body.as_ref(), ask, cut)?;
    sink.finish_margins();
    let summaries = body.as_ref().map(|b| pixels(b, sink.summaries, transposed)).unwrap_or_default();
    let (mut rows, mut columns) = (sink.rows.missing(), sink.columns.missing());
    if transposed {
        std::mem::swap(&mut rows, &mut columns);
        sink.margins = std::mem::take(&mut sink.margins).flipped();
    }
    let beyond = sink.statistics.beyond(ask.limits);
    Ok(ScanResult {
        stats: sink.statistics.into_stats(),
        summaries,
        beyond,
        empty_rows: rows,
        empty_columns: columns,
        margins: Arc::new(sink.margins),
    })
}

/// What windows over all cells of a source hold together; `body` is in the source's own order, as `shape` is.
pub(super) fn pass(
    cells: &Backing,
    (height, width): (usize, usize),
    body: Option<&Body>,
    ask: &ScanRequest<'_>,
    cut: Cut,
) -> Result<Sink, SourceError> {
    let units = body.map_or_else(|| plain_units(height, width, cut.cells), |b| b.units(cut.cells));
    let best: Mutex<Statistics> = Mutex::default();
    let unused: Mutex<Vec<LineMemory>> = Mutex::default();
    let work = |strip: &Strip<'_>| {
        let hint = best.lock().unwrap_or_else(PoisonError::into_inner).range_of();
        let memory = unused.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let part = window(strip, body, ask, hint, memory.unwrap_or_default());
        best.lock().unwrap_or_else(PoisonError::into_inner).widen(&part.statistics);
        part
    };
    let mut sink = Sink::new(body, cells.kind().is_wide(), height, width);
    let asked = ask.margins.in_order_of(cells.transposed());
    (sink.margins, sink.spread) = (Margins::of_nothing(asked, height, width), asked.spread);
    sink.sums.reset(if asked.columns { width } else { 0 });
    scan(cells, width, &units, cut.threads, work, |part: WindowResult| {
        sink.accept(&part);
        unused.lock().unwrap_or_else(PoisonError::into_inner).push(part.memory);
    })?;
    Ok(sink)
}

/// Folds one window.
fn window(
    strip: &Strip<'_>,
    body: Option<&Body>,
    ask: &ScanRequest<'_>,
    best: [Option<Number>; 2],
    mut memory: LineMemory,
) -> WindowResult {
    let asked = ask.margins.in_order_of(strip.transposed);
    let LineMemory { lines, sums } = &mut memory;
    line_summary::rows(lines, strip, asked);
    let is_stored = matches!(strip.numbers, Numbers::F32 { .. });
    let width = strip.unit.1.len();
    sums.reset(if asked.columns && is_stored { width } else { 0 });
    let (block, tally) = fold_window(strip, body, &mut lines.columns, sums);
    if asked.spread {
        if asked.columns && is_stored {
            // Distances are those to the window's own means.
            lines.columns.resize(width, LineSummary::default());
            sums.finish(&mut lines.columns);
            sums.reset(0);
        }
        line_summary::spread(lines, strip);
    }
    let held = (tally.states != [0; State::ALL.len()]).then(|| held(strip));
    let statistics = Statistics::of(strip, &tally, total(&block.summaries), ask, best);
    WindowResult { block, statistics, unit: strip.unit.clone(), held, memory }
}

/// Which rows and columns of a window hold a value.
fn held(strip: &Strip<'_>) -> (Vec<bool>, Vec<bool>) {
    let (h, w) = (strip.unit.0.len(), strip.unit.1.len());
    let (mut rows, mut columns) = (vec![false; h], vec![false; w]);
    for (r, row) in rows.iter_mut().enumerate() {
        for (c, column) in columns.iter_mut().enumerate() {
            let value = State::of_bits(strip.lines.at(r, c)).is_none();
            *row |= value;
            *column |= value;
        }
    }
    (rows, columns)
}

/// Takes windows up in their order.
pub(super) struct Sink {
    /// Segment by segment; empty without a body.
    pub summaries: Summaries,
    stride: usize,
    pub statistics: Statistics,
    /// The rows that hold a value.
    pub rows: Marks,
    /// The columns that hold a value.
    pub columns: Marks,
    pub margins: Margins,
    /// Sums that are not in the margins yet.
    sums: ColumnSums,
    /// The margins have the sums of squares for standard deviations.
    spread: bool,
}

impl Sink {
    fn new(body: Option<&Body>, wide: bool, height: usize, width: usize) -> Self {
        let (n, stride) = body.map_or((0, 0), |b| (b.rows.len() * b.columns.len(), b.columns.len()));
        let summaries = Summaries::nothing(wide, n);
        Self {
            summaries,
            stride,
            statistics: Statistics::default(),
            rows: Marks::new(height),
            columns: Marks::new(width),
            margins: Margins::default(),
            sums: ColumnSums::default(),
            spread: false,
        }
    }

    /// Takes the sums of columns into the margins, once all windows are taken up.
    pub(super) fn finish_margins(&mut self) {
        self.sums.finish(&mut self.margins.columns);
    }

    fn accept(&mut self, part: &WindowResult) {
        if self.stride > 0 {
            part.block.put(&mut self.summaries, self.stride);
        }
        self.statistics.merge(&part.statistics);
        let (rows, columns) = &part.unit;
        self.margins.merge(&part.memory.lines, &part.unit, self.spread);
        self.sums.merge(&part.memory.sums, columns.start);
        match &part.held {
            None => {
                self.rows.set(rows.clone());
                self.columns.set(columns.clone());
            }
            Some((r, c)) => {
                self.rows.set_where(rows.start, r);
                self.columns.set_where(columns.start, c);
            }
        }
    }
}

/// First and end cell of each pixel along a side of a body.
pub type Spans<'a> = &'a [[u32; 2]];

/// Which lines a pass is to sum up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarginRequest {
    /// Each row.
    pub rows: bool,
    /// Each column.
    pub columns: bool,
    /// With the sums of squares for standard deviations.
    pub spread: bool,
}

impl MarginRequest {
    /// The most rows or columns that are summed up one by one: their sums would take more memory than is good.
    pub const MOST_LINES: usize = 1 << 22;

    /// The request in the order of a source, whose columns may be the grid's rows.
    fn in_order_of(self, transposed: bool) -> Self {
        if transposed { Self { rows: self.columns, columns: self.rows, ..self } } else { self }
    }

    /// Whether nothing is requested.
    pub fn is_empty(self) -> bool {
        !self.rows && !self.columns
    }
}

/// Request to a pass beside the Stats.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScanRequest<'a> {
    /// The pixel columns and pixel rows of a body.
    pub body: Option<(Spans<'a>, Spans<'a>)>,
    /// Count the values below the first and above the second limit, as far as they are known before the pass.
    pub limits: [Option<f64>; 2],
    /// Find the least value above zero.
    pub positive: bool,
    /// Find the statistics of each row and each column.
    pub margins: MarginRequest,
}

#[cfg(test)]
mod tests;
