//! One order for both axes where they have the same labels, as a confusion matrix or a correlation has.

use std::collections::HashMap;

/// The order of an axis, as places in `labels`, that follows the one of the other axis, `leader`: labels of both are in its
/// order, and each of the others stays before the label that it precedes. `None` where the labels are not the same set, or
/// are in one order already.
///
/// They are the same set where one axis lacks labels of the other, or where at least half of all labels are on both. Fewer
/// than two common labels have no order.
pub(super) fn following(leader: &[&str], labels: &[&str]) -> Option<Vec<usize>> {
    let places: HashMap<&str, usize> = leader.iter().copied().zip(0..).collect();
    let own: HashMap<&str, usize> = labels.iter().copied().zip(0..).collect();
    if places.len() < leader.len() || own.len() < labels.len() {
        return None;
    }
    let common: Vec<Option<usize>> = labels.iter().map(|l| places.get(l).copied()).collect();
    let shared = common.iter().flatten().count();
    let is_part = shared == leader.len().min(labels.len());
    let all = leader.len() + labels.len() - shared;
    let is_same_set = shared > 1 && (is_part || 2 * shared >= all);
    if !is_same_set || common.iter().flatten().is_sorted() {
        return None;
    }
    // A label of one axis only takes the place just before the next label of both.
    let mut next = usize::MAX;
    let mut keys: Vec<(usize, bool, usize)> = Vec::with_capacity(labels.len());
    for (at, place) in common.iter().enumerate().rev() {
        next = place.unwrap_or(next);
        keys.push((next, place.is_some(), at));
    }
    keys.sort_unstable();
    Some(keys.into_iter().map(|key| key.2).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(leader: &str, labels: &str) -> Option<String> {
        let [leader, labels] = [leader, labels].map(|t| t.split(' ').collect::<Vec<_>>());
        let order = following(&leader, &labels)?;
        Some(order.into_iter().map(|i| labels[i]).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn labels_of_both_axes_are_in_the_order_of_the_first() {
        assert_eq!(follow("cat dog owl", "owl cat dog").unwrap(), "cat dog owl");
        assert_eq!(follow("cat dog owl", "dog cat").unwrap(), "cat dog");
        assert_eq!(follow("dog cat", "cat owl dog").unwrap(), "owl dog cat");
        assert_eq!(follow("a b c d", "d x b a c y").unwrap(), "a x b c d y");
    }

    #[test]
    fn other_labels_stay_as_they_are() {
        for (leader, labels) in [
            ("a b c", "a b c"),
            ("a b c", "b c d"),
            ("a b c d e", "b a f g h"),
            ("a b", "c d"),
            ("a", "a"),
            ("a b a", "b a"),
        ] {
            assert_eq!(follow(leader, labels), None, "{leader}: {labels}");
        }
    }
}
