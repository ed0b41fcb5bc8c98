//! The page set out: bodies, bars, labels and legends at their pixels.

use super::fitting::{fitted, strip_depth, tick_gap};
use super::measure::{BAR, LEADING, LINE, SWATCH, Swatch, bar_each, bar_height, bar_width};
use super::page::{Page, PanelPage};
use super::viewed::{reach, viewed};
use super::{BarLayout, Label, Layout, PanelLayout};
use crate::figure::BarPlace;
use crate::geom::{Point, PxRect, PxSize, Rect};
use crate::lint::LintName;
use crate::resolve::{Frame, ResolveError};
use crate::text::{CAP_HEIGHT, Measure};

/// Sides end here (PNG readers and GPUs go no further).
const LONGEST_SIDE: f64 = 65_535.0;

/// Lays a figure out.
///
/// # Errors
/// [`ResolveError::Size`] when the canvas is empty, too large, or too small for its labels.
pub fn layout(frame: &Frame, m: &mut dyn Measure) -> Result<Layout, ResolveError> {
    Ok(Plan::new(frame, m)?.layout(frame, m))
}

/// Where everything stands that the parts which bodies show do not change.
#[derive(Clone, Debug)]
pub struct Plan(Page);

impl Plan {
    /// Finds margins and bodies.
    ///
    /// # Errors
    /// As [`layout`].
    pub fn new(frame: &Frame, m: &mut dyn Measure) -> Result<Self, ResolveError> {
        check(frame.width, frame.height.unwrap_or(1.0))?;
        let page = fitted(frame, m)?;
        check(page.width, page.height)?;
        Ok(Self(page))
    }

    /// Sets everything out; `frame` may differ from the one of [`Plan::new`] in the parts that bodies show.
    pub fn layout(&self, frame: &Frame, m: &mut dyn Measure) -> Layout {
        let page = &self.0;
        let line = (frame.dpi / 110.0).round().max(1.0);
        let mut out = Out {
            frame,
            page,
            f: page.fonts.tick,
            line,
            m,
            layout: blank(frame, page),
        };
        out.set_out();
        out.layout
    }
}

fn check(w: f64, h: f64) -> Result<(), ResolveError> {
    let say = |what: &str| Err(ResolveError::Size(format!("{w:.0} x {h:.0} px: {what}")));
    if !(w >= 1.0 && h >= 1.0) {
        return say("a picture has at least one pixel");
    }
    if w > LONGEST_SIDE || h > LONGEST_SIDE {
        return say("sides end at 65,535 px");
    }
    if w * h > f64::from(u32::MAX) {
        return say("areas end at 2^32 px");
    }
    Ok(())
}

/// What of a stretch of an axis lies on the body.
fn on_body((a, b): (f64, f64), table: &crate::view::EdgeTable) -> (f64, f64) {
    (a.max(0.0), b.min(f64::from(table.pixels())))
}

fn blank(frame: &Frame, page: &Page) -> Layout {
    Layout {
        size: PxSize {
            w: page.width as u32,
            h: page.height as u32,
        },
        panels: Vec::new(),
        bars: vec![None; frame.bars.len()],
        texts: Vec::new(),
        rects: Vec::new(),
        keys: Vec::new(),
        notes: Vec::new(),
        note_width: page.width - 2.0 * page.margin,
        line: 1.0,
        unit: (frame.dpi / 100.0).round().max(1.0) as u32,
        lints: Default::default(),
    }
}

struct Out<'a> {
    frame: &'a Frame,
    page: &'a Page,
    f: f64,
    line: f64,
    m: &'a mut dyn Measure,
    layout: Layout,
}

