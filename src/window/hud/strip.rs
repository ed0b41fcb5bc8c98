//! Small pictures of all panels, of the whole grid, and the sliders of an array's slices.

use super::super::geometry::{Hit, StripAt};
use super::super::shades::{clear, grey};
use super::{FONT, OverlayInput, fit, fit_head, frame, write};
use crate::geometry::SliderAt;
use gridscope_core::color::Color;
use gridscope_core::geom::Rect;
use gridscope_core::grid::SlicedAxis;
use gridscope_core::text::{Measure, clean};
use gridscope_core::view::Part;
use gridscope_draw::scene::Item;

/// Size of the names, in sizes of other text.
const SMALL: f64 = 0.88;

/// Paints the strip: a picture and a name for each panel that it has room for, the large one marked.
pub(super) fn strip(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (geometry, palette) = (view.geometry, view.palette);
    let Some(strip) = &geometry.strip else { return };
    let unit = geometry.logical_pixel();
    let line = unit.round().max(1.0);
    let r = &strip.rect;
    items.push(Item::Rect { rect: *r, color: grey(palette, 0.03) });
    items.push(Item::Rect { rect: Rect::new(r.x, r.y, r.w, line), color: grey(palette, 0.2) });
    seen(strip, line, view, items);
    let pointed = view.state.pointer.and_then(|at| strip.panel_at(at));
    let font = SMALL * FONT * unit;
    for (thumb, picture) in strip.thumbs.iter().zip(view.thumbs) {
        let (is_large, is_pointed) = (geometry.large == Some(thumb.panel), pointed == Some(thumb.panel));
        let place = picture.as_ref().map_or(thumb.picture.rect(), |p| p.body.rect());
        if let Some(picture) = picture {
            items.push(Item::Cells(Box::new(picture.clone())));
        }
        let (out, thick, dark) = match (is_large, is_pointed) {
            (true, _) => (2.0 * line, 2.0 * line, 0.9),
            (false, true) => (line, line, 0.7),
            (false, false) => (line, line, 0.25),
        };
        frame(&place.grown(out), thick, grey(palette, dark), items);
        let name = geometry.grids.get(thumb.panel).map_or("", |g| g.name());
        let room = thumb.rect.w - (6.0 * unit).round();
        let name = fit(&clean(name), font, room, m);
        let wide = m.size(&name, font).width;
        let below = f64::from(thumb.picture.y) + f64::from(thumb.picture.h);
        let middle = f64::midpoint(below + 3.0 * line, r.bottom());
        let dark = if is_large || is_pointed { 1.0 } else { 0.7 };
        write(&name, font, thumb.rect.center().x - wide / 2.0, middle, grey(palette, dark), items);
    }
}

/// Which part of all thumbnails is in the window: a line on the upper edge.
fn seen(strip: &StripAt, line: f64, view: &OverlayInput<'_>, items: &mut Vec<Item>) {
    if strip.seen == (0.0, 1.0) {
        return;
    }
    let (from, to) = ((strip.seen.0 * strip.rect.w).round(), (strip.seen.1 * strip.rect.w).round());
    items.push(Item::Rect {
        rect: Rect::new(from, strip.rect.y, (to - from).max(4.0 * line), 2.0 * line),
        color: grey(view.palette, 0.6),
    });
}

/// Height of a track and width of a handle, in logical pixels.
const TRACK: f64 = 4.0;
const HANDLE: f64 = 9.0;

/// Paints the sliders: text, track, a handle at the slice that is wanted, and a line at the one that is shown.
pub(super) fn sliders(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (geometry, slices) = (view.geometry, &view.state.slices);
    for slider in &geometry.sliders {
        let place = slider.place;
        let (Some(axis), Some(&wanted)) = (geometry.slices.get(place), slices.wanted.get(place)) else {
            continue;
        };
        let is_chosen = place == slices.chosen;
        items.push(Item::Rect { rect: slider.row, color: grey(view.palette, 0.03) });
        button(view, slider, is_chosen && slices.plays, items);
        text(view, slider, &axis.at(wanted), is_chosen, m, items);
        track(view, slider, axis, wanted, is_chosen, items);
    }
}

/// A triangle that plays, or two bars that stop.
fn button(view: &OverlayInput<'_>, slider: &SliderAt, plays: bool, items: &mut Vec<Item>) {
    let (unit, r) = (view.geometry.logical_pixel(), slider.button);
    let (side, color) = ((9.0 * unit).round(), grey(view.palette, 0.7));
    let (x, y) = ((r.x + (r.w - side) / 2.0).round(), (r.y + (r.h - side) / 2.0).round());
    if plays {
        let bar = (side / 3.0).round().max(1.0);
        let bars = [x, x + side - bar].map(|x| Rect::new(x, y, bar, side));
        items.extend(bars.map(|rect| Item::Rect { rect, color }));
        return;
    }
    // One column of pixels after the other, each lower than the one before.
    for i in 0..side as u32 {
        let from = (f64::from(i) / 2.0).floor();
        let tall = side - 2.0 * from;
        let rect = Rect::new(x + f64::from(i), y + from, 1.0, tall);
        items.push(Item::Rect { rect, color });
    }
}

