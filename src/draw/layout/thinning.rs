//! Labels of every k-th cell, for axes whose labels do not all fit.

use super::arrangement::Means;
use super::spacing::{even_steps, geometric_steps};
use super::tick_labels::{Places, labels_of};
use super::tick_set::{TickRequest, TickSet, fits};
use gridscope_core::figure::Ticks;
use gridscope_core::grid::AxisKind;
use gridscope_core::lint::LintName;
use gridscope_core::text::Measure;
use std::ops::Range;

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
