//! Reading for a window: all cells with their progress, slices of arrays, the end of a reader.

use super::{End, KEPT_PART, LEVELS_PART, Reader};
use crate::diagnostics::Failure;
use crate::load::{Job, describe, read, reload};
use crate::reporter::with_reports;
use crate::slicer::{Link, Slicer, now, record, record_coarse};
use gridscope_core::figure::Figure;
use gridscope_core::grid::{CELL_BYTES, Grid, SlicedAxis};
use gridscope_core::workers;
use gridscope_draw::coarse::is_worth_it;
use gridscope_read::{Kept, ReadOptions, common_slices};
use gridscope_window::{Data, News, SliceWish};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// The interval between two updates of the progress of reading.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// Grids of at most a quarter of the memory limit are loaded.
const LOADED_PART: u64 = 4;

/// Why reading failed, if it did. A panic is caught, because the window would wait forever for news.
pub(super) fn end_of(read: impl FnOnce() -> Result<(), Failure>) -> Option<End> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(())) => None,
        Ok(Err(failure)) => Some(End::Failed(Box::new(failure))),
        Err(panic) => Some(End::Panicked(panic)),
    }
}

/// Scans all cells; `progress` is called on another thread with the share of cells read. Grids of at most a quarter of
/// `limit` bytes are loaded first, because a software device folds them in memory.
pub(super) fn data_of(
    grids: Vec<Grid>,
    figure: &Figure,
    limit: u64,
    progress: impl Fn(f64) + Send,
) -> Result<Data, Failure> {
    if !is_worth_it(&grids) {
        return Ok(Data::within(grids, figure, limit / LEVELS_PART)?);
    }
    let cells: u64 = grids.iter().map(|g| g.len() as u64).sum();
    let read = Arc::new(AtomicU64::new(0));
    let grids: Vec<Grid> = grids.into_iter().map(|g| g.counted(read.clone())).collect();
    let report = move || progress((read.load(Ordering::Relaxed) as f64 / cells as f64).min(1.0));
    let data = with_reports(PROGRESS_EVERY, report, || {
        if cells.saturating_mul(CELL_BYTES) <= limit / LOADED_PART {
            grids.iter().try_for_each(Grid::load)?;
        }
        Data::within(grids, figure, limit / LEVELS_PART)
    });
    Ok(data?)
}

/// The figure with its files, so that it can be saved as a figure file.
pub(super) fn named(mut figure: Figure, files: Vec<String>) -> Figure {
    figure.set_files(files);
    figure
}

impl Reader {
    /// Answers the window's wishes for slices, on a thread of its own.
    pub(super) fn read_slices(&self, wishes: Receiver<SliceWish>) {
        let (limit, name) = (self.limit, self.name.clone());
        let (send, shares, tells) = (self.send.clone(), self.send.clone(), self.send.clone());
        let all_cells = move |grids: Vec<Grid>, figure: &Figure| {
            let read = data_of(grids, figure, limit, |share| {
                let _ = shares.send(News::Reads(Some((name.clone(), Some(share)))));
            });
            let _ = shares.send(News::Reads(None));
            read
        };
        let slicer = Slicer {
            wishes,
            link: Link {
                send: Arc::new(move |news| send.send(News::Slice(news)).is_ok()),
                progress: Arc::new(move |progress| {
                    let progress = progress.map(|(what, share)| (what, Some(share)));
                    let _ = tells.send(News::Reads(progress));
                }),
                limit,
                kept: self.kept.clone(),
                all_cells: Arc::new(all_cells),
                shown: Arc::clone(&self.shown),
            },
        };
        let ended = self.send.clone();
        let answers = move || {
            if let Some(end) = end_of(|| {
                slicer.answer();
                Ok(())
            }) {
                let _ = ended.send(News::Failed(end));
            }
        };
        // Without a thread the first slice is all there is.
        drop(workers::detached(answers));
    }

    /// Whether the reader of slices is to read all cells, since a few of a slice are shown.
    pub(super) fn leaves_all_cells(&self) -> bool {
        let is_sliced = self.reads_slices && now(&self.shown).is_some_and(|shown| !shown.axes.is_empty());
        if is_sliced {
            record_coarse(&self.shown);
        }
        is_sliced
    }

    /// The figure with its files and its slice, which is what other slices are read by.
    pub(super) fn record(&self, figure: Figure, files: Vec<String>, grids: &[Grid]) -> Figure {
        let mut figure = named(figure, files.clone());
        record(&self.shown, &mut figure, &files, grids);
        figure
    }

    /// Reads the files again, of an array the slice that is shown.
    pub(super) fn again(&self, growing: bool) -> Result<Job, Failure> {
        // What the first reading unpacks serves the second one, too.
        let needs = ReadOptions {
            growing,
            first_slice: self.reads_slices,
            kept: self.reads_slices.then(|| Kept::new(self.limit / KEPT_PART)),
            ..ReadOptions::default()
        };
        let job = reload(&self.args.source, needs.clone())?;
        let numbers = |axes: &[SlicedAxis]| axes.iter().map(|axis| axis.axis).collect::<Vec<_>>();
        let axes = numbers(&common_slices(&job.loaded.grids));
        // An array of other dimensions has other slices.
        let Some(shown) = now(&self.shown).filter(|shown| !axes.is_empty() && numbers(&shown.axes) == axes)
        else {
            return Ok(job);
        };
        drop(job);
        let mut request = describe(&self.args.source)?;
        request.figure.data.slice = shown.figure.data.slice;
        // A shorter array may lack the slice.
        if let Ok(job) = read(&self.args.source, request, needs.clone()) {
            return Ok(job);
        }
        reload(&self.args.source, needs)
    }
}
