//! Margins and body sizes: found by repeating until the chosen labels and the room for them agree.

use super::flow::wrap;
use super::measure::{Entry, Fonts, Header, LEADING, LINE, bar_each, bar_height, bar_width, headers, legend, legend_lines};
use super::ticks::{Ask, TickSet, choose};
use super::track::{cells_wide, table};
use crate::figure::BarPlace;
use crate::resolve::{AxisFrame, Frame, ResolveError};
use crate::text::Measure;
use crate::view::EdgeTable;

/// Labels may take so much of the canvas before they are shortened.
const LABEL_SHARE: f64 = 0.4;

/// The page's grid of panels and the room around each.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub fonts: Fonts,
    pub columns: usize,
    pub width: f64,
    pub height: f64,
    pub margin: f64,
    /// Lines of the figure's title.
    pub title: Vec<String>,
    /// Lines of the user's note and reserved ones.
    pub notes: Vec<String>,
    pub legend: Vec<Vec<Entry>>,
    /// Room of one body.
    pub slot: (u32, u32),
    pub panels: Vec<PanelPage>,
    /// Left of each body: labels, group headers, strip.
    pub left: f64,
    /// Right of each body: its own bar, overhanging labels.
    pub right: f64,
    /// Over each body: its title.
    pub above: f64,
    /// Under each body: labels, headers, strip, its own bar.
    pub below: f64,
    /// Under bodies that have another panel below and show no labels.
    pub below_inner: f64,
    pub gap: (f64, f64),
    pub y_title: f64,
    pub x_title: f64,
    pub bars_right: f64,
    pub bars_below: f64,
    /// Height of the bar under each body, where each has one.
    pub own_bar: f64,
}

/// One panel's tables and labels.
#[derive(Clone, Debug)]
pub(super) struct PanelPage {
    pub columns: EdgeTable,
    pub rows: EdgeTable,
    pub x: TickSet,
    pub y: TickSet,
    /// Levels from the outermost.
    pub x_headers: Vec<Vec<Header>>,
    pub y_headers: Vec<Vec<Header>>,
    pub shows_x: bool,
    pub shows_y: bool,
}

impl Page {
    pub fn rows(&self) -> usize {
        self.panels.len().div_ceil(self.columns)
    }

    /// Height of the title's block.
    pub fn title_height(&self) -> f64 {
        if self.title.is_empty() { 0.0 } else { self.title.len() as f64 * LEADING * self.fonts.title + 0.5 * self.fonts.tick }
    }

    pub fn legend_height(&self) -> f64 {
        if self.legend.is_empty() { 0.0 } else { (self.legend.len() as f64 * 1.5 + 0.1) * self.fonts.tick }
    }

    pub fn notes_height(&self) -> f64 {
        if self.notes.is_empty() { 0.0 } else { self.notes.len() as f64 * LEADING * self.fonts.note + 0.5 * self.fonts.tick }
    }

    /// Width of everything but bodies.
    fn around_x(&self) -> f64 {
        let c = self.columns as f64;
        let each = if self.shows_left_each() { c } else { 1.0 };
        2.0 * self.margin + self.y_title + self.left * each + self.right * c + self.gap.0 * (c - 1.0) + self.bars_right
    }

    /// Height of everything but bodies.
    fn around_y(&self) -> f64 {
        let r = self.rows() as f64;
        2.0 * self.margin
            + self.title_height()
            + self.above * r
            + self.below
            + self.below_inner * (r - 1.0)
            + self.gap.1 * (r - 1.0)
            + self.x_title
            + self.bars_below
            + self.legend_height()
            + self.notes_height()
    }

    /// Whether every column of panels has labels at its left.
    pub fn shows_left_each(&self) -> bool {
        self.panels.iter().enumerate().any(|(i, p)| p.shows_y && i % self.columns > 0)
    }

    /// Height of one row of panels without its gap.
    pub fn row_height(&self, row: usize) -> f64 {
        let below = if row + 1 == self.rows() { self.below } else { self.below_inner };
        self.above + f64::from(self.slot.1) + below
    }

    /// The canvas as tall as its content.
    pub fn content_height(&self) -> f64 {
        self.around_y() + f64::from(self.slot.1) * self.rows() as f64
    }

    /// Everything in a row: what a narrow figure centres.
    pub fn content_width(&self) -> f64 {
        self.around_x() + f64::from(self.slot.0) * self.columns as f64
    }
}

