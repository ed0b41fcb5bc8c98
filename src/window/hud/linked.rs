//! The linked cursor in all panels, and the divider between two sides that share a body.

use super::super::geometry::{PanelAt, WindowGeometry};
use super::super::readout::LinkedCells;
use super::super::shades::{clear, grey};
use super::{FONT, OverlayInput, fit, frame, write};
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::text::{Measure, clean};
use gridscope_draw::scene::Item;

/// A mark has at least this many logical pixels a side, however small its cell is.
const LEAST_MARK: f64 = 9.0;
/// Size of the values, in sizes of other text.
const SMALL: f64 = 0.92;

/// Marks the cells, and writes the values where there is room for them.
pub(super) fn linked(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let geometry = view.geometry;
    let pointed = view.state.pointer.and_then(|at| geometry.hit(at).panel());
    for cells in view.linked {
        let Some(panel) = geometry.panels.get(cells.panel) else {
            continue;
        };
        let Some(mark) = mark(panel, cells, geometry) else {
            continue;
        };
        let body = panel.body.rect();
        // Where the pointer is, the crosshair marks the cell.
        if pointed != Some(cells.panel) {
            let t = geometry.unit.round().max(1.0);
            for (out, color) in [(t, Color::rgb(0x10, 0x10, 0x10)), (0.0, Color::WHITE)] {
                let ring = mark.grown(out);
                if body.contains(&ring, 0.5) {
                    frame(&ring, t, color, items);
                }
            }
        }
        // A value that its cell shows is not written twice; the status line has that of a panel alone.
        let shown = geometry.written.get(cells.panel) == Some(&true);
        if !shown && geometry.large.is_none() {
            value(view, cells, &mark, &body, m, items);
        }
    }
}

/// The place of cells in the window, at least as large as a mark, within their body; `None` out of view.
fn mark(panel: &PanelAt, cells: &LinkedCells, geometry: &WindowGeometry) -> Option<Rect> {
    if cells.rows.end > panel.rows.cells() || cells.columns.end > panel.columns.cells() {
        return None;
    }
    let body = panel.body.rect();
    let ends = |table: &gridscope_core::view::EdgeTable, cells: &std::ops::Range<usize>, pixels: f64| {
        let (a, b) = (table.extent(cells.start), table.extent(cells.end - 1));
        let (from, to) = (a.0.min(b.0), a.1.max(b.1));
        // What is not seen at all has no mark; at the border the mark stays within.
        (to > 0.0 && from < pixels).then(|| {
            let long = (to - from).max(LEAST_MARK * geometry.logical_pixel()).min(pixels);
            let start = (f64::midpoint(from, to) - long / 2.0).clamp(0.0, pixels - long);
            (start.round(), long.round())
        })
    };
    let (x, w) = ends(&panel.columns, &cells.columns, body.w)?;
    let (y, h) = ends(&panel.rows, &cells.rows, body.h)?;
    Some(Rect::new(body.x + x, body.y + y, w, h))
}

/// A small box with the value beside the mark, within the body; none where there is no room for it.
fn value(
    view: &OverlayInput<'_>,
    cells: &LinkedCells,
    mark: &Rect,
    body: &Rect,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let unit = view.geometry.logical_pixel();
    let font = SMALL * FONT * unit;
    let (pad, gap) = ((4.0 * unit).round(), (5.0 * unit).round());
    let mut wide = |text: &str| (m.size(text, font).width + 2.0 * pad).ceil();
    // Where there is little room, the word for the reduction is left out.
    let whole = cells.value.as_str();
    let number = ["mean ", "min ", "max "].iter().find_map(|word| whole.strip_prefix(word));
    let texts = [whole, number.unwrap_or(whole)].map(|t| (t, wide(t)));
    let Some((text, wide)) = texts.into_iter().find(|t| t.1 <= body.w) else {
        return;
    };
    let tall = (1.5 * font).round();
    if text.is_empty() || tall > body.h {
        return;
    }
    // A cell that is larger than the box may hold it, away from its middle, which the pointer may be over.
    let beside = [mark.right() + gap, mark.x - gap - wide];
    let over = [mark.y - gap - tall, mark.bottom() + gap];
    let along = (mark.center().x - wide / 2.0).clamp(body.x, body.right() - wide);
    let places = over
        .iter()
        .flat_map(|y| beside.iter().map(move |x| (*x, *y)))
        .chain(over.iter().map(|y| (along, *y)))
        .chain(
            beside.iter().map(|x| (*x, (mark.center().y - tall / 2.0).clamp(body.y, body.bottom() - tall))),
        );
    // Of a cell that is much larger than the box: a corner.
    let within =
        (mark.w >= 2.0 * wide && mark.h >= 3.0 * tall).then_some((mark.right() - gap - wide, mark.y + gap));
    let place = places
        .chain(within)
        .map(|(x, y)| Rect::new(x.round(), y.round(), wide, tall))
        .find(|r| body.contains(r, 0.5));
    let Some(r) = place else { return };
    items.push(Item::Rect { rect: r, color: clear(view.palette.background, 0.9) });
    frame(&r, unit.round().max(1.0), grey(view.palette, 0.35), items);
    write(text, font, r.x + pad, r.center().y, grey(view.palette, 0.95), items);
}

