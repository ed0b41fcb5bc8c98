//! The lengths of axes in cells, and the parts of them that bodies show.

use super::frame::PanelFrame;
use gridscope_core::grid::Axis;
use gridscope_core::view::Part;

/// The width of a gap between the groups of a nested axis as a share of a cell.
pub(crate) const GAP: f64 = 0.4;

/// The number of gaps between the groups of a nested axis.
pub(crate) fn gaps(axis: &Axis) -> u32 {
    if axis.levels.len() > 1 { axis.groups(0).len() as u32 - 1 } else { 0 }
}

/// The width of an axis in cells, including gaps.
pub(crate) fn cells_wide(axis: &Axis) -> f64 {
    axis.len() as f64 + f64::from(gaps(axis)) * GAP
}

/// Takes off parts that are whole axes: a figure that asks for everything is laid out as one that asks for nothing.
pub(super) fn without_whole_parts(panels: &mut [PanelFrame]) {
    for panel in panels {
        // Who counts cells has not counted the gaps between groups.
        let is_part =
            |part: &Part, axis: &Axis| ![cells_wide(axis), axis.len() as f64].map(Part::whole).contains(part);
        panel.part_x = panel.part_x.filter(|part| is_part(part, &panel.columns));
        panel.part_y = panel.part_y.filter(|part| is_part(part, &panel.rows));
    }
}
