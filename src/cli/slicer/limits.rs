//! The ranges of all slices, read on a thread of their own.

use super::read::{figure_of, grids_of};
use super::{Link, Shown};
use crate::diagnostics::Failure;
use gridscope_core::workers;
use gridscope_window::{SliceNews, SliceRange};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often it is reported how much is read.
const TELL_EVERY: Duration = Duration::from_millis(100);

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
                Err(failure) => SliceNews::NoLimits(crate::diagnostics::text(&failure)),
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
