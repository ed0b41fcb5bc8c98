//! The choice of the tick labels and group headers of each panel, made once for panels with equal axes.

use super::measure::{LABEL_SHARE, Level, headers};
use super::page::Page;
use super::round_ticks::{continuous, whole};
use super::tick_labels::{Places, labels_at, labels_of, reserved_room, within_room};
use super::tick_set::{
    Means, SMALLER, TickRequest, TickSet, add_thinned, add_uneven, by_room, every_kth, fits, inner, is_even,
    round_cells, with_ticks,
};
use super::track::position;
use crate::resolve::{Frame, KeyTick};
use gridscope_core::figure::{Ticks, TicksWord};
use gridscope_core::grid::{AxisKind, Number};
use gridscope_core::lint::{Lint, LintName};
use gridscope_core::scale::{LabelFormat, minus, typeset};
use gridscope_core::text::{Measure, clean};
use std::ops::Range;
use std::sync::Arc;

/// Up to this many keys in even steps all have labels, made a little smaller if they must.
const FEW_KEYS: usize = 24;
/// The most cells whose own numbers are the only ticks, unless they are whole.
const MANY_CELLS: usize = 100;
/// Up to this many times all have labels, turned if they must.
const FEW_TIMES: usize = 12;

/// Chooses labels that do not overlap, and reports neighbours that the user's format makes equal.
pub(super) fn choose(ask: &TickRequest<'_>, m: &mut dyn Measure) -> TickSet {
    let mut set = chosen(ask, m);
    if is_auto(ask) && !ask.keys.is_empty() && ask.keys.len() < ask.axis.len() {
        let places = Places::new(ask);
        let shown = places.shown();
        let cells =
            ask.keys.iter().filter_map(|key| if let KeyTick::Cell(i) = key { Some(*i) } else { None });
        let at = cells.filter(|i| shown.contains(i)).map(|i| (places.of(i), inner(ask.axis, i)));
        let mut at: Vec<(f64, String)> = at.collect();
        at.sort_by(|a, b| a.0.total_cmp(&b.0));
        let own = labels_at(at, ask, m).resized(set.font).ticks;
        set = within_room(with_ticks(set, &own, ask), ask);
    }
    let equal = set.ticks.windows(2).filter(|w| w[0].text == w[1].text).count();
    if equal > 0 && ask.frame.format.is_some() {
        let text = format!(
            "{} axis: {equal} of {} labels are equal to their neighbour in the format of --{}fmt",
            ask.name,
            set.ticks.len(),
            ask.name
        );
        set.lints.add(LintName::LabelsRepeated, equal as u64, text);
    }
    set
}

/// Whether the layout chooses the cells with ticks.
fn is_auto(ask: &TickRequest<'_>) -> bool {
    matches!(ask.frame.ticks, Ticks::Word(TicksWord::Auto) | Ticks::Count(_))
}

