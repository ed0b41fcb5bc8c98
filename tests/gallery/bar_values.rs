//! The labels of colour bars state the values where they are: of random ranges, from 1e-12 to 1e14.

use super::drawn::{DPI, Drawn, Text};
use super::numbers::stated;
use super::rules::ticks;
use crate::support::random::{Random, cases};
use gridscope::figure::{Figure, Toggle};
use gridscope::{Fonts, Grid};
use std::fmt::Write;
use std::path::Path;

/// The number of ranges of a usual run.
const CASES: u64 = 60;

/// A table of six values of a random range, and whether all are whole.
fn table(r: &mut Random) -> (String, bool) {
    let size = 10f64.powi(r.within(-12, 14)) * (1.0 + 9.0 * r.unit());
    let share = 10f64.powi(-r.within(0, 6));
    let sign = r.pick(&[1.0, 1.0, -1.0]);
    let whole = r.chance(0.3) && size * share > 2.0;
    let mut csv = "name,A,B,C\n".to_owned();
    for row in ["x", "y"] {
        csv.push_str(row);
        for _ in 0..3 {
            let v = sign * size * (1.0 - share * r.unit());
            let v = if whole { v.round() } else { v };
            write!(csv, ",{v:e}").unwrap();
        }
        csv.push('\n');
    }
    (csv, whole)
}

/// The value that a label is added to: that of an upright base beside the bar.
fn base(drawn: &Drawn) -> f64 {
    let upright = |t: &&Text| t.degrees == 90 && !t.in_body;
    let texts = drawn.texts.iter().filter(upright);
    texts.filter_map(|t| stated(&t.block.text)).map(|s| s.0).sum()
}

/// The power of ten and the base of labels that are multiples added to a base: `×10⁻³ + 7.25`, `×10⁻³ − 7.25`.
fn multiples(drawn: &Drawn) -> Option<(f64, f64)> {
    let upright = |t: &&Text| t.degrees == 90 && !t.in_body;
    let split = |t: &Text| {
        let text = t.block.text.as_str();
        let (sign, (unit, base)) = match text.split_once(" + ") {
            Some(parts) => (1.0, parts),
            None => (-1.0, text.split_once(" − ")?),
        };
        Some((stated(unit.strip_prefix('×')?)?.0, sign * stated(base)?.0))
    };
    drawn.texts.iter().filter(upright).find_map(split)
}

/// Faults of the bar of a figure.
fn faults(drawn: &Drawn, whole: bool) -> Vec<String> {
    let (layout, colours) = (&drawn.prepared.layout, &drawn.prepared.colours);
    let Some(bar) = &layout.bars[0] else {
        return vec!["no bar".to_owned()];
    };
    let (rect, scale) = (bar.rect.rect(), colours.bars[0].scale.spec());
    let unit = 10f64.powi(drawn.prepared.frame.bars[0].numbers.power);
    let labels = ticks(drawn, &rect, bar.horizontal);
    let mut out = Vec::new();
    if whole && unit <= 1.0 && labels.iter().any(|t| t.contains('.')) {
        out.push(format!("whole values, and {labels:?}"));
    }
    let range = scale.vmax - scale.vmin;
    let least = if whole && range < 2.0 { 2 } else { 3 };
    if range > 0.0 && labels.len() < least {
        out.push("too few".to_owned());
    }
    let is_power = |t: &&String| t.contains(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c));
    let others = labels.iter().filter(|t| !["0", "+0"].contains(&t.as_str()));
    let (powers, plain): (Vec<_>, Vec<_>) = others.partition(is_power);
    if !powers.is_empty() && !plain.is_empty() {
        out.push(format!("{powers:?} beside {plain:?}"));
    }
    let mut last = f64::MIN;
    let pixel = range / rect.h;
    for text in &labels {
        let Some((number, _)) = stated(text.trim_start_matches('+')) else {
            out.push(format!("'{text}' is not a number"));
            continue;
        };
        let value = match multiples(drawn) {
            Some((power, base)) => (number * power + base) * unit,
            None if text.starts_with('+') => number * unit + base(drawn),
            None => number * unit,
        };
        let found = drawn.texts.iter().find(|t| !t.in_body && t.block.text == *text && t.degrees == 0);
        let block =
            found.map(|t| (t.block.top() + 0.8 * t.font - 0.365 * t.font).clamp(rect.y, rect.bottom()));
        let at = scale.vmin + block.map_or(f64::NAN, |y| rect.bottom() - y) * pixel;
        let is_there = (value - at).abs() <= 2.0 * pixel;
        if !is_there {
            out.push(format!("'{text}' is at {at}"));
        }
        if range > 0.0 && value <= last {
            out.push(format!("'{text}' is not above the label before"));
        }
        last = value;
    }
    out
}

#[test]
fn labels_of_bars_state_the_values_beside_them() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bars");
    std::fs::create_dir_all(&folder).unwrap();
    let mut fonts = Fonts::new();
    let mut failures = Vec::new();
    for seed in 0..cases(CASES) {
        let (csv, whole) = table(&mut Random(seed));
        let name = format!("bar_{seed}.csv");
        std::fs::write(folder.join(&name), &csv).unwrap();
        let drawn = Drawn::new(&folder, &[name], "", &mut fonts).unwrap();
        let found = faults(&drawn, whole);
        if !found.is_empty() {
            failures.push(format!("seed {seed}: {}\n{csv}", found.join("; ")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The labels of the bar of a row of numbers, drawn as square cells.
fn labels_of_row(values: &[f64], fonts: &mut Fonts) -> Vec<String> {
    let grid = Grid::from_rows(1, values.len(), values.to_vec()).unwrap();
    let mut figure = Figure::default();
    figure.size.dpi = Some(DPI);
    figure.square = Some(Toggle::On);
    let drawn = Drawn::of(&figure, vec![grid], fonts);
    let bar = drawn.prepared.layout.bars[0].as_ref().unwrap();
    ticks(&drawn, &bar.rect.rect(), bar.horizontal)
}

#[test]
fn bars_of_any_height_have_both_ends() {
    let mut fonts = Fonts::new();
    let months = [57.0, 29.0, 87.0, 49.0, 36.0, 44.0, 90.0, 62.0, 47.0, 90.0, 53.0, 14.0];
    assert_eq!(labels_of_row(&months, &mut fonts), ["14", "90"]);
    let many: Vec<f64> = (0..40).map(|i| 0.5 + f64::from(i)).collect();
    assert!(labels_of_row(&many, &mut fonts).len() >= 2);
}
