//! The sizes of the surroundings of bodies: fonts, titles, legends, group headers.

use super::flow::wrap;
use crate::resolve::{Frame, StripColors};
use gridscope_core::color::Color;
use gridscope_core::figure::{BarPlace, Contours, MarkStyle};
use gridscope_core::grid::{Axis, Number, State};
use gridscope_core::scale::{minus, short, typeset};
use gridscope_core::text::{Measure, distinct};
use std::ops::Range;

/// The most colours of a strip that its key lists.
const MOST_OWN: usize = 12;

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
    pub(super) fn of(frame: &Frame) -> Self {
        let f = frame.font_size;
        Self {
            tick: f,
            axis: 1.1 * f,
            panel: 1.1 * f,
            title: 1.3 * f,
            note: (0.85 * f).max(frame.least_font),
        }
    }
}

/// The distance from a body to its tick labels.
pub(super) fn tick_gap(f: f64) -> f64 {
    0.5 * f
}

/// Height of a line of text as a share of its font size.
pub(super) const LINE: f64 = 1.02;
/// The distance between baselines as a share of the font size.
pub(super) const LEADING: f64 = 1.25;

/// The most of the canvas that a label takes before it is shortened, as a share.
pub(super) const LABEL_SHARE: f64 = 0.4;

/// A legend entry: a swatch and its text.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub swatch: Swatch,
    pub text: String,
    pub width: f64,
    /// Pixels to the next entry.
    pub gap: f64,
}

/// The em between entries, and around a swatch that belongs to the texts on both sides.
const GAP: f64 = 1.2;
const NEAR: f64 = 0.4;

/// The swatch of a legend entry.
#[derive(Clone, Copy, Debug)]
pub(super) enum Swatch {
    None,
    Color(Color),
    /// A scale of numbers.
    Ramp([Color; RAMP]),
    State(State),
    Mark(MarkStyle),
    /// The contour of a level, from the lowest; none: the word before them.
    Contour(Option<usize>),
    Thin,
    /// Background, as cells that a mask hides.
    Masked,
    /// Values that a scale hides.
    Hidden,
}

/// Colours of the swatch of a scale.
const RAMP: usize = 40;

/// Size of a swatch as a share of the font size.
pub(super) const SWATCH: (f64, f64) = (1.3, 0.8);
/// How many times longer the swatch of a scale is.
const RAMP_LENGTH: f64 = 3.0;

impl Swatch {
    /// Its width as a share of the font size.
    pub(super) fn width(self) -> f64 {
        match self {
            Self::None | Self::Contour(None) => 0.0,
            Self::Ramp(_) => RAMP_LENGTH * SWATCH.0,
            _ => SWATCH.0,
        }
    }
}

/// The groups of legend entries: those of the strip, marks, levels of contours, then the states.
pub(super) fn legend(frame: &Frame, fonts: &Fonts, m: &mut dyn Measure) -> Vec<Vec<Entry>> {
    let mut groups = Vec::new();
    let mut entry = |swatch: Swatch, text: &str| {
        let swatch_width = match swatch.width() {
            0.0 => 0.0,
            wide => (wide + NEAR) * fonts.tick,
        };
        Entry {
            swatch,
            text: text.to_owned(),
            width: swatch_width + m.size(text, fonts.tick).width,
            gap: GAP * fonts.tick,
        }
    };
    for strip in &frame.strips {
        let mut list = vec![entry(Swatch::None, &format!("{}:", strip.title))];
        match (&strip.colors, strip.ends()) {
            (StripColors::Numbers { colors, .. }, Some([low, high])) => {
                let ramp = std::array::from_fn(|k| colors[k * colors.len() / RAMP]);
                list.push(Entry { gap: NEAR * fonts.tick, ..entry(Swatch::None, &low) });
                list.push(entry(Swatch::Ramp(ramp), &high));
            }
            (StripColors::Categories(swatches), _) => {
                let swatch = |(name, color): &(String, Color)| entry(Swatch::Color(*color), name);
                list.extend(swatches.iter().map(swatch));
            }
            // Colours have no names; without a title there is nothing to say.
            (StripColors::Own(colors), _) if !strip.title.is_empty() && colors.len() <= MOST_OWN => {
                list.extend(colors.iter().map(|color| entry(Swatch::Color(*color), "")));
            }
            _ => continue,
        }
        groups.push(list);
    }
    if !frame.marks.is_empty() {
        let marks = frame.marks.iter();
        groups.push(marks.map(|(style, text)| entry(Swatch::Mark(*style), text)).collect());
    }
    if let Some(Contours::Levels(levels)) =
        frame.contours.as_ref().filter(|c| **c != Contours::Levels(vec![]))
    {
        let mut list = vec![entry(Swatch::Contour(None), "contours:")];
        let line = |(i, level): (usize, &f64)| entry(Swatch::Contour(Some(i)), &typeset(&short(*level)));
        list.extend(levels.iter().enumerate().map(line));
        groups.push(list);
    }
    let states = frame.states.iter().map(|s| match (s, &frame.masked) {
        (State::Masked, Some(key)) => entry(Swatch::State(*s), key),
        _ => entry(Swatch::State(*s), s.key_text()),
    });
    let mut states: Vec<Entry> = states.collect();
    if let Some(key) = frame.masked.as_ref().filter(|_| !frame.states.contains(&State::Masked)) {
        states.push(entry(Swatch::Masked, key));
    }
    if let Some(key) = &frame.hidden {
        let swatch = if frame.hides { Swatch::Hidden } else { Swatch::State(State::Masked) };
        states.push(entry(swatch, key));
    }
    if let Some(n) = frame.min_count {
        states.push(entry(Swatch::Thin, &format!("fewer than {n} rows")));
    }
    if !states.is_empty() {
        groups.push(states);
    }
    groups
}

