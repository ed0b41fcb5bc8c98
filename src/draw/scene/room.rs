//! The room that the labels of colour bars take, for a layout with bars as wide as they need.

use super::bar::bar_room;
use crate::layout::{BarLayout, Layout};
use crate::resolve::{Colours, Frame};
use gridscope_core::grid::Grid;
use gridscope_core::text::Measure;

/// The most cells of a figure that is laid out again; more take too long to read twice.
const MOST_CELLS: usize = 250_000;

/// The pixels that the labels of each bar at the right take: of a bar beside each panel and of several side by side always, of
/// one bar where they need more than the usual room. None where the layout does not depend on them: the parts that a window shows move no body, and neither
/// do the cells of a large grid.
pub fn bar_rooms(
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    grids: &[Grid],
    m: &mut dyn Measure,
) -> Option<Vec<Option<f64>>> {
    let is_large = grids.iter().map(Grid::len).sum::<usize>() > MOST_CELLS;
    if frame.viewed || is_large || !grids.iter().all(Grid::is_loaded) {
        return None;
    }
    let upright = layout.bars.iter().flatten().filter(|at| !at.horizontal);
    // Room that labels leave free is seen between a bar and the next.
    let is_row = upright.count() > 1;
    let bars = layout.bars.iter().zip(&colours.bars).zip(&frame.bars);
    let room = |((at, bar), spec)| {
        let at: &BarLayout = Option::as_ref(at)?;
        let at = Some(at).filter(|at| !at.horizontal)?;
        let room = bar_room(frame, at, bar, spec, m);
        (at.aligned || is_row || room > at.room).then_some(room)
    };
    Some(bars.map(room).collect())
}
