//! The room for the labels of a part of an axis, which is the same for all parts.

use super::tick_set::{TickRequest, TickSet, depth, inner, numeric, reach};
use gridscope_core::figure::{Ticks, TicksWord};
use gridscope_core::text::Measure;

/// Removes labels of a part that do not fit the room around the body.
pub(super) fn within_room(mut set: TickSet, ask: &TickRequest<'_>) -> TickSet {
    let Some(room) = &ask.part else { return set };
    let (length, degrees, font) = (f64::from(ask.table.pixels()), set.degrees, set.font);
    if ask.side {
        // Titles are right above and below the body.
        let margin = 0.3 * ask.font;
        set.ticks.retain(|t| t.at >= margin && t.at <= length - margin);
        return set;
    }
    set.ticks.retain(|t| {
        let (left, right) = reach(t, degrees, font);
        left - t.at <= room.out.0
            && t.at + right - length <= room.out.1
            && depth(t, degrees, font) <= room.deep + 0.5
    });
    set
}

/// The most of the room for labels that is reserved for those of other parts of the axis, as a share.
const RESERVED_SHARE: f64 = 0.6;

/// The room to reserve for labels of other parts of the axis in pixels; `whole` are the labels of the whole axis.
pub(super) fn reserved_room(ask: &TickRequest<'_>, whole: &TickSet, m: &mut dyn Measure) -> f64 {
    let (axis, n) = (ask.axis, ask.axis.len());
    let upright = !ask.side && numeric(axis) && ask.frame.rotate.unwrap_or(0) == 0;
    if ask.frame.ticks == Ticks::Word(TicksWord::None) || upright || whole.ticks.len() == n {
        return if whole.ticks.is_empty() && ask.frame.ticks != Ticks::Word(TicksWord::None) {
            1.02 * ask.font
        } else {
            0.0
        };
    }
    let mut widest = 0.0f64;
    let mut measure = |i: usize| widest = widest.max(m.size(&inner(axis, i), ask.font).width);
    match axis.levels.last() {
        None => [0, n - 1].into_iter().for_each(&mut measure),
        Some(labels) => {
            let mut longest: Vec<usize> = (0..n).collect();
            if n > MEASURED {
                longest.select_nth_unstable_by_key(MEASURED, |i| std::cmp::Reverse(labels[*i].len()));
                longest.truncate(MEASURED);
            }
            longest.into_iter().for_each(&mut measure);
        }
    }
    widest.min(RESERVED_SHARE * ask.most)
}

/// The number of labels that are measured to find the widest.
const MEASURED: usize = 32;
