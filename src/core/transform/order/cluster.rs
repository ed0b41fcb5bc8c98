//! Lines of a side in the order of a hierarchical clustering.

use super::distance::{Fault, Table};
use super::shared::{Side, values};
use super::{leaf_order, linkage};
use crate::figure::{Cluster, LeafOrder, Linkage, Metric};
use crate::grid::{Axis, Grid, Tree, cores};
use crate::text::shorten;
use crate::transform::TransformError;

/// The most lines that are clustered: distances are of all pairs.
const MOST: usize = 20_000;
/// Bytes of a distance, and of its copy while clusters merge.
const PAIR: u64 = 16;
/// Bytes of a pair of leaves while their order is sought.
const ORDERED_PAIR: u64 = 16;
/// Characters of a label in a message.
const SHOWN: usize = 40;

/// The order of the lines of some grids with one axis, group by group, and its tree.
///
/// # Errors
/// Lines that have no distance, options that do not go together, too many lines.
pub(super) fn clustered(
    (grids, of): (&[Grid], &[usize]),
    side: Side,
    groups: &[Vec<usize>],
    cluster: &Cluster,
) -> Result<(Vec<usize>, Tree), TransformError> {
    let (metric, method) = (cluster.metric.unwrap_or_default(), cluster.linkage.unwrap_or_default());
    check_method(method, metric)?;
    let optimal = cluster.leaf_order == Some(LeafOrder::Optimal);
    let largest = groups.iter().map(Vec::len).max().unwrap_or(0);
    check_size(largest, side, optimal)?;
    let axis = side.axis(&grids[of[0]]);
    let (mut order, mut joins) = (Vec::with_capacity(axis.len()), Vec::new());
    for group in groups {
        if group.len() < 2 {
            order.extend(group);
            continue;
        }
        let known = |&line: &usize| values(grids, of, side, line).map(|v| v.unwrap_or(f64::NAN));
        let values: Vec<f64> = group.iter().flat_map(known).collect();
        let table = Table { width: values.len() / group.len(), values };
        let distances =
            table.distances(metric, cores()).map_err(|fault| refused(fault, group, axis, side, metric))?;
        let merges = linkage::merges(&distances.condensed, group.len(), method);
        let own = if optimal {
            leaf_order::optimal(&distances.condensed, &merges, cores())
        } else {
            linkage::leaves(&merges)
        };
        joins.extend(linkage::joins(&merges, &own, order.len(), distances.scale));
        order.extend(own.into_iter().map(|leaf| group[leaf]));
    }
    Ok((order, Tree::new(joins)))
}

/// The bytes that a clustering of this many lines takes.
pub(super) fn memory(lines: usize, width: usize, cluster: &Cluster) -> u64 {
    let n = lines as u64;
    let pairs = n.saturating_mul(n) / 2;
    let ordered = if cluster.leaf_order == Some(LeafOrder::Optimal) {
        n.saturating_mul(n).saturating_mul(ORDERED_PAIR)
    } else {
        0
    };
    let table = n.saturating_mul(width as u64).saturating_mul(8);
    pairs.saturating_mul(PAIR).saturating_add(ordered).saturating_add(table)
}

fn check_method(method: Linkage, metric: Metric) -> Result<(), TransformError> {
    if method == Linkage::Ward && metric != Metric::Euclidean {
        return Err(TransformError::Usage {
            what: format!("ward linkage is defined for euclidean distances, not for {}", metric.word()),
            hint: Some(format!(
                "--linkage average --metric {}, or --linkage ward --metric euclidean",
                metric.word()
            )),
        });
    }
    Ok(())
}

/// Whether a clustering of this many lines is refused.
pub(super) fn is_too_long(lines: usize, cluster: &Cluster) -> bool {
    check_size(lines, Side::Rows, cluster.leaf_order == Some(LeafOrder::Optimal)).is_err()
}

/// Refuses more lines than can be clustered in reasonable time.
fn check_size(lines: usize, side: Side, optimal: bool) -> Result<(), TransformError> {
    let (most, what) = if optimal {
        (leaf_order::MOST, "put in the optimal order of leaves")
    } else {
        (MOST, "clustered, by the distances of all pairs")
    };
    if lines <= most {
        return Ok(());
    }
    let (word, keep) = match side {
        Side::Rows => ("rows", "--sort-rows std:desc --keep 2000"),
        Side::Columns => ("columns", "--sort-columns std:desc --keep-columns 2000"),
    };
    let merged = if optimal { ", or --leaf-order merged" } else { "" };
    Err(TransformError::Limit {
        what: format!("{lines} {word}: at most {most} are {what}"),
        hint: format!(
            "{keep} clusters the 2000 {word} that vary most{merged}; --sort-{word} mean:desc orders all of them"
        ),
    })
}

fn refused(fault: Fault, group: &[usize], axis: &Axis, side: Side, metric: Metric) -> TransformError {
    let word = side.word();
    let name = |i: usize| format!("{word} '{}'", shorten(&axis.label(group[i]), SHOWN));
    let metric = metric.word();
    let sort = format!("--sort-{word}s mean:desc orders them without distances");
    let (what, hint) = match fault {
        Fault::Infinite(i) => {
            (format!("{} has an infinite value, so no distance to the others", name(i)), sort)
        }
        Fault::Empty(i) => (
            format!("{} has no value, so no distance to the others", name(i)),
            format!("leave it out with --where, hide less of it with --mask, or {sort}"),
        ),
        Fault::Constant(i) if metric == "cosine" => (
            format!("{} has zeros only: its cosine distance is not defined", name(i)),
            "--metric euclidean compares it".to_owned(),
        ),
        Fault::Constant(i) => (
            format!("{} is constant: its {metric} distance is not defined", name(i)),
            "--metric euclidean compares it".to_owned(),
        ),
        Fault::Apart(i, j) => (
            format!("{} and {} have no cell where both have a value, so no distance", name(i), name(j)),
            format!("leave one of them out with --where, or {sort}"),
        ),
        Fault::ConstantTogether(i, j) => (
            format!(
                "{} and {}: one is constant where both have a value, so their {metric} distance is not defined",
                name(i),
                name(j)
            ),
            "--metric euclidean compares them".to_owned(),
        ),
    };
    TransformError::Usage { what: format!("cluster: {what}"), hint: Some(hint) }
}
