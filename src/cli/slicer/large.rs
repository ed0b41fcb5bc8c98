//! All cells of a large slice, read on a thread of their own while a few of them are shown.

use super::{Link, Shown};
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Grid, Reading};
use gridscope_core::workers;
use gridscope_window::SliceNews;

/// A reading of all cells of a slice; dropped, it stops.
#[derive(Debug)]
pub(super) struct Large {
    /// The slice.
    pub at: Vec<usize>,
    /// Which version of the files is read.
    pub version: u64,
    reading: Reading,
}

impl Large {
    /// Begins to read all cells; they are sent when all are read. `None` where no thread can be started.
    pub(super) fn start(
        at: &[usize],
        figure: Figure,
        grids: Vec<Grid>,
        shown: &Shown,
        link: &Link,
    ) -> Option<Self> {
        let reading = Reading::default();
        let (own, link, shown) = (reading.clone(), link.clone(), shown.clone());
        let version = shown.version;
        let reads = move || {
            let grids = grids.into_iter().map(|grid| grid.stoppable(&own)).collect();
            let read = (link.all_cells)(grids, &figure);
            if !own.finish() {
                return;
            }
            match read {
                Ok(data) => link.deliver(figure, data, &shown, false),
                Err(failure) => {
                    let why = crate::diagnostics::text(&failure);
                    (link.send)(SliceNews::Failed(format!("not all cells are shown: {why}")))
                }
            };
        };
        let started = workers::detached(reads).ok();
        started.map(|_| Self { at: at.to_vec(), version, reading })
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        self.reading.stop();
    }
}
