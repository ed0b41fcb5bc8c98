//! The divider between two sides, and the names of the sides that are seen.

use super::super::shades::{clear, grey};
use super::OverlayInput;
use super::lettering::{FONT, fit, frame, write};
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::text::{Measure, clean};
use gridscope_draw::scene::Item;

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
