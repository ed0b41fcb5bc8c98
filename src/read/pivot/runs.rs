//! Tables whose rows are runs: settings in some columns, and what was measured of each.

use super::columns::{Choice, LEAST};
use super::factors::{Factors, Rows};
use super::profile::{ColumnKind, Profile, all_cells};
use super::suggest::{is_measure_name, known, placed, tidy};
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::shown;
use crate::table::{TableSource, listed};
use gridscope_core::calendar::parse_times;
use gridscope_core::figure::Figure;
use gridscope_core::lint::LintName;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Columns of a matrix that may be coordinates and what is measured there.
pub(super) const COORDINATES: usize = 6;
/// Rows of a table of settings.
const SETTINGS: RangeInclusive<usize> = 4..=1 << 14;
pub(super) const RUNS: &str = "each row is a run of settings in other columns";

/// The settings that the numbers of a wide table hold in all combinations, and a measurement of each: then its labels are names
/// of runs.
pub(super) fn sweep(
    table: &dyn TableSource,
    figure: &Figure,
    choice: &Choice,
    budget: &Arc<Budget>,
) -> Option<(Factors, usize)> {
    // The rows of a long table are read for what only names in a comment ask.
    let is_long = table.threads() > 1 && !table.schema().named_in_comment;
    if is_long || choice.columns.values.len() < LEAST {
        return None;
    }
    let (profiles, count) = known(table, "it may be a tidy table", figure, budget).ok()?;
    let (found, value) = placed(&profiles, &Rows { table, count })?;
    let is_number = |c: &usize| choice.columns.values.contains(c);
    let numbers = [found.x, found.y, value].iter().filter(|c| is_number(c)).count();
    (found.full && numbers > 1 && SETTINGS.contains(&count)).then_some((found, value))
}

/// Whether the labels of rows are times at which runs of settings in other columns began: no even series.
pub(super) fn is_log(
    table: &dyn TableSource,
    label: usize,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<bool, InputError> {
    if !are_stamps(table, label)? {
        return Ok(false);
    }
    let (profiles, count) = known(table, "it may be a log of runs", figure, budget)?;
    // Settings recur, texts among them.
    let recurs = |p: &&Profile| (2..=count / 2).contains(&p.distinct) && !is_measure_name(&p.name);
    let settings: Vec<&Profile> = profiles.iter().filter(recurs).collect();
    Ok(settings.len() > 1 && settings.iter().any(|p| p.kind == ColumnKind::Text))
}

/// Rows whose times are looked at.
const TIMES: usize = 1 << 16;

/// Whether a column holds times whose steps are uneven.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn are_stamps(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    let mut times: Vec<f64> = Vec::new();
    let are_times = all_cells(table, column, |cells, row| {
        let text = cells.text(row).trim().replacen('_', " ", 1);
        let time = parse_times(std::iter::once(text.as_str()), false);
        times.extend(time.iter().flatten());
        time.is_some() && times.len() < TIMES
    })?;
    if !are_times && times.len() < TIMES || times.len() < 4 {
        return Ok(false);
    }
    times.sort_by(f64::total_cmp);
    let mut steps: Vec<i64> = times.windows(2).map(|w| ((w[1] - w[0]) * 1e6).round() as i64).collect();
    steps.sort_unstable();
    let same = steps.chunk_by(|a, b| a == b).map(<[i64]>::len).max().unwrap_or(0);
    Ok(same * 2 < steps.len())
}

/// Reports a wide table whose numbers are settings and a measurement of each.
pub(super) fn report_sweep(
    table: &dyn TableSource,
    figure: &Figure,
    choice: &mut Choice,
    budget: &Arc<Budget>,
) {
    let Some((found, value)) = sweep(table, figure, choice, budget) else { return };
    let schema = table.schema();
    let settings: Vec<String> =
        found.panel.into_iter().chain([found.y, found.x]).map(|c| schema.headers[c].clone()).collect();
    let what = format!(
        "each row may be a cell: {} in all combinations, and {} of each",
        listed(&settings),
        shown(&schema.headers[value])
    );
    choice.lints.add(LintName::UnlikeColumns, settings.len() as u64, what).hint(tidy(found, value, schema));
}
