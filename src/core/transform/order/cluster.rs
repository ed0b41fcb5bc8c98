//! Hierarchical clustering of the lines of a side: merges, the tree over them, and the order of its leaves.

use super::distance::{DistanceFault, Table, exponent, times_power};
use super::{LineSide, values};
use crate::figure::{Cluster, LeafOrder, Linkage, Metric};
use crate::grid::{Axis, Grid, Join, Tree, cores};
use crate::text::shorten;
use crate::transform::TransformError;
use crate::workers;
use kodama::Method;

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
    grids: &[Grid],
    of: &[usize],
    side: LineSide,
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
        let merges = merges(&distances.condensed, group.len(), method);
        let own =
            if optimal { optimal_order(&distances.condensed, &merges, cores()) } else { leaves(&merges) };
        joins.extend(joined(&merges, &own, order.len(), distances.scale));
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
    check_size(lines, LineSide::Rows, cluster.leaf_order == Some(LeafOrder::Optimal)).is_err()
}

/// Refuses more lines than can be clustered in reasonable time.
fn check_size(lines: usize, side: LineSide, optimal: bool) -> Result<(), TransformError> {
    let (most, what) = if optimal {
        (MOST_LEAVES, "put in the optimal order of leaves")
    } else {
        (MOST, "clustered, by the distances of all pairs")
    };
    if lines <= most {
        return Ok(());
    }
    let (word, keep) = match side {
        LineSide::Rows => ("rows", "--sort-rows std:desc --keep 2000"),
        LineSide::Columns => ("columns", "--sort-columns std:desc --keep-columns 2000"),
    };
    let merged = if optimal { ", or --leaf-order merged" } else { "" };
    Err(TransformError::Limit {
        what: format!("{lines} {word}: at most {most} are {what}"),
        hint: format!(
            "{keep} clusters the 2000 {word} that vary most{merged}; --sort-{word} mean:desc orders all of them"
        ),
    })
}

