//! The texts of tick labels and their places beside a body: wrapped or shortened to the most that a label may take.

use super::flow::label_lines;
use super::measure::{LEADING, tick_gap};
use super::page::PanelPage;
use super::panel_view::group_extent;
use super::plan::Sheet;
use super::tick_set::{
    AIR, LABEL_LEADING, SMALLER, Tick, TickRequest, TickSet, depth, inner, numeric, reach,
};
use super::track::marks;
use crate::resolve::{StripFrame, TrackSide};
use gridscope_core::figure::{Ticks, TicksWord};
use gridscope_core::geom::{Point, Rect};
use gridscope_core::lint::LintName;
use gridscope_core::text::{CAP_HEIGHT, Measure, distinct, numbered};
use gridscope_core::view::EdgeTable;
use std::f64::consts::FRAC_1_SQRT_2;
use std::ops::Range;

/// The share of the most that a label beside a body takes before it is wrapped.
const WIDE: f64 = 0.45;
/// The shares of the longest label that half of it takes after it is wrapped, the preferred one first.
const HALVED: [f64; 3] = [0.62, 0.7, SAVED];
/// The most of its width that the longest label has after that.
const SAVED: f64 = 0.8;

/// The places of the cells of an axis along its body.
pub(super) struct Places<'a> {
    ask: &'a TickRequest<'a>,
    marks: Vec<f64>,
}

impl<'a> Places<'a> {
    pub(super) fn new(ask: &'a TickRequest<'a>) -> Self {
        let marks = if ask.frame.true_spacing { marks(ask.axis, ask.table) } else { Vec::new() };
        Self { ask, marks }
    }

    /// The pixel of a cell's label.
    pub(super) fn of(&self, i: usize) -> f64 {
        let (a, b) = self.ask.table.extent(i);
        let at = self.marks.get(i).copied().unwrap_or(f64::midpoint(a, b));
        if self.ask.part.is_some() { self.ask.table.label_at(i, at) } else { at }
    }

    /// The cells whose labels are on the body.
    pub(super) fn shown(&self) -> Range<usize> {
        match &self.ask.part {
            None => 0..self.ask.axis.len(),
            Some(room) => {
                let length = f64::from(self.ask.table.pixels());
                // Labels are centred on their cells.
                let seen = |i: &usize| (0.0..=length).contains(&self.of(*i));
                let first = room.shown.clone().find(seen).unwrap_or(room.shown.end);
                first..room.shown.clone().rev().find(seen).map_or(first, |last| last + 1)
            }
        }
    }
}

/// The labels of these cells, upright.
pub(super) fn labels_of(
    cells: impl Iterator<Item = usize>,
    ask: &TickRequest<'_>,
    places: &Places<'_>,
    m: &mut dyn Measure,
) -> TickSet {
    let mut at: Vec<(f64, String)> = cells.map(|i| (places.of(i), inner(ask.axis, i))).collect();
    // Digits that no label needs which is drawn.
    if at.len() < ask.axis.len() && numeric(ask.axis) && ask.frame.format.is_none() {
        let mut texts: Vec<&mut String> = at.iter_mut().map(|(_, text)| text).collect();
        without_zeros(&mut texts);
    }
    labels_at(at, ask, m)
}

/// Takes off the zeros that all numbers have behind their points; texts of other forms stay as they are.
fn without_zeros(texts: &mut [&mut String]) {
    let is_plain = |t: &str| t.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '−');
    let decimals = |t: &&mut String| {
        let (_, fraction) = t.split_once('.').filter(|_| is_plain(t))?;
        Some((fraction.len(), fraction.trim_end_matches('0').len()))
    };
    let Some(found) = texts.iter().map(decimals).collect::<Option<Vec<_>>>() else {
        return;
    };
    let Some(most) = found.iter().map(|d| d.0).max() else {
        return;
    };
    let needed = found.iter().map(|d| d.1).max().unwrap_or(0);
    // Numbers with decimals of their own have no zeros to spare.
    if found.iter().any(|d| d.0 != most) {
        return;
    }
    let cut = most - needed + usize::from(needed == 0);
    for text in texts {
        text.truncate(text.len() - cut);
    }
}

