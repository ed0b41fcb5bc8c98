//! The width and the number of columns of panels of a page: a few pages are laid out until labels and room agree, and the best
//!  is taken.

use super::beside::{Tracks, track_room};
use super::body_room::{slots, tables};
use super::flow::{LABEL_LINES, wrap};
use super::keys::{LabelKey, label_key, numbered_titles};
use super::measure::{BarTexts, Fonts, bar_each, common_title, legend, legend_lines, room};
use super::page::{LeastRoom, Page, PanelPage, bar_sizes, surroundings};
use super::places::{Places, Shapes, Sharing};
use super::tick_set::TickSet;
use super::ticks::labels;
use super::titles::{is_cut, titles};
use crate::resolve::{Frame, ResolveError, TrackSide, longest_note};
use gridscope_core::grid::Axis;
use gridscope_core::lint::LintName;
use gridscope_core::text::Measure;
use gridscope_core::view::EdgeTable;
use std::sync::Arc;

/// A page, and how good it is.
struct Trial {
    page: Page,
    /// Lower is better, at one width.
    score: f64,
    /// Cost for the reader: 0 where all is readable.
    lack: f64,
}

/// Up to this number of panels every number of columns is tried.
const FEW: usize = 12;
/// The numbers of columns that are tried for more panels, as shares of the one at which square slots fill a page.
const COLUMNS: [f64; 10] = [0.2, 0.35, 0.5, 0.65, 0.8, 1.0, 1.25, 1.6, 2.1, 3.0];
/// The most numbers of columns that are tried at each larger width.
const WIDER: usize = 4;
/// Widths that are tried where the least is not enough, as multiples of it.
const WIDTHS: [f64; 3] = [1.25, 1.55, 2.0];
/// Price of twice the width in `lack`, because wide figures are reduced in print.
const PRICE: f64 = 0.25;

/// The page of a figure: of its width and number of columns where these are given, otherwise of the best ones.
///
/// # Errors
/// [`ResolveError::Size`] when the canvas is too small for its labels.
pub(super) fn fit_page(frame: &Frame, m: &mut dyn Measure) -> Result<Page, ResolveError> {
    fit_page_with(frame, LeastRoom::default(), m)
}

/// As [`fit_page`], with at least this room around bodies.
///
/// # Errors
/// As [`fit_page`].
pub(super) fn fit_page_with(
    frame: &Frame,
    least: LeastRoom,
    m: &mut dyn Measure,
) -> Result<Page, ResolveError> {
    let panels = Panels { sharing: Arc::new(Sharing::of(frame)), shapes: Arc::new(Shapes::of(frame)), least };
    let mut found = best(frame, &panels, frame.width, &columns(frame, frame.width), m);
    let price = |width: f64| PRICE * (width / frame.width - 1.0);
    for width in widths(frame, found.as_ref().ok()) {
        // A page on which nothing is readable says nothing about a wider one.
        let least = found.as_ref().map_or(1, |t| t.page.columns).min(square(frame, width) as usize);
        // Titles that were cut may need fewer columns.
        let cuts = found.as_ref().is_ok_and(|t| !cut_titles(frame, &t.page).is_empty());
        let least = if cuts { least * 3 / 4 } else { least };
        if found.as_ref().is_ok_and(|t| t.lack <= price(width) - price(t.page.width)) {
            break;
        }
        let mut wider = columns(frame, width);
        wider.retain(|c| c + 1 >= least);
        wider.truncate(WIDER);
        let trial = best(frame, &panels, width, &wider, m);
        let is_better = match (&trial, &found) {
            (Ok(a), Ok(b)) => a.lack + price(width) < b.lack + price(b.page.width) - 1e-9,
            (Ok(_), Err(_)) => true,
            (Err(_), _) => false,
        };
        if is_better {
            found = trial;
        }
    }
    found.map(|t| t.page)
}

