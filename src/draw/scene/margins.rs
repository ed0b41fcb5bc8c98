//! Margins: bars, lines and strips beside a body, each on its own small axis.

use super::Item;
use crate::layout::{AxisRoom, Layout, PanelLayout, TrackLayout};
use crate::resolve::{
    Colours, Frame, MarginNumbers, MarginTrack, PanelMargins, TrackKind, begins_at_0, margin_numbers,
    round_end,
};
use gridscope_core::color::Color;
use gridscope_core::figure::{MarginForm, MarginStat};
use gridscope_core::geom::{Point, Rect};
use gridscope_core::grid::{AxisKind, LineSummary, Number, State};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::scale::{ColorScale, NumberFormat, Tick, minus, nice_ticks, short, typeset};
use gridscope_core::text::{CAP_HEIGHT, Measure};
use gridscope_core::view::EdgeTable;

/// Opacities of ink over the background: bars, bands.
const BAR: u8 = 0x78;
const BAND: u8 = 0x38;
/// The share of a cell that is free on either side of its bar, from this many pixels on.
const FREE: f64 = 0.1;
const FREE_FROM: f64 = 5.0;

/// The range of a margin of infinities alone, which has no numbers.
const ENDLESS: (f64, f64) = (-1.0, 1.0);

/// Paints the margins of all panels, and reports numbers that have no room.
pub(super) fn margins(
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
    lints: &mut Lints,
) {
    for (i, panel) in layout.panels.iter().enumerate() {
        for (k, (track, at)) in frame.tracks.iter().zip(&panel.tracks).enumerate() {
            let TrackKind::Margin(margin) = track.kind else {
                continue;
            };
            let made = &colours.margins[i];
            let marks = marks(margin, panel, made);
            if margin.form == MarginForm::Text {
                let text = TextMargin { frame, panel: i, margin, rect: at.rect.rect() };
                if !text.paint(&marks, m, items) {
                    let what = format!(
                        "the {} of {} does not fit beside its cells",
                        margin.stat.word(),
                        if margin.of_rows { "rows" } else { "columns" }
                    );
                    let hint = "a larger --height or --width, or --margin with :bars";
                    lints
                        .add_panel(
                            LintName::AnnotationsHidden,
                            &frame.panels[i].name,
                            marks.len() as u64,
                            what,
                        )
                        .hint(hint);
                }
                continue;
            }
            if margin.form == MarginForm::Strip {
                strip(margin, at, &marks, &colours.panels[i].scale, items);
                continue;
            }
            let across = Across { of_rows: margin.of_rows, rect: at.rect.rect(), range: made.ranges[k] };
            let bar = &frame.bars[frame.panels[i].scale];
            title_and_axis(frame, &across, (at, margin), bar.format, layout.line, m, items);
            let across = match across.range {
                Some(_) => across,
                None if marks.iter().any(|mark| mark.shown.value.is_infinite()) => {
                    Across { range: Some(ENDLESS), ..across }
                }
                None => continue,
            };
            let kind = if margin.of_rows { frame.panels[i].rows.kind } else { frame.panels[i].columns.kind };
            let mut painter = Painter {
                ink: frame.palette.ink,
                background: frame.page,
                line: layout.line,
                em: frame.font_size,
                across,
                items,
            };
            match margin.form {
                MarginForm::Bars => painter.bars(margin, &marks),
                _ => painter.lines(&marks, kind != AxisKind::Category),
            }
        }
    }
}

/// A run of pixels: where it begins and ends along the body, and its numbers.
struct Span {
    from: f64,
    to: f64,
    shown: MarginNumbers,
    /// Whether a strip shows it as empty where it has no number: the lines lie in no gap.
    is_empty: bool,
}

/// The numbers of each run of pixels that cover the same rows or columns.
fn marks(margin: MarginTrack, panel: &PanelLayout, made: &PanelMargins) -> Vec<Span> {
    let (table, lines): (&EdgeTable, &[LineSummary]) =
        if margin.of_rows { (&panel.rows, &made.lines.rows) } else { (&panel.columns, &made.lines.columns) };
    let (mut out, mut at) = (Vec::new(), 0);
    for run in table.spans().chunk_by(|a, b| a == b) {
        let (from, to) = (at, at + run.len());
        at = to;
        let cells = run[0][0] as usize..run[0][1] as usize;
        let Some(lines) = lines.get(cells).filter(|lines| !lines.is_empty()) else {
            continue;
        };
        let pooled = LineSummary::pooled(lines);
        out.push(Span {
            from: from as f64,
            to: to as f64,
            shown: margin_numbers(margin, &pooled),
            is_empty: pooled.count == 0.0,
        });
    }
    out
}

