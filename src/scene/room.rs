//! The room that the labels of colour bars take, for a layout with bars as wide as they need.

use super::bar::bar_room;
use crate::grid::Grid;
use crate::layout::Layout;
use crate::resolve::{Colours, Frame};
use crate::text::Measure;

/// The most cells of a figure that is laid out again; more take too long to read twice.
const MOST_CELLS: usize = 250_000;

/// The pixels that the labels of each bar take, where each panel has a bar beside it. None where the layout does not depend on
/// them: the parts that a window shows move no body, and neither do the cells of a large grid.
pub fn bar_rooms(
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    grids: &[Grid],
    m: &mut dyn Measure,
) -> Option<Vec<f64>> {
    let is_large = grids.iter().map(Grid::len).sum::<usize>() > MOST_CELLS;
    if frame.viewed || is_large || !grids.iter().all(Grid::is_loaded) {
        return None;
    }
    let bars = layout.bars.iter().zip(&colours.bars).zip(&frame.bars);
    bars.map(|((at, bar), spec)| {
        let at = at.as_ref().filter(|at| at.aligned && !at.horizontal)?;
        Some(bar_room(frame, at, bar, spec, m))
    })
    .collect()
}
