//! An array of a store as a source of grids: its chunks under a share of the memory, its axes and their coordinates.

use super::chunks::Chunks;
use super::coordinates;
use super::hierarchy::Picked;
use super::read::read;
use super::store::Store;
use crate::array::{ArraySource, Window, choose};
use crate::budget::Budget;
use crate::error::InputError;
use crate::kept::Kept;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Buffer, Part, SourceError};
use serde_json::Map;
use std::sync::Arc;

/// Cells and chunks that a plane may have: what is absent costs no file, but time.
const MOST_CELLS: usize = 1 << 36;
const MOST_CHUNKS: usize = 1 << 24;

/// An array in chunks.
#[derive(Debug)]
pub(super) struct ZarrArray {
    chunks: Chunks,
    store: Arc<Store>,
    /// The array's path in the store.
    path: String,
    /// Whether columns are read as rows: a column of chunks takes less memory than a row of them.
    by_columns: bool,
    /// Bytes of the chunks that are remembered.
    remembered: u64,
}

impl ZarrArray {
    /// An array whose planes the figure chooses; what its chunks may take is taken off the budget.
    ///
    /// # Errors
    /// When the options do not leave two dimensions, or a plane has too many cells or chunks, or chunks that are too large.
    pub(super) fn open(
        store: &Arc<Store>,
        picked: Picked,
        figure: &Figure,
        (kept, budget): (Option<&Kept>, &Arc<Budget>),
    ) -> Result<Self, InputError> {
        let Picked { path, mut metadata, .. } = picked;
        // They were reported, and may be long.
        metadata.attributes = Map::new();
        let limit = budget.left();
        let limited =
            |what: String| InputError { place: path.as_str().into(), ..InputError::limit(&store.name, what) };
        let Window { row_axis, column_axis, rows, columns, .. } =
            choose((&metadata.shape, &metadata.axes), &store.name, figure)?.plane;
        let across = columns.div_ceil(metadata.chunk[column_axis]);
        let down = row_axis.map_or(1, |a| rows.div_ceil(metadata.chunk[a]));
        if rows.checked_mul(columns).is_none_or(|n| n > MOST_CELLS) {
            return Err(limited(format!(
                "{rows} rows x {columns} columns: at most {MOST_CELLS} cells are drawn of a store"
            )));
        }
        if across.checked_mul(down).is_none_or(|n| n > MOST_CHUNKS) {
            return Err(limited(format!("{down} x {across} chunks: at most {MOST_CHUNKS} are drawn")));
        }
        // Two rows of chunks: while the first threads take up the next row, others still read the last one.
        let chunk = metadata.chunk_bytes().unwrap_or(usize::MAX) as u64;
        let of_rows = |across: usize| (2 * across as u64).saturating_mul(chunk);
        // Where a column of chunks takes less memory than a row does, and that matters, columns are read as rows.
        let by_columns = row_axis.is_some() && down < across && of_rows(across) > limit / 8;
        let remembered = of_rows(if by_columns { down } else { across }).min(limit / 2);
        // Chunks may reach into the slices before and after: then those of a whole slice are remembered.
        let of_slice = (across as u64).saturating_mul(down as u64).saturating_mul(chunk);
        let remembered = match kept {
            Some(kept) if of_slice <= kept.most().min(limit / 2) => remembered.max(of_slice),
            _ => remembered,
        };
        let chunks =
            Chunks::new(store, &path, metadata, limit / 2, remembered).map_err(|f| store.error(&path, f))?;
        Ok(Self { chunks, store: Arc::clone(store), path, by_columns, remembered })
    }

    /// Bytes that its chunks may take.
    pub(super) fn remembered(&self) -> u64 {
        self.remembered
    }
}

impl ArraySource for ZarrArray {
    fn shape(&self) -> &[usize] {
        &self.chunks.metadata.shape
    }

    fn buffer(&self) -> Buffer {
        self.chunks.metadata.dtype.buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        self.read_absent(window, into, &mut Vec::new())
    }

    fn axis_name(&self, axis: usize) -> &str {
        &self.chunks.metadata.axes[axis]
    }

    fn coordinates(&self, axis: usize) -> Option<Vec<f64>> {
        let len = self.shape()[axis];
        coordinates::of_axis(&self.store, &self.path, self.axis_name(axis), len)
    }

    fn unit(&self, axis: usize) -> String {
        coordinates::unit(&self.store, &self.path, self.axis_name(axis))
    }

    fn has_absent(&self) -> bool {
        self.chunks.metadata.fill.is_none()
    }

    fn read_absent(
        &self,
        window: &Window,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        read(&self.chunks, window, into, absent)
    }

    fn reads_by_columns(&self, _: usize, _: usize) -> bool {
        self.by_columns
    }
}