/// A margin of numbers.
struct TextMargin<'a> {
    frame: &'a Frame,
    panel: usize,
    margin: MarginTrack,
    rect: Rect,
}

/// Digits of means and deviations, which have more of them than the values.
const DIGITS: i32 = 3;

impl TextMargin<'_> {
    /// Writes each number beside its row or over its column, all in one size; `false` where they have no room.
    fn paint(&self, marks: &[Span], m: &mut dyn Measure, items: &mut Vec<Item>) -> bool {
        let shown: Vec<f64> = marks.iter().map(|mark| mark.shown.value).collect();
        let texts = self.texts(&shown);
        let most = self.frame.value_font.min(self.frame.font_size);
        let sizes =
            [1.0, 0.9, 0.8, 0.7, 0.6, 0.0].map(|share| (share * most).max(self.frame.least_font).min(most));
        let room = |mark: &Span, font: f64, width: f64| match self.margin.of_rows {
            true => mark.to - mark.from >= 0.95 * font && width <= self.rect.w,
            false => width <= mark.to - mark.from && font <= self.rect.h,
        };
        let seen = || marks.iter().zip(&texts).filter(|(_, text)| !text.is_empty());
        let font = sizes
            .into_iter()
            .find(|font| seen().all(|(mark, text)| room(mark, *font, m.size(text, *font).width)));
        let Some(font) = font else { return false };
        for (mark, text) in seen() {
            let (middle, width) = (f64::midpoint(mark.from, mark.to), m.size(text, font).width);
            let at = match self.margin.of_rows {
                true => Point {
                    x: self.rect.x + (self.rect.w - width) / 2.0,
                    y: self.rect.y + middle + CAP_HEIGHT * font / 2.0,
                },
                false => Point {
                    x: self.rect.x + middle - width / 2.0,
                    y: self.rect.center().y + CAP_HEIGHT * font / 2.0,
                },
            };
            let color = self.frame.palette.ink;
            items.push(Item::Text { text: text.clone(), font_size: font, at, degrees: 0, color });
        }
        true
    }

    /// As the values of cells are written, where that is exact enough; else with three digits.
    fn texts(&self, shown: &[f64]) -> Vec<String> {
        let own =
            self.frame.panels[self.panel].fmt.or(self.frame.bars[self.frame.panels[self.panel].scale].format);
        let finite = || shown.iter().filter(|v| v.is_finite());
        let most = finite().fold(0.0f64, |most, v| most.max(v.abs()));
        let is_sum = matches!(self.margin.stat, MarginStat::Mean | MarginStat::Std)
            && finite().any(|v| v.fract() != 0.0);
        let read = |text: &str| text.trim_end_matches('%').replace('−', "-").parse::<f64>().ok();
        let is_close = |format: NumberFormat| {
            // 1 is 100 in percent.
            let unit = read(&format.format(Number::F64(1.0))).filter(|one| *one == 100.0).unwrap_or(1.0);
            let off = |v: f64| read(&format.format(Number::F64(v))).map_or(0.0, |r| (r / unit - v).abs());
            format.power() != 0 || finite().all(|v| off(*v) <= 0.005 * most)
        };
        let own =
            own.filter(|format| self.margin.stat != MarginStat::Count && (!is_sum || is_close(*format)));
        let decimals = if finite().all(|v| v.fract() == 0.0) || most == 0.0 {
            0
        } else {
            (DIGITS - 1 - most.log10().floor() as i32).clamp(0, 9) as usize
        };
        let text = |v: &f64| match own {
            _ if v.is_nan() => String::new(),
            Some(format) => minus(&format.format(Number::F64(*v))),
            None if v.is_infinite() || most >= 1e7 || most < 1e-6 && most > 0.0 => typeset(&short(*v)),
            None => minus(&format!("{v:.decimals$}")),
        };
        shown.iter().map(text).collect()
    }
}

/// Paints cells in the colours of the body.
fn strip(margin: MarginTrack, at: &TrackLayout, marks: &[Span], scale: &ColorScale, items: &mut Vec<Item>) {
    let across = Across { of_rows: margin.of_rows, rect: at.rect.rect(), range: None };
    for mark in marks.iter().filter(|mark| !mark.is_empty) {
        let v = mark.shown.value;
        let bits = if v.is_nan() { State::Nan.bits() } else { scale.bits(Number::F64(v)) };
        items.push(Item::Rect {
            rect: across.place((mark.from, mark.to), (0.0, across.depth())),
            color: scale.shade(bits, 0, 0, 1),
        });
    }
}

