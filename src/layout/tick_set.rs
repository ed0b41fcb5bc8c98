//! The ticks of an axis: how much room their labels take, and whether they meet.

use crate::grid::{Axis, AxisKind};
use crate::lint::Lints;
use crate::resolve::AxisFrame;
use crate::text::{CAP_HEIGHT, Measure, shorten};
use crate::view::EdgeTable;
use std::ops::Range;

/// One tick.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Pixels from the start of the body.
    pub at: f64,
    /// The label.
    pub text: String,
    /// Its advance width.
    pub width: f64,
}

/// The ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TickSet {
    pub ticks: Vec<Tick>,
    pub degrees: i32,
    pub lints: Lints,
    /// Labels that other parts of the axis show take so much: the widest beside it, the deepest under it.
    pub kept: f64,
}

impl TickSet {
    /// The widest label.
    pub fn width(&self) -> f64 {
        self.ticks.iter().map(|t| t.width).fold(self.kept, f64::max)
    }

    /// How far labels under an axis reach down.
    pub fn depth(&self, font: f64) -> f64 {
        self.ticks
            .iter()
            .map(|t| depth(t, self.degrees, font))
            .fold(self.kept, f64::max)
    }

    /// How far labels under an axis reach out of a body of `length` pixels, to the left and to the right.
    pub fn overhang(&self, length: f64, font: f64) -> (f64, f64) {
        let mut over = (0.0f64, 0.0f64);
        for t in &self.ticks {
            let (left, right) = reach(t, self.degrees, font);
            over = (over.0.max(left - t.at), over.1.max(t.at + right - length));
        }
        (over.0.max(0.0), over.1.max(0.0))
    }
}

/// What an axis of labels is asked to fit.
pub(super) struct TickRequest<'a> {
    pub axis: &'a Axis,
    pub table: &'a EdgeTable,
    pub frame: &'a AxisFrame,
    pub font: f64,
    /// The longest label in pixels.
    pub most: f64,
    /// Down the side: labels lie beside each other's lines.
    pub side: bool,
    pub name: &'a str,
    /// What labels of a part have to keep to; none: the whole axis is shown.
    pub part: Option<Room>,
}

/// The cells that a part shows, and the room that their labels have.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub shown: Range<usize>,
    /// How far labels under an axis may reach down.
    pub deep: f64,
    /// How far they may reach out of the body, to the left and to the right.
    pub out: (f64, f64),
}

/// How far a label under an axis reaches down.
pub(super) fn depth(t: &Tick, degrees: i32, font: f64) -> f64 {
    match degrees {
        0 => 1.02 * font,
        90 => t.width,
        _ => (t.width + (CAP_HEIGHT + 0.22) * font) * std::f64::consts::FRAC_1_SQRT_2,
    }
}

/// How far a label under an axis reaches to both sides of its tick.
pub(super) fn reach(t: &Tick, degrees: i32, font: f64) -> (f64, f64) {
    match degrees {
        0 => (t.width / 2.0, t.width / 2.0),
        90 => (font / 2.0, font / 2.0),
        _ => (t.width * std::f64::consts::FRAC_1_SQRT_2 + font * 0.3, font * 0.6),
    }
}

/// The label nearest to the cells; outer levels become group headers.
pub(super) fn inner(axis: &Axis, i: usize) -> String {
    match axis.levels.last() {
        Some(l) => l[i].clone(),
        None => axis.label(i),
    }
}

/// Whether labels are numbers, which stay upright.
pub(super) fn numeric(axis: &Axis) -> bool {
    // Dates are read as texts: they turn like names.
    !matches!(axis.kind, AxisKind::Category | AxisKind::Time)
}

/// A label no longer than the request allows, its width, and whether it was cut in the middle.
pub(super) fn fitted(text: &str, ask: &TickRequest<'_>, m: &mut dyn Measure) -> (String, f64, bool) {
    let width = m.size(text, ask.font).width;
    if width <= ask.most {
        return (text.to_owned(), width, false);
    }
    let mut keep = (text.chars().count() as f64 * ask.most / width) as usize;
    loop {
        let t = shorten(text, keep.max(2));
        let width = m.size(&t, ask.font).width;
        if width <= ask.most || keep <= 2 {
            return (t, width, true);
        }
        keep -= 1;
    }
}

/// Whether neighbours keep apart.
pub(super) fn fits(set: &TickSet, ask: &TickRequest<'_>) -> bool {
    let deep = ask
        .part
        .as_ref()
        .filter(|_| !ask.side)
        .map_or(f64::MAX, |p| p.deep + 0.5);
    set.depth(ask.font) <= deep
        && set.ticks.windows(2).all(|p| {
            let apart = (p[1].at - p[0].at).abs();
            apart >= needed(&p[0], &p[1], set.degrees, ask)
        })
}

fn needed(a: &Tick, b: &Tick, degrees: i32, ask: &TickRequest<'_>) -> f64 {
    match degrees {
        _ if ask.side => 1.06 * ask.font,
        0 => (a.width + b.width) / 2.0 + 0.5 * ask.font,
        90 => 1.06 * ask.font,
        _ => 1.55 * ask.font,
    }
}
