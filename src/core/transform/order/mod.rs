//! Rows and columns in another order: sorted, the first of them, in groups, clustered.
//!
//! Sorting and leaving out come first, by all cells; then groups; then clustering within each group, by the cells that are
//! left.

mod sort;
mod distance;
mod cluster;

pub(super) use sort::Before;

use super::TransformError;
use crate::figure::{AxisSpec, Figure, Sort, SortBy, Spacing};
use crate::grid::{Axis, Grid, Tree};
use crate::lint::{LintName, Lints};
use std::collections::HashMap;
use std::sync::Arc;

/// Whether a figure asks for another order.
pub(super) fn is_asked(figure: &Figure) -> bool {
    is_unused(figure) || SIDES.iter().any(|side| Asked::of(figure, *side).is_some())
}

/// Whether a figure names a way to cluster, but no side.
fn is_unused(figure: &Figure) -> bool {
    let c = &figure.cluster;
    c.axes.is_none() && (c.linkage.is_some() || c.metric.is_some() || c.leaf_order.is_some())
}

const SIDES: [LineSide; 2] = [LineSide::Rows, LineSide::Columns];

/// Order that a figure asks for on a side.
struct Asked<'f> {
    spec: &'f AxisSpec,
    /// The other axis.
    across: &'f AxisSpec,
    cluster: bool,
}

impl<'f> Asked<'f> {
    fn of(figure: &'f Figure, side: LineSide) -> Option<Self> {
        let (spec, across) = match side {
            LineSide::Rows => (&figure.y, &figure.x),
            LineSide::Columns => (&figure.x, &figure.y),
        };
        let cluster = figure.cluster.clusters(side == LineSide::Columns);
        let is_any = spec.sort.is_some() || spec.keep.is_some() || spec.split.is_some() || cluster;
        is_any.then_some(Self { spec, across, cluster })
    }
}

/// The most bytes that a figure's order takes at a time, beside its grids.
pub(super) fn memory(grids: &[Grid], figure: &Figure) -> u64 {
    let of_side = |side: &LineSide| {
        let asked = Asked::of(figure, *side).filter(|asked| asked.cluster)?;
        let of_grids = alike(grids, *side, figure).into_iter().map(|of| {
            let axis = side.axis(&grids[of[0]]);
            let all: Vec<usize> = (0..axis.len()).collect();
            let largest = grouped(axis, &all).iter().map(Vec::len).max().unwrap_or(0);
            let lines = asked.spec.keep.map_or(largest, |keep| largest.min(keep.get() as usize));
            let width = of.iter().map(|&i| side.other().axis(&grids[i]).len()).sum();
            if cluster::is_too_long(lines, &figure.cluster) {
                // Refused by its size.
                return 0;
            }
            cluster::memory(lines, width, &figure.cluster)
        });
        of_grids.max()
    };
    SIDES.iter().filter_map(of_side).max().unwrap_or(0)
}

/// The grids in the order that a figure asks for; `before` has the values before normalising.
///
/// # Errors
/// Options that do not fit the grids.
pub(super) fn run(
    grids: Vec<Grid>,
    figure: &Figure,
    before: &Before,
    lints: &mut Lints,
) -> Result<Vec<Grid>, TransformError> {
    if is_unused(figure) {
        return Err(TransformError::Usage {
            what: "linkage, metric and leaf order belong to a clustering, and nothing is clustered"
                .to_owned(),
            hint: Some("--cluster rows".to_owned()),
        });
    }
    let mut orders: Vec<[Vec<usize>; 2]> =
        grids.iter().map(|grid| [(0..grid.height()).collect(), (0..grid.width()).collect()]).collect();
    for (at, side) in SIDES.into_iter().enumerate() {
        let Some(asked) = Asked::of(figure, side) else {
            continue;
        };
        for (group, of) in alike(&grids, side, figure).into_iter().enumerate() {
            let order = chosen((&grids, &of), side, &asked, before.group(side, group), lints)?;
            of.iter().for_each(|&i| orders[i][at].clone_from(&order));
        }
    }
    let mut out = Vec::with_capacity(grids.len());
    for (grid, [rows, columns]) in grids.into_iter().zip(orders) {
        out.push(kept(&grid, &rows, &columns)?);
    }
    for side in SIDES {
        if Asked::of(figure, side).is_some_and(|asked| asked.cluster) {
            out = clustered(out, side, figure)?;
        }
    }
    Ok(out)
}

