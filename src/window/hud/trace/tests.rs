//! Boxes of traces: opaque, within the window, never over a bar; lines with gaps.

use super::super::super::state::ViewState;
use super::super::super::test_grids::geometry;
use super::*;
use gridscope_core::color::Color;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Axis, Grid};
use gridscope_core::text::Fake;
use gridscope_draw::resolve::Palette;

/// A window with a body of this size and 9 slices, of which the fifth is shown.
fn window(body: PxSize, below: u32) -> WindowGeometry {
    let grid = Grid::from_rows(3, 4, (0..12).map(f64::from).collect()).unwrap();
    let mut w = geometry(vec![grid], body);
    w.size.h = body.h + below;
    w.slices = vec![SlicedAxis::new(0, 4, Axis::index("time", 9), false)];
    w
}

fn painted(w: &WindowGeometry, values: &[Option<f64>], row: usize) -> Vec<Item> {
    let state = ViewState::new(w);
    let view = OverlayInput::bare(w, &state, Palette { background: Color::WHITE, ink: Color::BLACK }, 12.0);
    let of = Trace { cell: (0, row, 1), along: 0, values, failed: None };
    let mut items = Vec::new();
    trace(&view, &of, &mut Fake, &mut items);
    items
}

/// The ground of the box.
fn ground(items: &[Item]) -> Option<Rect> {
    match items.first()? {
        Item::Rect { rect, color } if *color == Color::WHITE => Some(*rect),
        _ => None,
    }
}

fn said(items: &[Item]) -> Vec<&str> {
    items
        .iter()
        .filter_map(|i| match i {
            Item::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

#[test]
fn the_box_covers_neither_bars_nor_sliders_nor_the_cell_where_there_is_room() {
    for (w, h) in [(400, 300), (40, 300), (700, 60), (300, 900), (1, 1), (90, 200)] {
        for below in [100, 150, 400] {
            for row in [0, 2] {
                let g = window(PxSize { w, h }, below);
                let items = painted(&g, &[Some(1.0); 9], row);
                let what = format!("{w} x {h}, {below} below, row {row}");
                let Some(rect) = ground(&items) else {
                    assert!(h + below < 150 || w < 40, "{what}");
                    continue;
                };
                let all = Rect::new(0.0, 0.0, f64::from(g.size.w), g.bottom_of_figure());
                assert!(all.contains(&rect, 0.01), "{what}: {rect:?}");
                assert!(bars(&g, 12.0).all(|bar| !bar.overlaps(&rect)), "{what}: {rect:?}");
                let body = g.panels[0].body.rect();
                let cell = g.panels[0].rows.extent(row);
                let middle = Rect::new(body.x, body.y + f64::midpoint(cell.0, cell.1), body.w, 1.0);
                assert!(!rect.overlaps(&middle) || h < 200, "{what}: {rect:?}");
            }
        }
    }
}

#[test]
fn missing_values_are_gaps_and_the_slice_that_is_shown_is_marked() {
    let values =
        [Some(0.0), Some(10.0), None, Some(5.0), Some(2.5), Some(f64::INFINITY), None, Some(1.0), None];
    let items = painted(&window(PxSize { w: 400, h: 300 }, 300), &values, 0);
    let lines: Vec<[Point; 2]> = items
        .iter()
        .filter_map(|i| match i {
            Item::Line { from, to, .. } => Some([*from, *to]),
            _ => None,
        })
        .collect();
    assert_eq!(lines.len(), 3, "0 to 1, 3 to 4, 4 to 5: {lines:?}");
    // Values go up, infinity to the end.
    let [low, high] = [lines[0][0], lines[0][1]];
    assert!(high.y < low.y && lines[2][1].y == high.y);
    let step = high.x - low.x;
    let far = |slices: f64| low.x + slices * step;
    assert!((lines[2][0].x - far(4.0)).abs() < 1e-6 && (lines[1][0].x - far(3.0)).abs() < 1e-6);
    let is_mark = |rect: &Rect| rect.w == 1.0 && (rect.x - far(4.0)).abs() <= 1.0 && rect.h > 30.0;
    assert!(items.iter().any(|i| matches!(i, Item::Rect { rect, .. } if is_mark(rect))));
    assert!(said(&items).contains(&"time = 4: 2.5") && said(&items).contains(&"8"), "{:?}", said(&items));
}

#[test]
fn what_is_not_read_yet_is_said() {
    let w = window(PxSize { w: 400, h: 300 }, 300);
    assert!(said(&painted(&w, &[], 0)).contains(&"time = 4 · 0 of 9 read"));
    let some = painted(&w, &[Some(1.0), None, None, None, None, None], 0);
    assert!(said(&some).contains(&"time = 4: no value · 6 of 9 read"), "{:?}", said(&some));
}

#[test]
fn several_slices_in_a_pixel_are_one_stroke() {
    let points = |list: &[(f64, f64)]| list.iter().map(|&(x, y)| Point { x, y }).collect::<Vec<_>>();
    let strokes = columns(&points(&[(3.1, 5.0), (3.6, 9.0), (4.2, 2.0), (4.9, 4.0)]), 0.0);
    let ends: Vec<_> = strokes.iter().map(|[a, b]| (a.x, a.y, b.y)).collect();
    assert_eq!(ends, [(3.5, 5.0, 9.0), (4.5, 2.0, 9.0)]);
}
