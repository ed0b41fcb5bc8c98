//! Slices of arrays: the first one of an array of more than two dimensions, and others of the same array.

use super::array::SurplusAxes;
use super::budget::Budget;
use super::error::InputError;
use super::loaded::{Loaded, ReadOptions};
use super::panel_files::open_within;
use gridscope_core::figure::{Figure, List};
use gridscope_core::grid::{Grid, SlicedAxis};
use std::error::Error;
use std::sync::Arc;

/// More axes than an array has.
const MOST_AXES: usize = 256;

/// As [`open_within`], but of axes beyond rows and columns that the figure does not slice, the first index is taken; `slice` of the
/// figure then says so. A figure with `[[panel]]` is read as it is.
///
/// # Errors
/// As [`open_within`].
pub fn open_first_slice(
    files: &[String],
    figure: &mut Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    for _ in 0..MOST_AXES {
        let refused = match open_within(files, figure, needs, budget) {
            Ok(loaded) => return Ok(loaded),
            Err(e) => e,
        };
        let surplus = refused.source().and_then(|e| e.downcast_ref::<SurplusAxes>());
        let Some(SurplusAxes(axes)) = surplus.filter(|_| figure.panel.is_empty()) else {
            return Err(refused);
        };
        let slice = figure.data.slice.get_or_insert_with(|| List(Vec::new()));
        slice.0.extend(axes.iter().map(|axis| format!("{axis}=0")));
    }
    open_within(files, figure, needs, budget)
}

/// The axes that all grids show the same index of: what another slice may be chosen along. Each is as long as the shortest one.
pub fn common_slices(grids: &[Grid]) -> Vec<SlicedAxis> {
    let Some((first, others)) = grids.split_first() else {
        return Vec::new();
    };
    let same = |axis: &SlicedAxis, grid: &Grid| {
        let at = |own: &&SlicedAxis| own.axis == axis.axis && own.index == axis.index;
        grid.slices().iter().find(at).cloned()
    };
    let of = |axis: &SlicedAxis| {
        let own: Option<Vec<SlicedAxis>> = others.iter().map(|grid| same(axis, grid)).collect();
        own?.into_iter().chain([axis.clone()]).min_by_key(SlicedAxis::len)
    };
    first.slices().iter().filter_map(of).collect()
}

/// Writes `slice` of the figure for these axes at other indexes.
pub fn sliced(figure: &mut Figure, axes: &[SlicedAxis], at: &[usize]) {
    let slice = figure.data.slice.get_or_insert_with(|| List(Vec::new()));
    let names = |text: &str, axis: &SlicedAxis| {
        let word = text.split('=').next().unwrap_or_default().trim();
        word.parse().map_or_else(|_| word == axis.name(), |n: usize| n == axis.axis)
    };
    // Axes of one element, whose slices decide which others are left.
    slice.0.retain(|text| !axes.iter().any(|axis| names(text, axis)));
    let chosen = axes.iter().zip(at).map(|(axis, index)| format!("{}={index}", axis.axis));
    slice.0.extend(chosen);
}
