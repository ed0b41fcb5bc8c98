//! Boxes of text over the figure: frame times, and the notice of a window without a figure.

use super::super::shades::{clear, grey};
use super::lettering::{FONT, fit, frame, write};
use super::status::status_height;
use super::{FrameTimes, OverlayInput};
use gridscope_core::geom::Rect;
use gridscope_core::text::{Measure, clean};
use gridscope_draw::layout::wrap;
use gridscope_draw::scene::Item;

/// The frame times in the top right corner.
pub(super) fn times(view: &OverlayInput<'_>, t: FrameTimes, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (unit, w) = (view.geometry.logical_pixel(), f64::from(view.geometry.size.w));
    let font = FONT * unit;
    let (margin, pad, tall) = ((8.0 * unit).round(), (8.0 * unit).round(), (1.9 * font).round());
    let text = format!("{} ms median, {} p95, {} frames", ms(t.median), ms(t.p95), t.frames);
    let text = fit(&text, font, w - 2.0 * (margin + pad), m);
    let top = f64::from(view.geometry.toolbar) + margin;
    if text.is_empty() || top + tall > f64::from(view.geometry.size.h) {
        return;
    }
    let wide = (m.size(&text, font).width + 2.0 * pad).ceil();
    let r = Rect::new(w - margin - wide, top, wide, tall);
    items.push(Item::Rect { rect: r, color: clear(view.palette.background, 0.88) });
    frame(&r, unit.round().max(1.0), grey(view.palette, 0.25), items);
    write(&text, font, r.x + pad, r.center().y, grey(view.palette, 0.9), items);
}

/// Milliseconds with one decimal, or none from 100 on.
fn ms(v: f64) -> String {
    if v < 99.95 { format!("{v:.1}") } else { format!("{v:.0}") }
}

/// A notice in the middle of a window without a figure.
pub(super) fn notice(view: &OverlayInput<'_>, notice: &str, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (size, unit) = (view.geometry.size, view.geometry.logical_pixel());
    let above = f64::from(view.geometry.toolbar);
    let (w, h) = (f64::from(size.w), f64::from(size.h) - f64::from(status_height(unit)) - above);
    let font = 1.15 * FONT * unit;
    let (leading, margin) = ((1.5 * font).round(), (16.0 * unit).round());
    let width = (w - 2.0 * margin).min(46.0 * font);
    let mut lines: Vec<String> = notice.lines().flat_map(|l| wrap(&clean(l), font, width, m)).collect();
    let most = ((h - 2.0 * margin) / leading).floor().max(0.0) as usize;
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = fit(&format!("{last} …"), font, width, m);
        }
    }
    // A word may be wider than a very narrow window.
    let lines: Vec<String> = lines.iter().map(|l| fit(l, font, width, m)).collect();
    // The lines are read as a block: one left edge for all.
    let widest = lines.iter().map(|l| m.size(l, font).width).fold(0.0, f64::max);
    let top = above + (h - lines.len() as f64 * leading) / 2.0;
    for (i, line) in lines.iter().enumerate() {
        write(
            line,
            font,
            (w - widest) / 2.0,
            top + (i as f64 + 0.5) * leading,
            grey(view.palette, 0.9),
            items,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_keep_three_digits() {
        assert_eq!([4.23, 61.0, 99.96, 1234.5].map(ms), ["4.2", "61.0", "100", "1234"]);
    }
}