/// The handle in the middle of the divider, in logical pixels.
const HANDLE: [f64; 2] = [18.0, 26.0];
/// A box narrower than this many ems of text has no name.
const LEAST_NAME: f64 = 1.5;

/// Paints the divider, or which of two sides is seen while they are shown in turn.
pub(super) fn comparing(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (geometry, state) = (view.geometry, view.state);
    let name = |panel: usize| geometry.grids.get(panel).map_or_else(String::new, |g| clean(g.name()));
    let Some(large) = geometry.large else { return };
    let Some(body) = geometry.panels.get(large).map(|p| p.body.rect()) else {
        return;
    };
    if let Some(swipe) = &geometry.swipe {
        divider(view, &body, swipe.x(), items);
        let gap = (4.0 * geometry.logical_pixel()).round();
        let (left, right) = (swipe.x() - gap - body.x, body.right() - swipe.x() - gap);
        tag(view, &name(swipe.other), (swipe.x() - gap, true), left, &body, m, items);
        tag(view, &name(large), (swipe.x() + gap, false), right, &body, m, items);
    } else if state.is_blinking() {
        tag(view, &name(large), (body.x, false), body.w, &body, m, items);
    }
}

/// A light line between dark ones from the top of the body to its end, with a handle.
fn divider(view: &OverlayInput<'_>, body: &Rect, x: f64, items: &mut Vec<Item>) {
    let unit = view.geometry.logical_pixel();
    let t = unit.round().max(1.0);
    let (dark, light) = (Color::rgb(0x10, 0x10, 0x10), Color::WHITE);
    let line = |from: f64, wide: f64, color: Color| Item::Rect {
        rect: Rect::new(from, body.y, wide, body.h),
        color,
    };
    items.push(line(x - 2.0 * t, 4.0 * t, dark));
    items.push(line(x - t, 2.0 * t, light));
    let [w, h] = HANDLE.map(|side| (side * unit).round());
    if body.h < 2.0 * h {
        return;
    }
    let handle = Rect::new((x - w / 2.0).round(), (body.center().y - h / 2.0).round(), w, h);
    items.push(Item::Rect { rect: handle, color: light });
    frame(&handle, t, dark, items);
    let (middle, reach, high) = (handle.center(), 6.0 * unit, 4.0 * unit);
    for way in [-1.0, 1.0] {
        let near = middle.x + way * 2.0 * unit;
        let point = |x: f64, y: f64| Point { x, y };
        items.push(Item::Polygon {
            points: vec![
                point(near, middle.y - high),
                point(near, middle.y + high),
                point(middle.x + way * reach, middle.y),
            ],
            color: dark,
        });
    }
}

/// A name in a box at the top of the body, beside a place or before it, at most this wide.
fn tag(
    view: &OverlayInput<'_>,
    name: &str,
    (x, is_before): (f64, bool),
    most: f64,
    body: &Rect,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let unit = view.geometry.logical_pixel();
    let font = FONT * unit;
    let (pad, tall) = ((7.0 * unit).round(), (1.7 * font).round());
    let room = most - 2.0 * pad;
    if room < LEAST_NAME * font || body.h < 2.0 * tall {
        return;
    }
    let text = fit(name, font, room, m);
    if text.is_empty() {
        return;
    }
    let wide = (m.size(&text, font).width + 2.0 * pad).ceil();
    let left = if is_before { x - wide } else { x };
    let r = Rect::new(left.round(), body.y + (3.0 * unit).round(), wide, tall);
    items.push(Item::Rect { rect: r, color: clear(view.palette.background, 0.92) });
    frame(&r, unit.round().max(1.0), grey(view.palette, 0.45), items);
    write(&text, font, r.x + pad, r.center().y, grey(view.palette, 0.95), items);
}

#[cfg(test)]
mod tests {
    use super::super::super::readout::linked_cells;
    use super::super::super::state::ViewState;
    use super::super::super::test_grids::geometry;
    use super::*;
    use gridscope_core::geom::PxSize;
    use gridscope_core::grid::Grid;
    use gridscope_core::text::Fake;
    use gridscope_draw::resolve::Palette;

