//! Readings that take long: all cells of a large slice, and the ranges of all slices, each on a thread of its own.

use super::{Link, Shown};
use crate::diagnostics::Failure;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Grid, Reading};
use gridscope_core::workers;
use gridscope_read::{Budget, ReadOptions, open_within, sliced};
use gridscope_window::{Data, SliceNews, SliceRange};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
                    let why = crate::diagnostics::failure_text(&failure);
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

/// How often it is reported how much is read.
pub(super) const TELL_EVERY: Duration = Duration::from_millis(100);

/// A reading of all slices; dropped, it stops.
#[derive(Debug)]
pub(super) struct Scan {
    /// Which version of the files is read.
    pub version: u64,
    stops: Arc<AtomicBool>,
}

impl Scan {
    /// Begins to read all slices; the ranges are sent when all are read. `None` where no thread can be started.
    pub(super) fn start(shown: &Shown, link: &Link) -> Option<Self> {
        let stops = Arc::new(AtomicBool::new(false));
        let (stop, shown, link) = (Arc::clone(&stops), shown.clone(), link.clone());
        let version = shown.version;
        let reads = move || {
            let read = ranges(&shown, &link, &stop);
            (link.progress)(None);
            let news = match read {
                Ok(Some(ranges)) => SliceNews::Limits(ranges),
                Ok(None) => return,
                Err(failure) => SliceNews::NoLimits(crate::diagnostics::failure_text(&failure)),
            };
            (link.send)(news);
        };
        workers::detached(reads).ok().map(|_| Self { version, stops })
    }
}

impl Drop for Scan {
    fn drop(&mut self) {
        self.stops.store(true, Ordering::Relaxed);
    }
}

/// The ranges of all slices; `None` if the reading was stopped.
fn ranges(shown: &Shown, link: &Link, stops: &AtomicBool) -> Result<Option<Vec<SliceRange>>, Failure> {
    let all: f64 = shown.axes.iter().map(|axis| axis.len() as f64).product();
    let (mut at, mut read, mut ranges) = (vec![0; shown.axes.len()], 0.0, Vec::new());
    let mut last = Instant::now();
    loop {
        if stops.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let grids = grids_of(&figure_of(shown, &at), shown, link)?;
        let of_slice = SliceRange::of_grids(&grids).map_err(gridscope_draw::error::Error::from)?;
        SliceRange::add(&mut ranges, &of_slice);
        read += 1.0;
        if last.elapsed() >= TELL_EVERY {
            (link.progress)(Some(("limits of all slices".to_owned(), read / all)));
            last = Instant::now();
        }
        // The last axis runs fastest, as in most files.
        let Some(axis) = (0..at.len()).rev().find(|a| at[*a] + 1 < shown.axes[*a].len()) else {
            return Ok(Some(ranges));
        };
        at[axis] += 1;
        at[axis + 1..].fill(0);
    }
}

/// All cells of grids, in memory.
pub(super) fn whole(grids: Vec<Grid>, figure: &Figure) -> Result<Data, Failure> {
    grids.iter().try_for_each(Grid::load).map_err(gridscope_draw::error::Error::from)?;
    Ok(Data::within(grids, figure, u64::MAX)?)
}

/// The grids of a slice.
pub(super) fn grids_of(figure: &Figure, shown: &Shown, link: &Link) -> Result<Vec<Grid>, Failure> {
    let needs = ReadOptions { kept: Some(link.kept.clone()), ..ReadOptions::default() };
    Ok(open_within(&shown.files, figure, &needs, &Budget::given(link.limit))?.grids)
}

/// The figure of another slice.
pub(super) fn figure_of(shown: &Shown, at: &[usize]) -> Figure {
    let mut figure = shown.figure.clone();
    sliced(&mut figure, &shown.axes, at);
    figure
}
