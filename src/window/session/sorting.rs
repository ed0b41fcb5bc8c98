//! Columns sorted by a row, and rows by a column: in the window as the figure's key `sort` does it.

use super::{Data, Session};
use crate::geometry::Hit;
use crate::readout::line_name;
use crate::state::LineOrder;
use crate::task::{GoesOn, Task};
use gridscope_core::figure::{Figure, Sort, SortBy};
use gridscope_core::grid::Grid;
use gridscope_core::lint::Lints;
use gridscope_core::notation::Literal;
use gridscope_core::transform::{in_order, orders};
use std::sync::Arc;

/// Grids of more cells all together take too long.
const MOST: usize = 1 << 25;

/// The figure and its grids before they were sorted.
#[derive(Clone)]
pub(super) struct Unsorted {
    figure: Arc<Figure>,
    grids: Arc<Vec<Grid>>,
    /// How they are sorted now.
    order: LineOrder,
}

/// Another order that is being made.
#[derive(Debug)]
pub(super) struct Sorting {
    order: LineOrder,
    task: Task<Sorted>,
    /// The message about it when it is shown.
    said: Option<String>,
}

/// The figure and its data in another order, or why there are none.
type Sorted = Result<(Figure, Data), String>;

/// The grids of a figure in an order.
fn sorted(figure: &Figure, grids: &[Grid], order: &LineOrder) -> Sorted {
    let mut figure = figure.clone();
    figure.x.sort = order.columns.clone().map(Literal::from);
    figure.y.sort = order.rows.clone().map(Literal::from);
    let mut grids = grids.to_vec();
    if orders(&figure) {
        grids = in_order(grids, &figure, &mut Lints::default()).map_err(|e| e.to_string())?;
    }
    let data = Data::new(grids).map_err(|e| e.to_string())?;
    Ok((figure, data))
}

impl Session {
    /// Sorts the columns by the row whose label is under the pointer, the greatest first, or the rows by the column;
    /// again: the least first; then as they were. Returns a message about it.
    pub(crate) fn sort_here(&mut self) -> Result<String, String> {
        let (by_row, label, name) =
            self.pointed_line().ok_or("d sorts by the row or column whose label is under the pointer")?;
        let mut order = self.state.order.clone();
        let (lines, side) = match by_row {
            true => ("columns", &mut order.columns),
            false => ("rows", &mut order.rows),
        };
        let by = SortBy::Line(label.clone());
        let now = side.as_ref().filter(|sort| sort.by == by);
        let descending = match now.map(|sort| sort.descending) {
            None => Some(true),
            Some(true) => Some(false),
            Some(false) => None,
        };
        *side = descending.map(|descending| Sort { by, descending });
        self.order_by(order)?;
        Ok(self.say_sorted(match descending {
            Some(true) => format!("{lines} sorted by {name}, the greatest first"),
            Some(false) => format!("{lines} sorted by {name}, the least first"),
            None => format!("{lines} in their own order"),
        }))
    }

    /// Puts the columns or the rows back into their own order. Returns a message about it.
    pub(crate) fn unsort(&mut self, columns: bool) -> Result<String, String> {
        let mut order = self.state.order.clone();
        let (lines, side) = match columns {
            true => ("columns", &mut order.columns),
            false => ("rows", &mut order.rows),
        };
        *side = None;
        self.order_by(order)?;
        Ok(self.say_sorted(format!("{lines} in their own order")))
    }

    /// The message about an order, which is shown later where the order is.
    fn say_sorted(&mut self, text: String) -> String {
        let Some(sorting) = &mut self.slow.sorting else { return text };
        sorting.said = Some(text.clone());
        format!("{text}, in a moment; Esc ends it")
    }

    /// The order that is shown.
    fn shown_order(&self) -> LineOrder {
        self.unsorted.as_ref().map(|u| u.order.clone()).unwrap_or_default()
    }

    /// Sorts as undo or redo wants it, where that is another order than the one shown.
    pub(super) fn settle_order(&mut self) {
        let wanted = self.state.order.clone();
        if wanted == self.shown_order() {
            self.slow.sorting = None;
        } else if self.slow.sorting.as_ref().is_none_or(|sorting| sorting.order != wanted) {
            let message = self.state.message.clone();
            let done = self.exchange_order(&wanted);
            self.settled(done, message);
        }
    }

