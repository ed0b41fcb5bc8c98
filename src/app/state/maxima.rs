//! The greatest values of a panel, one after the other.

use super::super::world::World;
use super::moves::carry;
use super::square::Along;
use super::{Damage, Selection, State};
use crate::grid::{Found, Grid, SourceError};
use crate::view::{Part, Track, View};
use std::sync::{Arc, Weak};

/// So many of the greatest values are gone through.
const MOST: usize = 1000;
/// So many cells a side are seen where a view of all is left.
const SEEN: f64 = 40.0;

/// How far the greatest values of a panel were gone through.
#[derive(Clone, Debug)]
pub(super) struct Maxima {
    panel: usize,
    /// The data that the list was made of.
    grids: Weak<Vec<Grid>>,
    /// The greatest values; empty as long as ties of the very greatest suffice.
    list: Vec<Found>,
    /// How many were shown.
    shown: usize,
    /// What was selected then.
    selection: Option<Selection>,
}

/// A cell in the middle of a part as long as another, or of so many cells.
pub(super) fn about_cell(part: &Part, track: &Track, cell: usize, most: f64) -> Part {
    let [a, b] = track.extent(cell);
    let (middle, len) = (a / 2.0 + b / 2.0, part.len().min(most));
    Part { from: middle - len / 2.0, to: middle + len / 2.0 }
}

impl Maxima {
    fn new(panel: usize, world: &World) -> Self {
        Self { panel, grids: Arc::downgrade(&world.grids), list: Vec::new(), shown: 0, selection: None }
    }

    /// The next cell and whether it is the first again; `None` without a value.
    fn next(&mut self, world: &World) -> Result<Option<((usize, usize), bool)>, SourceError> {
        // The statistics know the first ones without another pass over the cells.
        let ties = world.stats.get(self.panel).map_or(&[][..], |s| &s.max_cells);
        let k = self.shown;
        self.shown += 1;
        if let Some(cell) = ties.get(k) {
            return Ok(Some((*cell, false)));
        }
        if self.list.is_empty() {
            let Some(grid) = world.grids.get(self.panel) else { return Ok(None) };
            self.list = grid.extremes(MOST, true)?;
        }
        let again = k >= self.list.len();
        if again {
            self.shown = 1;
        }
        Ok(self.list.get(if again { 0 } else { k }).map(|f| (f.0, again)))
    }
}

impl State {
    /// Selects and centres the greatest value, or the next one as long as the last one found is still selected.
    pub(super) fn next_maximum(&mut self, world: &World) -> Damage {
        let pointed = self.pointer.and_then(|at| world.place(at).panel());
        let panel = pointed.or(self.selection.as_ref().map(|s| s.panel)).unwrap_or(0);
        if panel >= world.panels.len() {
            return Damage::NONE;
        }
        let goes_on = |m: &Maxima| {
            m.panel == panel && m.selection.is_some() && m.selection == self.selection && m.grids.ptr_eq(&Arc::downgrade(&world.grids))
        };
        let mut maxima = self.maxima.take().filter(goes_on).unwrap_or_else(|| Maxima::new(panel, world));
        let ((row, column), again) = match maxima.next(world) {
            Ok(Some(found)) => found,
            Ok(None) => return self.say("no value is finite".to_owned()),
            Err(e) => return self.say(e.to_string()),
        };
        let selection = self.block(panel, &(row..row + 1), &(column..column + 1), (row, column), world);
        maxima.selection.clone_from(&selection);
        self.maxima = Some(maxima);
        if again {
            self.say("again the greatest value".to_owned());
        }
        self.choose(selection) | self.centre(panel, (row, column), world)
    }

    /// A cell in the middle of its panel; a view of all comes nearer.
    fn centre(&mut self, panel: usize, (row, column): (usize, usize), world: &World) -> Damage {
        let (at, view) = (&world.panels[panel], self.views[panel]);
        if row >= at.y.cells() || column >= at.x.cells() {
            return Damage::NONE;
        }
        let whole = |p: &Part, track: &Track| p.from <= 0.0 && p.to >= track.length();
        let most = if whole(&view.x, &at.x) && whole(&view.y, &at.y) { SEEN } else { f64::INFINITY };
        let shown = View { x: about_cell(&view.x, &at.x, column, most), y: about_cell(&view.y, &at.y, row, most) };
        self.look_alike(panel, &shown, Along::BOTH, world)
    }

    /// Shows parts of a panel, and the same shares of the others.
    pub(super) fn look_alike(&mut self, panel: usize, shown: &View, along: Along, world: &World) -> Damage {
        let at = &world.panels[panel];
        let over = |p: &Part, from: f64, to: f64| Part { from: carry(p.from, from, to), to: carry(p.to, from, to) };
        self.look_at(world, None, along, |p, _| View {
            x: over(&shown.x, at.x.length(), p.x.length()),
            y: over(&shown.y, at.y.length(), p.y.length()),
        })
    }
}
