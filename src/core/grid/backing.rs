//! Where a grid's cells are: in memory, or in a source that is read by windows.

use super::loaded::LoadedCells;
use super::source::CellSource;
use super::source::{SourceError, Stored, Window};
use super::values::Numbers;
use super::{Cell, Kind, Number, State, Values};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Where the cells are. Copies share those in memory.
#[derive(Clone, Debug)]
pub(super) enum Backing {
    Loaded(Arc<LoadedCells>),
    /// In a source; loaded when first needed.
    Stored {
        stored: Stored,
        loaded: OnceLock<Arc<LoadedCells>>,
    },
}

/// Rows of stored bits, `stride` apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    pub bits: &'a [u32],
    pub stride: usize,
    /// NaNs come as the source has them: all are [`State::Nan`], whatever their payload.
    pub foreign: bool,
}

impl Lines<'_> {
    pub(super) fn at(&self, row: usize, column: usize) -> u32 {
        let bits = self.bits[row * self.stride + column];
        if self.foreign { State::cleaned(bits) } else { bits }
    }
}

/// Rows and columns of a window, in the source's own order.
pub(super) type Unit = (Range<usize>, Range<usize>);

/// A window of cells in memory.
pub(super) struct Strip<'a> {
    /// Where it lies, in the source's own order.
    pub unit: Unit,
    /// Its stored bits, row after row from the window's first.
    pub lines: Lines<'a>,
    /// The numbers behind them, in the same places.
    pub numbers: Numbers<'a>,
    /// The grid's rows are the source's columns.
    pub transposed: bool,
}

impl Strip<'_> {
    /// The row and column in the grid of a place in the window.
    pub(super) fn place(&self, row: usize, column: usize) -> (usize, usize) {
        let (r, c) = (self.unit.0.start + row, self.unit.1.start + column);
        if self.transposed { (c, r) } else { (r, c) }
    }

    /// For each row: the place of its first cell in `lines` and `numbers`, and its number of cells.
    pub(super) fn rows(&self, mut take: impl FnMut(usize, usize)) {
        (0..self.unit.0.len()).for_each(|r| take(r * self.lines.stride, self.unit.1.len()));
    }

    /// The number at a place in the window; it means nothing for a cell with a state.
    pub(super) fn number(&self, row: usize, column: usize) -> Number {
        let i = row * self.lines.stride + column;
        match self.numbers {
            Numbers::F32 { integer } => {
                let v = f32::from_bits(self.lines.bits[i]);
                if integer { Number::I64(v as i64) } else { Number::F64(f64::from(v)) }
            }
            Numbers::F64(v) => Number::F64(v[i]),
            Numbers::I64(v) => Number::I64(v[i]),
            Numbers::U64(v) => Number::U64(v[i]),
        }
    }
}

impl Backing {
    /// These cells in memory.
    pub(super) fn held(cells: LoadedCells) -> Self {
        Backing::Loaded(Arc::new(cells))
    }

    pub(super) fn stored(stored: Stored) -> Self {
        Backing::Stored { stored, loaded: OnceLock::new() }
    }

    /// The same cells; those that are read from a source are counted.
    pub(super) fn counted(self, read: Arc<std::sync::atomic::AtomicU64>) -> Self {
        match self {
            Backing::Stored { stored, .. } => Self::stored(stored.counted(read)),
            loaded => loaded,
        }
    }

    /// The same cells; those of a source are read through another one.
    pub(super) fn through(self, wrap: impl FnOnce(Arc<dyn CellSource>) -> Arc<dyn CellSource>) -> Self {
        match self {
            Backing::Stored { stored, .. } => Self::stored(stored.through(wrap)),
            loaded => loaded,
        }
    }

    /// The cells in memory, if they are.
    pub(super) fn loaded(&self) -> Option<&LoadedCells> {
        match self {
            Backing::Loaded(h) => Some(h),
            Backing::Stored { loaded, .. } => loaded.get().map(Arc::as_ref),
        }
    }

    /// The cells in memory, to be changed, if they are there.
    pub(super) fn loaded_mut(&mut self) -> Option<&mut LoadedCells> {
        if let Backing::Stored { loaded, .. } = self {
            *self = Backing::Loaded(loaded.take()?);
        }
        if let Backing::Loaded(h) = self { Some(Arc::make_mut(h)) } else { None }
    }

    /// Whether the source holds integers, where its own numbers are the stored f32; `None` where they are wider.
    pub(super) fn is_f32(&self) -> Option<bool> {
        match self {
            Backing::Loaded(h) => {
                if let Values::F32 { integer, .. } = h.values() {
                    Some(*integer)
                } else {
                    None
                }
            }
            Backing::Stored { stored, .. } => stored.is_f32(),
        }
    }

