//! Margins and body sizes: found by repeating until the chosen labels and the room for them agree.

use super::flow::wrap;
use super::measure::{
    BarTexts, Fonts, Level, bar_each, bar_height, bar_width, block, headers, legend, legend_lines, room,
};
use super::page::{Page, PanelPage};
use super::sharing::Sharing;
use super::ticks::{Ask, TickSet, choose, kept};
use super::track::{cells_wide, table};
use crate::figure::BarPlace;
use crate::lint::LintName;
use crate::resolve::{Frame, ResolveError};
use crate::text::Measure;
use crate::view::EdgeTable;
use std::ops::Range;
use std::sync::Arc;

/// Labels may take so much of the canvas before they are shortened.
const LABEL_SHARE: f64 = 0.4;
/// And group headers so much.
const HEADER_SHARE: f64 = 0.2;

/// The page of a figure, with as many columns as it says, or as suit it.
///
/// # Errors
/// [`ResolveError::Size`] when the canvas is too small for its labels.
pub(super) fn fitted(frame: &Frame, m: &mut dyn Measure) -> Result<Page, ResolveError> {
    let sharing = Arc::new(Sharing::of(frame));
    match frame.columns {
        Some(c) => page(frame, &sharing, c, m),
        None => best(frame, &sharing, m),
    }
}

/// The number of columns that brings cells nearest to square on a page of a common shape.
fn best(frame: &Frame, sharing: &Arc<Sharing>, m: &mut dyn Measure) -> Result<Page, ResolveError> {
    let n = frame.panels.len();
    let mut found: Result<(f64, Page), ResolveError> = Err(ResolveError::Size("no panel".to_owned()));
    for c in 1..=n.min(8) {
        let page = match page(frame, sharing, c, m) {
            Ok(p) => p,
            Err(e) => {
                if found.is_err() {
                    found = Err(e);
                }
                continue;
            }
        };
        let p = &page.panels[0];
        let cell = |t: &crate::view::EdgeTable| f64::from(t.pixels()) / t.cells() as f64;
        let aspect = (cell(&p.columns) / cell(&p.rows)).ln().abs();
        let shape = page.content_height() / page.width;
        let empty = (page.rows() * c - n) as f64 / n as f64;
        let odd = (shape.max(0.3) / shape - 1.0).max(0.0) + (shape - 0.85).max(0.0) * 1.5;
        let over = (page.content_height() - page.height).max(0.0) / page.width;
        let score = aspect + odd + over * 4.0 + empty * 0.6;
        if found.as_ref().map_or(true, |(s, _)| score < *s - 1e-9) {
            found = Ok((score, page));
        }
    }
    found.map(|(_, p)| p)
}

/// The page with the given number of columns; `sharing` is that of the frame.
fn page(
    frame: &Frame,
    sharing: &Arc<Sharing>,
    columns: usize,
    m: &mut dyn Measure,
) -> Result<Page, ResolveError> {
    let fonts = Fonts::of(frame);
    let f = fonts.tick;
    let margin = (0.8 * f).round();
    let each = bar_each(frame);
    let inner_width = frame.width - 2.0 * margin;
    let one = |text: &str| {
        if text.is_empty() {
            Vec::new()
        } else {
            vec![text.to_owned()]
        }
    };
    let mut page = Page {
        fonts,
        columns: columns.min(frame.panels.len()),
        width: frame.width,
        height: 0.0,
        margin,
        title: wrap(&frame.title, fonts.title, inner_width, m),
        notes: wrap(&frame.note, fonts.note, inner_width, m),
        legend: legend_lines(&legend(frame, &fonts, m), inner_width, f),
        slot: (0, 0),
        panels: Vec::new(),
        sharing: Arc::clone(sharing),
        left: 0.5 * f,
        right: 0.0,
        above: 0.0,
        below: 2.0 * f,
        below_inner: 0.0,
        gap: (0.9 * f, 0.9 * f),
        y_title: one(&frame.y.title),
        x_title: one(&frame.x.title),
        panel_titles: Vec::new(),
        bars: (0..frame.bars.len())
            .map(|b| BarTexts {
                room: room(frame, &fonts, b, m),
                label: one(&frame.bars[b].label),
            })
            .collect(),
        pad: 0.0,
        bars_right: 0.0,
        bars_below: 0.0,
        own_bar: 0.0,
        overhang: 0.0,
        right_bars: frame.bars.iter().any(|b| b.place == BarPlace::Right),
    };
    let noted = page.notes.len();
    page.panels = frame.panels.iter().map(|_| blank()).collect();
    mark_labelled(frame, &mut page);
    bar_sizes(frame, &mut page, each);
    for round in 0..PASSES {
        let before = page.clone();
        page.slot = slots(frame, &page, f)?;
        tables(frame, &mut page);
        titles(frame, &mut page, each, m);
        labels(frame, &mut page, m);
        bar_sizes(frame, &mut page, each);
        surroundings(frame, &mut page, each);
        let reduces = page
            .panels
            .iter()
            .any(|p| p.columns.reduces() || p.rows.reduces());
        page.notes.truncate(noted);
        if frame.notes && (reduces || before.notes.len() > noted) {
            page.notes.push(String::new());
        }
        if round >= PASSES / 2 {
            page.keep_room(&before);
        }
        if page.room() == before.room() {
            break;
        }
    }
    page.height = frame.height.unwrap_or_else(|| page.content_height().ceil());
    Ok(page)
}

