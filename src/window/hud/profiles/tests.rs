//! Strips of profiles: where they are, to scale, with gaps.

use super::super::super::profile::profiles as computed;
use super::super::super::state::ViewState;
use super::super::super::test_grids::geometry;
use super::*;
use gridscope_core::color::Color;
use gridscope_core::figure::Reduce;
use gridscope_core::geom::{Point, PxSize};
use gridscope_core::grid::Grid;
use gridscope_core::text::Fake;
use gridscope_draw::resolve::Palette;

const INK: Color = Color::BLACK;

/// A window of 800 x 500 pixels: a body of 400 x 300 at (100, 50), and a bar 140 pixels right of it.
fn window(grid: Grid) -> WindowGeometry {
    let mut w = geometry(vec![grid], PxSize { w: 400, h: 300 });
    w.size = PxSize { w: 800, h: 500 };
    w.bars[0].as_mut().unwrap().ramp.x = 640;
    w
}

fn painted(geometry: &WindowGeometry, at: Point, obstacles: &[Rect]) -> Vec<Item> {
    let mut state = ViewState::new(geometry);
    state.pointer = Some(at);
    let p = computed(geometry, &[], Reduce::Mean, at).unwrap();
    let view = OverlayInput {
        profiles: Some(&p),
        obstacles,
        ..OverlayInput::bare(geometry, &state, Palette { background: Color::WHITE, ink: INK }, 12.0)
    };
    let mut items = Vec::new();
    profiles(&view, &p, &mut Fake, &mut items);
    items
}

/// The grounds of the strips, that of the column first.
fn grounds(items: &[Item]) -> Vec<Rect> {
    let ground = |i: &Item| match i {
        Item::Rect { rect, color } if *color == Color::WHITE => Some(*rect),
        _ => None,
    };
    items.iter().filter_map(ground).collect()
}

fn rects(items: &[Item], of: Color) -> Vec<Rect> {
    let rect = |i: &Item| match i {
        Item::Rect { rect, color } if *color == of => Some(*rect),
        _ => None,
    };
    items.iter().filter_map(rect).collect()
}

fn ramp(rows: usize, columns: usize) -> Grid {
    Grid::from_rows(rows, columns, (0..rows * columns).map(|i| i as f64).collect()).unwrap()
}

#[test]
fn strips_are_beside_the_body_where_there_is_room_and_else_over_it() {
    let w = window(ramp(3, 4));
    let at = Point { x: 150.0, y: 100.0 };
    // The window ends 150 pixels below the body, 24 of which are the status line; right of the body is its bar.
    let labels = [Rect::new(100.0, 352.0, 400.0, 14.0)];
    let all = grounds(&painted(&w, at, &labels));
    let depth = (0.18f64 * 476.0).round();
    assert_eq!(all[1], Rect::new(100.0, 372.0, 400.0, depth), "below the labels");
    assert_eq!(all[0], Rect::new(506.0, 50.0, depth, 300.0), "left of the bar's histogram");
    let title = [labels[0], Rect::new(100.0, 400.0, 400.0, 14.0), Rect::new(540.0, 50.0, 9.0, 9.0)];
    let all = grounds(&painted(&w, at, &title));
    assert_eq!(all[1], Rect::new(100.0, 350.0 - depth, 400.0, depth), "over the body");
    assert_eq!((all[0].x, all[0].h), (654.0, 300.0), "beyond the bar");
    // Away from the pointer; where they cross, both are whole.
    let wall = [labels[0], Rect::new(100.0, 400.0, 700.0, 14.0), Rect::new(500.0, 50.0, 300.0, 99.0)];
    let all = grounds(&painted(&w, Point { x: 450.0, y: 340.0 }, &wall));
    assert_eq!(all[1], Rect::new(100.0, 50.0, 400.0, depth));
    assert_eq!(all[0], Rect::new(100.0, 50.0, depth, 300.0));
}

#[test]
fn values_are_to_scale_and_missing_ones_are_gaps() {
    let grid = Grid::from_rows(2, 4, vec![0.0, 10.0, f64::NAN, 5.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let w = window(grid);
    let items = painted(&w, Point { x: 480.0, y: 60.0 }, &[]);
    let row = grounds(&items)[1];
    let strokes: Vec<Rect> = rects(&items, grey(Palette { background: Color::WHITE, ink: INK }, 0.95));
    let levels: Vec<Rect> = strokes.into_iter().filter(|r| row.overlaps(r) && r.w == 100.0).collect();
    let long = row.h - 2.0;
    let at = |share: f64| (row.bottom() - 1.0 - share * long).round();
    assert_eq!(
        levels.iter().map(|r| (r.x, r.y)).collect::<Vec<_>>(),
        [(100.0, at(0.0)), (200.0, at(1.0)), (400.0, at(0.5))]
    );
    // The labels of the axis name its limits.
    let text = |i: &Item| match i {
        Item::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    let said: Vec<String> = items.iter().filter_map(text).collect();
    assert!(said.contains(&"0".to_owned()) && said.contains(&"10".to_owned()), "{said:?}");
}

#[test]
fn pixels_of_several_cells_have_a_band() {
    let grid = Grid::from_rows(1, 800, (0..800).map(|i| f64::from(i % 2) * 8.0).collect()).unwrap();
    let w = window(grid);
    let items = painted(&w, Point { x: 300.0, y: 60.0 }, &[]);
    let row = grounds(&items)[1];
    let bands: Vec<Rect> = rects(&items, clear(INK, 0.3)).into_iter().filter(|r| row.overlaps(r)).collect();
    assert_eq!((bands.len(), bands[0]), (1, Rect::new(100.0, row.y + 1.0, 400.0, row.h - 2.0)));
}

#[test]
fn no_window_is_too_small() {
    for (w, h) in [(1, 1), (1, 300), (300, 1), (30, 30), (90, 60)] {
        let geometry = geometry(vec![ramp(7, 900)], PxSize { w, h });
        let at = Point { x: 100.5, y: 50.5 };
        let size = geometry.size;
        let all = Rect::new(0.0, 0.0, f64::from(size.w), f64::from(size.h));
        for item in painted(&geometry, at, &[]) {
            if let Item::Rect { rect, .. } = item {
                assert!(all.contains(&rect, 0.01) && rect.w >= 0.0 && rect.h >= 0.0, "{w} x {h}: {rect:?}");
            }
        }
    }
}
