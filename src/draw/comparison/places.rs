//! Places of cells in words.

use crate::resolve::place_of;
use gridscope_core::grid::Grid;

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
