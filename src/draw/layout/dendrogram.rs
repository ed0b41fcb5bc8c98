//! The trees of clustered rows and columns, in their tracks.

use super::page::PanelPage;
use super::sheet::Sheet;
use gridscope_core::color::Color;
use gridscope_core::geom::Rect;
use gridscope_core::view::EdgeTable;
use std::collections::HashSet;

/// The distance, in widths of their lines, from which on the two lines of a merge have the full ink.
const CLEAR: f64 = 24.0;
/// The least share of the ink.
const FAINTEST: f64 = 0.14;

/// The pixel of a place in cells: between the middles of two cells, as far as it is between them.
fn pixel(place: f64, cells: usize, table: &EdgeTable) -> f64 {
    let middle = |cell: usize| {
        let (a, b) = table.extent(cell);
        f64::midpoint(a, b)
    };
    let last = cells - 1;
    let from = (place - 0.5).floor().clamp(0.0, last.saturating_sub(1) as f64) as usize;
    if last == 0 {
        return middle(0);
    }
    let (a, b) = (middle(from), middle(from + 1));
    a + (place - 0.5 - from as f64) * (b - a)
}

impl Sheet<'_> {
    /// Draws the tree of a panel's rows or columns: leaves at the body, heights to scale.
    pub(super) fn dendrogram(&mut self, i: usize, panel: &PanelPage, of_rows: bool, at: &Rect) {
        let frame = &self.frame.panels[i];
        let (axis, table) =
            if of_rows { (&frame.rows, &panel.rows) } else { (&frame.columns, &panel.columns) };
        let Some(tree) = &axis.tree else { return };
        let ink = self.frame.palette.ink;
        let length = f64::from(table.pixels());
        // Lines of leaves that are near each other are thin.
        let is_dense = length / (axis.len() as f64) < 3.0 * self.line;
        let line = if is_dense { self.line.min(1.0) } else { self.line };
        let deep = (if of_rows { at.w } else { at.h } - line).max(0.0);
        let depth = |height: f64| {
            if tree.height() > 0.0 { (height / tree.height() * deep).round() } else { 0.0 }
        };
        let (background, [red, green, blue, _]) = (self.frame.palette.background, ink.rgba());
        // Side by side the lines of near leaves are one area; the fainter the nearer, wide merges are seen over it.
        let faded = |apart: f64| {
            let share = (apart / CLEAR).clamp(FAINTEST, 1.0);
            Color::rgba_of(red, green, blue, (255.0 * share).round() as u8)
        };
        // Lines of merges in one pixel are drawn once.
        let mut drawn: HashSet<[i64; 4]> = HashSet::new();
        let mut rect = |along: (f64, f64), across: (f64, f64), color: Color| {
            let (a, b) = (along.0.max(0.0), along.1.min(length));
            if a >= b || across.0 >= across.1 {
                return;
            }
            let rect = if of_rows {
                Rect::new(at.x + across.0, at.y + a, across.1 - across.0, b - a)
            } else {
                Rect::new(at.x + a, at.bottom() - across.1, b - a, across.1 - across.0)
            };
            if drawn.insert([rect.x, rect.y, rect.w, rect.h].map(|v| v as i64)) {
                self.layout.rects.push((rect, color));
            }
        };
        for join in tree.joins() {
            let top = depth(join.height);
            let places = join.ends.map(|(place, _)| pixel(place, axis.len(), table));
            let color = match is_dense {
                true => faded((places[0] - places[1]).abs() / line).over(background),
                false => ink,
            };
            let starts = places.map(|place| (place - line / 2.0).round());
            for (start, (_, height)) in starts.into_iter().zip(join.ends) {
                rect((start, start + line), (depth(height), top + line), color);
            }
            let (first, last) = (starts[0].min(starts[1]), starts[0].max(starts[1]));
            rect((first, last + line), (top, top + line), color);
        }
    }
}
