//! The strip of thumbnails while one panel is large.

use super::super::geometry::StripAt;
use super::super::shades::grey;
use super::OverlayInput;
use super::lettering::{FONT, fit, frame, write};
use gridscope_core::geom::Rect;
use gridscope_core::text::{Measure, clean};
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
            items.push(Item::Cells(picture.clone()));
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