/// Name, index or coordinate, and number of slices of an axis.
fn text(
    view: &OverlayInput<'_>,
    slider: &SliderAt,
    axis: &SlicedAxis,
    is_chosen: bool,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let font = FONT * view.geometry.logical_pixel();
    let text = gridscope_core::text::clean(&format!("{axis}, 0 to {}", axis.len().saturating_sub(1)));
    let text = fit_head(&text, font, slider.text.w, m);
    let dark = if is_chosen { 1.0 } else { 0.62 };
    write(&text, font, slider.text.x, slider.row.center().y, grey(view.palette, dark), items);
}

fn track(
    view: &OverlayInput<'_>,
    slider: &SliderAt,
    axis: &SlicedAxis,
    wanted: usize,
    is_chosen: bool,
    items: &mut Vec<Item>,
) {
    let (unit, r, len) = (view.geometry.logical_pixel(), slider.track, axis.len());
    let (thin, wide) = ((TRACK * unit).round().max(1.0), (HANDLE * unit).round().max(1.0));
    if r.w < wide {
        return;
    }
    let middle = r.center().y.round();
    items.push(Item::Rect {
        rect: Rect::new(r.x, middle - (thin / 2.0).floor(), r.w, thin),
        color: grey(view.palette, 0.2),
    });
    // A handle at an end stays within the track.
    let within = |x: f64, w: f64| (x - w / 2.0).round().clamp(r.x, (r.right() - w).max(r.x));
    let tall = (1.6 * wide).round().min(r.h);
    let handle = |index: usize, wide: f64, dark: f64| Item::Rect {
        rect: Rect::new(within(slider.middle(index, len), wide), middle - (tall / 2.0).floor(), wide, tall),
        color: grey(view.palette, dark),
    };
    if axis.index != wanted {
        items.push(handle(axis.index, (2.0 * unit).round().max(1.0), 0.5));
    }
    items.push(handle(wanted, wide, if is_chosen { 0.85 } else { 0.5 }));
}

/// The shortest side of the frame around the view, in logical pixels.
const LEAST: f64 = 4.0;

/// Where the part in view is along a side from `start`, which stands for an axis of `length`, and how long it is.
fn in_view(part: Part, length: f64, reversed: bool, (start, size): (f64, f64), unit: f64) -> (f64, f64) {
    let (from, to) = ((part.from / length).clamp(0.0, 1.0), (part.to / length).clamp(0.0, 1.0));
    let (from, to) = if reversed { (1.0 - to, 1.0 - from) } else { (from, to) };
    let long = ((to - from) * size).max(LEAST * unit).min(size).round();
    let middle = start + f64::midpoint(from, to) * size;
    ((middle - long / 2.0).max(start).min(start + size - long).round(), long)
}

/// Thickness of the bar at an axis, in logical pixels.
const ALONG: f64 = 4.0;

/// Paints the part in view of the axis under the pointer, beside the body: the wheel zooms this axis alone.
pub(super) fn axis_part(view: &OverlayInput<'_>, items: &mut Vec<Item>) {
    let (geometry, Some(pointer)) = (view.geometry, view.state.pointer) else { return };
    let (panel, across) = match geometry.hit(pointer) {
        Hit::XAxis(panel) => (panel, true),
        Hit::YAxis(panel) => (panel, false),
        _ => return,
    };
    let (Some(at), Some(shown)) = (geometry.panels.get(panel), view.state.views.get(panel)) else {
        return;
    };
    let (unit, body) = (geometry.logical_pixel(), at.body.rect());
    let thick = (ALONG * unit).round().max(1.0);
    let (rect, seen) = if across {
        let y = if pointer.y < body.y { body.y - thick } else { body.bottom() };
        let (from, long) = in_view(shown.x, at.x.length(), at.leftward, (body.x, body.w), unit);
        (Rect::new(body.x, y, body.w, thick), Rect::new(from, y, long, thick))
    } else {
        let x = if pointer.x < body.x { body.x - thick } else { body.right() };
        let (from, long) = in_view(shown.y, at.y.length(), at.lower, (body.y, body.h), unit);
        (Rect::new(x, body.y, thick, body.h), Rect::new(x, from, thick, long))
    };
    items.push(Item::Rect { rect, color: view.palette.background });
    items.push(Item::Rect { rect, color: grey(view.palette, 0.2) });
    items.push(Item::Rect { rect: seen, color: grey(view.palette, 0.7) });
}

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
    items.push(Item::Cells(Box::new(cells.clone())));
    frame(&map.grown(line), line, clear(view.palette.ink, 0.6), items);
    // What is not in view is dimmed.
    let (left, wide) = in_view(shown.x, at.x.length(), at.leftward, (map.x, map.w), unit);
    let (top, tall) = in_view(shown.y, at.y.length(), at.lower, (map.y, map.h), unit);
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
