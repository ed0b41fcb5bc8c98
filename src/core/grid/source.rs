//! Cells that stay where they are, in a file, until a window of them is read; such a reading can be stopped.

use super::values::{Numbers, is_nodata};
use super::{Grid, Kind, Number, PartialScan, ScanPlan, ScanRequest, State, Values};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Cells that cannot be read: a file that shrank or cannot be read any more, or spans that leave the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The source; empty where the request is wrong.
    pub file: String,
    /// Reason of the failure.
    pub what: String,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file.is_empty() { f.write_str(&self.what) } else { write!(f, "{}: {}", self.file, self.what) }
    }
}

impl std::error::Error for SourceError {}

/// Numbers of a source in a type that holds them exactly; f32 as bit patterns, so that no NaN changes on the way.
#[derive(Clone, Debug, PartialEq)]
pub enum Buffer {
    /// From f32, f16 and integers of up to 16 bits.
    F32 {
        /// The bit patterns.
        bits: Vec<u32>,
        /// Whether the source holds integers.
        integer: bool,
    },
    /// From f64.
    F64(Vec<f64>),
    /// From integers that fit.
    I64(Vec<i64>),
    /// From u64.
    U64(Vec<u64>),
}

impl Buffer {
    /// A buffer without numbers, of the type of these.
    pub fn empty(like: &Values) -> Self {
        match like {
            Values::F32 { integer, .. } => Buffer::F32 { bits: Vec::new(), integer: *integer },
            Values::F64(_) => Buffer::F64(Vec::new()),
            Values::I64(_) => Buffer::I64(Vec::new()),
            Values::U64(_) => Buffer::U64(Vec::new()),
        }
    }
}

/// The numbers of a buffer, which they keep.
impl From<Buffer> for Values {
    fn from(buffer: Buffer) -> Self {
        match buffer {
            Buffer::F32 { bits, integer } => {
                Values::F32 { data: bits.into_iter().map(f32::from_bits).collect(), integer }
            }
            Buffer::F64(v) => Values::F64(v),
            Buffer::I64(v) => Values::I64(v),
            Buffer::U64(v) => Values::U64(v),
        }
    }
}

/// Numbers in rows and columns that are read by position, from several threads at once.
pub trait CellSource: Send + Sync + fmt::Debug {
    /// Rows.
    fn rows(&self) -> usize;
    /// Columns; the cells of a row lie side by side.
    fn columns(&self) -> usize;
    /// An empty buffer of the kind that [`CellSource::read`] fills.
    fn buffer(&self) -> Buffer;
    /// Reads a window, row after row; what the buffer held before is gone. A source has this or [`CellSource::read_absent`], from
    /// which the other follows.
    ///
    /// # Errors
    /// When the source does not give them.
    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        self.read_absent(rows, columns, into, &mut Vec::new())
    }

    /// Whether there may be cells without data.
    fn has_absent(&self) -> bool {
        false
    }

    /// Reads a window as [`CellSource::read`], and which rows and columns of it hold no data, counted from its first; numbers
    /// there mean nothing.
    ///
    /// # Errors
    /// As [`CellSource::read`].
    fn read_absent(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        absent.clear();
        self.read(rows, columns, into)
    }

    /// Whether the cells lie elsewhere, where each is to be read once: [`CellSource::scan_apart`] then passes over them.
    fn is_apart(&self) -> bool {
        false
    }

    /// Passes over all cells where they lie, if that is not here, for all plans at once, and gives the result of each; `None` where
    /// they are read window by window. The plans are of a grid whose rows are the source's columns if it is `transposed`.
    fn scan_apart(&self, _plans: &[ScanPlan], _transposed: bool) -> Option<ApartScans> {
        None
    }
}

/// Results of passes over cells that lie elsewhere, one a plan.
pub type ApartScans = Result<Vec<PartialScan>, SourceError>;

/// Rows and columns of a window.
pub type Part = (Range<usize>, Range<usize>);

/// A part of a source as a grid sees it.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    source: Arc<dyn CellSource>,
    rows: Range<usize>,
    columns: Range<usize>,
    /// The grid's rows are the source's columns.
    pub transposed: bool,
    /// The number that marks a masked cell.
    nodata: Option<f64>,
}

/// A source that counts the cells read from it.
#[derive(Debug)]
struct Counted {
    source: Arc<dyn CellSource>,
    read: Arc<AtomicU64>,
}

impl CellSource for Counted {
    fn rows(&self) -> usize {
        self.source.rows()
    }

    fn columns(&self) -> usize {
        self.source.columns()
    }

    fn buffer(&self) -> Buffer {
        self.source.buffer()
    }

    fn has_absent(&self) -> bool {
        self.source.has_absent()
    }

    fn read_absent(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        self.read.fetch_add(rows.len() as u64 * columns.len() as u64, Ordering::Relaxed);
        self.source.read_absent(rows, columns, into, absent)
    }
}

/// A window of cells in memory: stored bits, and the numbers beside them where these are not f32.
#[derive(Debug)]
pub(super) struct Window {
    pub numbers: Buffer,
    /// Of wider numbers, their stored bits.
    pub marked: Vec<u32>,
    absent: Vec<Part>,
}

