//! Where a grid's cells are: in memory, or in a source that is read by windows.

use super::cell::State;
use super::source::{ApartScans, Buffer, Reading, SourceError, Stored, Window, clean};
use super::values::{Kind, Numbers, Values};
use super::{Cell, Number, ScanRequest};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Where the cells are. Copies share those in memory.
#[derive(Clone, Debug)]
pub(super) enum Backing {
    /// In memory; passes over them end with the reading, if there is one.
    Loaded(Arc<LoadedCells>, Option<Reading>),
    /// In a source; loaded when first needed.
    Stored { stored: Stored, loaded: OnceLock<Arc<LoadedCells>> },
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
        Backing::Loaded(Arc::new(cells), None)
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

    /// The same cells for as long as a reading goes on.
    pub(super) fn stoppable(self, reading: &Reading) -> Self {
        let held = match self {
            Backing::Loaded(held, _) => held,
            Backing::Stored { stored, loaded } => match loaded.into_inner() {
                Some(held) => held,
                None => return Self::stored(stored.stoppable(reading)),
            },
        };
        Backing::Loaded(held, Some(reading.clone()))
    }

    /// Whether the cells lie elsewhere, and none is in memory.
    pub(super) fn is_apart(&self) -> bool {
        self.apart().is_some_and(Stored::is_apart)
    }