/// Breaks legend groups into lines no wider than `width`, between entries of which the first needs no second.
pub(super) fn legend_lines(groups: &[Vec<Entry>], width: f64, font: f64) -> Vec<Vec<Entry>> {
    let mut lines: Vec<Vec<Entry>> = Vec::new();
    for group in groups {
        let mut used = f64::MAX;
        let mut is_bound = false;
        for (i, e) in group.iter().enumerate() {
            let binds = e.gap < GAP * font;
            let next = group.get(i + 1).filter(|_| binds).map_or(0.0, |next| e.gap + next.width);
            if used + e.width + next > width && !is_bound {
                lines.push(Vec::new());
                used = 0.0;
            }
            is_bound = binds;
            used += e.width + e.gap;
            lines.last_mut().expect("a line was begun").push(e.clone());
        }
    }
    lines
}

/// A group header of a nested axis: its cells and its lines of text, which are empty if it was thinned.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub cells: Range<usize>,
    pub lines: Vec<String>,
}

/// The headers of one level.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub headers: Vec<Header>,
    /// Whether texts run across the axis, because one is longer than its group.
    pub across: bool,
    /// Pixels from the bracket to the end of the texts.
    pub depth: f64,
    /// The number of headers without text.
    pub thinned: usize,
    /// It is the title of the axis of this panel, which has no bracket.
    pub is_title: bool,
}

impl Level {
    /// The title of an axis of `cells` cells and `length` pixels; none without a name.
    pub(super) fn title(
        name: &str,
        cells: usize,
        font: f64,
        length: f64,
        m: &mut dyn Measure,
    ) -> Option<Self> {
        let lines = wrap(name, font, length.max(8.0 * font), m);
        (!name.is_empty()).then(|| Self {
            depth: (0.45 + LEADING * lines.len() as f64) * font,
            headers: vec![Header { cells: 0..cells, lines }],
            across: false,
            thinned: 0,
            is_title: true,
        })
    }
}

/// The headers of a level: along the axis if each fits its group, otherwise across it and at most `most` pixels long.
pub(super) fn headers(
    axis: &Axis,
    level: usize,
    font: f64,
    most: f64,
    length_of: impl Fn(&Range<usize>) -> f64,
    m: &mut dyn Measure,
) -> Level {
    let groups = axis.groups(level);
    let label = |cells: &Range<usize>| axis.levels[level][cells.start].as_str();
    let mut fits = true;
    let mut headers: Vec<Header> = Vec::with_capacity(groups.len());
    for cells in &groups {
        let room = length_of(cells) - 0.15 * font;
        let longest = label(cells).split(' ').map(|w| m.size(w, font).width).fold(0.0, f64::max);
        fits &= longest <= room;
        if !fits {
            break;
        }
        headers.push(Header { cells: cells.clone(), lines: wrap(label(cells), font, room, m) });
    }
    if fits {
        let lines = headers.iter().map(|h| h.lines.len()).max().unwrap_or(0).max(1);
        return Level {
            headers,
            across: false,
            depth: (0.45 + LEADING * lines as f64) * font,
            thinned: 0,
            is_title: false,
        };
    }
    let shortest = groups.iter().map(&length_of).fold(f64::MAX, f64::min);
    let step = (1.15 * font / shortest.max(1e-9)).ceil().max(1.0) as usize;
    let mut depth = 0.0f64;
    let mut thinned = 0;
    let texts: Vec<&str> = groups.iter().map(label).collect();
    let texts = distinct(&texts, most, &mut |t| m.size(t, font).width);
    let headers = groups
        .into_iter()
        .zip(texts)
        .enumerate()
        .map(|(k, (cells, text))| {
            let text = if k % step == 0 { text } else { String::new() };
            thinned += usize::from(k % step > 0);
            depth = depth.max(m.size(&text, font).width);
            Header { cells, lines: vec![text] }
        })
        .collect();
    Level { headers, across: true, depth: depth + 0.85 * font, thinned, is_title: false }
}

/// Whether each panel has its own bar beside or under it.
pub(super) fn bar_each(frame: &Frame) -> bool {
    frame.bars.len() > 1 && frame.bars.iter().all(|b| b.panels.len() == 1)
}