/// Rounds of fitting; from the middle on room only grows, so that labels and room agree at the end.
const PASSES: usize = 20;

fn blank() -> PanelPage {
    PanelPage {
        columns: EdgeTable::fit(1, 1),
        rows: EdgeTable::fit(1, 1),
        x: TickSet::default(),
        y: TickSet::default(),
        x_headers: Vec::new(),
        y_headers: Vec::new(),
        shows_x: true,
        shows_y: true,
    }
}

/// Labels appear on the outer panels, the left one of each row and the lowest of each column; on a further panel where its axis
/// differs from the outer one's, whose labels are not true of its cells; or on each.
fn mark_labelled(frame: &Frame, page: &mut Page) {
    let (n, c) = (frame.panels.len(), page.columns);
    let Sharing { x, y } = &*page.sharing;
    for (i, p) in page.panels.iter_mut().enumerate() {
        let (left, lowest) = (i - i % c, i + (n - 1 - i) / c * c);
        p.shows_x = frame.labels_on_each || i == lowest || x[i] != x[lowest];
        p.shows_y = frame.labels_on_each || i == left || y[i] != y[left];
    }
}

/// The room of one body in whole pixels.
fn slots(frame: &Frame, page: &Page, f: f64) -> Result<(u32, u32), ResolveError> {
    let (c, r) = (page.columns as f64, page.rows() as f64);
    let free = (frame.width - page.around_x()) / c;
    let wide = frame
        .panels
        .iter()
        .map(|p| cells_wide(&p.columns))
        .fold(1.0, f64::max);
    let high = frame
        .panels
        .iter()
        .map(|p| cells_wide(&p.rows))
        .fold(1.0, f64::max);
    let small = |need: f64| {
        let what = format!(
            "{:.0} px is too narrow or too low for these labels: about {need:.0} px more are needed",
            frame.width
        );
        ResolveError::Size(what)
    };
    if free < 8.0 {
        return Err(small((8.0 - free) * c));
    }
    let whole = |v: f64| if v >= 4.0 { v.floor() } else { v };
    let cell = whole(free / wide);
    let labelled = frame.panels.iter().any(|p| !p.rows.levels.is_empty());
    let mut height = match frame.height {
        Some(h) => (h - page.around_y()) / r,
        // Long columns are no taller than a page.
        None if frame.square => cell.min((1.3 * frame.width / r / high).max(1e-9)) * high,
        None => {
            // Labels ask for rows as high as a line; tables beyond three quarters of the width get lower rows.
            let least = if labelled { 1.25 * f } else { 1.0 };
            let cap = 0.75 * frame.width / r;
            let tallest = 1.3 * frame.width / r;
            let row = cell
                .min((cap / high).max(least))
                .max(least)
                .min((tallest / high).max(1.0));
            whole(row) * high
        }
    };
    // What the end of this function asks for at least.
    let least = if frame.square { 8.0 } else { 2.0 * f };
    if height < least && frame.height.is_some() {
        return Err(small(least - height));
    }
    let mut width = free;
    if frame.square {
        let cell = whole((free / wide).min(height / high));
        (width, height) = (cell * wide, cell * high);
        // A single row or column would be a hair: it gets a readable thickness instead.
        let most = if frame.height.is_some() {
            (frame.height.unwrap_or(0.0) - page.around_y()) / r
        } else {
            f64::MAX
        };
        (width, height) = (width.max(2.0 * f).min(free), height.max(2.0 * f).min(most));
    }
    Ok((
        width.floor().max(1.0) as u32,
        height
            .max(if frame.square { 1.0 } else { 2.0 * f })
            .min(65_535.0)
            .floor() as u32,
    ))
}

