//! Values on rows x columns with an axis each.

mod error;
mod axis;
mod steps;
mod values;
mod cell;
mod source;
mod backing;
mod summary;
mod fold;
mod line_summary;
mod kernel;
mod number_key;
mod wide_fold;
mod summaries;
mod statistics;
mod facet;
mod said;
mod hidden;
mod correlations;
mod memo;
mod changed;
mod body;
mod scan_result;
mod partial;
mod sums;
mod ranks;
mod block_statistics;
mod bin_counts;
mod passes;

pub use axis::{Axis, AxisKind, AxisPart, Coords, Join, Tree};
pub use bin_counts::BinCounts;
pub use block_statistics::{BlockStatistics, Sum};
pub use cell::{Cell, Merged, State};
pub use changed::{Change, P_LEVELS, P_VALUES};
pub use error::GridError;
pub use facet::{Facet, FacetValue, SlicedAxis};
pub use hidden::HiddenCells;
pub use number_key::{Held, MARKS};
pub use partial::{PartError, PartialScan, ScanPlan};
pub use said::SaidName;
pub use source::{ApartScans, Buffer, CellSource, Part, Reading, SourceError};
pub use statistics::Stats;
pub use steps::Steps;
pub use summary::Reduce;
pub use values::{Kind, Number, Values};

pub(crate) use number_key::{first_key, float_key, key_float};
pub(crate) use sums::Total;

#[doc(hidden)]
pub use {
    fold::{BACKGROUND, RowFold, fold},
    line_summary::{LineSummary, Margins, Pooled},
    passes::{cores, ranks},
    ranks::Ranked,
    scan_result::{BeyondLimits, MarginRequest, ScanRequest, ScanResult, Spans},
    statistics::{Empty, RankedCell},
    summaries::{Exact, Reduced, Shown, Summaries},
    summary::{Summary, WideSummary},
    wide_fold::WideRows,
};

use backing::{Backing, LoadedCells};
use cell::MarkedCells;
use hidden::Hidden;
use source::Stored;
use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;

/// One panel's data: values, states, axes. Cell (row, column) is at `row * columns + column`. Axes, fields and texts
/// always have as many entries as the cells that they belong to.
#[derive(Clone, Debug)]
pub struct Grid {
    name: String,
    value_name: String,
    rows: Axis,
    columns: Axis,
    backing: Backing,
    fields: BTreeMap<String, Vec<f64>>,
    texts: BTreeMap<String, Vec<String>>,
    merged: Option<Merged>,
    changes: Vec<Change>,
    min_count: Option<NonZeroU64>,
    note: Option<String>,
    hidden: Option<Hidden>,
    marked: MarkedCells,
    memo: Arc<memo::Memo>,
    /// The values are a matrix of correlations.
    correlates: bool,
    facet: Option<Facet>,
    caption: Option<String>,
    file: Option<Arc<str>>,
    said: Arc<[SaidName]>,
    slices: Arc<[SlicedAxis]>,
}

impl Grid {
    /// A grid of values as they came; `states` marks cells without a value and may be empty when there are none.
    ///
    /// A NaN among the values becomes [`State::Nan`].
    ///
    /// # Errors
    /// When the lengths do not match, or a side is 0 or longer than `u32::MAX`.
    pub fn new(
        rows: Axis,
        columns: Axis,
        values: Values,
        states: &[Option<State>],
    ) -> Result<Self, GridError> {
        let n = error::cells(&rows, &columns)?;
        if values.len() != n || !(states.is_empty() || states.len() == n) {
            return Err(GridError::Values {
                rows: rows.len(),
                columns: columns.len(),
                values: values.len(),
                states: states.len(),
            });
        }
        Ok(Self::of(rows, columns, Backing::held(LoadedCells::new(values, states))))
    }

