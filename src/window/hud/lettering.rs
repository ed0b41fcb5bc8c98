//! Lines of text in a window: size, position and shortening.

use gridscope_core::color::Color;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::text::{CAP_HEIGHT, Measure, shorten};
use gridscope_draw::scene::Item;

/// Font size of plain text, in logical pixels.
pub(super) const FONT: f64 = 12.0;

/// A line of text that begins at `x`, its capitals centred on `middle`, at whole pixels so that it is crisp.
pub(super) fn write(text: &str, font_size: f64, x: f64, middle: f64, color: Color, items: &mut Vec<Item>) {
    if !text.is_empty() {
        let at = Point { x: x.round(), y: (middle + CAP_HEIGHT * font_size / 2.0).round() };
        items.push(Item::Text { text: text.to_owned(), font_size, at, degrees: 0, color });
    }
}

/// The text, shortened in the middle until it is no wider than `width`; empty where not even an ellipsis
/// fits.
pub(super) fn fit(text: &str, font_size: f64, width: f64, m: &mut dyn Measure) -> String {
    fit_by(text, font_size, width, m, shorten)
}

/// As [`fit`], but shortened at the end.
pub(super) fn fit_head(text: &str, font_size: f64, width: f64, m: &mut dyn Measure) -> String {
    let head = |text: &str, most: usize| {
        let kept: String = text.chars().take(most - 1).collect();
        format!("{}…", kept.trim_end_matches([' ', ',', ':']))
    };
    fit_by(text, font_size, width, m, head)
}

/// As [`fit`], but shortened at the beginning.
pub(super) fn fit_tail(text: &str, font_size: f64, width: f64, m: &mut dyn Measure) -> String {
    let tail = |text: &str, most: usize| {
        let over = text.chars().count() + 1 - most;
        format!("…{}", text.chars().skip(over).collect::<String>())
    };
    fit_by(text, font_size, width, m, tail)
}

fn fit_by(
    text: &str,
    font_size: f64,
    width: f64,
    m: &mut dyn Measure,
    cut: impl Fn(&str, usize) -> String,
) -> String {
    let full = m.size(text, font_size).width;
    if full <= width {
        return text.to_owned();
    }
    let mut keep = (text.chars().count() as f64 * width.max(0.0) / full) as usize;
    while keep >= 2 {
        let t = cut(text, keep);
        if m.size(&t, font_size).width <= width {
            return t;
        }
        keep -= 1;
    }
    if m.size("…", font_size).width <= width { "…".to_owned() } else { String::new() }
}

/// A frame of this thickness along the inside of a rectangle.
pub(super) fn frame(r: &Rect, thick: f64, color: Color, items: &mut Vec<Item>) {
    for rect in edges(r, thick) {
        items.push(Item::Rect { rect, color });
    }
}

/// The four sides of a frame along the inside of a rectangle, without overlap.
pub(super) fn edges(r: &Rect, t: f64) -> [Rect; 4] {
    let inner = (r.h - 2.0 * t).max(0.0);
    [
        Rect::new(r.x, r.y, r.w, t.min(r.h)),
        Rect::new(r.x, r.bottom() - t, r.w, if r.h > t { t } else { 0.0 }),
        Rect::new(r.x, r.y + t, t.min(r.w), inner),
        Rect::new(r.right() - t, r.y + t, if r.w > t { t } else { 0.0 }, inner),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::text::Fake;

    #[test]
    fn texts_keep_their_width() {
        let fit = |w| fit("row 12, column 4 · 41.25", 10.0, w, &mut Fake);
        let head = |w| fit_head("mean 0.25, min 0.1", 10.0, w, &mut Fake);
        assert_eq!(
            [head(108.0), head(72.0), head(66.0), head(7.0)],
            ["mean 0.25, min 0.1", "mean 0.25…", "mean 0.25…", "…"]
        );
        let tail = |w| fit_tail("limits 2% 98%", 10.0, w, &mut Fake);
        assert_eq!([tail(78.0), tail(77.0), tail(24.0)], ["limits 2% 98%", "…mits 2% 98%", "…98%"]);
        assert_eq!(
            [fit(144.0), fit(143.0), fit(60.0), fit(6.0), fit(5.0), fit(-3.0)],
            ["row 12, column 4 · 41.25", "row 12, col…n 4 · 41.25", "row 1…1.25", "…", "", ""]
        );
    }
}
