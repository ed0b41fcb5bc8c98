//! Going through the greatest values of a panel.

use super::super::geometry::WindowGeometry;
use super::square::Along;
use super::{Damage, Selection, ViewState, WHEN_READ};
use crate::grid::{Grid, RankedCell, SourceError};
use crate::view::{Part, Track, View};
use std::sync::{Arc, Weak};

/// The most values to go through.
const MOST: usize = 1000;
/// Coming from a view of all data, this many cells per side are shown.
const SEEN: f64 = 40.0;

/// The state of going through the greatest values of a panel.
#[derive(Clone, Debug)]
pub(super) struct Maxima {
    panel: usize,
    /// The data that the list is from.
    grids: Weak<Vec<Grid>>,
    /// The greatest values; empty while the ties of the greatest one suffice.
    list: Vec<RankedCell>,
    /// The number of values shown.
    shown: usize,
    /// The list was at its end, and the greatest value was shown again.
    again: bool,
    /// The selection made last.
    selection: Option<Selection>,
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

impl Maxima {
    fn new(panel: usize, geometry: &WindowGeometry) -> Self {
        Self {
            panel,
            grids: Arc::downgrade(&geometry.grids),
            list: Vec::new(),
            shown: 0,
            again: false,
            selection: None,
        }
    }

    /// The next cell, and after the last one the first again; `None` if no value is finite.
    fn next(&mut self, geometry: &WindowGeometry) -> Result<Option<(usize, usize)>, SourceError> {
        // The statistics have the ties of the maximum without another pass over the cells.
        let ties = geometry.stats.get(self.panel).map_or(&[][..], |s| &s.max_cells);
        let k = self.shown;
        (self.shown, self.again) = (k + 1, false);
        if let Some(cell) = ties.get(k) {
            return Ok(Some(*cell));
        }
        if self.list.is_empty() {
            let Some(grid) = geometry.grids.get(self.panel) else {
                return Ok(None);
            };
            self.list = grid.extremes(MOST, true)?;
        }
        self.again = k >= self.list.len();
        if self.again {
            self.shown = 1;
        }
        Ok(self.list.get(self.shown - 1).map(|f| f.0))
    }
}

impl ViewState {
    /// Selects and centres the greatest value; if the previous one is still selected, the next one.
    pub(super) fn next_maximum(&mut self, geometry: &WindowGeometry) -> Damage {
        if geometry.coarse {
            return self.say(format!("the greatest value will be known {WHEN_READ}"));
        }
        let pointed = self.pointer.and_then(|at| geometry.hit(at).panel());
        let panel = pointed.or(self.selection.as_ref().map(|s| s.panel)).unwrap_or(0);
        if panel >= geometry.panels.len() {
            return Damage::NONE;
        }
        let goes_on = |m: &Maxima| {
            m.panel == panel
                && m.selection.is_some()
                && m.selection == self.selection
                && m.grids.ptr_eq(&Arc::downgrade(&geometry.grids))
        };
        let mut maxima = self
            .maxima
            .take()
            .filter(goes_on)
            .unwrap_or_else(|| Maxima::new(panel, geometry));
        let (row, column) = match maxima.next(geometry) {
            Ok(Some(found)) => found,
            Ok(None) => return self.say("no value is finite".to_owned()),
            Err(e) => return self.say(e.to_string()),
        };
        let selection = self.cell(panel, (row, column), geometry);
        maxima.selection.clone_from(&selection);
        if maxima.again {
            self.say("back at the greatest value".to_owned());
        }
        self.maxima = Some(maxima);
        self.choose(selection) | self.centre(panel, (row, column), geometry)
    }

    /// Centres a cell in its panel, and zooms in if all data were visible.
    fn centre(&mut self, panel: usize, (row, column): (usize, usize), geometry: &WindowGeometry) -> Damage {
        let (at, view) = (&geometry.panels[panel], self.views[panel]);
        if row >= at.y.cells() || column >= at.x.cells() {
            return Damage::NONE;
        }
        let whole = |p: &Part, track: &Track| p.from <= 0.0 && p.to >= track.length();
        let most = if whole(&view.x, &at.x) && whole(&view.y, &at.y) {
            SEEN
        } else {
            f64::INFINITY
        };
        let shown = View {
            x: about_cell(&view.x, &at.x, column, most),
            y: about_cell(&view.y, &at.y, row, most),
        };
        self.look_alike(panel, false, &shown, Along::BOTH, geometry)
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
}