/// All labels that were asked for if they fit, otherwise those of every k-th cell.
fn chosen(ask: &TickRequest<'_>, m: &mut dyn Measure) -> TickSet {
    let none = TickSet { font: ask.font, ..TickSet::default() };
    let places = Places::new(ask);
    let shown = places.shown();
    if ask.frame.ticks == Ticks::Word(TicksWord::None) || shown.is_empty() {
        return none;
    }
    let length = f64::from(ask.table.pixels());
    let steps = is_even(ask);
    // Of coordinates and many cells that are not whole numbers, round values between them say more than their own.
    let is_fine = ask.axis.kind == AxisKind::Number && (ask.axis.len() > MANY_CELLS || ask.frame.coordinates);
    let even = steps && (!is_fine || whole(ask.axis, 0..ask.axis.len()));
    let is_auto = is_auto(ask);
    // Round values are no labels of cells whose own were given.
    let is_own = is_auto && ask.keys.len() == ask.axis.len();
    // Of many times side by side, those where parts of the calendar begin are easier to read than all of them turned.
    let turns = !(is_auto && ask.axis.kind == AxisKind::Time && shown.len() > FEW_TIMES);
    let is_scale = steps && (ask.axis.len() > FEW_KEYS || ask.axis.levels.is_empty());
    let means = Means {
        all: matches!(ask.frame.ticks, Ticks::Word(TicksWord::All) | Ticks::Every(_) | Ticks::Keys(_)),
        scale: is_scale || ask.frame.true_spacing && ask.axis.kind == AxisKind::Number,
        turns,
    };
    if matches!(ask.frame.ticks, Ticks::Keys(_)) {
        return within_room(at_keys(ask, &places, means, m), ask);
    }
    let every = match ask.frame.ticks {
        Ticks::Every(step) => step as usize,
        _ => 1,
    };
    let first = shown.start.next_multiple_of(every);
    let n = shown.end.saturating_sub(first).div_ceil(every);
    let most = match ask.frame.ticks {
        Ticks::Count(c) => c as usize,
        _ => usize::MAX,
    };
    // On many cells of a logarithmic axis, powers of ten are easier to read than their numbers; so are round values than the
    // edges of bins.
    let is_round =
        ask.axis.kind == AxisKind::Log && shown.len() > FEW_KEYS || ask.axis.binned && ask.frame.true_spacing;
    if is_auto
        && !is_own
        && is_round
        && let Some(ticks) = continuous(ask, &shown, &|i| places.of(i), none.degrees, m)
    {
        return within_room(TickSet { ticks, ..none }, ask);
    }
    let mut wanted = 0.0;
    // An axis shows at most one label per pixel, so the labels of a longer one are not even measured.
    if n as f64 <= length {
        let cells = (first..shown.end).step_by(every);
        if n <= most {
            let set = labels_of(cells, ask, &places, m);
            if let Some(set) = means.arranged(&set, ask, m) {
                return within_room(set, ask);
            }
            if means.all || !means.scale {
                wanted = means.wanted(&set, ask);
            }
        }
    } else if means.all || !means.scale {
        wanted = (1.06 * n as f64 * means.least(ask)).ceil();
    }
    if is_auto
        && !is_own
        && !even
        && let Some(ticks) = continuous(ask, &shown, &|i| places.of(i), none.degrees, m)
    {
        let mut set = TickSet { ticks, ..none };
        if ask.axis.kind == AxisKind::Time {
            add_uneven(ask, &mut set);
        }
        return within_room(set, ask);
    }
    if is_auto && ask.frame.true_spacing && n as f64 <= length {
        // Cells of several widths: every label that has room beside the one before, upright where most of them are.
        let all = labels_of(shown.clone(), ask, &places, m);
        let degrees = means.degrees(ask).iter().rev();
        let sets = degrees.map(|&degrees| by_room(TickSet { degrees, ..all.clone() }, most, ask));
        if let Some(mut set) = sets.max_by_key(|set| set.ticks.len()) {
            let shown = set.ticks.len();
            if shown < n {
                let text =
                    format!("{} axis: {shown} of {n} labels are shown, where they have room", ask.name);
                set.lints.add(LintName::TicksThinned, (n - shown) as u64, text);
            }
            set.wanted = wanted;
            return within_room(set, ask);
        }
    }
    let least = n.div_ceil(most).max(if n <= most { every + 1 } else { 1 });
    let thinned = if even { round_cells(ask, &shown, least, &places, m) } else { None };
    let (mut set, k) = thinned.unwrap_or_else(|| every_kth(ask, &shown, (least, every), means, &places, m));
    set.wanted = wanted;
    // Nothing is lost where fewer were asked for, or where cells have no labels but their positions.
    let is_silent = n > most || !means.all && ask.axis.levels.is_empty();
    add_thinned(ask, &mut set, if is_silent { 0 } else { n }, k);
    within_room(set, ask)
}

/// The ticks that a list of keys asks for.
fn at_keys(ask: &TickRequest<'_>, places: &Places<'_>, means: Means, m: &mut dyn Measure) -> TickSet {
    let shown = places.shown();
    let mut at: Vec<(f64, String)> = Vec::new();
    for key in ask.keys {
        match key {
            KeyTick::Cell(i) if shown.contains(i) => at.push((places.of(*i), inner(ask.axis, *i))),
            KeyTick::Cell(_) => {}
            KeyTick::Value(value, text) => {
                let text = match &ask.frame.format {
                    Some(LabelFormat::Number(format)) => minus(&format.format(Number::F64(*value))),
                    _ => typeset(text),
                };
                at.extend(position(ask.axis, &shown, &|i| places.of(i), *value).map(|at| (at, text)));
            }
        }
    }
    at.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = at.len();
    let all = labels_at(at, ask, m);
    if let Some(set) = means.arranged(&all, ask, m) {
        return set;
    }
    let wanted = means.wanted(&all, ask);
    let turned = TickSet { degrees: *means.degrees(ask).last().unwrap_or(&0), ..all };
    let every =
        |k: usize| TickSet { ticks: turned.ticks.iter().step_by(k).cloned().collect(), ..turned.clone() };
    let mut set = (2..n).map(every).find(|s| fits(s, ask)).unwrap_or_else(|| every(n.max(1)));
    set.wanted = wanted;
    let k = n.div_ceil(set.ticks.len().max(1));
    add_thinned(ask, &mut set, n, k);
    set
}

/// The most of the canvas that a group header takes, as a share.
const HEADER_SHARE: f64 = 0.2;

/// Chooses the labels of all panels.
pub(super) fn labels(frame: &Frame, page: &mut Page, m: &mut dyn Measure) {
    let sharing = Arc::clone(&page.sharing);
    for i in 0..page.panels.len() {
        for side in [false, true] {
            // Equal axes have equal labels where their cells are equally large.
            let first = if side { sharing.y[i] } else { sharing.x[i] };
            let (p, earlier) = (&page.panels[i], &page.panels[first]);
            let has_same_places = if side {
                p.rows.pixels() == earlier.rows.pixels()
            } else {
                p.columns.pixels() == earlier.columns.pixels()
            };
            let is_shown = if side { p.shows_y } else { p.shows_x };
            // Copies for thousands of panels that show none would take long.
            let (ticks, levels) = if first < i && !is_shown {
                Default::default()
            } else if first < i && has_same_places {
                let p = earlier;
                if side { (p.y.clone(), p.y_headers.clone()) } else { (p.x.clone(), p.x_headers.clone()) }
            } else {
                choose_side(frame, page, i, side, m)
            };
            let p = &mut page.panels[i];
            if side {
                (p.y, p.y_headers) = (ticks, levels);
            } else {
                (p.x, p.x_headers) = (ticks, levels);
            }
        }
    }
}

