//! The data of a session: grids, and what a pass over their cells found.

use crate::app::level::{Level, spans};
use crate::coarse::Sample;
use crate::error::Error;
use crate::grid::{Grid, ScanRequest, ScanResult, Stats};

/// Grids with what one pass over their cells found; for a coarse session, over a few of their cells.
#[derive(Debug)]
pub struct Data {
    pub(super) grids: Vec<Grid>,
    pub(super) scans: Vec<ScanResult>,
    pub(super) levels: Vec<Option<Level>>,
    pub(super) sample: Option<Sample>,
}

impl Data {
    /// Reads all cells once.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub fn new(grids: Vec<Grid>) -> Result<Self, Error> {
        let (mut scans, mut levels) = (Vec::with_capacity(grids.len()), Vec::with_capacity(grids.len()));
        for g in &grids {
            let spans = spans(g);
            let body = spans
                .as_ref()
                .map(|[columns, rows]| (columns.as_slice(), rows.as_slice()));
            let mut scan = g.scan(&ScanRequest {
                body,
                positive: true,
                ..ScanRequest::default()
            })?;
            levels.push(spans.map(|spans| Level::take(&mut scan, &spans)));
            scans.push(scan);
        }
        Ok(Self {
            grids,
            scans,
            levels,
            sample: None,
        })
    }

    /// Reads a few cells of each grid, for a session that shows those until a session of all cells takes its place.
    ///
    /// # Errors
    /// As [`Data::new`].
    pub fn coarse(grids: Vec<Grid>) -> Result<Self, Error> {
        let sample = Sample::new(&grids)?;
        Ok(Self::sampled(grids, sample))
    }

    pub(super) fn sampled(grids: Vec<Grid>, sample: Sample) -> Self {
        // Positions among a few cells are not positions in the grid.
        let without_places = |s: Stats| Stats {
            min_cells: Vec::new(),
            max_cells: Vec::new(),
            min_ties: 0,
            max_ties: 0,
            ..s
        };
        let scan = |g: &Grid| ScanResult {
            stats: without_places(g.stats()),
            ..ScanResult::default()
        };
        let scans = sample.grids().iter().map(scan).collect();
        let levels = grids.iter().map(|_| None).collect();
        Self {
            grids,
            scans,
            levels,
            sample: Some(sample),
        }
    }
}