/// The title that the bars beside many panels have in common, which the figure shows once, or has room for; none without one.
/// Titles under bars take no width from bodies.
pub(super) fn common_title(frame: &Frame) -> Option<&str> {
    let are_many = bar_each(frame) && frame.bars.len() > FEW_BARS;
    let first = frame.bars.first().filter(|first| are_many && !first.label.is_empty())?;
    let are_alike = frame.bars.iter().all(|b| b.label == first.label && b.place.is_right());
    are_alike.then_some(first.label.as_str())
}

/// So many bars have their titles each, as few panels have.
const FEW_BARS: usize = 8;

/// The texts of a colour bar.
#[derive(Clone, Debug, Default)]
pub(super) struct BarTexts {
    /// Pixels reserved for tick labels and counts.
    pub room: f64,
    /// The lines of the title.
    pub label: Vec<String>,
}

/// The width of a vertical bar with its gap and title; 0 without one.
pub(super) fn bar_width(frame: &Frame, fonts: &Fonts, bar: usize, texts: &BarTexts) -> f64 {
    if !frame.bars[bar].place.is_right() {
        return 0.0;
    }
    (0.9 + BAR + 0.5) * fonts.tick + texts.room + block(texts.label.len(), 0.4, fonts.axis)
}

/// The height of a horizontal bar with its gap and title; 0 without one.
pub(super) fn bar_height(frame: &Frame, fonts: &Fonts, bar: usize, texts: &BarTexts) -> f64 {
    if frame.bars[bar].place != BarPlace::Bottom {
        return 0.0;
    }
    lying(fonts, texts)
}

/// The height of a bar that lies, with its gap and title.
pub(super) fn lying(fonts: &Fonts, texts: &BarTexts) -> f64 {
    (0.9 + 0.9 + 0.5 + LINE) * fonts.tick + block(texts.label.len(), 0.2, fonts.axis)
}

/// The depth of lines of text and the gap before them (`gap` in em); 0 without lines.
pub(super) fn block(lines: usize, gap: f64, font: f64) -> f64 {
    if lines == 0 { 0.0 } else { (gap + LINE + LEADING * (lines - 1) as f64) * font }
}

/// Thickness of a bar as a share of the font size.
pub(super) const BAR: f64 = 1.0;

/// The em of six digits, which are reserved for the tick labels of a bar that are not known.
pub const USUAL_ROOM: f64 = 3.6;
/// The em of four digits, which are reserved where something else follows the bar: room that labels leave free is seen there.
const NARROW_ROOM: f64 = 2.65;
/// The most em for labels of a given format: those of `−2.5×10⁻⁹`.
const MOST_ROOM: f64 = 6.0;
/// The most em for the texts of given ticks.
const MOST_GIVEN_ROOM: f64 = 14.0;
/// A number that has all digits of a given format.
const EXAMPLE: f64 = 0.888_888_888;
/// One with thousands.
const LARGE_EXAMPLE: f64 = 88_888.0;

/// The width to reserve for the tick labels of a bar, which neither values nor limits change: that of a few digits, of a number
/// in a given format, and of the widest count of cells beyond its limits. Labels that turn out wider are written shorter or
/// smaller.
pub(super) fn room(frame: &Frame, fonts: &Fonts, bar: usize, m: &mut dyn Measure) -> f64 {
    let b = &frame.bars[bar];
    let upright = frame.bars.iter().filter(|b| b.place.is_right());
    let is_followed = bar_each(frame) || upright.count() > 1;
    let example = b.format.map_or(0.0, |format| {
        let example = if format.groups() { LARGE_EXAMPLE } else { EXAMPLE };
        let text = minus(&format.format(Number::F64(example)));
        m.size(&text, fonts.tick).width + 0.1 * fonts.tick
    });
    let usual = if is_followed { NARROW_ROOM } else { USUAL_ROOM };
    let digits = match b.tick_texts() {
        Some(ticks) => {
            let widths = ticks.iter().map(|(_, text)| m.size(text, fonts.tick).width + 0.1 * fonts.tick);
            widths.fold(0.0, f64::max).min(MOST_GIVEN_ROOM * fonts.tick)
        }
        None => (usual * fonts.tick).max(example.min(MOST_ROOM * fonts.tick)),
    };
    if !b.clips {
        return digits;
    }
    let cells: usize =
        b.panels.iter().map(|&i| frame.panels[i].columns.len() * frame.panels[i].rows.len()).sum();
    // A count has at most four digits and a letter; where something follows it is as small as any text, and thousands are rounded.
    let digits_of = |n: usize| "8".repeat(n.to_string().len());
    let (widest, font) = match (is_followed, cells < 10_000) {
        (false, true) => (digits_of(cells), fonts.note),
        (false, false) => ("8888M".to_owned(), fonts.note),
        (true, true) => (digits_of(cells.min(999)), frame.least_font),
        (true, false) => ("888M".to_owned(), frame.least_font),
    };
    digits.max(m.size(&format!("{widest} above"), font).width + 0.1 * fonts.tick)
}
