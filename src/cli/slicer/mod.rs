//! The reader of slices: on a thread of its own, first the slice that the window wants, then those that are likely to follow.
//! Beside it, all slices for their limits, and one cell of all slices.

mod cache;
mod readings;
mod tracer;

use super::diagnostics::Failure;
use cache::{Cache, Slice};
use gridscope_core::figure::Figure;
use gridscope_core::grid::{CELL_BYTES, Grid, SlicedAxis};
use gridscope_draw::coarse::is_worth_it;
use gridscope_read::{Kept, common_slices, sliced};
use gridscope_window::{Data, SliceNews, SliceWish};
use readings::{Large, Scan, figure_of, grids_of, whole};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use tracer::Tracer;

/// Slices that were read take no more than this part of the memory limit.
const CACHED_PART: u64 = 8;

/// Figure of the slice that is shown, as which files are read; it changes with the slice and with the files.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub figure: Figure,
    pub files: Vec<String>,
    /// The axes along which there are other slices.
    pub axes: Vec<SlicedAxis>,
    /// Counts how often the files were read again.
    pub version: u64,
    /// A few cells of the slice are shown, and all of them are to be read.
    pub is_coarse: bool,
}

/// The slice that is shown now, for all who read.
pub(super) type NowShown = Arc<Mutex<Option<Shown>>>;

/// A copy of the slice that is shown.
pub(super) fn now(shown: &NowShown) -> Option<Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Records the slice that was read; the figure then names the slice by the numbers of its axes.
pub(super) fn record(shown: &NowShown, figure: &mut Figure, files: &[String], grids: &[Grid]) {
    let axes = common_slices(grids);
    if !axes.is_empty() {
        let at: Vec<usize> = axes.iter().map(|axis| axis.index).collect();
        sliced(figure, &axes, &at);
    }
    let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
    let version = shown.as_ref().map_or(0, |s| s.version + 1);
    *shown = Some(Shown { figure: figure.clone(), files: files.to_vec(), axes, version, is_coarse: false });
}

/// Records that a few cells of the slice are shown, and that all of them are to be read.
pub(super) fn record_coarse(shown: &NowShown) {
    let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
    shown.iter_mut().for_each(|shown| shown.is_coarse = true);
}

/// Whether files can be read again, as slices are: standard input and named pipes cannot.
pub(super) fn can_read_again(files: &[String]) -> bool {
    let is_lasting =
        |file: &String| file != "-" && std::fs::metadata(file).is_ok_and(|m| m.is_file() || m.is_dir());
    !files.is_empty() && files.iter().all(is_lasting)
}

/// A file that is being read, and the share read; `None` when it is read.
type Progress = Option<(String, f64)>;

/// Reads all cells of the grids of a figure.
type ReadAll = dyn Fn(Vec<Grid>, &Figure) -> Result<Data, Failure> + Send + Sync;

/// How slices are read, and who gets them.
#[derive(Clone)]
pub(super) struct Link {
    /// Passes news on; false when nobody wants any more.
    pub send: Arc<dyn Fn(SliceNews) -> bool + Send + Sync>,
    /// Reports how far something is read.
    pub progress: Arc<dyn Fn(Progress) + Send + Sync>,
    /// The most bytes that data may take.
    pub limit: u64,
    /// Arrays that stay open.
    pub kept: Kept,
    /// Reads all cells of grids that are too many to be read at once.
    pub all_cells: Arc<ReadAll>,
    /// The slice that is shown now.
    pub shown: NowShown,
}

impl Link {
    /// Sends a slice, and records that it is shown, unless the files were read again; whether anyone still wants one.
    fn deliver(&self, figure: Figure, data: Data, shown: &Shown, is_coarse: bool) -> bool {
        {
            let mut now = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
            match now.as_mut().filter(|now| now.version == shown.version) {
                Some(now) => (now.figure, now.is_coarse) = (figure.clone(), is_coarse),
                None => return true,
            }
        }
        (self.send)(SliceNews::Read(Box::new((figure, data))))
    }
}

/// Reads slices for a window.
pub(super) struct Slicer {
    pub wishes: Receiver<SliceWish>,
    pub link: Link,
}

impl Slicer {
    /// Answers wishes until the window is closed.
    pub(super) fn answer(&self) {
        self.answer_with(Cache::new(self.link.limit / CACHED_PART));
    }

