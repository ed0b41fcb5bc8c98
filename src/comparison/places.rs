//! Which rows and columns of two states of a grid belong together.

use crate::grid::{Axis, Grid};
use crate::resolve::place_of;
use std::collections::HashMap;

/// Places along an axis now and before that belong together; a label that only one side has is paired with nothing.
pub(super) fn places(now: Option<&Axis>, before: Option<&Axis>) -> Vec<(Option<usize>, Option<usize>)> {
    let keys = |axis: Option<&Axis>| {
        axis.map_or_else(Vec::new, |a| (0..a.len()).map(|i| key(a, i)).collect::<Vec<_>>())
    };
    let (now, before) = (keys(now), keys(before));
    // Labels that repeat belong together in their order.
    let mut at: HashMap<&str, Vec<usize>> = HashMap::new();
    before
        .iter()
        .enumerate()
        .rev()
        .for_each(|(i, k)| at.entry(k).or_default().push(i));
    let mut out: Vec<_> = now
        .iter()
        .enumerate()
        .map(|(i, k)| (Some(i), at.get_mut(k.as_str()).and_then(Vec::pop)))
        .collect();
    let mut left: Vec<usize> = at.into_values().flatten().collect();
    left.sort_unstable();
    out.extend(left.into_iter().map(|i| (None, Some(i))));
    out
}

/// The identity of a place: its number to twelve digits, else its label.
fn key(axis: &Axis, i: usize) -> String {
    axis.center(i)
        .map_or_else(|| axis.label(i), |c| format!("{:.11e}", c + 0.0))
}

/// The place of a cell in words, as it is now or as it was.
pub(super) fn place_of_either(
    new: Option<&Grid>,
    at: Option<(usize, usize)>,
    old: Option<&Grid>,
    was: Option<(usize, usize)>,
) -> String {
    let of = |g: Option<&Grid>, at: Option<(usize, usize)>| g.zip(at).map(|(g, (r, c))| place_of(g, r, c));
    of(new, at).or_else(|| of(old, was)).unwrap_or_default()
}
