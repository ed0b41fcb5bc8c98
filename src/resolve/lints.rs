//! Warnings about the data: what a reader of the figure would want to know and could not see.

use super::frame::Frame;
use super::notes::place_of;
use super::scheme::{Colours, PanelColours};
use crate::figure::{BarPlace, Reduce};
use crate::grid::{Axis, AxisKind, Grid, State, Stats};
use crate::lint::{LintName, Lints};
use crate::scale::short;

/// Labels named in one line.
const NAMED: usize = 5;

/// Cells below `vmin` and above `vmax`, infinities among them.
pub(super) fn beyond(grid: &Grid, vmin: f64, vmax: f64) -> (u64, u64) {
    let w = grid.width();
    let (mut below, mut above) = (0, 0);
    for v in (0..grid.height() * w).filter_map(|i| grid.at(i / w, i % w).ok()) {
        let v = v.as_f64();
        below += u64::from(v < vmin);
        above += u64::from(v > vmax);
    }
    (below, above)
}

pub(super) fn lints(frame: &Frame, grids: &[Grid], stats: &[Stats], colours: &Colours) -> Lints {
    let mut out = Lints::default();
    clipped(frame, grids, stats, colours, &mut out);
    for (i, (g, s)) in grids.iter().zip(stats).enumerate() {
        states(g, s, &mut out);
        if colours.reduce != Reduce::Count {
            range(frame, i, g, s, colours, &mut out);
        }
        let p = &colours.panels[i];
        if p.hidden > 0 {
            let shown = if p.rings.is_empty() { "no rings drawn" } else { "ringed" };
            let text = format!("{} pixels show a mean that hides an extreme ({shown}); hint: --reduce extreme", p.hidden);
            out.add_panel(LintName::HiddenExtremes, &g.name, p.hidden, text);
        }
    }
    if colours.reduce != Reduce::Count {
        for (bar, made) in frame.bars.iter().zip(&colours.bars).filter(|(b, _)| !b.clips) {
            let spec = made.scale.spec();
            outliers(grids, stats, &bar.panels, (spec.vmin, spec.vmax), &mut out);
        }
    }
    mixed(frame, colours, &mut out);
    out
}

fn clipped(frame: &Frame, grids: &[Grid], stats: &[Stats], colours: &Colours, out: &mut Lints) {
    let mut all = (0u64, 0u64, 0);
    let mut list = Lints::default();
    for ((g, s), p) in grids.iter().zip(stats).zip(&colours.panels) {
        let spec = p.scale.spec();
        let (below, above) = (p.below.saturating_sub(s.neg_inf), p.above.saturating_sub(s.pos_inf));
        all = (all.0 + below + above, all.1 + s.cells(), all.2 + u32::from(below + above > 0));
        let line = |count: u64, side: &str, limit: f64, extreme: &str, v: Option<crate::grid::Number>, at: &[(usize, usize)]| {
            let at = at.first().map_or(String::new(), |&(r, c)| format!(" at {}", place_of(g, r, c)));
            let v = v.map_or(String::new(), |v| v.to_string());
            format!("{count} of {} cells {side} {}; {extreme} {v}{at}", s.cells(), short(limit))
        };
        if above > 0 {
            let text = line(above, "above vmax", spec.vmax, "largest", s.max, &s.max_cells);
            list.add_panel(LintName::Clipped, &g.name, above, text);
        }
        if below > 0 {
            let text = line(below, "below vmin", spec.vmin, "least", s.min, &s.min_cells);
            list.add_panel(LintName::Clipped, &g.name, below, text);
        }
    }
    if all.2 > 1 || (all.2 == 1 && frame.panels.len() > 1) {
        out.add(LintName::Clipped, all.0, format!("{} of {} cells lie beyond the limits", all.0, all.1));
    }
    out.append(list);
}

