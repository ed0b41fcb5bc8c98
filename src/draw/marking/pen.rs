//! The widths of lines on bodies, which decide where they leave room for the cells.

use crate::layout::Layout;

/// The widest line of a level in widths of a tick; the lowest level has one.
const WIDEST: f64 = 2.2;
/// Cells of fewer pixels are seen as a field, not one by one.
const SEEN: f64 = 4.0;
/// The most of a cell that a line and its edges take, as a share.
const SHARE: f64 = 0.5;

/// The width of the light edge of lines and symbols; `line` is that of ticks.
pub fn edge(line: f64) -> f64 {
    (0.5 * line).round().max(1.0)
}

/// The width of the outline of marked cells; `line` is that of ticks.
pub fn outline_width(line: f64) -> f64 {
    (1.4 * line).round().max(1.0)
}

/// The width of the contour of a level, the lowest of this many first, without its light edges.
pub fn level_width(level: usize, levels: usize, layout: &Layout) -> f64 {
    let share = level as f64 / (levels.max(2) - 1) as f64;
    let wide = (layout.line * (1.0 + (WIDEST - 1.0) * share)).round();
    let sides = layout.panels.iter().flat_map(|p| [&p.columns, &p.rows]);
    let side = |table: &gridscope_core::view::EdgeTable| {
        f64::from(table.pixels()) / table.shown().len().max(1) as f64
    };
    let seen = sides.map(side).filter(|side| *side >= SEEN);
    let least = seen.fold(f64::MAX, f64::min);
    wide.min((SHARE * least - 2.0 * edge(layout.line)).floor()).max(1.0)
}
