//! The layout of a figure: bodies, titles, legends and notes at their pixels.

use super::bar_alone::page_of_bars;
use super::body_room::{BodyRange, grown, range};
use super::measure::{LEADING, SWATCH, Swatch, bar_each};
use super::page::Page;
use super::panel_view::{page_of_one, panel_view};
use super::search::{cut_titles, fit_page};
use super::{ContourKey, KeyEntry, Label, Layout, PanelLayout};
use crate::resolve::{Frame, ResolveError, TrackKind, TrackSide};
use gridscope_core::figure::BarPlace;
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};
use gridscope_core::image::MOST_SIDE;
use gridscope_core::lint::LintName;
use gridscope_core::text::{CAP_HEIGHT, Measure, spoken};

/// Lays a figure out.
///
/// # Errors
/// [`ResolveError::Size`] when the canvas is empty, too large, or too small for its labels.
pub fn layout(frame: &Frame, m: &mut dyn Measure) -> Result<Layout, ResolveError> {
    Ok(Plan::new(frame, m)?.layout(frame, m))
}

/// The margins and body sizes of a figure, which do not change with the view, and the room that parts may take beside bodies.
#[derive(Clone, Debug)]
pub struct Plan(pub(super) Page);

impl Plan {
    /// Computes margins and body sizes.
    ///
    /// # Errors
    /// As [`layout`].
    pub fn new(frame: &Frame, m: &mut dyn Measure) -> Result<Self, ResolveError> {
        check(frame.width, frame.height.unwrap_or(1.0))?;
        let page = match frame.only {
            _ if let Some(size) = frame.bar_alone => {
                let page = fit_page(&frame.usual_sized(), m)?;
                page_of_bars(frame, size, page, m)
            }
            // Where a window shows one panel after the other, their bodies stay in their place.
            Some(panel) if frame.viewed => page_of_one(frame, panel, m)?,
            _ => fit_page(&frame.drawn(), m)?,
        };
        check(page.width, page.height)?;
        Ok(Self(page))
    }

    /// Lays out the panels that `frame` draws; it may differ from that of [`Plan::new`] in the parts that bodies show.
    pub fn layout(&self, frame: &Frame, m: &mut dyn Measure) -> Layout {
        let frame = &*frame.drawn();
        let line = (frame.dpi / 110.0).round().max(1.0);
        let drawn = frame.drawn_panels().len();
        let ranges: Vec<BodyRange> = (0..drawn).map(|i| range(frame, &self.0, i)).collect();
        let page = grown(frame, &self.0, &ranges);
        let page = page.as_ref();
        let mut out =
            Sheet { frame, page, ranges: &ranges, f: page.fonts.tick, line, m, layout: blank(frame, page) };
        match frame.bar_alone {
            Some(size) => out.bars_alone(size),
            None => out.lay_out(),
        }
        out.layout
    }
}

/// Titles that a warning names.
const LISTED: usize = 3;

/// The first of these titles.
fn listed(titles: &[&str]) -> String {
    let first: Vec<String> = titles.iter().take(LISTED).map(|title| spoken(title)).collect();
    let more = if titles.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", first.join(", "))
}

/// Checks the size of a canvas in pixels.
fn check(w: f64, h: f64) -> Result<(), ResolveError> {
    let say = |what: &str| Err(ResolveError::Size(format!("{w:.0} x {h:.0} px: {what}")));
    if !(w >= 1.0 && h >= 1.0) {
        return say("a picture has at least one pixel");
    }
    if w.max(h) > MOST_SIDE.into() {
        return say("sides end at 65,535 px");
    }
    Ok(())
}

fn blank(frame: &Frame, page: &Page) -> Layout {
    Layout {
        size: PxSize { w: page.width as u32, h: page.height as u32 },
        panels: Vec::new(),
        bars: vec![None; frame.bars.len()],
        texts: Vec::new(),
        rects: Vec::new(),
        keys: Vec::new(),
        symbols: Vec::new(),
        contours: Vec::new(),
        thin_key: None,
        hidden_key: None,
        notes: Vec::new(),
        note_width: page.width - 2.0 * page.margin,
        line: 1.0,
        unit: (frame.dpi / 100.0).round().max(1.0) as u32,
        lints: Default::default(),
    }
}

