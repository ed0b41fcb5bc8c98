//! Going through the greatest and the least values of a panel, forward and back.

use super::super::geometry::WindowGeometry;
use super::shape::{Along, Shape};
use super::{Damage, Selection, ViewState, WHEN_READ};
use gridscope_core::grid::{Grid, RankedCell, SourceError};
use gridscope_core::view::{Part, Track, View};
use std::cmp::Ordering;
use std::sync::{Arc, Weak};

/// The most values to go through.
const MOST: usize = 1000;
/// Coming from a view of all data, this many cells per side are shown.
const SEEN: f64 = 40.0;
/// A cell of as many logical pixels is seen without coming nearer.
const LARGE: f64 = 8.0;

/// The state of going through the extreme values of a panel.
#[derive(Clone, Debug)]
pub(super) struct Extremes {
    panel: usize,
    /// The greatest values, else the least.
    greatest: bool,
    /// The data that the list is from.
    grids: Weak<Vec<Grid>>,
    /// The values in order; empty while the ties of the first one suffice.
    list: Vec<RankedCell>,
    /// Which value is shown; `None` before the first one.
    at: Option<usize>,
    /// The selection made last.
    selection: Option<Selection>,
}

/// The value that was gone to.
enum Reached {
    /// Another one than before.
    Cell((usize, usize)),
    /// The first one, after the last one.
    Again((usize, usize)),
    /// Nothing lies before the first one.
    First((usize, usize)),
    /// No value is finite.
    None,
}

/// A part with a cell in its middle: as long as another part, but at most `most` cells.
pub(super) fn about_cell(part: &Part, track: &Track, cell: usize, most: f64) -> Part {
    let [a, b] = track.extent(cell);
    let (middle, len) = (a / 2.0 + b / 2.0, part.len().min(most));
    Part { from: middle - len / 2.0, to: middle + len / 2.0 }
}

