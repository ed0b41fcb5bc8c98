//! The pictures of the toolbar's buttons, drawn with lines, rectangles and signs on a square of 16 units.

use super::super::shades::grey;
use super::super::state::Icon;
use super::OverlayInput;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::text::{CAP_HEIGHT, Measure};
use gridscope_draw::scene::Item;

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
