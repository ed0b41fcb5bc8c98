//! What surrounds the bodies, measured: fonts, titles, legends, group headers.

use super::flow::wrap;
use crate::color::Color;
use crate::figure::BarPlace;
use crate::grid::{Axis, State};
use crate::resolve::Frame;
use crate::text::Measure;
use std::ops::Range;

/// The font sizes of a figure, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fonts {
    pub tick: f64,
    pub axis: f64,
    pub panel: f64,
    pub title: f64,
    pub note: f64,
}

impl Fonts {
    pub fn of(frame: &Frame) -> Self {
        let f = frame.font_size;
        Self { tick: f, axis: 1.1 * f, panel: 1.1 * f, title: 1.3 * f, note: (0.85 * f).max(frame.least_font) }
    }
}

/// Height of a line of text as a share of its font size.
pub(super) const LINE: f64 = 1.02;
/// From one baseline to the next.
pub(super) const LEADING: f64 = 1.25;

/// A swatch and its text.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub swatch: Swatch,
    pub text: String,
    pub width: f64,
}

/// What a legend entry shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Swatch {
    None,
    Color(Color),
    State(State),
}

/// Size of a swatch as a share of the font size.
pub(super) const SWATCH: (f64, f64) = (1.3, 0.8);

/// All legend entries, strip first, then states.
pub(super) fn legend(frame: &Frame, fonts: &Fonts, m: &mut dyn Measure) -> Vec<Vec<Entry>> {
    let mut groups = Vec::new();
    let mut entry = |swatch: Swatch, text: &str| {
        let swatch_width = if matches!(swatch, Swatch::None) { 0.0 } else { (SWATCH.0 + 0.4) * fonts.tick };
        Entry { swatch, text: text.to_owned(), width: swatch_width + m.size(text, fonts.tick).width }
    };
    if let Some(strip) = &frame.strip {
        let mut list = vec![entry(Swatch::None, &format!("{}:", strip.title))];
        list.extend(strip.swatches.iter().map(|(name, color)| entry(Swatch::Color(*color), name)));
        groups.push(list);
    }
    if !frame.states.is_empty() {
        groups.push(frame.states.iter().map(|s| entry(Swatch::State(*s), s.key_text())).collect());
    }
    groups
}

/// Breaks legend groups into lines no wider than `width`.
pub(super) fn legend_lines(groups: &[Vec<Entry>], width: f64, font: f64) -> Vec<Vec<Entry>> {
    let mut lines: Vec<Vec<Entry>> = Vec::new();
    for group in groups {
        let mut used = f64::MAX;
        for e in group {
            if used + e.width > width {
                lines.push(Vec::new());
                used = 0.0;
            }
            used += e.width + 1.2 * font;
            lines.last_mut().expect("a line was begun").push(e.clone());
        }
    }
    lines
}

/// A group header of a nested axis: its cells and its lines of text.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub cells: Range<usize>,
    pub lines: Vec<String>,
}

/// The headers of level `level`, wrapped to the room that `length_of` gives each group.
pub(super) fn headers(axis: &Axis, level: usize, font: f64, length_of: impl Fn(&Range<usize>) -> f64, m: &mut dyn Measure) -> Vec<Header> {
    axis.groups(level)
        .into_iter()
        .map(|cells| {
            let room = length_of(&cells).max(font);
            let lines = wrap(&axis.levels[level][cells.start], font, room, m);
            Header { cells, lines }
        })
        .collect()
}

/// Whether each scale has a bar beside or under its one panel.
pub(super) fn bar_each(frame: &Frame) -> bool {
    frame.bars.len() > 1 && frame.bars.iter().all(|b| b.panels.len() == 1)
}

/// The width that a vertical bar takes, gap and label included; 0 without bar.
pub(super) fn bar_width(frame: &Frame, fonts: &Fonts, bar: usize) -> f64 {
    let b = &frame.bars[bar];
    if b.place != BarPlace::Right {
        return 0.0;
    }
    let label = if b.label.is_empty() { 0.0 } else { (LINE + 0.25) * fonts.axis };
    (0.9 + BAR + 0.5) * fonts.tick + room(fonts, b.clips) + label
}

/// Thickness of a bar as a share of the font size.
pub(super) const BAR: f64 = 1.0;

/// The width kept for a bar's tick labels: 7 digits, or a count of clipped cells.
pub(super) fn room(fonts: &Fonts, clips: bool) -> f64 {
    if clips { 4.4 * fonts.tick } else { 3.6 * fonts.tick }
}

/// The height that a horizontal bar takes, gap and label included; 0 without bar.
pub(super) fn bar_height(frame: &Frame, fonts: &Fonts, bar: usize) -> f64 {
    let b = &frame.bars[bar];
    if b.place != BarPlace::Bottom {
        return 0.0;
    }
    let label = if b.label.is_empty() { 0.0 } else { (LINE + 0.2) * fonts.axis };
    (0.9 + 0.9 + 0.5 + LINE) * fonts.tick + label
}
