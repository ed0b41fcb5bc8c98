//! The data of a session, and the surroundings of its figure: the desktop's theme, other files, progress.

use super::Session;
use crate::levels::{Levels, spans};
use crate::state::Typing;
use crate::state::{Command, Menuing};
use gridscope_core::figure::{Figure, Theme};
use gridscope_core::grid::{Grid, ScanRequest, ScanResult, Stats};
use gridscope_draw::coarse::Sample;
use gridscope_draw::error::Error;
use gridscope_draw::resolve::{Overrides, percentiles_of, scan_requests, unknown_percentiles};
use std::sync::Arc;

/// The most bytes of the levels of all grids.
const MOST_OF_LEVELS: u64 = 512 << 20;

/// Grids with the results of a pass over their cells; for a coarse session, over a few of their cells.
#[derive(Clone, Debug)]
pub struct Data {
    pub(super) grids: Arc<Vec<Grid>>,
    pub(super) scans: Vec<ScanResult>,
    pub(super) levels: Vec<Option<Levels>>,
    pub(super) sample: Option<Sample>,
}

impl Data {
    /// Reads all cells once. Summaries of blocks of huge grids, which stand in while the view moves, take up to 512 MiB.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub fn new(grids: Vec<Grid>) -> Result<Self, Error> {
        Self::within(grids, &Figure::default(), MOST_OF_LEVELS)
    }

    /// As [`Data::new`], with the cells beyond the limits of a figure counted by the same pass, and with at most this many
    /// bytes, and at most 512 MiB, for the Summaries of blocks of all grids.
    ///
    /// # Errors
    /// As [`Data::new`].
    pub fn within(grids: Vec<Grid>, figure: &Figure, bytes: u64) -> Result<Self, Error> {
        let cells: u64 = grids.iter().map(|g| g.len() as u64).sum();
        let bytes = bytes.min(MOST_OF_LEVELS);
        let (mut scans, mut levels) = (Vec::with_capacity(grids.len()), Vec::with_capacity(grids.len()));
        // A figure whose scales do not fit its grids is refused by the session.
        let requests = scan_requests(figure, &grids).unwrap_or_default();
        for (i, g) in grids.iter().enumerate() {
            // Each grid has its share.
            let share = bytes as f64 * g.len() as f64 / cells.max(1) as f64;
            let spans = spans(g, share as u64);
            let body = spans.as_ref().map(|[columns, rows]| (columns.as_slice(), rows.as_slice()));
            let mut scan = g.scan(&ScanRequest {
                body,
                positive: true,
                ..requests.get(i).copied().unwrap_or_default()
            })?;
            levels.push(spans.map(|spans| Levels::take(&mut scan, &spans)));
            scans.push(scan);
        }
        // The window does not wait for the ranks of large grids, which these remember.
        let stats: Vec<&Stats> = scans.iter().map(|scan| &scan.stats).collect();
        let unknown = unknown_percentiles(figure, &Overrides::default(), &grids, &stats).unwrap_or_default();
        for asked in unknown {
            percentiles_of(&grids, &asked.panels, &stats, &asked.at)?;
        }
        Ok(Self { grids: Arc::new(grids), scans, levels, sample: None })
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
        let without_places =
            |s: Stats| Stats { min_cells: Vec::new(), max_cells: Vec::new(), min_ties: 0, max_ties: 0, ..s };
        let scan = |g: &Grid| ScanResult { stats: without_places(g.stats()), ..ScanResult::default() };
        let scans = sample.grids().iter().map(scan).collect();
        let levels = grids.iter().map(|_| None).collect();
        Self { grids: Arc::new(grids), scans, levels, sample: Some(sample) }
    }
}

/// The number of frames whose times are remembered.
const MOST_TIMES: usize = 120;

impl Session {
    /// Prepares for a command: a menu closes, so that its command is about the place below it, and files that are asked for are noted.
    pub(super) fn prepare(&mut self, command: &Command) {
        let keeps_menu = matches!(
            command,
            Command::Point(_) | Command::Leave | Command::Move(_) | Command::Menu(Menuing::Step(_))
        );
        if !keeps_menu {
            self.geometry.menu = None;
        }
        if matches!(command, Command::Open { .. } | Command::Read(_) | Command::Save(_)) {
            self.file = Some(command.clone());
        }
    }

    /// Follows the desktop's theme, unless the figure has its own or one was chosen by hand.
    pub fn follow_theme(&mut self, desktop: Theme) {
        if self.state.themed {
            return;
        }
        // A word of the figure goes first, and the usual theme needs none in what is written.
        let theme = Some(desktop).filter(|t| *t != Theme::default() && self.figure.theme.is_none());
        self.damage.layout |= theme != self.state.overrides.theme;
        self.state.overrides.theme = theme;
    }

    /// Takes the command that asked for other files or flags, or for a file to be saved.
    pub fn take_file(&mut self) -> Option<Command> {
        self.file.take()
    }

    /// Lists files in the menu, those opened last first.
    pub fn set_recent(&mut self, files: &[String]) {
        self.state.recent = files.to_vec();
    }

    /// Offers flags that read the files in another way, the likeliest first; `why` is shown.
    pub fn offer(&mut self, why: &str, flags: Vec<String>) {
        self.show_message(format!("{why}; F9: other columns"));
        self.state.offers = flags;
    }

    /// Refuses a line of the prompt, which can be changed.
    pub(crate) fn refuse(&mut self, line: &str, why: Vec<String>) {
        let _ = self.apply(&Command::Type(Typing::Prompt(line.to_owned())));
        self.damage |= self.state.refuse(why);
    }

    /// Records how many milliseconds the last frame took.
    pub fn add_frame_time(&mut self, ms: f64) {
        self.times.push_back(ms);
        if self.times.len() > MOST_TIMES {
            self.times.pop_front();
        }
    }
}
