//! All cells of a source, read into memory.

use super::loaded::LoadedCells;
use super::source::{Buffer, SourceError, Stored, clean};
use super::values::Values;
use std::ops::Range;

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
    /// Takes over what was read of these rows; `all` is made as long as all cells first.
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
