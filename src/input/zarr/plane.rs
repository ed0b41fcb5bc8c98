//! Two axes of an array as rows and columns: a window of them reads the chunks under it, and no other.

use super::super::npy_dtype::Dtype;
use super::chunks::{Chunk, Chunks};
use crate::grid::{Buffer, CellSource, Part, SourceError, State, cores};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// From so many cells on the chunk rows of one window are read on all cores; smaller windows are read by many threads already.
const MANY: usize = 1 << 19;

/// A plane of an array.
#[derive(Debug)]
pub(super) struct Plane {
    pub chunks: Arc<Chunks>,
    pub rows: usize,
    pub columns: usize,
    /// The axis of the rows, `None` where there is one row, and the axis of the columns.
    pub axes: (Option<usize>, usize),
    /// The index of every other axis; 0 for those of rows and columns.
    pub at: Vec<usize>,
    /// Whether the last row, and the last column, comes first.
    pub reversed: (bool, bool),
}

/// A side of a window in the array's own order: which cells, of how many in a chunk, and whether they come backwards.
struct Side {
    cells: Range<usize>,
    chunk: usize,
    /// Elements from cell to cell within a chunk.
    stride: usize,
    reversed: bool,
}

impl Side {
    /// The parts of the side that lie in one chunk each: which chunk, which cells, and the place of the first one in the window.
    fn parts(&self) -> impl Iterator<Item = (usize, Range<usize>, usize)> {
        let cut = |i: usize| self.cells.start.max(i * self.chunk)..self.cells.end.min((i + 1) * self.chunk);
        let chunks = self.cells.start / self.chunk..self.cells.end.div_ceil(self.chunk);
        chunks.map(move |i| {
            let cells = cut(i);
            let place = if self.reversed {
                self.cells.end - cells.end
            } else {
                cells.start - self.cells.start
            };
            (i, cells, place)
        })
    }
}

/// How bytes become the numbers of a buffer.
struct Decoder<'a, T, const N: usize> {
    /// From an element's little-endian bytes.
    from: fn([u8; N]) -> T,
    /// What stands where there is no data.
    blank: T,
    absent: &'a Mutex<Vec<Part>>,
}

impl Plane {
    fn side(&self, axis: Option<usize>, cells: Range<usize>, all: usize, reversed: bool) -> Side {
        let cells = if reversed {
            all - cells.end..all - cells.start
        } else {
            cells
        };
        let m = &self.chunks.metadata;
        Side {
            cells,
            chunk: axis.map_or(1, |a| m.chunk[a]),
            stride: axis.map_or(0, |a| self.chunks.strides[a]),
            reversed,
        }
    }