fn widest_of(ticks: &[Tick]) -> f64 {
    ticks.iter().map(|t| t.width).fold(0.0, f64::max)
}

/// The labels in this font, those wider than so many pixels in up to `lines` lines where they can be broken.
fn in_lines(ticks: &[Tick], (font, most): (f64, f64), lines: usize, m: &mut dyn Measure) -> Vec<Tick> {
    let mut broken = |t: &Tick| {
        let text = (t.width > most).then(|| label_lines(&t.text, font, most, lines, m)).flatten();
        text.map_or_else(|| t.clone(), |text| Tick::new(t.at, text, font, m))
    };
    ticks.iter().map(&mut broken).collect()
}

/// Labels at these pixels, upright. Labels longer than the most are wrapped where there is room for their lines, or else
/// shortened.
pub(super) fn labels_at(at: Vec<(f64, String)>, ask: &TickRequest<'_>, m: &mut dyn Measure) -> TickSet {
    let mut set = TickSet {
        font: ask.font,
        degrees: if ask.side { 0 } else { ask.frame.rotate.unwrap_or(0) as i32 },
        ..TickSet::default()
    };
    let pitch = at.windows(2).map(|p| (p[1].0 - p[0].0).abs()).fold(f64::MAX, f64::min);
    let lines = ((pitch / ask.font - 1.06 - AIR) / LABEL_LEADING).clamp(0.0, 8.0) as usize + 1;
    let mut ticks: Vec<Tick> = at.into_iter().map(|(at, text)| Tick::new(at, text, ask.font, m)).collect();
    let long = |t: &Tick| t.width > ask.most;
    if lines > 1 {
        // Long labels beside a body have two lines where that makes all of them much shorter: the body gets the room.
        let widest = widest_of(&ticks);
        if ask.side && widest > WIDE * ask.most {
            let mosts = HALVED.map(|share| (share * widest).clamp(WIDE * ask.most, ask.most));
            let mut halved =
                mosts.map(|most| in_lines(&ticks, (ask.font, most), lines.min(2), m)).into_iter();
            if let Some(halved) = halved.find(|halved| widest_of(halved) <= SAVED * widest) {
                ticks = halved;
            }
        }
        ticks = in_lines(&ticks, (ask.font, ask.most), lines, m);
    }
    if ask.part.is_none() && ticks.iter().any(long) {
        // Labels are smaller before they are shortened.
        let widest = widest_of(&ticks);
        let least = (SMALLER * ask.font).max(ask.least).min(ask.font);
        let font = (0.999 * ask.font * ask.most / widest).max(least);
        ticks = ticks.into_iter().map(|t| Tick::new(t.at, t.text, font, m)).collect();
        set.font = font;
    }
    if ticks.iter().any(long) {
        let texts: Vec<&str> = ticks.iter().map(|t| t.text.as_str()).collect();
        let mut size = |t: &str| t.split('\n').map(|l| m.size(l, set.font).width).fold(0.0, f64::max);
        let short = distinct(&texts, ask.most, &mut size);
        let mut cut = 0u64;
        set.numbered = numbered(short.iter().map(String::as_str).zip(texts.iter().copied()));
        for (t, text) in ticks.iter_mut().zip(short) {
            if text != t.text {
                cut += 1;
                *t = Tick::new(t.at, text, set.font, m);
            }
        }
        let text = format!("{} axis: {cut} labels are shortened", ask.name);
        set.lints.add(LintName::LabelsShortened, cut, text);
    }
    set.ticks = ticks;
    set
}

/// Removes labels of a part that do not fit the room around the body.
pub(super) fn within_room(mut set: TickSet, ask: &TickRequest<'_>) -> TickSet {
    let Some(room) = &ask.part else { return set };
    let (length, degrees, font) = (f64::from(ask.table.pixels()), set.degrees, set.font);
    if ask.side {
        // Titles are right above and below the body.
        let margin = 0.3 * ask.font;
        set.ticks.retain(|t| t.at >= margin && t.at <= length - margin);
        return set;
    }
    set.ticks.retain(|t| {
        let (left, right) = reach(t, degrees, font);
        left - t.at <= room.out.0
            && t.at + right - length <= room.out.1
            && depth(t, degrees, font) <= room.deep + 0.5
    });
    set
}