    /// The marks and boxes of a pointer over panels with bodies of this size.
    fn items(rows: usize, columns: usize, body: PxSize, at: Point) -> (WindowGeometry, Vec<Item>) {
        items_of(rows, columns, body, at, |_| {})
    }

    /// The same, of a geometry that is changed.
    fn items_of(
        rows: usize,
        columns: usize,
        body: PxSize,
        at: Point,
        change: fn(&mut WindowGeometry),
    ) -> (WindowGeometry, Vec<Item>) {
        let values = |k: usize| (0..rows * columns).map(|i| (i * k) as f64).collect();
        let grid = |k| Grid::from_rows(rows, columns, values(k)).unwrap();
        let mut geometry = geometry((1..4).map(grid).collect(), body);
        change(&mut geometry);
        let mut state = ViewState::new(&geometry);
        state.pointer = Some(at);
        let linked_here = linked_cells(&geometry, at, 24.0);
        let palette = Palette { background: Color::WHITE, ink: Color::BLACK };
        let view =
            OverlayInput { linked: &linked_here, ..OverlayInput::bare(&geometry, &state, palette, 12.0) };
        let mut items = Vec::new();
        linked(&view, &mut Fake, &mut items);
        (geometry, items)
    }

    fn texts<'a>(items: &'a [Item]) -> Vec<&'a str> {
        let text = |i: &'a Item| match i {
            Item::Text { text, .. } => Some(text.as_str()),
            _ => None,
        };
        items.iter().filter_map(text).collect()
    }

    #[test]
    fn every_panel_says_its_value_and_the_others_are_marked() {
        let at = Point { x: 150.0, y: 75.0 };
        let (_, items) = items(3, 4, PxSize { w: 400, h: 300 }, at);
        assert_eq!(texts(&items), ["0", "0", "0"]);
        let white = |i: &&Item| matches!(i, Item::Rect { color, .. } if *color == Color::WHITE);
        // Two other panels, four sides of a ring each.
        assert_eq!(items.iter().filter(white).count(), 8);
    }

    #[test]
    fn no_value_is_written_over_cells_that_show_theirs_or_in_a_panel_alone() {
        let (at, body) = (Point { x: 150.0, y: 75.0 }, PxSize { w: 400, h: 300 });
        let (_, some) = items_of(3, 4, body, at, |w| w.written = vec![true, false, true]);
        assert_eq!(texts(&some), ["0"]);
        let white = |i: &&Item| matches!(i, Item::Rect { color, .. } if *color == Color::WHITE);
        assert_eq!(some.iter().filter(white).count(), 8, "the cells are marked");
        let (_, alone) = items_of(3, 4, body, at, |w| w.large = Some(0));
        assert_eq!(texts(&alone), [""; 0]);
    }

    #[test]
    fn nothing_leaves_a_body_and_no_value_covers_its_mark() {
        for (rows, columns) in [(1, 1), (3, 4), (1, 50), (50, 1), (700, 900)] {
            for body in [(24, 24), (25, 200), (60, 40), (400, 300)] {
                let body = PxSize { w: body.0, h: body.1 };
                for (x, y) in [(0.0, 0.0), (0.5, 0.5), (0.999, 0.999), (0.999, 0.0)] {
                    let at = Point { x: 100.0 + x * f64::from(body.w), y: 50.0 + y * f64::from(body.h) };
                    let (geometry, items) = items(rows, columns, body, at);
                    let bodies: Vec<Rect> = geometry.panels.iter().map(|p| p.body.rect()).collect();
                    for item in &items {
                        let inside = match item {
                            Item::Rect { rect, .. } => bodies.iter().any(|b| b.contains(rect, 0.5)),
                            Item::Text { at, .. } => {
                                bodies.iter().any(|b| b.contains(&Rect::new(at.x, at.y, 0.0, 0.0), 0.0))
                            }
                            _ => false,
                        };
                        assert!(inside, "{rows} x {columns} in {body:?}: {item:?}");
                    }
                    for cells in linked_cells(&geometry, at, 24.0) {
                        let mark = mark(&geometry.panels[cells.panel], &cells, &geometry).unwrap();
                        if mark.w > 60.0 && mark.h > 60.0 {
                            continue;
                        }
                        let over = |i: &&Item| matches!(i, Item::Rect { rect, color } if *color == clear(Color::WHITE, 0.9) && rect.overlaps(&mark));
                        assert_eq!(items.iter().filter(over).count(), 0, "{rows} x {columns} in {body:?}");
                    }
                }
            }
        }
    }
}