    /// Takes up an order that was made beside the session.
    pub(super) fn collect_sorted(&mut self) {
        let Some(made) = self.slow.sorting.as_mut().and_then(|sorting| sorting.task.take()) else {
            return;
        };
        let Some(Sorting { order, said, .. }) = self.slow.sorting.take() else { return };
        let message = said.or_else(|| self.state.message.clone());
        let done = self.take_order(&order, made);
        self.settled(done, message);
    }

    /// Ends an order that is being made; whether there was one.
    pub(super) fn end_sorting(&mut self) -> bool {
        let ended = self.slow.sorting.take().is_some();
        if ended {
            self.state.order = self.shown_order();
        }
        ended
    }

    /// Shows the message after a change of the order; where it failed the shown one stays.
    fn settled(&mut self, done: Result<(), String>, message: Option<String>) {
        match done {
            Ok(()) => self.state.message = message,
            Err(why) => {
                self.state.order = self.shown_order();
                self.show_outcome(Err(why));
            }
        }
    }

    /// Whether the grids were sorted anew since this was asked last: a device has to be given them again.
    pub(crate) fn take_sorted(&mut self) -> bool {
        std::mem::take(&mut self.sorted)
    }

    /// Sorts by another order, as one change for undo.
    fn order_by(&mut self, order: LineOrder) -> Result<(), String> {
        if order == self.state.order {
            return Ok(());
        }
        self.exchange_order(&order)?;
        self.state.choose_order(order, &self.geometry);
        Ok(())
    }

    /// The figure and its grids before they were sorted.
    fn in_own_order(&self) -> Unsorted {
        self.unsorted.clone().unwrap_or_else(|| Unsorted {
            figure: self.figure.clone(),
            grids: self.geometry.grids.clone(),
            order: LineOrder::default(),
        })
    }

    /// Replaces the grids by the same in another order; large ones are sorted beside the session.
    fn exchange_order(&mut self, order: &LineOrder) -> Result<(), String> {
        let before = self.in_own_order();
        self.allows_sorting(&before)?;
        if !self.defers() {
            let made = sorted(&self.figure, &before.grids, order);
            return self.take_order(order, made);
        }
        let (figure, wanted) = (self.figure.clone(), order.clone());
        let work = move |grids: &[Grid], _: GoesOn<'_>| sorted(&figure, grids, &wanted);
        let task = Task::over(self.wake.as_ref(), &before.grids, work);
        self.slow.sorting = Some(Sorting { order: order.clone(), task, said: None });
        Ok(())
    }

    /// Shows the grids in another order.
    fn take_order(&mut self, order: &LineOrder, made: Sorted) -> Result<(), String> {
        let (figure, data) = made?;
        let (before, sorts) = (self.in_own_order(), orders(&figure));
        let was = self.state.order.clone();
        let done = self.replace(figure, data);
        self.state.order = was;
        done.map_err(|e| e.to_string())?;
        self.unsorted = sorts.then(|| Unsorted { order: order.clone(), ..before });
        self.sorted = true;
        Ok(())
    }

    /// The row or column whose label is under the pointer: whether it is a row, its label, and its name in messages.
    fn pointed_line(&self) -> Option<(bool, String, String)> {
        let at = self.state.pointer?;
        match self.geometry.hit(at) {
            Hit::YAxis(p) => {
                let row = self.geometry.panels.get(p)?.rows_at(at.y)?[0] as usize;
                let axis = self.geometry.grids.get(p)?.rows();
                Some((true, axis.label(row), line_name(axis, "row", row)))
            }
            Hit::XAxis(p) => {
                let column = self.geometry.panels.get(p)?.columns_at(at.x)?[0] as usize;
                let axis = self.geometry.grids.get(p)?.columns();
                Some((false, axis.label(column), line_name(axis, "column", column)))
            }
            _ => None,
        }
    }