/// The number of columns at which square slots fill a page of this width.
fn square(frame: &Frame, width: f64) -> f64 {
    (frame.panels.len() as f64 * width / frame.height.unwrap_or(TALLEST * frame.dpi)).sqrt()
}

/// The numbers of columns to try at a width, ascending.
fn columns(frame: &Frame, width: f64) -> Vec<usize> {
    let n = frame.panels.len();
    if let Some(facets) = &frame.facets {
        return vec![facets.columns.len()];
    }
    if let Some(given) = frame.columns {
        return vec![given];
    }
    if n <= FEW {
        return (1..=n).collect();
    }
    let square = square(frame, width);
    let mut all: Vec<usize> =
        COLUMNS.iter().map(|share| ((share * square).round() as usize).clamp(1, n)).collect();
    // As few columns as the same number of rows needs.
    all.iter_mut().for_each(|c| *c = n.div_ceil(n.div_ceil(*c)));
    all.dedup();
    all
}

/// The larger widths to try, ascending: the one that the labels ask for, and a few steps.
fn widths(frame: &Frame, found: Option<&Trial>) -> Vec<f64> {
    let room = frame.width..frame.widest;
    let mut all: Vec<f64> = WIDTHS.iter().map(|by| (by * frame.width).min(frame.widest)).collect();
    all.extend(found.map(|t| wanted_width(&t.page).ceil()));
    all.retain(|width| *width <= room.end && *width > room.start);
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// The page with the number of columns that brings cells nearest to square on a page of common proportions, with all text.
fn best(
    frame: &Frame,
    panels: &Panels,
    width: f64,
    columns: &[usize],
    m: &mut dyn Measure,
) -> Result<Trial, ResolveError> {
    let mut found: Result<Trial, ResolveError> = Err(ResolveError::Size("no panel".to_owned()));
    for (k, c) in columns.iter().enumerate() {
        match page(frame, panels, width, *c, m) {
            Ok(page) => {
                let trial = judged(frame, page);
                if found.as_ref().map_or(true, |best| trial.score < best.score - 1e-9) {
                    found = Ok(trial);
                }
            }
            Err(e) if k == 0 => found = Err(e),
            Err(_) => {}
        }
    }
    found
}

/// A page and its score.
fn judged(frame: &Frame, page: Page) -> Trial {
    let (n, c) = (page.panels.len(), page.columns);
    let p = &page.panels[0];
    let cell = |t: &EdgeTable| f64::from(t.pixels()) / t.cells() as f64;
    let aspect = (cell(&p.columns) / cell(&p.rows)).ln().abs();
    let shape = page.content_height() / page.width;
    let empty = (page.rows() * c - n) as f64 / n as f64;
    let odd = (shape.max(0.3) / shape - 1.0).max(0.0) + (shape - 0.85).max(0.0) * 1.5;
    let over = (page.content_height() - page.height).max(0.0) / page.width;
    let lack = lack(frame, &page);
    // A page of automatic height has common proportions; on a given one, as a window, bodies are as large as can be.
    let shape = match frame.height {
        None => odd + empty * 0.6,
        Some(_) => -covered(&page).ln(),
    };
    Trial { score: aspect + shape + over * 4.0 + lack, lack, page }
}

/// The share of a page that its bodies cover.
fn covered(page: &Page) -> f64 {
    let area = |p: &PanelPage| f64::from(p.columns.pixels()) * f64::from(p.rows.pixels());
    let bodies: f64 = page.panels.iter().map(area).sum();
    bodies / (page.width * page.height)
}

/// Cost of a page for the reader: cut titles and labels, labels that are left out, bodies that are small in their slots or at
/// all, a height over that of a page.
fn lack(frame: &Frame, page: &Page) -> f64 {
    let f = page.fonts.tick;
    let cut = cut_titles(frame, page).len() as f64;
    let lines = page.panel_titles.iter().map(Vec::len).max().unwrap_or(0);
    let many = lines.saturating_sub(LABEL_LINES) as f64;
    let of_panels = |titles: f64| (titles / frame.panels.len() as f64).min(1.0);
    let whole = if frame.panels.len() > FEW { CUT_OF_MANY } else { CUT };
    let titles = if cut > 0.0 { 0.5 + whole * of_panels(cut) } else { 0.0 }
        + NUMBERED * of_panels(numbered_titles(frame, page).count() as f64)
        + TALL_TITLE * many.min(4.0);
    let over = page.tracks.room[TrackSide::Top.index()];
    let (mut hidden, mut shortened, mut small, mut headed) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for (p, spec) in page.panels.iter().zip(&frame.panels) {
        let sides = [(p.shows_x, &p.x, &spec.columns), (p.shows_y, &p.y, &spec.rows)];
        for (_, ticks, axis) in sides.into_iter().filter(|s| s.0) {
            hidden = hidden.max(hidden_share(ticks, axis));
            let mut lints = ticks.lints.0.iter();
            if let Some(lint) = lints.find(|l| l.name == LintName::LabelsShortened) {
                let share = lint.count as f64 / ticks.ticks.len().max(1) as f64;
                shortened = shortened.max(0.15 + 0.45 * share.min(1.0));
            }
        }
        let (w, h) = (f64::from(p.columns.pixels()), f64::from(p.rows.pixels()));
        small = small.max(SMALL_BODY * (READABLE * f / w.max(h) - 1.0));
        headed = headed.max(2.0 * ((page.above_first - over) / h - HEAD));
    }
    // Each of its slots is a share of the canvas.
    let slots = (page.columns as f64 / page.width, page.rows() as f64 / page.content_height());
    let share = (f64::from(page.slot.0) * slots.0).max(f64::from(page.slot.1) * slots.1);
    let crowded = if share < SHARE { 1.0 + 4.0 * (SHARE - share) } else { 0.0 };
    let end = page.tallest;
    let over = if frame.height.is_none() && page.content_height() > end {
        1.0 + 4.0 * (page.content_height() / end - 1.0)
    } else {
        0.0
    };
    titles + hidden + shortened + crowded + small + headed + over
}

/// The least share of its slot that a body takes of one side.
const SHARE: f64 = 0.605;
/// The most that a title is as high as its body before other columns of panels are better.
const HEAD: f64 = 0.5;
/// Cost of titles that are all cut, of a few panels and of many, which titles alone tell apart.
const CUT: f64 = 0.5;
const CUT_OF_MANY: f64 = 4.0;
/// Cost of numbers in place of all titles, which say nothing about their panels.
const NUMBERED: f64 = 4.0;
/// Cost of each line of a title beyond the most.
const TALL_TITLE: f64 = 0.25;
/// Cost of half of that side.
const SMALL_BODY: f64 = 0.5;
/// The least em of the longer side of a body.
const READABLE: f64 = 8.0;

/// How much is missed of the labels that are left out although a larger body would show them.
fn hidden_share(ticks: &TickSet, axis: &Axis) -> f64 {
    if ticks.wanted <= 0.0 {
        return 0.0;
    }
    0.2 + 0.5 * (1.0 - ticks.ticks.len() as f64 / axis.len().max(1) as f64)
}

/// The width at which the labels along x that were left out would fit, if there is one.
fn wanted_width(page: &Page) -> f64 {
    let labelled = page.panels.iter().filter(|p| p.shows_x);
    let longest = labelled.map(|p| p.x.wanted).fold(0.0, f64::max);
    page.width + page.columns as f64 * (longest - f64::from(page.slot.0)).max(0.0)
}

/// The titles that are not shown whole: without their middle, or numbered.
pub(super) fn cut_titles<'f>(frame: &'f Frame, page: &Page) -> Vec<&'f str> {
    let facets = frame.facets.as_ref();
    let titles = [&frame.title, &frame.x.title, &frame.y.title].into_iter();
    let titles = titles
        .chain(frame.panels.iter().map(|p| &p.title))
        .chain(facets.iter().flat_map(|f| f.columns.iter().chain(&f.rows)));
    let shown = [&page.title, &page.x_title, &page.y_title]
        .into_iter()
        .chain(&page.panel_titles)
        .chain(page.column_titles.iter().chain(&page.row_titles));
    let mut cut: Vec<&str> = titles
        .zip(shown)
        .filter(|(whole, lines)| !is_whole(lines, whole))
        .map(|pair| pair.0.as_str())
        .collect();
    // Titles of bars may have a unit behind them.
    let common = common_title(frame).map(|title| (title, &page.bar_title));
    let bars = frame.bars.iter().map(|b| b.label.as_str()).zip(page.bars.iter().map(|b| &b.label));
    let bars = common.into_iter().chain(bars);
    cut.extend(bars.filter(|(whole, lines)| is_cut(lines, whole)).map(|pair| pair.0));
    cut
}

