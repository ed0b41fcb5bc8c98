//! The axis of a margin: two or three round numbers, each with a fine line over the track.

use super::Item;
use crate::layout::{AxisRoom, TrackLayout};
use crate::resolve::{Frame, MarginTrack, begins_at_0, round_end};
use gridscope_core::color::Color;
use gridscope_core::figure::MarginStat;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::grid::Number;
use gridscope_core::scale::{NumberFormat, Tick, minus, nice_ticks, short, typeset};
use gridscope_core::text::{CAP_HEIGHT, Measure};

/// The most numbers.
const MOST: usize = 4;
/// The opacity of the fine lines.
const FINE: u8 = 0x20;
/// Between numbers side by side, in their em.
const APART: f64 = 0.5;

/// A track and the range of its axis, across it from the body outwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Across {
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

/// Paints the title and the axis of a margin, under what it shows.
pub(super) fn title_and_axis(
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
    let (marks, font) = numbers(across, (room, margin), format, (font, frame.least_font), m);
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
    (room, margin): (&AxisRoom, MarginTrack),
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