fn tables(frame: &Frame, page: &mut Page) {
    for (p, panel) in page.panels.iter_mut().zip(&frame.panels) {
        p.columns = table(&panel.columns, page.slot.0, frame.x.true_spacing);
        p.rows = table(&panel.rows, page.slot.1, frame.y.true_spacing);
        if frame.lower {
            p.rows = p.rows.clone().reversed();
        }
    }
    // Panels of one figure share the largest body, so that nothing is trimmed away twice.
    let most = |size: fn(&PanelPage) -> u32| page.panels.iter().map(size).max().unwrap_or(1);
    page.slot = (most(|p| p.columns.pixels()), most(|p| p.rows.pixels()));
}

fn labels(frame: &Frame, page: &mut Page, m: &mut dyn Measure) {
    let sharing = Arc::clone(&page.sharing);
    for i in 0..page.panels.len() {
        for side in [false, true] {
            // Equal axes have equal labels; most figures choose theirs once.
            let first = if side { sharing.y[i] } else { sharing.x[i] };
            let (ticks, levels) = if first < i {
                let p = &page.panels[first];
                if side {
                    (p.y.clone(), p.y_headers.clone())
                } else {
                    (p.x.clone(), p.x_headers.clone())
                }
            } else {
                chosen(frame, page, i, side, m)
            };
            let p = &mut page.panels[i];
            if side {
                (p.y, p.y_headers) = (ticks, levels);
            } else {
                (p.x, p.x_headers) = (ticks, levels);
            }
        }
    }
}

/// The labels of a panel down its side or along the bottom, and the headers of their groups.
fn chosen(frame: &Frame, page: &Page, i: usize, side: bool, m: &mut dyn Measure) -> (TickSet, Vec<Level>) {
    let (panel, p, f) = (&frame.panels[i], &page.panels[i], page.fonts.tick);
    let canvas = (frame.width, frame.height.unwrap_or(frame.width));
    let (axis, table, spec, name) = if side {
        (&panel.rows, &p.rows, &frame.y, "y")
    } else {
        (&panel.columns, &p.columns, &frame.x, "x")
    };
    let most = if side {
        LABEL_SHARE * canvas.0
    } else {
        LABEL_SHARE * canvas.1.min(canvas.0)
    };
    let ask = Ask {
        axis,
        table,
        frame: spec,
        font: f,
        most,
        side,
        name,
        part: None,
    };
    let mut ticks = choose(&ask, m);
    if frame.viewed {
        ticks.kept = kept(&ask, &ticks, m);
    }
    let length = |cells: &Range<usize>| {
        let (a, b) = (table.extent(cells.start), table.extent(cells.end - 1));
        b.1.max(a.1) - a.0.min(b.0)
    };
    let outer = 0..axis.levels.len().saturating_sub(1);
    let levels: Vec<Level> = outer
        .map(|l| headers(axis, l, f, HEADER_SHARE * canvas.0, length, m))
        .collect();
    let (hidden, all) = levels
        .iter()
        .fold((0, 0), |a, l| (a.0 + l.thinned, a.1 + l.headers.len()));
    if hidden > 0 {
        let text = format!("{name} axis: {} of {all} group headers are shown", all - hidden);
        ticks.lints.add(LintName::TicksThinned, hidden as u64, text);
    }
    (ticks, levels)
}

/// From a body to its tick labels.
pub(super) fn tick_gap(f: f64) -> f64 {
    0.5 * f
}

/// A strip and the gap between it and the body.
pub(super) fn strip_depth(f: f64) -> f64 {
    0.95 * f
}