fn refused(
    fault: DistanceFault,
    group: &[usize],
    axis: &Axis,
    side: LineSide,
    metric: Metric,
) -> TransformError {
    let word = side.word();
    let name = |i: usize| format!("{word} '{}'", shorten(&axis.label(group[i]), SHOWN));
    let metric = metric.word();
    let sort = format!("--sort-{word}s mean:desc orders them without distances");
    let (what, hint) = match fault {
        DistanceFault::Infinite(i) => {
            (format!("{} has an infinite value, so no distance to the others", name(i)), sort)
        }
        DistanceFault::Empty(i) => (
            format!("{} has no value, so no distance to the others", name(i)),
            format!("leave it out with --where, hide less of it with --mask, or {sort}"),
        ),
        DistanceFault::Constant(i) if metric == "cosine" => (
            format!("{} has zeros only: its cosine distance is not defined", name(i)),
            "--metric euclidean compares it".to_owned(),
        ),
        DistanceFault::Constant(i) => (
            format!("{} is constant: its {metric} distance is not defined", name(i)),
            "--metric euclidean compares it".to_owned(),
        ),
        DistanceFault::Apart(i, j) => (
            format!("{} and {} have no cell where both have a value, so no distance", name(i), name(j)),
            format!("leave one of them out with --where, or {sort}"),
        ),
        DistanceFault::ConstantTogether(i, j) => (
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

/// The most leaves: time grows with their cube.
const MOST_LEAVES: usize = 4000;

/// A node: its leaves `from..to`, by their places in the merged order, the second cluster from `cut`.
#[derive(Clone, Copy, Debug)]
struct Node {
    from: usize,
    cut: usize,
    to: usize,
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.to - self.from == 1
    }
}

struct Nodes(Vec<Node>);

impl Nodes {
    /// The nodes of a tree: leaves first, then those of the merges.
    fn new(merges: &[Merge], order: &[usize]) -> Self {
        let n = order.len();
        let mut nodes = vec![Node { from: 0, cut: 0, to: 0 }; n + merges.len()];
        for (place, &leaf) in order.iter().enumerate() {
            nodes[leaf] = Node { from: place, cut: place, to: place + 1 };
        }
        for (k, merge) in merges.iter().enumerate() {
            let [first, second] = merge.of.map(|of| nodes[of]);
            nodes[n + k] = Node { from: first.from, cut: second.from, to: second.to };
        }
        Self(nodes)
    }

    /// The leaves that end the other side of a node that begins with a leaf: those of its cluster that has not the leaf.
    fn other_end(&self, node: usize, leaf: usize) -> std::ops::Range<usize> {
        let node = self.0[node];
        if node.is_leaf() {
            node.from..node.to
        } else if leaf < node.cut {
            node.cut..node.to
        } else {
            node.from..node.cut
        }
    }
}

/// The order of the leaves. Of an order and its reverse, the one that begins in the first cluster of the last merge.
fn optimal_order(condensed: &[f64], merges: &[Merge], threads: usize) -> Vec<usize> {
    let order = leaves(merges);
    let n = order.len();
    let nodes = Nodes::new(merges, &order);
    let mut distance = vec![0.0f64; n * n];
    for a in 0..n {
        for b in 0..a {
            let (i, j) = (order[a].min(order[b]), order[a].max(order[b]));
            let d = condensed[n * i - i * (i + 1) / 2 + j - i - 1];
            (distance[a * n + b], distance[b * n + a]) = (d, d);
        }
    }
    // The least sum of a node's order from leaf a to leaf b, at (a, b) and (b, a).
    let mut least = vec![0.0f64; n * n];
    for (k, merge) in merges.iter().enumerate() {
        let node = nodes.0[n + k];
        let (above, below) = least.split_at_mut(node.cut * n);
        let rows = above[node.from * n..].chunks_mut(n).enumerate();
        let below = &*below;
        let to_second = |(i, row): (usize, &mut [f64])| {
            let first = node.from + i;
            // The least sum from this leaf over the gap to each leaf of the second cluster.
            let mut over = vec![f64::INFINITY; node.to - node.cut];
            for m in nodes.other_end(merge.of[0], first) {
                let (own, gaps) = (row[m], &distance[m * n + node.cut..m * n + node.to]);
                for (over, gap) in over.iter_mut().zip(gaps) {
                    *over = over.min(own + gap);
                }
            }
            for last in node.cut..node.to {
                let inner = nodes.other_end(merge.of[1], last);
                let rest = &below[(last - node.cut) * n..][..n];
                let sums = inner.map(|k| over[k - node.cut] + rest[k]);
                row[last] = sums.fold(f64::INFINITY, f64::min);
            }
        };
        let work = (node.cut - node.from) * (node.to - node.cut) * (node.to - node.from);
        workers::share(if work < 1 << 20 { 1 } else { threads }, rows, to_second);
        for a in node.from..node.cut {
            for b in node.cut..node.to {
                least[b * n + a] = least[a * n + b];
            }
        }
    }
    best(merges, &nodes, &distance, &least).into_iter().map(|place| order[place]).collect()
}

/// Goes back over the sums: the places of the leaves in the best order.
fn best(merges: &[Merge], nodes: &Nodes, distance: &[f64], least: &[f64]) -> Vec<usize> {
    let n = merges.len() + 1;
    let mut out = Vec::with_capacity(n);
    let root = n + merges.len() - 1;
    let ends = |node: Node| (node.from..node.cut).flat_map(move |a| (node.cut..node.to).map(move |b| (a, b)));
    let by_sum = |(a, b): &(usize, usize)| least[a * n + b];
    let first = ends(nodes.0[root]).min_by(|a, b| by_sum(a).total_cmp(&by_sum(b)));
    let mut waiting = vec![(root, first.unwrap_or((0, 0)))];
    while let Some((node, (a, b))) = waiting.pop() {
        let Some(merge) = node.checked_sub(n) else {
            out.push(nodes.0[node].from);
            continue;
        };
        let [mut near, mut far] = merges[merge].of;
        if a >= nodes.0[node].cut {
            (near, far) = (far, near);
        }
        let gaps = nodes.other_end(near, a).flat_map(|m| nodes.other_end(far, b).map(move |k| (m, k)));
        let sum = |(m, k): &(usize, usize)| least[a * n + m] + distance[m * n + k] + least[k * n + b];
        let (m, k) = gaps.min_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap_or((a, b));
        waiting.extend([(far, (k, b)), (near, (a, m))]);
    }
    out
}

/// A merge of two clusters: leaves are 0 to n - 1, the cluster of merge k is n + k. The smaller comes first, as in scipy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Merge {
    pub of: [usize; 2],
    pub height: f64,
}

/// The merges of `n` leaves by their distances, in the order of their heights.
pub(super) fn merges(condensed: &[f64], n: usize, linkage: Linkage) -> Vec<Merge> {
    if n < 2 {
        return Vec::new();
    }
    let method = match linkage {
        Linkage::Average => Method::Average,
        Linkage::Complete => Method::Complete,
        Linkage::Ward => Method::Ward,
        Linkage::Single => Method::Single,
        Linkage::Weighted => Method::Weighted,
    };
    // Ward's rule takes squares, which must neither overflow nor vanish.
    let power = exponent(condensed.iter().copied().fold(0.0, f64::max));
    let mut scaled: Vec<f64> = condensed.iter().map(|d| times_power(*d, -power)).collect();
    let tree = kodama::linkage(&mut scaled, n, method);
    let merge = |step: &kodama::Step<f64>| Merge {
        of: [step.cluster1, step.cluster2],
        height: times_power(step.dissimilarity, power),
    };
    tree.steps().iter().map(merge).collect()
}

/// The leaves of a tree from one end to the other: of each merge the first cluster, then the second.
pub(super) fn leaves(merges: &[Merge]) -> Vec<usize> {
    let n = merges.len() + 1;
    let mut out = Vec::with_capacity(n);
    let mut waiting = vec![n + merges.len() - 1];
    while let Some(node) = waiting.pop() {
        match node.checked_sub(n) {
            None => out.push(node),
            Some(merge) => {
                let [first, second] = merges[merge].of;
                waiting.extend([second, first]);
            }
        }
    }
    out
}

/// The merges as lines over leaves in this order, of which the first is cell `from` of an axis.
///
/// Heights are times `2^power`.
pub(super) fn joined(merges: &[Merge], order: &[usize], from: usize, power: i32) -> Vec<Join> {
    let n = order.len();
    let mut at = vec![(0.0, 0.0); n + merges.len()];
    for (place, &leaf) in order.iter().enumerate() {
        at[leaf].0 = (from + place) as f64 + 0.5;
    }
    let mut out = Vec::with_capacity(merges.len());
    for (k, merge) in merges.iter().enumerate() {
        let [a, b] = merge.of.map(|node| at[node]);
        let height = times_power(merge.height, power).min(f64::MAX);
        at[n + k] = (f64::midpoint(a.0, b.0), height);
        out.push(Join { ends: if a.0 <= b.0 { [a, b] } else { [b, a] }, height });
    }
    out
}