impl Sheet<'_> {
    fn lay_out(&mut self) {
        let (p, f) = (self.page, self.f);
        self.layout.line = self.line;
        let x0 = (p.margin + p.y_depth() + ((p.width - p.content_width()) / 2.0).max(0.0)).round();
        let mut y = p.margin + ((p.height - p.content_height()) / 2.0).max(0.0);
        let title_at = y;
        y += p.title_height();
        let rows_at = y;
        let mut lefts = Vec::new();
        let mut x = x0;
        for column in 0..p.columns {
            x += p.left[column];
            lefts.push(x.round());
            x += p.widest_body(column) + p.right[column] + p.gap.0;
        }
        let mut tops = Vec::new();
        for row in 0..p.rows() {
            tops.push(y);
            y += p.row_height(row) + if row + 1 < p.rows() { p.gap.1 } else { 0.0 };
        }
        let body = |i: usize| {
            let (row, column) = (p.places.row(i), p.places.column(i));
            let top = tops[row];
            self.panel(i, lefts[column], (top + p.above_of(row) + p.pad / 2.0).round(), top)
        };
        let bodies: Vec<Rect> = (0..p.panels.len()).map(body).collect();
        for (column, &left) in lefts.iter().enumerate() {
            self.column_title(column, left, rows_at);
        }
        let last = p.columns - 1;
        for (row, &top) in tops.iter().enumerate() {
            self.row_title(row, lefts[last] + p.widest_body(last), top);
        }
        let all = bodies.iter().skip(1).fold(bodies[0], |a, b| a.union(b));
        let along = Rect::new(all.x, rows_at, all.w, p.upright_room());
        self.titles(&all, title_at, x0, &along);
        y += p.x_depth();
        self.shared_bars(&all, &along, y);
        y += p.bars_below;
        self.legend(y + 0.5 * f, all.center().x);
        y += p.legend_height();
        self.key(y + 0.5 * f);
        y += p.key_room;
        self.notes(y + 0.5 * f);
        let cut = cut_titles(self.frame, p);
        if !cut.is_empty() {
            let text = format!("{} titles are shortened: {}", cut.len(), listed(&cut));
            let lint = self.layout.lints.add(LintName::LabelsShortened, cut.len() as u64, text);
            lint.names = cut.iter().map(|title| (*title).to_owned()).collect();
        }
    }

    fn titles(&mut self, all: &Rect, top: f64, x0: f64, along: &Rect) {
        let p = self.page;
        let inner = self.inner();
        self.centered(&p.title, p.fonts.title, all.center().x, top + 0.8 * p.fonts.title, inner);
        let font = p.fonts.axis;
        let below = along.bottom() - p.bars_below - p.x_depth();
        // Bars under the last row are nearer to it than the end of the row is.
        let under = if p.own_bar > 0.0 { p.pad / 2.0 } else { 0.0 };
        // The titles of the y axis and of bars may reach down to this one, so it stays between them.
        let within = (x0, x0 + p.x_title_room());
        self.centered(&p.x_title, font, all.center().x, below - p.own_bar - under + 1.15 * font, within);
        for (i, line) in p.y_title.iter().enumerate() {
            let y = self.upright(line, font, all.center().y, along);
            let from_labels = 0.45 + 0.22 + (p.y_title.len() - 1 - i) as f64 * LEADING;
            let x = x0 + p.inset - from_labels * font + 0.1 * self.f;
            self.text(line, font, x, y, 90);
        }
    }

    /// Places a panel and all that belongs to it, and returns the rectangle of its body.
    fn panel(&mut self, i: usize, x: f64, y: f64, top: f64) -> Rect {
        let p = self.page;
        let panel = &panel_view(self.frame, p, i, self.m);
        self.layout.lints.append(p.sharing.lints(self.frame, i, &panel.x, &panel.y));
        let (w, h) = (panel.columns.pixels(), panel.rows.pixels());
        let body = PxRect { x: x as i32, y: y as i32, w, h };
        let r = body.rect();
        let lines = &p.panel_titles[i];
        let over = self.track_room(TrackSide::Top);
        let first = y - over - (0.55 + lines.len().saturating_sub(1) as f64 * LEADING) * p.fonts.panel;
        let font = p.fonts.panel;
        let title = (!lines.is_empty()).then(|| {
            let deep = (0.8 + 0.25 + (lines.len() - 1) as f64 * LEADING) * font;
            Rect::new(r.x, first - 0.8 * font, r.w, deep)
        });
        let (inner, reach) = (self.inner(), p.reach());
        let beyond = self.track_room(TrackSide::Right);
        let (row, column) = (p.places.row(i), p.places.column(i));
        let beside = r.x + p.widest_body(column);
        let (left, right) = p.title_reach(self.frame, column);
        let over = ((r.x - left).max(inner.0), (beside + right).min(inner.1));
        self.centered(lines, p.fonts.panel, r.center().x, first, over);
        // Of a body that is narrower than its slot, the bar may take the whole slot.
        let slot = ((r.x - reach).max(inner.0), (beside + reach).min(inner.1));
        let tracks = self.tracks(&r);
        for (track, at) in self.frame.tracks.iter().zip(&tracks) {
            match track.kind {
                TrackKind::Strip(n) => self.strip(i, panel, &self.frame.strips[n], &at.rect.rect()),
                TrackKind::Tree { of_rows } => self.dendrogram(i, panel, of_rows, &at.rect.rect()),
                // What it shows depends on values.
                TrackKind::Margin(_) => {}
            }
        }
        if panel.shows_x {
            self.x_labels(panel, &r);
        }
        if panel.shows_y {
            self.y_labels(panel, &r);
        }
        if bar_each(self.frame) {
            let b = self.frame.panels[i].scale;
            match self.frame.bars[b].place {
                BarPlace::Right | BarPlace::Only => {
                    self.vertical_bar(b, beside + beyond, &r, &Rect::new(r.x, top, r.w, p.row_height(row)));
                }
                BarPlace::Bottom => {
                    // In the last row, the shared title of the x axis is between labels and bars.
                    let last = row + 1 == p.rows();
                    let lowest = !p.places.is_above_panel(i);
                    let labels =
                        if lowest { p.below } else { p.below_inner } + if last { p.x_depth() } else { 0.0 };
                    self.horizontal_bar(b, r.bottom() + labels - p.own_bar, &r, slot);
                }
                BarPlace::None | BarPlace::Blank => {}
            }
        }
        self.layout.panels.push(PanelLayout {
            body,
            title,
            columns: panel.columns.clone(),
            rows: panel.rows.clone(),
            range: self.ranges[i],
            tracks,
        });
        r
    }

    fn legend(&mut self, top: f64, cx: f64) {
        let (p, f) = (self.page, self.f);
        for (row, entries) in p.legend.iter().enumerate() {
            let gaps: f64 = entries.iter().rev().skip(1).map(|e| e.gap).sum();
            let total: f64 = entries.iter().map(|e| e.width).sum::<f64>() + gaps;
            let mut x = (cx - total / 2.0).clamp(p.margin, (p.width - p.margin - total).max(p.margin));
            let y = top + row as f64 * 1.5 * f;
            let mut line = ContourKey::default();
            for e in entries {
                let rect = PxRect {
                    x: x.round() as i32,
                    y: (y + 0.15 * f).round() as i32,
                    w: (e.swatch.width() * f).round() as u32,
                    h: (SWATCH.1 * f).round() as u32,
                };
                let mut at = x + (e.swatch.width() + 0.4) * f;
                match e.swatch {
                    Swatch::None => at = x,
                    Swatch::Color(c) => self.layout.rects.push((rect.rect(), c)),
                    Swatch::Ramp(colors) => {
                        let wide = rect.w as usize;
                        for k in 0..wide {
                            let color = colors[k * colors.len() / wide];
                            let slice = Rect::new(
                                f64::from(rect.x) + k as f64,
                                f64::from(rect.y),
                                1.0,
                                f64::from(rect.h),
                            );
                            self.layout.rects.push((slice, color));
                        }
                    }
                    Swatch::State(s) => self.layout.keys.push((rect, s)),
                    Swatch::Mark(style) => self.layout.symbols.push((rect, style)),
                    Swatch::Contour(None) => at = x,
                    Swatch::Contour(Some(_)) => {}
                    Swatch::Masked => {
                        let ink = self.frame.palette.ink;
                        let edges = rect.rect().edges(self.line);
                        self.layout.rects.extend(edges.map(|edge| (edge, ink)));
                    }
                    Swatch::Hidden => self.layout.hidden_key = Some(rect),
                    Swatch::Thin => self.layout.thin_key = Some(rect),
                }
                let y = y + (0.55 + CAP_HEIGHT / 2.0) * f;
                match e.swatch {
                    Swatch::Contour(level) => line.entries.push(KeyEntry {
                        level,
                        rect,
                        label: Label {
                            text: e.text.clone(),
                            font_size: f,
                            at: Point { x: at, y },
                            degrees: 0,
                        },
                        advance: e.width + e.gap,
                    }),
                    _ => self.text(&e.text, f, at, y, 0),
                }
                x += e.width + e.gap;
            }
            if !line.entries.is_empty() {
                self.layout.contours.push(line);
            }
        }
    }

    /// The key of numbered texts.
    fn key(&mut self, top: f64) {
        let p = self.page;
        for (k, column) in p.key.columns.iter().enumerate() {
            let x = p.margin + k as f64 * p.key.advance;
            for (i, line) in column.iter().enumerate() {
                let y = top + (i as f64 * LEADING + 0.8) * p.fonts.note;
                self.text(line, p.fonts.note, x, y, 0);
            }
        }
    }

    fn notes(&mut self, top: f64) {
        let p = self.page;
        for i in 0..p.notes.len() {
            self.layout.notes.push(Point { x: p.margin, y: top + (i as f64 * LEADING + 0.8) * p.fonts.note });
        }
    }
}

