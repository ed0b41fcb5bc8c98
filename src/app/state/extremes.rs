//! Going through the greatest and the least values of a panel, forward and back.

use super::super::geometry::WindowGeometry;
use super::shape::Shape;
use super::square::Along;
use super::{Damage, Selection, ViewState, WHEN_READ};
use crate::grid::{Grid, RankedCell, SourceError};
use crate::view::{Part, Track, View};
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
enum Found {
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
    Part {
        from: middle - len / 2.0,
        to: middle + len / 2.0,
    }
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
    fn turn(&mut self, back: bool, geometry: &WindowGeometry) -> Result<Found, SourceError> {
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
                None => return Ok(Found::None),
            },
        };
        let was = self.at.replace(at);
        Ok(match was {
            Some(_) if back && first => Found::First(cell),
            Some(_) if at != wanted => Found::Again(cell),
            _ => Found::Cell(cell),
        })
    }

    /// The cell of a rank.
    fn cell(
        &mut self,
        rank: usize,
        geometry: &WindowGeometry,
    ) -> Result<Option<(usize, usize)>, SourceError> {
        // The statistics have the ties of the first value without another pass over the cells.
        let ties = geometry.stats.get(self.panel).map_or(&[][..], |s| {
            if self.greatest { &s.max_cells } else { &s.min_cells }
        });
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
        let mut extremes = self
            .extremes
            .take()
            .filter(goes_on)
            .unwrap_or_else(|| Extremes::new(panel, greatest, geometry));
        let ((row, column), said) = match extremes.turn(back, geometry) {
            Ok(Found::Cell(cell)) => (cell, None),
            Ok(Found::Again(cell)) => (cell, Some(format!("back at the {word} value"))),
            Ok(Found::First(cell)) => (cell, Some(format!("this is the {word} value"))),
            Ok(Found::None) => return self.say("no value is finite".to_owned()),
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
        let shown = View {
            x: about_cell(&view.x, &at.x, column, most),
            y: about_cell(&view.y, &at.y, row, most),
        };
        self.look_alike(panel, false, &shown, (Along::BOTH, Shape::Stays), geometry)
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::Command;
    use super::super::test_window::{at, geometry, of};
    use super::*;

    fn next(s: &mut ViewState, w: &WindowGeometry) -> Option<(usize, usize, usize)> {
        s.apply(&Command::Do(Action::NextMaximum), w);
        s.selection
            .as_ref()
            .map(|s| (s.panel, s.rows.start, s.columns.start))
    }

    #[test]
    fn the_greatest_come_one_after_the_other_and_again() {
        let w = of(
            1,
            vec![Grid::from_rows(2, 2, vec![5.0, 9.0, f64::NAN, 9.0]).unwrap()],
        );
        let mut s = ViewState::new(&w);
        let found: Vec<_> = (0..3).map(|_| next(&mut s, &w).unwrap()).collect();
        assert_eq!(
            (found, &s.message),
            (vec![(0, 0, 1), (0, 1, 1), (0, 0, 0)], &None)
        );
        assert_eq!(
            (next(&mut s, &w), s.message.as_deref()),
            (Some((0, 0, 1)), Some("back at the greatest value"))
        );
        assert_eq!(next(&mut s, &w), Some((0, 1, 1)));
        // Moving the view continues the list, selecting starts it again.
        s.apply(
            &Command::Zoom {
                at: at(200.0, 100.0),
                factor: 1.5,
                alone: false,
            },
            &w,
        );
        assert_eq!(next(&mut s, &w), Some((0, 0, 0)));
        s.apply(&Command::Do(Action::Cancel), &w);
        assert_eq!(next(&mut s, &w), Some((0, 0, 1)));
        let other = of(1, vec![Grid::from_rows(2, 2, vec![7.0, 1.0, 1.0, 2.0]).unwrap()]);
        assert_eq!(next(&mut s, &other), Some((0, 0, 0)), "other data");
        let none = of(1, vec![Grid::from_rows(1, 1, vec![f64::INFINITY]).unwrap()]);
        let mut s = ViewState::new(&none);
        assert_eq!(
            (next(&mut s, &none), s.message.as_deref()),
            (None, Some("no value is finite"))
        );
    }

    #[test]
    fn the_view_comes_nearer_once_and_then_follows() {
        let w = geometry(2, 300, 400);
        let mut s = ViewState::new(&w);
        next(&mut s, &w);
        assert_eq!(
            s.views[1],
            View {
                x: Part {
                    from: 360.0,
                    to: 400.0
                },
                y: Part {
                    from: 260.0,
                    to: 300.0
                }
            }
        );
        s.apply(
            &Command::Show(View {
                x: Part { from: 0.0, to: 9.0 },
                y: Part { from: 0.0, to: 9.0 },
            }),
            &w,
        );
        s.apply(&Command::Point(at(700.0, 100.0)), &w);
        assert_eq!(next(&mut s, &w), Some((1, 299, 399)));
        assert_eq!(
            s.views[0],
            View {
                x: Part {
                    from: 391.0,
                    to: 400.0
                },
                y: Part {
                    from: 291.0,
                    to: 300.0
                }
            }
        );
        s.apply(&Command::Do(Action::Back), &w);
        assert_eq!(s.views[0].x, Part { from: 0.0, to: 9.0 });
        let w = geometry(1, 20, 1000);
        let mut s = ViewState::new(&w);
        next(&mut s, &w);
        assert_eq!(
            s.views[0],
            View {
                x: Part {
                    from: 960.0,
                    to: 1000.0
                },
                y: Part { from: 0.0, to: 20.0 }
            }
        );
    }

    #[test]
    fn a_cell_that_is_seen_well_does_not_move_the_view() {
        // Cells of 8 pixels and of 7.
        for (rows, columns, stays) in [(20, 50, true), (37, 50, true), (20, 57, false), (43, 50, false)] {
            let w = geometry(1, rows, columns);
            let mut s = ViewState::new(&w);
            let whole = s.views[0];
            assert_eq!(next(&mut s, &w), Some((0, rows - 1, columns - 1)));
            assert_eq!(s.views[0] == whole, stays, "{rows} x {columns}");
        }
    }

    #[test]
    fn one_goes_back_through_what_was_found_and_to_the_least() {
        let w = of(
            1,
            vec![Grid::from_rows(2, 3, vec![5.0, 9.0, f64::NAN, 9.0, -1.0, 2.0]).unwrap()],
        );
        let mut s = ViewState::new(&w);
        let mut go = |action: Action| {
            s.apply(&Command::Do(action), &w);
            let at = s.selection.as_ref().map(|s| s.anchor).unwrap();
            (at, s.message.clone().unwrap_or_default())
        };
        let place = |row, column| ((row, column), String::new());
        let (next, before) = (Action::NextMaximum, Action::PreviousMaximum);
        assert_eq!(go(before), place(0, 1));
        assert_eq!(go(before), ((0, 1), "this is the greatest value".to_owned()));
        assert_eq!(
            [next, next, before].map(&mut go),
            [place(1, 0), place(0, 0), place(1, 0)]
        );
        // The least values are a list of their own.
        let (next, before) = (Action::NextMinimum, Action::PreviousMinimum);
        assert_eq!(
            [next, next, next].map(&mut go),
            [place(1, 1), place(1, 2), place(0, 0)]
        );
        assert_eq!([before, before].map(&mut go), [place(1, 2), place(1, 1)]);
        assert_eq!(go(before), ((1, 1), "this is the least value".to_owned()));
        let round: Vec<_> = (0..5).map(|_| go(next)).collect();
        assert_eq!(
            round.last(),
            Some(&((1, 1), "back at the least value".to_owned()))
        );
    }

    #[test]
    fn every_step_back_undoes_a_step() {
        let mut dice = crate::app::dice::Dice(5);
        for _ in 0..20 {
            let n = 1 + dice.below(9) as usize;
            let values = (0..n * 3).map(|_| dice.below(4) as f64).collect();
            let w = of(1, vec![Grid::from_rows(n, 3, values).unwrap()]);
            let mut s = ViewState::new(&w);
            let mut seen = Vec::new();
            let mut go = |action| {
                s.apply(&Command::Do(action), &w);
                s.selection.as_ref().map(|s| s.anchor)
            };
            (0..n * 3).for_each(|_| seen.push(go(Action::NextMinimum)));
            let mut places = seen.clone();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), n * 3, "each cell once");
            for wanted in seen.iter().rev().skip(1) {
                assert_eq!(go(Action::PreviousMinimum), *wanted);
            }
        }
    }
}