    /// Reads all cells into memory, unless they are there.
    pub(super) fn load(&self) -> Result<&LoadedCells, SourceError> {
        match self {
            Backing::Loaded(h) => Ok(h),
            Backing::Stored { stored, loaded } => {
                if let Some(h) = loaded.get() {
                    return Ok(h);
                }
                let cells = stored.load()?;
                Ok(loaded.get_or_init(|| Arc::new(cells)))
            }
        }
    }

    /// The type of the numbers.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Backing::Loaded(h) => h.kind(),
            Backing::Stored { stored, .. } => stored.kind(),
        }
    }

    /// The source, unless its cells are in memory.
    fn apart(&self) -> Option<&Stored> {
        match self {
            Backing::Stored { stored, loaded, .. } if loaded.get().is_none() => Some(stored),
            _ => None,
        }
    }

    /// A part of a source, by rows and columns of the grid; `None` where the cells are in memory.
    pub(super) fn part(&self, rows: Range<usize>, columns: Range<usize>) -> Option<Self> {
        self.apart().map(|s| Self::stored(s.part(rows, columns)))
    }

    /// A source with rows and columns swapped; `None` where the cells are in memory.
    pub(super) fn flipped(&self) -> Option<Self> {
        self.apart().map(|s| Self::stored(s.flipped()))
    }

    /// Whether the source's columns are the grid's rows.
    pub(super) fn transposed(&self) -> bool {
        self.apart().is_some_and(|s| s.transposed)
    }

    /// Rows and columns in the source's own order of a grid of this shape.
    pub(super) fn source_shape(&self, shape: (usize, usize)) -> (usize, usize) {
        if self.transposed() { (shape.1, shape.0) } else { shape }
    }

    /// Buffer that [`Backing::strip`] reads into.
    pub(super) fn buffer(&self) -> Option<Window> {
        self.apart().map(Stored::window)
    }

    /// A window in the source's own order; a row of the grid has `width` columns.
    pub(super) fn strip<'a>(
        &'a self,
        unit: &Unit,
        width: usize,
        buffer: &'a mut Option<Window>,
    ) -> Result<Strip<'a>, SourceError> {
        let (rows, columns) = unit.clone();
        let unit = unit.clone();
        if let (Some(stored), Some(window)) = (self.apart(), buffer.as_mut()) {
            let stride = columns.len();
            stored.read(rows, columns, window)?;
            let lines = Lines { bits: window.bits(), stride, foreign: stored.is_foreign() };
            return Ok(Strip { unit, lines, numbers: window.numbers(), transposed: stored.transposed });
        }
        let loaded = self.load()?;
        let from = rows.start * width + columns.start;
        let lines = Lines { bits: &loaded.cells()[from..], stride: width, foreign: false };
        Ok(Strip { unit, lines, numbers: loaded.values().numbers().from(from), transposed: false })
    }

    /// The cells of a window of the grid, which has `width` columns, row after row.
    pub(super) fn numbers(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        width: usize,
    ) -> Result<Vec<Cell>, SourceError> {
        let transposed = self.transposed();
        let (h, w) = (rows.len(), columns.len());
        let unit = if transposed { (columns, rows) } else { (rows, columns) };
        let mut buffer = self.buffer();
        let strip = self.strip(&unit, width, &mut buffer)?;
        let at = |r: usize, c: usize| {
            State::of_bits(strip.lines.at(r, c)).map_or_else(|| Cell::Value(strip.number(r, c)), Cell::Empty)
        };
        let places = (0..h).flat_map(|r| (0..w).map(move |c| if transposed { (c, r) } else { (r, c) }));
        Ok(places.map(|(r, c)| at(r, c)).collect())
    }

    /// Reads the stored bits of a window of the grid, which has `width` columns, row after row.
    pub(super) fn read(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        width: usize,
        into: &mut [u32],
    ) -> Result<(), SourceError> {
        let transposed = self.transposed();
        let unit = if transposed { (columns.clone(), rows.clone()) } else { (rows.clone(), columns.clone()) };
        let mut buffer = self.buffer();
        let strip = self.strip(&unit, width, &mut buffer)?;
        for (r, line) in into.chunks_exact_mut(columns.len().max(1)).enumerate() {
            if transposed {
                line.iter_mut().enumerate().for_each(|(c, to)| *to = strip.lines.at(c, r));
            } else {
                line.iter_mut().enumerate().for_each(|(c, to)| *to = strip.lines.at(r, c));
            }
        }
        Ok(())
    }
}
