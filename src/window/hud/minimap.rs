//! The minimap: all of a grid small, with a frame around the view.

use super::super::shades::clear;
use super::OverlayInput;
use super::lettering::frame;
use gridscope_core::color::Color;
use gridscope_core::geom::Rect;
use gridscope_draw::scene::Item;

/// The shortest side of the frame around the view, in logical pixels.
const LEAST: f64 = 4.0;

/// Paints the minimap.
pub(super) fn minimap(view: &OverlayInput<'_>, items: &mut Vec<Item>) {
    let (Some(cells), Some((panel, place))) = (view.minimap, view.geometry.minimap) else {
        return;
    };
    let (Some(at), Some(shown)) = (view.geometry.panels.get(panel), view.state.views.get(panel)) else {
        return;
    };
    let unit = view.geometry.logical_pixel();
    let line = unit.round().max(1.0);
    let map = place.rect();
    items.push(Item::Rect { rect: map, color: view.palette.background });
    items.push(Item::Cells(cells.clone()));
    frame(&map.grown(line), line, clear(view.palette.ink, 0.6), items);
    // What is not in view is dimmed.
    let share = |from: f64, to: f64, length: f64, reversed: bool| {
        let (from, to) = ((from / length).clamp(0.0, 1.0), (to / length).clamp(0.0, 1.0));
        if reversed { (1.0 - to, 1.0 - from) } else { (from, to) }
    };
    let x = share(shown.x.from, shown.x.to, at.x.length(), at.leftward);
    let y = share(shown.y.from, shown.y.to, at.y.length(), at.lower);
    let side = |start: f64, size: f64, (from, to): (f64, f64)| {
        let long = ((to - from) * size).max(LEAST * unit).min(size).round();
        let middle = start + f64::midpoint(from, to) * size;
        ((middle - long / 2.0).max(start).min(start + size - long).round(), long)
    };
    let ((left, wide), (top, tall)) = (side(map.x, map.w, x), side(map.y, map.h, y));
    let seen = Rect::new(left, top, wide, tall);
    let dim = clear(view.palette.background, 0.45);
    let around = [
        Rect::new(map.x, map.y, map.w, seen.y - map.y),
        Rect::new(map.x, seen.bottom(), map.w, map.bottom() - seen.bottom()),
        Rect::new(map.x, seen.y, seen.x - map.x, seen.h),
        Rect::new(seen.right(), seen.y, map.right() - seen.right(), seen.h),
    ];
    items.extend(around.map(|rect| Item::Rect { rect, color: dim }));
    frame(&seen, line, clear(Color::BLACK, 0.8), items);
    if seen.w > 4.0 * line && seen.h > 4.0 * line {
        frame(&seen.grown(-line), line, clear(Color::WHITE, 0.9), items);
    }
}
