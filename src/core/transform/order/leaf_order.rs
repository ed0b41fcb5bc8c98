//! The order of the leaves of a tree in which the distances of neighbours add up to the least (Bar-Joseph and others, 2001).

use super::linkage::{Merge, leaves};
use crate::workers;

/// The most leaves: time grows with their cube.
pub(super) const MOST: usize = 4000;

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
pub(super) fn optimal(condensed: &[f64], merges: &[Merge], threads: usize) -> Vec<usize> {
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
