//! The ticks of an axis, the room that their labels take, and whether they overlap.

use crate::resolve::{AxisFrame, KeyTick};
use gridscope_core::grid::{Axis, AxisKind};
use gridscope_core::lint::Lints;
use gridscope_core::text::{CAP_HEIGHT, Measure};
use gridscope_core::view::EdgeTable;
use std::f64::consts::FRAC_1_SQRT_2;
use std::ops::Range;

/// One tick.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Pixels from the start of the body.
    pub at: f64,
    /// The label; its lines end with line breaks.
    pub text: String,
    /// The advance width of the widest line in pixels.
    pub width: f64,
}

impl Tick {
    pub(super) fn new(at: f64, text: String, font: f64, m: &mut dyn Measure) -> Self {
        let width = text.split('\n').map(|l| m.size(l, font).width).fold(0.0, f64::max);
        Self { at, text, width }
    }

    /// From the first baseline to the last in em.
    pub(super) fn leading(&self) -> f64 {
        LEADING * self.text.matches('\n').count() as f64
    }
}

/// The distance between the baselines of a label as a share of the font size.
pub(super) const LEADING: f64 = 1.15;

/// The smallest font of automatic labels, as a share of that of other labels.
pub(super) const SMALLER: f64 = 0.75;

/// Between labels of several lines, in em.
pub(super) const AIR: f64 = 0.4;
/// The width of one digit in em, and a little more.
const DIGIT: f64 = 0.7;

/// The ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TickSet {
    pub ticks: Vec<Tick>,
    /// The font size of the labels in pixels.
    pub font: f64,
    pub degrees: i32,
    pub lints: Lints,
    /// Labels that are numbered, each with the whole label.
    pub numbered: Vec<(String, String)>,
    /// Pixels reserved for the labels of other parts of the axis: width beside it, depth under it.
    pub reserved: f64,
    /// The length of a body in pixels that would show all labels that were asked for, or 0 if this one does. With automatic
    /// ticks it is that of names, not of numbers in equal steps.
    pub wanted: f64,
}

impl TickSet {
    /// The width of the widest label, or the reserved width.
    pub(super) fn width(&self) -> f64 {
        self.ticks.iter().map(|t| t.width).fold(self.reserved, f64::max)
    }

    /// The depth of labels under an axis, or the reserved depth.
    pub(super) fn depth(&self) -> f64 {
        self.ticks.iter().map(|t| depth(t, self.degrees, self.font)).fold(self.reserved, f64::max)
    }

    /// How far labels under an axis extend beyond a body of `length` pixels, to the left and to the right.
    pub(super) fn overhang(&self, length: f64) -> (f64, f64) {
        let mut over = (0.0f64, 0.0f64);
        for t in &self.ticks {
            let (left, right) = reach(t, self.degrees, self.font);
            over = (over.0.max(left - t.at), over.1.max(t.at + right - length));
        }
        (over.0.max(0.0), over.1.max(0.0))
    }

    /// The same labels in another font size; widths are proportional to it.
    pub(super) fn resized(&self, font: f64) -> Self {
        let mut out = self.clone();
        out.ticks.iter_mut().for_each(|t| t.width *= font / self.font);
        out.font = font;
        out
    }
}

/// An axis, and the limits that its labels must fit.
pub(super) struct TickRequest<'a> {
    pub axis: &'a Axis,
    pub table: &'a EdgeTable,
    pub frame: &'a AxisFrame,
    pub font: f64,
    /// The smallest font size in pixels.
    pub least: f64,
    /// The ticks that a list of keys asks for.
    pub keys: &'a [KeyTick],
    /// The most pixels of a label.
    pub most: f64,
    /// Whether the axis runs down the side, so that labels are one below the other.
    pub side: bool,
    pub name: &'a str,
    /// Turned labels are upright, because slanted ones would leave too little room for the body.
    pub steep: bool,
    /// The limits of the labels of a part; none if the whole axis is shown.
    pub part: Option<Room>,
}

/// The cells of a part, and the room of their labels.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub shown: Range<usize>,
    /// The most pixels that labels under an axis may reach down.
    pub deep: f64,
    /// The most pixels that they may extend beyond the body, to the left and to the right.
    pub out: (f64, f64),
}

/// The depth of a label under an axis in pixels.
pub(super) fn depth(t: &Tick, degrees: i32, font: f64) -> f64 {
    match degrees {
        0 => (1.02 + t.leading()) * font,
        90 => t.width,
        _ => (t.width + (CAP_HEIGHT + 0.22 + t.leading()) * font) * FRAC_1_SQRT_2,
    }
}

/// How far a label under an axis extends to the left and to the right of its tick.
pub(super) fn reach(t: &Tick, degrees: i32, font: f64) -> (f64, f64) {
    match degrees {
        0 => (t.width / 2.0, t.width / 2.0),
        90 => ((0.5 + t.leading() / 2.0) * font, (0.5 + t.leading() / 2.0) * font),
        _ => (t.width * FRAC_1_SQRT_2 + font * 0.3, (0.6 + t.leading() * FRAC_1_SQRT_2) * font),
    }
}

/// The label of a cell on the innermost level; outer levels become group headers.
pub(super) fn inner(axis: &Axis, i: usize) -> String {
    match axis.levels.last() {
        Some(l) => l[i].clone(),
        None => axis.label(i),
    }
}

/// Whether labels are numbers, which are never rotated.
pub(super) fn numeric(axis: &Axis) -> bool {
    // Dates are rotated like names.
    !matches!(axis.kind, AxisKind::Category | AxisKind::Time)
}

/// Whether labels are far enough apart, and not too deep.
pub(super) fn fits(set: &TickSet, ask: &TickRequest<'_>) -> bool {
    let deep = ask.part.as_ref().filter(|_| !ask.side).map_or(f64::MAX, |p| p.deep + 0.5);
    set.depth() <= deep && crowding(set, ask) <= 1.0
}

/// The greatest share of the distance of two neighbouring ticks that their labels need: over 1 if they overlap.
pub(super) fn crowding(set: &TickSet, ask: &TickRequest<'_>) -> f64 {
    let share = |p: &[Tick]| {
        let apart = (p[1].at - p[0].at).abs();
        needed(&p[0], &p[1], set, ask.side) / apart.max(1e-9)
    };
    set.ticks.windows(2).map(share).fold(0.0, f64::max)
}

/// The least distance of two neighbouring ticks in pixels.
fn needed(a: &Tick, b: &Tick, set: &TickSet, side: bool) -> f64 {
    let lines = f64::midpoint(a.leading(), b.leading());
    // Labels of several lines are further apart than their lines.
    let air = if lines > 0.0 { AIR } else { 0.0 };
    match set.degrees {
        _ if side => (1.06 + air + lines) * set.font,
        // A digit needs no more than on its side, where it would be harder to read.
        0 if a.width.max(b.width) <= DIGIT * set.font => 1.06 * set.font,
        0 => f64::midpoint(a.width, b.width) + 0.5 * set.font,
        90 => (1.06 + air + lines) * set.font,
        _ => (1.55 + (air + a.leading().max(b.leading())) / FRAC_1_SQRT_2) * set.font,
    }
}
