//! Warnings about the data: facts that a reader of the figure needs and cannot see.

use super::colour::{Colours, Folded, PanelColours};
use super::frame::Frame;
use super::limits;
use super::limits::finite;
use super::notes::place_of;
use gridscope_core::figure::{Figure, Reduce};
use gridscope_core::grid::{Axis, AxisKind, Empty, Grid, ScanResult, State, Stats};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::scale::{apart, short};
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
            let shown = if p.rings.is_empty() { "no rings drawn" } else { "ringed" };
            let text = format!("{} pixels show a mean that hides an extreme ({shown})", p.hidden);
            out.add_panel(LintName::HiddenExtremes, g.name(), p.hidden, text).hint("--reduce extreme");
        }
    }
    // The worst comes first.
    unused.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (used, i) in unused {
        let text = format!("its values use {:.0} % of the colours", used * 100.0);
        let lint = out.add_panel(LintName::UnusedRange, grids[i].name(), stats[i].values, text);
        if frame.bars[frame.panels[i].scale].panels.len() > 1 {
            lint.hint("--scale panel");
        } else if let Some((min, max)) = stats[i].range() {
            lint.hint(format!("--vmin={min} --vmax={max}"));
        }
    }
    if colours.reduce != Reduce::Count {
        for (bar, made) in frame.bars.iter().zip(&colours.bars).filter(|(b, _)| !b.clips) {
            let spec = made.scale.spec();
            limits::outliers(grids, folded, &bar.panels, (spec.vmin, spec.vmax), &mut out);
        }
    }
    // Who asks for scales of their own knows that they differ.
    if figure.color.scale.is_none() {
        mixed(frame, colours, &mut out);
    }
    if let Some(points) = frame.asked_font {
        let text = format!("text of {} pt is drawn at 5 pt, the smallest size", short(points));
        out.add(LintName::FontSizeClamped, 1, text).hint("--font-size 5pt");
    }
    out
}

