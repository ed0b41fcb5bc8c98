//! Marks over the cells: selection, zoom box, crosshair, and rows and columns that a search finds.

use super::super::geometry::{Hit, PanelAt, WindowGeometry};
use super::super::shades::{clear, grey};
use super::super::state::ViewState;
use super::edges;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::view::EdgeTable;
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::Item;

/// Thickness of a thin line: one logical pixel, rounded to whole device pixels.
pub(super) fn thin(geometry: &WindowGeometry) -> f64 {
    geometry.unit.round().max(1.0)
}

/// Where the selected cells are, of which some are in view.
pub(super) fn selected_rect(geometry: &WindowGeometry, state: &ViewState) -> Option<Rect> {
    let s = state.selection.as_ref()?;
    let p = geometry.panels.get(s.panel)?;
    let (rows, columns) =
        (s.rows.start..s.rows.end.min(p.rows.cells()), s.columns.start..s.columns.end.min(p.columns.cells()));
    if rows.is_empty() || columns.is_empty() {
        return None;
    }
    let ends = |table: &gridscope_core::view::EdgeTable, from: usize, last: usize| {
        let (a, b) = (table.extent(from), table.extent(last));
        (a.0.min(b.0).floor(), a.1.max(b.1).ceil())
    };
    let ((x0, x1), (y0, y1)) =
        (ends(&p.columns, columns.start, columns.end - 1), ends(&p.rows, rows.start, rows.end - 1));
    let body = p.body.rect();
    let cells = Rect::new(body.x + x0, body.y + y0, x1 - x0, y1 - y0);
    cells.overlaps(&body).then_some(cells)
}

/// A frame around the selected cells in view: a light line between dark ones.
pub(super) fn selection(geometry: &WindowGeometry, state: &ViewState, items: &mut Vec<Item>) {
    let Some((cells, panel)) = selected_rect(geometry, state).zip(state.selection.as_ref().map(|s| s.panel))
    else {
        return;
    };
    let t = thin(geometry);
    // The frame of cells at the border may extend a little beyond the body; cells out of view have none.
    let within = geometry.panels[panel].body.rect().grown(2.0 * t);
    for (out, color) in
        [(2.0 * t, Color::rgb(0x10, 0x10, 0x10)), (t, Color::WHITE), (0.0, Color::rgb(0x10, 0x10, 0x10))]
    {
        for rect in edges(&cells.grown(out), t).iter().filter_map(|r| common(r, &within)) {
            items.push(Item::Rect { rect, color });
        }
    }
}

/// The zoom box that is being drawn; from an axis, a stretch of its panel.
pub(super) fn rubber(geometry: &WindowGeometry, state: &ViewState, items: &mut Vec<Item>) {
    let Some((a, b)) = state.rubber else { return };
    let window = Rect::new(0.0, 0.0, f64::from(geometry.size.w), f64::from(geometry.size.h));
    let mut r = Rect::new(a.x.min(b.x), a.y.min(b.y), (a.x - b.x).abs(), (a.y - b.y).abs());
    let body = |p: usize| geometry.panels[p].body.rect();
    let bounds = match geometry.hit(a) {
        Hit::Body(p) | Hit::Divider(p) => body(p),
        Hit::XAxis(p) => {
            r = Rect { y: body(p).y, h: body(p).h, ..r };
            body(p)
        }
        Hit::YAxis(p) => {
            r = Rect { x: body(p).x, w: body(p).w, ..r };
            body(p)
        }
        Hit::Bar(_)
        | Hit::Distribution(_)
        | Hit::Thumbnail(_)
        | Hit::Strip
        | Hit::Slider(_)
        | Hit::Title(_)
        | Hit::Tool(_)
        | Hit::Entry(_)
        | Hit::Minimap(_)
        | Hit::Elsewhere => window,
    };
    let Some(r) = common(&whole(&r), &bounds) else {
        return;
    };
    let t = thin(geometry);
    items.push(Item::Rect { rect: r, color: clear(Color::WHITE, 0.2) });
    for (out, color) in [(0.0, clear(Color::BLACK, 0.75)), (-t, clear(Color::WHITE, 0.9))] {
        let inner = r.grown(out);
        if inner.w >= t && inner.h >= t {
            items.extend(edges(&inner, t).map(|rect| Item::Rect { rect, color }));
        }
    }
}