/// The most of the room for labels that is reserved for those of other parts of the axis, as a share.
const RESERVED_SHARE: f64 = 0.6;

/// The room to reserve for labels of other parts of the axis in pixels; `whole` are the labels of the whole axis.
pub(super) fn reserved_room(ask: &TickRequest<'_>, whole: &TickSet, m: &mut dyn Measure) -> f64 {
    let (axis, n) = (ask.axis, ask.axis.len());
    let upright = !ask.side && numeric(axis) && ask.frame.rotate.unwrap_or(0) == 0;
    if ask.frame.ticks == Ticks::Word(TicksWord::None) || upright || whole.ticks.len() == n {
        return if whole.ticks.is_empty() && ask.frame.ticks != Ticks::Word(TicksWord::None) {
            1.02 * ask.font
        } else {
            0.0
        };
    }
    let mut widest = 0.0f64;
    let mut measure = |i: usize| widest = widest.max(m.size(&inner(axis, i), ask.font).width);
    match axis.levels.last() {
        None => [0, n - 1].into_iter().for_each(&mut measure),
        Some(labels) => {
            let mut longest: Vec<usize> = (0..n).collect();
            if n > MEASURED {
                longest.select_nth_unstable_by_key(MEASURED, |i| std::cmp::Reverse(labels[*i].len()));
                longest.truncate(MEASURED);
            }
            longest.into_iter().for_each(&mut measure);
        }
    }
    widest.min(RESERVED_SHARE * ask.most)
}

/// The number of labels that are measured to find the widest.
const MEASURED: usize = 32;

/// The part of a stretch of an axis that is on the body.
fn on_body((a, b): (f64, f64), table: &EdgeTable) -> (f64, f64) {
    (a.max(0.0), b.min(f64::from(table.pixels())))
}

