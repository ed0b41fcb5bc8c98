//! Margins and body sizes, computed repeatedly until the chosen labels and their room agree.

use super::body_room::{slots, tables};
use super::flow::wrap;
use super::margins::{bar_sizes, surroundings};
use super::measure::{BarTexts, Fonts, bar_each, legend, legend_lines, room};
use super::page::{Page, PanelPage};
use super::panel_ticks::labels;
use super::sharing::Sharing;
use super::tick_set::TickSet;
use super::titles::titles;
use crate::figure::BarPlace;
use crate::resolve::{Frame, ResolveError};
use crate::text::Measure;
use crate::view::EdgeTable;
use std::sync::Arc;

/// The page of a figure, with its number of columns, or else with the best one.
///
/// # Errors
/// [`ResolveError::Size`] when the canvas is too small for its labels.
pub(super) fn fit_page(frame: &Frame, m: &mut dyn Measure) -> Result<Page, ResolveError> {
    let sharing = Arc::new(Sharing::of(frame));
    match frame.columns {
        Some(c) => page(frame, &sharing, c, m),
        None => best(frame, &sharing, m),
    }
}

/// The page with the number of columns that brings cells nearest to square on a page of common proportions.
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
        let cell = |t: &EdgeTable| f64::from(t.pixels()) / t.cells() as f64;
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

/// The most rounds. In the second half, room only grows, so that labels and room agree at the end.
const PASSES: usize = 20;

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
            text.split('\n').map(str::to_owned).collect()
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
            page.grow_to(&before);
        }
        if page.room() == before.room() {
            break;
        }
    }
    page.height = frame.height.unwrap_or_else(|| page.content_height().ceil());
    Ok(page)
}

/// A panel before the first round.
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

/// Chooses the panels with tick labels: all of them if the figure says so, otherwise the left panel of each row and the
/// lowest of each column, and panels whose axis differs from that of these.
fn mark_labelled(frame: &Frame, page: &mut Page) {
    let (n, c) = (frame.panels.len(), page.columns);
    let Sharing { x, y } = &*page.sharing;
    for (i, p) in page.panels.iter_mut().enumerate() {
        let (left, lowest) = (i - i % c, i + (n - 1 - i) / c * c);
        p.shows_x = frame.labels_on_each || i == lowest || x[i] != x[lowest];
        p.shows_y = frame.labels_on_each || i == left || y[i] != y[left];
    }
}