/// Room of the bars beside and under all bodies, or under each.
fn bar_sizes(frame: &Frame, page: &mut Page, each: bool) {
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

/// Titles in lines as long as their room; a low figure gets as high as its longest upright title.
fn titles(frame: &Frame, page: &mut Page, each: bool, m: &mut dyn Measure) {
    let (body, reach) = (f64::from(page.slot.0), page.reach());
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
    page.panel_titles = frame
        .panels
        .iter()
        .map(|p| wrap(&p.title, panel, body + 2.0 * page.reach(), m))
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
    let mut need = 0.0f64;
    let mut upright = |text: &str, free: f64, share: f64, m: &mut dyn Measure| {
        let whole = m.size(text, axis).width;
        // Beyond a third of the width a title breaks sooner than the figure grows.
        let most = if frame.height.is_none() {
            free.max(whole.min(frame.width / 3.0))
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
            _ => wrap(&bar.label, axis, frame.width - 2.0 * page.margin, m),
        };
    }
    page.pad = if frame.height.is_none() {
        need.max(0.0).ceil()
    } else {
        0.0
    };
}

/// A font, made smaller where a word of a title would be cut otherwise.
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
    // A little smaller still: widths do not shrink quite as sizes do.
    if longest <= room {
        font
    } else {
        (0.995 * font * room / longest).max(least).min(font)
    }
}

fn surroundings(frame: &Frame, page: &mut Page, each: bool) {
    let f = page.fonts.tick;
    let strip = |x: bool| {
        if frame.strip.as_ref().is_some_and(|s| s.along_x == x) {
            strip_depth(f)
        } else {
            0.0
        }
    };
    let side = |p: &PanelPage| {
        let headers: f64 = p.y_headers.iter().map(|l| l.depth).sum();
        if p.y.ticks.is_empty() {
            headers
        } else {
            headers + p.y.width() + tick_gap(f)
        }
    };
    let under = |p: &PanelPage| {
        let headers: f64 = p.x_headers.iter().map(|l| l.depth).sum();
        if p.x.ticks.is_empty() {
            headers
        } else {
            headers + p.x.depth(f) + tick_gap(f)
        }
    };
    let over = page
        .panels
        .iter()
        .filter(|p| p.shows_x)
        .map(|p| p.x.overhang(f64::from(page.slot.0), f))
        .fold((0.0f64, 0.0f64), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let left = page
        .panels
        .iter()
        .filter(|p| p.shows_y)
        .map(side)
        .fold(0.0, f64::max)
        + strip(false);
    let below = page
        .panels
        .iter()
        .filter(|p| p.shows_x)
        .map(under)
        .fold(0.0, f64::max)
        + strip(true);
    let bar = page.own_bar;
    let bar_right = if each { page.widest_bar(frame) } else { 0.0 };
    page.left = left.max(over.0);
    page.right = bar_right.max(if page.columns > 1 || bar_right > 0.0 {
        0.0
    } else {
        over.1
    });
    // An axis title keeps away from the lowest label of the other axis.
    page.below = below.max(0.4 * f) + bar;
    page.overhang = over.0 + over.1;
    let panels = page.panels.iter().enumerate();
    let above_others = panels
        .filter(|(i, p)| p.shows_x && i + page.columns < page.panels.len())
        .map(|(_, p)| under(p));
    page.below_inner = above_others.fold(0.0, f64::max) + strip(true) + bar;
    let inner = if page.shows_left_each() { 0.0 } else { strip(false) };
    let edge = if frame.bars.iter().any(|b| b.place == BarPlace::Right) {
        0.9 * f
    } else {
        0.0
    };
    // Labels of neighbouring panels reach into the gap from both sides.
    // Panels stand further apart than the groups of a nested axis.
    let nested = frame.panels.iter().any(|p| p.columns.levels.len() > 1);
    page.gap.0 = (if nested { 2.0 * f } else { 0.9 * f }).max(over.0 + over.1 + 0.9 * f) + inner;
    if page.columns > 1 || bar_right > 0.0 {
        page.bars_right += (over.1 - edge).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Fake;

    #[test]
    fn words_become_smaller_before_they_are_cut() {
        let font = |room: f64| for_words(["a few", "characters"].into_iter(), 10.0, 8.0, room, &mut Fake);
        assert_eq!((font(60.0), font(20.0)), (10.0, 8.0));
        let smaller = font(54.0);
        assert!(smaller < 9.0 && Fake.size("characters", smaller).width <= 54.0);
    }
}