impl Sheet<'_> {
    /// Fills the track of a strip.
    pub(super) fn strip(&mut self, i: usize, panel: &PanelPage, strip: &StripFrame, at: &Rect) {
        let (axis, table) = if strip.along_x {
            (&self.frame.panels[i].columns, &panel.columns)
        } else {
            (&self.frame.panels[i].rows, &panel.rows)
        };
        for (k, category) in axis.strips.get(strip.place).into_iter().flatten().enumerate() {
            let Some(color) = strip.color(category) else {
                continue;
            };
            let (a, b) = on_body(table.extent(k), table);
            if a >= b {
                continue;
            }
            let rect = if strip.along_x {
                Rect::new((at.x + a).round(), at.y, (b - a).round(), at.h)
            } else {
                Rect::new(at.x, (at.y + a).round(), at.w, (b - a).round())
            };
            self.layout.rects.push((rect, color));
        }
    }

    /// Places the lines of a label under an axis: `cx` is the pixel of its tick, and its room begins at `top`.
    fn x_label(&mut self, t: &Tick, font: f64, degrees: i32, cx: f64, top: f64) {
        let half_cap = CAP_HEIGHT * font / 2.0;
        for (k, line) in t.text.split('\n').enumerate() {
            let w = self.m.size(line, font).width;
            let down = k as f64 * LABEL_LEADING * font;
            match degrees {
                0 => self.text(line, font, cx - w / 2.0, top + 0.8 * font + down, 0),
                90 => {
                    let x = cx + half_cap - t.leading() * font / 2.0 + down;
                    self.text(line, font, x, top + w, 90);
                }
                d => {
                    let c = FRAC_1_SQRT_2;
                    let end = Point { x: cx + (half_cap + down) * c, y: top + (2.0 * half_cap + down) * c };
                    self.text(line, font, end.x - w * c, end.y + w * c, d);
                }
            }
        }
    }

    pub(super) fn x_labels(&mut self, panel: &PanelPage, r: &Rect) {
        let f = self.f;
        let top = r.bottom() + self.track_room(TrackSide::Bottom);
        let ink = self.frame.palette.ink;
        for t in &panel.x.ticks {
            let cx = r.x + t.at;
            let mark = Rect::new((cx - self.line / 2.0).round(), top, self.line, (0.25 * f).round());
            self.layout.rects.push((mark, ink));
            self.x_label(t, panel.x.font, panel.x.degrees, cx, top + tick_gap(f));
        }
        let mut y = top + if panel.x.ticks.is_empty() { 0.0 } else { panel.x.depth() + tick_gap(f) };
        for level in panel.x_headers.iter().rev() {
            for h in &level.headers {
                let (a, b) = on_body(group_extent(&panel.columns, &h.cells), &panel.columns);
                let long = (b - a - 2.0 * self.line).round();
                if long >= 1.0 && !level.is_title {
                    let bracket =
                        Rect::new((r.x + a + self.line).round(), (y + 0.3 * f).round(), long, self.line);
                    self.layout.rects.push((bracket, ink));
                }
                for (k, line) in h.lines.iter().enumerate() {
                    let w = self.m.size(line, f).width;
                    let middle = r.x + f64::midpoint(a, b);
                    if level.across {
                        self.text(line, f, middle + CAP_HEIGHT * f / 2.0, y + 0.6 * f + w, 90);
                    } else {
                        self.text(line, f, middle - w / 2.0, y + (0.45 + 0.85 + k as f64 * LEADING) * f, 0);
                    }
                }
            }
            y += level.depth;
        }
    }

    pub(super) fn y_labels(&mut self, panel: &PanelPage, r: &Rect) {
        let f = self.f;
        let right = r.x - self.track_room(TrackSide::Left);
        let ink = self.frame.palette.ink;
        for t in &panel.y.ticks {
            let cy = r.y + t.at;
            let long = (0.25 * f).round();
            let mark = Rect::new(right - long, (cy - self.line / 2.0).round(), long, self.line);
            self.layout.rects.push((mark, ink));
            let (font, lines) = (panel.y.font, t.text.split('\n'));
            let first = cy + CAP_HEIGHT * font / 2.0 - t.leading() * font / 2.0;
            for (k, line) in lines.enumerate() {
                let w = self.m.size(line, font).width;
                let y = first + k as f64 * LABEL_LEADING * font;
                self.text(line, font, right - tick_gap(f) - w, y, 0);
            }
        }
        let mut x = right - if panel.y.ticks.is_empty() { 0.0 } else { panel.y.width() + tick_gap(f) };
        for level in panel.y_headers.iter().rev() {
            for h in &level.headers {
                let (a, b) = on_body(group_extent(&panel.rows, &h.cells), &panel.rows);
                let long = (b - a - 2.0 * self.line).round();
                if long >= 1.0 && !level.is_title {
                    let bracket =
                        Rect::new((x - 0.3 * f).round(), (r.y + a + self.line).round(), self.line, long);
                    self.layout.rects.push((bracket, ink));
                }
                let lines = h.lines.len() as f64;
                for (k, line) in h.lines.iter().enumerate() {
                    let w = self.m.size(line, f).width;
                    let middle = r.y + f64::midpoint(a, b);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_of_all_labels_are_left_out() {
        let short = |texts: &[&str]| {
            let mut texts: Vec<String> = texts.iter().map(|t| (*t).to_owned()).collect();
            without_zeros(&mut texts.iter_mut().collect::<Vec<_>>());
            texts
        };
        assert_eq!(short(&["0.00", "0.50", "−1.00"]), ["0.0", "0.5", "−1.0"]);
        assert_eq!(short(&["5.00", "6.00"]), ["5", "6"]);
        assert_eq!(short(&["5.25", "6.00"]), ["5.25", "6.00"]);
        for own in [["10", "20.0"], ["0.10", "0.500"], ["1.0×10⁵", "2.0×10⁵"], ["v1.0", "v2.0"]] {
            assert_eq!(short(&own), own);
        }
        assert_eq!(short(&[]), Vec::<String>::new());
    }
}