/// The page with the given number of columns.
pub(super) fn page(frame: &Frame, columns: usize, m: &mut dyn Measure) -> Result<Page, ResolveError> {
    let fonts = Fonts::of(frame);
    let f = fonts.tick;
    let margin = (0.8 * f).round();
    let each = bar_each(frame);
    let sum = |h: fn(&Frame, &Fonts, usize) -> f64| (0..frame.bars.len()).map(|b| h(frame, &fonts, b)).sum::<f64>();
    let most = |h: fn(&Frame, &Fonts, usize) -> f64| (0..frame.bars.len()).map(|b| h(frame, &fonts, b)).fold(0.0, f64::max);
    let inner_width = frame.width - 2.0 * margin;
    let titled = frame.panels.iter().any(|p| !p.title.is_empty());
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
        left: 0.5 * f,
        right: if each { most(bar_width) } else { 0.0 },
        above: if titled { (LINE + 0.45) * fonts.panel } else { 0.0 },
        below: 2.0 * f,
        below_inner: 0.0,
        gap: (0.9 * f, 0.9 * f),
        y_title: if frame.y.title.is_empty() { 0.0 } else { (LINE + 0.45) * fonts.axis },
        x_title: if frame.x.title.is_empty() { 0.0 } else { (LINE + 0.35) * fonts.axis },
        bars_right: if each { 0.0 } else { sum(bar_width) },
        bars_below: if each { 0.0 } else { sum(bar_height) },
        own_bar: if each { most(bar_height) } else { 0.0 },
    };
    let noted = page.notes.len();
    page.panels = frame.panels.iter().map(|_| blank()).collect();
    mark_labelled(frame, &mut page);
    for _ in 0..8 {
        let before = (page.left, page.below, page.right, page.gap.0, page.slot, page.notes.len());
        page.slot = slots(frame, &page, f)?;
        tables(frame, &mut page);
        labels(frame, &mut page, m);
        surroundings(frame, &mut page, each);
        let reduces = page.panels.iter().any(|p| p.columns.reduces() || p.rows.reduces());
        page.notes.truncate(noted);
        if frame.notes && reduces {
            page.notes.push(String::new());
        }
        if before == (page.left, page.below, page.right, page.gap.0, page.slot, page.notes.len()) {
            break;
        }
    }
    page.height = frame.height.unwrap_or_else(|| page.content_height().ceil());
    Ok(page)
}

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

/// Labels stand at the left and at the lowest panel of each column, or on each panel.
fn mark_labelled(frame: &Frame, page: &mut Page) {
    let (n, c) = (frame.panels.len(), page.columns);
    for (i, p) in page.panels.iter_mut().enumerate() {
        p.shows_x = frame.labels_on_each || i + c >= n;
        p.shows_y = frame.labels_on_each || i % c == 0;
    }
}

/// The room of one body in whole pixels.
fn slots(frame: &Frame, page: &Page, f: f64) -> Result<(u32, u32), ResolveError> {
    let (c, r) = (page.columns as f64, page.rows() as f64);
    let free = (frame.width - page.around_x()) / c;
    let wide = frame.panels.iter().map(|p| cells_wide(&p.columns)).fold(1.0, f64::max);
    let high = frame.panels.iter().map(|p| cells_wide(&p.rows)).fold(1.0, f64::max);
    let small = |need: f64| {
        let what = format!("{:.0} px is too narrow or too low for these labels: about {need:.0} px more are needed", frame.width);
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
        None if frame.square => cell * high,
        None => {
            // Labels ask for rows as high as a line; tables beyond three quarters of the width get lower rows.
            let least = if labelled { 1.25 * f } else { 1.0 };
            let cap = 0.75 * frame.width / r;
            let tallest = 1.3 * frame.width / r;
            let row = cell.min((cap / high).max(least)).max(least).min((tallest / high).max(1.0));
            whole(row) * high
        }
    };
    if height < 8.0 && frame.height.is_some() {
        return Err(small(8.0 - height));
    }
    let mut width = free;
    if frame.square {
        let cell = whole((free / wide).min(height / high));
        (width, height) = (cell * wide, cell * high);
        // A single row or column would be a hair: it gets a readable thickness instead.
        (width, height) = (width.max(2.0 * f).min(free), height.max(2.0 * f));
    }
    Ok((width.floor().max(1.0) as u32, height.max(2.0 * f).min(65_535.0).floor() as u32))
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
    let f = page.fonts.tick;
    let canvas = (frame.width, frame.height.unwrap_or(frame.width));
    let mut done: Vec<usize> = Vec::new();
    for i in 0..page.panels.len() {
        let panel = &frame.panels[i];
        // Panels with equal axes have equal labels; most figures choose theirs once.
        let twin = done.iter().copied().find(|&j| frame.panels[j].columns == panel.columns && frame.panels[j].rows == panel.rows);
        if let Some(j) = twin {
            let (x, y) = (page.panels[j].x.clone(), page.panels[j].y.clone());
            let (xh, yh) = (page.panels[j].x_headers.clone(), page.panels[j].y_headers.clone());
            let p = &mut page.panels[i];
            (p.x, p.y, p.x_headers, p.y_headers) = (x, y, xh, yh);
            continue;
        }
        done.push(i);
        let p = &page.panels[i];
        let ask = |side: bool| {
            let (axis, table, spec): (_, _, &AxisFrame) =
                if side { (&panel.rows, &p.rows, &frame.y) } else { (&panel.columns, &p.columns, &frame.x) };
            let most = if side { LABEL_SHARE * canvas.0 } else { LABEL_SHARE * canvas.1.min(canvas.0) };
            Ask { axis, table, frame: spec, font: f, most, side, name: if side { "y" } else { "x" } }
        };
        let (x, y) = (choose(&ask(false), m), choose(&ask(true), m));
        let nested = |axis: &crate::grid::Axis, table: &EdgeTable, m: &mut dyn Measure| {
            let length = |cells: &std::ops::Range<usize>| {
                let (a, b) = (table.extent(cells.start), table.extent(cells.end - 1));
                b.1.max(a.1) - a.0.min(b.0)
            };
            (0..axis.levels.len().saturating_sub(1)).map(|l| headers(axis, l, f, length, m)).collect::<Vec<_>>()
        };
        let xh = nested(&panel.columns, &p.columns, m);
        let yh = nested(&panel.rows, &p.rows, m);
        let p = &mut page.panels[i];
        (p.x, p.y, p.x_headers, p.y_headers) = (x, y, xh, yh);
    }
}

