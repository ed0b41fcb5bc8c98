//! The greatest values of a panel, one after the other.

use super::super::geometry::WindowGeometry;
use super::moves::carry;
use super::square::Along;
use super::{Damage, Selection, ViewState, WHEN_READ};
use crate::grid::{Grid, RankedCell, SourceError};
use crate::view::{Part, Track, View};
use std::sync::{Arc, Weak};

/// At most this many of the greatest values are visited.
const MOST: usize = 1000;
/// This many cells per side are shown after a view of all data.
const SEEN: f64 = 40.0;

/// How far the greatest values of a panel were gone through.
#[derive(Clone, Debug)]
pub(super) struct Maxima {
    panel: usize,
    /// The data that the list was made of.
    grids: Weak<Vec<Grid>>,
    /// The greatest values; empty as long as ties of the very greatest suffice.
    list: Vec<RankedCell>,
    /// How many were shown.
    shown: usize,
    /// The last one was the greatest once more.
    again: bool,
    /// What was selected then.
    selection: Option<Selection>,
}

/// A cell in the middle of a part as long as another, or of this many cells.
pub(super) fn about_cell(part: &Part, track: &Track, cell: usize, most: f64) -> Part {
    let [a, b] = track.extent(cell);
    let (middle, len) = (a / 2.0 + b / 2.0, part.len().min(most));
    Part {
        from: middle - len / 2.0,
        to: middle + len / 2.0,
    }
}

impl Maxima {
    fn new(panel: usize, world: &WindowGeometry) -> Self {
        Self {
            panel,
            grids: Arc::downgrade(&world.grids),
            list: Vec::new(),
            shown: 0,
            again: false,
            selection: None,
        }
    }

    /// The next cell, after the last one the first again; `None` without a value.
    fn next(&mut self, world: &WindowGeometry) -> Result<Option<(usize, usize)>, SourceError> {
        // The statistics know the first ones without another pass over the cells.
        let ties = world.stats.get(self.panel).map_or(&[][..], |s| &s.max_cells);
        let k = self.shown;
        (self.shown, self.again) = (k + 1, false);
        if let Some(cell) = ties.get(k) {
            return Ok(Some(*cell));
        }
        if self.list.is_empty() {
            let Some(grid) = world.grids.get(self.panel) else {
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
    /// Selects and centres the greatest value, or the next one as long as the last one found is still selected.
    pub(super) fn next_maximum(&mut self, world: &WindowGeometry) -> Damage {
        if world.coarse {
            return self.say(format!("the greatest value is known {WHEN_READ}"));
        }
        let pointed = self.pointer.and_then(|at| world.place(at).panel());
        let panel = pointed.or(self.selection.as_ref().map(|s| s.panel)).unwrap_or(0);
        if panel >= world.panels.len() {
            return Damage::NONE;
        }
        let goes_on = |m: &Maxima| {
            m.panel == panel
                && m.selection.is_some()
                && m.selection == self.selection
                && m.grids.ptr_eq(&Arc::downgrade(&world.grids))
        };
        let mut maxima = self
            .maxima
            .take()
            .filter(goes_on)
            .unwrap_or_else(|| Maxima::new(panel, world));
        let (row, column) = match maxima.next(world) {
            Ok(Some(found)) => found,
            Ok(None) => return self.say("no value is finite".to_owned()),
            Err(e) => return self.say(e.to_string()),
        };
        let selection = self.block(
            panel,
            &(row..row + 1),
            &(column..column + 1),
            (row, column),
            world,
        );
        maxima.selection.clone_from(&selection);
        if maxima.again {
            self.say("again the greatest value".to_owned());
        }
        self.maxima = Some(maxima);
        self.choose(selection) | self.centre(panel, (row, column), world)
    }

    /// A cell in the middle of its panel; a view of all comes nearer.
    fn centre(&mut self, panel: usize, (row, column): (usize, usize), world: &WindowGeometry) -> Damage {
        let (at, view) = (&world.panels[panel], self.views[panel]);
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
        self.look_alike(panel, &shown, Along::BOTH, world)
    }

    /// Shows parts of a panel, and the same shares of the others.
    pub(super) fn look_alike(
        &mut self,
        panel: usize,
        shown: &View,
        along: Along,
        world: &WindowGeometry,
    ) -> Damage {
        let at = &world.panels[panel];
        let over = |p: &Part, from: f64, to: f64| Part {
            from: carry(p.from, from, to),
            to: carry(p.to, from, to),
        };
        self.look_at(world, None, along, |p, _| View {
            x: over(&shown.x, at.x.length(), p.x.length()),
            y: over(&shown.y, at.y.length(), p.y.length()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::Command;
    use super::super::sample::{at, of, world};
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
            (Some((0, 0, 1)), Some("again the greatest value"))
        );
        assert_eq!(next(&mut s, &w), Some((0, 1, 1)));
        // Looking around goes on, selecting begins again.
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
        let w = world(2, 300, 400);
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
        let w = world(1, 20, 1000);
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
