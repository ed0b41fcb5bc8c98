//! Work on all cells of large grids that the window does not wait for: counts of cells beyond limits, and the percentiles and ranges
//! that commands need. The grids remember what is found ([`Grid::remember`]), so that the command finds it when it is done again.

use super::Session;
use crate::readout::count;
use crate::state::{Action, Ask, Command, Damage, Pointed, ViewState};
use crate::task::Task;
use gridscope_core::grid::{Grid, Stats};
use gridscope_draw::resolve::{Colours, LARGE, NOT_COUNTED, count_beyond, unknown_percentiles};
use std::collections::VecDeque;

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
    /// A source failed while cells were counted.
    has_failed: bool,
    /// What is needed is computed at once: for a picture, and for a command that is done again.
    at_once: bool,
}

impl Session {
    /// Whether work on all cells is done beside the session.
    pub(super) fn defers(&self) -> bool {
        let is_large = || self.geometry.grids.iter().map(Grid::len).sum::<usize>() >= LARGE;
        self.wake.is_some() && !self.slow.is_patient && !self.slow.at_once && !self.is_coarse() && is_large()
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
        self.slow.looking.is_some() || self.slow.counting.is_some()
    }

    /// The state before a command that may need all cells.
    pub(super) fn before(&self, command: &Command) -> Option<ViewState> {
        let points = matches!(command, Command::Point(_) | Command::Leave);
        (!points && self.defers()).then(|| self.state.clone())
    }

    /// Takes a command back that needs what is not known of all cells, and has it computed; whether it does.
    pub(super) fn puts_off(&mut self, command: &Command, damage: Damage, before: Option<ViewState>) -> bool {
        if *command == Command::Do(Action::Cancel) && self.slow.looking.take().is_some() {
            self.slow.waiting.clear();
            self.show_message("ended".to_owned());
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
            let (grids, stats) = (self.geometry.grids.clone(), self.geometry.stats.clone());
            let work = move |goes_on: &(dyn Fn() -> bool + Sync)| ask.answer(&grids, &stats, goes_on);
            self.slow.looking = Some(Task::start(self.wake.as_ref(), work));
        }
        true
    }

    /// Counts the cells beyond the limits of these colours, where they are not counted yet.
    pub(super) fn count_later(&mut self, colours: &Colours) {
        if self.slow.counting.is_some() || self.slow.has_failed || !self.defers() {
            return;
        }
        let of = |(i, p): (usize, &gridscope_draw::resolve::PanelColours)| {
            let is_open = p.below == NOT_COUNTED || p.above == NOT_COUNTED;
            let spec = p.scale.spec();
            is_open.then(|| (self.geometry.grids[i].clone(), [spec.vmin, spec.vmax]))
        };
        let open: Vec<(Grid, [f64; 2])> = colours.panels.iter().enumerate().filter_map(of).collect();
        if open.is_empty() {
            return;
        }
        let work = move |goes_on: &(dyn Fn() -> bool + Sync)| {
            // A fault of the source is met again by whoever needs the count.
            open.iter().take_while(|_| goes_on()).all(|(grid, limits)| count_beyond(grid, *limits).is_ok())
        };
        self.slow.counting = Some(Task::start(self.wake.as_ref(), work));
    }

    /// Takes up what was computed: counts, or what a command waited for, which is done now.
    pub(super) fn collect_slow(&mut self) {
        if let Some(is_whole) = self.slow.counting.as_mut().and_then(Task::take) {
            self.slow.counting = None;
            self.slow.has_failed = !is_whole;
            self.damage.colors = true;
            self.rests |= !self.unrest;
        }
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
