//! An array of a store as a source of grids: a window reads the chunks under it, and no other.

use super::chunks::{Chunk, Chunks};
use super::hierarchy;
use super::hierarchy::Picked;
use super::store::Store;
use super::texts;
use crate::array::{ArraySource, Decode, Fill, Window, choose};
use crate::budget::Budget;
use crate::error::InputError;
use crate::kept::Kept;
use bytemuck::Pod;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Buffer, Part, SourceError, cores};
use gridscope_core::workers::share;
use serde_json::Map;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// From this many cells on the chunk rows of one window are read on all cores; smaller windows are read by many threads already.
const MANY: usize = 1 << 19;

/// Elements of a window along one of its axes that lie in one chunk.
struct ChunkRun {
    chunk: usize,
    /// The place of the first in the window.
    place: usize,
    len: usize,
    /// Offset that the first adds to the place of an element in the chunk.
    first: usize,
}

/// Reads a window of an array into a buffer of its kind, and which parts of the window hold no data.
///
/// # Errors
/// When the file of a chunk is damaged: its key is named.
pub(super) fn read(
    chunks: &Chunks,
    window: &Window,
    into: &mut Buffer,
    absent: &mut Vec<Part>,
) -> Result<(), SourceError> {
    let found = Mutex::new(Vec::new());
    let read = Read { chunks, window, absent: &found };
    chunks.metadata.encoding().fill(into, read)?;
    *absent = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(())
}

/// A window that is read.
struct Read<'a> {
    chunks: &'a Chunks,
    window: &'a Window,
    /// The parts of the window without data.
    absent: &'a Mutex<Vec<Part>>,
}

impl Fill for Read<'_> {
    type Out = Result<(), SourceError>;

    fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, blank: T) -> Self::Out {
        let Window { rows, columns, .. } = *self.window;
        out.clear();
        out.resize(rows * columns, blank);
        if out.is_empty() {
            return Ok(());
        }
        let across: Vec<ChunkRun> = self.runs(Some(self.window.column_axis), columns).collect();
        let mut rest = out.as_mut_slice();
        let bands = self.runs(self.window.row_axis, rows).map(|down| {
            let (band, next) = std::mem::take(&mut rest).split_at_mut(down.len * columns);
            rest = next;
            (down, band)
        });
        let bands: Vec<(ChunkRun, &mut [T])> = bands.collect();
        let threads = if rows * columns < MANY { 1 } else { cores().min(bands.len()) };
        let failed = OnceLock::new();
        share(threads, bands.into_iter(), |(down, band)| {
            if failed.get().is_none()
                && let Err(e) = self.band(&down, &across, band, decode)
            {
                // The first failure is reported.
                let _ = failed.set(e);
            }
        });
        failed.into_inner().map_or(Ok(()), Err)
    }
}

impl Read<'_> {
    /// The runs of an axis, of which the window has `len` elements; without an axis there is one.
    fn runs(&self, axis: Option<usize>, len: usize) -> impl Iterator<Item = ChunkRun> {
        let (chunk, stride, start) = axis.map_or((1, 0, 0), |a| {
            let chunk = self.chunks.metadata.chunk[a];
            (chunk, self.chunks.strides[a], self.window.first[a])
        });
        let end = start + len;
        (start / chunk..end.div_ceil(chunk)).map(move |i| {
            let first = start.max(i * chunk);
            ChunkRun {
                chunk: i,
                place: first - start,
                len: end.min((i + 1) * chunk) - first,
                first: (first - i * chunk) * stride,
            }
        })
    }

    /// Fills the rows of a window that lie in one row of chunks.
    fn band<T: Pod>(
        &self,
        down: &ChunkRun,
        across: &[ChunkRun],
        band: &mut [T],
        decode: Decode<T>,
    ) -> Result<(), SourceError> {
        let Window { row_axis, column_axis, columns: width, ref first, .. } = *self.window;
        let (m, strides) = (&self.chunks.metadata, &self.chunks.strides);
        let (mut index, mut fixed) = (Vec::with_capacity(first.len()), 0);
        for (axis, (i, n)) in first.iter().zip(&m.chunk).enumerate() {
            index.push(i / n);
            if Some(axis) != row_axis && axis != column_axis {
                fixed += i % n * strides[axis];
            }
        }
        if let Some(axis) = row_axis {
            index[axis] = down.chunk;
        }
        let step_down = row_axis.map_or(1, |axis| strides[axis]);
        // First those that no other thread is decoding, then the others.
        let mut left: Vec<&ChunkRun> = across.iter().collect();
        for wait in [false, true] {
            let mut later = Vec::new();
            for run in left {
                let places = run.place..run.place + run.len;
                index[column_axis] = run.chunk;
                match self.chunks.get(&index, wait)?.as_deref() {
                    Some(Chunk::Bytes(bytes)) => {
                        let first = fixed + down.first + run.first;
                        for (row, line) in band.chunks_exact_mut(width).enumerate() {
                            let bytes = &bytes[(first + row * step_down) * m.dtype.size()..];
                            decode(bytes, strides[column_axis], &mut line[places.clone()]);
                        }
                    }
                    Some(Chunk::Missing) => match self.fill_number(decode) {
                        Some(number) => {
                            band.chunks_exact_mut(width).for_each(|line| line[places.clone()].fill(number));
                        }
                        None => self
                            .absent
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push((down.place..down.place + down.len, places)),
                    },
                    None => later.push(run),
                }
            }
            left = later;
        }
        Ok(())
    }

    /// The number of cells in missing chunks; `None` if they hold no data.
    fn fill_number<T: Pod>(&self, decode: Decode<T>) -> Option<T> {
        let m = &self.chunks.metadata;
        let mut element = m.fill?;
        let element = &mut element[..m.dtype.size()];
        if m.codecs.big_endian {
            element.reverse();
        }
        let mut number = [T::zeroed()];
        decode(element, 1, &mut number);
        Some(number[0])
    }
}

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
        kept: Option<&Kept>,
        budget: &Arc<Budget>,
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
        let found = hierarchy::coordinates(&self.store, &self.path, self.axis_name(axis), len);
        // Dates of a model are labels.
        found.filter(|_| self.levels(axis).is_empty())
    }

    fn levels(&self, axis: usize) -> Vec<Vec<String>> {
        let len = self.shape()[axis];
        let (store, name) = (&self.store, self.axis_name(axis));
        let dates = hierarchy::model_labels(store, &self.path, name, len);
        dates.or_else(|| texts::labels(store, &self.path, name, len)).into_iter().collect()
    }

    fn unit(&self, axis: usize) -> String {
        hierarchy::coordinate_unit(&self.store, &self.path, self.axis_name(axis))
    }

    fn axis_title(&self, axis: usize) -> String {
        hierarchy::coordinate_title(&self.store, &self.path, self.axis_name(axis))
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
