//! Rules for the labels along the sides of panels.

use super::drawn::{Drawn, plain};
use super::numbers::{digits, stated};
use super::rules::Faults;
use super::sides::{Shown, Side};
use gridscope::LintName;
use gridscope::grid::AxisKind;

/// Labels of at most this many characters are never shortened: the figure grows instead.
const WHOLE: usize = 48;
/// This many numbers are all shown, rotated where they must be.
const FEW: usize = 16;
/// The characters of `2024-03-30 06:00` without its blank: no time needs more.
const LONGEST_TIME: usize = 15;

/// Adds what is wrong with the labels of all panels.
pub fn check(drawn: &Drawn, faults: &mut Faults) {
    for panel in 0..drawn.grids.len() {
        for of_rows in [true, false] {
            let side = Side { drawn, panel, of_rows };
            let place = format!("panel {panel}, {}", if of_rows { "rows" } else { "columns" });
            let reader = |i: usize| Side { drawn, panel: i, of_rows };
            let alike = |i: &usize| {
                let (a, b) = (side.axis(), reader(*i).axis());
                (0..a.len().max(b.len()))
                    .all(|k| k < a.len() && k < b.len() && side.label(k) == reader(*i).label(k))
            };
            let with_labels =
                side.readable().into_iter().filter(alike).find(|i| !reader(*i).shown().is_empty());
            match with_labels {
                None => faults.add(
                    "labels-missing",
                    format!("{place}: no label at any of {} cells", side.axis().len()),
                ),
                Some(i) if i == panel => check_side(&side, &place, faults),
                Some(_) => {}
            }
        }
    }
}

/// A logarithmic axis of more cells is a scale.
const MOST_KEYS: usize = 24;

fn check_side(side: &Side<'_>, place: &str, faults: &mut Faults) {
    let (axis, shown) = (side.axis(), side.shown());
    let frame = &side.drawn.prepared.frame;
    let spec = if side.of_rows { &frame.y } else { &frame.x };
    for pair in shown.windows(2) {
        if pair[0].text == pair[1].text && side.label(pair[0].cell) != side.label(pair[1].cell) {
            faults.add("labels-equal", format!("{place}: '{}' is at two cells", pair[0].text));
        }
    }
    // Ticks of scales lie between cells.
    let between =
        spec.true_spacing || spec.coordinates || axis.kind == AxisKind::Log && axis.len() > MOST_KEYS;
    match axis.kind {
        AxisKind::Time => {
            if shown.len() < axis.len().min(2) {
                faults.add("labels-share", format!("{place}: {} of {} times", shown.len(), axis.len()));
            }
            for s in shown.iter().filter(|s| s.text.chars().count() > LONGEST_TIME) {
                faults.add("labels-time", format!("{place}: '{}'", s.text));
            }
            return;
        }
        AxisKind::Category => names(side, &shown, place, faults),
        _ => numbers(side, &shown, between, place, faults),
    }
    share(side, &shown, between, place, faults);
}

fn names(side: &Side<'_>, shown: &[Shown], place: &str, faults: &mut Faults) {
    for s in shown {
        let wanted = side.label(s.cell);
        if s.text == plain(&wanted) {
            continue;
        }
        let is_short = is_shortened(&s.text, &plain(&wanted));
        // A number of a list below the figure means a label.
        let is_numbered = s.text.chars().all(|c| c.is_ascii_digit() || "()[]".contains(c));
        if is_short || is_numbered {
            if wanted.chars().count() <= WHOLE {
                faults.add("labels-cut", format!("{place}: '{}' for '{wanted}'", s.text));
            }
            if !side.drawn.has_lint(LintName::LabelsShortened) {
                faults.add("labels-silent", format!("{place}: '{}' for '{wanted}' is not reported", s.text));
            }
        } else if stated(&wanted).is_none() || stated(&s.text).is_none() {
            faults.add("labels-wrong", format!("{place}: '{}' at the cell of '{wanted}'", s.text));
        }
    }
}

/// Whether a text has pieces of a label in their order, `…` for what is left out, and at most a number behind it.
fn is_shortened(text: &str, label: &str) -> bool {
    let numbered = text.strip_suffix(')').and_then(|t| t.rsplit_once('('));
    let text = numbered.filter(|(_, n)| n.parse::<u32>().is_ok()).map_or(text, |(t, _)| t);
    let pieces: Vec<&str> = text.split('…').collect();
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
        return false;
    };
    let mut rest = label;
    let in_order = pieces.iter().all(|piece| {
        let found = rest.find(piece);
        rest = found.map_or("", |i| &rest[i + piece.len()..]);
        found.is_some()
    });
    pieces.len() > 1 && in_order && label.starts_with(first) && label.ends_with(last)
}