    /// A grid whose cells stay in a source and are read by windows; `nodata` is the number of a masked cell.
    ///
    /// # Errors
    /// When a side is 0 or longer than `u32::MAX`.
    pub fn stored(source: Arc<dyn CellSource>, nodata: Option<f64>) -> Result<Self, GridError> {
        let (rows, columns) = (Axis::index("", source.rows()), Axis::index("", source.columns()));
        error::cells(&rows, &columns)?;
        Ok(Self::of(rows, columns, Backing::stored(Stored::new(source, nodata))))
    }

    fn of(rows: Axis, columns: Axis, backing: Backing) -> Self {
        Self {
            name: String::new(),
            value_name: String::new(),
            rows,
            columns,
            backing,
            fields: BTreeMap::new(),
            texts: BTreeMap::new(),
            merged: None,
            changes: Vec::new(),
            min_count: None,
            note: None,
            hidden: None,
            marked: MarkedCells::new(),
            correlates: false,
            memo: Arc::default(),
            facet: None,
            caption: None,
            file: None,
            said: Arc::default(),
            slices: Arc::default(),
        }
    }

    /// A grid from rows of f64, NaN for a cell without a value, with plain index axes.
    ///
    /// # Errors
    /// As [`Grid::new`].
    pub fn from_rows(rows: usize, columns: usize, values: Vec<f64>) -> Result<Self, GridError> {
        Self::new(Axis::index("", rows), Axis::index("", columns), Values::F64(values), &[])
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// How many cells.
    pub fn len(&self) -> usize {
        self.height() * self.width()
    }

    /// Never: a grid has cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether rows and columns are swapped on the way from the source.
    pub fn is_transposed(&self) -> bool {
        self.backing.transposed()
    }

    /// Whether the cells are in memory.
    pub fn is_loaded(&self) -> bool {
        self.backing.loaded().is_some()
    }

    /// The same grid; from now on `read` counts the cells that are read from its source.
    #[must_use]
    pub fn counted(self, read: Arc<std::sync::atomic::AtomicU64>) -> Self {
        if self.is_loaded() { self } else { Self { backing: self.backing.counted(read), ..self } }
    }

    /// Whether the source holds integers, where its own numbers are the stored f32; `None` where they are wider.
    pub fn is_f32(&self) -> Option<bool> {
        self.backing.is_f32()
    }

    /// Reads all cells into memory, unless they are there.
    ///
    /// # Errors
    /// When the source does not give them.
    pub fn load(&self) -> Result<(), SourceError> {
        self.backing.load().map(|_| ())
    }

    fn loaded(&self) -> &LoadedCells {
        self.backing.loaded().expect("the cells of this grid are not in memory: Grid::load reads them")
    }

    /// The stored bits: f32 bit patterns as they lie on the GPU, states as NaN payloads, row after row. Of a wide kind
    /// they are the nearest f32, which only say whether a cell has a value.
    ///
    /// # Panics
    /// When the cells are not in memory (see [`Grid::load`]).
    pub fn cells(&self) -> &[u32] {
        self.loaded().cells()
    }

    /// Reads the stored bits of a window, row after row, as [`Grid::cells`] has them.
    ///
    /// # Errors
    /// When the source does not give them.
    ///
    /// # Panics
    /// As a slice: when a range leaves the grid or ends before it starts; and when `into` is not as long as the window.
    #[track_caller]
    pub fn read(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut [u32],
    ) -> Result<(), SourceError> {
        error::assert_range("rows", &rows, self.height());
        error::assert_range("columns", &columns, self.width());
        assert_eq!(into.len(), rows.len() * columns.len(), "a buffer for {rows:?} x {columns:?}");
        if into.is_empty() { Ok(()) } else { self.backing.read(rows, columns, self.width(), into) }
    }

    /// Reads the cells of a window, row after row.
    ///
    /// # Errors
    /// When the source does not give its cells.
    ///
    /// # Panics
    /// When a range leaves the grid.
    #[track_caller]
    pub fn read_numbers(&self, rows: Range<usize>, columns: Range<usize>) -> Result<Vec<Cell>, SourceError> {
        error::assert_range("rows", &rows, self.height());
        error::assert_range("columns", &columns, self.width());
        self.backing.numbers(rows, columns, self.width())
    }

    /// The type that holds the numbers exactly.
    pub fn kind(&self) -> Kind {
        self.backing.kind()
    }

    /// A cell: the source's own number, or its state.
    ///
    /// # Panics
    /// When the place leaves the grid, and as [`Grid::cells`].
    #[track_caller]
    pub fn at(&self, row: usize, column: usize) -> Cell {
        let (i, loaded) = (error::cell((row, column), (self.height(), self.width())), self.loaded());
        match State::of_bits(loaded.cells()[i]) {
            Some(s) => Cell::Empty(s),
            None => Cell::Value(loaded.values().get(i)),
        }
    }

    /// The source's values; the number of a cell with a state means nothing.
    ///
    /// # Panics
    /// As [`Grid::cells`].
    pub fn values(&self) -> &Values {
        self.loaded().values()
    }

    /// Gives a cell a state; its value is lost.
    ///
    /// # Panics
    /// As [`Grid::at`].
    #[track_caller]
    pub fn set_state(&mut self, row: usize, column: usize, state: State) {
        let i = error::cell((row, column), (self.height(), self.width()));
        memo::Memo::renew(&mut self.memo);
        self.backing
            .loaded_mut()
            .expect("the cells of this grid are not in memory: Grid::load reads them")
            .set_state(i, state);
    }
}

/// The most bytes that a cell takes in memory: a number and its stored bits.
pub const CELL_BYTES: u64 = 12;

impl Grid {
    /// The same grid under this name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The panel's value, empty for a lone grid.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names the panel.
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    /// Name of the values ("pass1"), empty if unknown.
    pub fn value_name(&self) -> &str {
        &self.value_name
    }

