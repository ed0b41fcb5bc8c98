//! `gridscope info --best`: the answers of a sweep, in words, with as many decimals as its uncertainty has.

use super::super::diagnostics;
use super::super::diagnostics::{Failure, Report, print};
use super::super::export::better;
use super::super::load::Job;
use gridscope_core::figure::{Agg, Better, Statistic};
use gridscope_core::grid::{Axis, Grid, ScanRequest, State};
use gridscope_core::scale::{apart, short};
use gridscope_core::text::clean;
use gridscope_draw::error::Error;
use gridscope_draw::findings::{BestCell, Findings, Line, NEAR, find, overall, report};
use gridscope_draw::report::versioned;
use gridscope_draw::resolve::{changed_label, place_of};
use std::fmt::Write;

/// The panels that the text lists; all are in `--json`.
const PANELS: usize = 50;

/// Statistics beside the values: the number of rows of a cell, and their spread.
pub(super) fn statistics() -> Vec<Statistic> {
    [Agg::Mean, Agg::Count, Agg::Std].map(Statistic::of_value).to_vec()
}

/// Prints the answers of the panels, or their report with the `panels` of `info`.
pub(super) fn print_best(job: &Job, json: Option<Report>) -> Result<(), Failure> {
    let better = better(&job.figure, "--best")?;
    let grids = &job.loaded.grids;
    let of = |grid: &Grid| {
        let stats = grid.scan(&ScanRequest::default())?.stats;
        let found = find(grid, &stats, better)?;
        Ok::<_, Error>(found)
    };
    let found = grids.iter().map(of).collect::<Result<Vec<Findings>, _>>()?;
    let overall = overall(grids, &found, better);
    if json.is_some() {
        let value = versioned([
            ("best", report(grids, &found, overall.map(|o| o.0), better)),
            ("lints", gridscope_draw::report::lints(&job.loaded.lints, &job.policy)),
        ]);
        return diagnostics::write_json(json, &value);
    }
    print(&text(job, &found, overall, better))
}

