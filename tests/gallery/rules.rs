//! Rules that every figure keeps, measured on its geometry.

use super::drawn::{DPI, Drawn, Text, plain};
use super::labels;
use super::numbers::{digits, stated};
use crate::support::blocks::Block;
use gridscope::grid::{Axis, AxisKind};
use gridscope_core::geom::Rect;
use std::collections::BTreeSet;

/// Faults of a figure: the rule, and the place where it fails.
#[derive(Default)]
pub struct Faults(pub Vec<(&'static str, String)>);

impl Faults {
    pub fn add(&mut self, rule: &'static str, text: String) {
        self.0.push((rule, text));
    }

    /// One line a rule: how often it fails, and the first place.
    pub fn lines(&self) -> Vec<String> {
        let rules: BTreeSet<&str> = self.0.iter().map(|f| f.0).collect();
        let line = |rule: &str| {
            let of_rule: Vec<&String> = self.0.iter().filter(|f| f.0 == rule).map(|f| &f.1).collect();
            format!("{rule} ({}): {}", of_rule.len(), of_rule[0])
        };
        rules.into_iter().map(line).collect()
    }
}

/// All rules.
pub fn faults(drawn: &Drawn) -> Faults {
    let mut faults = Faults::default();
    texts(drawn, &mut faults);
    labels::check(drawn, &mut faults);
    titles(drawn, &mut faults);
    bars(drawn, &mut faults);
    space(drawn, &mut faults);
    order(drawn, &mut faults);
    style(drawn, &mut faults);
    faults
}

/// Overlaps of less than this many pixels are not seen.
const SLACK: f64 = 0.6;

/// No two texts meet, none meets a body or a bar, none leaves the canvas or is too small; numbers in cells have air.
fn texts(drawn: &Drawn, faults: &mut Faults) {
    let canvas = drawn.canvas();
    let (point, least) = (DPI / 72.0, 5.0 * DPI / 72.0 - 1e-6);
    for t in &drawn.texts {
        let is_outside =
            t.block.corners.iter().any(|c| !canvas.grown(1.0).contains(&Rect::new(c.x, c.y, 0.0, 0.0), 0.0));
        if is_outside {
            faults.add("text-outside", format!("'{}' leaves the canvas", t.block.text));
        }
        if t.font < if t.in_body { 6.0 * point - 1e-6 } else { least } {
            faults.add("text-small", format!("'{}' has {:.1} pt", t.block.text, t.font / point));
        }
    }
    let mut order: Vec<&Text> = drawn.texts.iter().collect();
    order.sort_by(|a, b| a.block.left().total_cmp(&b.block.left()));
    for (i, a) in order.iter().enumerate() {
        // Neighbours need a quarter of an em between them to be read as two.
        let end = a.block.right() + 0.25 * a.font;
        for b in order[i + 1..].iter().take_while(|b| b.block.left() < end) {
            if a.block.overlap(&b.block) > SLACK {
                faults.add("texts-meet", format!("'{}' meets '{}'", a.block.text, b.block.text));
            } else if a.in_body == b.in_body
                && a.degrees == 0
                && b.degrees == 0
                && is_tight(&a.block, &b.block, 0.25 * a.font)
            {
                let rule = if a.in_body { "values-tight" } else { "labels-tight" };
                faults.add(rule, format!("'{}' touches '{}'", a.block.text, b.block.text));
            }
        }
    }
    let bodies = drawn.bodies().into_iter().map(|r| (r, "a body"));
    let bars = drawn.prepared.layout.bars.iter().flatten().map(|b| (b.rect.rect(), "a bar"));
    for (rect, what) in bodies.chain(bars) {
        let solid = Block::of(rect, what);
        for t in drawn.texts.iter().filter(|t| !t.in_body) {
            if solid.overlap(&t.block) > SLACK {
                faults.add("texts-meet", format!("'{}' meets {what}", t.block.text));
            }
        }
        if !canvas.contains(&rect, 1e-6) {
            faults.add("text-outside", format!("{what} leaves the canvas"));
        }
    }
}

/// Whether two texts of one line are closer than `gap`.
fn is_tight(a: &Block, b: &Block, gap: f64) -> bool {
    let rows = a.bottom().min(b.bottom()) - a.top().max(b.top());
    rows > 0.5 * (a.bottom() - a.top()) && b.left() - a.right() < gap
}

/// Each panel has a title of its own, whole or still different from those of the others.
fn titles(drawn: &Drawn, faults: &mut Faults) {
    let panels = &drawn.prepared.frame.panels;
    if panels.len() < 2 {
        return;
    }
    let mut seen: Vec<String> = Vec::new();
    for (i, panel) in panels.iter().enumerate() {
        let mut lines: Vec<&Text> = drawn.texts.iter().filter(|t| t.title_of == Some(i)).collect();
        lines.sort_by(|a, b| a.block.top().total_cmp(&b.block.top()));
        let text = lines.iter().map(|t| plain(&t.block.text)).collect::<String>();
        if text.is_empty() && !panel.title.is_empty() {
            faults.add("titles", format!("'{}' is not over its panel", panel.title));
        } else if seen.contains(&text) {
            faults.add("titles", format!("'{text}' is over two panels"));
        } else if text != plain(&panel.title) && panel.title.chars().count() <= WHOLE_TITLE {
            faults.add("titles", format!("'{text}' for '{}'", panel.title));
        }
        seen.push(text);
    }
}

/// Titles of at most this many characters are never shortened.
const WHOLE_TITLE: usize = 60;

/// Bars have a label, enough ticks with few digits, and stand in line.
fn bars(drawn: &Drawn, faults: &mut Faults) {
    let (layout, frame) = (&drawn.prepared.layout, &drawn.prepared.frame);
    let shown =
        plain(&drawn.texts.iter().filter(|t| !t.in_body).map(|t| t.block.text.as_str()).collect::<String>());
    for (i, (bar, spec)) in layout.bars.iter().zip(&frame.bars).enumerate() {
        let Some(bar) = bar else { continue };
        let grid = &drawn.grids[spec.panels[0]];
        let pieces = grid.value_name().split(|c: char| c.is_whitespace() || "_-/.".contains(c));
        for piece in pieces.filter(|p| !shown.contains(&plain(p))) {
            faults.add("bar-label", format!("bar {i} of '{}' lacks '{piece}'", grid.value_name()));
        }
        if drawn.merged && !spec.label.contains("mean") {
            faults.add("bar-label", format!("bar {i} shows means, its label is '{}'", spec.label));
        }
        let scale = drawn.prepared.colours.bars[i].scale.spec();
        let ticks = ticks(drawn, &bar.rect.rect(), bar.horizontal);
        // A bar from 0 to 1 may have labels at its ends only, and that of one value has one.
        let wanted = match scale.vmax - scale.vmin {
            1.0 => 2,
            range if range > 0.0 => 3,
            _ => 1,
        };
        if ticks.len() < wanted && !drawn.prepared.colours.bars[i].empty {
            faults.add("bar-ticks", format!("bar {i} has the labels {ticks:?}"));
        }
        for text in ticks.iter().filter(|t| digits(t) > 6) {
            faults.add("labels-digits", format!("bar {i}: '{text}' has {} digits", digits(text)));
        }
    }
    let bodies = drawn.bodies();
    let of_panel = |i: usize| {
        let scale = frame.panels[i].scale;
        let bar = layout.bars[scale].as_ref().filter(|_| frame.bars[scale].panels.len() == 1)?;
        Some((bodies[i], bar.rect.rect(), bar.horizontal))
    };
    let own: Vec<_> = (0..bodies.len()).filter_map(of_panel).collect();
    for (i, (body, bar, horizontal)) in own.iter().enumerate() {
        for (other, next, _) in &own[i + 1..] {
            let off = if *horizontal && (body.y - other.y).abs() < 1.0 {
                (bar.y - next.y).abs().max((bar.h - next.h).abs())
            } else if !*horizontal && (body.x - other.x).abs() < 1.0 {
                (bar.x - next.x).abs().max((bar.w - next.w).abs())
            } else {
                0.0
            };
            if off > 1.0 {
                faults.add("bars-aligned", format!("two bars are {off:.0} px out of line"));
            }
        }
    }
}

/// The labels of a bar's ticks.
pub fn ticks(drawn: &Drawn, bar: &Rect, horizontal: bool) -> Vec<String> {
    let is_tick = |t: &&Text| {
        let (x, y) =
            (f64::midpoint(t.block.left(), t.block.right()), f64::midpoint(t.block.top(), t.block.bottom()));
        !t.in_body
            && t.degrees == 0
            && if horizontal {
                (bar.x - t.font..=bar.right() + t.font).contains(&x)
                    && (0.0..1.6 * t.font).contains(&(t.block.top() - bar.bottom()))
            } else {
                (bar.y - t.font..=bar.bottom() + t.font).contains(&y)
                    && (0.0..1.6 * t.font).contains(&(t.block.left() - bar.right()))
            }
    };
    drawn.texts.iter().filter(is_tick).map(|t| t.block.text.clone()).collect()
}

/// The share of its slot's width or height that a body takes, at least.
const SLOT_SHARE: f64 = 0.6;
/// The share of the canvas that all bodies cover, at least.
const AREA_SHARE: f64 = 0.2;

/// Bodies take the larger part of the figure, which is as wide and high as a page and not a strip.
fn space(drawn: &Drawn, faults: &mut Faults) {
    let (canvas, bodies) = (drawn.canvas(), drawn.bodies());
    let count = |of: fn(&Rect) -> f64| {
        let all: BTreeSet<i64> = bodies.iter().map(|b| of(b).round() as i64).collect();
        all.len() as f64
    };
    let (columns, rows) = (count(|b| b.x), count(|b| b.y));
    // Panels of several shapes: the largest fill their slots.
    let largest = |of: fn(&Rect) -> f64| bodies.iter().map(of).fold(0.0, f64::max);
    let (w, h) = (largest(|b| b.w) * columns / canvas.w, largest(|b| b.h) * rows / canvas.h);
    if w.max(h) < SLOT_SHARE {
        let text = format!("{:.0} % of the width and {:.0} % of the height of a slot", 100.0 * w, 100.0 * h);
        faults.add("body-share", text);
    }
    // A row or column that is not full is not a fault of its bodies.
    let filled = bodies.iter().map(|b| b.w * b.h).sum::<f64>() / bodies.len() as f64 * columns * rows;
    if filled < AREA_SHARE * canvas.w * canvas.h {
        let share = 100.0 * filled / (canvas.w * canvas.h);
        faults.add("body-area", format!("bodies cover {share:.0} % of the canvas"));
    }
    if canvas.w > 13.0 * DPI + 1.0 || canvas.h > 9.0 * DPI + 1.0 {
        faults.add("page", format!("the figure has {:.1} x {:.1} in", canvas.w / DPI, canvas.h / DPI));
    }
    if canvas.h < 0.25 * canvas.w {
        faults.add("page", format!("the figure is a strip of {:.0} x {:.0} px", canvas.w, canvas.h));
    }
}

/// Rows and columns that are the same set of names have one order.
fn order(drawn: &Drawn, faults: &mut Faults) {
    for panel in &drawn.prepared.frame.panels {
        let names = |axis: &Axis| axis.levels.last().cloned().filter(|_| axis.kind == AxisKind::Category);
        let (Some(rows), Some(columns)) = (names(&panel.rows), names(&panel.columns)) else {
            continue;
        };
        let set = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
        if rows != columns && set(&rows) == set(&columns) {
            faults.add("order", format!("rows {rows:?}, columns {columns:?}"));
        }
    }
}

/// Values in cells and ticks of bars have a real minus and one way to write powers of ten; without such powers, the values
/// of a panel have as many decimals as each other, and so have the ticks of a bar.
fn style(drawn: &Drawn, faults: &mut Faults) {
    let bars = drawn.prepared.layout.bars.iter().flatten();
    let mut groups: Vec<Vec<String>> = bars.map(|b| ticks(drawn, &b.rect.rect(), b.horizontal)).collect();
    for body in drawn.bodies() {
        let is_inside = |t: &&Text| {
            t.in_body && body.grown(2.0).contains(&Rect::new(t.block.left(), t.block.top(), 0.0, 0.0), 0.0)
        };
        groups.push(drawn.texts.iter().filter(is_inside).map(|t| t.block.text.clone()).collect());
    }
    let mut powers = BTreeSet::new();
    for group in &groups {
        let mut decimals = BTreeSet::new();
        for text in group.iter().filter(|t| stated(t).is_some()) {
            if text.contains('-') && !text.contains("e-") {
                faults.add("style", format!("'{text}' has a hyphen for its minus"));
            }
            let power = ["e+", "e", "10"].into_iter().find(|p| match *p {
                "10" => text.contains(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c)),
                _ => text.contains(p),
            });
            powers.extend(power);
            // A whole number of seven digits needs no decimals beside others.
            let is_large = text.len() > 6 && text.chars().all(|c| c.is_ascii_digit());
            if power.is_none() && text != "0" && !is_large {
                decimals.insert(text.split_once('.').map_or(0, |(_, d)| d.trim_end_matches('%').len()));
            }
        }
        if decimals.len() > 1 && powers.is_empty() {
            faults.add("style", format!("{decimals:?} decimals side by side, as in '{}'", group[0]));
        }
    }
    if powers.len() > 1 {
        faults.add("style", format!("powers of ten are written as {powers:?}"));
    }
}
