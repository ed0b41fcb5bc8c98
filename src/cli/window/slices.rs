//! Slices of arrays for a window: the reader of its files answers its wishes, and remembers the slice when files change.

use super::Reader;
use super::reading::{data_of, end_of, named};
use crate::diagnostics::Failure;
use crate::load::{Job, describe, read, reload};
use crate::slicer::{Link, Slicer, now, record, record_coarse};
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use gridscope_core::workers;
use gridscope_read::ReadOptions;
use gridscope_window::{News, SliceWish};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

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
        let needs = ReadOptions { growing, first_slice: self.reads_slices, ..ReadOptions::default() };
        let sliced = now(&self.shown).filter(|shown| !shown.axes.is_empty());
        if let Some(shown) = sliced {
            let mut request = describe(&self.args.source)?;
            request.figure.data.slice = shown.figure.data.slice;
            // An array of another shape has other slices.
            if let Ok(job) = read(&self.args.source, request, needs.clone()) {
                return Ok(job);
            }
        }
        reload(&self.args.source, needs)
    }
}