impl Out<'_> {
    fn set_out(&mut self) {
        let (p, f) = (self.page, self.f);
        self.layout.line = self.line;
        let x0 = (p.margin + p.y_depth() + ((p.width - p.content_width()) / 2.0).max(0.0)).round();
        let mut y = p.margin + ((p.height - p.content_height()) / 2.0).max(0.0);
        let title_at = y;
        y += p.title_height();
        let rows_at = y;
        let mut bodies: Vec<Rect> = Vec::new();
        let left_each = p.shows_left_each();
        for row in 0..p.rows() {
            let mut x = x0;
            for column in 0..p.columns {
                let i = row * p.columns + column;
                if column == 0 || left_each {
                    x += p.left;
                }
                if i < p.panels.len() {
                    bodies.push(self.panel(i, x.round(), (y + p.above + p.pad / 2.0).round(), y));
                }
                x += f64::from(p.slot.0) + p.right + p.gap.0;
            }
            y += p.row_height(row) + if row + 1 < p.rows() { p.gap.1 } else { 0.0 };
        }
        let all = bodies.iter().skip(1).fold(bodies[0], |a, b| a.union(b));
        let along = Rect::new(all.x, rows_at, all.w, p.upright_room());
        self.titles(&all, title_at, x0, &along);
        y += p.x_depth();
        self.shared_bars(&all, &along, y);
        y += p.bars_below;
        self.legend(y + 0.5 * f, all.center().x);
        y += p.legend_height();
        self.notes(y + 0.5 * f);
        let titles = [&self.frame.title, &self.frame.x.title, &self.frame.y.title].into_iter();
        let titles = titles
            .chain(self.frame.panels.iter().map(|p| &p.title))
            .chain(self.frame.bars.iter().map(|b| &b.label));
        let dots = |text: &str| text.matches('…').count();
        let shown = [&p.title, &p.x_title, &p.y_title]
            .into_iter()
            .chain(&p.panel_titles)
            .chain(p.bars.iter().map(|b| &b.label));
        let cut = titles
            .zip(shown)
            .filter(|(whole, lines)| lines.iter().map(|l| dots(l)).sum::<usize>() > dots(whole))
            .count();
        if cut > 0 {
            self.layout.lints.add(
                LintName::LabelsShortened,
                cut as u64,
                format!("{cut} titles are cut in the middle"),
            );
        }
    }

    fn text(&mut self, text: &str, font_size: f64, x: f64, y: f64, degrees: i32) {
        if !text.is_empty() {
            self.layout.texts.push(Label {
                text: text.to_owned(),
                font_size,
                at: Point { x, y },
                degrees,
            });
        }
    }

    /// Lines centred about `cx` and kept within `from..to`, the first baseline at `y`.
    fn centered(&mut self, lines: &[String], font: f64, cx: f64, y: f64, (from, to): (f64, f64)) {
        for (i, line) in lines.iter().enumerate() {
            let w = self.m.size(line, font).width;
            let x = (cx - w / 2.0).min(to - w).max(from);
            self.text(line, font, x, y + i as f64 * LEADING * font, 0);
        }
    }

    /// The canvas between its margins.
    fn inner(&self) -> (f64, f64) {
        (self.page.margin, self.page.width - self.page.margin)
    }

    /// Where an upright line centred about `cy` begins, kept within `along`.
    fn upright(&mut self, line: &str, font: f64, cy: f64, along: &Rect) -> f64 {
        let w = self.m.size(line, font).width;
        (cy + w / 2.0).min(along.bottom()).max(along.y + w)
    }

    fn titles(&mut self, all: &Rect, top: f64, x0: f64, along: &Rect) {
        let p = self.page;
        let inner = self.inner();
        self.centered(
            &p.title,
            p.fonts.title,
            all.center().x,
            top + 0.8 * p.fonts.title,
            inner,
        );
        let font = p.fonts.axis;
        let below = along.bottom() - p.bars_below - p.x_depth();
        // A title of the y axis or of a bar may reach down beside this one.
        let within = (x0, x0 + p.x_title_room());
        self.centered(
            &p.x_title,
            font,
            all.center().x,
            below - p.own_bar + 1.15 * font,
            within,
        );
        for (i, line) in p.y_title.iter().enumerate() {
            let y = self.upright(line, font, all.center().y, along);
            let from_labels = 0.45 + 0.22 + (p.y_title.len() - 1 - i) as f64 * LEADING;
            self.text(line, font, x0 - from_labels * font + 0.1 * self.f, y, 90);
        }
    }

    /// One body with all that belongs to it; gives the body.
    fn panel(&mut self, i: usize, x: f64, y: f64, top: f64) -> Rect {
        let p = self.page;
        let seen = viewed(self.frame, p, i, self.m);
        let panel = &seen;
        self.layout
            .lints
            .append(p.sharing.lints(self.frame, i, &panel.x, &panel.y));
        let (w, h) = (panel.columns.pixels(), panel.rows.pixels());
        let body = PxRect {
            x: x as i32,
            y: y as i32,
            w,
            h,
        };
        let r = body.rect();
        let lines = &p.panel_titles[i];
        let first = y - (0.55 + lines.len().saturating_sub(1) as f64 * LEADING) * p.fonts.panel;
        let inner = self.inner();
        self.centered(lines, p.fonts.panel, r.center().x, first, inner);
        self.strip(i, panel, &r);
        if panel.shows_x {
            self.x_labels(panel, &r);
        }
        if panel.shows_y {
            self.y_labels(panel, &r);
        }
        if bar_each(self.frame) {
            let b = self.frame.panels[i].scale;
            match self.frame.bars[b].place {
                BarPlace::Right => {
                    let row = i / p.columns;
                    self.vertical_bar(b, r.right(), &r, &Rect::new(r.x, top, r.w, p.row_height(row)));
                }
                BarPlace::Bottom => {
                    // The shared axis title stands between the labels and the bars of the last row.
                    let last = i / p.columns + 1 == p.rows();
                    let lowest = i + p.columns >= p.panels.len();
                    let labels =
                        if lowest { p.below } else { p.below_inner } + if last { p.x_depth() } else { 0.0 };
                    let reach = p.reach();
                    self.horizontal_bar(
                        b,
                        r.bottom() + labels - p.own_bar,
                        &r,
                        ((r.x - reach).max(inner.0), (r.right() + reach).min(inner.1)),
                    );
                }
                BarPlace::None => {}
            }
        }
        self.layout.panels.push(PanelLayout {
            body,
            columns: panel.columns.clone(),
            rows: panel.rows.clone(),
        });
        r
    }

    fn strip_room(&self, along_x: bool) -> f64 {
        if self.frame.strip.as_ref().is_some_and(|s| s.along_x == along_x) {
            strip_depth(self.f)
        } else {
            0.0
        }
    }

    fn strip(&mut self, i: usize, panel: &PanelPage, r: &Rect) {
        let Some(strip) = &self.frame.strip else { return };
        let thick = (0.65 * self.f).round();
        let gap = (0.2 * self.f).round();
        let (axis, table) = if strip.along_x {
            (&self.frame.panels[i].columns, &panel.columns)
        } else {
            (&self.frame.panels[i].rows, &panel.rows)
        };
        for (k, category) in axis.strip.iter().flatten().enumerate() {
            let Some(color) = strip.color(&crate::text::clean(category)) else {
                continue;
            };
            let (a, b) = on_body(table.extent(k), table);
            if a >= b {
                continue;
            }
            let rect = if strip.along_x {
                Rect::new((r.x + a).round(), r.bottom() + gap, (b - a).round(), thick)
            } else {
                Rect::new(r.x - gap - thick, (r.y + a).round(), thick, (b - a).round())
            };
            self.layout.rects.push((rect, color));
        }
    }

    fn x_labels(&mut self, panel: &PanelPage, r: &Rect) {
        let f = self.f;
        let top = r.bottom() + self.strip_room(true);
        let ink = self.frame.palette.ink;
        for t in &panel.x.ticks {
            let cx = r.x + t.at;
            let mark = Rect::new((cx - self.line / 2.0).round(), top, self.line, (0.25 * f).round());
            self.layout.rects.push((mark, ink));
            let y = top + tick_gap(f);
            let half_cap = CAP_HEIGHT * f / 2.0;
            match panel.x.degrees {
                0 => self.text(&t.text, f, cx - t.width / 2.0, y + 0.8 * f, 0),
                90 => self.text(&t.text, f, cx + half_cap, y + t.width, 90),
                d => {
                    let c = std::f64::consts::FRAC_1_SQRT_2;
                    let end = Point {
                        x: cx + half_cap * c,
                        y: y + 2.0 * half_cap * c,
                    };
                    self.text(&t.text, f, end.x - t.width * c, end.y + t.width * c, d);
                }
            }
        }
        let mut y = top
            + if panel.x.ticks.is_empty() {
                0.0
            } else {
                panel.x.depth(f) + tick_gap(f)
            };
        for level in panel.x_headers.iter().rev() {
            for h in &level.headers {
                let (a, b) = on_body(reach(&panel.columns, &h.cells), &panel.columns);
                let long = (b - a - 2.0 * self.line).round();
                if long >= 1.0 {
                    let bracket = Rect::new(
                        (r.x + a + self.line).round(),
                        (y + 0.3 * f).round(),
                        long,
                        self.line,
                    );
                    self.layout.rects.push((bracket, ink));
                }
                for (k, line) in h.lines.iter().enumerate() {
                    let w = self.m.size(line, f).width;
                    let middle = r.x + (a + b) / 2.0;
                    if level.across {
                        self.text(line, f, middle + CAP_HEIGHT * f / 2.0, y + 0.6 * f + w, 90);
                    } else {
                        self.text(
                            line,
                            f,
                            middle - w / 2.0,
                            y + (0.45 + 0.85 + k as f64 * LEADING) * f,
                            0,
                        );
                    }
                }
            }
            y += level.depth;
        }
    }

    fn y_labels(&mut self, panel: &PanelPage, r: &Rect) {
        let f = self.f;
        let right = r.x - self.strip_room(false);
        let ink = self.frame.palette.ink;
        for t in &panel.y.ticks {
            let cy = r.y + t.at;
            let long = (0.25 * f).round();
            let mark = Rect::new(right - long, (cy - self.line / 2.0).round(), long, self.line);
            self.layout.rects.push((mark, ink));
            self.text(
                &t.text,
                f,
                right - tick_gap(f) - t.width,
                cy + CAP_HEIGHT * f / 2.0,
                0,
            );
        }
        let mut x = right
            - if panel.y.ticks.is_empty() {
                0.0
            } else {
                panel.y.width() + tick_gap(f)
            };
        for level in panel.y_headers.iter().rev() {
            for h in &level.headers {
                let (a, b) = on_body(reach(&panel.rows, &h.cells), &panel.rows);
                let long = (b - a - 2.0 * self.line).round();
                if long >= 1.0 {
                    let bracket = Rect::new(
                        (x - 0.3 * f).round(),
                        (r.y + a + self.line).round(),
                        self.line,
                        long,
                    );
                    self.layout.rects.push((bracket, ink));
                }
                let lines = h.lines.len() as f64;
                for (k, line) in h.lines.iter().enumerate() {
                    let w = self.m.size(line, f).width;
                    let middle = r.y + (a + b) / 2.0;
                    if level.across {
                        self.text(line, f, x - 0.6 * f - w, middle + CAP_HEIGHT * f / 2.0, 0);
                    } else {
                        let baseline = x - (0.45 + 0.3 + (lines - 1.0 - k as f64) * LEADING) * f;
                        self.text(line, f, baseline, middle + w / 2.0, 90);
                    }
                }
            }
            x -= level.depth;
        }
    }

    /// A bar beside `body`; its title may reach over `along`.
    fn vertical_bar(&mut self, b: usize, x: f64, body: &Rect, along: &Rect) {
        let (f, texts, font) = (self.f, &self.page.bars[b], self.page.fonts.axis);
        let rect = PxRect {
            x: (x + 0.9 * f).round() as i32,
            y: body.y.round() as i32,
            w: (BAR * f).round().max(2.0) as u32,
            h: body.h.round().max(1.0) as u32,
        };
        let lines = texts.label.iter().enumerate();
        let label = lines
            .map(|(i, line)| {
                let y = self.upright(line, font, body.center().y, along);
                let x = rect.rect().right() + 0.5 * f + (0.4 + 0.8 + i as f64 * LEADING) * font;
                Label {
                    text: line.clone(),
                    font_size: font,
                    at: Point { x, y },
                    degrees: 90,
                }
            })
            .collect();
        self.layout.bars[b] = Some(BarLayout {
            rect,
            horizontal: false,
            room: texts.room,
            label,
        });
    }

    /// A bar under `body`, its labels and counts kept within `within`.
    fn horizontal_bar(&mut self, b: usize, top: f64, body: &Rect, within: (f64, f64)) {
        let (f, bar, texts) = (self.f, &self.frame.bars[b], &self.page.bars[b]);
        let free = 2.0 * (body.center().x - within.0).min(within.1 - body.center().x);
        // Counts of clipped cells stand beside the pointed ends.
        let sides = if bar.clips {
            2.0 * (texts.room + 0.4 * f)
        } else {
            0.0
        };
        let length = (body.w * 0.8)
            .max((12.0 * f).min(body.w))
            .min((free - sides).max(4.0 * f))
            .round();
        let rect = PxRect {
            x: (body.center().x - length / 2.0).round() as i32,
            y: (top + 0.9 * f).round() as i32,
            w: length.max(1.0) as u32,
            h: (0.9 * f).round().max(2.0) as u32,
        };
        let font = self.page.fonts.axis;
        self.centered(
            &texts.label,
            font,
            body.center().x,
            rect.rect().bottom() + (0.5 + LINE) * f + font,
            within,
        );
        self.layout.bars[b] = Some(BarLayout {
            rect,
            horizontal: true,
            room: ((free - length) / 2.0).max(0.0),
            label: Vec::new(),
        });
    }

    fn shared_bars(&mut self, all: &Rect, along: &Rect, below: f64) {
        if bar_each(self.frame) {
            return;
        }
        let (mut x, mut y) = (all.right() + self.page.right, below);
        for b in 0..self.frame.bars.len() {
            match self.frame.bars[b].place {
                BarPlace::Right => {
                    self.vertical_bar(b, x, all, along);
                    x += bar_width(self.frame, &self.page.fonts, b, &self.page.bars[b]);
                }
                BarPlace::Bottom => {
                    let inner = self.inner();
                    self.horizontal_bar(b, y, all, inner);
                    y += bar_height(self.frame, &self.page.fonts, b, &self.page.bars[b]);
                }
                BarPlace::None => {}
            }
        }
    }

    fn legend(&mut self, top: f64, cx: f64) {
        let (p, f) = (self.page, self.f);
        for (row, entries) in p.legend.iter().enumerate() {
            let gaps = 1.2 * f * (entries.len() as f64 - 1.0);
            let total: f64 = entries.iter().map(|e| e.width).sum::<f64>() + gaps;
            let mut x = (cx - total / 2.0).clamp(p.margin, (p.width - p.margin - total).max(p.margin));
            let y = top + row as f64 * 1.5 * f;
            for e in entries {
                let rect = PxRect {
                    x: x.round() as i32,
                    y: (y + 0.15 * f).round() as i32,
                    w: (SWATCH.0 * f).round() as u32,
                    h: (SWATCH.1 * f).round() as u32,
                };
                let mut at = x + (SWATCH.0 + 0.4) * f;
                match e.swatch {
                    Swatch::None => at = x,
                    Swatch::Color(c) => self.layout.rects.push((rect.rect(), c)),
                    Swatch::State(s) => self.layout.keys.push((rect, s)),
                }
                self.text(&e.text, f, at, y + (0.55 + CAP_HEIGHT / 2.0) * f, 0);
                x += e.width + 1.2 * f;
            }
        }
    }

    fn notes(&mut self, top: f64) {
        let p = self.page;
        for i in 0..p.notes.len() {
            self.layout.notes.push(Point {
                x: p.margin,
                y: top + (i as f64 * LEADING + 0.8) * p.fonts.note,
            });
        }
    }
}
