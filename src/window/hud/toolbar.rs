//! The toolbar: its buttons, their pictures, and the meaning of the one under the pointer.

use super::super::geometry::{Hit, TOOLBAR};
use super::super::input::hint_of;
use super::super::shades::{clear, grey};
use super::super::state::{Icon, TOOLS};
use super::{FONT, OverlayInput, fit, frame, write};
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxSize, Rect};
use gridscope_core::text::{CAP_HEIGHT, Measure};
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

/// The side of a picture in its own units, of which one is a logical pixel.
const SIDE: f64 = 16.0;
/// Stripes in the picture of a colormap.
const STRIPES: usize = 5;

/// A square to draw on.
struct Pen<'a> {
    left: f64,
    top: f64,
    unit: f64,
    color: Color,
    items: &'a mut Vec<Item>,
}

impl Pen<'_> {
    fn point(&self, (x, y): (f64, f64)) -> Point {
        Point { x: self.left + x * self.unit, y: self.top + y * self.unit }
    }

    /// A line through these places.
    fn line(&mut self, places: &[(f64, f64)]) {
        for pair in places.windows(2) {
            let item = Item::Line {
                from: self.point(pair[0]),
                to: self.point(pair[1]),
                width: 1.5 * self.unit,
                color: self.color,
            };
            self.items.push(item);
        }
    }

    /// A filled rectangle, its edges on whole pixels.
    fn fill(&mut self, x: f64, y: f64, w: f64, h: f64, color: Color) {
        let (a, b) = (self.point((x, y)), self.point((x + w, y + h)));
        let rect = Rect::new(a.x.round(), a.y.round(), b.x.round() - a.x.round(), b.y.round() - a.y.round());
        self.items.push(Item::Rect { rect, color });
    }

    /// A frame of one unit.
    fn frame(&mut self, x: f64, y: f64, w: f64, h: f64) {
        let color = self.color;
        for (x, y, w, h) in [
            (x, y, w, 1.0),
            (x, y + h - 1.0, w, 1.0),
            (x, y + 1.0, 1.0, h - 2.0),
            (x + w - 1.0, y + 1.0, 1.0, h - 2.0),
        ] {
            self.fill(x, y, w, h, color);
        }
    }

    /// A triangle.
    fn triangle(&mut self, corners: [(f64, f64); 3]) {
        let points = corners.iter().map(|c| self.point(*c)).collect();
        self.items.push(Item::Polygon { points, color: self.color });
    }

    /// Signs in the middle.
    fn signs(&mut self, text: &str, size: f64, m: &mut dyn Measure) {
        let font_size = size * self.unit;
        let wide = m.size(text, font_size).width;
        let middle = self.point((SIDE / 2.0, SIDE / 2.0));
        self.items.push(Item::Text {
            text: text.to_owned(),
            font_size,
            at: Point {
                x: (middle.x - wide / 2.0).round(),
                y: (middle.y + CAP_HEIGHT * font_size / 2.0).round(),
            },
            degrees: 0,
            color: self.color,
        });
    }
}

