//! The room around bodies: labels, tracks, bars and gaps.

use super::measure::{bar_height, bar_width, tick_gap};
use super::page::{Page, PanelPage};
use crate::resolve::{Frame, TrackSide};
use gridscope_core::figure::BarPlace;

/// Computes the room of the bars beside and under all bodies, or under each.
pub(super) fn bar_sizes(frame: &Frame, page: &mut Page, each: bool) {
    let width = |b: usize| bar_width(frame, &page.fonts, b, &page.bars[b]);
    let height = |b: usize| bar_height(frame, &page.fonts, b, &page.bars[b]);
    let all = 0..frame.bars.len();
    if each {
        page.own_bar = all.map(height).fold(0.0, f64::max);
        (page.bars_right, page.bars_below) = (0.0, 0.0);
    } else {
        (page.bars_right, page.bars_below) = (all.clone().map(width).sum(), all.map(height).sum());
    }
}

/// Computes the room around bodies.
pub(super) fn surroundings(frame: &Frame, page: &mut Page, each: bool) {
    let f = page.fonts.tick;
    let track = |side: TrackSide| page.tracks.room[side.index()];
    let beyond_body = track(TrackSide::Right);
    let side = |p: &PanelPage| {
        let headers: f64 = p.y_headers.iter().map(|l| l.depth).sum();
        if p.y.ticks.is_empty() { headers } else { headers + p.y.width() + tick_gap(f) }
    };
    let under = |p: &PanelPage| {
        let headers: f64 = p.x_headers.iter().map(|l| l.depth).sum();
        if p.x.ticks.is_empty() { headers } else { headers + p.x.depth() + tick_gap(f) }
    };
    let over = page
        .panels
        .iter()
        .filter(|p| p.shows_x)
        .map(|p| p.x.overhang(f64::from(page.slot.0)))
        .fold((0.0f64, 0.0f64), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let beside = |column: usize| {
        let labelled = page.in_column(column).filter(|p| p.shows_y);
        labelled.map(side).fold(0.0, f64::max) + track(TrackSide::Left)
    };
    let below =
        page.panels.iter().filter(|p| p.shows_x).map(under).fold(0.0, f64::max) + track(TrackSide::Bottom);
    let bar = page.own_bar;
    let bars: Vec<f64> =
        (0..page.columns).map(|c| if each { page.widest_bar(frame, c) } else { 0.0 }).collect();
    let barred = bars.iter().any(|b| *b > 0.0);
    let left = (0..page.columns).map(|c| beside(c).max(page.tracks.names));
    page.left = left.collect();
    // Labels that extend beyond the body are below the title of the y axis where that ends above them.
    let is_above = page.y_title_length <= page.bodies_height() && page.labels_below_all();
    let under_title = if is_above { page.y_depth() } else { 0.0 };
    page.inset = (over.0 - under_title - page.left[0]).max(0.0);
    page.left[0] += page.inset;
    if !is_above {
        page.inset = 0.0;
    }
    page.right = bars.iter().map(|bar| bar + beyond_body).collect();
    if page.columns == 1 && !barred {
        page.right[0] = over.1.max(beyond_body);
    }
    // An axis title must not touch the lowest label of the other axis.
    page.below = below.max(0.4 * f) + bar;
    page.overhang = over.0 + over.1;
    let panels = page.panels.iter().enumerate();
    let above_others =
        panels.filter(|(i, p)| p.shows_x && page.places.is_above_panel(*i)).map(|(_, p)| under(p));
    page.below_inner = above_others.fold(0.0, f64::max) + track(TrackSide::Bottom) + bar;
    let edge = if frame.bars.iter().any(|b| b.place == BarPlace::Right) { 0.9 * f } else { 0.0 };
    // Labels of neighbouring panels extend into the gap from both sides.
    // Panels are further apart than the groups of a nested axis.
    let nested = frame.panels.iter().any(|p| p.columns.levels.len() > 1);
    page.gap.0 = (if nested { 2.0 * f } else { 0.9 * f }).max(over.0 + over.1 + 0.9 * f);
    // Labels extend under the tracks beside a body.
    let beyond = (over.1 - edge - beyond_body).max(0.0);
    if page.labelled_rows() > 1 && !barred {
        // Labels over the last row are beside a bar of all panels.
        page.right[page.columns - 1] = page.right[page.columns - 1].max(beyond + beyond_body);
    } else if page.columns > 1 || barred {
        page.bars_right += beyond;
    } // The titles of rows of panels are beyond everything that belongs to a panel.
    page.right[page.columns - 1] += page.row_titles_depth;
}