/// The crosshair: a light and a dark line side by side from the edges of the body to those of the cell under the pointer,
/// with triangles at the axes. Where cells show their values, only that cell is framed: lines would strike values through.
pub(super) fn crosshair(
    geometry: &WindowGeometry,
    state: &ViewState,
    palette: Palette,
    items: &mut Vec<Item>,
) {
    let Some(at) = state.pointer else { return };
    let Hit::Body(p) = geometry.hit(at) else {
        return;
    };
    let t = thin(geometry);
    let panel = &geometry.panels[p];
    let body = panel.body.rect();
    let (x, y) = (at.x.floor(), at.y.floor());
    let cell = cell_at(panel, at);
    if geometry.written.get(p) == Some(&true) {
        let framed = cell.as_ref().and_then(|cell| common(cell, &body));
        for r in framed.iter().filter(|r| r.w > 4.0 * t && r.h > 4.0 * t) {
            for (out, color) in [(0.0, Color::BLACK), (-t, Color::WHITE)] {
                items.extend(
                    edges(&r.grown(out), t).map(|rect| Item::Rect { rect, color: clear(color, 0.8) }),
                );
            }
        }
        pointers(geometry, panel, (x + t, y + t), palette, items);
        return;
    }
    // The lines leave a gap around the pointer, at least as large as its cell.
    let gap = (7.0 * geometry.unit).round();
    let cell = cell.unwrap_or_else(|| Rect::new(x, y, 0.0, 0.0));
    let sides = |at: f64, (a, b): (f64, f64), from: f64, to: f64| {
        [(from, (at - gap).min(a).max(from)), ((at + 2.0 * t + gap).max(b).min(to), to)]
    };
    let (across, down) = ((cell.x, cell.right()), (cell.y, cell.bottom()));
    for (offset, color) in [(0.0, clear(Color::BLACK, 0.45)), (t, clear(Color::WHITE, 0.5))] {
        let lying = sides(x, across, body.x, body.right()).map(|(a, b)| Rect::new(a, y + offset, b - a, t));
        let upright = sides(y, down, body.y, body.bottom()).map(|(a, b)| Rect::new(x + offset, a, t, b - a));
        for rect in lying.iter().chain(&upright).filter_map(|r| common(r, &body)) {
            items.push(Item::Rect { rect, color });
        }
    }
    pointers(geometry, panel, (x + t, y + t), palette, items);
}

/// The place of the cell, or of the cells of the pixel, under a point of a body; `None` in gaps.
fn cell_at(panel: &PanelAt, at: Point) -> Option<Rect> {
    let (columns, rows) = panel.under(at)?;
    let ends = |table: &gridscope_core::view::EdgeTable, [first, end]: [u32; 2]| {
        if end <= first || end as usize > table.cells() {
            return None;
        }
        let (a, b) = (table.extent(first as usize), table.extent(end as usize - 1));
        Some((a.0.min(b.0).floor(), a.1.max(b.1).ceil()))
    };
    let ((x0, x1), (y0, y1)) = (ends(&panel.columns, columns)?, ends(&panel.rows, rows)?);
    let body = panel.body.rect();
    Some(Rect::new(body.x + x0, body.y + y0, x1 - x0, y1 - y0))
}

/// Small triangles below and left of the body that point at the pointer's column and row.
fn pointers(
    geometry: &WindowGeometry,
    panel: &PanelAt,
    (x, y): (f64, f64),
    palette: Palette,
    items: &mut Vec<Item>,
) {
    let (size, body, color) = (4.0 * geometry.unit, panel.body.rect(), grey(palette, 0.9));
    let p = |x: f64, y: f64| Point { x, y };
    let low = body.bottom();
    if low + size <= f64::from(geometry.size.h) && x - size >= 0.0 && x + size <= f64::from(geometry.size.w) {
        items.push(Item::Polygon {
            points: vec![p(x, low), p(x + size, low + size), p(x - size, low + size)],
            color,
        });
    }
    if body.x - size >= 0.0 && y - size >= 0.0 && y + size <= f64::from(geometry.size.h) {
        items.push(Item::Polygon {
            points: vec![p(body.x, y), p(body.x - size, y - size), p(body.x - size, y + size)],
            color,
        });
    }
}

/// The smallest rectangle of whole pixels around another one.
fn whole(r: &Rect) -> Rect {
    let (x, y) = (r.x.floor(), r.y.floor());
    Rect::new(x, y, r.right().ceil() - x, r.bottom().ceil() - y)
}

/// The intersection of two rectangles.
pub(super) fn common(a: &Rect, b: &Rect) -> Option<Rect> {
    let (x, y) = (a.x.max(b.x), a.y.max(b.y));
    let (w, h) = (a.right().min(b.right()) - x, a.bottom().min(b.bottom()) - y);
    (w > 0.0 && h > 0.0).then(|| Rect::new(x, y, w, h))
}

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
    use super::super::super::test_grids::{geometry, sweep};
    use super::*;
    use gridscope_core::geom::PxSize;
    use gridscope_core::view::Track;

    #[test]
    fn the_crosshair_leaves_the_pointed_cell_free_and_strikes_no_value_through() {
        let palette = Palette { background: Color::WHITE, ink: Color::BLACK };
        let mut w = geometry(vec![sweep()], PxSize { w: 400, h: 300 });
        let mut state = ViewState::new(&w);
        // Bodies of the sample begin at 100, 50; cells are 100 x 100 pixels.
        state.pointer = Some(Point { x: 230.0, y: 170.0 });
        let rects = |w: &WindowGeometry| {
            let mut items = Vec::new();
            crosshair(w, &state, palette, &mut items);
            let rect = |i: &Item| match i {
                Item::Rect { rect, .. } => Some(*rect),
                _ => None,
            };
            items.iter().filter_map(rect).collect::<Vec<_>>()
        };
        let (cell, lines) = (Rect::new(200.0, 150.0, 100.0, 100.0), rects(&w));
        assert_eq!(lines.len(), 8);
        assert!(lines.iter().all(|r| !r.overlaps(&cell)), "{lines:?}");
        w.written = vec![true];
        let framed = rects(&w);
        assert!(!framed.is_empty() && framed.iter().all(|r| cell.contains(r, 0.0)), "{framed:?}");
    }

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
