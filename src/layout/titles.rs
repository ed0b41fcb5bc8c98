//! Titles, wrapped to the room that they have.

use super::flow::wrap;
use super::measure::{Fonts, block};
use super::page::Page;
use crate::figure::BarPlace;
use crate::resolve::Frame;
use crate::text::Measure;

/// Wraps all titles to the room that they have. A figure of automatic height grows for its longest upright title.
pub(super) fn titles(frame: &Frame, page: &mut Page, each: bool, m: &mut dyn Measure) {
    let page_width = page.width;
    let narrowest = (0..page.columns)
        .map(|c| page.widest_body(c))
        .fold(f64::MAX, f64::min);
    let (body, reach) = (narrowest, page.reach());
    let (whole, least) = (Fonts::of(frame), page.fonts.note);
    page.fonts.panel = for_words(
        frame.panels.iter().map(|p| p.title.as_str()),
        whole.panel,
        least,
        body + 2.0 * reach,
        m,
    );
    let under = frame
        .bars
        .iter()
        .filter(|b| each && b.place == BarPlace::Bottom)
        .map(|b| b.label.as_str());
    page.fonts.axis = for_words(under, whole.axis, least, body + 2.0 * reach, m);
    let (axis, panel) = (page.fonts.axis, page.fonts.panel);
    let rooms: Vec<f64> = (0..page.columns).map(|c| page.title_room(c)).collect();
    let titles = frame.panels.iter().enumerate();
    page.panel_titles = titles
        .map(|(i, p)| wrap(&p.title, panel, rooms[i % page.columns], m))
        .collect();
    page.above = block(
        page.panel_titles.iter().map(Vec::len).max().unwrap_or(0),
        0.45,
        panel,
    );
    page.x_title = wrap(&frame.x.title, axis, page.x_title_room(), m);
    let rows = page.rows() as f64;
    let pad = std::mem::take(&mut page.pad);
    let (all, row) = (
        page.upright_room(),
        (0..page.rows())
            .map(|r| page.row_height(r))
            .fold(f64::MAX, f64::min),
    );
    let grown = (page_width / 3.0).min(0.6 * page.tallest / rows);
    let mut need = 0.0f64;
    let mut upright = |text: &str, free: f64, share: f64, m: &mut dyn Measure| {
        let whole = m.size(text, axis).width;
        // The figure grows for at most a third of its width, and not over a page; longer titles are wrapped.
        let most = if frame.height.is_none() {
            free.max(whole.min(grown * share))
        } else {
            free + pad * share
        };
        let lines = wrap(text, axis, most, m);
        let longest = lines.iter().map(|l| m.size(l, axis).width).fold(0.0, f64::max);
        need = need.max((longest - free) / share);
        lines
    };
    page.y_title = upright(&frame.y.title, all, rows, m);
    for (texts, bar) in page.bars.iter_mut().zip(&frame.bars) {
        texts.label = match bar.place {
            BarPlace::Right if each => upright(&bar.label, row, 1.0, m),
            BarPlace::Right => upright(&bar.label, all, rows, m),
            _ if each => wrap(&bar.label, axis, body + 2.0 * reach, m),
            _ => wrap(&bar.label, axis, page_width - 2.0 * page.margin, m),
        };
    }
    page.pad = if frame.height.is_none() {
        need.max(0.0).ceil()
    } else {
        0.0
    };
}

/// The font size for titles: smaller if a word would be shortened otherwise.
fn for_words<'t>(
    texts: impl Iterator<Item = &'t str>,
    font: f64,
    least: f64,
    room: f64,
    m: &mut dyn Measure,
) -> f64 {
    let longest = texts
        .flat_map(|t| t.split(' '))
        .map(|w| m.size(w, font).width)
        .fold(0.0, f64::max);
    // Slightly smaller, because widths are not exactly proportional to sizes.
    if longest <= room {
        font
    } else {
        (0.995 * font * room / longest).max(least).min(font)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Fake;

    #[test]
    fn fonts_become_smaller_before_words_are_shortened() {
        let font = |room: f64| for_words(["a few", "characters"].into_iter(), 10.0, 8.0, room, &mut Fake);
        assert_eq!((font(60.0), font(20.0)), (10.0, 8.0));
        let smaller = font(54.0);
        assert!(smaller < 9.0 && Fake.size("characters", smaller).width <= 54.0);
    }
}
