//! Traces: the values of one cell in all slices along an axis. A reader beside the window reads them.

use super::Session;
use crate::geometry::Hit;
use gridscope_core::grid::{Axis, Grid, Number, SourceError};

/// A cell whose values in all slices along an axis are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceWish {
    /// The name of its panel.
    pub panel: String,
    /// Its row and its column.
    pub cell: (usize, usize),
    /// The labels of both, by which it is found in slices that are in another order.
    pub labels: (String, String),
    /// The axis, by its place in `at`.
    pub along: usize,
    /// An index for every axis of [`WindowGeometry::slices`](crate::WindowGeometry::slices); that of the axis itself is 0.
    pub at: Vec<usize>,
    /// Counts the wishes: a cell that is wanted again is read again.
    pub number: u64,
}

impl TraceWish {
    /// The value of the cell in a slice; `None` where it has none.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub fn value(&self, grids: &[Grid]) -> Result<Option<f64>, SourceError> {
        let found = grids.iter().find(|g| g.name() == self.panel).and_then(|grid| {
            let row = line(grid.rows(), self.cell.0, &self.labels.0)?;
            Some((grid, row, line(grid.columns(), self.cell.1, &self.labels.1)?))
        });
        let Some((grid, row, column)) = found else {
            return Ok(None);
        };
        let cells = grid.read_numbers(row..row + 1, column..column + 1)?;
        Ok(cells.first().and_then(|cell| cell.value()).map(Number::as_f64))
    }
}

/// The line with a label, which usually is at the same place in all slices.
fn line(axis: &Axis, usual: usize, label: &str) -> Option<usize> {
    let is_it = |i: &usize| axis.label(*i) == label;
    Some(usual).filter(|i| *i < axis.len() && is_it(i)).or_else(|| (0..axis.len()).find(is_it))
}

/// Values of a trace that were read one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TracePart {
    /// The trace.
    pub of: TraceWish,
    /// The index of the first one along the axis, which follows those of the part before.
    pub from: usize,
    /// The values; `None` where a slice has none.
    pub values: Vec<Option<f64>>,
    /// Why no more follow, where not all could be read.
    pub failed: Option<String>,
}

impl TracePart {
    /// Values of `of` from an index on.
    pub fn new(of: TraceWish, from: usize, values: Vec<Option<f64>>) -> Self {
        Self { of, from, values, failed: None }
    }

    /// No values from an index on, for this reason.
    pub fn failed(of: TraceWish, from: usize, why: String) -> Self {
        Self { of, from, values: Vec::new(), failed: Some(why) }
    }
}

/// The trace that is shown, as far as it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trace<'a> {
    /// The panel, the row and the column that it is of.
    pub cell: (usize, usize, usize),
    /// The axis, by its place among those that are sliced.
    pub along: usize,
    /// The values from index 0 on.
    pub values: &'a [Option<f64>],
    /// Why no more values follow.
    pub failed: Option<&'a str>,
}

/// What a session knows of traces.
#[derive(Clone, Debug, Default)]
pub(super) struct Traces {
    /// The panel, the row and the column that are traced; the pointer may have left them.
    cell: Option<(usize, usize, usize)>,
    /// What is traced.
    wish: Option<TraceWish>,
    /// How many wishes there were.
    count: u64,
    /// All parts of a trace that have come, together.
    known: TracePart,
}

impl Traces {
    /// The data are others from now on.
    pub(super) fn forget(&mut self) {
        (self.wish, self.known) = (None, TracePart::default());
    }

    /// Wants a trace from now on, or none; its number does not matter.
    fn want(&mut self, wish: Option<TraceWish>) {
        let number = self.count;
        let wish = wish.map(|wish| TraceWish { number, ..wish });
        if self.wish != wish {
            self.count += 1;
            self.wish = wish.map(|wish| TraceWish { number: self.count, ..wish });
        }
    }

    /// The trace that is wanted, as far as it is known.
    pub(super) fn shown(&self) -> Option<Trace<'_>> {
        let wish = self.wish.as_ref()?;
        let known = Some(&self.known).filter(|known| known.of == *wish);
        Some(Trace {
            cell: self.cell?,
            along: wish.along,
            values: known.map_or(&[], |known| &known.values),
            failed: known.and_then(|known| known.failed.as_deref()),
        })
    }
}

impl Session {
    /// Traces the cell under the pointer from now on, else the one that was selected first, else the one before.
    pub(super) fn follow_trace(&mut self) {
        let is_on = self.state.trace && !self.geometry.slices.is_empty();
        let selected = || self.state.selection.as_ref().map(|s| (s.panel, s.anchor.0, s.anchor.1));
        let found = || self.pointed_cell().or_else(selected).or(self.traces.cell);
        self.traces.cell = if is_on { found() } else { None };
        self.traces.want(self.traced());
    }

    /// The panel, the row and the column under the pointer.
    fn pointed_cell(&self) -> Option<(usize, usize, usize)> {
        let at = self.state.pointer?;
        let (Hit::Body(panel) | Hit::Divider(panel)) = self.geometry.hit(at) else {
            return None;
        };
        let (row, column) = self.geometry.panels.get(panel)?.cell(at)?;
        Some((panel, row, column))
    }

    /// The trace of the cell that is traced, where the data have it.
    fn traced(&self) -> Option<TraceWish> {
        let (panel, row, column) = self.traces.cell?;
        let grid = self.geometry.grids.get(panel).filter(|g| row < g.height() && column < g.width())?;
        let along = self.state.slices.chosen;
        let mut at = self.state.slices.wanted.clone();
        *at.get_mut(along)? = 0;
        Some(TraceWish {
            panel: grid.name().to_owned(),
            cell: (row, column),
            labels: (grid.rows().label(row), grid.columns().label(column)),
            along,
            at,
            number: 0,
        })
    }

    /// The trace to read; `None` where none is shown, or all of it is known.
    pub(super) fn trace_to_read(&self) -> Option<TraceWish> {
        let wish = self.traces.wish.as_ref()?;
        let (known, all) = (&self.traces.known, self.geometry.slices.get(wish.along)?.len());
        let is_known = *wish == known.of && (known.values.len() >= all || known.failed.is_some());
        (!is_known).then(|| wish.clone())
    }

    /// Takes values of the trace that is shown; those of another one are left out.
    pub fn take_trace(&mut self, part: TracePart) {
        if self.traces.wish.as_ref() != Some(&part.of) {
            return;
        }
        let known = &mut self.traces.known;
        if known.of == part.of {
            known.values.truncate(part.from);
            known.values.extend(part.values);
            known.failed = part.failed;
        } else {
            *known = part;
        }
        self.damage.overlay = true;
    }
}