    /// The same with slices that were read before; returns those of the end.
    fn answer_with(&self, mut cache: Cache) -> Cache {
        let (mut version, mut scan, mut large) = (0, None, None);
        let mut tracer: Option<Tracer> = None;
        let mut next = self.wishes.recv().ok();
        while let Some(wish) = next.take() {
            // Only the newest wish counts.
            let wish = self.wishes.try_iter().last().unwrap_or(wish);
            let Some(shown) = now(&self.link.shown) else {
                return cache;
            };
            if shown.version != version {
                cache.clear();
                self.link.kept.clear();
                version = shown.version;
            }
            let reads_all = scan.take_if(|scan: &mut Scan| !wish.limits || scan.version != version);
            // Stops it.
            drop(reads_all);
            if wish.limits && scan.is_none() {
                scan = Scan::start(&shown, &self.link);
            }
            if wish.trace.is_some() && tracer.is_none() {
                tracer = Tracer::start(&self.link);
            }
            tracer.iter_mut().for_each(|t| t.want(wish.trace.as_ref(), &shown));
            // All cells of a slice that is not wanted any more are not read to the end.
            drop(large.take_if(|large: &mut Large| large.at != wish.at || large.version != version));
            match self.fulfil(&wish, &shown, &mut cache, large) {
                Some(reads) => large = reads,
                None => return cache,
            }
            for at in &wish.ahead {
                if let Ok(newer) = self.wishes.try_recv() {
                    next = Some(newer);
                    break;
                }
                if !cache.has(at)
                    && let Ok(Some(slice)) = self.ahead(at, &shown, &cache)
                {
                    cache.put(at.clone(), slice);
                }
            }
            next = next.or_else(|| self.wishes.recv().ok());
        }
        cache
    }

    /// Sends the slice that is wanted, unless it is shown, and returns the reading of all its cells where that takes long; `None`
    /// if nobody wants a slice any more.
    fn fulfil(
        &self,
        wish: &SliceWish,
        shown: &Shown,
        cache: &mut Cache,
        large: Option<Large>,
    ) -> Option<Option<Large>> {
        let figure = figure_of(shown, &wish.at);
        let is_shown = figure.data.slice == shown.figure.data.slice;
        // Its cells are being read.
        if large.is_some() || is_shown && !shown.is_coarse {
            return Some(large);
        }
        if let Some(slice) = cache.get(&wish.at) {
            let goes_on = self.link.deliver(slice.figure, slice.data, shown, false);
            return goes_on.then_some(None);
        }
        let sent = match self.read(&figure, shown) {
            Ok((grids, bytes)) if is_worth_it(&grids) || !cache.holds(bytes) => {
                self.start_large(figure, grids, shown, &wish.at)
            }
            Ok((grids, bytes)) => whole(grids, &figure).map(|data| {
                let slice = Slice { figure, data, bytes };
                cache.put(wish.at.clone(), slice.clone());
                let goes_on = self.link.deliver(slice.figure, slice.data, shown, false);
                goes_on.then_some(None)
            }),
            Err(failure) => Err(failure),
        };
        sent.unwrap_or_else(|failure| {
            let why = super::diagnostics::failure_text(&failure);
            let news = SliceNews::Failed(format!("the slice stays: {why}"));
            (self.link.send)(news).then_some(None)
        })
    }

    /// Sends a few cells of a slice, unless they are shown, and begins to read all of them.
    fn start_large(
        &self,
        figure: Figure,
        grids: Vec<Grid>,
        shown: &Shown,
        at: &[usize],
    ) -> Result<Option<Option<Large>>, Failure> {
        let is_shown = figure.data.slice == shown.figure.data.slice;
        if is_worth_it(&grids) && !is_shown {
            let few = Data::coarse(grids.clone())?;
            if !self.link.deliver(figure.clone(), few, shown, true) {
                return Ok(None);
            }
        }
        Ok(Some(Large::start(at, figure, grids, shown, &self.link)))
    }

    /// A slice that may be wanted next; `None` if it is too large to be held.
    fn ahead(&self, at: &[usize], shown: &Shown, cache: &Cache) -> Result<Option<Slice>, Failure> {
        let figure = figure_of(shown, at);
        let (grids, bytes) = self.read(&figure, shown)?;
        if is_worth_it(&grids) || !cache.holds(bytes) {
            return Ok(None);
        }
        let data = whole(grids, &figure)?;
        Ok(Some(Slice { figure, data, bytes }))
    }

    /// The grids of a slice, and the bytes of their cells.
    fn read(&self, figure: &Figure, shown: &Shown) -> Result<(Vec<Grid>, u64), Failure> {
        let grids = grids_of(figure, shown, &self.link)?;
        let cells: u64 = grids.iter().map(|g| g.len() as u64).sum();
        Ok((grids, cells.saturating_mul(CELL_BYTES)))
    }
}

#[cfg(test)]
mod tests;
