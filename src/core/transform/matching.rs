//! Which rows and columns of two grids belong together, and the axis that has those of both.

use super::TransformError;
use crate::grid::{Axis, AxisKind, Coords};
use std::collections::HashMap;

/// A place on each of two axes; `None` where one does not have it.
pub(crate) type Pair = (Option<usize>, Option<usize>);

/// Places along two axes that belong together: those of the first in their order, then those that only the second has. Labels
/// that repeat belong together in their order.
pub fn places(now: Option<&Axis>, before: Option<&Axis>) -> Vec<Pair> {
    let has_numbers = [now, before].iter().flatten().any(|a| a.coords.is_some());
    let keys = |axis: Option<&Axis>| {
        axis.map_or_else(Vec::new, |a| (0..a.len()).map(|i| key(a, i, has_numbers)).collect::<Vec<_>>())
    };
    let (now, before) = (keys(now), keys(before));
    let mut at: HashMap<&str, Vec<usize>> = HashMap::new();
    before.iter().enumerate().rev().for_each(|(i, k)| at.entry(k).or_default().push(i));
    let mut out: Vec<_> =
        now.iter().enumerate().map(|(i, k)| (Some(i), at.get_mut(k.as_str()).and_then(Vec::pop))).collect();
    let mut left: Vec<usize> = at.into_values().flatten().collect();
    left.sort_unstable();
    out.extend(left.into_iter().map(|i| (None, Some(i))));
    out
}

/// The identity of a place: its number to twelve digits, else its label, which may be a number beside an axis of numbers.
fn key(axis: &Axis, i: usize, has_numbers: bool) -> String {
    let label = || axis.label(i);
    let read = || label().trim().parse::<f64>().ok().filter(|_| has_numbers);
    axis.center(i).or_else(read).map_or_else(label, |c| format!("{:.11e}", c + 0.0))
}

/// A label, a number to twelve digits whatever its text.
pub(super) fn number_key(label: &str) -> String {
    let number = label.trim().parse::<f64>();
    number.map_or_else(|_| label.to_owned(), |n| format!("{:.11e}", n + 0.0))
}

/// Whether two labels are one key: the same text, or the same number.
pub(super) fn is_same(label: &str, value: &str) -> bool {
    label == value || number_key(label) == number_key(value)
}

/// The axis of all keys of two axes: those of the first in their order, others where the second has them, numbers in the order
/// of numbers. And the places of each key on both.
///
/// # Errors
/// Axes of another number of levels.
pub(super) fn union(first: &Axis, second: &Axis, word: &str) -> Result<(Axis, Vec<Pair>), TransformError> {
    let (of_first, of_second) = (first.levels.len().max(1), second.levels.len().max(1));
    if of_first != of_second {
        return Err(TransformError::usage(format!(
            "the {word} of the data have {of_first} levels and those of the baseline {of_second}; both need the same columns"
        )));
    }
    let mut pairs = places(Some(first), Some(second));
    if pairs.len() == first.len() {
        return Ok((first.clone(), pairs));
    }
    let center = |p: &Pair| p.0.and_then(|i| first.center(i)).or_else(|| second.center(p.1?));
    let centers: Option<Vec<f64>> = pairs.iter().map(center).collect();
    if centers.is_some() {
        let down = first.len() > 1 && first.center(0) > first.center(first.len() - 1);
        pairs.sort_by(|a, b| {
            let order = center(a).partial_cmp(&center(b)).unwrap_or(std::cmp::Ordering::Equal);
            if down { order.reverse() } else { order }
        });
    } else {
        pairs = in_order(pairs, first.len());
    }
    let (start, is_index) = (first.start, first.kind == AxisKind::Index && second.kind == AxisKind::Index);
    if is_index && first.levels.is_empty() && start == second.start {
        let mut axis = Axis::index(&first.name, pairs.len());
        axis.start = start;
        return Ok((axis, pairs));
    }
    let text = |p: &Pair, level: usize| {
        let of =
            |axis: &Axis, i: usize| axis.levels.get(level).map_or_else(|| axis.label(i), |l| l[i].clone());
        p.0.map(|i| of(first, i)).or_else(|| Some(of(second, p.1?))).unwrap_or_default()
    };
    let levels = (0..of_first).map(|level| pairs.iter().map(|p| text(p, level)).collect()).collect();
    let mut axis = Axis::nested(&first.name, levels);
    if let Some(centers) = centers.map(|_| pairs.iter().filter_map(center).collect()) {
        axis.kind = first.kind;
        axis.coords = Some(Coords::Centers(centers));
    }
    for n in 0..first.strips.len().max(second.strips.len()) {
        let strip = |p: &Pair| {
            let of = |axis: &Axis, i: Option<usize>| Some(axis.strips.get(n)?[i?].clone());
            of(first, p.0).or_else(|| of(second, p.1)).unwrap_or_default()
        };
        axis.strips.push(pairs.iter().map(strip).collect());
    }
    Ok((axis, pairs))
}

