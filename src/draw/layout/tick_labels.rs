//! The texts of tick labels and their places: wrapped or shortened to the most that a label may take.

use super::flow::label_lines;
use super::tick_set::{AIR, LEADING, SMALLER, Tick, TickRequest, TickSet, inner, numeric};
use super::track::marks;
use gridscope_core::lint::LintName;
use gridscope_core::text::{Measure, distinct, numbered};
use std::ops::Range;

/// The share of the most that a label beside a body takes before it is wrapped.
const WIDE: f64 = 0.6;
/// The share of the longest label that half of it takes after it is wrapped.
const HALVED: f64 = 0.62;

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

/// Labels at these pixels, upright. Labels longer than the most are wrapped where there is room for their lines, or else
/// shortened.
pub(super) fn labels_at(at: Vec<(f64, String)>, ask: &TickRequest<'_>, m: &mut dyn Measure) -> TickSet {
    let mut set = TickSet {
        font: ask.font,
        degrees: if ask.side { 0 } else { ask.frame.rotate.unwrap_or(0) as i32 },
        ..TickSet::default()
    };
    let pitch = at.windows(2).map(|p| (p[1].0 - p[0].0).abs()).fold(f64::MAX, f64::min);
    let lines = ((pitch / ask.font - 1.06 - AIR) / LEADING).clamp(0.0, 8.0) as usize + 1;
    let mut ticks: Vec<Tick> = at.into_iter().map(|(at, text)| Tick::new(at, text, ask.font, m)).collect();
    let long = |t: &Tick| t.width > ask.most;
    if lines > 1 {
        // Long labels beside a body have two lines where these are shorter than the longest label, so that the body gets the room.
        let widest = ticks.iter().map(|t| t.width).fold(0.0, f64::max);
        let most = if ask.side && widest > WIDE * ask.most {
            (HALVED * widest).clamp(WIDE * ask.most, ask.most)
        } else {
            ask.most
        };
        for t in ticks.iter_mut().filter(|t| t.width > most) {
            let mut broken = |most: f64, lines: usize| label_lines(&t.text, ask.font, most, lines, m);
            let in_two = broken(most, lines.min(2));
            let in_more = || broken(ask.most, lines);
            if let Some(text) = in_two.or_else(|| (t.width > ask.most).then(in_more).flatten()) {
                *t = Tick::new(t.at, text, ask.font, m);
            }
        }
    }
    if ask.part.is_none() && ticks.iter().any(long) {
        // Labels are smaller before they are shortened.
        let widest = ticks.iter().map(|t| t.width).fold(0.0, f64::max);
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
