//! Selections of cells.

use super::super::geometry::{Hit, WindowGeometry};
use super::{Damage, Selection, ViewState};
use crate::geom::Point;
use crate::view::EdgeTable;
use std::ops::Range;

/// The cells under the pixel nearest to a place along a side; in a gap, those next to it.
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

/// All cells from an anchor to a span.
fn reach(anchor: usize, span: [u32; 2]) -> Range<usize> {
    anchor.min(span[0] as usize)..(anchor + 1).max(span[1] as usize)
}

impl ViewState {
    /// Replaces the selection.
    pub(super) fn choose(&mut self, selection: Option<Selection>) -> Damage {
        let changed = self.selection != selection;
        self.selection = selection;
        Damage::OVERLAY.when(changed)
    }

    /// A block of a panel, cut to its cells; `None` if nothing is left.
    pub(super) fn block(
        &self,
        panel: usize,
        rows: &Range<usize>,
        columns: &Range<usize>,
        anchor: (usize, usize),
        geometry: &WindowGeometry,
    ) -> Option<Selection> {
        let at = geometry.panels.get(panel)?;
        let cut = |r: &Range<usize>, n: usize| r.start.min(n)..r.end.min(n);
        let (rows, columns) = (cut(rows, at.y.cells()), cut(columns, at.x.cells()));
        if rows.is_empty() || columns.is_empty() {
            return None;
        }
        let anchor = (
            anchor.0.clamp(rows.start, rows.end - 1),
            anchor.1.clamp(columns.start, columns.end - 1),
        );
        Some(Selection {
            panel,
            rows,
            columns,
            anchor,
        })
    }

    /// A block of one cell (row, column); `None` where the panel has no such cell.
    pub(super) fn cell(
        &self,
        panel: usize,
        (row, column): (usize, usize),
        geometry: &WindowGeometry,
    ) -> Option<Selection> {
        self.block(
            panel,
            &(row..row + 1),
            &(column..column + 1),
            (row, column),
            geometry,
        )
    }

    /// A click on a cell, or outside of all cells.
    pub(super) fn click(&mut self, at: Point, extend: bool, geometry: &WindowGeometry) -> Damage {
        let found = match geometry.hit(at) {
            Hit::Body(i) => geometry.panels[i].under(at).map(|spans| (i, spans)),
            _ => None,
        };
        let Some((panel, (columns, rows))) = found else {
            return if extend { Damage::NONE } else { self.choose(None) };
        };
        let selection = match &self.selection {
            Some(s) if extend && s.panel == panel => self.block(
                panel,
                &reach(s.anchor.0, rows),
                &reach(s.anchor.1, columns),
                s.anchor,
                geometry,
            ),
            _ => self.cell(panel, (rows[0] as usize, columns[0] as usize), geometry),
        };
        self.choose(selection)
    }

    /// First and end of the columns and of the rows of a panel nearest to a point.
    pub(super) fn spans_near(
        panel: usize,
        at: Point,
        geometry: &WindowGeometry,
    ) -> Option<([u32; 2], [u32; 2])> {
        let p = geometry.panels.get(panel)?;
        Some((
            span_near(&p.columns, at.x - f64::from(p.body.x))?,
            span_near(&p.rows, at.y - f64::from(p.body.y))?,
        ))
    }

    /// Selects the block from the cells where a drag began to those nearest to a point.
    pub(super) fn select_to(
        &mut self,
        panel: usize,
        from: ([u32; 2], [u32; 2]),
        at: Point,
        geometry: &WindowGeometry,
    ) -> Damage {
        let Some((columns, rows)) = Self::spans_near(panel, at, geometry) else {
            return Damage::NONE;
        };
        let anchor = (from.1[0] as usize, from.0[0] as usize);
        let selection = self.block(
            panel,
            &across(from.1, rows),
            &across(from.0, columns),
            anchor,
            geometry,
        );
        self.choose(selection)
    }

    /// Selects these cells as far as they exist, or nothing.
    pub(super) fn select(
        &mut self,
        panel: usize,
        rows: &Range<usize>,
        columns: &Range<usize>,
        geometry: &WindowGeometry,
    ) -> Damage {
        if panel >= geometry.panels.len() {
            return Damage::NONE;
        }
        let selection = self.block(panel, rows, columns, (rows.start, columns.start), geometry);
        self.choose(selection)
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Command, Drag};
    use super::super::test_window::{at, geometry, paint};
    use super::*;
    use crate::view::Track;

