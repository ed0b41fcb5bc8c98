//! The scene of a window without a figure: one line of text in the middle.

use super::shades::grey;
use gridscope_core::geom::{Point, PxSize};
use gridscope_core::text::{Measure, shorten};
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::{Item, Scene};

/// Height of the text in logical pixels.
const FONT: f64 = 16.0;

/// A line of text in a window of `size` pixels; `unit` is the scale factor.
pub(super) fn placeholder(
    text: &str,
    size: PxSize,
    unit: f64,
    palette: Palette,
    m: &mut dyn Measure,
) -> Scene {
    let (font_size, room) = (FONT * unit, f64::from(size.w) - FONT * unit);
    let whole = m.size(text, font_size).width;
    let share = (room / whole).clamp(0.0, 1.0);
    let text = if share < 1.0 {
        shorten(text, (text.chars().count() as f64 * share * 0.95) as usize)
    } else {
        text.to_owned()
    };
    let at = Point {
        x: ((f64::from(size.w) - m.size(&text, font_size).width) / 2.0).round(),
        y: (f64::from(size.h) / 2.0).round(),
    };
    let items = vec![Item::Text { text, font_size, at, degrees: 0, color: grey(palette, 0.68) }];
    Scene::new(size, Some(palette.background), items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::Theme;
    use gridscope_core::text::Fonts;

    #[test]
    fn the_line_stays_in_the_window() {
        let (mut fonts, text) = (Fonts::new(), "reading a-results-file-with-a-very-long-name.csv, 12 s");
        for w in [1, 40, 300, 2000] {
            let scene = placeholder(text, PxSize { w, h: 100 }, 1.0, Palette::of(Theme::Dark), &mut fonts);
            let [Item::Text { text: shown, at, font_size, .. }] = scene.items.as_slice() else {
                panic!("one line")
            };
            let width = fonts.size(shown, *font_size).width;
            assert!(w < 40 || (at.x >= 0.0 && at.x + width <= f64::from(w)), "{w}: {shown} at {at:?}");
            assert_eq!(shown == text, w == 2000);
        }
    }
}
