//! Searching the labels of rows and columns, and going to a cell by its numbers or its label.

use super::super::geometry::WindowGeometry;
use super::command::{Destination, Entry};
use super::extremes::about_cell;
use super::shape::{Along, Shape};
use super::{Damage, Selection, ViewState};
use gridscope_core::grid::Axis;
use gridscope_core::view::View;

/// The number of rows or columns that are shown around a match.
const SEEN: f64 = 40.0;

/// A label; labels of columns are ordered before those of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Label {
    row: bool,
    cell: usize,
}

/// The rows and columns of a panel whose labels a search finds, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matches {
    /// Its rows.
    pub rows: Vec<usize>,
    /// Its columns.
    pub columns: Vec<usize>,
}

/// The cells of an axis whose labels contain a text in lower case. Without labels, a position matches only as
/// a whole number.
fn matches<'a>(axis: &'a Axis, text: &'a str) -> Box<dyn Iterator<Item = usize> + 'a> {
    if axis.levels.is_empty() {
        let index = text.trim().parse::<usize>().ok().and_then(|n| n.checked_sub(axis.start));
        return Box::new(index.filter(|i| *i < axis.len()).into_iter());
    }
    Box::new((0..axis.len()).filter(move |i| axis.label(*i).to_lowercase().contains(text)))
}

impl ViewState {
    /// Finds what is marked while the search is typed: all rows and columns of all panels whose labels contain its text.
    pub(super) fn find_all(&mut self, geometry: &WindowGeometry) {
        self.matches.clear();
        let text = self.typed(Entry::Search).unwrap_or_default().to_lowercase();
        if text.is_empty() {
            return;
        }
        let all = |axis: &Axis| -> Vec<usize> { matches(axis, &text).collect() };
        for grid in geometry.grids.iter() {
            // Panels mostly share their axes.
            let same = geometry
                .grids
                .iter()
                .zip(&self.matches)
                .find(|(g, _)| (g.rows(), g.columns()) == (grid.rows(), grid.columns()));
            let found = match same {
                Some((_, found)) => found.clone(),
                None => Matches { rows: all(grid.rows()), columns: all(grid.columns()) },
            };
            self.matches.push(found);
        }
    }

    /// Goes to the match after the last one, or to the one before it.
    pub(super) fn find(&mut self, text: &str, back: bool, geometry: &WindowGeometry) -> Damage {
        let Some(grid) = geometry.grids.first().filter(|_| !text.is_empty() && !geometry.panels.is_empty())
        else {
            return Damage::NONE;
        };
        let lower = text.to_lowercase();
        let columns = matches(grid.columns(), &lower).map(|cell| Label { row: false, cell });
        let rows = matches(grid.rows(), &lower).map(|cell| Label { row: true, cell });
        // Only the ends, the neighbours of the last match and the number of matches are stored, however many there are.
        let (mut first, mut last, mut before, mut after, mut count) = (None, None, None, None, 0usize);
        for label in columns.chain(rows) {
            count += 1;
            let here = Some((count, label));
            (first, last) = (first.or(here), here);
            match self.found {
                Some(found) if label < found => before = here,
                Some(found) if label == found => {}
                _ => after = after.or(here),
            }
        }
        let wanted = if back { before.or(last) } else { after.or(first) };
        let Some((nth, label)) = wanted else {
            return self.say(format!("no label contains '{text}'"));
        };
        self.found = Some(label);
        let axis = if label.row { grid.rows() } else { grid.columns() };
        self.say(format!("{nth} of {count}: {}", axis.label(label.cell)));
        self.show_label(label, geometry)
    }

