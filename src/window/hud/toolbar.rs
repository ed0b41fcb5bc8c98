//! The toolbar: its buttons, and what the one under the pointer does.

use super::super::geometry::{Hit, TOOLBAR};
use super::super::input::hint_of;
use super::super::shades::{clear, grey};
use super::super::state::{Icon, TOOLS};
use super::OverlayInput;
use super::icons::icon;
use super::lettering::{FONT, fit, frame, write};
use gridscope_core::geom::{PxSize, Rect};
use gridscope_core::text::Measure;
use gridscope_draw::scene::Item;

/// Windows of less width and height in logical pixels have no toolbar.
const LEAST: [f64; 2] = [90.0, 200.0];

/// How dark the picture of a button is that would do nothing.
const FADED: f64 = 0.28;

/// Height of the toolbar in pixels; 0 in a window without room for it. `unit` is the scale factor.
pub(crate) fn toolbar_height(size: PxSize, unit: f64) -> u32 {
    let unit = unit.max(0.25);
    let has_room = f64::from(size.w) >= LEAST[0] * unit && f64::from(size.h) >= LEAST[1] * unit;
    if has_room { (TOOLBAR * unit).round() as u32 } else { 0 }
}

/// Paints the toolbar.
pub(super) fn toolbar(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (geometry, palette) = (view.geometry, view.palette);
    let (w, h) = (f64::from(geometry.size.w), f64::from(geometry.toolbar));
    if h == 0.0 {
        return;
    }
    let line = geometry.logical_pixel().round().max(1.0);
    let rects = [(Rect::new(0.0, 0.0, w, h), 0.06), (Rect::new(0.0, h - line, w, line), 0.2)];
    items.extend(rects.map(|(rect, thick)| Item::Rect { rect, color: grey(palette, thick) }));
    let under = pointed(view);
    for (i, at) in &geometry.tools {
        let tool = &TOOLS[*i];
        let r = at.rect();
        let is_on = tool.is_on(view.state, geometry);
        let works = tool.has_effect(view.state, view.geometry);
        if is_on || under == Some(*i) && works {
            items.push(Item::Rect { rect: r, color: grey(palette, if is_on { 0.2 } else { 0.12 }) });
        }
        if is_on {
            frame(&r, line, grey(palette, 0.5), items);
        }
        let rest = tool.icon == Icon::Menu && !has_all(view);
        let picture = if rest { Icon::More } else { tool.icon };
        icon(picture, &r, if works { 0.8 } else { FADED }, view, m, items);
    }
    let tip = under.and_then(|i| geometry.tools.iter().find(|t| t.0 == i));
    if let Some((i, at)) = tip {
        let below = Rect::new(f64::from(at.x), h, 0.0, 0.0);
        tooltip(&hint_of(&TOOLS[*i].command), &below, view, m, items);
    }
}

/// Whether the bar has all buttons that suit the window; the menu has the others.
fn has_all(view: &OverlayInput<'_>) -> bool {
    let suit = TOOLS.iter().filter(|t| t.suits(view.geometry.grids.len())).count();
    view.geometry.tools.len() >= suit
}

/// The button under the pointer.
fn pointed(view: &OverlayInput<'_>) -> Option<usize> {
    match view.geometry.hit(view.state.pointer?) {
        Hit::Tool(i) if !view.state.keys && view.state.rubber.is_none() && view.state.menu.is_none() => {
            Some(i)
        }
        _ => None,
    }
}

/// A text in a box below a place, within the window.
fn tooltip(text: &str, place: &Rect, view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let unit = view.geometry.logical_pixel();
    let font = FONT * unit;
    let (pad, tall) = ((8.0 * unit).round(), (1.9 * font).round());
    let (window, top) = (f64::from(view.geometry.size.w), place.bottom() + (2.0 * unit).round());
    let text = fit(text, font, window - 2.0 * pad, m);
    if text.is_empty() || top + tall > f64::from(view.geometry.size.h) {
        return;
    }
    let wide = (m.size(&text, font).width + 2.0 * pad).ceil().min(window);
    let r = Rect::new(place.x.min(window - wide).max(0.0), top, wide, tall);
    items.push(Item::Rect { rect: r, color: clear(view.palette.background, 0.95) });
    frame(&r, unit.round().max(1.0), grey(view.palette, 0.35), items);
    write(&text, font, r.x + pad, r.center().y, grey(view.palette, 0.9), items);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_has_its_text_and_its_keys_from_the_table() {
        for tool in TOOLS {
            let hint = hint_of(&tool.command);
            assert!(hint.len() > 4 && hint.ends_with(')'), "{tool:?}: {hint}");
        }
        assert_eq!(hint_of(&TOOLS[0].command), "Show all (Home, h, r, 0)");
    }

    #[test]
    fn small_windows_have_no_toolbar() {
        let of = |w, h, unit| toolbar_height(PxSize { w, h }, unit);
        assert_eq!([of(90, 200, 1.0), of(89, 200, 1.0), of(90, 199, 1.0)], [30, 0, 0]);
        assert_eq!([of(135, 300, 1.5), of(180, 399, 2.0), of(4000, 3000, 2.0)], [45, 0, 60]);
    }
}
