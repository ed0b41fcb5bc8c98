//! Values on rows x columns with an axis each.

mod error;
mod state;
mod reduce;
mod tree;
mod axis;
mod steps;
mod extents;
mod shape;
mod values;
mod cell;
mod loaded;
mod source;
mod loading;
mod backing;
mod summary;
mod stats;
mod fold;
mod total;
mod natural;
mod request;
mod line_summary;
mod segments;
mod kernel;
mod column_sums;
mod number_key;
mod wide_summary;
mod wide_columns;
mod summaries;
mod scan;
mod statistics;
mod bounds;
mod labels;
mod lookup;
mod marked;
mod merged;
mod thin;
mod facet;
mod sliced;
mod hidden;
mod changed;
mod body;
mod empty;
mod line_fold;
mod window_fold;
mod peek;
mod stoppable;
#[cfg(test)]
mod plane;
mod part_pass;
mod scan_result;
mod exact;
mod moments;
mod walk;
mod ranks;
mod wide_ranks;
mod block_statistics;
mod bin_counts;
mod top;
mod row_fold;
mod wide_rows;
mod key_words;
mod part;
mod passes;
#[cfg(test)]
mod tests;

pub use axis::{Axis, AxisKind, Coords};
pub use bin_counts::BinCounts;
pub use block_statistics::{BlockStatistics, Sum};
pub use cell::Cell;
pub use changed::{Change, P_LEVELS, P_VALUES};
pub use error::GridError;
pub use facet::{Facet, FacetValue};
pub use hidden::HiddenCells;
pub use merged::Merged;
pub use reduce::Reduce;
pub use sliced::SlicedAxis;
pub use source::{Buffer, CellSource, Part, SourceError};
pub use state::State;
pub use stats::Stats;
pub use steps::Steps;
pub use tree::{Join, Tree};
pub use values::{Kind, Number, Values};

// Scans and folds, for the stages and for the tests of this repository: see `internals` in lib.rs.
#[doc(hidden)]
pub use {
    empty::Empty,
    exact::Exact,
    fold::{BACKGROUND, fold},
    line_summary::{LineSummary, Margins, Pooled},
    passes::ranks,
    ranks::Ranked,
    request::{MarginRequest, ScanRequest, Spans},
    row_fold::RowFold,
    scan::cores,
    scan_result::{BeyondLimits, ScanResult},
    summaries::{Reduced, Shown, Summaries},
    summary::Summary,
    top::RankedCell,
    wide_rows::WideRows,
    wide_summary::WideSummary,
};

pub use key_words::{Held, MARKS};
pub use lookup::AxisPart;
pub(crate) use number_key::first_key;
pub(crate) use number_key::{float_key, key_float};
pub use stoppable::Reading;
pub(crate) use total::Total;

use backing::Backing;
use hidden::Hidden;
use loaded::LoadedCells;
use marked::MarkedCells;
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
    facet: Option<Facet>,
    caption: Option<String>,
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
        let n = shape::cells(&rows, &columns)?;
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
        shape::cells(&rows, &columns)?;
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
            facet: None,
            caption: None,
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
        bounds::assert_range("rows", &rows, self.height());
        bounds::assert_range("columns", &columns, self.width());
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
        bounds::assert_range("rows", &rows, self.height());
        bounds::assert_range("columns", &columns, self.width());
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
        let (i, loaded) = (bounds::cell((row, column), (self.height(), self.width())), self.loaded());
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
        let i = bounds::cell((row, column), (self.height(), self.width()));
        self.backing
            .loaded_mut()
            .expect("the cells of this grid are not in memory: Grid::load reads them")
            .set_state(i, state);
    }
}

/// The most bytes that a cell takes in memory: a number and its stored bits.
pub const CELL_BYTES: u64 = 12;