impl Stored {
    pub(super) fn new(source: Arc<dyn CellSource>, nodata: Option<f64>) -> Self {
        let (rows, columns) = (0..source.rows(), 0..source.columns());
        Self { source, rows, columns, transposed: false, nodata }
    }

    /// The same cells, and a count of those that are read.
    pub(super) fn counted(&self, read: Arc<AtomicU64>) -> Self {
        Self { source: Arc::new(Counted { source: self.source.clone(), read }), ..self.clone() }
    }

    /// The same cells for as long as a reading goes on.
    pub(super) fn stoppable(&self, reading: &Reading) -> Self {
        let (source, reading) = (self.source.clone(), reading.clone());
        Self { source: Arc::new(Stoppable { source, reading }), ..self.clone() }
    }

    /// Rows and columns in the source's own order.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.rows.len(), self.columns.len())
    }

    /// The part of these rows and columns of the grid.
    pub(super) fn part(&self, rows: Range<usize>, columns: Range<usize>) -> Self {
        let (r, c) = if self.transposed { (columns, rows) } else { (rows, columns) };
        Self { rows: within(&self.rows, r), columns: within(&self.columns, c), ..self.clone() }
    }

    /// Rows and columns of the grid swapped.
    pub(super) fn flipped(&self) -> Self {
        Self { transposed: !self.transposed, ..self.clone() }
    }

    /// Whether the cells lie elsewhere, all of the source's.
    pub(super) fn is_apart(&self) -> bool {
        let whole = (0..self.source.rows(), 0..self.source.columns());
        self.source.is_apart() && (self.rows.clone(), self.columns.clone()) == whole
    }

    /// Passes over the cells of a grid of this shape where they lie, if that is not here.
    pub(super) fn scan_apart(&self, shape: (usize, usize), asks: &[ScanRequest<'_>]) -> Option<ApartScans> {
        if !self.is_apart() {
            return None;
        }
        let plans = asks.iter().map(|ask| ScanPlan::new(shape, ask, self.nodata));
        let plans: Vec<ScanPlan> = plans.collect::<Result<_, _>>().ok()?;
        self.source.scan_apart(&plans, self.transposed)
    }

    pub(super) fn window(&self) -> Window {
        Window { numbers: self.source.buffer(), marked: Vec::new(), absent: Vec::new() }
    }

    /// Whether the source holds integers, where stored f32 are its own numbers.
    pub(super) fn is_f32(&self) -> Option<bool> {
        if let Buffer::F32 { integer, .. } = self.source.buffer() { Some(integer) } else { None }
    }

    /// The type of the numbers.
    pub(super) fn kind(&self) -> Kind {
        match self.source.buffer() {
            Buffer::F32 { .. } => Kind::F32,
            Buffer::F64(_) => Kind::F64,
            Buffer::I64(_) => Kind::I64,
            Buffer::U64(_) => Kind::U64,
        }
    }

    /// Reads a window given in the source's own order.
    pub(super) fn read(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut Window,
    ) -> Result<(), SourceError> {
        let stride = columns.len();
        self.source.read_absent(
            within(&self.rows, rows),
            within(&self.columns, columns),
            &mut into.numbers,
            &mut into.absent,
        )?;
        let nodata = self.nodata;
        let marked = &mut into.marked;
        marked.clear();
        match &mut into.numbers {
            Buffer::F32 { bits, .. } => {
                if !self.is_foreign() {
                    clean(bits);
                }
                if let Some(n) = nodata.map(|n| n as f32) {
                    bits.iter_mut()
                        .filter(|b| f32::from_bits(**b) == n)
                        .for_each(|b| *b = State::Masked.bits());
                }
            }
            Buffer::F64(v) => mark(v, nodata, Number::F64, marked),
            Buffer::I64(v) => mark(v, nodata, Number::I64, marked),
            Buffer::U64(v) => mark(v, nodata, Number::U64, marked),
        }
        let bits = if let Buffer::F32 { bits, .. } = &mut into.numbers { bits } else { marked };
        for (rows, columns) in &into.absent {
            rows.clone().for_each(|r| bits[r * stride..][columns.clone()].fill(State::Absent.bits()));
        }
        Ok(())
    }

    /// Whether the NaNs of a window are those of the source, of any payload.
    pub(super) fn is_foreign(&self) -> bool {
        self.is_f32().is_some() && self.nodata.is_none() && !self.source.has_absent()
    }
}

/// A part of a range, as that range is counted.
fn within(all: &Range<usize>, part: Range<usize>) -> Range<usize> {
    all.start + part.start..all.start + part.end
}

/// Every NaN becomes [`State::Nan`].
pub(super) fn clean(bits: &mut [u32]) {
    bits.iter_mut().for_each(|b| *b = State::cleaned(*b));
}

