//! The ticks of an axis, the room that their labels take, and whether they overlap.

use crate::grid::{Axis, AxisKind};
use crate::lint::Lints;
use crate::resolve::AxisFrame;
use crate::text::CAP_HEIGHT;
use crate::view::EdgeTable;
use std::ops::Range;

/// One tick.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Pixels from the start of the body.
    pub at: f64,
    /// The label.
    pub text: String,
    /// The advance width of the label in pixels.
    pub width: f64,
}

/// The ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TickSet {
    pub ticks: Vec<Tick>,
    pub degrees: i32,
    pub lints: Lints,
    /// Pixels reserved for the labels of other parts of the axis: width beside it, depth under it.
    pub reserved: f64,
}

impl TickSet {
    /// The width of the widest label, or the reserved width.
    pub(super) fn width(&self) -> f64 {
        self.ticks.iter().map(|t| t.width).fold(self.reserved, f64::max)
    }

    /// The depth of labels under an axis, or the reserved depth.
    pub(super) fn depth(&self, font: f64) -> f64 {
        self.ticks
            .iter()
            .map(|t| depth(t, self.degrees, font))
            .fold(self.reserved, f64::max)
    }

    /// How far labels under an axis extend beyond a body of `length` pixels, to the left and to the right.
    pub(super) fn overhang(&self, length: f64, font: f64) -> (f64, f64) {
        let mut over = (0.0f64, 0.0f64);
        for t in &self.ticks {
            let (left, right) = reach(t, self.degrees, font);
            over = (over.0.max(left - t.at), over.1.max(t.at + right - length));
        }
        (over.0.max(0.0), over.1.max(0.0))
    }
}

/// An axis, and the limits that its labels must fit.
pub(super) struct TickRequest<'a> {
    pub axis: &'a Axis,
    pub table: &'a EdgeTable,
    pub frame: &'a AxisFrame,
    pub font: f64,
    /// The most pixels of a label.
    pub most: f64,
    /// Whether the axis runs down the side, so that labels are one below the other.
    pub side: bool,
    pub name: &'a str,
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
        0 => 1.02 * font,
        90 => t.width,
        _ => (t.width + (CAP_HEIGHT + 0.22) * font) * std::f64::consts::FRAC_1_SQRT_2,
    }
}

/// How far a label under an axis extends to the left and to the right of its tick.
pub(super) fn reach(t: &Tick, degrees: i32, font: f64) -> (f64, f64) {
    match degrees {
        0 => (t.width / 2.0, t.width / 2.0),
        90 => (font / 2.0, font / 2.0),
        _ => (t.width * std::f64::consts::FRAC_1_SQRT_2 + font * 0.3, font * 0.6),
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

/// The least distance of two neighbouring ticks in pixels.
fn needed(a: &Tick, b: &Tick, degrees: i32, ask: &TickRequest<'_>) -> f64 {
    match degrees {
        _ if ask.side => 1.06 * ask.font,
        0 => f64::midpoint(a.width, b.width) + 0.5 * ask.font,
        90 => 1.06 * ask.font,
        _ => 1.55 * ask.font,
    }
}