struct Painter<'a> {
    ink: Color,
    background: Color,
    line: f64,
    em: f64,
    across: Across,
    items: &'a mut Vec<Item>,
}

impl Painter<'_> {
    /// Ink of this opacity over the background.
    fn tone(&self, opacity: u8) -> Color {
        let [r, g, b, _] = self.ink.rgba();
        Color::rgba_of(r, g, b, opacity).over(self.background)
    }

    fn rect(&mut self, along: (f64, f64), across: (f64, f64), color: Color) {
        let (from, to) = (across.0.min(across.1), across.0.max(across.1));
        if to > from && along.1 > along.0 {
            let rect = self.across.place(along, (from, to));
            self.items.push(Item::Rect { rect, color });
        }
    }

    fn bars(&mut self, margin: MarginTrack, marks: &[Span]) {
        let (fill, ink) = (self.tone(BAR), self.ink);
        let base = self.across.at(0.0);
        for mark in marks {
            let wide = mark.to - mark.from;
            let free = if wide >= FREE_FROM { (FREE * wide).round() } else { 0.0 };
            let along = (mark.from + free, mark.to - free);
            let s = mark.shown;
            if margin.stat == MarginStat::MinMax {
                if !s.low.is_nan() {
                    let (low, high) = (self.across.at(s.low), self.across.at(s.high));
                    // A bar of one value is as thick as a line.
                    self.rect(along, (low, high.max(low + self.line)), fill);
                    self.ends(along, (s.low, s.high));
                }
                if !s.value.is_nan() {
                    let mean = self.across.at(s.value);
                    self.rect(along, (mean, mean + self.line), ink);
                }
            } else if !s.value.is_nan() {
                let end = self.across.at(s.value);
                self.rect(along, (base, end), fill);
                self.ends(along, (s.value, s.value));
            }
        }
        // Lengths are read from it.
        let whole = (0.0, self.across.length());
        let line = (self.line / 2.0).round().max(1.0);
        if margin.stat != MarginStat::MinMax {
            self.rect(whole, (base, base + line), ink);
        }
    }

    /// Points at the ends of bars that go on to infinity.
    fn ends(&mut self, along: (f64, f64), (low, high): (f64, f64)) {
        let half = ((along.1 - along.0) / 2.0).min(0.3 * self.em);
        let middle = f64::midpoint(along.0, along.1);
        let mut point = |end: f64, tip: f64| {
            let corners = [(middle - half, end), (middle + half, end), (middle, tip)];
            let points: Vec<Point> = corners.iter().map(|(a, b)| self.across.point(*a, *b)).collect();
            self.items.push(Item::Polygon { points, color: self.ink });
        };
        let depth = self.across.depth();
        if high == f64::INFINITY {
            point(depth, depth + half);
        }
        if low == f64::NEG_INFINITY {
            point(0.0, -half);
        }
    }

    fn lines(&mut self, marks: &[Span], is_joined: bool) {
        let (band, ink) = (self.tone(BAND), self.tone(0xd0));
        let thick = (1.4 * self.line).round().max(1.0);
        let mut before: Option<(f64, f64)> = None;
        for mark in marks {
            let (along, s) = ((mark.from, mark.to), mark.shown);
            if !s.low.is_nan() && !s.high.is_nan() {
                self.rect(along, (self.across.at(s.low), self.across.at(s.high)), band);
            }
            if s.value.is_nan() {
                before = None;
                continue;
            }
            let at = self.across.at(s.value);
            let middle = at - thick / 2.0;
            self.rect(along, (middle.round(), middle.round() + thick), ink);
            if let Some((end, last)) = before
                && is_joined
                && end == mark.from
            {
                let step = ((end - thick / 2.0).round().max(0.0), 0.0);
                let step = (step.0, step.0 + thick);
                let (low, high) = (last.min(at), last.max(at));
                self.rect(step, ((low - thick / 2.0).round(), (high + thick / 2.0).round()), ink);
            }
            before = Some((mark.to, at));
            self.ends(along, (s.low.min(s.value), s.high.max(s.value)));
        }
    }
}

impl Across {
    /// The pixels across the track.
    fn depth(&self) -> f64 {
        if self.of_rows { self.rect.w } else { self.rect.h }
    }

