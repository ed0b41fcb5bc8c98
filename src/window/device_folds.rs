//! Summaries of bodies that the device folds, as far as the CPU needs them: read back beside the frames.

use super::task::{Task, Wake};
use gridscope_core::grid::{Grid, Summaries};
use gridscope_core::view::EdgeTable;
use gridscope_draw::error::Error;
use gridscope_gpu::{ComingFold, GpuError};
use std::sync::Arc;

/// Folds of a device for the frames of a [`Session`](super::Session), by the index of a grid and the tables of its body.
pub trait DeviceFolds {
    /// The Summaries of a body that the device folds as it paints, if they are in memory. Otherwise they are read back beside
    /// the next frames, and [`Session::summaries_arrived`](super::Session::summaries_arrived) is called when they are there.
    fn known(&mut self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Option<Arc<Summaries>>;

    /// The same Summaries, which the call waits for.
    ///
    /// # Errors
    /// When a source cannot be read.
    fn fold(&mut self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Result<Arc<Summaries>, Error>;
}

/// A body's part of a grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoldedPart {
    /// Index of the grid.
    pub grid: usize,
    /// The columns under each pixel.
    pub columns: EdgeTable,
    /// The rows under each pixel.
    pub rows: EdgeTable,
}

impl FoldedPart {
    pub(super) fn new(grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Self {
        Self { grid, columns: columns.clone(), rows: rows.clone() }
    }
}

/// How far the Summaries of a part have come.
#[derive(Debug)]
enum Reading {
    /// They are read back after the next frame.
    Wanted,
    /// They are on their way, or fail to come.
    Comes(Task<Option<Summaries>>),
    Known(Arc<Summaries>),
}

/// The Summaries that were read back, of one part of each grid.
#[derive(Debug, Default)]
pub(super) struct ReadFolds(Vec<(FoldedPart, Reading)>);

impl ReadFolds {
    /// The Summaries of a part, if they are in memory; otherwise they are wanted in place of those of another part.
    pub(super) fn known(&mut self, part: FoldedPart) -> Option<Arc<Summaries>> {
        match self.0.iter().find(|(p, _)| *p == part) {
            Some((_, Reading::Known(all))) => Some(all.clone()),
            Some(_) => None,
            None => {
                self.put(part, Reading::Wanted);
                None
            }
        }
    }

    /// Stores the awaited Summaries.
    pub(super) fn store(&mut self, part: FoldedPart, all: Arc<Summaries>) {
        self.put(part, Reading::Known(all));
    }

    fn put(&mut self, part: FoldedPart, reading: Reading) {
        self.0.retain(|(p, _)| p.grid != part.grid);
        self.0.push((part, reading));
    }

    /// Starts to read back what is wanted, after a frame that has folded it; `read` submits the copies, and `wake` is called
    /// when one has arrived. What the device does not have is folded on the CPU.
    pub(super) fn start(
        &mut self,
        wake: &Wake,
        grids: &Arc<Vec<Grid>>,
        mut read: impl FnMut(&FoldedPart) -> Result<Option<ComingFold>, GpuError>,
    ) {
        for (part, reading) in &mut self.0 {
            if !matches!(reading, Reading::Wanted) {
                continue;
            }
            // The next frame reports whether the device is lost.
            let coming = read(part).ok().flatten();
            let (part, grids) = (part.clone(), grids.clone());
            let work = move |goes_on: &(dyn Fn() -> bool + Sync)| {
                if let Some(Ok(list)) = coming.map(ComingFold::take) {
                    return Some(list.into());
                }
                let grid = grids.get(part.grid).filter(|_| goes_on())?;
                grid.fold(part.columns.spans(), part.rows.spans()).ok()
            };
            *reading = Reading::Comes(Task::start(Some(wake), work));
        }
    }

    /// Takes up arrivals; returns whether there were any.
    pub(super) fn collect(&mut self) -> bool {
        let (mut any, mut failed) = (false, false);
        for (part, reading) in &mut self.0 {
            let Reading::Comes(task) = reading else { continue };
            match task.take() {
                None => {}
                Some(Some(all)) => {
                    *reading = Reading::Known(Arc::new(all));
                    any = true;
                }
                Some(None) => {
                    part.grid = GONE;
                    failed = true;
                }
            }
        }
        if failed {
            self.0.retain(|(p, _)| p.grid != GONE);
        }
        any
    }

    /// Whether Summaries are wanted or on their way.
    pub(super) fn is_reading(&self) -> bool {
        self.0.iter().any(|(_, r)| !matches!(r, Reading::Known(_)))
    }

    /// Forgets everything: other grids, or another device, are drawn from now on.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }
}

/// In place of the index of a grid whose source cannot be read.
const GONE: usize = usize::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn part(grid: usize, pixels: u32) -> FoldedPart {
        FoldedPart::new(grid, &EdgeTable::fit(40, pixels), &EdgeTable::fit(30, pixels))
    }

    fn grids() -> Arc<Vec<Grid>> {
        let values = |k: usize| (0..1200).map(|i| (i * k % 97) as f64).collect();
        Arc::new(vec![
            Grid::from_rows(30, 40, values(7)).unwrap(),
            Grid::from_rows(30, 40, values(11)).unwrap(),
        ])
    }

    /// Without a device that has them, the Summaries are those of the CPU; each is read once, and replaced by those of another part.
    #[test]
    fn what_is_wanted_comes_once() {
        let (grids, mut reads) = (grids(), ReadFolds::default());
        let (sender, woken) = channel();
        let wake: Wake = Arc::new(move || _ = sender.send(()));
        let mut asked = 0;
        let mut start = |reads: &mut ReadFolds| {
            reads.start(&wake, &grids, |_| {
                asked += 1;
                Ok(None)
            });
            asked
        };
        assert!(!reads.is_reading() && reads.known(part(0, 5)).is_none());
        assert!(reads.known(part(0, 5)).is_none() && reads.known(part(1, 4)).is_none());
        assert!(reads.is_reading());
        assert_eq!((start(&mut reads), start(&mut reads)), (2, 2));
        while reads.is_reading() {
            woken.recv().unwrap();
            assert!(reads.collect());
        }
        for (grid, pixels) in [(0, 5), (1, 4)] {
            let p = part(grid, pixels);
            let wanted = grids[grid].fold(p.columns.spans(), p.rows.spans()).unwrap();
            assert_eq!(*reads.known(p).unwrap(), wanted);
        }
        assert!(!reads.collect() && !reads.is_reading() && start(&mut reads) == 2);
        // Another part of the first grid; the second one's stays.
        assert!(reads.known(part(0, 6)).is_none() && reads.known(part(0, 5)).is_none());
        assert!(reads.known(part(1, 4)).is_some());
        reads.forget();
        assert!(reads.known(part(1, 4)).is_none());
    }

    #[test]
    fn a_grid_that_is_gone_brings_nothing_and_is_not_awaited() {
        let mut reads = ReadFolds::default();
        let (sender, woken) = channel();
        let wake: Wake = Arc::new(move || _ = sender.send(()));
        assert!(reads.known(part(5, 4)).is_none());
        reads.start(&wake, &grids(), |_| Err(GpuError::Lost(String::new())));
        woken.recv().unwrap();
        assert!(!reads.collect() && !reads.is_reading());
    }
}