    /// Names the values.
    pub fn set_value_name(&mut self, name: impl Into<String>) {
        self.value_name = name.into();
    }

    /// The axis down the side (y).
    pub fn rows(&self) -> &Axis {
        &self.rows
    }

    /// Replaces the axis down the side.
    ///
    /// # Errors
    /// [`GridError::Length`]: it has another length than the grid's height, or one of its parts has another length than
    /// it.
    pub fn set_rows(&mut self, axis: Axis) -> Result<(), GridError> {
        error::axis("rows", &axis, self.height())?;
        self.rows = axis;
        Ok(())
    }

    /// The axis along the bottom (x).
    pub fn columns(&self) -> &Axis {
        &self.columns
    }

    /// Replaces the axis along the bottom.
    ///
    /// # Errors
    /// As [`Grid::set_rows`], for the grid's width.
    pub fn set_columns(&mut self, axis: Axis) -> Result<(), GridError> {
        error::axis("columns", &axis, self.width())?;
        self.columns = axis;
        Ok(())
    }

    /// Further numbers of each cell, by the name a template uses (`mean`, `std`, `n`).
    pub fn fields(&self) -> &BTreeMap<String, Vec<f64>> {
        &self.fields
    }

    /// Adds or replaces further numbers, one per cell.
    ///
    /// # Errors
    /// [`GridError::Length`]: there is not one number per cell.
    pub fn set_field(&mut self, name: impl Into<String>, numbers: Vec<f64>) -> Result<(), GridError> {
        let name = name.into();
        error::length(|| format!("field '{name}'"), numbers.len(), self.len())?;
        self.fields.insert(name, numbers);
        Ok(())
    }

    /// Texts of each cell, by column name (`column:note`).
    pub fn texts(&self) -> &BTreeMap<String, Vec<String>> {
        &self.texts
    }

    /// Adds or replaces texts, one per cell.
    ///
    /// # Errors
    /// [`GridError::Length`]: there is not one text per cell.
    pub fn set_texts(&mut self, name: impl Into<String>, texts: Vec<String>) -> Result<(), GridError> {
        let name = name.into();
        error::length(|| format!("texts '{name}'"), texts.len(), self.len())?;
        self.texts.insert(name, texts);
        Ok(())
    }
}

impl Grid {
    /// Rows and columns swapped.
    pub fn transposed(&self) -> Grid {
        let (h, w) = (self.height(), self.width());
        let places = || (0..w).flat_map(move |c| (0..h).map(move |r| (r, c)));
        let axes = (self.columns.clone(), self.rows.clone());
        let mut out =
            self.gathered(axes, self.backing.flipped(), || places().map(|(r, c)| r * w + c).collect());
        out.hidden = self.hidden.as_ref().map(|hidden| hidden.rearranged(places(), h));
        out.marked = self.marks_transposed();
        out
    }