    /// Whether sorting what is shown is what the figure's key does to the data.
    fn allows_sorting(&self, before: &Unsorted) -> Result<(), &'static str> {
        let figure = &before.figure;
        if self.is_coarse() {
            return Err("sorted once all cells are read");
        }
        let view = &figure.view;
        let is_part = view.around.is_some() || view.rows.is_some() || view.cols.is_some();
        if orders(figure) || is_part || figure.all_marks().any(|m| m.file().is_some()) {
            return Err(
                "this figure has an order, a part or marks of its own; --sort-rows and --sort-columns sort it",
            );
        }
        let cells: usize = before.grids.iter().map(Grid::len).sum();
        if cells > MOST || !before.grids.iter().all(Grid::is_loaded) {
            return Err("too many cells to sort in the window; --sort-rows and --sort-columns sort them");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Command;
    use gridscope_core::geom::{Point, PxSize};
    use gridscope_core::grid::Axis;
    use gridscope_core::text::Fonts;
    use gridscope_draw::raster;
    use gridscope_draw::rendered::render;

    fn grid() -> Grid {
        let values = vec![3.0, 1.0, 2.0, f64::NAN, 5.0, 4.0, 6.0, 6.0, 9.0, 7.0, 8.0, 8.0];
        let mut grid = Grid::from_rows(3, 4, values).unwrap();
        let names = |list: &[&str]| list.iter().map(|n| (*n).to_owned()).collect();
        grid.set_rows(Axis::category("method", names(&["a", "b", "c"]))).unwrap();
        grid.set_columns(Axis::category("size", names(&["w", "x", "y", "z"]))).unwrap();
        grid
    }

    #[test]
    fn a_row_sorts_the_columns_as_the_figure_file_says() {
        let mut session =
            Session::new(Figure::default(), Data::new(vec![grid()]).unwrap(), Fonts::new()).unwrap();
        session.resize(PxSize { w: 800, h: 600 }, 1.0);
        session.draw(None).unwrap();
        let labels = |s: &Session| {
            let g = &s.geometry.grids[0];
            let all = |a: &Axis| (0..a.len()).map(|i| a.label(i)).collect::<String>();
            (all(g.rows()), all(g.columns()))
        };
        let mut press = |row: Option<usize>, column: Option<usize>| {
            let p = &session.geometry.panels[0];
            let body = p.body.rect();
            let x = column.map_or(body.x - 10.0, |c| body.x + (c as f64 + 0.5) / 4.0 * body.w);
            let y = row.map_or(body.bottom() + 10.0, |r| body.y + (r as f64 + 0.5) / 3.0 * body.h);
            session.apply(&Command::Point(Point { x, y }));
            let said = session.sort_here();
            let done = said.is_ok();
            session.draw(None).unwrap();
            session.rest();
            session.draw(None).unwrap();
            // What is written, drawn from the data as they were, is what is saved.
            let (scene, _) = session.picture().unwrap();
            let figure: Figure = toml::from_str(&session.figure_file().unwrap()).unwrap();
            let mut sorted = vec![grid()];
            if orders(&figure) {
                sorted = in_order(sorted, &figure, &mut Lints::default()).unwrap();
            }
            let drawn = render(&figure, &sorted).unwrap().picture;
            let shown = raster::draw(&scene, &session.geometry.grids, &mut session.fonts);
            assert!(shown == drawn, "{said:?}");
            (labels(&session), done)
        };
        let of = |rows: &str, columns: &str| ((rows.to_owned(), columns.to_owned()), true);
        // Cells without a value come last.
        assert_eq!(press(Some(0), None), of("abc", "wyxz"));
        assert_eq!(press(Some(0), None), of("abc", "xywz"));
        assert_eq!(press(None, Some(0)), of("cba", "xywz"));
        assert_eq!(press(Some(2), None), of("cba", "wxyz"), "row a is the last one now");
        assert_eq!(press(None, Some(0)), of("cba", "wxyz"));
    }

    #[test]
    fn a_sort_is_one_step_of_undo_and_other_data_end_it() {
        use crate::state::Action;
        let mut session =
            Session::new(Figure::default(), Data::new(vec![grid()]).unwrap(), Fonts::new()).unwrap();
        session.resize(PxSize { w: 800, h: 600 }, 1.0);
        session.draw(None).unwrap();
        let body = session.geometry.panels[0].body.rect();
        let columns = |s: &Session| {
            let axis = s.geometry.grids[0].columns();
            (0..axis.len()).map(|i| axis.label(i)).collect::<String>()
        };
        let act = |s: &mut Session, action: Action| {
            s.apply(&Command::Do(action));
            s.draw(None).unwrap();
            (columns(s), s.take_sorted(), s.state.message.clone().unwrap_or_default())
        };
        let is = |columns: &str, sorted: bool, said: &str| (columns.to_owned(), sorted, said.to_owned());
        session.apply(&Command::Do(Action::Borders));
        session.apply(&Command::Point(Point { x: body.x - 10.0, y: body.y + 10.0 }));
        session.sort_here().unwrap();
        session.draw(None).unwrap();
        assert!(session.take_sorted() && !session.take_sorted());
        session.sort_here().unwrap();
        session.draw(None).unwrap();
        assert!(session.take_sorted());
        assert_eq!(act(&mut session, Action::Undo), is("wyxz", true, "undone: sort"));
        assert_eq!(act(&mut session, Action::Undo), is("wxyz", true, "undone: sort"));
        assert_eq!(act(&mut session, Action::Undo), is("wxyz", false, "undone: lines between cells"));
        assert_eq!(act(&mut session, Action::Redo).0, "wxyz");
        assert_eq!(act(&mut session, Action::Redo), is("wyxz", true, "redone: sort"));
        assert_eq!(session.unsort(true).unwrap(), "columns in their own order");
        session.draw(None).unwrap();
        assert_eq!(columns(&session), "wxyz");
        assert_eq!(act(&mut session, Action::Undo).0, "wyxz");
        // The same data read again are in their own order, and undo does not go on about the sort.
        session.replace(Figure::default(), Data::new(vec![grid()]).unwrap()).unwrap();
        session.draw(None).unwrap();
        assert_eq!(columns(&session), "wxyz");
        assert_eq!(act(&mut session, Action::Undo).2, "undone: lines between cells");
    }

    #[test]
    fn a_figure_with_an_order_of_its_own_stays() {
        let figure: Figure = toml::from_str("[x]\nsort = \"mean\"\n").unwrap();
        let mut session = Session::new(figure, Data::new(vec![grid()]).unwrap(), Fonts::new()).unwrap();
        session.resize(PxSize { w: 800, h: 600 }, 1.0);
        session.draw(None).unwrap();
        let body = session.geometry.panels[0].body.rect();
        let at = Point { x: body.x - 9.0, y: body.y + 9.0 };
        session.apply(&Command::Point(at));
        assert!(session.sort_here().is_err());
    }

    #[test]
    fn limits_of_all_slices_leave_a_sort_as_it_is() {
        use crate::session::slices::SliceRange;
        use crate::state::Action;
        let mut session =
            Session::new(Figure::default(), Data::new(vec![grid()]).unwrap(), Fonts::new()).unwrap();
        session.resize(PxSize { w: 800, h: 600 }, 1.0);
        session.draw(None).unwrap();
        let columns = |s: &Session| {
            let axis = s.geometry.grids[0].columns();
            (0..axis.len()).map(|i| axis.label(i)).collect::<String>()
        };
        let body = session.geometry.panels[0].body.rect();
        session.apply(&Command::Point(Point { x: body.x - 10.0, y: body.y + 10.0 }));
        session.sort_here().unwrap();
        session.draw(None).unwrap();
        session.state.slices.of_all = true;
        session.take_limits(SliceRange::of_grids(&[grid()]).unwrap());
        session.draw(None).unwrap();
        assert_eq!(columns(&session), "wyxz");
        session.apply(&Command::Do(Action::Undo));
        session.draw(None).unwrap();
        assert_eq!(columns(&session), "wxyz");
        session.apply(&Command::Do(Action::Redo));
        session.draw(None).unwrap();
        assert_eq!(columns(&session), "wyxz");
        assert_eq!(session.unsort(true).unwrap(), "columns in their own order");
        assert_eq!(columns(&session), "wxyz");
    }
}