/// The number of a cell.
fn key(side: &Side<'_>, cell: usize) -> Option<f64> {
    side.axis().center(cell).or_else(|| side.label(cell).parse().ok())
}

fn numbers(side: &Side<'_>, shown: &[Shown], true_spacing: bool, place: &str, faults: &mut Faults) {
    let n = side.axis().len();
    let keys: Vec<f64> = (0..n).map_while(|i| key(side, i)).collect();
    if keys.len() < n {
        return;
    }
    let whole = keys.iter().all(|k| k.fract() == 0.0);
    for s in shown {
        let Some((v, half)) = stated(&s.text) else {
            faults.add("labels-number", format!("{place}: '{}' is not a number", s.text));
            continue;
        };
        if digits(&s.text) > 6 && !whole {
            faults.add("labels-digits", format!("{place}: '{}' has {} digits", s.text, digits(&s.text)));
        }
        let distance = |i: &usize| (keys[*i] - v).abs();
        let closest = (0..n).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
        if true_spacing && n > 1 {
            let (low, high) = (position(side, &keys, v - half), position(side, &keys, v + half));
            let (low, high) = (low.min(high) - 2.0, low.max(high) + 2.0);
            if !(low..=high).contains(&s.at) {
                faults.add(
                    "labels-place",
                    format!("{place}: '{}' is at {:.1}, not {low:.1} to {high:.1}", s.text, s.at),
                );
            }
        } else if closest != s.cell || distance(&closest) > half * 1.001 + 1e-12 * v.abs() {
            let wanted = side.label(s.cell);
            faults.add("labels-number", format!("{place}: '{}' at the cell of {wanted}", s.text));
        } else if whole && v.fract() != 0.0 {
            faults.add("labels-number", format!("{place}: '{}' for a whole number", s.text));
        } else if (s.at - side.middle(s.cell)).abs() > 2.0 + 0.15 * s.font {
            let off = s.at - side.middle(s.cell);
            faults.add("labels-place", format!("{place}: '{}' is {off:.1} px beside its cell", s.text));
        }
    }
}

/// Where a number lies along the body, by the middles of the cells around it.
fn position(side: &Side<'_>, keys: &[f64], v: f64) -> f64 {
    let n = keys.len();
    let grows = keys[n - 1] >= keys[0];
    let after = keys.iter().position(|k| if grows { *k >= v } else { *k <= v }).unwrap_or(n - 1).max(1);
    let (a, b) = (after - 1, after);
    let of = |v: f64| {
        if side.axis().kind == AxisKind::Log { v.max(f64::MIN_POSITIVE).ln() } else { v }
    };
    let t = (of(v) - of(keys[a])) / (of(keys[b]) - of(keys[a]));
    side.middle(a) * (1.0 - t) + side.middle(b) * t
}

/// All labels that fit are shown; others are left out at regular steps, and that is reported.
fn share(side: &Side<'_>, shown: &[Shown], true_spacing: bool, place: &str, faults: &mut Faults) {
    let n = side.axis().len();
    let mut cells: Vec<usize> = shown.iter().map(|s| s.cell).collect();
    cells.sort_unstable();
    cells.dedup();
    if cells.len() >= n || true_spacing || shown.is_empty() {
        return;
    }
    let font = shown.iter().map(|s| s.font).fold(0.0, f64::max);
    let cell = side.length() / n as f64;
    let is_name = side.axis().kind == AxisKind::Category;
    let widest = shown.iter().map(|s| s.along).fold(0.0, f64::max);
    // Names may be rotated, and so may a few numbers; many are upright.
    let is_rotated = is_name || n <= FEW;
    let needs = if side.of_rows || is_rotated { 1.15 * font } else { widest + 0.55 * font };
    if cell >= needs {
        let text = format!(
            "{place}: {} of {n} labels, each with {cell:.0} px where {needs:.0} are enough",
            cells.len()
        );
        faults.add("labels-share", text);
    }
    // Numbers at equal steps are read from two labels.
    if cells.len() < n.min(if is_name { 3 } else { 2 }) {
        faults.add("labels-share", format!("{place}: {} of {n} labels", cells.len()));
    }
    if is_name {
        let steps: Vec<usize> = cells.windows(2).map(|p| p[1] - p[0]).collect();
        if steps.iter().any(|s| *s != steps[0]) {
            faults.add("labels-regular", format!("{place}: labels at the cells {cells:?}"));
        }
        if !side.drawn.has_lint(LintName::TicksThinned) {
            faults.add("labels-silent", format!("{place}: {} of {n} labels, not reported", cells.len()));
        }
    }
}