/// The largest side of a figure that a hint names, in inches.
const LARGEST_SIDE: f64 = 60.0;

/// Hint that shows all labels that were asked for: smaller labels, or a larger figure.
fn hint(frame: &Frame, page: &Page, ask: &TickRequest<'_>, ticks: &TickSet) -> Option<String> {
    let length = f64::from(ask.table.pixels());
    let (flag, whole, bodies) = if ask.side {
        let height = frame.height.unwrap_or_else(|| page.content_height());
        ("height", height, page.rows())
    } else {
        ("width", page.width, page.columns)
    };
    // Of automatic labels, names are smaller only by a quarter, and numbers are not.
    if ask.frame.ticks == Ticks::Word(TicksWord::Auto) {
        let smallest = if ticks.wanted > 0.0 {
            ticks.wanted * frame.least_font / (SMALLER * ask.font).max(frame.least_font)
        } else {
            1.06 * ask.axis.len() as f64 * frame.least_font
        };
        if smallest <= length {
            return Some(format!("--{}ticks all", ask.name));
        }
    }
    let inches = (whole + bodies as f64 * (ticks.wanted - length)) / frame.dpi;
    (ticks.wanted > 0.0 && inches <= LARGEST_SIDE)
        .then(|| format!("--{flag} {:.1}in", (inches * 10.0).ceil() / 10.0))
}

/// Chooses the labels of one axis of a panel, and the headers of their groups.
fn choose_side(
    frame: &Frame,
    page: &Page,
    i: usize,
    side: bool,
    m: &mut dyn Measure,
) -> (TickSet, Vec<Level>) {
    let (panel, p, f) = (&frame.panels[i], &page.panels[i], page.fonts.tick);
    let canvas = (page.width, frame.height.unwrap_or(page.width).min(page.width));
    // Labels beside several columns or rows of panels share what one would take.
    let [columns, rows] = [page.labelled_columns(), page.labelled_rows()].map(|n| n as f64);
    let (axis, table, spec, name) = if side {
        (&panel.rows, &p.rows, &frame.y, "y")
    } else {
        (&panel.columns, &p.columns, &frame.x, "x")
    };
    let most = if side {
        // Room that other columns of panels do not need is free.
        let share = LABEL_SHARE * canvas.0 / columns;
        let others = page.left.iter().enumerate().filter(|(c, _)| *c != page.places.column(i));
        let taken: f64 = others.map(|(_, left)| left.min(share)).sum();
        (LABEL_SHARE * canvas.0 - taken).max(share)
    } else {
        LABEL_SHARE * canvas.1 / rows
    };
    let ask = TickRequest {
        axis,
        table,
        frame: spec,
        font: f,
        least: frame.least_font,
        keys: spec.key_ticks.get(i).map_or(&[], Vec::as_slice),
        most,
        side,
        name,
        steep: page.steep,
        part: None,
    };
    let mut ticks = choose(&ask, m);
    let is_thinned = |l: &Lint| l.name == LintName::TicksThinned;
    if ticks.lints.0.iter().any(is_thinned)
        && let Some(hint) = hint(frame, page, &ask, &ticks)
    {
        let lints = ticks.lints.0.iter_mut();
        lints.filter(|l| is_thinned(l)).for_each(|l| l.hint(&hint));
    }
    if frame.viewed {
        ticks.reserved = reserved_room(&ask, &ticks, m);
    }
    let length = |cells: &Range<usize>| {
        let (a, b) = (table.extent(cells.start), table.extent(cells.end - 1));
        b.1.max(a.1) - a.0.min(b.0)
    };
    let header = HEADER_SHARE * canvas.0 / if side { columns } else { rows };
    let outer = 0..axis.levels.len().saturating_sub(1);
    let mut levels: Vec<Level> = outer.map(|l| headers(axis, l, f, header, length, m)).collect();
    if spec.titles_of_panels {
        let title =
            Level::title(&clean(&axis.name), axis.len(), page.fonts.axis, f64::from(table.pixels()), m);
        levels.splice(0..0, title);
    }
    let (hidden, all) = levels.iter().fold((0, 0), |a, l| (a.0 + l.thinned, a.1 + l.headers.len()));
    if hidden > 0 {
        let text = format!("{name} axis: {} of {all} group headers are shown", all - hidden);
        ticks.lints.add(LintName::TicksThinned, hidden as u64, text);
    }
    (ticks, levels)
}

#[cfg(test)]
mod tests;
