//! The choice of the tick labels of an axis, and of their rotation.

use super::flow::shortened;
use super::round_ticks::continuous;
use super::spacing::{even_steps, geometric_steps};
use super::tick_set::{Tick, TickRequest, TickSet, depth, fits, inner, numeric, reach};
use super::track::marks;
use crate::figure::{Ticks, TicksWord};
use crate::grid::AxisKind;
use crate::lint::{LintName, Lints};
use crate::text::Measure;
use std::ops::Range;

/// Chooses labels that do not overlap.
pub(super) fn choose(ask: &TickRequest<'_>, m: &mut dyn Measure) -> TickSet {
    if ask.frame.ticks == Ticks::Word(TicksWord::None) {
        return TickSet::default();
    }
    let length = f64::from(ask.table.pixels());
    let marks = if ask.frame.true_spacing {
        marks(ask.axis, ask.table)
    } else {
        Vec::new()
    };
    let middle = |i: usize| {
        let (a, b) = ask.table.extent(i);
        let at = marks.get(i).copied().unwrap_or(f64::midpoint(a, b));
        if ask.part.is_some() {
            ask.table.label_at(i, at)
        } else {
            at
        }
    };
    let shown = match &ask.part {
        None => 0..ask.axis.len(),
        Some(room) => {
            // Labels are centred on their cells.
            let seen = |i: &usize| (0.0..=length).contains(&middle(*i));
            let first = room.shown.clone().find(seen).unwrap_or(room.shown.end);
            first..room.shown.clone().rev().find(seen).map_or(first, |last| last + 1)
        }
    };
    let n = shown.len();
    if n == 0 {
        return TickSet::default();
    }
    let degrees = if ask.side {
        0
    } else {
        ask.frame.rotate.unwrap_or(0) as i32
    };
    // An axis shows at most one label per pixel, so the labels of a longer one are not even measured.
    let few = n as f64 <= length;
    let mut set = TickSet {
        degrees,
        ..TickSet::default()
    };
    if few {
        let mut cut_labels = 0u64;
        set.ticks = shown
            .clone()
            .map(|i| {
                let text = inner(ask.axis, i);
                let (text, width, cut) = shortened(&text, ask.font, ask.most, m);
                cut_labels += u64::from(cut);
                Tick {
                    at: middle(i),
                    text,
                    width,
                }
            })
            .collect();
        if cut_labels > 0 {
            let text = format!("{} axis: {cut_labels} labels are cut in the middle", ask.name);
            set.lints.add(LintName::LabelsShortened, cut_labels, text);
        }
        let is_requested = match ask.frame.ticks {
            Ticks::Count(c) => n <= c as usize,
            _ => true,
        };
        if is_requested && fits(&set, ask) {
            return within_room(set, ask);
        }
    }
    if matches!(ask.frame.ticks, Ticks::Word(TicksWord::Auto) | Ticks::Count(_))
        && let Some(ticks) = continuous(ask, &shown, &middle, degrees, m)
    {
        set.ticks = ticks;
        set.lints = Lints::default();
        return within_room(set, ask);
    }
    if !few {
        set.ticks = sample(ask, &shown, m, middle);
        // Only three labels were measured, and others may be longer.
        while set.ticks.len() > 1 && !fits(&set, ask) {
            set.ticks = set.ticks.into_iter().step_by(2).collect();
        }
        add_thinned(ask, set.ticks.len(), n, &mut set.lints);
        return within_room(set, ask);
    }
    if !ask.side && ask.frame.rotate.is_none() && !numeric(ask.axis) {
        for d in [45, 90] {
            set.degrees = d;
            if fits(&set, ask) {
                return within_room(set, ask);
            }
        }
    }
    within_room(thin(ask, shown.start, set), ask)
}

