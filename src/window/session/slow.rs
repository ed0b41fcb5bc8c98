//! Work on all cells of large grids that the window does not wait for: counts of cells beyond limits, sums of rows and columns,
//! another order, the percentiles and ranges that commands and changed data need. The grids remember what is found
//! ([`Grid::remember`]), so that the command finds it when it is done again.

use super::sorting::Sorting;
use super::{Data, Session};
use crate::readout::count;
use crate::state::{Action, Ask, Command, Damage, Pointed, ViewState};
use crate::task::{GoesOn, Task};
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Grid, MarginRequest, Margins, ScanRequest, SourceError, Stats};
use gridscope_draw::resolve::{Colours, LARGE, NOT_COUNTED, count_beyond, unknown_percentiles};
use std::collections::VecDeque;
use std::sync::Arc;

/// Work beside a session.
#[derive(Debug, Default)]
pub(super) struct Slow {
    /// It is a person who waits: a script takes each step when the one before is done.
    pub is_patient: bool,
    /// Commands that wait, and what each was pointed at. The first one's cells are being looked at.
    pub waiting: VecDeque<(Command, Pointed)>,
    looking: Option<Task<()>>,
    /// Cells beyond limits that are being counted; whether all could be.
    counting: Option<Task<bool>>,
    /// The sums of rows and columns of each grid that are being computed.
    summing: Option<(MarginRequest, Task<Sums>)>,
    /// Another order that is being made.
    pub sorting: Option<Sorting>,
    /// Changed data, and the work on what their colours are made of.
    pub coming: Option<(Figure, Data, Task<()>)>,
    /// A source failed while cells were counted.
    has_failed: bool,
    /// What is needed is computed at once: for a picture, and for a command that is done again.
    at_once: bool,
}

impl Slow {
    /// No work; `is_patient`: nor will there be any.
    pub(super) fn new(is_patient: bool) -> Self {
        Self { is_patient, ..Self::default() }
    }
}

/// Sums of the rows and columns of each grid.
type Sums = Result<Vec<Arc<Margins>>, SourceError>;

/// Sums up rows and columns.
fn sums(grids: &[Grid], margins: MarginRequest) -> Sums {
    let ask = ScanRequest { margins, ..ScanRequest::default() };
    grids.iter().map(|grid| Ok(grid.scan(&ask)?.margins)).collect()
}

/// Whether these grids have so many cells that a window does not wait for a pass over them.
fn are_large(grids: &[Grid]) -> bool {
    grids.iter().map(Grid::len).sum::<usize>() >= LARGE
}

impl Session {
    /// Whether work on all cells is done beside the session.
    pub(super) fn defers(&self) -> bool {
        !self.slow.at_once && !self.is_coarse() && self.defers_over(&self.geometry.grids)
    }

    /// Whether a pass over these grids is done beside the session.
    fn defers_over(&self, grids: &[Grid]) -> bool {
        self.wake.is_some() && !self.slow.is_patient && are_large(grids)
    }

    /// From now on nothing is done beside the session.
    pub(crate) fn be_patient(&mut self) {
        self.slow.is_patient = true;
    }

