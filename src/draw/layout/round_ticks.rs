//! Ticks at round values, for axes of numbers in equal steps, and at powers of ten on logarithmic ones.

use super::calendar_ticks::calendar;
use super::spacing::{WHOLE, even_steps, geometric_steps, near_round, whole};
use super::tick_set::{Tick, TickRequest, TickSet, fits};
use super::track::position;
use gridscope_core::figure::Ticks;
use gridscope_core::grid::{AxisKind, Number};
use gridscope_core::scale::{LabelFormat, Norm, minus, nice_ticks, norm_ticks, typeset};
use gridscope_core::text::Measure;
use std::ops::Range;

/// The most round values along an axis.
const MOST_TICKS: usize = 1_000;

/// Chooses ticks at round values; `None` if the axis has no equal steps or the labels do not fit.
pub(super) fn continuous(
    ask: &TickRequest<'_>,
    shown: &Range<usize>,
    mark: &dyn Fn(usize) -> f64,
    degrees: i32,
    m: &mut dyn Measure,
) -> Option<Vec<Tick>> {
    let axis = ask.axis;
    let (a, z) = (shown.start, shown.end - 1);
    let (first, last) = match axis.kind {
        // The scale of bins goes from the first edge to the last.
        AxisKind::Number | AxisKind::Log if axis.binned && ask.frame.true_spacing => {
            let edges = axis.edges()?;
            (edges[a], edges[z + 1])
        }
        AxisKind::Index => ((axis.start + a) as f64, (axis.start + z) as f64),
        AxisKind::Time => return calendar(ask, shown, mark, degrees, m),
        AxisKind::Number if ask.frame.true_spacing || even_steps(axis) => (axis.center(a)?, axis.center(z)?),
        AxisKind::Log if ask.frame.true_spacing || geometric_steps(axis) => {
            (axis.center(a)?, axis.center(z)?)
        }
        _ => return None,
    };
    let (low, high) = (first.min(last), first.max(last));
    low.partial_cmp(&high)?;
    // Integers that f64 cannot represent are labelled by their texts.
    if !axis.levels.is_empty() && !axis.binned && low.abs().max(high.abs()) > WHOLE && whole(axis, a..z + 1) {
        return None;
    }
    let most = match ask.frame.ticks {
        // Labels closer than half a line would overlap.
        Ticks::Count(c) => {
            (c as usize).min(MOST_TICKS).min(2 + (f64::from(ask.table.pixels()) / (0.5 * ask.font)) as usize)
        }
        _ => 11,
    };
    let is_whole =
        |i: usize| axis.kind == AxisKind::Index || axis.center(i).is_some_and(|c| c.fract() == 0.0);
    // Powers are whole numbers where the cells are, and fractions lie to scale where they are not.
    let integers = axis.kind != AxisKind::Log && !axis.binned && shown.clone().all(is_whole);
    let mut tried = Vec::new();
    (2..=most.max(2)).rev().find_map(|count| {
        let [from, to] = [low, high].map(|end| near_round(end, high - low));
        let round = match axis.kind {
            AxisKind::Log => norm_ticks(&Norm::Log, from, to, count),
            _ => nice_ticks(from, to, count),
        };
        if round == tried {
            return None;
        }
        tried.clone_from(&round);
        let mut ticks: Vec<Tick> = round
            .into_iter()
            .filter(|t| !integers || t.value.fract() == 0.0)
            .filter_map(|t| {
                let at = position(axis, shown, mark, t.value.clamp(low, high))?;
                // Indices are whole numbers, whatever the step.
                let text = match &ask.frame.format {
                    Some(LabelFormat::Number(format)) => minus(&format.format(Number::F64(t.value))),
                    _ if axis.kind == AxisKind::Index => format!("{:.0}", t.value),
                    _ => typeset(&t.label),
                };
                let width = m.size(&text, ask.font).width;
                Some(Tick { at, text, width })
            })
            .collect();
        ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
        // The whole axis has the ticks that fit when upright. The labels of a part must fit as they are rotated.
        let degrees = if ask.part.is_some() { degrees } else { 0 };
        let set = TickSet { ticks, degrees, font: ask.font, ..TickSet::default() };
        (set.ticks.len() > 1 && fits(&set, ask)).then_some(set.ticks)
    })
}
