//! The ticks of an axis: the room that their labels take, whether they overlap, and how they are turned, wrapped, made smaller
//!  or thinned until all fit.

use super::flow::{LABEL_LINES, label_lines};
use super::round_ticks::{even_steps, geometric_steps};
use super::tick_labels::{Places, labels_of};
use crate::resolve::{AxisFrame, KeyTick};
use gridscope_core::figure::Ticks;
use gridscope_core::grid::{Axis, AxisKind};
use gridscope_core::lint::{LintName, Lints};
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
        LABEL_LEADING * self.text.matches('\n').count() as f64
    }
}

/// The distance between the baselines of a label as a share of the font size.
pub(super) const LABEL_LEADING: f64 = 1.15;

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
    /// The ticks that a list of keys asks for, without one those of labels that the figure gives.
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

/// Whether the labels of two ticks have no room beside each other in the form of a set.
fn are_near(a: &Tick, b: &Tick, set: &TickSet, ask: &TickRequest<'_>) -> bool {
    (a.at - b.at).abs() < needed(a, b, set, ask.side)
}

/// Those of ticks that have room beside the one before, from the first on.
fn apart(ticks: &[Tick], set: &TickSet, ask: &TickRequest<'_>) -> Vec<Tick> {
    let mut kept: Vec<Tick> = Vec::new();
    for tick in ticks {
        if kept.last().is_none_or(|last| !are_near(last, tick, set, ask)) {
            kept.push(tick.clone());
        }
    }
    kept
}

/// The ticks of a set that have room beside the one before, from the first on; at most so many.
pub(super) fn by_room(set: TickSet, most: usize, ask: &TickRequest<'_>) -> TickSet {
    let kept = apart(&set.ticks, &set, ask);
    let k = kept.len().div_ceil(most.max(1)).max(1);
    TickSet { ticks: kept.into_iter().step_by(k).collect(), ..set }
}

/// Puts ticks among those of a set, which give way where they have no room beside them; labels that do not fit side by side are
/// thinned.
pub(super) fn with_ticks(mut set: TickSet, own: &[Tick], ask: &TickRequest<'_>) -> TickSet {
    let is_there = |t: &Tick| set.ticks.iter().any(|other| (other.at - t.at).abs() < 1e-6);
    if own.iter().all(is_there) {
        return set;
    }
    let (n, mut kept) = (own.len(), apart(own, &set, ask));
    let near = |a: &Tick, b: &Tick| are_near(a, b, &set, ask);
    let others: Vec<Tick> =
        set.ticks.iter().filter(|t| kept.iter().all(|own| !near(own, t))).cloned().collect();
    if kept.len() < n {
        let text = format!("{} axis: {} of {n} labels of the figure are shown", ask.name, kept.len());
        set.lints.add(LintName::TicksThinned, (n - kept.len()) as u64, text);
    }
    kept.extend(others);
    kept.sort_by(|a, b| a.at.total_cmp(&b.at));
    TickSet { ticks: kept, ..set }
}

/// The most labels of plain positions.
const MOST_POSITIONS: usize = 11;

/// Whether the cells are numbers in equal steps, drawn as equal cells.
pub(super) fn is_even(ask: &TickRequest<'_>) -> bool {
    match ask.axis.kind {
        AxisKind::Index => true,
        AxisKind::Number => !ask.frame.true_spacing && even_steps(ask.axis),
        _ => false,
    }
}

/// Labels of every k-th cell of `shown` for the smallest k at which they fit: `least`, or a multiple of `step` above it.
pub(super) fn every_kth(
    ask: &TickRequest<'_>,
    shown: &Range<usize>,
    (least, step): (usize, usize),
    means: Means,
    places: &Places<'_>,
    m: &mut dyn Measure,
) -> (TickSet, usize) {
    // However they are turned, labels are a line apart.
    let lines = 0.9 * f64::from(ask.table.pixels()) / ask.font;
    let mut k = least.max((shown.len() as f64 / lines) as usize).next_multiple_of(step);
    loop {
        // Counted from the first cell of the axis, so that the labels do not depend on the part.
        let cells = (shown.start.next_multiple_of(k)..shown.end).step_by(k);
        let upright = labels_of(cells, ask, places, m);
        let turned = means.degrees(ask).iter().map(|&degrees| TickSet { degrees, ..upright.clone() });
        if let Some(set) = turned.into_iter().find(|s| fits(s, ask)) {
            return (set, k);
        }
        if upright.ticks.len() < 2 {
            return (upright, k);
        }
        k += step * (k / step / COARSE).max(1);
    }
}