    /// Goes to the row or column with this label, else to the first one whose label contains it.
    fn go_to_label(&mut self, text: &str, geometry: &WindowGeometry) -> Damage {
        let Some(grid) = geometry.grids.first().filter(|_| !geometry.panels.is_empty()) else {
            return Damage::NONE;
        };
        let lower = text.to_lowercase();
        if lower.is_empty() {
            return self.say(format!("no label contains '{text}'"));
        }
        let whole = |axis: &Axis| matches(axis, &lower).find(|i| axis.label(*i).to_lowercase() == lower);
        let column = whole(grid.columns()).map(|cell| Label { row: false, cell });
        let row = || whole(grid.rows()).map(|cell| Label { row: true, cell });
        match column.or_else(row) {
            Some(label) => self.show_label(label, geometry),
            None => {
                self.found = None;
                self.find(text, false, geometry)
            }
        }
    }

    /// Selects the row or column of a label and centres it.
    fn show_label(&mut self, label: Label, geometry: &WindowGeometry) -> Damage {
        let (at, view) = (&geometry.panels[0], self.views[0]);
        let (rows, columns, cell) = (at.y.cells(), at.x.cells(), label.cell);
        if cell >= if label.row { rows } else { columns } {
            return Damage::NONE;
        }
        let (selection, shown, along) = if label.row {
            let shown = View { y: about_cell(&view.y, &at.y, cell, SEEN), ..view };
            (
                Selection { panel: 0, rows: cell..cell + 1, columns: 0..columns, anchor: (cell, 0) },
                shown,
                Along { x: false, y: true },
            )
        } else {
            let shown = View { x: about_cell(&view.x, &at.x, cell, SEEN), ..view };
            (
                Selection { panel: 0, rows: 0..rows, columns: cell..cell + 1, anchor: (0, cell) },
                shown,
                Along { x: true, y: false },
            )
        };
        self.choose(Some(selection)) | self.look_alike(0, false, &shown, along, Shape::Stays, geometry)
    }
}