fn text(job: &Job, found: &[Findings], overall: Option<(usize, usize)>, better: Better) -> String {
    let grids = &job.loaded.grids;
    let mut lines = Vec::new();
    if !job.loaded.summary.is_empty() {
        lines.push(clean(&job.loaded.summary));
    }
    if let Some((i, count, best)) = overall.and_then(|(i, n)| Some((i, n, found[i].best?))) {
        let (name, value) = (clean(grids[i].name()), value_name(&grids[i]));
        lines.push(format!(
            "best{value} of {count} panels ({} is better): {}, panel {name}",
            better.word(),
            place(&grids[i], best, &numbers(&found[i])[0])
        ));
    }
    for (grid, found) in grids.iter().zip(found).take(PANELS) {
        lines.extend(panel(grid, found, better));
    }
    if grids.len() > PANELS {
        lines.push(format!("{} more panels are in --json", grids.len() - PANELS));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Name of the values: ` acc`, ` mean of acc`.
fn value_name(grid: &Grid) -> String {
    if let Some(label) = changed_label(grid) {
        return format!(" {label}");
    }
    let name = clean(grid.value_name());
    match grid.merged() {
        Some(merged) if name.is_empty() => format!(" {}", merged.by),
        Some(merged) => format!(" {} of {name}", merged.by),
        None if name.is_empty() => name,
        None => format!(" {name}"),
    }
}

/// The lines of a panel.
fn panel(grid: &Grid, found: &Findings, better: Better) -> Vec<String> {
    let title =
        if grid.name().is_empty() { String::new() } else { format!("panel {}: ", clean(grid.name())) };
    let mut out = Vec::new();
    let numbers = numbers(found);
    if let Some(best) = found.best {
        let (value, word) = (value_name(grid), better.word());
        let mut line = format!("{title}best{value} ({word} is better): {}", place(grid, best, &numbers[0]));
        if found.ties > 1 {
            let _ = write!(line, "; {} cells have this value", found.ties);
        }
        out.push(line);
    } else {
        out.push(format!("{title}no cell has a finite value"));
    }
    if let Some(next) = found.runner_up {
        let gap = next.noise.map_or_else(|| short(next.gap), |_| two(next.gap));
        let at = place(grid, next.place, &numbers[1]);
        let mut line = format!("  runner-up: {at}, {gap} behind");
        if let Some(noise) = next.noise {
            let side = if next.gap < noise { "within" } else { "beyond" };
            let _ = write!(line, "; {side} the spread of the replicates (±{})", two(noise));
        }
        out.push(line);
    }
    let (values, range) = found.values;
    if range > 0.0 && values > 1 {
        let share = share(found.near, values);
        out.push(format!(
            "  within {} % of the range ({}) of the best: {} of {values} cells ({share})",
            100.0 * NEAR,
            short(range),
            found.near
        ));
    }
    let axes = [(grid.rows(), "row"), (grid.columns(), "column")];
    for (i, (axis, plain)) in axes.into_iter().enumerate() {
        if let Some(line) = found.lines[i] {
            out.push(best_line(axis, &name(axis, plain), line));
        }
    }
    for (i, (axis, plain)) in axes.into_iter().enumerate() {
        if let Some(flat) = found.flat[i].filter(gridscope_draw::findings::Flat::is_flat) {
            let other = axes[1 - i];
            let over = match flat.over {
                (some, all) if some < all => {
                    format!(", over the {some} of {all} {} with all cells", plural(other.1, all))
                }
                _ => String::new(),
            };
            out.push(format!(
                "  {}: no difference shown; means differ by {} at most{over}, within the spread of the replicates (±{})",
                name(axis, plain),
                two(flat.range),
                two(flat.noise)
            ));
        }
    }
    out.extend(missing(grid, found));
    out
}

/// The line about cells without a finite value; none where all have one.
fn missing(grid: &Grid, found: &Findings) -> Option<String> {
    let (states, infinite) = found.states;
    let mut parts: Vec<String> = State::ALL
        .iter()
        .filter(|s| states[s.index()] > 0)
        .map(|s| format!("{} {}", states[s.index()], s.key_text()))
        .collect();
    if infinite > 0 {
        parts.push(format!("{infinite} infinite"));
    }
    if parts.is_empty() {
        return None;
    }
    let mut line = format!("  of {} cells: {}", grid.len(), parts.join(", "));
    let axes = [(grid.rows(), "row"), (grid.columns(), "column")];
    let most = axes.into_iter().zip(found.missing).filter_map(|((axis, plain), missing)| {
        let missing = missing?;
        let (cells, all) = missing.cells;
        let label = clean(&axis.label(missing.index));
        // Where all lines miss as many, none is an exception.
        let stands_out = missing.ties < axis.len();
        let others = match missing.ties - 1 {
            0 => String::new(),
            n => format!(", and in {n} more"),
        };
        stands_out.then(|| format!("{} {label} ({cells} of {all}{others})", name(axis, plain)))
    });
    let most: Vec<String> = most.collect();
    if !most.is_empty() {
        let _ = write!(line, "; most in {}", most.join(" and "));
    }
    Some(line)
}

fn plural(word: &str, n: usize) -> String {
    if n == 1 { word.to_owned() } else { format!("{word}s") }
}

/// The name of an axis, in plain words where it has none.
fn name(axis: &Axis, plain: &str) -> String {
    if axis.name.is_empty() { plain.to_owned() } else { clean(&axis.name) }
}

/// A value, as a number in words, and its place: `84.6 ± 0.9 (95 % interval, n = 5) at lr 1e-4, dropout 0`.
fn place(grid: &Grid, place: BestCell, number: &str) -> String {
    let at = clean(&place_of(grid, place.row, place.column));
    match place.replicates {
        Some(r) => format!("{number} (95 % interval, n = {}) at {at}", r.n),
        None => format!("{number} at {at}"),
    }
}

/// The best and the next value of a panel as numbers in words.
fn numbers(found: &Findings) -> Vec<String> {
    let places = found.best.into_iter().chain(found.runner_up.map(|next| next.place));
    let number = |p: BestCell| (p.value.as_f64(), p.replicates.map(|r| r.interval()));
    together(&places.map(number).collect::<Vec<_>>())
}

/// The line about the best mean of rows, or of columns: which has it, or that all have.
fn best_line(axis: &Axis, name: &str, line: Line) -> String {
    let (cells, all) = line.cells;
    let mean = line.half.map_or_else(|| short(line.mean), |half| interval(line.mean, half));
    match line.ties {
        ties if ties == axis.len() => format!("  all {name} have the mean {mean}"),
        ties => {
            let label = clean(&axis.label(line.index));
            let others = if ties > 1 { format!("; {ties} have this mean") } else { String::new() };
            format!("  best {name} by mean: {label}, {mean} over {cells} of {all} cells{others}")
        }
    }
}

/// Decimals beyond which numbers have an exponent.
const MOST: f64 = 9.0;

/// Decimals of an uncertainty of two significant digits; `None` where numbers are better written with an exponent.
pub(super) fn decimals(half: f64) -> Option<usize> {
    if half <= 0.0 || !half.is_finite() {
        return None;
    }
    let decimals = 1.0 - half.log10().floor();
    (decimals <= MOST).then_some(decimals.max(0.0) as usize)
}

/// A number of two significant digits.
pub(super) fn two(v: f64) -> String {
    decimals(v).map_or_else(|| short(v), |decimals| format!("{v:.decimals$}"))
}

/// A mean and half its interval, to two significant digits of the latter.
pub(super) fn interval(mean: f64, half: f64) -> String {
    together(&[(mean, Some(half))]).remove(0)
}

/// Numbers that are compared, with half their intervals where they have one: with the same decimals, those of the least
/// uncertainty, and as many more as different numbers need to read differently.
pub(super) fn together(numbers: &[(f64, Option<f64>)]) -> Vec<String> {
    let is_large = numbers.iter().any(|n| n.0.abs() >= 1e9);
    let halves = numbers.iter().filter_map(|n| n.1);
    let least = halves.filter_map(decimals).max().filter(|_| !is_large);
    let at = |decimals: usize| numbers.iter().map(move |n| format!("{:.decimals$}", n.0));
    let differ = |texts: &[String]| {
        let mut pairs = texts.windows(2).zip(numbers.windows(2));
        pairs.all(|(t, n)| t[0] != t[1] || n[0].0 == n[1].0)
    };
    let found = least.and_then(|least| {
        (least..=least.max(MOST as usize)).find(|decimals| differ(&at(*decimals).collect::<Vec<_>>()))
    });
    let values: Vec<f64> = numbers.iter().map(|n| n.0).collect();
    let means = found.map_or_else(|| apart(&values), |decimals| at(decimals).collect());
    let text = |(mean, number): (String, &(f64, Option<f64>))| match (number.1, found) {
        (None, _) => mean,
        (Some(half), Some(decimals)) if half > 0.0 => format!("{mean} ± {half:.decimals$}"),
        (Some(half), _) => format!("{mean} ± {}", short(half)),
    };
    means.into_iter().zip(numbers).map(text).collect()
}

/// A share in percent: never 0 of some, nor all of fewer.
pub(super) fn share(some: u64, all: u64) -> String {
    let percent = some as f64 / all as f64 * 100.0;
    let rounded = |to: f64| (percent * to).round() / to;
    match (rounded(10.0), rounded(100.0)) {
        (_, v) if v == 0.0 && some > 0 => "under 0.01 %".to_owned(),
        (0.0, fine) => format!("{} %", short(fine)),
        (v, _) if v >= 100.0 && some < all => "over 99.9 %".to_owned(),
        (v, _) => format!("{} %", short(v)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_their_uncertainty_begins() {
        for (mean, half, wanted) in [
            (84.6372, 0.8813, "84.64 ± 0.88"),
            (84.6372, 12.3, "85 ± 12"),
            (1820.4, 345.6, "1820 ± 346"),
            (0.00123456, 0.0000321, "0.001235 ± 0.000032"),
            (1e300, 1e299, "1e300 ± 1e299"),
            (2.5, 0.0, "2.5 ± 0"),
            (1e-12, 2e-13, "1e-12 ± 2e-13"),
        ] {
            assert_eq!(interval(mean, half), wanted);
        }
        assert_eq!([two(0.8813), two(0.0437), two(25.3)], ["0.88", "0.044", "25"]);
    }

    #[test]
    fn compared_numbers_have_the_same_decimals_and_differ() {
        let texts = |numbers: &[(f64, Option<f64>)]| together(numbers).join(" | ");
        assert_eq!(texts(&[(77.6, Some(1.5)), (77.56, Some(1.0))]), "77.60 ± 1.50 | 77.56 ± 1.00");
        assert_eq!(texts(&[(77.6, Some(1.5)), (77.5999, Some(1.4))]), "77.6000 ± 1.5000 | 77.5999 ± 1.4000");
        assert_eq!(texts(&[(77.6, Some(1.5)), (70.0, None)]), "77.6 ± 1.5 | 70.0");
        assert_eq!(texts(&[(77.6, Some(1.5)), (77.6, Some(1.5))]), "77.6 ± 1.5 | 77.6 ± 1.5");
        assert_eq!(texts(&[(1.0, None), (1.000_000_01, None)]), "1 | 1.00000001");
        assert_eq!(
            texts(&[(1e-300, Some(2e-301)), (3e-300, Some(2e-301))]),
            "1e-300 ± 2e-301 | 3e-300 ± 2e-301"
        );
        assert_eq!(texts(&[(5.0, Some(0.0)), (4.0, Some(0.0))]), "5 ± 0 | 4 ± 0");
    }

    #[test]
    fn a_share_is_never_rounded_to_none_or_all() {
        let texts = [(1, 630_000), (3, 10_000), (1, 24), (24, 24), (9999, 10_000), (0, 5)];
        let texts: Vec<String> = texts.into_iter().map(|(some, all)| share(some, all)).collect();
        assert_eq!(texts, ["under 0.01 %", "0.03 %", "4.2 %", "100 %", "over 99.9 %", "0 %"]);
    }
}