/// The pairs of `first` keys of the first axis in their order, each followed by those that come behind it on the second alone.
fn in_order(pairs: Vec<Pair>, first: usize) -> Vec<Pair> {
    let (own, alone) = pairs.split_at(first);
    let mut runs: HashMap<Option<usize>, Vec<Pair>> = HashMap::new();
    let mut last: Option<(usize, Option<usize>)> = None;
    for pair in alone {
        let Some(at) = pair.1 else { continue };
        // Those that follow each other are one run, behind what comes before its first.
        let behind = match last {
            Some((before, behind)) if before + 1 == at => behind,
            _ => at.checked_sub(1),
        };
        runs.entry(behind).or_default().push(*pair);
        last = Some((at, behind));
    }
    let mut out = runs.remove(&None).unwrap_or_default();
    for pair in own {
        out.push(*pair);
        out.extend(pair.1.and_then(|at| runs.remove(&Some(at))).unwrap_or_default());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(axis: &Axis) -> Vec<String> {
        (0..axis.len()).map(|i| axis.label(i)).collect()
    }

    fn category(labels: &[&str]) -> Axis {
        Axis::category("k", labels.iter().map(|l| (*l).to_owned()).collect())
    }

    fn number(values: &[f64]) -> Axis {
        Axis::number("n", values.to_vec(), values.iter().map(f64::to_string).collect())
    }

    #[test]
    fn a_union_keeps_both_orders() {
        for (first, second, wanted) in [
            (vec!["a", "b"], vec!["a", "b"], "a b"),
            (vec!["b", "d"], vec!["a", "b", "c", "d", "e"], "a b c d e"),
            (vec!["b", "a"], vec!["a", "x", "y", "b"], "b a x y"),
            (vec!["a"], vec!["p", "q"], "p q a"),
        ] {
            let (axis, pairs) = union(&category(&first), &category(&second), "rows").unwrap();
            assert_eq!(words(&axis).join(" "), wanted);
            for (i, pair) in pairs.iter().enumerate() {
                assert!(pair.0.is_none_or(|at| first[at] == words(&axis)[i]));
                assert!(pair.1.is_none_or(|at| second[at] == words(&axis)[i]));
            }
        }
        let (axis, _) = union(&number(&[1.0, 3.0]), &number(&[0.5, 2.0, 3.0]), "rows").unwrap();
        assert_eq!(axis.coords, Some(Coords::Centers(vec![0.5, 1.0, 2.0, 3.0])));
        let (axis, _) = union(&number(&[3.0, 1.0]), &number(&[2.0]), "rows").unwrap();
        assert_eq!(words(&axis), ["3", "2", "1"]);
    }

    #[test]
    fn positions_stay_positions_and_texts_are_numbers_beside_numbers() {
        let (axis, pairs) = union(&Axis::index("", 2), &Axis::index("", 3), "rows").unwrap();
        assert_eq!((axis.kind, axis.len(), pairs[2]), (AxisKind::Index, 3, (None, Some(2))));
        let (axis, pairs) = union(&number(&[0.1, 0.2]), &category(&["0.10", "none"]), "rows").unwrap();
        assert_eq!((axis.kind, pairs[0]), (AxisKind::Category, (Some(0), Some(0))));
        let nested = Axis::nested("a, b", vec![vec!["1".into()], vec!["2".into()]]);
        assert!(union(&nested, &category(&["1"]), "rows").is_err());
    }
}
