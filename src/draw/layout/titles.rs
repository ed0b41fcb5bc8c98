//! Titles, wrapped to the room that they have.

use super::facet_titles::{lowest_row, row_titles, title_rooms};
use super::flow::wrap;
use super::measure::Fonts;
use super::page::Page;
use super::panel_titles::{for_words, panel_titles};
use crate::resolve::{BarFrame, Frame};
use gridscope_core::figure::BarPlace;
use gridscope_core::text::Measure;

/// Wraps all titles to the room that they have. A figure of automatic height grows for its longest upright title.
pub(super) fn titles(frame: &Frame, page: &mut Page, each: bool, m: &mut dyn Measure) {
    let page_width = page.width;
    let narrowest = (0..page.columns).map(|c| page.widest_body(c)).fold(f64::MAX, f64::min);
    let (body, reach) = (narrowest, page.reach());
    panel_titles(frame, page, m);
    let under: Vec<String> = frame
        .bars
        .iter()
        .filter(|b| each && b.place == BarPlace::Bottom)
        .map(BarFrame::longest_title)
        .collect();
    page.fonts.axis = for_words(
        under.iter().map(String::as_str),
        Fonts::of(frame).axis,
        page.fonts.note,
        body + 2.0 * reach,
        m,
    );
    let (axis, panel) = (page.fonts.axis, page.fonts.panel);
    title_rooms(page, panel);
    page.x_title = wrap(&frame.x.title, axis, page.x_title_room(), m);
    let rows = page.rows() as f64;
    let pad = std::mem::take(&mut page.pad);
    let beside = lowest_row(page);
    let (all, row) =
        (page.upright_room(), (0..page.rows()).map(|r| page.row_height(r)).fold(f64::MAX, f64::min));
    let grown = (page_width / 3.0).min(0.6 * page.tallest / rows);
    let mut need = 0.0f64;
    let mut upright = |text: &str, free: f64, share: f64, m: &mut dyn Measure| {
        let whole = text.split('\n').map(|l| m.size(l, axis).width).fold(0.0, f64::max);
        // The figure grows for at most a third of its width, and not over a page; longer titles are wrapped.
        let most =
            if frame.height.is_none() { free.max(whole.min(grown * share)) } else { free + pad * share };
        let lines = wrap(text, axis, most, m);
        let longest = lines.iter().map(|l| m.size(l, axis).width).fold(0.0, f64::max);
        need = need.max((longest - free) / share);
        lines
    };
    page.y_title = upright(&frame.y.title, all, rows, m);
    if let Some(facets) = &frame.facets {
        let (lines, level) = row_titles(&facets.rows, beside, axis, &mut upright, m);
        page.set_row_titles(lines, level, m);
    }
    let lengths = page.y_title.iter().map(|l| m.size(l, axis).width);
    page.y_title_length = lengths.fold(0.0, f64::max);
    for (texts, bar) in page.bars.iter_mut().zip(&frame.bars) {
        texts.label = match bar.place {
            BarPlace::Right if each => upright(&bar.label, row, 1.0, m),
            BarPlace::Right => upright(&bar.label, all, rows, m),
            _ if each => under_bar(bar, axis, body + 2.0 * reach, m),
            _ => under_bar(bar, axis, page_width - 2.0 * page.margin, m),
        };
    }
    page.pad = if frame.height.is_none() { need.max(0.0).ceil() } else { 0.0 };
}

/// The lines of the title under a bar, as many as with any unit.
fn under_bar(bar: &BarFrame, font: f64, most: f64, m: &mut dyn Measure) -> Vec<String> {
    let reserved = wrap(&bar.longest_title(), font, most, m).len();
    let mut lines = wrap(&bar.title(), font, most, m);
    lines.resize(reserved, String::new());
    lines
}
