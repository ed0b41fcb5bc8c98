//! Selections of cells.

use super::super::geometry::{Hit, WindowGeometry};
use super::{Damage, Selection, ViewState};
use gridscope_core::geom::Point;
use gridscope_core::view::EdgeTable;
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

/// The clicks of a double click are at most this many logical pixels apart.
pub(crate) const DOUBLE_CLICK: f64 = 5.0;

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
        let anchor =
            (anchor.0.clamp(rows.start, rows.end - 1), anchor.1.clamp(columns.start, columns.end - 1));
        Some(Selection { panel, rows, columns, anchor })
    }

    /// A block of one cell (row, column); `None` where the panel has no such cell.
    pub(super) fn cell(
        &self,
        panel: usize,
        (row, column): (usize, usize),
        geometry: &WindowGeometry,
    ) -> Option<Selection> {
        self.block(panel, &(row..row + 1), &(column..column + 1), (row, column), geometry)
    }

    /// A click on a cell, on an axis beside a row or column, or outside of both.
    pub(super) fn click(&mut self, at: Point, extend: bool, geometry: &WindowGeometry) -> Damage {
        self.clicked = (!extend).then(|| (at, self.selection.clone()));
        // Beside a row all columns are meant, and beside a column all rows.
        let found = match geometry.hit(at) {
            Hit::Body(i) => {
                geometry.panels[i].under(at).map(|(columns, rows)| (i, Some(columns), Some(rows)))
            }
            Hit::XAxis(i) => geometry.panels[i].columns_at(at.x).map(|c| (i, Some(c), None)),
            Hit::YAxis(i) => geometry.panels[i].rows_at(at.y).map(|r| (i, None, Some(r))),
            _ => None,
        };
        let Some((panel, columns, rows)) = found else {
            return if extend { Damage::NONE } else { self.choose(None) };
        };
        let selection = match &self.selection {
            Some(s) if extend && s.panel == panel => {
                let side = |anchor: usize, span: Option<[u32; 2]>| {
                    span.map_or(0..usize::MAX, |span| reach(anchor, span))
                };
                let anchor = s.anchor;
                let (rows, columns) = (side(anchor.0, rows), side(anchor.1, columns));
                self.block(panel, &rows, &columns, anchor, geometry)
            }
            _ => {
                // A pixel of several cells is all of them.
                let side = |span: Option<[u32; 2]>| {
                    span.map_or(0..usize::MAX, |span| span[0] as usize..span[1] as usize)
                };
                let (rows, columns) = (side(rows), side(columns));
                self.block(panel, &rows, &columns, (rows.start, columns.start), geometry)
            }
        };
        self.choose(selection)
    }

    /// Takes back the selection of a click at this place: it was the first of a double click.
    pub(super) fn take_back_click(&mut self, at: Point, geometry: &WindowGeometry) -> Damage {
        let near =
            |there: &Point| (there.x - at.x).hypot(there.y - at.y) <= DOUBLE_CLICK * geometry.logical_pixel();
        match self.clicked.take().filter(|(there, _)| near(there)) {
            Some((_, before)) => {
                let before =
                    before.and_then(|s| self.block(s.panel, &s.rows, &s.columns, s.anchor, geometry));
                self.choose(before)
            }
            None => Damage::NONE,
        }
    }

    /// Selects all cells of the panel under the pointer, else of the panel of the selection, else of the first.
    pub(super) fn select_all(&mut self, geometry: &WindowGeometry) -> Damage {
        let panel = self.panel_meant(geometry);
        self.select(panel, &(0..usize::MAX), &(0..usize::MAX), geometry)
    }

    /// The panel that a key means: that under the pointer, else the large one, that of the selection, the first.
    pub(super) fn panel_meant(&self, geometry: &WindowGeometry) -> usize {
        let pointed = self.pointer.and_then(|at| geometry.hit(at).panel());
        pointed
            .or(geometry.large)
            .or(self.selection.as_ref().map(|s| s.panel))
            .or(self.panel_pointed.filter(|p| *p < geometry.grids.len()))
            .unwrap_or(0)
    }

    /// The panel that moves by keys concern while one panel only moves; `None`: all of them.
    pub(super) fn one_by_key(&self, geometry: &WindowGeometry) -> Option<usize> {
        self.is_alone(false).then(|| self.panel_meant(geometry))
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
        let selection = self.block(panel, &across(from.1, rows), &across(from.0, columns), anchor, geometry);
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
    use gridscope_core::view::Track;

    fn chosen(s: &ViewState) -> Option<(usize, Range<usize>, Range<usize>)> {
        s.selection.as_ref().map(|s| (s.panel, s.rows.clone(), s.columns.clone()))
    }

    fn click(x: f64, y: f64, extend: bool) -> Command {
        Command::Click { at: at(x, y), extend }
    }

    #[test]
    fn a_double_click_leaves_the_selection() {
        let w = geometry(2, 30, 40);
        for chosen_before in [None, Some((1, 3..7, 2..4))] {
            let mut s = ViewState::new(&w);
            if let Some((panel, rows, columns)) = chosen_before.clone() {
                s.apply(&Command::Select { panel, rows, columns }, &w);
            }
            let fit = |x: f64, y: f64| Command::Fit { at: at(x, y), alone: false };
            s.apply(&click(155.0, 75.0, false), &w);
            s.apply(&Command::Point(at(158.0, 77.0)), &w);
            s.apply(&fit(158.0, 77.0), &w);
            assert_eq!(chosen(&s), chosen_before);
            // A fit elsewhere, or after something else, is not a second click.
            s.apply(&click(155.0, 75.0, false), &w);
            s.apply(&fit(255.0, 75.0), &w);
            assert_eq!(chosen(&s), Some((0, 2..3, 5..6)));
            s.apply(&click(165.0, 75.0, false), &w);
            s.apply(&Command::Do(Action::Home), &w);
            s.apply(&fit(165.0, 75.0), &w);
            assert_eq!(chosen(&s), Some((0, 2..3, 6..7)));
        }
    }

    #[test]
    fn all_cells_of_the_panel_that_is_meant_are_selected() {
        let w = geometry(2, 30, 40);
        let mut s = ViewState::new(&w);
        let all = |s: &mut ViewState| {
            s.apply(&Command::Do(Action::SelectAll), &w);
            chosen(s)
        };
        assert_eq!(all(&mut s), Some((0, 0..30, 0..40)));
        s.apply(&Command::Point(at(700.0, 100.0)), &w);
        assert_eq!(all(&mut s), Some((1, 0..30, 0..40)));
        s.apply(&Command::Point(at(3.0, 3.0)), &w);
        assert_eq!(all(&mut s), Some((1, 0..30, 0..40)), "the panel of the selection");
        let none = geometry(0, 1, 1);
        let mut s = ViewState::new(&none);
        s.apply(&Command::Do(Action::SelectAll), &none);
        assert_eq!(chosen(&s), None);
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
    fn an_axis_selects_its_row_or_column() {
        let w = geometry(2, 30, 40);
        let mut s = ViewState::new(&w);
        // Beside row 2, then below column 5 of the second panel.
        s.apply(&click(90.0, 75.0, false), &w);
        assert_eq!(chosen(&s), Some((0, 2..3, 0..40)));
        s.apply(&click(90.0, 105.0, true), &w);
        assert_eq!(chosen(&s), Some((0, 2..6, 0..40)));
        s.apply(&click(655.0, 360.0, true), &w);
        assert_eq!(chosen(&s), Some((1, 0..30, 5..6)));
        s.apply(&click(605.0, 360.0, true), &w);
        assert_eq!(chosen(&s), Some((1, 0..30, 0..6)));
        // A cell bounds both sides again.
        s.apply(&click(615.0, 65.0, true), &w);
        assert_eq!(chosen(&s), Some((1, 0..2, 1..6)));
        // Between two labels of an axis with a gap there is nothing to select.
        let mut gap = geometry(1, 2, 2);
        gap.panels[0].x = Track::placed(vec![[0.0, 1.0], [3.0, 4.0]]);
        let mut s = ViewState::new(&gap);
        paint(&mut gap, &s);
        s.apply(&click(300.0, 360.0, false), &gap);
        assert_eq!(chosen(&s), None);
    }

    #[test]
    fn a_click_on_a_pixel_of_several_cells_selects_all_of_them() {
        let w = geometry(1, 600, 800);
        let mut s = ViewState::new(&w);
        s.apply(&click(100.0, 51.5, false), &w);
        assert_eq!(chosen(&s), Some((0, 2..4, 0..2)));
        s.apply(&click(110.0, 60.0, true), &w);
        assert_eq!(chosen(&s), Some((0, 2..22, 0..22)));
        s.apply(&Command::Begin { drag: Drag::Select, at: at(110.0, 60.0), alone: false }, &w);
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
        s.apply(&Command::Begin { drag: Drag::Select, at: at(260.0, 60.0), alone: false }, &w);
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
