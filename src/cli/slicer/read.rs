//! Slices of files: the figure of one, its grids, all its cells.

use super::{Link, Shown};
use crate::app::Data;
use crate::cli::diagnostics::Failure;
use crate::figure::Figure;
use crate::grid::Grid;
use crate::input::{Budget, ReadOptions, open_within, sliced};

/// All cells of grids, in memory.
pub(super) fn whole(grids: Vec<Grid>, figure: &Figure) -> Result<Data, Failure> {
    grids
        .iter()
        .try_for_each(Grid::load)
        .map_err(crate::Error::from)?;
    Ok(Data::within(grids, figure, u64::MAX)?)
}

/// The grids of a slice.
pub(super) fn grids_of(figure: &Figure, shown: &Shown, link: &Link) -> Result<Vec<Grid>, Failure> {
    let needs = ReadOptions {
        kept: Some(link.kept.clone()),
        ..ReadOptions::default()
    };
    Ok(open_within(&shown.files, figure, &needs, &Budget::given(link.limit))?.grids)
}

/// The figure of another slice.
pub(super) fn figure_of(shown: &Shown, at: &[usize]) -> Figure {
    let mut figure = shown.figure.clone();
    sliced(&mut figure, &shown.axes, at);
    figure
}