    /// The pixels along the body.
    pub(super) fn length(&self) -> f64 {
        if self.of_rows { self.rect.h } else { self.rect.w }
    }

    /// A rectangle by its pixels along the body, and across the track from the body outwards.
    pub(super) fn place(&self, along: (f64, f64), across: (f64, f64)) -> Rect {
        let (length, deep) = (along.1 - along.0, across.1 - across.0);
        if self.of_rows {
            Rect::new(self.rect.x + across.0, self.rect.y + along.0, deep, length)
        } else {
            Rect::new(self.rect.x + along.0, self.rect.bottom() - across.1, length, deep)
        }
    }

    fn point(&self, along: f64, across: f64) -> Point {
        if self.of_rows {
            Point { x: self.rect.x + across, y: self.rect.y + along }
        } else {
            Point { x: self.rect.x + along, y: self.rect.bottom() - across }
        }
    }
}

/// The most numbers.
const MOST: usize = 4;
/// The opacity of the fine lines.
const FINE: u8 = 0x20;
/// Between numbers side by side, in their em.
const APART: f64 = 0.5;

/// A track and the range of its axis, across it from the body outwards.
#[derive(Clone, Copy, Debug)]
struct Across {
    /// Beside the rows; otherwise over the columns.
    pub of_rows: bool,
    pub rect: Rect,
    /// None without a number.
    pub range: Option<(f64, f64)>,
}