/// Whether lines have all characters of a title.
fn is_whole(lines: &[String], title: &str) -> bool {
    let is_ink = |c: &char| !c.is_whitespace();
    lines.iter().flat_map(|line| line.chars()).filter(is_ink).eq(title.chars().filter(is_ink))
}

/// The most rounds. In the second half, room only grows, so that labels and room agree at the end.
const PASSES: usize = 20;
/// The most room of slanted labels between panels as a share of a body's width.
const SLANTED: f64 = 0.6;
/// Inches at which an automatic height ends where that holds readable text: a page.
const TALLEST: f64 = 9.0;

/// Common parts of the pages of a figure, whatever their width and their number of columns.
pub(super) struct Panels {
    pub sharing: Arc<Sharing>,
    pub shapes: Arc<Shapes>,
    /// The room that the page has at least.
    pub least: LeastRoom,
}

/// The page of this width and number of columns.
///
/// # Errors
/// [`ResolveError::Size`] when the canvas is too small for its labels.
pub(super) fn page(
    frame: &Frame,
    panels: &Panels,
    width: f64,
    columns: usize,
    m: &mut dyn Measure,
) -> Result<Page, ResolveError> {
    let fonts = Fonts::of(frame);
    let f = fonts.tick;
    let margin = (0.8 * f).round();
    let each = bar_each(frame);
    let places = Arc::new(Places::new(frame, columns.min(frame.panels.len())));
    let columns = places.columns;
    let inner_width = width - 2.0 * margin;
    let one = |text: &str| {
        if text.is_empty() { Vec::new() } else { text.split('\n').map(str::to_owned).collect() }
    };
    let mut page = Page {
        fonts,
        columns: places.columns,
        places,
        width,
        height: 0.0,
        tallest: TALLEST * frame.dpi,
        margin,
        title: wrap(&frame.title, fonts.title, inner_width, m),
        notes: wrap(&frame.note, fonts.note, inner_width, m),
        legend: legend_lines(&legend(frame, &fonts, m), inner_width, f),
        legend_lines: 0,
        key: LabelKey::default(),
        key_room: 0.0,
        slot: (0, 0),
        panels: Vec::new(),
        tracks: Tracks::default(),
        sharing: Arc::clone(&panels.sharing),
        shapes: Arc::clone(&panels.shapes),
        left: vec![0.5 * f; columns],
        right: vec![0.0; columns],
        above: 0.0,
        above_first: 0.0,
        below: 2.0 * f,
        below_inner: 0.0,
        gap: (0.9 * f, 0.9 * f),
        y_title: one(&frame.y.title),
        x_title: one(&frame.x.title),
        y_title_length: 0.0,
        inset: 0.0,
        steep: false,
        panel_titles: Vec::new(),
        column_titles: Vec::new(),
        row_titles: Vec::new(),
        level_row_titles: false,
        row_titles_depth: 0.0,
        bars: (0..frame.bars.len())
            .map(|b| BarTexts { room: room(frame, &fonts, b, m), label: one(&frame.bars[b].label) })
            .collect(),
        bar_title: Vec::new(),
        pad: 0.0,
        bars_right: 0.0,
        bars_below: 0.0,
        own_bar: 0.0,
        overhang: 0.0,
        right_bars: frame.bars.iter().any(|b| b.place.is_right()),
    };
    if each {
        // Bars in a column are aligned, and so are their titles.
        let rooms: Vec<f64> = page.bars.iter().map(|b| b.room).collect();
        let room_of = |i: usize| rooms[frame.panels[i].scale];
        for (i, panel) in frame.panels.iter().enumerate() {
            let others = page.places.in_column(page.places.column(i)).map(room_of);
            page.bars[panel.scale].room = others.fold(0.0, f64::max);
        }
    }
    page.legend_lines = page.legend.len().max(panels.least.legend_lines);
    let noted = page.notes.len();
    let mut lines = None;
    page.panels = frame.panels.iter().map(|_| blank()).collect();
    bar_sizes(frame, &mut page, each);
    for round in 0..PASSES {
        let before = page.rooms();
        let noted_before = page.notes.len() > noted;
        page.slot = slots(frame, &page, f)?;
        tables(frame, &mut page);
        mark_labelled(frame, &mut page);
        page.tracks = track_room(frame, &page.fonts, page.slot, m);
        titles(frame, &mut page, each, m);
        labels(frame, &mut page, m);
        label_key(frame, &mut page, m);
        page.key_room = page.lines_height(page.key.lines());
        bar_sizes(frame, &mut page, each);
        surroundings(frame, &mut page, each);
        let reduces = page.panels.iter().any(|p| p.columns.reduces() || p.rows.reduces());
        page.notes.truncate(noted);
        if frame.notes && (reduces || noted_before) {
            let lines = lines
                .get_or_insert_with(|| wrap(&longest_note(frame), page.fonts.note, inner_width, m).len());
            page.notes.extend(std::iter::repeat_n(String::new(), *lines));
        }
        if round >= PASSES / 2 {
            page.grow_to(&before);
        }
        page.grow_to(&panels.least.rooms);
        if page.rooms() == before {
            break;
        }
        // Slanted labels need room that makes bodies too narrow for them: they would be slanted in every other round. Between
        // panels they may take more room than bodies.
        let is_last = round + 1 >= PASSES / 2 - 2 && page.panels.iter().any(|p| p.x.degrees == 90);
        let takes_most = page.columns > 1 && page.overhang > SLANTED * f64::from(page.slot.0);
        page.steep |= is_last || takes_most;
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
        resized: [false; 2],
    }
}

/// Chooses the panels with tick labels: all of them if the figure says so, otherwise the left panel of each row, the lowest of
/// each column, and panels whose cells have other labels or other places than those of the next panel in that direction.
fn mark_labelled(frame: &Frame, page: &mut Page) {
    let Sharing { x, y } = &*page.sharing;
    let places = Arc::clone(&page.places);
    let size = |p: &PanelPage| (p.columns.pixels(), p.rows.pixels());
    let sizes: Vec<(u32, u32)> = page.panels.iter().map(size).collect();
    for (i, p) in page.panels.iter_mut().enumerate() {
        let is_open = |next: Option<usize>, shares: &dyn Fn(usize) -> bool| {
            frame.labels_on_each || next.is_none_or(|next| !shares(next))
        };
        p.shows_x = is_open(places.below(i), &|next| x[i] == x[next] && sizes[i].0 == sizes[next].0);
        p.shows_y = is_open(places.left_of(i), &|next| y[i] == y[next] && sizes[i].1 == sizes[next].1);
    }
}

#[cfg(test)]
mod random_tests;

#[cfg(test)]
mod tests;