    /// Does `work` with whatever it needs at once.
    pub(super) fn at_once<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.slow.at_once, true);
        let done = work(self);
        self.slow.at_once = before;
        done
    }

    /// Whether a command waits for what is computed.
    pub(crate) fn waits_for_cells(&self) -> bool {
        self.slow.looking.is_some()
    }

    /// Whether a picture would have to wait for what is computed beside the session.
    pub(super) fn awaits_cells(&self) -> bool {
        let slow = &self.slow;
        slow.looking.is_some() || slow.counting.is_some() || slow.summing.is_some() || slow.sorting.is_some()
    }

    /// The state before a command that may need all cells.
    pub(super) fn before(&self, command: &Command) -> Option<ViewState> {
        let points = matches!(command, Command::Point(_) | Command::Leave);
        (!points && self.defers()).then(|| self.state.clone())
    }

    /// Takes a command back that needs what is not known of all cells, and has it computed; whether it does.
    pub(super) fn puts_off(&mut self, command: &Command, damage: Damage, before: Option<ViewState>) -> bool {
        if *command == Command::Do(Action::Cancel) {
            self.end_waiting();
        }
        let asked = self.state.take_ask();
        let Some(before) = before else { return false };
        let ask = match asked {
            Some(ask) => ask,
            None if damage.colors || damage.layout => {
                let (grids, stats) = (&self.geometry.grids, &self.geometry.stats);
                let stats: Vec<&Stats> = stats.iter().collect();
                let unknown = unknown_percentiles(&self.figure, &self.overrides(), grids, &stats);
                match unknown.unwrap_or_default() {
                    unknown if unknown.is_empty() => return false,
                    unknown => Ask::Percentiles(unknown),
                }
            }
            None => return false,
        };
        self.state = before;
        let cells: usize = self.geometry.grids.iter().map(Grid::len).sum();
        self.show_message(format!("{} of {} cells are looked at; Esc ends it", ask.what(), count(cells)));
        self.slow.waiting.push_back((command.clone(), self.state.pointed()));
        self.damage.overlay = true;
        if self.slow.looking.is_none() {
            let stats = self.geometry.stats.clone();
            let work = move |grids: &[Grid], goes_on: GoesOn<'_>| ask.answer(grids, &stats, goes_on);
            self.slow.looking = Some(Task::over(self.wake.as_ref(), &self.geometry.grids, work));
        }
        true
    }

    /// Ends what a person waits for.
    fn end_waiting(&mut self) {
        let looked = self.slow.looking.take().is_some();
        self.slow.waiting.clear();
        if self.end_sorting() || looked {
            self.show_message("ended".to_owned());
        }
    }

    /// Sums up rows and columns beside the session, unless that is being done; `None`: nothing is to be summed up.
    pub(super) fn sum_later(&mut self, wanted: Option<MarginRequest>) {
        let wanted = wanted.filter(|_| !self.slow.has_failed);
        if self.slow.summing.as_ref().map(|summing| summing.0) == wanted {
            return;
        }
        let work = |wanted| move |grids: &[Grid], _: GoesOn<'_>| sums(grids, wanted);
        let start = |wanted| Task::over(self.wake.as_ref(), &self.geometry.grids, work(wanted));
        self.slow.summing = wanted.map(|wanted| (wanted, start(wanted)));
    }

    /// Sums up rows and columns now.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub(super) fn sum_now(&mut self, wanted: MarginRequest) -> Result<(), SourceError> {
        self.slow.summing = None;
        let found = sums(&self.geometry.grids, wanted)?;
        self.scans.iter_mut().zip(found).for_each(|(scan, margins)| scan.margins = margins);
        Ok(())
    }

    /// Returns changed data that can be shown now. Those whose colours are made of ranks that are not known yet come with
    /// [`Session::take_changed`].
    pub(crate) fn foresee(&mut self, figure: Figure, data: Data) -> Option<(Figure, Data)> {
        // Data that were to come before are out of date.
        self.slow.coming = None;
        let stats: Vec<Stats> = data.scans.iter().map(|scan| scan.stats.clone()).collect();
        let listed: Vec<&Stats> = stats.iter().collect();
        let unknown = match self.defers_over(&data.grids) {
            true => unknown_percentiles(&figure, &self.overrides(), &data.grids, &listed).unwrap_or_default(),
            false => Vec::new(),
        };
        if unknown.is_empty() {
            return Some((figure, data));
        }
        let ask = Ask::Percentiles(unknown);
        let work = move |grids: &[Grid], goes_on: GoesOn<'_>| ask.answer(grids, &stats, goes_on);
        let task = Task::over(self.wake.as_ref(), &data.grids, work);
        self.slow.coming = Some((figure, data, task));
        None
    }

    /// Changed data, once what their colours are made of is known.
    pub(crate) fn take_changed(&mut self) -> Option<(Figure, Data)> {
        self.slow.coming.as_mut()?.2.take()?;
        self.slow.coming.take().map(|(figure, data, _)| (figure, data))
    }

    /// Counts the cells beyond the limits of these colours, where they are not counted yet.
    pub(super) fn count_later(&mut self, colours: &Colours) {
        if self.slow.counting.is_some() || self.slow.has_failed || !self.defers() {
            return;
        }
        let of = |(i, p): (usize, &gridscope_draw::resolve::PanelColours)| {
            let is_open = p.below == NOT_COUNTED || p.above == NOT_COUNTED;
            let spec = p.scale.spec();
            is_open.then_some((i, [spec.vmin, spec.vmax]))
        };
        let open: Vec<(usize, [f64; 2])> = colours.panels.iter().enumerate().filter_map(of).collect();
        if open.is_empty() {
            return;
        }
        let work = move |grids: &[Grid], goes_on: GoesOn<'_>| {
            // A fault of the source is met again by whoever needs the count.
            open.iter().take_while(|_| goes_on()).all(|(i, limits)| count_beyond(&grids[*i], *limits).is_ok())
        };
        self.slow.counting = Some(Task::over(self.wake.as_ref(), &self.geometry.grids, work));
    }

    /// Takes up what was computed: counts, or what a command waited for, which is done now.
    pub(super) fn collect_slow(&mut self) {
        if let Some(is_whole) = self.slow.counting.as_mut().and_then(Task::take) {
            self.slow.counting = None;
            self.slow.has_failed = !is_whole;
            self.damage.colors = true;
            self.rests |= !self.unrest;
        }
        self.collect_sums();
        self.collect_sorted();
        if self.slow.looking.as_mut().is_some_and(|task| task.take().is_some()) {
            self.slow.looking = None;
            self.state.message = None;
            self.damage.overlay = true;
            let first = self.slow.waiting.pop_front();
            // What could not be found says so now.
            self.at_once(|session| session.apply_again(first));
            let others = std::mem::take(&mut self.slow.waiting);
            self.apply_again(others);
        }
    }

    /// Takes up the sums of rows and columns.
    fn collect_sums(&mut self) {
        let Some(found) = self.slow.summing.as_mut().and_then(|summing| summing.1.take()) else {
            return;
        };
        self.slow.summing = None;
        match found {
            Ok(found) => {
                self.scans.iter_mut().zip(found).for_each(|(scan, margins)| scan.margins = margins);
            }
            Err(e) => {
                self.slow.has_failed = true;
                self.show_message(e.to_string());
            }
        }
        self.damage.layout = true;
        self.rests |= !self.unrest;
    }

    /// Applies commands that waited as they were meant, until one waits again.
    pub(super) fn apply_again(&mut self, commands: impl IntoIterator<Item = (Command, Pointed)>) {
        let mut commands = commands.into_iter();
        while let Some((command, pointed)) = commands.next() {
            let now = self.state.point_as(pointed);
            self.apply(&command);
            self.state.point_as(now);
            if self.slow.looking.is_some() {
                self.slow.waiting.extend(commands.by_ref());
            }
        }
    }
}