fn states(g: &Grid, s: &Stats, out: &mut Lints) {
    let of = |state: State| s.states[state.index()];
    let total = s.cells();
    let mut state = |name: LintName, count: u64, what: &str| {
        if count > 0 {
            out.add_panel(name, &g.name, count, format!("{count} of {total} cells {what}"));
        }
    };
    state(LintName::Absent, of(State::Absent), "have no data");
    state(LintName::Nan, of(State::Nan), "have no value");
    state(LintName::Masked, of(State::Masked), "are masked");
    state(LintName::Infinite, s.pos_inf + s.neg_inf, "are infinite");
    if s.values == total {
        return;
    }
    let (w, h) = (g.width(), g.height());
    let holds = |r: usize, c: usize| State::of_bits(g.cells()[r * w + c]).is_none();
    let empty_rows: Vec<usize> = (0..h).filter(|&r| (0..w).all(|c| !holds(r, c))).collect();
    let empty_columns: Vec<usize> = (0..w).filter(|&c| (0..h).all(|r| !holds(r, c))).collect();
    for (name, word, axis, list) in
        [(LintName::EmptyRow, "row", &g.rows, &empty_rows), (LintName::EmptyColumn, "column", &g.columns, &empty_columns)]
    {
        if !list.is_empty() {
            let (plural, verb) = if list.len() == 1 { ("", "has") } else { ("s", "have") };
            let text = format!("{} {word}{plural} {verb} no value: {}", list.len(), names(axis, list));
            out.add_panel(name, &g.name, list.len() as u64, text);
        }
    }
    let continuous = |a: &Axis| matches!(a.kind, AxisKind::Number | AxisKind::Log | AxisKind::Time);
    let present = total - of(State::Absent);
    if present * 20 < total && continuous(&g.rows) && continuous(&g.columns) {
        let text = format!("{present} of {total} cells have data: are the coordinates continuous? hint: round or bin them first");
        out.add_panel(LintName::Sparse, &g.name, present, text);
    }
}

fn names(axis: &Axis, list: &[usize]) -> String {
    let mut text = list.iter().take(NAMED).map(|&i| axis.label(i)).collect::<Vec<_>>().join(", ");
    if list.len() > NAMED {
        text.push_str(", …");
    }
    text
}

fn range(frame: &Frame, i: usize, g: &Grid, s: &Stats, colours: &Colours, out: &mut Lints) {
    let Some((min, max)) = s.range().filter(|(a, b)| a < b) else { return };
    let PanelColours { scale, .. } = &colours.panels[i];
    let spec = scale.spec();
    let index = |v: crate::grid::Number| scale.index(g.encoding().encode(v));
    if let (Some(a), Some(b)) = (s.min, s.max)
        && index(a) == index(b)
    {
        let text =
            format!("{} different values from {} to {} show as one colour; hint: --scale panel", distinct(g), short(min), short(max));
        out.add_panel(LintName::FlatPanel, &g.name, s.values, text);
        return;
    }
    let t = |v: f64| spec.norm.t(v.clamp(spec.vmin, spec.vmax), spec.vmin, spec.vmax, spec.map.entries.len()).clamp(0.0, 1.0);
    let used = t(max) - t(min);
    let bar = &frame.bars[frame.panels[i].scale];
    if used < 0.25 && (bar.panels.len() > 1 || bar.clips) {
        let text = format!("its values use {:.0} % of the colours; hint: --scale panel", used * 100.0);
        out.add_panel(LintName::UnusedRange, &g.name, s.values, text);
    }
}

fn finite(g: &Grid) -> impl Iterator<Item = f64> + '_ {
    let w = g.width();
    (0..g.cells().len()).filter_map(move |i| g.at(i / w, i % w).ok()).map(|v| v.as_f64()).filter(|v| v.is_finite())
}

fn distinct(g: &Grid) -> usize {
    let mut bits: Vec<u64> = finite(g).map(f64::to_bits).collect();
    bits.sort_unstable();
    bits.dedup();
    bits.len()
}

/// A few extreme cells that take more than half of the limits of all panels that share them.
fn outliers(grids: &[Grid], stats: &[Stats], members: &[usize], (vmin, vmax): (f64, f64), out: &mut Lints) {
    let mut v: Vec<f64> = members.iter().flat_map(|&i| finite(&grids[i])).collect();
    // In fewer cells than this one of them is no exception.
    if v.len() < 10 {
        return;
    }
    v.sort_unstable_by(f64::total_cmp);
    let few = (v.len() / 1000).max(1);
    let middle = v[v.len() / 2];
    let (mut low, mut high) = (0, v.len());
    for _ in 0..few {
        if middle - v[low] > v[high - 1] - middle { low += 1 } else { high -= 1 }
    }
    let (rest_min, rest_max) = (v[low], v[high - 1]);
    if rest_max - rest_min >= (vmax - vmin) / 2.0 {
        return;
    }
    let hint = if rest_min > 0.0 && v[0] > 0.0 && vmax > 100.0 * rest_max {
        "--norm log".to_owned()
    } else {
        let mut flags = Vec::new();
        if low > 0 {
            flags.push(format!("--vmin {}", short(rest_min)));
        }
        if high < v.len() {
            flags.push(format!("--vmax {}", short(rest_max)));
        }
        flags.join(" ")
    };
    let far = |i: &&usize| stats[**i].range().map_or(f64::NAN, |(a, b)| if high < v.len() { b } else { -a });
    let Some(&i) = members.iter().filter(|i| !far(i).is_nan()).max_by(|a, b| far(a).total_cmp(&far(b))) else { return };
    let (g, s) = (&grids[i], &stats[i]);
    let (at, what) = if high < v.len() { (s.max_cells.first(), s.max) } else { (s.min_cells.first(), s.min) };
    let place =
        at.map_or(String::new(), |&(r, c)| format!(" ({} at {})", what.map_or(String::new(), |v| v.to_string()), place_of(g, r, c)));
    let cells = if few == 1 { "the most extreme cell".to_owned() } else { format!("the {few} most extreme cells") };
    let text = format!("without {cells}{place} the rest spans under half of the limits; hint: {hint}");
    out.add_panel(LintName::OutlierLimits, &g.name, few as u64, text);
}

