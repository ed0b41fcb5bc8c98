//! Rows and columns in another order: sorted, the first of them, in groups, clustered.
//!
//! Sorting and leaving out come first, by all cells; then groups; then clustering within each group, by the cells that are left.

mod shared;
mod sort;
mod before;
mod groups;
mod distance;
mod linkage;
mod leaf_order;
mod cluster;

use super::TransformError;
use crate::figure::{AxisSpec, Figure, Sort, SortBy, Spacing};
use crate::grid::{Axis, Grid, Tree};
use crate::lint::{LintName, Lints};
use groups::grouped;
use shared::{Side, alike};
use std::sync::Arc;

pub(super) use before::Before;

/// Whether a figure asks for another order.
pub(super) fn is_asked(figure: &Figure) -> bool {
    is_unused(figure) || SIDES.iter().any(|side| Asked::of(figure, *side).is_some())
}

/// Whether a figure says how to cluster, and not what.
fn is_unused(figure: &Figure) -> bool {
    let c = &figure.cluster;
    c.axes.is_none() && (c.linkage.is_some() || c.metric.is_some() || c.leaf_order.is_some())
}

const SIDES: [Side; 2] = [Side::Rows, Side::Columns];

/// Order that a figure asks for on a side.
struct Asked<'f> {
    spec: &'f AxisSpec,
    /// The other axis.
    across: &'f AxisSpec,
    cluster: bool,
}

impl<'f> Asked<'f> {
    fn of(figure: &'f Figure, side: Side) -> Option<Self> {
        let (spec, across) = match side {
            Side::Rows => (&figure.y, &figure.x),
            Side::Columns => (&figure.x, &figure.y),
        };
        let cluster = figure.cluster.clusters(side == Side::Columns);
        let is_any = spec.sort.is_some() || spec.keep.is_some() || spec.split.is_some() || cluster;
        is_any.then_some(Self { spec, across, cluster })
    }
}

/// The most bytes that a figure's order takes at a time, beside its grids.
pub(super) fn memory(grids: &[Grid], figure: &Figure) -> u64 {
    let of_side = |side: &Side| {
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

/// The grids in the order that a figure asks for; `before` is what normalising made alike.
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
    side: Side,
    asked: &Asked<'_>,
    before: Option<&Vec<Option<f64>>>,
    lints: &mut Lints,
) -> Result<Vec<usize>, TransformError> {
    let axis = side.axis(&grids[of[0]]);
    let spec = asked.spec;
    if (spec.sort.is_some() || asked.cluster) && spec.spacing == Some(Spacing::True) {
        let letter = match side {
            Side::Rows => 'y',
            Side::Columns => 'x',
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
                Side::Rows => "--keep 100 clusters the first rows after sorting; or leave out --sort-rows or --cluster".to_owned(),
                Side::Columns => {
                    "--keep-columns 100 clusters the first columns after sorting; or leave out --sort-columns or --cluster".to_owned()
                }
            }),
        });
    }
    let mut order = match spec.sort.as_deref() {
        Some(by) => sort::sorted((grids, of), side, by, asked.across, before)?,
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
fn clustered(grids: Vec<Grid>, side: Side, figure: &Figure) -> Result<Vec<Grid>, TransformError> {
    let mut found: Vec<Option<(Vec<usize>, Arc<Tree>)>> = vec![None; grids.len()];
    for of in alike(&grids, side, figure) {
        let axis = side.axis(&grids[of[0]]);
        let all: Vec<usize> = (0..axis.len()).collect();
        let (order, tree) = cluster::clustered((&grids, &of), side, &grouped(axis, &all), &figure.cluster)?;
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
            Side::Rows => {
                let mut new = grid.permuted(&order, &across)?;
                let axis = with_tree(new.rows());
                new.set_rows(axis)?;
                new
            }
            Side::Columns => {
                let mut new = grid.permuted(&across, &order)?;
                let axis = with_tree(new.columns());
                new.set_columns(axis)?;
                new
            }
        });
    }
    Ok(out)
}

#[cfg(test)]
mod tests;