/// A page during its layout.
pub(super) struct Sheet<'a> {
    pub frame: &'a Frame,
    pub page: &'a Page,
    /// The bodies that each panel may have.
    pub ranges: &'a [BodyRange],
    /// Size of tick labels in pixels.
    pub f: f64,
    /// Thickness of ticks in pixels.
    pub line: f64,
    pub m: &'a mut dyn Measure,
    pub layout: Layout,
}

impl Sheet<'_> {
    /// Places a text, unless it is empty.
    pub(super) fn text(&mut self, text: &str, font_size: f64, x: f64, y: f64, degrees: i32) {
        if !text.is_empty() {
            self.layout.texts.push(Label { text: text.to_owned(), font_size, at: Point { x, y }, degrees });
        }
    }

    /// Places lines of text centred at `cx` but within `from..to`; the first baseline is at `y`.
    pub(super) fn centered(&mut self, lines: &[String], font: f64, cx: f64, y: f64, (from, to): (f64, f64)) {
        for (i, line) in lines.iter().enumerate() {
            let w = self.m.size(line, font).width;
            let x = (cx - w / 2.0).min(to - w).max(from);
            self.text(line, font, x, y + i as f64 * LEADING * font, 0);
        }
    }

    /// The left and the right end of the canvas between its margins.
    pub(super) fn inner(&self) -> (f64, f64) {
        (self.page.margin, self.page.width - self.page.margin)
    }

    /// The start of an upright line that is centred at `cy` but within `along`.
    pub(super) fn upright(&mut self, line: &str, font: f64, cy: f64, along: &Rect) -> f64 {
        let w = self.m.size(line, font).width;
        (cy + w / 2.0).min(along.bottom()).max(along.y + w)
    }
}