    /// Fills a window of numbers.
    fn fill<T: Copy + Send + Sync, const N: usize>(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        out: &mut Vec<T>,
        decoder: &Decoder<'_, T, N>,
    ) -> Result<(), SourceError> {
        let (height, width) = (rows.len(), columns.len());
        out.clear();
        out.resize(height * width, decoder.blank);
        if out.is_empty() {
            return Ok(());
        }
        let down = self.side(self.axes.0, rows, self.rows, self.reversed.0);
        let across = self.side(Some(self.axes.1), columns, self.columns, self.reversed.1);
        let mut bands: Vec<_> = down.parts().collect();
        bands.sort_by_key(|b| b.2);
        let mut jobs = Vec::with_capacity(bands.len());
        let mut rest = out.as_mut_slice();
        for (chunk, cells, place) in bands {
            let (band, next) = rest.split_at_mut(cells.len() * width);
            jobs.push((chunk, cells, place, band));
            rest = next;
        }
        let run = |(chunk, cells, place, band): (usize, Range<usize>, usize, &mut [T])| {
            self.band(&down, &across, (chunk, cells, place), band, decoder)
        };
        let threads = if height * width < MANY {
            1
        } else {
            cores().min(jobs.len())
        };
        if threads < 2 {
            return jobs.into_iter().try_for_each(run);
        }
        let (jobs, stop, failed) = (
            Mutex::new(jobs.into_iter()),
            AtomicBool::new(false),
            Mutex::new(None),
        );
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let Some(job) = jobs.lock().unwrap_or_else(PoisonError::into_inner).next() else {
                    return;
                };
                if let Err(e) = run(job) {
                    failed
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .get_or_insert(e);
                    stop.store(true, Ordering::Relaxed);
                }
            }
        };
        crate::workers::together(threads, work);
        failed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .map_or(Ok(()), Err)
    }

    /// Fills the rows of a window that lie in one row of chunks.
    fn band<T: Copy, const N: usize>(
        &self,
        down: &Side,
        across: &Side,
        (chunk_row, rows, top): (usize, Range<usize>, usize),
        band: &mut [T],
        decoder: &Decoder<'_, T, N>,
    ) -> Result<(), SourceError> {
        let width = across.cells.len();
        let mut index: Vec<usize> = self
            .at
            .iter()
            .zip(&self.chunks.metadata.chunk)
            .map(|(i, n)| i / n)
            .collect();
        if let Some(axis) = self.axes.0 {
            index[axis] = chunk_row;
        }
        // First those that no other thread is decoding, then the others.
        let mut left: Vec<_> = across.parts().collect();
        for wait in [false, true] {
            let mut later = Vec::new();
            for (chunk_column, columns, place) in std::mem::take(&mut left) {
                index[self.axes.1] = chunk_column;
                match self.chunks.get(&index, wait)?.as_deref() {
                    Some(Chunk::Bytes(bytes)) => {
                        let rows = (rows.clone(), down);
                        self.copy(bytes, rows, (columns, across), place, width, band, decoder.from);
                    }
                    Some(Chunk::Missing) => {
                        let places = place..place + columns.len();
                        match self.chunks.fill().and_then(|e| e.first_chunk().copied()) {
                            Some(element) => {
                                let value = (decoder.from)(element);
                                band.chunks_exact_mut(width)
                                    .for_each(|row| row[places.clone()].fill(value));
                            }
                            None => {
                                let part = (top..top + rows.len(), places);
                                decoder
                                    .absent
                                    .lock()
                                    .unwrap_or_else(PoisonError::into_inner)
                                    .push(part);
                            }
                        }
                    }
                    None => later.push((chunk_column, columns, place)),
                }
            }
            left = later;
        }
        Ok(())
    }

    /// Puts the elements of a chunk where they belong in a band.
    #[allow(clippy::too_many_arguments)]
    fn copy<T: Copy, const N: usize>(
        &self,
        bytes: &[u8],
        (rows, down): (Range<usize>, &Side),
        (columns, across): (Range<usize>, &Side),
        place: usize,
        width: usize,
        band: &mut [T],
        from: fn([u8; N]) -> T,
    ) {
        let m = &self.chunks.metadata;
        let fixed = |a: &usize| Some(*a) != self.axes.0 && *a != self.axes.1;
        let base: usize = (0..m.chunk.len())
            .filter(fixed)
            .map(|a| self.at[a] % m.chunk[a] * self.chunks.strides[a])
            .sum();
        let one = |b: &[u8]| -> [u8; N] { b.try_into().expect("one element") };
        let turned = |b: &[u8]| {
            let mut b = one(b);
            b.reverse();
            from(b)
        };
        let first = base + columns.start % across.chunk * across.stride;
        let n = columns.len();
        for (i, row) in rows.clone().enumerate() {
            let line = if down.reversed { rows.len() - 1 - i } else { i };
            let to = &mut band[line * width + place..][..n];
            let start = (first + row % down.chunk * down.stride) * N;
            match (across.stride == 1 && !across.reversed, m.codecs.big_endian) {
                (true, false) => to
                    .iter_mut()
                    .zip(bytes[start..start + n * N].chunks_exact(N))
                    .for_each(|(t, b)| *t = from(one(b))),
                (true, true) => to
                    .iter_mut()
                    .zip(bytes[start..start + n * N].chunks_exact(N))
                    .for_each(|(t, b)| *t = turned(b)),
                (false, big) => {
                    let element = |k: usize| &bytes[start + k * across.stride * N..][..N];
                    for (k, t) in to.iter_mut().enumerate() {
                        let b = element(if across.reversed { n - 1 - k } else { k });
                        *t = if big { turned(b) } else { from(one(b)) };
                    }
                }
            }
        }
    }
}

impl CellSource for Plane {
    fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn buffer(&self) -> Buffer {
        self.chunks.metadata.dtype.buffer()
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        self.read_absent(rows, columns, into, &mut Vec::new())
    }

    fn has_absent(&self) -> bool {
        self.chunks.fill().is_none()
    }

    fn read_absent(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        if std::mem::discriminant(into) != std::mem::discriminant(&self.buffer()) {
            *into = self.buffer();
        }
        let found = Mutex::new(Vec::new());
        macro_rules! numbers {
            ($out:expr, $blank:expr, $from:expr) => {
                self.fill(
                    rows,
                    columns,
                    $out,
                    &Decoder {
                        from: $from,
                        blank: $blank,
                        absent: &found,
                    },
                )
            };
        }
        let nan = State::Absent.bits();
        match into {
            Buffer::F32 { bits, .. } => match self.chunks.metadata.dtype {
                Dtype::Bool => numbers!(bits, nan, |[b]: [u8; 1]| f32::from(u8::from(b != 0)).to_bits()),
                Dtype::I8 => numbers!(bits, nan, |b| f32::from(i8::from_le_bytes(b)).to_bits()),
                Dtype::U8 => numbers!(bits, nan, |b| f32::from(u8::from_le_bytes(b)).to_bits()),
                Dtype::I16 => numbers!(bits, nan, |b| f32::from(i16::from_le_bytes(b)).to_bits()),
                Dtype::U16 => numbers!(bits, nan, |b| f32::from(u16::from_le_bytes(b)).to_bits()),
                Dtype::F16 => numbers!(bits, nan, |b| half::f16::from_le_bytes(b).to_f32().to_bits()),
                _ => numbers!(bits, nan, u32::from_le_bytes),
            },
            Buffer::F64(v) => numbers!(v, f64::NAN, f64::from_le_bytes),
            Buffer::I64(v) => match self.chunks.metadata.dtype {
                Dtype::I32 => numbers!(v, 0, |b| i64::from(i32::from_le_bytes(b))),
                Dtype::U32 => numbers!(v, 0, |b| i64::from(u32::from_le_bytes(b))),
                _ => numbers!(v, 0, i64::from_le_bytes),
            },
            Buffer::U64(v) => numbers!(v, 0, u64::from_le_bytes),
        }?;
        *absent = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(())
    }
}