/// Paints the picture of a button that is this rectangle, this dark.
pub(super) fn icon(
    icon: Icon,
    r: &Rect,
    dark: f64,
    view: &OverlayInput<'_>,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let unit = view.geometry.logical_pixel();
    let mut pen = Pen {
        left: (r.x + (r.w - SIDE * unit) / 2.0).round(),
        top: (r.y + (r.h - SIDE * unit) / 2.0).round(),
        unit,
        color: grey(view.palette, dark),
        items,
    };
    let (ink, faint) = (pen.color, grey(view.palette, 0.35));
    match icon {
        Icon::Whole => {
            for (x, y, right, down) in [
                (1.0, 1.0, 1.0, 1.0),
                (15.0, 1.0, -1.0, 1.0),
                (1.0, 15.0, 1.0, -1.0),
                (15.0, 15.0, -1.0, -1.0),
            ] {
                pen.line(&[(x + 4.0 * right, y), (x, y), (x, y + 4.0 * down)]);
            }
            pen.fill(6.0, 6.0, 4.0, 4.0, ink);
        }
        Icon::Plus => {
            pen.fill(3.0, 7.0, 10.0, 2.0, ink);
            pen.fill(7.0, 3.0, 2.0, 10.0, ink);
        }
        Icon::Minus => pen.fill(3.0, 7.0, 10.0, 2.0, ink),
        Icon::Box => {
            for at in [1.0, 5.0, 9.0, 13.0] {
                let long = if at > 12.0 { 2.0 } else { 2.5 };
                pen.fill(at, 2.0, long, 1.0, ink);
                pen.fill(at, 13.0, long, 1.0, ink);
            }
            for at in [2.0, 5.5, 9.0, 12.0] {
                pen.fill(1.0, at, 1.0, 2.0, ink);
                pen.fill(14.0, at, 1.0, 2.0, ink);
            }
            pen.fill(5.0, 7.5, 6.0, 1.0, ink);
            pen.fill(7.5, 5.0, 1.0, 6.0, ink);
        }
        Icon::Cells => {
            pen.fill(5.0, 5.0, 6.0, 6.0, ink);
            for at in [1.0, 5.0, 10.0, 14.0] {
                pen.fill(at, 1.0, 1.0, 14.0, faint);
                pen.fill(1.0, at, 14.0, 1.0, faint);
            }
        }
        Icon::Left => {
            pen.fill(6.0, 7.0, 9.0, 2.0, ink);
            pen.triangle([(1.0, 8.0), (7.0, 3.0), (7.0, 13.0)]);
        }
        Icon::Right => {
            pen.fill(1.0, 7.0, 9.0, 2.0, ink);
            pen.triangle([(15.0, 8.0), (9.0, 3.0), (9.0, 13.0)]);
        }
        Icon::Map => {
            let colors = view.geometry.scales.first().map_or(&[][..], |s| s.lut());
            let width = 14.0 / STRIPES as f64;
            for (i, x) in (0..STRIPES).map(|i| (i, 1.0 + i as f64 * width)) {
                let at = i * colors.len().saturating_sub(1) / (STRIPES - 1);
                pen.fill(x, 2.0, width, 12.0, colors.get(at).copied().unwrap_or(faint));
            }
            pen.frame(1.0, 2.0, 14.0, 12.0);
        }
        Icon::Reverse => {
            pen.fill(2.0, 4.0, 10.0, 1.5, ink);
            pen.triangle([(15.0, 4.75), (10.5, 1.5), (10.5, 8.0)]);
            pen.fill(4.0, 10.5, 10.0, 1.5, ink);
            pen.triangle([(1.0, 11.25), (5.5, 8.0), (5.5, 14.5)]);
        }
        Icon::Curve => {
            pen.fill(1.0, 1.0, 1.0, 14.0, faint);
            pen.fill(1.0, 14.0, 14.0, 1.0, faint);
            pen.line(&[(2.5, 13.0), (3.5, 9.5), (5.0, 7.0), (7.5, 5.0), (11.0, 3.5), (15.0, 2.5)]);
        }
        Icon::Limits => {
            pen.fill(2.0, 1.0, 12.0, 1.5, ink);
            pen.fill(2.0, 13.5, 12.0, 1.5, ink);
            pen.signs("A", 10.0, m);
        }
        Icon::Number => {
            pen.frame(0.0, 2.0, 16.0, 12.0);
            pen.signs("42", 9.0, m);
        }
        Icon::Square => {
            pen.frame(2.0, 2.0, 12.0, 12.0);
            pen.fill(7.5, 3.0, 1.0, 10.0, faint);
            pen.fill(3.0, 7.5, 10.0, 1.0, faint);
        }
        Icon::Glass => {
            let around = |k: i32| {
                let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 12.0).sin_cos();
                (6.5 + 4.75 * cos, 6.5 + 4.75 * sin)
            };
            let circle: Vec<(f64, f64)> = (0..=12).map(around).collect();
            pen.line(&circle);
            pen.line(&[(10.0, 10.0), (14.5, 14.5)]);
        }
        Icon::Tray => {
            pen.fill(7.0, 1.0, 2.0, 6.0, ink);
            pen.triangle([(8.0, 11.0), (3.5, 6.0), (12.5, 6.0)]);
            pen.line(&[(1.5, 10.0), (1.5, 14.25), (14.5, 14.25), (14.5, 10.0)]);
        }
        Icon::Blink => {
            pen.frame(1.0, 1.0, 10.0, 10.0);
            pen.fill(5.0, 5.0, 10.0, 10.0, ink);
        }
        Icon::Swipe => {
            pen.frame(1.0, 2.0, 14.0, 12.0);
            pen.fill(2.0, 3.0, 6.0, 10.0, faint);
            pen.fill(7.0, 0.0, 2.0, 16.0, ink);
        }
        Icon::Difference => pen.line(&[(8.0, 2.0), (14.5, 13.5), (1.5, 13.5), (8.0, 2.0), (14.5, 13.5)]),
        Icon::Question => pen.signs("?", 15.0, m),
        Icon::Menu => {
            for y in [3.0, 7.0, 11.0] {
                pen.fill(2.0, y, 12.0, 2.0, ink);
            }
        }
        Icon::More => {
            for x in [2.5, 8.5] {
                pen.line(&[(x, 3.0), (x + 5.0, 8.0), (x, 13.0)]);
            }
        }
    }
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