/// Panels that look comparable and are not.
fn mixed(frame: &Frame, colours: &Colours, out: &mut Lints) {
    let mut count = 0;
    for (i, (a, bar)) in frame.bars.iter().zip(&colours.bars).enumerate() {
        let spec = bar.scale.spec();
        let other = frame.bars.iter().zip(&colours.bars).enumerate().any(|(j, (b, other))| {
            let o = other.scale.spec();
            i != j && a.label == b.label && spec.map.name == o.map.name && (spec.vmin, spec.vmax) != (o.vmin, o.vmax)
        });
        count += u64::from(other && (a.place == BarPlace::None || a.label.is_empty()));
    }
    if count > 0 {
        out.add(
            LintName::MixedScales,
            count,
            format!("{count} scales share a colormap but not their limits, and no labelled bar tells them apart"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Folded, colours, frame};
    use super::*;
    use crate::figure::Figure;

    fn told(figure: &Figure, panels: &[(&str, Vec<f64>)]) -> Vec<(LintName, Option<String>, u64)> {
        let grids: Vec<Grid> = panels
            .iter()
            .map(|(name, v)| {
                let mut g = Grid::from_rows(v.len() / 4, 4, v.clone()).unwrap();
                g.name = (*name).to_owned();
                g
            })
            .collect();
        let stats: Vec<Stats> = grids.iter().map(Grid::stats).collect();
        let folded: Vec<Folded<'_>> = stats.iter().map(|stats| Folded { stats, body: None }).collect();
        let out = colours(figure, &frame(figure, &grids).unwrap(), &grids, &folded).unwrap();
        out.lints.0.into_iter().map(|l| (l.name, l.panel, l.count)).collect()
    }

    fn steps(from: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| from + i as f64).collect()
    }

    #[test]
    fn one_far_cell_is_an_outlier_of_all_panels_that_share_the_limits() {
        let mut far = steps(0.0, 16);
        far[3] = 500.0;
        let found = |p: &[(&str, Vec<f64>)]| told(&Figure::default(), p).iter().any(|l| l.0 == LintName::OutlierLimits);
        assert!(found(&[("a", far.clone()), ("b", steps(0.0, 16))]));
        assert!(!found(&[("a", far), ("b", steps(480.0, 16))]));
        assert!(!found(&[("a", steps(0.0, 16))]));
    }

    #[test]
    fn clipped_flat_and_unused_panels_are_named() {
        let mut figure = Figure::default();
        (figure.color.vmin, figure.color.vmax) = (Some(0.0), Some(20.0));
        let list = told(&figure, &[("in", steps(2.0, 16)), ("out", steps(90.0, 8)), ("narrow", [1.0, 2.0].repeat(4))]);
        let has = |name, panel: Option<&str>| list.iter().find(|l| l.0 == name && l.1.as_deref() == panel).map(|l| l.2);
        assert_eq!(
            (has(LintName::Clipped, None), has(LintName::Clipped, Some("out")), has(LintName::Clipped, Some("in"))),
            (Some(8), Some(8), None)
        );
        assert!(has(LintName::FlatPanel, Some("out")).is_some() && has(LintName::UnusedRange, Some("narrow")).is_some());
    }

    #[test]
    fn states_and_empty_rows_are_counted() {
        let mut v = steps(0.0, 12);
        v[4..8].fill(f64::NAN);
        v[8] = f64::INFINITY;
        let list = told(&Figure::default(), &[("p", v)]);
        for (name, count) in [(LintName::Nan, 4), (LintName::Infinite, 1), (LintName::EmptyRow, 1)] {
            assert!(list.contains(&(name, Some("p".to_owned()), count)), "{name}: {list:?}");
        }
    }
}
