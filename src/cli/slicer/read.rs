//! Slices of files: the figure of one, its grids, all its cells.

use super::{Link, Shown};
use crate::diagnostics::Failure;
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use gridscope_read::{Budget, ReadOptions, open_within, sliced};
use gridscope_window::Data;

/// All cells of grids, in memory.
pub(super) fn whole(grids: Vec<Grid>, figure: &Figure) -> Result<Data, Failure> {
    grids.iter().try_for_each(Grid::load).map_err(gridscope_draw::error::Error::from)?;
    Ok(Data::within(grids, figure, u64::MAX)?)
}

/// The grids of a slice.
pub(super) fn grids_of(figure: &Figure, shown: &Shown, link: &Link) -> Result<Vec<Grid>, Failure> {
    let needs = ReadOptions { kept: Some(link.kept.clone()), ..ReadOptions::default() };
    Ok(open_within(&shown.files, figure, &needs, &Budget::given(link.limit))?.grids)
}

/// The figure of another slice.
pub(super) fn figure_of(shown: &Shown, at: &[usize]) -> Figure {
    let mut figure = shown.figure.clone();
    sliced(&mut figure, &shown.axes, at);
    figure
}
