//! Cells whose reading can be stopped.

use super::Grid;
use super::source::{Buffer, CellSource, Part, SourceError};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const READS: u8 = 0;
const FINISHED: u8 = 1;
const STOPPED: u8 = 2;

/// A reading that ends in one of two ways: finished, or stopped before. Clones are of the same reading.
#[derive(Clone, Debug, Default)]
pub struct Reading(Arc<AtomicU8>);

impl Reading {
    /// Stops the reading, unless it has finished: sources give no more cells.
    pub fn stop(&self) {
        self.end(STOPPED);
    }

    /// Finishes the reading: it can no longer be stopped. False if it was stopped before.
    pub fn finish(&self) -> bool {
        self.end(FINISHED)
    }

    /// Whether it was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == STOPPED
    }

    fn end(&self, how: u8) -> bool {
        let before = self.0.compare_exchange(READS, how, Ordering::AcqRel, Ordering::Acquire);
        before.is_ok()
    }
}

/// A source that gives no cells once its reading is stopped.
#[derive(Debug)]
struct Stoppable {
    source: Arc<dyn CellSource>,
    reading: Reading,
}

impl CellSource for Stoppable {
    fn rows(&self) -> usize {
        self.source.rows()
    }

    fn columns(&self) -> usize {
        self.source.columns()
    }

    fn buffer(&self) -> Buffer {
        self.source.buffer()
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        self.read_absent(rows, columns, into, &mut Vec::new())
    }

    fn has_absent(&self) -> bool {
        self.source.has_absent()
    }

    fn read_absent(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        if self.reading.is_stopped() {
            return Err(SourceError { file: String::new(), what: "the reading was stopped".to_owned() });
        }
        self.source.read_absent(rows, columns, into, absent)
    }
}

impl Grid {
    /// The same grid, whose cells are not read any more once `reading` is stopped; those in memory stay.
    #[must_use]
    pub fn stoppable(self, reading: &Reading) -> Self {
        let through = |source| {
            let reading = reading.clone();
            Arc::new(Stoppable { source, reading }) as Arc<dyn CellSource>
        };
        if self.is_loaded() { self } else { Self { backing: self.backing.through(through), ..self } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source of ones.
    #[derive(Debug)]
    struct Ones;

    impl CellSource for Ones {
        fn rows(&self) -> usize {
            3
        }

        fn columns(&self) -> usize {
            4
        }

        fn buffer(&self) -> Buffer {
            Buffer::F64(Vec::new())
        }

        fn read(&self, r: Range<usize>, c: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
            *into = Buffer::F64(vec![1.0; r.len() * c.len()]);
            Ok(())
        }
    }

    #[test]
    fn a_stopped_reading_gives_no_cells_and_a_finished_one_all() {
        let grid = Grid::stored(Arc::new(Ones), None).unwrap();
        let (stopped, finished) = (Reading::default(), Reading::default());
        let of = |reading: &Reading| grid.clone().stoppable(reading);
        let (first, second) = (of(&stopped), of(&finished));
        assert!(first.read_numbers(0..1, 0..4).is_ok());
        stopped.stop();
        assert!(finished.finish() && !stopped.finish());
        finished.stop();
        assert!(first.read_numbers(0..1, 0..4).is_err() && first.load().is_err());
        assert!(second.load().is_ok() && !finished.is_stopped());
    }
}
