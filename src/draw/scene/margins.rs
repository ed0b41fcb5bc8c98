//! Margins: bars, lines and strips beside a body, each on its own small axis.

use super::Item;
use super::margin_axis::{Across, title_and_axis};
use crate::layout::{Layout, PanelLayout, TrackLayout};
use crate::resolve::{Colours, Frame, MarginNumbers, MarginTrack, PanelMargins, TrackKind, margin_numbers};
use gridscope_core::color::Color;
use gridscope_core::figure::{MarginForm, MarginStat};
use gridscope_core::geom::{Point, Rect};
use gridscope_core::grid::{AxisKind, LineSummary, Number, State};
use gridscope_core::scale::ColorScale;
use gridscope_core::text::Measure;
use gridscope_core::view::EdgeTable;

/// Opacities of ink over the background: bars, bands.
const BAR: u8 = 0x78;
const BAND: u8 = 0x38;
/// The share of a cell that is free on either side of its bar, from this many pixels on.
const FREE: f64 = 0.1;
const FREE_FROM: f64 = 5.0;

/// The range of a margin of infinities alone, which has no numbers.
const ENDLESS: (f64, f64) = (-1.0, 1.0);

/// Paints the margins of all panels.
pub(super) fn margins(
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    for (i, panel) in layout.panels.iter().enumerate() {
        for (k, (track, at)) in frame.tracks.iter().zip(&panel.tracks).enumerate() {
            let TrackKind::Margin(margin) = track.kind else {
                continue;
            };
            let made = &colours.margins[i];
            let marks = marks(margin, panel, made);
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
                background: frame.palette.background,
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