fn clipped(frame: &Frame, grids: &[Grid], stats: &[&Stats], colours: &Colours, out: &mut Lints) {
    let mut all = (0u64, 0u64, 0);
    let mut list = Lints::default();
    for ((g, s), p) in grids.iter().zip(stats).zip(&colours.panels) {
        let spec = p.scale.spec();
        let (below, above) = (p.below.saturating_sub(s.neg_inf), p.above.saturating_sub(s.pos_inf));
        all = (all.0 + below + above, all.1 + s.cells(), all.2 + u32::from(below + above > 0));
        let line = |count: u64,
                    side: &str,
                    limit: f64,
                    extreme: &str,
                    v: Option<gridscope_core::grid::Number>,
                    at: &[(usize, usize)]| {
            let at = at.first().map_or(String::new(), |&(r, c)| format!(" at {}", place_of(g, r, c)));
            let v = v.map_or(String::new(), |v| v.to_string());
            format!("{count} of {} cells {side} {}; {extreme} {v}{at}", s.cells(), short(limit))
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
        out.add(LintName::Clipped, all.0, format!("{} of {} cells lie beyond the limits", all.0, all.1));
    }
    out.append(list);
}

fn states(figure: &Figure, g: &Grid, scan: &ScanResult, lines: &EmptyLines<'_>, out: &mut Lints) {
    let s = &scan.stats;
    if g.facet().is_some() && s.states[State::Absent.index()] == s.cells() {
        // That no row is in the panel is said where the table is read.
        return;
    }
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
    let absent = of(State::Absent).saturating_sub(lines.asked_cells(g));
    state(LintName::Absent, absent, "have no data");
    state(LintName::Nan, of(State::Nan), "have no value");
    state(LintName::Masked, of(State::Masked), "are masked");
    state(LintName::Infinite, s.pos_inf + s.neg_inf, "are infinite");
    if s.values == total {
        return;
    }
    for (name, word, axis, list) in [
        (LintName::EmptyRow, "row", g.rows(), lines.rows(g, &scan.empty_rows)),
        (LintName::EmptyColumn, "column", g.columns(), lines.columns(g, &scan.empty_columns)),
    ] {
        if list.count > 0 {
            let (plural, verb) = if list.count == 1 { ("", "has") } else { ("s", "have") };
            let text = format!("{} {word}{plural} {verb} no value: {}", list.count, names(axis, &list.first));
            out.add_panel(name, g.name(), list.count, text);
        }
    }
    let continuous = |a: &Axis| matches!(a.kind, AxisKind::Number | AxisKind::Log | AxisKind::Time);
    let present = total - s.states[State::Absent.index()];
    if present * 20 < total && continuous(g.rows()) && continuous(g.columns()) {
        let text = format!("{present} of {total} cells have data: are the coordinates continuous?");
        out.add_panel(LintName::Sparse, g.name(), present, text).hint(binned(g));
    }
}

/// Numbers are spread over this many bins.
const BINS: usize = 12;
/// Numbers above 0 that are this many times apart have bins of equal ratios.
const DECADES: f64 = 100.0;

/// The flags that make bins of axes whose coordinates are continuous.
fn binned(g: &Grid) -> String {
    let flag = |side: &str, axis: &Axis| {
        let is_plain = |c: char| c.is_alphanumeric() || c == '_';
        let column = Some(axis.name.as_str()).filter(|n| !n.is_empty() && n.chars().all(is_plain))?;
        let (low, high) = (axis.center(0)?, axis.center(axis.len() - 1)?);
        // Numbers that are spread evenly have their middle half way, those of equal ratios half way by their logarithms.
        let middle = axis.center(axis.len() / 2)?;
        let (even, ratio) = (f64::midpoint(low, high), (low * high).sqrt());
        let is_log =
            low > 0.0 && high / low >= DECADES && (middle / ratio).ln().abs() < (middle / even).ln().abs();
        let log = if is_log { ", log" } else { "" };
        (axis.kind != AxisKind::Time).then(|| format!("--{side} 'bin({column}, {BINS}{log})'"))
    };
    let flags: Vec<String> = [flag("x", g.columns()), flag("y", g.rows())].into_iter().flatten().collect();
    if flags.is_empty() { "round or bin them first".to_owned() } else { flags.join(" ") }
}

fn names(axis: &Axis, list: &[usize]) -> String {
    let mut text = list.iter().take(NAMED).map(|&i| axis.label(i)).collect::<Vec<_>>().join(", ");
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
    let index = |v: gridscope_core::grid::Number| scale.index_of(v);
    if let (Some(a), Some(b)) = (s.min, s.max)
        && index(a) == index(b)
    {
        let different =
            if g.is_loaded() { format!("{} different values", distinct(g)) } else { "values".to_owned() };
        let ends = apart(&[min, max]).join(" to ");
        // The range of a single panel is never one colour.
        let hint = if frame.bars[frame.panels[i].scale].panels.len() > 1 {
            "--scale panel".to_owned()
        } else {
            format!("--vmin={min} --vmax={max}")
        };
        let text = format!("{different} from {ends} show as one colour");
        out.add_panel(LintName::FlatPanel, g.name(), s.values, text).hint(hint);
        return None;
    }
    let t = |v: f64| {
        spec.norm
            .t(v.clamp(spec.vmin, spec.vmax), spec.vmin, spec.vmax, spec.map.entries.len())
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
        let group = alike.entry((a.label.as_str(), spec.map.name.as_str())).or_insert(Alike {
            limits,
            differ: false,
            unnamed: 0,
        });
        group.differ |= group.limits != limits;
        group.unnamed += u64::from(!a.place.is_drawn() || a.label.is_empty());
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

/// Facts about all panels together.
struct EmptyLines<'a> {
    figure: &'a Figure,
    /// Where the panels share their rows: whether any panel has a value in each. The same for columns.
    shared: [Option<Vec<bool>>; 2],
}

impl<'a> EmptyLines<'a> {
    /// Of these grids, whose passes found `scans`.
    pub(super) fn new<'s>(
        figure: &'a Figure,
        grids: &[Grid],
        mut scans: impl Iterator<Item = &'s ScanResult>,
    ) -> Self {
        let any = scans.any(|s| s.empty_rows.count + s.empty_columns.count > 0);
        let is_open = grids.len() > 1 && any && grids.iter().all(Grid::is_loaded);
        let is_shared =
            |axis: fn(&Grid) -> &Axis| is_open && grids.iter().all(|g| axis(g) == axis(&grids[0]));
        let mut rows = is_shared(Grid::rows).then(|| vec![false; grids[0].height()]);
        let mut columns = is_shared(Grid::columns).then(|| vec![false; grids[0].width()]);
        if rows.is_some() || columns.is_some() {
            for grid in grids {
                for (i, bits) in grid.cells().iter().enumerate() {
                    if State::of_bits(*bits).is_none() {
                        rows.iter_mut().for_each(|rows| rows[i / grid.width()] = true);
                        columns.iter_mut().for_each(|columns| columns[i % grid.width()] = true);
                    }
                }
            }
        }
        Self { figure, shared: [rows, columns] }
    }

    /// The empty rows of a grid, of those that its pass found.
    pub(super) fn rows(&self, grid: &Grid, found: &Empty) -> Empty {
        let cells = |row| (0..grid.width()).map(move |column| (row, column));
        self.unasked(grid, found, (grid.height(), 0), self.figure.y.domain.is_some(), cells)
    }

    /// The empty columns of a grid, of those that its pass found.
    pub(super) fn columns(&self, grid: &Grid, found: &Empty) -> Empty {
        let cells = |column| (0..grid.height()).map(move |row| (row, column));
        self.unasked(grid, found, (grid.width(), 1), self.figure.x.domain.is_some(), cells)
    }

    /// Absent cells of a grid in rows and columns that a domain asks for and that have none but absent cells.
    fn asked_cells(&self, grid: &Grid) -> u64 {
        let [x, y] = [&self.figure.x, &self.figure.y].map(|axis| axis.domain.is_some());
        if !(x || y) || !grid.is_loaded() || grid.is_empty() {
            return 0;
        }
        let (mut rows, mut columns) = (vec![y; grid.height()], vec![x; grid.width()]);
        for (i, bits) in grid.cells().iter().enumerate() {
            let (row, column) = (i / grid.width(), i % grid.width());
            if State::of_bits(*bits) != Some(State::Absent) || grid.is_hidden(row, column) {
                (rows[row], columns[column]) = (false, false);
            }
        }
        let asked = |lines: &[bool]| lines.iter().filter(|asked| **asked).count() as u64;
        let (r, c) = (asked(&rows), asked(&columns));
        r * grid.width() as u64 + c * grid.height() as u64 - r * c
    }

    fn unasked<I: Iterator<Item = (usize, usize)>>(
        &self,
        grid: &Grid,
        found: &Empty,
        (lines, side): (usize, usize),
        has_domain: bool,
        cells: impl Fn(usize) -> I,
    ) -> Empty {
        if found.count == 0 || !grid.is_loaded() {
            return found.clone();
        }
        let state = |(row, column): (usize, usize)| State::of_bits(grid.cells()[row * grid.width() + column]);
        let is_unasked = |line: &usize| {
            // A line of one side of a comparison has its own warning.
            let is_reported = |at| matches!(state(at), None | Some(State::Appeared | State::Vanished));
            if cells(*line).any(is_reported) {
                return false;
            }
            let is_elsewhere = self.shared[side].as_ref().is_some_and(|held| held[*line]);
            let is_given = has_domain || is_elsewhere;
            let is_asked = |at: (usize, usize)| {
                grid.is_hidden(at.0, at.1) || (is_given && state(at) == Some(State::Absent))
            };
            !cells(*line).all(is_asked)
        };
        let mut out = Empty::default();
        for line in (0..lines).filter(is_unasked) {
            out.count += 1;
            if out.first.len() < Empty::LISTED {
                out.first.push(line);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests;