impl Across {
    /// The pixel of a number, from the begin of the track; at its ends beyond the range.
    pub(super) fn at(&self, v: f64) -> f64 {
        let Some((low, high)) = self.range else { return 0.0 };
        let deep = if self.of_rows { self.rect.w } else { self.rect.h };
        // Halved, because the span may exceed f64.
        let share = (v / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        (share.clamp(0.0, 1.0) * deep).round()
    }
}

/// A number of the axis.
#[derive(Clone)]
struct Mark {
    at: f64,
    text: String,
    width: f64,
    /// Where it begins, in a row of numbers.
    left: f64,
}

/// Paints the title and the axis of a margin, under its bars.
fn title_and_axis(
    frame: &Frame,
    across: &Across,
    (track, margin): (&TrackLayout, MarginTrack),
    format: Option<NumberFormat>,
    line: f64,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let Some(room) = &track.axis else { return };
    let format = format.filter(|_| margin.stat != MarginStat::Count);
    let font = room.font_size;
    let (marks, font) = numbers(across, room, margin, format, (font, frame.least_font), m);
    let [r, g, b, _] = frame.palette.ink.rgba();
    let fine = Color::rgba_of(r, g, b, FINE).over(frame.palette.background);
    let thin = (line / 2.0).round().max(1.0);
    let widest = marks.iter().map(|mark| mark.width).fold(0.0, f64::max);
    let nearer = if across.of_rows { 0.0 } else { (room.room - widest).max(0.0) };
    items.extend(room.title.iter().map(|line| Item::Text {
        text: line.text.clone(),
        font_size: line.font_size,
        at: Point { x: line.at.x + nearer, y: line.at.y },
        degrees: line.degrees,
        color: frame.palette.ink,
    }));
    let tick = (0.45 * room.gap).round().max(1.0);
    for mark in &marks {
        // Within the track, at its very end too.
        let deep = if across.of_rows { across.rect.w } else { across.rect.h };
        let at = mark.at.min(deep - thin);
        let over = across.place((0.0, across.length()), (at, at + thin));
        let outside = across.place((-tick, 0.0), (at, at + thin));
        items.extend(
            [(over, fine), (outside, frame.palette.ink)].map(|(rect, color)| Item::Rect { rect, color }),
        );
        let r = across.rect;
        let at = if across.of_rows {
            Point { x: r.x + mark.left, y: r.y - room.gap - 0.22 * font }
        } else {
            Point { x: r.x - room.gap - mark.width, y: r.bottom() - mark.at + CAP_HEIGHT * font / 2.0 }
        };
        items.push(Item::Text {
            text: mark.text.clone(),
            font_size: font,
            at,
            degrees: 0,
            color: frame.palette.ink,
        });
    }
}

/// As many numbers as keep apart, at least two where any do, and the font size in which they do.
fn numbers(
    across: &Across,
    room: &AxisRoom,
    margin: MarginTrack,
    format: Option<NumberFormat>,
    (font, least): (f64, f64),
    m: &mut dyn Measure,
) -> (Vec<Mark>, f64) {
    let unit = 10f64.powi(margin.power);
    let Some((low, high)) = across.range.map(|(a, b)| (a / unit, b / unit)) else {
        return (Vec::new(), font);
    };
    let text = |tick: &Tick, length: Length| match (format, length) {
        (Some(format), _) => minus(&format.format(Number::F64(tick.value))),
        (None, Length::Power) => minus(&format!("{:e}", tick.value)),
        (None, Length::Label) if margin.stat != MarginStat::Count => typeset(&tick.label),
        _ => typeset(&short(tick.value)),
    };
    // The numbers of the next track begin where the room ends.
    let beyond = (room.room - across.rect.w - APART * font) / 2.0;
    let (from, to) = (-beyond, across.rect.w + beyond);
    let mark = |t: &Tick, font: f64, length: Length, m: &mut dyn Measure| {
        let (text, at) = (text(t, length), across.at(t.value * unit));
        let width = m.size(&text, font).width;
        // Centred about its tick, within the room beyond the ends of the track.
        let left = (at - width / 2.0).min(to - width).max(from);
        Mark { at, text, width, left }
    };
    // Of an axis from 0 on: a reader compares the largest bar with it.
    let end = match (low.min(0.0) < 0.0, high > 0.0) {
        _ if low > 0.0 || high < 0.0 || !begins_at_0(margin) => None,
        (true, _) if -low > high => round_end(-low).map(|end| -end),
        _ => round_end(high),
    };
    let wide =
        |marks: &[Mark]| end.is_none_or(|end| marks.iter().any(|mark| mark.at == across.at(end * unit)));
    let small = least.min(font);
    let tries =
        [(font, Length::Label), (font, Length::Short), (small, Length::Short), (small, Length::Power)];
    let mut lone: Option<(Vec<Mark>, f64)> = None;
    for (font, length) in tries {
        for most in (1..=MOST).rev() {
            let mut ticks = nice_ticks(low, high, most);
            ticks.retain(|t| t.exact && (low..=high).contains(&t.value));
            if margin.stat == MarginStat::Count {
                ticks.retain(|t| t.value.fract() == 0.0);
            }
            let all: Vec<Mark> = ticks.iter().map(|t| mark(t, font, length, m)).collect();
            // Every second one still has round steps. A lone one is the greatest: bars begin at 0.
            let second = all.iter().step_by(2).cloned().collect();
            let last = all.last().cloned().into_iter().collect();
            for marks in [all, second, last] {
                match marks.len() {
                    _ if !fits(across, room, &marks, font) => {}
                    0 => {}
                    1 => lone = lone.or(Some((marks, font))),
                    _ if wide(&marks) => return (marks, font),
                    _ => {}
                }
            }
        }
        // The end of the axis and 0, with the middle between them where it is as round.
        if let Some(end) = end {
            let middle = Some(end / 2.0).filter(|half| short(*half).len() <= short(end).len());
            for ticks in [&[Some(0.0), middle, Some(end)][..], &[Some(0.0), Some(end)]] {
                let ticks =
                    ticks.iter().flatten().filter(|v| margin.stat != MarginStat::Count || v.fract() == 0.0);
                let mut marks: Vec<Mark> = ticks.map(|v| mark(&Tick::exactly(*v), font, length, m)).collect();
                marks.sort_by(|a, b| a.at.total_cmp(&b.at));
                if marks.len() > 1 && fits(across, room, &marks, font) {
                    return (marks, font);
                }
            }
        }
        // Of bars the lone one may be 0.
        if lone.is_some() && end.is_none() {
            break;
        }
    }
    lone.unwrap_or((Vec::new(), font))
}

/// How a number is written: as among its neighbours, by itself, or as `1.2e4`.
#[derive(Clone, Copy, Debug)]
enum Length {
    Label,
    Short,
    Power,
}

/// Whether numbers keep apart and stay in their room.
fn fits(across: &Across, room: &AxisRoom, marks: &[Mark], font: f64) -> bool {
    if across.of_rows {
        let apart = |p: &[Mark]| p[1].left - (p[0].left + p[0].width) >= APART * font;
        return marks.iter().all(|mark| mark.width <= room.room) && marks.windows(2).all(apart);
    }
    let apart = |p: &[Mark]| (p[1].at - p[0].at).abs() >= 1.1 * font;
    marks.iter().all(|mark| mark.width <= room.room) && marks.windows(2).all(apart)
}
