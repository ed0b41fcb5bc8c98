//! Cells that are selected.

use super::super::world::{Place, World};
use super::{Damage, Selection, State};
use crate::geom::Point;
use crate::view::EdgeTable;
use std::ops::Range;

/// The cells under the pixel nearest to a place along a side; where there is a gap, those beside it.
fn span_near(table: &EdgeTable, at: f64) -> Option<[u32; 2]> {
    let spans = table.spans();
    let last = spans.len().checked_sub(1)?;
    let pixel = (at.max(0.0) as usize).min(last);
    let shows = |i: usize| spans.get(i).copied().filter(|s| s[0] < s[1]);
    (0..=last).find_map(|d| shows(pixel + d).or_else(|| pixel.checked_sub(d).and_then(shows)))
}

/// All cells from those of one span to those of another.
fn across(a: [u32; 2], b: [u32; 2]) -> Range<usize> {
    a[0].min(b[0]) as usize..a[1].max(b[1]) as usize
}

/// From a cell to a span.
fn reach(anchor: usize, span: [u32; 2]) -> Range<usize> {
    anchor.min(span[0] as usize)..(anchor + 1).max(span[1] as usize)
}

impl State {
    /// Selects cells, or none.
    pub(super) fn choose(&mut self, selection: Option<Selection>) -> Damage {
        let changed = self.selection != selection;
        self.selection = selection;
        Damage::OVERLAY.when(changed)
    }

    /// A block of a panel, cut to its cells; `None` where nothing is left.
    pub(super) fn block(
        &self,
        panel: usize,
        rows: &Range<usize>,
        columns: &Range<usize>,
        anchor: (usize, usize),
        world: &World,
    ) -> Option<Selection> {
        let at = world.panels.get(panel)?;
        let cut = |r: &Range<usize>, n: usize| r.start.min(n)..r.end.min(n);
        let (rows, columns) = (cut(rows, at.y.cells()), cut(columns, at.x.cells()));
        if rows.is_empty() || columns.is_empty() {
            return None;
        }
        let anchor = (anchor.0.clamp(rows.start, rows.end - 1), anchor.1.clamp(columns.start, columns.end - 1));
        Some(Selection { panel, rows, columns, anchor })
    }

    /// A click on a cell, or beside them.
    pub(super) fn click(&mut self, at: Point, extend: bool, world: &World) -> Damage {
        let found = match world.place(at) {
            Place::Body(i) => world.panels[i].under(at).map(|spans| (i, spans)),
            _ => None,
        };
        let Some((panel, (columns, rows))) = found else { return if extend { Damage::NONE } else { self.choose(None) } };
        let selection = match &self.selection {
            Some(s) if extend && s.panel == panel => {
                self.block(panel, &reach(s.anchor.0, rows), &reach(s.anchor.1, columns), s.anchor, world)
            }
            _ => {
                let (row, column) = (rows[0] as usize, columns[0] as usize);
                self.block(panel, &(row..row + 1), &(column..column + 1), (row, column), world)
            }
        };
        self.choose(selection)
    }

    /// First and end of the columns and of the rows of a panel nearest to a point.
    pub(super) fn spans_near(panel: usize, at: Point, world: &World) -> Option<([u32; 2], [u32; 2])> {
        let p = world.panels.get(panel)?;
        Some((span_near(&p.columns, at.x - f64::from(p.body.x))?, span_near(&p.rows, at.y - f64::from(p.body.y))?))
    }

    /// The block from the cells where a drag began to those nearest to a point.
    pub(super) fn select_to(&mut self, panel: usize, from: ([u32; 2], [u32; 2]), at: Point, world: &World) -> Damage {
        let Some((columns, rows)) = Self::spans_near(panel, at, world) else { return Damage::NONE };
        let anchor = (from.1[0] as usize, from.0[0] as usize);
        let selection = self.block(panel, &across(from.1, rows), &across(from.0, columns), anchor, world);
        self.choose(selection)
    }

    /// These cells, as far as they exist; none of them: nothing.
    pub(super) fn select(&mut self, panel: usize, rows: &Range<usize>, columns: &Range<usize>, world: &World) -> Damage {
        if panel >= world.panels.len() {
            return Damage::NONE;
        }
        let selection = self.block(panel, rows, columns, (rows.start, columns.start), world);
        self.choose(selection)
    }
}
