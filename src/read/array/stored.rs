//! Arrays that stay in their files: windows are read by position, or all cells as far as the budget allows.

use super::dtype::{Decode, Fill};
use super::source::{ArraySource, Layout, Window};
use crate::InputError;
use crate::budget::{Budget, OverBudget, Reservation};
use crate::bytes::read_exact_at;
use bytemuck::Pod;
use gridscope_core::grid::{Buffer, CELL_BYTES, Grid, SourceError};
use std::fs::File;
use std::sync::Arc;

/// Bytes decoded at once where the file's elements are not the buffer's numbers.
const CHUNK: usize = 1 << 16;
/// Elements not farther apart than this many bytes are read with what lies between them.
const NEAR: usize = 4096;
/// Elements read at once then.
const SPAN: usize = 1 << 18;

/// The elements of a file in even steps along each axis.
#[derive(Debug)]
pub(crate) struct StoredArray {
    file: Arc<File>,
    /// The file's name in messages.
    name: String,
    layout: Layout,
    strides: Vec<usize>,
}

impl StoredArray {
    /// The array of a file whose elements lie as `layout` says.
    pub(crate) fn new(file: &Arc<File>, name: &str, layout: Layout) -> Self {
        Self { file: Arc::clone(file), name: name.to_owned(), strides: layout.strides(), layout }
    }

    /// Reads bytes from where an element begins.
    fn bytes(&self, element: usize, into: &mut [u8]) -> Result<(), SourceError> {
        let at = self.layout.start as u64 + element as u64 * self.layout.encoding.dtype.size() as u64;
        self.bytes_at(at, into)
    }

    fn bytes_at(&self, at: u64, into: &mut [u8]) -> Result<(), SourceError> {
        read_exact_at(&self.file, into, at).map_err(|e| {
            let what = match e.kind() {
                std::io::ErrorKind::UnexpectedEof => {
                    let len = self.file.metadata().map_or(0, |m| m.len());
                    format!("ends at byte {len}, within the cells: it was cut while it was read")
                }
                _ => format!("cannot be read: {e}"),
            };
            SourceError { file: self.name.clone(), what }
        })
    }
}

impl ArraySource for StoredArray {
    fn shape(&self) -> &[usize] {
        &self.layout.shape
    }

    fn buffer(&self) -> Buffer {
        self.layout.encoding.dtype.buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        self.layout.encoding.fill(into, Read { array: self, window })
    }

    fn reads_by_columns(&self, row_axis: usize, column_axis: usize) -> bool {
        // Rows are what lies closer together; a lone column is read as the row that it is.
        let (down, across) = (self.strides[row_axis], self.strides[column_axis]);
        down < across || down == across && self.layout.shape[column_axis] == 1
    }
}

/// Reads a window of a file.
struct Read<'a> {
    array: &'a StoredArray,
    window: &'a Window,
}

impl Fill for Read<'_> {
    type Out = Result<(), SourceError>;

    fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, _: T) -> Self::Out {
        let Window { rows, columns, .. } = *self.window;
        let size = self.array.layout.encoding.dtype.size();
        if out.capacity() < self.window.len() {
            *out = vec![T::zeroed(); self.window.len()];
        } else {
            out.resize(self.window.len(), T::zeroed());
        }
        if out.is_empty() {
            return Ok(());
        }
        let (first, down, across) = self.window.steps(&self.array.strides);
        let far = |step: usize| step.saturating_mul(size) > NEAR;
        if across == 1 && (columns == down || rows < 2) {
            return self.run(first, out, decode);
        }
        let lines = out.chunks_exact_mut(columns).enumerate();
        if across == 1 && far(down) {
            let mut lines = lines;
            return lines.try_for_each(|(row, line)| self.run(first + row * down, line, decode));
        }
        if far(across) {
            // Element by element: between any two lies more than is worth reading.
            for (row, line) in lines {
                for (column, number) in line.iter_mut().enumerate() {
                    let at = first + row * down + column * across;
                    self.run(at, std::slice::from_mut(number), decode)?;
                }
            }
            return Ok(());
        }
        // What lies between the elements asked for is read too, and left out: several short rows at once, a long one in parts.
        let is_short = rows > 1 && !far(down);
        let (lines_at_once, most) =
            if is_short { ((SPAN / down).max(1), columns) } else { (1, (SPAN / across).max(1)) };
        let mut bytes = Vec::new();
        for (block, lines) in out.chunks_mut(lines_at_once * columns).enumerate() {
            let row = first + block * lines_at_once * down;
            let more = lines.len() / columns - 1;
            for left in (0..columns).step_by(most) {
                let width = most.min(columns - left);
                bytes.resize((more * down + (width - 1) * across + 1) * size, 0);
                self.array.bytes(row + left * across, &mut bytes)?;
                for (i, line) in lines.chunks_exact_mut(columns).enumerate() {
                    decode(&bytes[i * down * size..], across, &mut line[left..left + width]);
                }
            }
        }
        Ok(())
    }
}

impl Read<'_> {
    /// Reads elements that lie side by side.
    fn run<T: Pod>(&self, first: usize, out: &mut [T], decode: Decode<T>) -> Result<(), SourceError> {
        let layout = &self.array.layout;
        let size = layout.encoding.dtype.size();
        if size == size_of::<T>() && layout.encoding.is_native() {
            return self.array.bytes(first, bytemuck::cast_slice_mut(out));
        }
        let mut bytes = [0u8; CHUNK];
        for (i, part) in out.chunks_mut(CHUNK / size).enumerate() {
            let bytes = &mut bytes[..part.len() * size];
            self.array.bytes(first + i * (CHUNK / size), bytes)?;
            decode(bytes, 1, part);
        }
        Ok(())
    }
}

/// Bytes of a cell that moves to another place, until its old one goes.
const MOVED: u64 = 20;

/// Reads all cells of a grid into memory, if the budget holds them.
///
/// # Errors
/// When they take more, or the source does not give them.
pub fn load(grid: &Grid, file: &str, budget: &Arc<Budget>) -> Result<(), InputError> {
    if grid.is_loaded() {
        return Ok(());
    }
    let short = |s: OverBudget| s.of(file, format_args!("{} cells in memory", grid.len()));
    let (cells, copies) = bytes(grid);
    let _copy = budget.reserve(copies).map_err(short)?;
    budget.take(cells).map_err(short)?;
    grid.load().map_err(|e| InputError::refused(&e.file, "", e.what))
}

/// Whether the budget holds all cells of a grid.
pub(super) fn fits(grid: &Grid, budget: &Budget) -> bool {
    let (cells, copies) = bytes(grid);
    cells.saturating_add(copies) <= budget.left()
}

/// Bytes of all cells of a grid in memory, and of copies while they are read.
fn bytes(grid: &Grid) -> (u64, u64) {
    let cells = CELL_BYTES.saturating_mul(grid.len() as u64);
    // Rows and columns are swapped by a copy.
    let copies = if grid.is_transposed() { 2 } else { 0 };
    (cells, cells.saturating_mul(copies))
}

/// Loads a grid whose rows or columns change places, and takes what that needs until it is done.
///
/// # Errors
/// As [`load`].
pub(crate) fn moved(grid: &Grid, file: &str, budget: &Arc<Budget>) -> Result<Reservation, InputError> {
    load(grid, file, budget)?;
    let copy = budget.reserve(MOVED.saturating_mul(grid.len() as u64));
    copy.map_err(|s| s.of(file, format_args!("{} cells in another order", grid.len())))
}

#[cfg(test)]
mod tests;
