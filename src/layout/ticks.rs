//! Which tick labels an axis gets, and how they are turned.

use super::spacing::{WHOLE, even_steps, geometric_steps, near_round, whole};
use super::track::{marks, position};
use crate::figure::{Ticks, TicksWord};
use crate::grid::{Axis, AxisKind};
use crate::lint::{LintName, Lints};
use crate::resolve::AxisFrame;
use crate::scale::nice_ticks;
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
pub(super) struct Ask<'a> {
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

/// Chooses labels that do not meet.
pub(super) fn choose(ask: &Ask<'_>, m: &mut dyn Measure) -> TickSet {
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
        let at = marks.get(i).copied().unwrap_or((a + b) / 2.0);
        if ask.part.is_some() {
            ask.table.label_at(i, at)
        } else {
            at
        }
    };
    let shown = match &ask.part {
        None => 0..ask.axis.len(),
        Some(room) => {
            // Labels stand at the middle of their cells.
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
    // No axis shows more labels than pixels, so a long one is not even measured.
    let few = n as f64 <= length;
    let mut set = TickSet {
        degrees,
        ..TickSet::default()
    };
    if few {
        let mut shortened = 0u64;
        set.ticks = shown
            .clone()
            .map(|i| {
                let text = inner(ask.axis, i);
                let (text, width, cut) = fitted(&text, ask, m);
                shortened += u64::from(cut);
                Tick {
                    at: middle(i),
                    text,
                    width,
                }
            })
            .collect();
        if shortened > 0 {
            let text = format!("{} axis: {shortened} labels are cut in the middle", ask.name);
            set.lints.add(LintName::LabelsShortened, shortened, text);
        }
        let asked = match ask.frame.ticks {
            Ticks::Count(c) => n <= c as usize,
            _ => true,
        };
        if asked && fits(&set, ask) {
            return inside(set, ask);
        }
    }
    if matches!(ask.frame.ticks, Ticks::Word(TicksWord::Auto) | Ticks::Count(_))
        && let Some(ticks) = continuous(ask, &shown, &middle, degrees, m)
    {
        set.ticks = ticks;
        set.lints = Lints::default();
        return inside(set, ask);
    }
    if !few {
        set.ticks = sampled(ask, &shown, m, middle);
        // Only three labels were measured; a longer one asks for more room.
        while set.ticks.len() > 1 && !fits(&set, ask) {
            set.ticks = set.ticks.into_iter().step_by(2).collect();
        }
        thinned(ask, set.ticks.len(), n, &mut set.lints);
        return inside(set, ask);
    }
    if !ask.side && ask.frame.rotate.is_none() && !numeric(ask.axis) {
        for d in [45, 90] {
            set.degrees = d;
            if fits(&set, ask) {
                return inside(set, ask);
            }
        }
    }
    inside(thin(ask, shown.start, set), ask)
}

/// The labels of a part without those that would leave the room around the body, which no part may change.
fn inside(mut set: TickSet, ask: &Ask<'_>) -> TickSet {
    let Some(room) = &ask.part else { return set };
    let (length, degrees, out) = (f64::from(ask.table.pixels()), set.degrees, room.out);
    if ask.side {
        // Titles stand right over and under the body.
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

/// How far a label under an axis reaches down.
fn depth(t: &Tick, degrees: i32, font: f64) -> f64 {
    match degrees {
        0 => 1.02 * font,
        90 => t.width,
        _ => (t.width + (CAP_HEIGHT + 0.22) * font) * std::f64::consts::FRAC_1_SQRT_2,
    }
}

/// How far a label under an axis reaches to both sides of its tick.
fn reach(t: &Tick, degrees: i32, font: f64) -> (f64, f64) {
    match degrees {
        0 => (t.width / 2.0, t.width / 2.0),
        90 => (font / 2.0, font / 2.0),
        _ => (t.width * std::f64::consts::FRAC_1_SQRT_2 + font * 0.3, font * 0.6),
    }
}

/// A label that some part of the axis may show takes no more than this share of the room for labels.
const KEPT: f64 = 0.6;

/// The room that labels of other parts of the axis ask for, `whole` being those of all of it.
pub(super) fn kept(ask: &Ask<'_>, whole: &TickSet, m: &mut dyn Measure) -> f64 {
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
    widest.min(KEPT * ask.most)
}

/// So many labels are measured for the widest.
const MEASURED: usize = 32;

/// The label nearest to the cells; outer levels become group headers.
fn inner(axis: &Axis, i: usize) -> String {
    match axis.levels.last() {
        Some(l) => l[i].clone(),
        None => axis.label(i),
    }
}

fn numeric(axis: &Axis) -> bool {
    // Dates are read as texts: they turn like names.
    !matches!(axis.kind, AxisKind::Category | AxisKind::Time)
}

fn fitted(text: &str, ask: &Ask<'_>, m: &mut dyn Measure) -> (String, f64, bool) {
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
fn fits(set: &TickSet, ask: &Ask<'_>) -> bool {
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

fn needed(a: &Tick, b: &Tick, degrees: i32, ask: &Ask<'_>) -> f64 {
    match degrees {
        _ if ask.side => 1.06 * ask.font,
        0 => (a.width + b.width) / 2.0 + 0.5 * ask.font,
        90 => 1.06 * ask.font,
        _ => 1.55 * ask.font,
    }
}

/// The most round values that are tried along an axis.
const MOST_TICKS: usize = 1_000;

/// Round values along an axis of numbers in equal steps.
fn continuous(
    ask: &Ask<'_>,
    shown: &Range<usize>,
    mark: &dyn Fn(usize) -> f64,
    degrees: i32,
    m: &mut dyn Measure,
) -> Option<Vec<Tick>> {
    let axis = ask.axis;
    let (a, z) = (shown.start, shown.end - 1);
    let (first, last) = match axis.kind {
        AxisKind::Index => ((axis.start + a) as f64, (axis.start + z) as f64),
        AxisKind::Number if ask.frame.true_spacing || even_steps(axis) => (axis.center(a)?, axis.center(z)?),
        _ => return None,
    };
    let (low, high) = (first.min(last), first.max(last));
    low.partial_cmp(&high)?;
    // Integers that f64 would round have texts of their own.
    if !axis.levels.is_empty() && low.abs().max(high.abs()) > WHOLE && whole(axis, a..z + 1) {
        return None;
    }
    let most = match ask.frame.ticks {
        // Whatever is asked for, labels that stand closer than half a line would meet.
        Ticks::Count(c) => (c as usize)
            .min(MOST_TICKS)
            .min(2 + (f64::from(ask.table.pixels()) / (0.5 * ask.font)) as usize),
        _ => 11,
    };
    let mut tried = Vec::new();
    (2..=most.max(2)).rev().find_map(|count| {
        let round = nice_ticks(near_round(low, high - low), near_round(high, high - low), count);
        if round == tried {
            return None;
        }
        tried.clone_from(&round);
        let mut ticks: Vec<Tick> = round
            .into_iter()
            .filter(|t| axis.kind != AxisKind::Index || t.value.fract() == 0.0)
            .filter_map(|t| {
                let at = position(axis, shown, mark, t.value.clamp(low, high))?;
                // Positions are whole numbers, whatever step lies between them.
                let text = if axis.kind == AxisKind::Index {
                    format!("{:.0}", t.value)
                } else {
                    t.label
                };
                let width = m.size(&text, ask.font).width;
                Some(Tick { at, text, width })
            })
            .collect();
        ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
        // The whole axis keeps the ticks that it would have upright; those of a part must not reach farther down.
        let degrees = if ask.part.is_some() { degrees } else { 0 };
        let set = TickSet {
            ticks,
            degrees,
            ..TickSet::default()
        };
        (set.ticks.len() > 1 && fits(&set, ask)).then_some(set.ticks)
    })
}

/// Every k-th label of an axis with more cells than pixels.
fn sampled(
    ask: &Ask<'_>,
    shown: &Range<usize>,
    m: &mut dyn Measure,
    middle: impl Fn(usize) -> f64,
) -> Vec<Tick> {
    let (n, length) = (shown.len(), f64::from(ask.table.pixels()));
    let mut room = ask.font * 2.0;
    for i in [shown.start, shown.start + n / 2, shown.end - 1] {
        let (_, width, _) = fitted(&inner(ask.axis, i), ask, m);
        room = room.max(if ask.side {
            ask.font * 1.5
        } else {
            width + ask.font
        });
    }
    let step = (n as f64 * room / length).ceil().max(1.0) as usize;
    // The same labels whatever part is shown: those of every step-th cell of the axis.
    (shown.start.next_multiple_of(step)..shown.end)
        .step_by(step)
        .map(|i| {
            let (text, width, _) = fitted(&inner(ask.axis, i), ask, m);
            Tick {
                at: middle(i),
                text,
                width,
            }
        })
        .collect()
}

/// The most labels, evenly chosen, that keep apart.
fn thin(ask: &Ask<'_>, first: usize, set: TickSet) -> TickSet {
    let n = set.ticks.len();
    let start = match ask.frame.ticks {
        Ticks::Count(c) => n.div_ceil(c as usize).max(1),
        _ => 2,
    };
    for step in start..=n.max(start) {
        // The same labels whatever part is shown: those of every step-th cell of the axis.
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
            thinned(ask, some.ticks.len(), n, &mut some.lints);
            return some;
        }
    }
    set
}

fn thinned(ask: &Ask<'_>, shown: usize, n: usize, lints: &mut Lints) {
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
    use crate::text::Fake;

    fn set(axis: &Axis, pixels: u32, side: bool) -> TickSet {
        asked(axis, pixels, side, Ticks::Word(TicksWord::Auto))
    }

    fn asked(axis: &Axis, pixels: u32, side: bool, ticks: Ticks) -> TickSet {
        let frame = AxisFrame {
            title: String::new(),
            ticks,
            rotate: None,
            true_spacing: false,
        };
        let table = EdgeTable::fit(axis.len() as u32, pixels);
        choose(
            &Ask {
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
    fn names_turn_before_they_are_thinned() {
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
