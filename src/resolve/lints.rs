//! Warnings about the data: what a reader of the figure would want to know and could not see.

use super::empty_lines::EmptyLines;
use super::frame::Frame;
use super::limits::finite;
use super::notes::place_of;
use super::outliers;
use super::scheme::{Colours, Folded, PanelColours};
use crate::figure::{BarPlace, Figure, Reduce};
use crate::grid::{Axis, AxisKind, Grid, ScanResult, State, Stats};
use crate::lint::{LintName, Lints};
use crate::scale::{apart, short};
use std::collections::HashMap;

/// Labels named in one line.
const NAMED: usize = 5;

pub(super) fn lints(
    figure: &Figure,
    frame: &Frame,
    grids: &[Grid],
    folded: &[Folded<'_>],
    colours: &Colours,
) -> Lints {
    let mut out = Lints::default();
    let lines = EmptyLines::new(figure, grids, folded.iter().map(|f| f.scan));
    let stats: Vec<&Stats> = folded.iter().map(|f| &f.scan.stats).collect();
    clipped(frame, grids, &stats, colours, &mut out);
    let mut unused = Vec::new();
    for (i, (g, s)) in grids.iter().zip(&stats).enumerate() {
        states(figure, g, folded[i].scan, &lines, &mut out);
        if colours.reduce != Reduce::Count {
            unused.extend(range(frame, i, g, s, colours, &mut out));
        }
        let p = &colours.panels[i];
        if p.hidden > 0 {
            let shown = if p.rings.is_empty() {
                "no rings drawn"
            } else {
                "ringed"
            };
            let text = format!(
                "{} pixels show a mean that hides an extreme ({shown}); hint: --reduce extreme",
                p.hidden
            );
            out.add_panel(LintName::HiddenExtremes, g.name(), p.hidden, text);
        }
    }
    // The worst comes first.
    unused.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (used, i) in unused {
        let text = format!(
            "its values use {:.0} % of the colours; hint: --scale panel",
            used * 100.0
        );
        out.add_panel(LintName::UnusedRange, grids[i].name(), stats[i].values, text);
    }
    if colours.reduce != Reduce::Count {
        for (bar, made) in frame.bars.iter().zip(&colours.bars).filter(|(b, _)| !b.clips) {
            let spec = made.scale.spec();
            outliers::outliers(grids, folded, &bar.panels, (spec.vmin, spec.vmax), &mut out);
        }
    }
    // Who asks for scales of their own knows that they differ.
    if figure.color.scale.is_none() {
        mixed(frame, colours, &mut out);
    }
    if let Some(points) = frame.asked_font {
        let text = format!(
            "text of {} pt is drawn at 5 pt, the smallest size; hint: --font-size 5pt",
            short(points)
        );
        out.add(LintName::FontSizeClamped, 1, text);
    }
    out
}

fn clipped(frame: &Frame, grids: &[Grid], stats: &[&Stats], colours: &Colours, out: &mut Lints) {
    let mut all = (0u64, 0u64, 0);
    let mut list = Lints::default();
    for ((g, s), p) in grids.iter().zip(stats).zip(&colours.panels) {
        let spec = p.scale.spec();
        let (below, above) = (
            p.below.saturating_sub(s.neg_inf),
            p.above.saturating_sub(s.pos_inf),
        );
        all = (
            all.0 + below + above,
            all.1 + s.cells(),
            all.2 + u32::from(below + above > 0),
        );
        let line = |count: u64,
                    side: &str,
                    limit: f64,
                    extreme: &str,
                    v: Option<crate::grid::Number>,
                    at: &[(usize, usize)]| {
            let at = at
                .first()
                .map_or(String::new(), |&(r, c)| format!(" at {}", place_of(g, r, c)));
            let v = v.map_or(String::new(), |v| v.to_string());
            format!(
                "{count} of {} cells {side} {}; {extreme} {v}{at}",
                s.cells(),
                short(limit)
            )
        };
        if above > 0 {
            let text = line(above, "above vmax", spec.vmax, "largest", s.max, &s.max_cells);
            list.add_panel(LintName::Clipped, g.name(), above, text);
        }
        if below > 0 {
            let text = line(below, "below vmin", spec.vmin, "least", s.min, &s.min_cells);
            list.add_panel(LintName::Clipped, g.name(), below, text);
        }
    }
    if all.2 > 1 || (all.2 == 1 && frame.panels.len() > 1) {
        out.add(
            LintName::Clipped,
            all.0,
            format!("{} of {} cells lie beyond the limits", all.0, all.1),
        );
    }
    out.append(list);
}

fn states(figure: &Figure, g: &Grid, scan: &ScanResult, lines: &EmptyLines<'_>, out: &mut Lints) {
    let s = &scan.stats;
    // A colour of their own asks for masked cells to be reported.
    let hides = figure.color.masked.is_none();
    let hidden = |state: State| if hides { g.hidden_cells(state) } else { 0 };
    let of = |state: State| s.states[state.index()].saturating_sub(hidden(state));
    let total = s.cells();
    let mut state = |name: LintName, count: u64, what: &str| {
        if count > 0 {
            out.add_panel(name, g.name(), count, format!("{count} of {total} cells {what}"));
        }
    };
    state(LintName::Absent, of(State::Absent), "have no data");
    state(LintName::Nan, of(State::Nan), "have no value");
    state(LintName::Masked, of(State::Masked), "are masked");
    state(LintName::Infinite, s.pos_inf + s.neg_inf, "are infinite");
    if s.values == total {
        return;
    }
    for (name, word, axis, list) in [
        (
            LintName::EmptyRow,
            "row",
            g.rows(),
            lines.rows(g, &scan.empty_rows),
        ),
        (
            LintName::EmptyColumn,
            "column",
            g.columns(),
            lines.columns(g, &scan.empty_columns),
        ),
    ] {
        if list.count > 0 {
            let (plural, verb) = if list.count == 1 {
                ("", "has")
            } else {
                ("s", "have")
            };
            let text = format!(
                "{} {word}{plural} {verb} no value: {}",
                list.count,
                names(axis, &list.first)
            );
            out.add_panel(name, g.name(), list.count, text);
        }
    }
    let continuous = |a: &Axis| matches!(a.kind, AxisKind::Number | AxisKind::Log | AxisKind::Time);
    let present = total - s.states[State::Absent.index()];
    if present * 20 < total && continuous(g.rows()) && continuous(g.columns()) {
        let text = format!(
            "{present} of {total} cells have data: are the coordinates continuous? hint: round or bin them first"
        );
        out.add_panel(LintName::Sparse, g.name(), present, text);
    }
}

fn names(axis: &Axis, list: &[usize]) -> String {
    let mut text = list
        .iter()
        .take(NAMED)
        .map(|&i| axis.label(i))
        .collect::<Vec<_>>()
        .join(", ");
    if list.len() > NAMED {
        text.push_str(", …");
    }
    text
}

/// Reports a panel in one colour. Of a panel that uses few colours, which share of them, and the panel.
fn range(
    frame: &Frame,
    i: usize,
    g: &Grid,
    s: &Stats,
    colours: &Colours,
    out: &mut Lints,
) -> Option<(f64, usize)> {
    let (min, max) = s.range().filter(|(a, b)| a < b)?;
    let PanelColours { scale, .. } = &colours.panels[i];
    let spec = scale.spec();
    let index = |v: crate::grid::Number| scale.index_of(v);
    if let (Some(a), Some(b)) = (s.min, s.max)
        && index(a) == index(b)
    {
        let different = if g.is_loaded() {
            format!("{} different values", distinct(g))
        } else {
            "values".to_owned()
        };
        let ends = apart(&[min, max]).join(" to ");
        let text = format!("{different} from {ends} show as one colour; hint: --scale panel");
        out.add_panel(LintName::FlatPanel, g.name(), s.values, text);
        return None;
    }
    let t = |v: f64| {
        spec.norm
            .t(
                v.clamp(spec.vmin, spec.vmax),
                spec.vmin,
                spec.vmax,
                spec.map.entries.len(),
            )
            .clamp(0.0, 1.0)
    };
    let used = t(max) - t(min);
    let bar = &frame.bars[frame.panels[i].scale];
    (used < 0.25 && (bar.panels.len() > 1 || bar.clips)).then_some((used, i))
}

fn distinct(g: &Grid) -> usize {
    let mut bits: Vec<u64> = finite(g).map(f64::to_bits).collect();
    bits.sort_unstable();
    bits.dedup();
    bits.len()
}

/// Scales of one label and map.
struct Alike {
    /// Those of the first.
    limits: (f64, f64),
    differ: bool,
    /// Scales that no labelled bar tells apart.
    unnamed: u64,
}

/// Panels that look comparable and are not.
fn mixed(frame: &Frame, colours: &Colours, out: &mut Lints) {
    let mut alike: HashMap<(&str, &str), Alike> = HashMap::new();
    for (a, bar) in frame.bars.iter().zip(&colours.bars) {
        let spec = bar.scale.spec();
        let limits = (spec.vmin, spec.vmax);
        let group = alike
            .entry((a.label.as_str(), spec.map.name.as_str()))
            .or_insert(Alike {
                limits,
                differ: false,
                unnamed: 0,
            });
        group.differ |= group.limits != limits;
        group.unnamed += u64::from(a.place == BarPlace::None || a.label.is_empty());
    }
    let count: u64 = alike.values().filter(|g| g.differ).map(|g| g.unnamed).sum();
    if count > 0 {
        out.add(
            LintName::MixedScales,
            count,
            format!(
                "{count} scales share a colormap but not their limits, and no labelled bar tells them apart"
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Overrides, colours, frame};
    use super::*;
    use crate::grid::ScanRequest;

    fn reported(figure: &Figure, panels: &[(&str, Vec<f64>)]) -> Vec<(LintName, Option<String>, u64)> {
        let grids: Vec<Grid> = panels
            .iter()
            .map(|(name, v)| {
                let mut g = Grid::from_rows(v.len() / 4, 4, v.clone()).unwrap();
                g.set_name(*name);
                g
            })
            .collect();
        let scans: Vec<ScanResult> = grids
            .iter()
            .map(|g| g.scan(&ScanRequest::default()).unwrap())
            .collect();
        let folded: Vec<Folded<'_>> = scans
            .iter()
            .map(|scan| Folded {
                scan,
                summaries: None,
                body: None,
                strips: None,
            })
            .collect();
        let out = colours(
            figure,
            &frame(figure, &Overrides::default(), &grids).unwrap(),
            &grids,
            &folded,
        )
        .unwrap();
        out.lints
            .0
            .into_iter()
            .map(|l| (l.name, l.panel, l.count))
            .collect()
    }

    fn steps(from: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| from + i as f64).collect()
    }

    #[test]
    fn one_far_cell_is_an_outlier_of_all_panels_that_share_the_limits() {
        let mut far = steps(0.0, 16);
        far[3] = 500.0;
        let found = |p: &[(&str, Vec<f64>)]| {
            reported(&Figure::default(), p)
                .iter()
                .any(|l| l.0 == LintName::OutlierLimits)
        };
        assert!(found(&[("a", far.clone()), ("b", steps(0.0, 16))]));
        assert!(!found(&[("a", far), ("b", steps(480.0, 16))]));
        assert!(!found(&[("a", steps(0.0, 16))]));
    }

    #[test]
    fn clipped_flat_and_unused_panels_are_named() {
        let mut figure = Figure::default();
        (figure.color.vmin, figure.color.vmax) = (Some(0.0), Some(20.0));
        let list = reported(
            &figure,
            &[
                ("in", steps(2.0, 16)),
                ("out", steps(90.0, 8)),
                ("narrow", [1.0, 2.0].repeat(4)),
            ],
        );
        let has = |name, panel: Option<&str>| {
            list.iter()
                .find(|l| l.0 == name && l.1.as_deref() == panel)
                .map(|l| l.2)
        };
        assert_eq!(
            (
                has(LintName::Clipped, None),
                has(LintName::Clipped, Some("out")),
                has(LintName::Clipped, Some("in"))
            ),
            (Some(8), Some(8), None)
        );
        assert!(
            has(LintName::FlatPanel, Some("out")).is_some()
                && has(LintName::UnusedRange, Some("narrow")).is_some()
        );
    }

    #[test]
    fn a_font_size_under_the_smallest_is_reported() {
        let found = |text: &str, dpi: f64| {
            let mut figure = Figure::default();
            (figure.size.font_size, figure.size.dpi) = (Some(text.parse().unwrap()), Some(dpi));
            let grids = [Grid::from_rows(1, 2, vec![1.0, 2.0]).unwrap()];
            let frame = frame(&figure, &Overrides::default(), &grids).unwrap();
            let clamped = frame.font_size < frame.least_font * 1.001;
            let listed = reported(&figure, &[("p", steps(0.0, 4))])
                .iter()
                .any(|l| (l.0, l.2) == (LintName::FontSizeClamped, 1));
            (clamped, listed)
        };
        for dpi in [1.0, 72.0, 96.0, 200.0, 300.7, 1234.5, 10_000.0] {
            for under in ["4.99pt", "4.99", "0.06in", "1.7mm", "0.01px"] {
                assert_eq!(found(under, dpi), (true, true), "{under} at {dpi}");
            }
            for least in ["5pt", "5"] {
                assert_eq!(found(least, dpi), (true, false), "{least} at {dpi}");
            }
            for over in ["5.01pt", "9", "0.1in", "2mm"] {
                assert_eq!(found(over, dpi), (false, false), "{over} at {dpi}");
            }
        }
        assert_eq!(
            (found("14px", 200.0), found("13px", 200.0)),
            ((false, false), (true, true))
        );
    }

    #[test]
    fn states_and_empty_rows_are_counted() {
        let mut v = steps(0.0, 12);
        v[4..8].fill(f64::NAN);
        v[8] = f64::INFINITY;
        let list = reported(&Figure::default(), &[("p", v)]);
        for (name, count) in [
            (LintName::Nan, 4),
            (LintName::Infinite, 1),
            (LintName::EmptyRow, 1),
        ] {
            assert!(
                list.contains(&(name, Some("p".to_owned()), count)),
                "{name}: {list:?}"
            );
        }
    }
}