/// Removes labels of a part that do not fit the room around the body, which is the same for all parts.
fn within_room(mut set: TickSet, ask: &TickRequest<'_>) -> TickSet {
    let Some(room) = &ask.part else { return set };
    let (length, degrees, out) = (f64::from(ask.table.pixels()), set.degrees, room.out);
    if ask.side {
        // Titles are right above and below the body.
        let margin = 0.3 * ask.font;
        set.ticks.retain(|t| t.at >= margin && t.at <= length - margin);
        return set;
    }
    set.ticks.retain(|t| {
        let (left, right) = reach(t, degrees, ask.font);
        left - t.at <= out.0
            && t.at + right - length <= out.1
            && depth(t, degrees, ask.font) <= room.deep + 0.5
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

/// Every k-th label of an axis with more cells than pixels.
fn sample(
    ask: &TickRequest<'_>,
    shown: &Range<usize>,
    m: &mut dyn Measure,
    middle: impl Fn(usize) -> f64,
) -> Vec<Tick> {
    let (n, length) = (shown.len(), f64::from(ask.table.pixels()));
    let mut room = ask.font * 2.0;
    for i in [shown.start, shown.start + n / 2, shown.end - 1] {
        let (_, width, _) = shortened(&inner(ask.axis, i), ask.font, ask.most, m);
        room = room.max(if ask.side {
            ask.font * 1.5
        } else {
            width + ask.font
        });
    }
    let step = (n as f64 * room / length).ceil().max(1.0) as usize;
    // Counted from the first cell of the axis, so that the labels do not depend on the part.
    (shown.start.next_multiple_of(step)..shown.end)
        .step_by(step)
        .map(|i| {
            let (text, width, _) = shortened(&inner(ask.axis, i), ask.font, ask.most, m);
            Tick {
                at: middle(i),
                text,
                width,
            }
        })
        .collect()
}

/// Every k-th label, for the smallest k at which labels do not overlap.
fn thin(ask: &TickRequest<'_>, first: usize, set: TickSet) -> TickSet {
    let n = set.ticks.len();
    let start = match ask.frame.ticks {
        Ticks::Count(c) => n.div_ceil(c as usize).max(1),
        _ => 2,
    };
    for step in start..=n.max(start) {
        // Counted from the first cell of the axis, so that the labels do not depend on the part.
        let ticks = set
            .ticks
            .iter()
            .skip(first.next_multiple_of(step) - first)
            .step_by(step)
            .cloned()
            .collect();
        let some = TickSet {
            ticks,
            lints: set.lints.clone(),
            ..set
        };
        if fits(&some, ask) {
            let mut some = some;
            add_thinned(ask, some.ticks.len(), n, &mut some.lints);
            return some;
        }
    }
    set
}

/// Adds the warnings about an axis that shows fewer labels than cells.
fn add_thinned(ask: &TickRequest<'_>, shown: usize, n: usize, lints: &mut Lints) {
    lints.add(
        LintName::TicksThinned,
        (n - shown) as u64,
        format!("{} axis: {shown} of {n} labels are shown", ask.name),
    );
    if ask.axis.kind == AxisKind::Number
        && !ask.frame.true_spacing
        && !even_steps(ask.axis)
        && !geometric_steps(ask.axis)
    {
        let text = format!(
            "{} axis: uneven steps are drawn as equal cells; hint: --{}-spacing true",
            ask.name, ask.name
        );
        lints.add(LintName::UnevenAxis, n as u64, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Axis;
    use crate::resolve::AxisFrame;
    use crate::text::Fake;
    use crate::view::EdgeTable;

    fn set(axis: &Axis, pixels: u32, side: bool) -> TickSet {
        asked(axis, pixels, side, Ticks::Word(TicksWord::Auto))
    }

    fn asked(axis: &Axis, pixels: u32, side: bool, ticks: Ticks) -> TickSet {
        let frame = AxisFrame {
            title: String::new(),
            ticks,
            rotate: None,
            true_spacing: false,
            format: None,
        };
        let table = EdgeTable::fit(axis.len() as u32, pixels);
        choose(
            &TickRequest {
                axis,
                table: &table,
                frame: &frame,
                font: 20.0,
                most: 400.0,
                side,
                name: "x",
                part: None,
            },
            &mut Fake,
        )
    }

    #[test]
    fn positions_are_whole_numbers_at_round_steps() {
        let s = set(&Axis::index("", 300).slice(235..260), 410, false);
        assert!(s.ticks.len() >= 3 && s.lints.0.is_empty(), "{s:?}");
        assert!(
            s.ticks
                .iter()
                .all(|t| t.text.parse::<u32>().is_ok_and(|v| v % 5 == 0)),
            "{s:?}"
        );
    }

    #[test]
    fn more_ticks_than_there_is_room_for_are_no_more_work() {
        let axis = Axis::index("", 3000);
        let most = |count| asked(&axis, 410, false, Ticks::Count(count));
        assert!(most(4).ticks.len() >= 3 && most(4).ticks.len() <= 4);
        assert!(most(100).ticks.len() > 4);
        assert_eq!(most(u32::MAX), most(100));
    }

    #[test]
    fn names_are_rotated_before_they_are_thinned() {
        let names = |n: usize| Axis::category("m", (0..n).map(|i| format!("method_number_{i:02}")).collect());
        assert_eq!(
            (
                set(&names(3), 1000, false).degrees,
                set(&names(10), 1000, false).degrees
            ),
            (0, 45)
        );
        assert_eq!(set(&names(40), 1000, false).degrees, 90);
        let thin = set(&names(100), 1000, false);
        assert!(thin.ticks.len() < 100 && thin.lints.0.iter().any(|l| l.name == LintName::TicksThinned));
        assert_eq!(set(&names(40), 1000, true).degrees, 0);
    }
}
