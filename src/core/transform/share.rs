//! Rows and columns that panels of several files have in common: `share_x` and `share_y`.

use super::compare::bins_across;
use super::matching::{places, union};
use super::{TransformError, order};
use crate::figure::Figure;
use crate::grid::{Axis, AxisKind, Grid};
use crate::lint::{LintName, Lints};

/// Labels of an axis that are compared with those of another to warn of another order.
const MOST_LABELS: usize = 10_000;

/// An axis that panels get in place of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharedAxes {
    /// The rows, unless each panel keeps its own.
    rows: Option<Axis>,
    /// The columns, unless each panel keeps its own.
    columns: Option<Axis>,
}

impl SharedAxes {
    /// The axes that a figure asks for, where those of the panels differ: labels of the first panel in their order, others where
    /// the panels after it have them. Where it does not say, and labels are the same in another order, that is warned of.
    ///
    /// # Errors
    /// Axes of another number of levels, or of bins that overlap.
    pub fn of(grids: &[Grid], figure: &Figure, lints: &mut Lints) -> Result<Self, TransformError> {
        let mut side = |axis: fn(&Grid) -> &Axis, share: Option<bool>, (key, word): (&str, &str)| {
            let Some((first, rest)) = grids.split_first() else { return Ok(None) };
            let others = || rest.iter().filter(|grid| axis(grid) != axis(first));
            match share {
                Some(true) if others().next().is_some() => others()
                    .try_fold(axis(first).clone(), |all, grid| joined(&all, axis(grid), key))
                    .map(Some),
                None if !order::is_asked(figure) => {
                    if let Some(other) = others().find(|grid| is_reordered(axis(first), axis(grid))) {
                        let (first, other) = (first.name(), other.name());
                        let what = format!("{word} of '{first}' and '{other}' are the same in another order");
                        let flag = key.replace('_', "-");
                        lints
                            .add(LintName::OtherOrder, 1, what)
                            .hint(format!("--{flag} true gives all panels that of the first"));
                    }
                    Ok(None)
                }
                _ => Ok(None),
            }
        };
        Ok(Self {
            rows: side(Grid::rows, figure.share_y, ("share_y", "rows"))?,
            columns: side(Grid::columns, figure.share_x, ("share_x", "columns"))?,
        })
    }

    /// Whether no panel changes.
    pub fn is_empty(&self) -> bool {
        self.rows.is_none() && self.columns.is_none()
    }

    /// Cells of a panel under these axes.
    pub fn cells(&self, grid: &Grid) -> u64 {
        let of = |shared: &Option<Axis>, own: &Axis| shared.as_ref().unwrap_or(own).len() as u64;
        of(&self.rows, grid.rows()).saturating_mul(of(&self.columns, grid.columns()))
    }

    /// A panel under these axes; cells that it does not have are absent.
    ///
    /// # Errors
    /// More cells than a grid may have.
    ///
    /// # Panics
    /// When the cells of the panel are not in memory.
    pub fn place(&self, grid: &Grid) -> Result<Grid, TransformError> {
        let (rows, columns) =
            (self.rows.as_ref().unwrap_or(grid.rows()), self.columns.as_ref().unwrap_or(grid.columns()));
        let on = |shared: &Axis, own: &Axis| -> Vec<Option<usize>> {
            if shared == own {
                return (0..own.len()).map(Some).collect();
            }
            places(Some(shared), Some(own)).into_iter().map(|pair| pair.1).collect()
        };
        Ok(grid.placed((rows, &on(rows, grid.rows())), (columns, &on(columns, grid.columns())))?)
    }
}

/// The axis of the labels of two.
fn joined(all: &Axis, axis: &Axis, key: &str) -> Result<Axis, TransformError> {
    let levels = |axis: &Axis| axis.levels.len().max(1);
    if levels(all) != levels(axis) {
        let what =
            format!("{key}: the panels have labels of {} and of {} columns", levels(all), levels(axis));
        return Err(TransformError::usage(what));
    }
    if let Some((bin, other)) = bins_across(all, axis) {
        return Err(TransformError::Usage {
            what: format!(
                "{key}: the panels have bins of their own, such as '{}' and '{}'",
                all.label(bin),
                axis.label(other)
            ),
            hint: Some("bin(COLUMN, edges=…) or bin(COLUMN, width=…) makes the same bins of all".to_owned()),
        });
    }
    Ok(union(all, axis, key)?.0)
}

