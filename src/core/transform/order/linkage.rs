//! Hierarchical clustering of distances: merges, the order of the leaves, and the tree over it.

use super::distance::{exponent, times_power};
use crate::figure::Linkage;
use crate::grid::Join;
use kodama::Method;

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
pub(super) fn joins(merges: &[Merge], order: &[usize], from: usize, power: i32) -> Vec<Join> {
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
