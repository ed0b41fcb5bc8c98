//! Windows of an array in chunks: a window reads the chunks under it, and no other.

use super::chunks::{Chunk, Chunks};
use crate::grid::{Buffer, Part, SourceError, cores};
use crate::input::array::{Decode, Fill, Window};
use crate::workers::share;
use bytemuck::Pod;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

/// From this many cells on the chunk rows of one window are read on all cores; smaller windows are read by many threads already.
const MANY: usize = 1 << 19;

/// A side of a window: which elements of an axis, and how many of them are in a chunk.
struct Side {
    elements: Range<usize>,
    chunk: usize,
    /// Elements from index to index within a chunk.
    stride: usize,
}

impl Side {
    /// The parts of the side that lie in one chunk each: which chunk, which elements, and the place of the first in the window.
    fn parts(&self) -> impl Iterator<Item = (usize, Range<usize>, usize)> {
        let Range { start, end } = self.elements;
        let chunks = start / self.chunk..end.div_ceil(self.chunk);
        chunks.map(move |i| {
            let part = start.max(i * self.chunk)..end.min((i + 1) * self.chunk);
            let place = part.start - start;
            (i, part, place)
        })
    }
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
    let read = Read {
        chunks,
        window,
        absent: &found,
    };
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
        let down = self.side(self.window.row_axis, rows);
        let across = self.side(Some(self.window.column_axis), columns);
        let mut jobs = Vec::new();
        let mut rest = out.as_mut_slice();
        for (chunk, part, place) in down.parts() {
            let (band, next) = rest.split_at_mut(part.len() * columns);
            jobs.push((chunk, part, place, band));
            rest = next;
        }
        let threads = if rows * columns < MANY {
            1
        } else {
            cores().min(jobs.len())
        };
        let failed = OnceLock::new();
        share(threads, jobs.into_iter(), |(chunk, part, place, band)| {
            if failed.get().is_none()
                && let Err(e) = self.band(&down, &across, (chunk, part, place), band, decode)
            {
                // The first failure is reported.
                let _ = failed.set(e);
            }
        });
        failed.into_inner().map_or(Ok(()), Err)
    }
}

impl Read<'_> {
    fn side(&self, axis: Option<usize>, len: usize) -> Side {
        let first = axis.map_or(0, |a| self.window.first[a]);
        Side {
            elements: first..first + len,
            chunk: axis.map_or(1, |a| self.chunks.metadata.chunk[a]),
            stride: axis.map_or(0, |a| self.chunks.strides[a]),
        }
    }

    /// Fills the rows of a window that lie in one row of chunks.
    fn band<T: Pod>(
        &self,
        down: &Side,
        across: &Side,
        (chunk_row, rows, top): (usize, Range<usize>, usize),
        band: &mut [T],
        decode: Decode<T>,
    ) -> Result<(), SourceError> {
        let m = &self.chunks.metadata;
        let width = across.elements.len();
        let mut index: Vec<usize> = self
            .window
            .first
            .iter()
            .zip(&m.chunk)
            .map(|(i, n)| i / n)
            .collect();
        if let Some(axis) = self.window.row_axis {
            index[axis] = chunk_row;
        }
        // First those that no other thread is decoding, then the others.
        let mut left: Vec<_> = across.parts().collect();
        for wait in [false, true] {
            let mut later = Vec::new();
            for (chunk_column, columns, place) in std::mem::take(&mut left) {
                index[self.window.column_axis] = chunk_column;
                match self.chunks.get(&index, wait)?.as_deref() {
                    Some(Chunk::Bytes(bytes)) => {
                        let first = self.first_in_chunk(down, &rows, across, &columns);
                        for (line, element) in band
                            .chunks_exact_mut(width)
                            .zip((first..).step_by(down.stride.max(1)))
                        {
                            let bytes = &bytes[element * m.dtype.size()..];
                            decode(bytes, across.stride, &mut line[place..place + columns.len()]);
                        }
                    }
                    Some(Chunk::Missing) => {
                        let places = place..place + columns.len();
                        match self.fill_number(decode) {
                            Some(number) => band
                                .chunks_exact_mut(width)
                                .for_each(|line| line[places.clone()].fill(number)),
                            None => self
                                .absent
                                .lock()
                                .unwrap_or_else(PoisonError::into_inner)
                                .push((top..top + rows.len(), places)),
                        }
                    }
                    None => later.push((chunk_column, columns, place)),
                }
            }
            left = later;
        }
        Ok(())
    }

    /// The place within a chunk of the first element of these rows and columns.
    fn first_in_chunk(
        &self,
        down: &Side,
        rows: &Range<usize>,
        across: &Side,
        columns: &Range<usize>,
    ) -> usize {
        let (m, window) = (&self.chunks.metadata, self.window);
        let is_fixed = |a: &usize| Some(*a) != window.row_axis && *a != window.column_axis;
        let fixed: usize = (0..m.chunk.len())
            .filter(is_fixed)
            .map(|a| window.first[a] % m.chunk[a] * self.chunks.strides[a])
            .sum();
        fixed + rows.start % down.chunk * down.stride + columns.start % across.chunk * across.stride
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