/// Whether two axes have the same labels, and not in the same order.
fn is_reordered(first: &Axis, other: &Axis) -> bool {
    let labels = |axis: &Axis| -> Vec<String> { (0..axis.len()).map(|i| axis.label(i)).collect() };
    let has_names = |axis: &Axis| axis.kind == AxisKind::Category && axis.len() <= MOST_LABELS;
    if first.len() != other.len() || !has_names(first) || !has_names(other) {
        return false;
    }
    let (mut first, mut other) = (labels(first), labels(other));
    if first == other {
        return false;
    }
    first.sort_unstable();
    other.sort_unstable();
    first == other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, Number, State};

    fn grid(name: &str, rows: &str, columns: &str, from: i32) -> Grid {
        let axis = |labels: &str| Axis::category("", labels.split(' ').map(str::to_owned).collect());
        let n = (rows.split(' ').count() * columns.split(' ').count()) as i32;
        let values = crate::grid::Values::I64((from..from + n).map(i64::from).collect());
        Grid::new(axis(rows), axis(columns), values, &[]).unwrap().with_name(name.to_owned())
    }

    fn texts(grid: &Grid) -> (String, String) {
        let text = |axis: &Axis| (0..axis.len()).map(|i| axis.label(i)).collect::<Vec<_>>().join(" ");
        (text(grid.rows()), text(grid.columns()))
    }

    #[test]
    fn panels_get_the_order_of_the_first_and_cells_that_they_lack() {
        let grids = [grid("a", "r s", "x y", 0), grid("b", "s t r", "y x", 10)];
        let mut lints = Lints::default();
        let figure = Figure { share_x: Some(true), share_y: Some(true), ..Figure::default() };
        let shared = SharedAxes::of(&grids, &figure, &mut lints).unwrap();
        let made: Vec<Grid> = grids.iter().map(|grid| shared.place(grid).unwrap()).collect();
        assert!(lints.0.is_empty());
        assert_eq!(shared.cells(&grids[0]), 6);
        let at = |row: usize, column: usize| made[1].at(row, column);
        assert_eq!(texts(&made[0]), texts(&made[1]));
        let (rows, columns) = texts(&made[0]);
        assert_eq!(columns, "x y");
        // Row t follows s, as on the second panel.
        assert_eq!(rows, "r s t");
        assert_eq!(at(0, 0), Cell::Value(Number::I64(15)));
        assert_eq!(at(2, 1), Cell::Value(Number::I64(12)));
        assert_eq!(made[0].at(2, 0), Cell::Empty(State::Absent));
    }

    #[test]
    fn the_same_labels_in_another_order_are_warned_of_once_a_side() {
        let of = |columns: &str, figure: &Figure| {
            let grids =
                [grid("a", "r s", "x y", 0), grid("b", "r s", columns, 0), grid("c", "r s", columns, 0)];
            let mut lints = Lints::default();
            assert!(SharedAxes::of(&grids, figure, &mut lints).unwrap().is_empty());
            lints.0.iter().map(crate::lint::Lint::message).collect::<Vec<_>>()
        };
        let said = of("y x", &Figure::default());
        assert_eq!(
            said,
            [
                "columns of 'a' and 'b' are the same in another order; hint: --share-x true gives all panels that of the first"
            ]
        );
        let apart = Figure { share_x: Some(false), ..Figure::default() };
        assert!(of("x y", &Figure::default()).is_empty() && of("x z", &Figure::default()).is_empty());
        assert!(of("y x", &apart).is_empty());
    }

    #[test]
    fn axes_of_other_levels_have_nothing_in_common() {
        let mut other = grid("b", "r s", "x y", 0);
        let words = |w: &str| w.split(' ').map(str::to_owned).collect::<Vec<_>>();
        other.set_columns(Axis::nested("a,b", vec![words("p p"), words("x y")])).unwrap();
        let figure = Figure { share_x: Some(true), ..Figure::default() };
        let e =
            SharedAxes::of(&[grid("a", "r s", "x y", 0), other], &figure, &mut Lints::default()).unwrap_err();
        assert!(
            matches!(e, TransformError::Usage { what, .. } if what.contains("labels of 1 and of 2 columns"))
        );
    }
}
