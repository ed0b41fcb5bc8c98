//! Columns and rows of an automatic wide table that one scale of colours does not suit: of other magnitudes, or years among measures.

use crate::shell_word::flag;
use crate::table::listed;
use gridscope_core::figure::{Figure, List};
use gridscope_core::grid::{Grid, Number};
use gridscope_core::lint::{LintName, Lints};

/// Columns are unlike each other where the numbers of one are this many times those of another, and those of them are named that
/// are so many times off the middle.
const SPAN: f64 = 100.0;
const OFF: f64 = 10.0;
/// The most columns of a table that is looked at: there are no so many measures.
const MOST: usize = 64;
/// The most rows that are looked at.
const ROWS: usize = 1_000;

/// Rows are told apart by names far more often than columns are, and of one measure: they are unlike each other where the numbers of
/// one are so many times those of another.
const SPAN_OF_ROWS: f64 = 10_000.0;

/// A column of numbers, or a row, by its name and what its numbers are like.
struct Measured {
    name: String,
    /// What nine of ten of their magnitudes are at most, without zeros.
    size: f64,
    /// They are whole numbers that read as years.
    years: bool,
    /// They are whole numbers.
    whole: bool,
    /// They are between 0 and 1.
    shares: bool,
}

/// Reports columns whose numbers are of another magnitude than those of most others, and years among other numbers; else rows that
/// are so.
pub(super) fn report_unlike(grids: &[Grid], figure: &Figure, lints: &mut Lints) {
    let [grid] = grids else { return };
    let turned = figure.data.transpose == Some(true);
    if !report(grid, turned, false, lints) {
        report(grid, turned, true, lints);
    }
}

/// The columns or rows of a table, which is a grid or a grid `turned`; none where they are one measure at several settings, or too
/// many.
fn measured(grid: &Grid, turned: bool, rows: bool) -> Vec<Measured> {
    let are_rows = turned != rows;
    let (count, numbers) = match are_rows {
        false => (grid.width(), grid.height()),
        true => (grid.height(), grid.width()),
    };
    let axis = if are_rows { grid.rows() } else { grid.columns() };
    if !(2..=MOST).contains(&count) || axis.levels.is_empty() {
        return Vec::new();
    }
    let of = |c: usize| {
        let at = |r: usize| if are_rows { grid.at(c, r) } else { grid.at(r, c) };
        let numbers: Vec<f64> = (0..numbers.min(ROWS))
            .filter_map(|r| at(r).value().map(Number::as_f64))
            .filter(|v| v.is_finite())
            .collect();
        let years =
            !numbers.is_empty() && numbers.iter().all(|v| v.fract() == 0.0 && (1900.0..=2100.0).contains(v));
        let mut sizes: Vec<f64> = numbers.iter().map(|v| v.abs()).filter(|v| *v > 0.0).collect();
        sizes.sort_by(f64::total_cmp);
        let size = *sizes.get(sizes.len() * 9 / 10)?;
        let whole = numbers.iter().all(|v| v.fract() == 0.0);
        let shares = numbers.iter().all(|v| (0.0..=1.0).contains(v));
        Some(Measured { name: axis.label(c), size, years, whole, shares })
    };
    let measured: Vec<Measured> = (0..count).filter_map(of).collect();
    let are_settings = measured.iter().all(|m| m.name.trim().parse::<f64>().is_ok());
    if are_settings { Vec::new() } else { measured }
}

/// Whether columns or rows are unlike each other, which is reported.
fn report(grid: &Grid, turned: bool, rows: bool, lints: &mut Lints) -> bool {
    let measured = measured(grid, turned, rows);
    let all_years = measured.iter().all(|m| m.years);
    let mut all: Vec<f64> = measured.iter().map(|m| m.size).collect();
    all.sort_by(f64::total_cmp);
    let (Some(&least), Some(&most)) = (all.first(), all.last()) else { return false };
    let middle = all[(all.len() - 1) / 2];
    let span = if rows { SPAN_OF_ROWS } else { SPAN };
    // Counts beside shares, as the support of a class beside its precision.
    let are_shares = measured.iter().filter(|m| m.shares).count() * 2 > measured.len();
    // Those around the middle whose sizes follow each other closely are one measure.
    let close = |w: &[f64]| w[1] <= OFF * w[0];
    let at = (all.len() - 1) / 2;
    let from = at - all[..=at].windows(2).rev().take_while(|w| close(w)).count();
    let to = at + all[at..].windows(2).take_while(|w| close(w)).count();
    let one_measure = all[to] <= OFF * span * all[from];
    let is_off = |size: f64| match one_measure {
        true => !(all[from]..=all[to]).contains(&size),
        false => !(1.0 / OFF..=OFF).contains(&(size / middle)),
    };
    let is_unlike = |m: &&Measured| {
        if !rows && are_shares && m.whole && m.size > OFF {
            return true;
        }
        most > span * least && is_off(m.size) || m.years && !all_years && !rows
    };
    let unlike: Vec<String> = measured.iter().filter(is_unlike).map(|m| m.name.clone()).collect();
    if unlike.is_empty() {
        return false;
    }
    let (one, several) = if rows { ("row", "rows") } else { ("column", "columns") };
    let what = format!(
        "one scale of colours for {several} of unlike numbers: {} (nine of ten numbers of a {one} are up to {} in one and {} in another)",
        listed(&unlike),
        short(least),
        short(most)
    );
    let out: Vec<String> = unlike.iter().map(|name| format!("!{name}")).collect();
    let mut left = measured.iter().filter(|m| !is_unlike(m)).map(|m| m.size).collect::<Vec<_>>();
    left.sort_by(f64::total_cmp);
    let alike = left.len() > unlike.len() && left[left.len() - 1] <= SPAN * left[0];
    let lint = lints.add(LintName::UnlikeColumns, unlike.len() as u64, what);
    if alike && !rows {
        lint.hint(format!("--table wide {}", flag("--value", &List::to_flag(&out))));
    }
    lint.hint(format!("--z-score {one}"));
    true
}

/// Three digits of a number.
fn short(v: f64) -> String {
    let digits = 2 - v.abs().log10().floor() as i32;
    let scale = 10f64.powi(digits.clamp(-300, 300));
    format!("{}", (v * scale).round() / scale)
}