/// Steps of many cells are tried this finely, as a share of themselves: a few hundred trials for an axis of any length.
const COARSE: usize = 64;

/// The steps to try for `n` cells, `least` and more, ascending: each for few cells, and all round ones.
fn steps(least: usize, n: usize, by: f64) -> Vec<usize> {
    let next = |k: &usize| Some(k + (k / COARSE).max(1));
    let mut all: Vec<usize> = std::iter::successors(Some(least), next).take_while(|k| *k < n).collect();
    let powers = (-20..20).flat_map(|p| [1.0, 2.0, 2.5, 5.0].map(|m| m * 10f64.powi(p) / by));
    let round = powers.map(f64::round).filter(|v| *v >= least as f64 && *v < n as f64);
    all.extend(round.map(|v| v as usize));
    all.sort_unstable();
    all.dedup();
    all
}

/// Labels of numbers in equal steps, at round numbers if they are those of cells, else at every k-th cell, k at least `least`.
pub(super) fn round_cells(
    ask: &TickRequest<'_>,
    shown: &Range<usize>,
    least: usize,
    places: &Places<'_>,
    m: &mut dyn Measure,
) -> Option<(TickSet, usize)> {
    let (axis, n) = (ask.axis, shown.len());
    let last = axis.len() - 1;
    let (first, by) = match axis.kind {
        AxisKind::Index => (axis.start as f64, 1.0),
        _ => {
            let (a, z) = (axis.center(0)?, axis.center(last)?);
            (a, z / last as f64 - a / last as f64)
        }
    };
    // The number of the first cell, in steps from 0, if 0 would be a cell of the axis.
    let from =
        Some(first / by).filter(|v| v.abs() < 1e9 && (v - v.round()).abs() < 1e-4).map(|v| v.round() as i64);
    let most = match ask.frame.ticks {
        Ticks::Count(c) => c as usize,
        _ if axis.kind == AxisKind::Index => MOST_POSITIONS,
        _ => usize::MAX,
    };
    let mut labels = |k: usize, offset: usize| {
        let start = shown.start + (k + offset - shown.start % k) % k;
        let cells = (start..shown.end).step_by(k);
        if cells.len() > most || cells.len() < 2 {
            return None;
        }
        Some(labels_of(cells, ask, places, m)).filter(|s| fits(s, ask))
    };
    let lines = 0.9 * f64::from(ask.table.pixels()) / ask.font;
    let mut plain: Option<(TickSet, usize)> = None;
    for k in steps(least.max((n as f64 / lines) as usize).max(1), n, by.abs()) {
        if plain.as_ref().is_some_and(|p| 2 * k > 5 * p.1) {
            break;
        }
        if let Some(from) = from.filter(|_| is_round(k as f64 * by.abs())) {
            let offset = (-from).rem_euclid(k as i64) as usize;
            if let Some(set) = labels(k, offset) {
                return Some((set, k));
            }
        }
        if plain.is_none() {
            plain = labels(k, 0).map(|set| (set, k));
        }
    }
    plain
}

/// Whether a step is 1, 2, 2.5 or 5 times a power of ten.
fn is_round(step: f64) -> bool {
    let power = step.log10().floor();
    let mantissa = step / 10f64.powf(power);
    [1.0, 2.0, 2.5, 5.0, 10.0].iter().any(|r| (mantissa - r).abs() < 1e-6)
}

/// Adds the warnings about an axis that shows the labels of every k-th cell, where `n` labels were asked for.
pub(super) fn add_thinned(ask: &TickRequest<'_>, set: &mut TickSet, n: usize, k: usize) {
    let shown = set.ticks.len();
    if shown < n {
        set.lints.add(
            LintName::TicksThinned,
            (n - shown) as u64,
            format!("{} axis: {shown} of {n} labels are shown, one every {k} cells", ask.name),
        );
    }
    add_uneven(ask, set);
}

/// Adds the warning about equal cells of an axis whose steps are not, which labels of some cells do not tell.
pub(super) fn add_uneven(ask: &TickRequest<'_>, set: &mut TickSet) {
    let is_uneven = match ask.axis.kind {
        AxisKind::Number => !even_steps(ask.axis) && !geometric_steps(ask.axis),
        AxisKind::Time => !ask.axis.times_are_regular(),
        _ => false,
    };
    if is_uneven && !ask.frame.true_spacing {
        let text = format!("{} axis: uneven steps are drawn as equal cells", ask.name);
        set.lints
            .add(LintName::UnevenAxis, ask.axis.len() as u64, text)
            .hint(format!("--{}-spacing true", ask.name));
    }
}

