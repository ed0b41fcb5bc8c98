//! The badge at the right end of the status line while moves concern one panel only.

use super::super::shades::grey;
use super::OverlayInput;
use super::lettering::{FONT, write};
use gridscope_core::geom::Rect;
use gridscope_core::text::Measure;
use gridscope_draw::scene::Item;

/// Texts of the badge; in a narrow window a shorter one.
const TEXTS: [&str; 3] = ["one panel only", "one panel", "1"];
/// The badge takes at most this share of the line.
const MOST: f64 = 0.2;

/// Paints the badge in a line whose middle is at `middle`, and returns the width that it takes from the right
/// side of the window; 0 without a badge.
pub(super) fn badge(view: &OverlayInput<'_>, middle: f64, m: &mut dyn Measure, items: &mut Vec<Item>) -> f64 {
    if !view.state.alone {
        return 0.0;
    }
    let (unit, w) = (view.geometry.logical_pixel(), f64::from(view.geometry.size.w));
    let (font, pad, edge) = (FONT * unit, (6.0 * unit).round(), (4.0 * unit).round());
    let fits = TEXTS.into_iter().find_map(|text| {
        let wide = m.size(text, font).width.ceil() + 2.0 * pad;
        (wide + edge <= MOST * w).then_some((text, wide))
    });
    let Some((text, wide)) = fits else { return 0.0 };
    let tall = (1.5 * font).round();
    let rect = Rect::new(w - wide - edge, (middle - tall / 2.0).round(), wide, tall);
    items.push(Item::Rect { rect, color: grey(view.palette, 0.75) });
    write(text, font, rect.x + pad, middle, view.palette.background, items);
    wide + edge
}