/// The lines of a side of some grids with one axis: sorted, the first of them, in their groups.
fn chosen(
    (grids, of): (&[Grid], &[usize]),
    side: LineSide,
    asked: &Asked<'_>,
    before: Option<&Vec<Option<f64>>>,
    lints: &mut Lints,
) -> Result<Vec<usize>, TransformError> {
    let axis = side.axis(&grids[of[0]]);
    let spec = asked.spec;
    if (spec.sort.is_some() || asked.cluster) && spec.spacing == Some(Spacing::True) {
        let letter = match side {
            LineSide::Rows => 'y',
            LineSide::Columns => 'x',
        };
        return Err(TransformError::Usage {
            what: format!("{}s in another order have no true spacing", side.word()),
            hint: Some(format!("--{letter}-spacing even")),
        });
    }
    if spec.split.as_ref().is_some_and(|split| axis.levels.len() <= split.0.len()) {
        let what = "a split needs a tidy table, with --x, --y and --value: these data have no columns";
        return Err(TransformError::usage(what));
    }
    if asked.cluster && spec.sort.is_some() && spec.keep.is_none() {
        let word = side.word();
        return Err(TransformError::Usage {
            what: format!("the {word}s are sorted and clustered, which are two orders"),
            hint: Some(match side {
                LineSide::Rows => "--keep 100 clusters the first rows after sorting; or leave out --sort-rows or --cluster".to_owned(),
                LineSide::Columns => {
                    "--keep-columns 100 clusters the first columns after sorting; or leave out --sort-columns or --cluster".to_owned()
                }
            }),
        });
    }
    let mut order = match spec.sort.as_deref() {
        Some(by) => sort::sorted(grids, of, side, by, asked.across, before)?,
        None => (0..axis.len()).collect(),
    };
    if let Some(keep) = spec.keep.map(|keep| keep.get() as usize).filter(|keep| *keep < order.len()) {
        order.truncate(keep);
        let left = (axis.len() - keep) as u64;
        let text = format!(
            "{keep} of {} {}s are shown: the first {}",
            axis.len(),
            side.word(),
            spec.sort
                .as_deref()
                .map_or_else(|| "of the data".to_owned(), |by| by_words(by, before.is_some()))
        );
        let name = if of.len() < grids.len() { Some(grids[of[0]].name()) } else { None };
        match name {
            Some(name) => lints.add_panel(LintName::RowsLeftOut, name, left, text),
            None => lints.add(LintName::RowsLeftOut, left, text),
        };
    }
    Ok(grouped(axis, &order).concat())
}

/// An order in words: `by mean, the greatest first`.
fn by_words(sort: &Sort, is_before: bool) -> String {
    let of = match &sort.by {
        SortBy::Aggregate(aggregate) if is_before => format!("{} before normalising", aggregate.word()),
        SortBy::Aggregate(aggregate) => aggregate.word().to_owned(),
        SortBy::Label => "label".to_owned(),
        SortBy::Line(label) => format!("their value at '{label}'"),
    };
    let end = if sort.descending { "the greatest" } else { "the least" };
    format!("by {of}, {end} first")
}

/// A grid of these rows and columns.
fn kept(grid: &Grid, rows: &[usize], columns: &[usize]) -> Result<Grid, TransformError> {
    let mut out = grid.permuted(rows, columns)?;
    let mark = |own: &Axis, new: &Axis| {
        let mut axis = new.clone();
        if new.len() < own.len() {
            axis.kept_of = Some(own.kept_of.unwrap_or(own.len()));
        }
        axis
    };
    let axes = (mark(grid.rows(), out.rows()), mark(grid.columns(), out.columns()));
    out.set_rows(axes.0)?;
    out.set_columns(axes.1)?;
    Ok(out)
}

/// The grids with the lines of a side clustered.
fn clustered(grids: Vec<Grid>, side: LineSide, figure: &Figure) -> Result<Vec<Grid>, TransformError> {
    let mut found: Vec<Option<(Vec<usize>, Arc<Tree>)>> = vec![None; grids.len()];
    for of in alike(&grids, side, figure) {
        let axis = side.axis(&grids[of[0]]);
        let all: Vec<usize> = (0..axis.len()).collect();
        let (order, tree) = cluster::clustered(&grids, &of, side, &grouped(axis, &all), &figure.cluster)?;
        let tree = Arc::new(tree);
        of.iter().for_each(|&i| found[i] = Some((order.clone(), tree.clone())));
    }
    let mut out = Vec::with_capacity(grids.len());
    for (grid, found) in grids.into_iter().zip(found) {
        let Some((order, tree)) = found else { continue };
        let across: Vec<usize> = (0..side.other().axis(&grid).len()).collect();
        let with_tree = |axis: &Axis| {
            let mut axis = axis.clone();
            axis.tree = Some(tree);
            axis
        };
        out.push(match side {
            LineSide::Rows => {
                let mut new = grid.permuted(&order, &across)?;
                let axis = with_tree(new.rows());
                new.set_rows(axis)?;
                new
            }
            LineSide::Columns => {
                let mut new = grid.permuted(&across, &order)?;
                let axis = with_tree(new.columns());
                new.set_columns(axis)?;
                new
            }
        });
    }
    Ok(out)
}

