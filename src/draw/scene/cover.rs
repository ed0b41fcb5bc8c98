//! The background over cells that a mask hides, where the fill of their state is another one.

use super::Item;
use crate::layout::PanelLayout;
use gridscope_core::color::Color;
use gridscope_core::geom::Rect;
use gridscope_core::grid::{Grid, State};
use gridscope_core::scale::{ColorScale, Fill, Pattern};

/// Covers the hidden cells of a panel, a rectangle for each run in a row. Where pixels cover several cells nothing is covered.
pub(super) fn cover(
    p: &PanelLayout,
    grid: &Grid,
    scale: &ColorScale,
    background: Color,
    items: &mut Vec<Item>,
) {
    let plain = Fill { color: background, pattern: Pattern::Solid, ink: background };
    let differs = |s: &State| grid.hidden_cells(*s) > 0 && scale.spec().fills[s.index()] != plain;
    if p.reduces() || !State::ALL.iter().any(differs) {
        return;
    }
    let body = p.body.rect();
    for row in p.rows.shown() {
        let (top, bottom) = p.rows.extent(row);
        let mut run: Option<(f64, f64)> = None;
        let mut end = |run: &mut Option<(f64, f64)>| {
            if let Some((from, to)) = run.take() {
                items.push(Item::Rect {
                    rect: Rect::new(body.x + from, body.y + top, to - from, bottom - top),
                    color: background,
                });
            }
        };
        for column in p.columns.shown() {
            let (from, to) = p.columns.extent(column);
            let is_next = run.is_some_and(|(_, last)| (last - from).abs() < 0.5);
            if !grid.is_hidden(row, column) {
                end(&mut run);
            } else if is_next {
                run = run.map(|(first, _)| (first, to));
            } else {
                end(&mut run);
                run = Some((from, to));
            }
        }
        end(&mut run);
    }
}
