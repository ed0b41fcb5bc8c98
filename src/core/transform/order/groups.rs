//! Groups of an axis: lines that have the same outer labels stay together.

use crate::grid::Axis;
use std::collections::HashMap;

/// The places of `order` in their groups, one group after the other in the order of their first lines on the axis, inner groups
/// within their outer ones; within a group as they are.
pub(super) fn grouped(axis: &Axis, order: &[usize]) -> Vec<Vec<usize>> {
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

#[cfg(test)]
mod tests {
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