    /// The part of rows `r` and columns `c`.
    ///
    /// # Errors
    /// When a range is empty or leaves the grid.
    pub fn window(&self, r: Range<usize>, c: Range<usize>) -> Result<Grid, GridError> {
        error::part("rows", &r, self.height())?;
        error::part("columns", &c, self.width())?;
        let (w, axes) = (self.width(), (self.rows.slice(r.clone()), self.columns.slice(c.clone())));
        let places = || r.clone().flat_map(|y| c.clone().map(move |x| y * w + x)).collect();
        let mut part = self.gathered(axes, self.backing.part(r.clone(), c.clone()), places);
        part.hidden = self.hidden.as_ref().map(|hidden| hidden.part(&r, &c));
        part.marked = self.marks_within(&r, &c);
        part.count_hidden();
        Ok(part)
    }

    /// Row `rows[i]` becomes row i, column `columns[j]` column j; an index may be left out, or given several times.
    ///
    /// # Errors
    /// When an index leaves the grid, or there is none, or more than a side may have.
    ///
    /// # Panics
    /// As [`Grid::cells`].
    pub fn permuted(&self, rows: &[usize], columns: &[usize]) -> Result<Grid, GridError> {
        error::indices("rows", rows, self.height())?;
        error::indices("columns", columns, self.width())?;
        let (w, axes) = (self.width(), (self.rows.permuted(rows), self.columns.permuted(columns)));
        error::cells(&axes.0, &axes.1)?;
        let places = || rows.iter().flat_map(|&y| columns.iter().map(move |&x| (y, x)));
        let mut out = self.gathered(axes, None, || places().map(|(y, x)| y * w + x).collect());
        out.hidden = self.hidden.as_ref().map(|hidden| hidden.rearranged(places(), columns.len()));
        out.marked = self.marks_permuted(rows, columns);
        out.count_hidden();
        Ok(out)
    }

    /// The cells at these places of this grid under other axes: in `apart` where they stay in a source, else in memory.
    fn gathered(
        &self,
        (rows, columns): (Axis, Axis),
        apart: Option<Backing>,
        places: impl FnOnce() -> Vec<usize>,
    ) -> Grid {
        // Of a source, which may be huge, only what is beside the cells needs them.
        let order = if apart.is_some() && self.fields.is_empty() && self.texts.is_empty() {
            Vec::new()
        } else {
            places()
        };
        let order = order.as_slice();
        Grid {
            name: self.name.clone(),
            value_name: self.value_name.clone(),
            rows,
            columns,
            backing: apart.unwrap_or_else(|| Backing::held(self.loaded().gathered(order))),
            fields: self
                .fields
                .iter()
                .map(|(k, v)| (k.clone(), order.iter().map(|&i| v[i]).collect()))
                .collect(),
            texts: self
                .texts
                .iter()
                .map(|(k, v)| (k.clone(), order.iter().map(|&i| v[i].clone()).collect()))
                .collect(),
            merged: self.merged.clone(),
            facet: self.facet.clone(),
            caption: self.caption.clone(),
            file: self.file.clone(),
            said: Arc::clone(&self.said),
            slices: Arc::clone(&self.slices),
            changes: self.changes.clone(),
            min_count: self.min_count,
            note: self.note.clone(),
            // A mask goes by places: whoever cuts out a part says which.
            hidden: None,
            marked: cell::MarkedCells::new(),
            correlates: self.correlates,
            memo: Arc::default(),
        }
    }
}

#[cfg(test)]
mod plane;

#[cfg(test)]
mod tests;