/// Font sizes of names of several lines that are tried before names are turned, as shares.
const UPRIGHT_SIZES: [f64; 2] = [1.0, 0.88];

/// Up to this many numbers in uneven steps are turned before some are left out.
const FEW_NUMBERS: usize = 24;

/// Ways to make labels fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Means {
    /// All labels were asked for, whatever they look like.
    pub all: bool,
    /// The axis is a scale of numbers, of which a few are enough.
    pub scale: bool,
    /// Labels that are too wide may be turned.
    pub turns: bool,
}

impl Means {
    /// Rotations to try in this order.
    pub(super) fn degrees(self, ask: &TickRequest<'_>) -> &'static [i32] {
        match (ask.side, ask.frame.rotate) {
            (true, _) | (_, Some(0)) => &[0],
            (_, None) if !self.turns => &[0],
            (_, Some(45)) => &[45],
            (_, Some(_)) => &[90],
            (_, None) if !numeric(ask.axis) && !ask.steep => &[0, 45, 90],
            (_, None) if !numeric(ask.axis) => &[0, 90],
            // A few numbers that are not a scale are read one by one.
            (_, None) if self.all || !self.scale && ask.axis.len() <= FEW_NUMBERS => &[0, 90],
            (_, None) => &[0],
        }
    }

    /// The smallest font size in pixels.
    pub(super) fn least(self, ask: &TickRequest<'_>) -> f64 {
        let soft = (SMALLER * ask.font).max(ask.least).min(ask.font);
        match self {
            // The labels of a part have the size of those of the whole axis.
            _ if ask.part.is_some() => ask.font,
            Means { all: true, .. } => ask.least.min(ask.font),
            Means { scale: true, .. } => ask.font,
            _ => soft,
        }
    }

    /// The labels so that all of them fit; `None` if they do not.
    pub(super) fn arranged(
        self,
        set: &TickSet,
        ask: &TickRequest<'_>,
        m: &mut dyn Measure,
    ) -> Option<TickSet> {
        let turned = |degrees: i32| TickSet { degrees, ..set.clone() };
        let degrees = self.degrees(ask);
        let last = turned(*degrees.last()?);
        for &d in degrees {
            let set = turned(d);
            if fits(&set, ask) {
                return Some(set);
            }
            if d == 0 && degrees.len() > 1 {
                let other = if numeric(ask.axis) {
                    smaller(&set, ask, (SMALLER * ask.font).max(self.least(ask)))
                } else {
                    upright_lines(&set, ask, m)
                };
                if other.is_some() {
                    return other;
                }
            }
        }
        smaller(&last, ask, self.least(ask))
    }

    /// The length of a body in pixels on which all labels fit.
    pub(super) fn wanted(self, set: &TickSet, ask: &TickRequest<'_>) -> f64 {
        let turned = |degrees: &i32| TickSet { degrees: *degrees, ..set.resized(self.least(ask)) };
        let share = self.degrees(ask).iter().map(|d| crowding(&turned(d), ask)).fold(f64::MAX, f64::min);
        // Cells are whole pixels wide.
        let cells = ask.axis.len() as f64;
        (share * f64::from(ask.table.pixels()) / cells).ceil() * cells
    }
}

/// The labels in the largest font of at least `least` pixels in which they fit.
fn smaller(set: &TickSet, ask: &TickRequest<'_>, least: f64) -> Option<TickSet> {
    let font = 0.999 * set.font / crowding(set, ask);
    // Only the distance of neighbours makes labels smaller.
    (font < set.font && font >= least).then(|| set.resized(font)).filter(|s| fits(s, ask))
}

/// Names beside each other in several lines, in a slightly smaller font where that is enough.
fn upright_lines(set: &TickSet, ask: &TickRequest<'_>, m: &mut dyn Measure) -> Option<TickSet> {
    if ask.axis.kind != AxisKind::Category || ask.part.is_some() {
        return None;
    }
    let pitch = set.ticks.windows(2).map(|p| (p[1].at - p[0].at).abs()).fold(f64::MAX, f64::min);
    let sizes = UPRIGHT_SIZES.map(|share| share * set.font);
    sizes.into_iter().filter(|font| *font >= ask.least).find_map(|font| {
        let room = pitch - 0.5 * font;
        let mut out = set.resized(font);
        for t in out.ticks.iter_mut().filter(|t| t.width > room) {
            let text = label_lines(&t.text, font, room, LABEL_LINES, m)?;
            *t = Tick::new(t.at, text, font, m);
        }
        fits(&out, ask).then_some(out)
    })
}
