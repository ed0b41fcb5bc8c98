//! The sliders of an array's slices, between figure and status line.

use super::OverlayInput;
use super::lettering::{FONT, fit_head, write};
use crate::geometry::SliderAt;
use crate::shades::grey;
use gridscope_core::geom::Rect;
use gridscope_core::grid::SlicedAxis;
use gridscope_core::text::Measure;
use gridscope_draw::scene::Item;

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
        track(view, slider, (axis, wanted), is_chosen, items);
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
    (axis, wanted): (&SlicedAxis, usize),
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