    fn chosen(s: &ViewState) -> Option<(usize, Range<usize>, Range<usize>)> {
        s.selection
            .as_ref()
            .map(|s| (s.panel, s.rows.clone(), s.columns.clone()))
    }

    fn click(x: f64, y: f64, extend: bool) -> Command {
        Command::Click { at: at(x, y), extend }
    }

    #[test]
    fn clicks_select_and_extend() {
        let w = geometry(2, 30, 40);
        let mut s = ViewState::new(&w);
        // Cells are 10 x 10 pixels.
        assert_eq!(s.apply(&click(155.0, 75.0, false), &w).damage, Damage::OVERLAY);
        assert_eq!(chosen(&s), Some((0, 2..3, 5..6)));
        assert_eq!(s.apply(&click(155.0, 75.0, false), &w).damage, Damage::NONE);
        s.apply(&click(125.0, 105.0, true), &w);
        assert_eq!(
            (chosen(&s), s.selection.as_ref().map(|s| s.anchor)),
            (Some((0, 2..6, 2..6)), Some((2, 5)))
        );
        s.apply(&click(195.0, 55.0, true), &w);
        assert_eq!(chosen(&s), Some((0, 0..3, 5..10)));
        s.apply(&click(605.0, 55.0, true), &w);
        assert_eq!(chosen(&s), Some((1, 0..1, 0..1)));
        assert_eq!(s.apply(&click(5.0, 5.0, true), &w).damage, Damage::NONE);
        s.apply(&click(5.0, 5.0, false), &w);
        assert_eq!(chosen(&s), None);
    }

    #[test]
    fn pixels_of_several_cells_give_the_first_and_blocks_hold_all() {
        let w = geometry(1, 600, 800);
        let mut s = ViewState::new(&w);
        s.apply(&click(100.0, 51.5, false), &w);
        assert_eq!(chosen(&s), Some((0, 2..3, 0..1)));
        s.apply(&click(110.0, 60.0, true), &w);
        assert_eq!(chosen(&s), Some((0, 2..22, 0..22)));
        s.apply(
            &Command::Begin {
                drag: Drag::Select,
                at: at(110.0, 60.0),
                alone: false,
            },
            &w,
        );
        assert_eq!(chosen(&s), Some((0, 20..22, 20..22)));
        s.apply(&Command::Move(at(105.0, 900.0)), &w);
        assert_eq!(chosen(&s), Some((0, 20..600, 10..22)));
        assert_eq!(s.apply(&Command::Do(Action::Cancel), &w).damage, Damage::OVERLAY);
        assert_eq!(chosen(&s), Some((0, 2..22, 0..22)));
    }

    #[test]
    fn gaps_hold_no_cell() {
        let mut w = geometry(1, 2, 2);
        w.panels[0].x = Track::placed(vec![[0.0, 1.0], [3.0, 4.0]]);
        let mut s = ViewState::new(&w);
        paint(&mut w, &s);
        s.apply(&click(500.0 - 1.0, 60.0, false), &w);
        assert_eq!(chosen(&s), Some((0, 0..1, 1..2)));
        s.apply(&click(300.0, 60.0, false), &w);
        assert_eq!(chosen(&s), None);
        s.apply(
            &Command::Begin {
                drag: Drag::Select,
                at: at(260.0, 60.0),
                alone: false,
            },
            &w,
        );
        s.apply(&Command::End(at(390.0, 340.0)), &w);
        assert_eq!((chosen(&s), s.is_dragging()), (Some((0, 0..2, 0..2)), false));
    }

    #[test]
    fn indices_are_cut_to_the_grid() {
        let w = geometry(1, 30, 40);
        let mut s = ViewState::new(&w);
        let select = |panel, rows, columns| Command::Select { panel, rows, columns };
        s.apply(&select(0, 5..usize::MAX, 39..50), &w);
        assert_eq!(chosen(&s), Some((0, 5..30, 39..40)));
        assert_eq!(s.apply(&select(3, 0..1, 0..1), &w).damage, Damage::NONE);
        s.apply(&select(0, 90..99, 0..1), &w);
        assert_eq!(chosen(&s), None);
    }
}