/// The places of `order` in their groups, one group after the other in the order of their first lines on the axis, inner groups
/// within their outer ones; within a group as they are.
fn grouped(axis: &Axis, order: &[usize]) -> Vec<Vec<usize>> {
    let outer = axis.levels.len().saturating_sub(1);
    if outer == 0 {
        return vec![order.to_vec()];
    }
    let prefix = |i: usize, depth: usize| -> Vec<&str> {
        axis.levels[..depth].iter().map(|l| l[i].as_str()).collect()
    };
    let mut first: HashMap<Vec<&str>, usize> = HashMap::new();
    for i in 0..axis.len() {
        for depth in 1..=outer {
            first.entry(prefix(i, depth)).or_insert(i);
        }
    }
    let mut number: HashMap<usize, usize> = HashMap::new();
    let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for &i in order {
        let n = *number.entry(first[&prefix(i, outer)]).or_insert_with(|| {
            let ranks = (1..=outer).map(|depth| first[&prefix(i, depth)]);
            groups.push((ranks.collect(), Vec::new()));
            groups.len() - 1
        });
        groups[n].1.push(i);
    }
    groups.sort_by(|a, b| a.0.cmp(&b.0));
    groups.into_iter().map(|(_, of)| of).collect()
}

/// A side of grids: their rows, or their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineSide {
    Rows,
    Columns,
}

impl LineSide {
    /// The axis of a grid.
    fn axis(self, grid: &Grid) -> &Axis {
        match self {
            Self::Rows => grid.rows(),
            Self::Columns => grid.columns(),
        }
    }

    /// The other side.
    fn other(self) -> Self {
        match self {
            Self::Rows => Self::Columns,
            Self::Columns => Self::Rows,
        }
    }

    /// One of its lines: `row`, `column`.
    fn word(self) -> &'static str {
        match self {
            Self::Rows => "row",
            Self::Columns => "column",
        }
    }

    /// The place of a cell by its line of this side and its place in that.
    fn at(self, line: usize, along: usize) -> (usize, usize) {
        match self {
            Self::Rows => (line, along),
            Self::Columns => (along, line),
        }
    }
}

/// The grids of each order of a side, by their places.
fn alike(grids: &[Grid], side: LineSide, figure: &Figure) -> Vec<Vec<usize>> {
    let shared = match side {
        LineSide::Rows => figure.share_y,
        LineSide::Columns => figure.share_x,
    };
    let mut out: Vec<Vec<usize>> = Vec::new();
    for (i, grid) in grids.iter().enumerate() {
        let same = |of: &&mut Vec<usize>| side.axis(&grids[of[0]]) == side.axis(grid);
        match out.iter_mut().find(same).filter(|_| shared != Some(false)) {
            Some(of) => of.push(i),
            None => out.push(vec![i]),
        }
    }
    out
}

/// The values of a line of some grids side by side; `None` for cells without one.
fn values<'g>(
    grids: &'g [Grid],
    of: &'g [usize],
    side: LineSide,
    line: usize,
) -> impl Iterator<Item = Option<f64>> + 'g {
    of.iter().flat_map(move |&i| {
        let grid = &grids[i];
        (0..side.other().axis(grid).len()).map(move |along| {
            let (row, column) = side.at(line, along);
            grid.at(row, column).value().map(crate::grid::Number::as_f64)
        })
    })
}

#[cfg(test)]
mod groups_tests {
    use super::*;

    #[test]
    fn groups_stay_in_the_order_of_the_axis() {
        let words = |w: &str| w.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let axis = Axis::nested("a,b,c", vec![words("x y x y"), words("p q q p"), words("1 2 3 4")]);
        assert_eq!(grouped(&axis, &[3, 2, 1, 0]), [vec![0], vec![2], vec![1], vec![3]]);
        let axis = Axis::nested("a,b", vec![words("x y x y"), words("1 2 3 4")]);
        assert_eq!(grouped(&axis, &[3, 2, 0]), [vec![2, 0], vec![3]]);
        let flat = Axis::category("a", words("1 2"));
        assert_eq!(grouped(&flat, &[1, 0]), [vec![1, 0]]);
    }
}

#[cfg(test)]
mod tests;