    /// Passes over the cells of a grid of this shape where they lie, if that is elsewhere.
    pub(super) fn scan_apart(&self, shape: (usize, usize), asks: &[ScanRequest<'_>]) -> Option<ApartScans> {
        self.apart()?.scan_apart(shape, asks)
    }

    /// The cells in memory, if they are.
    pub(super) fn loaded(&self) -> Option<&LoadedCells> {
        match self {
            Backing::Loaded(h, _) => Some(h),
            Backing::Stored { loaded, .. } => loaded.get().map(Arc::as_ref),
        }
    }

    /// The cells in memory, to be changed, if they are there.
    pub(super) fn loaded_mut(&mut self) -> Option<&mut LoadedCells> {
        if let Backing::Stored { loaded, .. } = self {
            *self = Backing::Loaded(loaded.take()?, None);
        }
        if let Backing::Loaded(h, _) = self { Some(Arc::make_mut(h)) } else { None }
    }

    /// Whether the source holds integers, where its own numbers are the stored f32; `None` where they are wider.
    pub(super) fn is_f32(&self) -> Option<bool> {
        match self {
            Backing::Loaded(h, _) => {
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
            Backing::Loaded(h, _) => Ok(h),
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
            Backing::Loaded(h, _) => h.kind(),
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
        if let Backing::Loaded(_, Some(reading)) = self {
            reading.check()?;
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

/// Cells in memory, row after row: each number once. The stored bits of f32 are the numbers themselves; wider numbers have
/// them beside.
#[derive(Clone, Debug)]
pub(super) struct LoadedCells {
    /// Of f32, a cell without a value is the NaN of its state.
    values: Values,
    /// The stored bits of wider numbers; empty for f32.
    beside: Vec<u32>,
}

impl LoadedCells {
    /// Values as they came; `states` marks cells without a value and may be empty when there are none.
    pub(super) fn new(mut values: Values, states: &[Option<State>]) -> Self {
        let state = |i: usize| states.get(i).copied().flatten();
        let stored = |i: usize, v: f32| state(i).map_or_else(|| State::cleaned(v.to_bits()), State::bits);
        let beside = if let Values::F32 { data, .. } = &mut values {
            let bits: &mut [u32] = bytemuck::cast_slice_mut(data);
            if states.is_empty() {
                bits.iter_mut().for_each(|b| *b = State::cleaned(*b));
            } else {
                bits.iter_mut().enumerate().for_each(|(i, b)| *b = stored(i, f32::from_bits(*b)));
            }
            Vec::new()
        } else {
            (0..values.len()).map(|i| stored(i, values.get(i).as_f64() as f32)).collect()
        };
        Self { values, beside }
    }

    /// Stored bits of f32, which are clean: every NaN is that of a state.
    pub(super) fn of_bits(bits: Vec<u32>, integer: bool) -> Self {
        // As long as a number is as wide as its bits, this takes no memory of its own.
        let data = bits.into_iter().map(f32::from_bits).collect();
        Self { values: Values::F32 { data, integer }, beside: Vec::new() }
    }

    /// Wider numbers and their stored bits.
    fn of_marked(values: Values, beside: Vec<u32>) -> Self {
        Self { values, beside }
    }

    /// The numbers; that of a cell with a state means nothing.
    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    /// The stored bits.
    pub(super) fn cells(&self) -> &[u32] {
        match &self.values {
            Values::F32 { data, .. } => bytemuck::cast_slice(data),
            _ => &self.beside,
        }
    }

    /// The type of the numbers.
    pub(super) fn kind(&self) -> Kind {
        self.values.kind()
    }

    /// Gives a cell a state; its value is lost.
    pub(super) fn set_state(&mut self, i: usize, state: State) {
        let bits = match &mut self.values {
            Values::F32 { data, .. } => bytemuck::cast_slice_mut(data),
            _ => self.beside.as_mut_slice(),
        };
        bits[i] = state.bits();
    }

    /// The cells at these places, in this order.
    pub(super) fn gathered(&self, order: &[usize]) -> Self {
        Self {
            values: self.values.gathered(order),
            beside: if self.beside.is_empty() {
                Vec::new()
            } else {
                order.iter().map(|&i| self.beside[i]).collect()
            },
        }
    }
}

/// All cells of a source are read in about this many strips of rows,
const STRIPS: usize = 16;
/// of at least this many cells.
const LEAST_STRIP: usize = 1 << 20;

impl Stored {
    /// All cells in the grid's order. They are read in strips, so that no second copy of all is in memory.
    pub(super) fn load(&self) -> Result<LoadedCells, SourceError> {
        let (height, width) = self.shape();
        let strip = height.div_ceil(STRIPS).max(LEAST_STRIP / width.max(1)).clamp(1, height);
        let (mut window, mut marked) = (self.window(), Vec::new());
        let mut all = self.window().numbers;
        for from in (0..height).step_by(strip) {
            let rows = from..(from + strip).min(height);
            self.read(rows.clone(), 0..width, &mut window)?;
            let to = Whole { rows, shape: (height, width), transposed: self.transposed };
            match (&mut all, &window.numbers) {
                (Buffer::F32 { bits, .. }, Buffer::F32 { bits: read, .. }) => to.take(read, bits),
                (Buffer::F64(all), Buffer::F64(read)) => to.take(read, all),
                (Buffer::I64(all), Buffer::I64(read)) => to.take(read, all),
                (Buffer::U64(all), Buffer::U64(read)) => to.take(read, all),
                _ => {
                    return Err(SourceError {
                        file: String::new(),
                        what: "the numbers of a window are of another type than those before".to_owned(),
                    });
                }
            }
            if !matches!(all, Buffer::F32 { .. }) {
                to.take(&window.marked, &mut marked);
            }
        }
        Ok(match all {
            Buffer::F32 { mut bits, integer } => {
                if self.is_foreign() {
                    clean(&mut bits);
                }
                LoadedCells::of_bits(bits, integer)
            }
            Buffer::F64(v) => LoadedCells::of_marked(Values::F64(v), marked),
            Buffer::I64(v) => LoadedCells::of_marked(Values::I64(v), marked),
            Buffer::U64(v) => LoadedCells::of_marked(Values::U64(v), marked),
        })
    }
}

/// Where rows of a source lie among all cells.
struct Whole {
    /// The rows, as the source counts them.
    rows: Range<usize>,
    /// Rows and columns of the source.
    shape: (usize, usize),
    /// The grid's rows are the source's columns.
    transposed: bool,
}

impl Whole {
    /// Takes over the cells read of these rows; `all` is made as long as all cells first.
    fn take<T: Copy + Default>(&self, read: &[T], all: &mut Vec<T>) {
        let (height, width) = self.shape;
        all.resize(height * width, T::default());
        if !self.transposed {
            all[self.rows.start * width..][..read.len()].copy_from_slice(read);
            return;
        }
        for (column, line) in all.chunks_exact_mut(height).enumerate() {
            for (to, row) in line[self.rows.clone()].iter_mut().zip(read.chunks_exact(width)) {
                *to = row[column];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_the_same_of_every_kind_and_outlive_copies() {
        let numbers = [1.5f32, f32::NAN, f32::from_bits(0xffff_1234), 4.0, f32::INFINITY, 7.0];
        let states = [None, None, None, Some(State::Masked), None, Some(State::Absent)];
        let wide = Values::F64(numbers.iter().map(|v| f64::from(*v)).collect());
        let narrow = Values::F32 { data: numbers.to_vec(), integer: false };
        let wanted = [None, Some(State::Nan), Some(State::Nan), states[3], None, states[5]];
        for values in [wide, narrow] {
            let mut loaded = LoadedCells::new(values, &states);
            let read = |l: &LoadedCells| -> Vec<_> { l.cells().iter().map(|b| State::of_bits(*b)).collect() };
            assert_eq!(read(&loaded), wanted);
            assert_eq!(loaded.values().get(4).as_f64(), f64::INFINITY);
            let turned: Vec<_> = wanted.iter().rev().copied().collect();
            assert_eq!(read(&loaded.gathered(&[5, 4, 3, 2, 1, 0])), turned);
            loaded.set_state(0, State::Vanished);
            assert_eq!(read(&loaded)[0], Some(State::Vanished));
        }
    }
}