impl ViewState {
    /// Selects and centres a place.
    pub(super) fn go(&mut self, place: &Destination, geometry: &WindowGeometry) -> Damage {
        match place {
            Destination::Cell { row, column } => self.go_to_cell(*row, *column, geometry),
            Destination::Label(text) => self.go_to_label(text.trim(), geometry),
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
    use super::super::action::Action;
    use super::super::command::{Colors, Command, Entry, Erased, Typing};
    use super::super::test_window::{at, geometry, of, run, view};
    use super::*;
    use gridscope_core::grid::Grid;
    use gridscope_core::view::Part;

    fn named(rows: &[&str], columns: &[&str]) -> WindowGeometry {
        let mut g =
            Grid::from_rows(rows.len(), columns.len(), vec![1.0; rows.len() * columns.len()]).unwrap();
        let words = |w: &[&str]| w.iter().map(|t| (*t).to_owned()).collect();
        g.set_rows(Axis::category("y", words(rows))).unwrap();
        g.set_columns(Axis::category("x", words(columns))).unwrap();
        of(1, vec![g])
    }

    fn typed(s: &mut ViewState, w: &WindowGeometry, text: &str) {
        s.apply(&Command::Type(Typing::Open(Entry::Search)), w);
        s.apply(&Command::Type(Typing::Text(text.to_owned())), w);
    }

    fn next(s: &mut ViewState, w: &WindowGeometry) -> (String, Option<(usize, usize)>) {
        s.apply(&Command::Type(Typing::Enter { back: false }), w);
        (s.message.clone().unwrap_or_default(), s.selection.as_ref().map(|s| s.anchor))
    }

    #[test]
    fn labels_of_columns_then_rows_are_found_in_turn() {
        let w = named(&["Alpha", "beta", "gamma"], &["x1", "ALPHA"]);
        let mut s = ViewState::new(&w);
        typed(&mut s, &w, "alpha");
        assert_eq!(next(&mut s, &w), ("1 of 2: ALPHA".to_owned(), Some((0, 1))));
        assert_eq!(s.selection.as_ref().map(|s| (s.rows.clone(), s.columns.clone())), Some((0..3, 1..2)));
        assert_eq!(next(&mut s, &w), ("2 of 2: Alpha".to_owned(), Some((0, 0))));
        assert_eq!(s.selection.as_ref().map(|s| (s.rows.clone(), s.columns.clone())), Some((0..1, 0..2)));
        assert_eq!(next(&mut s, &w).0, "1 of 2: ALPHA");
        for wanted in ["2 of 2: Alpha", "1 of 2: ALPHA"] {
            s.apply(&Command::Type(Typing::Enter { back: true }), &w);
            assert_eq!(s.message.as_deref(), Some(wanted));
        }
        s.apply(&Command::Type(Typing::Text("s\n".to_owned())), &w);
        assert_eq!(next(&mut s, &w).0, "no label contains 'alphas'");
        (0..6).for_each(|_| _ = s.apply(&Command::Type(Typing::Erase(Erased::Before)), &w));
        assert_eq!(s.typed(Entry::Search), Some(""));
        assert_eq!(
            (s.apply(&Command::Type(Typing::Erase(Erased::Before)), &w).damage, next(&mut s, &w).0),
            (Damage::NONE, String::new())
        );
        assert_eq!(s.apply(&Command::Do(Action::Cancel), &w).damage, Damage::OVERLAY);
        assert_eq!(
            (s.line.clone(), s.apply(&Command::Type(Typing::Text("a".to_owned())), &w).damage),
            (None, Damage::NONE)
        );
    }

    #[test]
    fn every_match_of_every_panel_is_marked_while_the_search_is_open() {
        let mut w = named(&["Alpha", "beta", "gamma"], &["x1", "ALPHA"]);
        let other = named(&["beta", "x alpha"], &["a"]);
        let grids = [w.grids[0].clone(), w.grids[0].clone(), other.grids[0].clone()];
        w.grids = std::sync::Arc::new(grids.to_vec());
        let mut s = ViewState::new(&w);
        let found =
            |rows: &[usize], columns: &[usize]| Matches { rows: rows.to_vec(), columns: columns.to_vec() };
        typed(&mut s, &w, "alp");
        assert_eq!(s.matches, [found(&[0], &[1]), found(&[0], &[1]), found(&[1], &[])]);
        s.apply(&Command::Type(Typing::Erase(Erased::Before)), &w);
        assert_eq!(s.matches[2], found(&[1], &[]));
        s.apply(&Command::Type(Typing::Erase(Erased::ToStart)), &w);
        assert_eq!(s.matches, []);
        typed(&mut s, &w, "alp");
        s.apply(&Command::Do(Action::Cancel), &w);
        assert_eq!(s.matches, []);
        s.apply(&Command::Type(Typing::Open(Entry::Prompt)), &w);
        s.apply(&Command::Type(Typing::Text("alp".to_owned())), &w);
        assert_eq!(s.matches, [], "the prompt marks nothing");
    }

    #[test]
    fn plain_positions_are_numbers_and_come_to_the_middle() {
        let w = geometry(1, 300, 4000);
        let mut s = ViewState::new(&w);
        typed(&mut s, &w, "250");
        assert_eq!(next(&mut s, &w), ("1 of 2: 250".to_owned(), Some((0, 250))));
        assert_eq!(s.views[0], View { x: Part { from: 230.5, to: 270.5 }, y: Part::whole(300.0) });
        assert_eq!(next(&mut s, &w).0, "2 of 2: 250");
        assert_eq!(
            s.views[0],
            View { x: Part { from: 230.5, to: 270.5 }, y: Part { from: 230.5, to: 270.5 } }
        );
        typed(&mut s, &w, "3999");
        assert_eq!(next(&mut s, &w).0, "1 of 1: 3999");
        assert_eq!(s.views[0].x, Part { from: 3960.0, to: 4000.0 });
        typed(&mut s, &w, "4000");
        assert_eq!(next(&mut s, &w).0, "no label contains '4000'");
    }

    fn go(row: usize, column: usize) -> Command {
        Command::Go(Destination::Cell { row, column })
    }

    fn label(text: &str) -> Command {
        Command::Go(Destination::Label(text.to_owned()))
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
