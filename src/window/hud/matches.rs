//! Marks of all rows and columns whose labels a search finds, in every panel.

use super::super::geometry::{PanelAt, WindowGeometry};
use super::super::shades::clear;
use super::super::state::ViewState;
use super::marks::{common, thin};
use gridscope_core::color::Color;
use gridscope_core::geom::Rect;
use gridscope_core::view::EdgeTable;
use gridscope_draw::scene::Item;

/// Up to this many rows or columns of a panel have lines across its body; more have marks beside it alone.
const MOST_LINES: usize = 24;
/// Depth of the marks beside a body, in logical pixels.
const DEPTH: f64 = 4.0;

/// The marks of the matches in view.
pub(super) fn matches(geometry: &WindowGeometry, state: &ViewState, items: &mut Vec<Item>) {
    for (panel, found) in geometry.panels.iter().zip(&state.matches) {
        if panel.body.w > 0 && panel.body.h > 0 {
            across(geometry, panel, &bands(&panel.rows, &found.rows), false, items);
            across(geometry, panel, &bands(&panel.columns, &found.columns), true, items);
        }
    }
}

/// Where cells of a list lie along a body, in whole pixels; cells that share a pixel make one band.
fn bands(table: &EdgeTable, cells: &[usize]) -> Vec<(f64, f64)> {
    let shown = || table.spans().iter().filter(|s| s[0] < s[1]);
    let (Some(first), Some(end)) = (shown().map(|s| s[0]).min(), shown().map(|s| s[1]).max()) else {
        return Vec::new();
    };
    let place = |cell: usize| cells.partition_point(|c| *c < cell);
    let mut bands: Vec<(f64, f64)> = cells[place(first as usize)..place(end as usize)]
        .iter()
        .map(|cell| {
            let (a, b) = table.extent(*cell);
            let (a, b) = (a.min(b).floor(), a.max(b).ceil());
            (a, b.max(a + 1.0))
        })
        .collect();
    bands.sort_by(|a, b| a.0.total_cmp(&b.0));
    bands.dedup_by(|next, band| {
        let joins = next.0 < band.1 - 1.0 || *next == *band;
        if joins {
            band.1 = band.1.max(next.1);
        }
        joins
    });
    bands
}

/// Marks on both sides of a body, and lines across it; `upright`: the bands are columns.
fn across(
    geometry: &WindowGeometry,
    panel: &PanelAt,
    bands: &[(f64, f64)],
    upright: bool,
    items: &mut Vec<Item>,
) {
    let (t, deep) = (thin(geometry), (DEPTH * geometry.logical_pixel()).round());
    let body = panel.body.rect();
    let window = Rect::new(0.0, 0.0, f64::from(geometry.size.w), f64::from(geometry.size.h));
    let color = Color::rgb(0xe8, 0x59, 0x0c);
    let turned = |along: f64, across: f64, long: f64, wide: f64| {
        if upright {
            Rect::new(body.x + along, body.y + across, long, wide)
        } else {
            Rect::new(body.x + across, body.y + along, wide, long)
        }
    };
    let (length, depth) = if upright { (body.w, body.h) } else { (body.h, body.w) };
    for (from, to) in bands.iter().map(|b| (b.0.max(0.0), b.1.min(length))) {
        for side in [-deep - t, depth + t] {
            let mark = turned(from, side, to - from, deep);
            items.extend(common(&mark, &window).map(|rect| Item::Rect { rect, color }));
        }
        if bands.len() <= MOST_LINES {
            for edge in [from, to - t] {
                let line = turned(edge, 0.0, t, depth);
                let color = clear(color, 0.8);
                items.extend(common(&line, &body).map(|rect| Item::Rect { rect, color }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::view::Track;

    #[test]
    fn bands_are_those_in_view() {
        let track = Track::even(100);
        let table = track.table(gridscope_core::view::Part { from: 10.0, to: 20.0 }, 50);
        assert_eq!(bands(&table, &[2, 10, 13, 19, 20, 70]), [(0.0, 5.0), (15.0, 20.0), (45.0, 50.0)]);
        assert_eq!(bands(&table, &[]), []);
        // Many cells a pixel: one band a pixel at most.
        let table = track.table(track.whole(), 10);
        let all: Vec<usize> = (0..100).collect();
        let found = bands(&table, &all);
        assert!(found.len() <= 10 && found[0].0 == 0.0 && found.last().unwrap().1 == 10.0, "{found:?}");
        let upside_down = track.table(track.whole(), 10).reversed();
        assert_eq!(bands(&upside_down, &[0]), [(9.0, 10.0)]);
    }
}
