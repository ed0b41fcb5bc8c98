//! Going to a cell by its numbers, or to a row or column by its label.

use super::super::geometry::WindowGeometry;
use super::command::Place;
use super::{Damage, ViewState};
use gridscope_core::grid::Axis;

impl ViewState {
    /// Selects and centres a place.
    pub(super) fn go(&mut self, place: &Place, geometry: &WindowGeometry) -> Damage {
        match place {
            Place::Cell { row, column } => self.go_to_cell(*row, *column, geometry),
            Place::Label(text) => self.go_to_label(text.trim(), geometry),
        }
    }

    fn go_to_cell(&mut self, row: usize, column: usize, geometry: &WindowGeometry) -> Damage {
        let panel = self.panel_meant(geometry);
        let Some(grid) = geometry.grids.get(panel) else {
            return Damage::NONE;
        };
        let (rows, columns) = (grid.rows(), grid.columns());
        let (Some(y), Some(x)) = (within(rows, row), within(columns, column)) else {
            return Damage::NONE;
        };
        let there = (rows.start + y, columns.start + x);
        if there != (row, column) {
            let data = |axis: &Axis| format!("{} to {}", axis.start, axis.start + axis.len() - 1);
            self.say(format!(
                "rows are {}, columns {}: went to {},{}",
                data(rows),
                data(columns),
                there.0,
                there.1
            ));
        }
        let selection = self.cell(panel, (y, x), geometry);
        self.choose(selection) | self.centre(panel, (y, x), geometry)
    }
}

/// The index of a row or column by its number, or of the nearest one; `None` on an axis without cells.
fn within(axis: &Axis, number: usize) -> Option<usize> {
    let last = axis.len().checked_sub(1)?;
    Some(number.saturating_sub(axis.start).min(last))
}

#[cfg(test)]
mod tests {
    use super::super::command::{Colors, Command};
    use super::super::test_window::{at, geometry, of, run, view};
    use super::*;
    use gridscope_core::grid::{Axis, Grid};

    fn go(row: usize, column: usize) -> Command {
        Command::Go(Place::Cell { row, column })
    }

    fn label(text: &str) -> Command {
        Command::Go(Place::Label(text.to_owned()))
    }

    fn chosen(s: &ViewState) -> Option<(usize, usize, usize)> {
        s.selection.as_ref().map(|s| (s.panel, s.rows.start, s.columns.start))
    }

    #[test]
    fn a_cell_is_selected_and_comes_to_the_middle() {
        let w = geometry(2, 300, 400);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &go(100, 200));
        assert_eq!(chosen(&s), Some((0, 100, 200)));
        assert_eq!(s.views[1], view((180.5, 220.5), (80.5, 120.5)));
        assert_eq!(s.message, None);
        run(&mut s, &w, &Command::Point(at(700.0, 100.0)));
        run(&mut s, &w, &go(999, 3));
        assert_eq!(chosen(&s), Some((1, 299, 3)));
        assert_eq!(s.message.as_deref(), Some("rows are 0 to 299, columns 0 to 399: went to 299,3"));
    }

    #[test]
    fn numbers_are_those_of_the_read_out() {
        let mut w = geometry(1, 30, 40);
        let part = w.grids[0].rows().slice(10..30);
        let mut grid = Grid::from_rows(20, 40, vec![0.5; 800]).unwrap();
        grid.set_rows(part).unwrap();
        w = of(1, vec![grid]);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &go(12, 0));
        assert_eq!(chosen(&s), Some((0, 2, 0)));
        run(&mut s, &w, &go(3, 0));
        assert_eq!(chosen(&s), Some((0, 0, 0)));
        assert!(s.message.as_ref().is_some_and(|m| m.contains("went to 10,0")));
    }

    #[test]
    fn a_whole_label_goes_before_a_part_of_one() {
        let mut grid = Grid::from_rows(3, 2, vec![1.0; 6]).unwrap();
        let words = |w: &[&str]| w.iter().map(|t| (*t).to_owned()).collect();
        grid.set_rows(Axis::category("y", words(&["alphabet", "alpha", "3,4"]))).unwrap();
        grid.set_columns(Axis::category("x", words(&["x1", "x2"]))).unwrap();
        let w = of(1, vec![grid]);
        let mut s = ViewState::new(&w);
        for (text, wanted) in [("ALPHA", 1), ("alph", 0), ("bet", 0), ("3,4", 2)] {
            run(&mut s, &w, &label(text));
            assert_eq!(chosen(&s), Some((0, wanted, 0)), "{text}");
        }
        run(&mut s, &w, &label("x2"));
        assert_eq!(s.selection.as_ref().map(|s| (s.rows.clone(), s.columns.clone())), Some((0..3, 1..2)));
        for (text, said) in [("nowhere", "no label contains 'nowhere'"), (" ", "no label contains ''")] {
            run(&mut s, &w, &label(text));
            assert_eq!(s.message.as_deref(), Some(said));
        }
        run(&mut s, &w, &Command::Colors(Colors::InView));
    }
}