/// The height of one level of group headers under an axis, or its width beside one.
pub(super) fn header_depth(headers: &[Header], f: f64) -> f64 {
    let lines = headers.iter().map(|h| h.lines.len()).max().unwrap_or(0).max(1);
    (0.45 + LEADING * lines as f64) * f
}

/// From a body to its tick labels.
pub(super) fn tick_gap(f: f64) -> f64 {
    0.5 * f
}

/// A strip and the gap between it and the body.
pub(super) fn strip_depth(f: f64) -> f64 {
    0.95 * f
}

fn surroundings(frame: &Frame, page: &mut Page, each: bool) {
    let f = page.fonts.tick;
    let strip = |x: bool| if frame.strip.as_ref().is_some_and(|s| s.along_x == x) { strip_depth(f) } else { 0.0 };
    let side = |p: &PanelPage| {
        let headers: f64 = p.y_headers.iter().map(|h| header_depth(h, f)).sum();
        if p.y.ticks.is_empty() { headers } else { headers + p.y.width() + tick_gap(f) }
    };
    let under = |p: &PanelPage| {
        let headers: f64 = p.x_headers.iter().map(|h| header_depth(h, f)).sum();
        if p.x.ticks.is_empty() { headers } else { headers + p.x.depth(f) + tick_gap(f) }
    };
    let over = page
        .panels
        .iter()
        .filter(|p| p.shows_x)
        .map(|p| p.x.overhang(f64::from(page.slot.0), f))
        .fold((0.0f64, 0.0f64), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let left = page.panels.iter().filter(|p| p.shows_y).map(side).fold(0.0, f64::max) + strip(false);
    let below = page.panels.iter().filter(|p| p.shows_x).map(under).fold(0.0, f64::max) + strip(true);
    let bar = page.own_bar;
    let bar_right = if each { (0..frame.bars.len()).map(|b| bar_width(frame, &page.fonts, b)).fold(0.0, f64::max) } else { 0.0 };
    page.left = left.max(over.0);
    page.right = bar_right.max(if page.columns > 1 || bar_right > 0.0 { 0.0 } else { over.1 });
    page.below = below + bar;
    page.below_inner = if frame.labels_on_each { below } else { strip(true) } + bar;
    let inner = if page.shows_left_each() { 0.0 } else { strip(false) };
    let edge = if frame.bars.iter().any(|b| b.place == BarPlace::Right) { 0.9 * f } else { 0.0 };
    // Labels of neighbouring panels reach into the gap from both sides.
    // Panels stand further apart than the groups of a nested axis.
    let nested = frame.panels.iter().any(|p| p.columns.levels.len() > 1);
    page.gap.0 = (if nested { 2.0 * f } else { 0.9 * f }).max(over.0 + over.1 + 0.5 * f) + inner;
    page.bars_right = if each { 0.0 } else { (0..frame.bars.len()).map(|b| bar_width(frame, &page.fonts, b)).sum::<f64>() };
    if page.columns > 1 || bar_right > 0.0 {
        page.bars_right += (over.1 - edge).max(0.0);
    }
}