/// 2nd, 3rd, 11th.
fn ordinal(n: usize) -> String {
    let end = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

impl Extremes {
    fn new(panel: usize, greatest: bool, geometry: &WindowGeometry) -> Self {
        Self {
            panel,
            greatest,
            grids: Arc::downgrade(&geometry.grids),
            list: Vec::new(),
            at: None,
            selection: None,
        }
    }

    /// Goes to the next value, and after the last one to the first again; or to the one before, up to the first.
    fn turn(&mut self, back: bool, geometry: &WindowGeometry) -> Result<Reached, SourceError> {
        let first = self.at.is_none_or(|at| at == 0);
        let wanted = match self.at {
            Some(at) if back => at.saturating_sub(1),
            Some(at) => at + 1,
            None => 0,
        };
        let (cell, at) = match self.cell(wanted, geometry)? {
            Some(cell) => (cell, wanted),
            None => match self.cell(0, geometry)? {
                Some(cell) => (cell, 0),
                None => return Ok(Reached::None),
            },
        };
        let was = self.at.replace(at);
        Ok(match was {
            Some(_) if back && first => Reached::First(cell),
            Some(_) if at != wanted => Reached::Again(cell),
            _ => Reached::Cell(cell),
        })
    }

    /// Which value was gone to, where the selection does not say so: its rank, and of several panels which one has the greatest
    /// or the least value of all.
    fn said(&self, geometry: &WindowGeometry) -> Option<String> {
        let word = if self.greatest { "greatest" } else { "least" };
        let name = |panel: usize| geometry.grids.get(panel).map_or("", Grid::name);
        let of = match geometry.grids.len() {
            1 => String::new(),
            _ => format!(" of {}", name(self.panel)),
        };
        let rank = self.at?;
        if rank > 0 {
            return Some(format!("{} {word} value{of}", ordinal(rank + 1)));
        }
        let first = |panel: usize| {
            let stats = geometry.stats.get(panel)?;
            let value = if self.greatest { stats.max } else { stats.min }?;
            Some((panel, value))
        };
        let best = (0..geometry.grids.len()).filter_map(first).reduce(|a, b| {
            let beyond = if self.greatest { Ordering::Greater } else { Ordering::Less };
            if b.1.compare(a.1) == Some(beyond) { b } else { a }
        })?;
        let own = first(self.panel)?;
        Some(if own.1.compare(best.1) == Some(Ordering::Equal) {
            format!("{word} value{}", if of.is_empty() { "" } else { " of all panels" })
        } else {
            format!("{word} value{of}; of all panels: {} in {}", best.1, name(best.0))
        })
    }

    /// The cell of a rank.
    fn cell(
        &mut self,
        rank: usize,
        geometry: &WindowGeometry,
    ) -> Result<Option<(usize, usize)>, SourceError> {
        // The statistics have the ties of the first value without another pass over the cells.
        let ties = geometry
            .stats
            .get(self.panel)
            .map_or(&[][..], |s| if self.greatest { &s.max_cells } else { &s.min_cells });
        if let Some(cell) = ties.get(rank) {
            return Ok(Some(*cell));
        }
        if self.list.is_empty() {
            let Some(grid) = geometry.grids.get(self.panel) else {
                return Ok(None);
            };
            self.list = grid.extremes(MOST, self.greatest)?;
        }
        Ok(self.list.get(rank).map(|f| f.0))
    }
}

impl ViewState {
    /// Selects and centres the greatest or the least value; if the previous one is still selected, the one after it or the one
    /// before it.
    pub(super) fn turn_extremes(&mut self, greatest: bool, back: bool, geometry: &WindowGeometry) -> Damage {
        let word = if greatest { "greatest" } else { "least" };
        if geometry.coarse {
            return self.say(format!("the {word} value will be known {WHEN_READ}"));
        }
        let panel = self.panel_meant(geometry);
        if panel >= geometry.panels.len() {
            return Damage::NONE;
        }
        let goes_on = |e: &Extremes| {
            (e.panel, e.greatest) == (panel, greatest)
                && e.selection.is_some()
                && e.selection == self.selection
                && e.grids.ptr_eq(&Arc::downgrade(&geometry.grids))
        };
        let mut extremes =
            self.extremes.take().filter(goes_on).unwrap_or_else(|| Extremes::new(panel, greatest, geometry));
        let ((row, column), said) = match extremes.turn(back, geometry) {
            Ok(Reached::Cell(cell)) => (cell, extremes.said(geometry)),
            Ok(Reached::Again(cell)) => (cell, Some(format!("back at the {word} value"))),
            Ok(Reached::First(cell)) => (cell, Some(format!("this is the {word} value"))),
            Ok(Reached::None) => return self.say("no value is finite".to_owned()),
            Err(e) => return self.say(e.to_string()),
        };
        let selection = self.cell(panel, (row, column), geometry);
        extremes.selection.clone_from(&selection);
        if let Some(said) = said {
            self.say(said);
        }
        self.extremes = Some(extremes);
        self.choose(selection) | self.centre(panel, (row, column), geometry)
    }

    /// Centres a cell in its panel, and zooms in if all data were visible; where they are and the cell is large enough to be
    /// seen, the view stays.
    pub(super) fn centre(
        &mut self,
        panel: usize,
        (row, column): (usize, usize),
        geometry: &WindowGeometry,
    ) -> Damage {
        let (at, view) = (&geometry.panels[panel], self.views[panel]);
        if row >= at.y.cells() || column >= at.x.cells() {
            return Damage::NONE;
        }
        let whole = |p: &Part, track: &Track| p.from <= 0.0 && p.to >= track.length();
        let is_whole = whole(&view.x, &at.x) && whole(&view.y, &at.y);
        let pixels = |p: &Part, track: &Track, cell: usize, length: u32| {
            let [from, to] = track.extent(cell);
            (to - from) / p.len() * f64::from(length)
        };
        let least = LARGE * geometry.logical_pixel();
        let is_large = pixels(&view.x, &at.x, column, at.body.w) >= least
            && pixels(&view.y, &at.y, row, at.body.h) >= least;
        if is_whole && is_large {
            return Damage::NONE;
        }
        let most = if is_whole { SEEN } else { f64::INFINITY };
        let shown =
            View { x: about_cell(&view.x, &at.x, column, most), y: about_cell(&view.y, &at.y, row, most) };
        self.look_alike(panel, false, &shown, Along::BOTH, Shape::Stays, geometry)
    }
}

#[cfg(test)]
mod tests;