/// The nearest f32 of numbers that it does not hold: not the numbers, but what marks states among them.
fn mark<T: Copy>(v: &[T], nodata: Option<f64>, number: fn(T) -> Number, out: &mut Vec<u32>) {
    let bits = |v: Number| State::cleaned((v.as_f64() as f32).to_bits());
    match nodata {
        None => out.extend(v.iter().map(|&v| bits(number(v)))),
        Some(n) => out.extend(
            v.iter().map(|&v| if is_nodata(number(v), n) { State::Masked.bits() } else { bits(number(v)) }),
        ),
    }
}

impl Window {
    /// The stored bits, row after row.
    pub(super) fn bits(&self) -> &[u32] {
        if let Buffer::F32 { bits, .. } = &self.numbers { bits } else { &self.marked }
    }

    /// The numbers.
    pub(super) fn numbers(&self) -> Numbers<'_> {
        match &self.numbers {
            Buffer::F32 { integer, .. } => Numbers::F32 { integer: *integer },
            Buffer::F64(v) => Numbers::F64(v),
            Buffer::I64(v) => Numbers::I64(v),
            Buffer::U64(v) => Numbers::U64(v),
        }
    }
}

const READS: u8 = 0;
const FINISHED: u8 = 1;
const STOPPED: u8 = 2;

/// A reading that ends in one of two ways: finished, or stopped before. Clones are of the same reading.
#[derive(Clone, Debug, Default)]
pub struct Reading(Arc<AtomicU8>);

impl Reading {
    /// Stops the reading, unless it has finished: sources give no more cells.
    pub fn stop(&self) {
        self.end(STOPPED);
    }

    /// Finishes the reading: it can no longer be stopped. False if it was stopped before.
    pub fn finish(&self) -> bool {
        self.end(FINISHED)
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == STOPPED
    }

    /// An error once it is stopped.
    pub(super) fn check(&self) -> Result<(), SourceError> {
        let stopped = || SourceError { file: String::new(), what: "the reading was stopped".to_owned() };
        if self.is_stopped() { Err(stopped()) } else { Ok(()) }
    }

    fn end(&self, how: u8) -> bool {
        let before = self.0.compare_exchange(READS, how, Ordering::AcqRel, Ordering::Acquire);
        before.is_ok()
    }
}

/// A source that gives no cells once its reading is stopped.
#[derive(Debug)]
struct Stoppable {
    source: Arc<dyn CellSource>,
    reading: Reading,
}

impl CellSource for Stoppable {
    fn rows(&self) -> usize {
        self.source.rows()
    }

    fn columns(&self) -> usize {
        self.source.columns()
    }

    fn buffer(&self) -> Buffer {
        self.source.buffer()
    }

    fn has_absent(&self) -> bool {
        self.source.has_absent()
    }

    fn read_absent(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        self.reading.check()?;
        self.source.read_absent(rows, columns, into, absent)
    }

    fn is_apart(&self) -> bool {
        self.source.is_apart()
    }

    fn scan_apart(&self, plans: &[ScanPlan], transposed: bool) -> Option<ApartScans> {
        self.source.scan_apart(plans, transposed)
    }
}

impl Grid {
    /// The same grid, over whose cells no pass goes on once `reading` is stopped; those in memory stay there.
    #[must_use]
    pub fn stoppable(self, reading: &Reading) -> Self {
        Self { backing: self.backing.stoppable(reading), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source of ones.
    #[derive(Debug)]
    struct Ones;

    impl CellSource for Ones {
        fn rows(&self) -> usize {
            3
        }

        fn columns(&self) -> usize {
            4
        }

        fn buffer(&self) -> Buffer {
            Buffer::F64(Vec::new())
        }

        fn read(&self, r: Range<usize>, c: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
            *into = Buffer::F64(vec![1.0; r.len() * c.len()]);
            Ok(())
        }
    }

    #[test]
    fn a_stopped_reading_gives_no_cells_and_a_finished_one_all() {
        let grid = Grid::stored(Arc::new(Ones), None).unwrap();
        let (stopped, finished) = (Reading::default(), Reading::default());
        let of = |reading: &Reading| grid.clone().stoppable(reading);
        let (first, second) = (of(&stopped), of(&finished));
        assert!(first.read_numbers(0..1, 0..4).is_ok());
        stopped.stop();
        assert!(finished.finish() && !stopped.finish());
        finished.stop();
        assert!(first.read_numbers(0..1, 0..4).is_err() && first.load().is_err());
        assert!(second.load().is_ok() && !finished.is_stopped());
    }

    #[test]
    fn a_pass_over_cells_in_memory_ends_with_its_reading() {
        let ask = super::super::ScanRequest::default();
        let loaded = Grid::stored(Arc::new(Ones), None).unwrap();
        loaded.load().unwrap();
        for grid in [loaded, Grid::from_rows(1, 2, vec![1.0, 2.0]).unwrap()] {
            let reading = Reading::default();
            let stoppable = grid.clone().stoppable(&reading);
            assert!(stoppable.is_loaded() && stoppable.scan(&ask).is_ok());
            reading.stop();
            assert!(stoppable.scan(&ask).is_err() && grid.scan(&ask).is_ok());
            assert_eq!(stoppable.cells(), grid.cells());
        }
    }
}
