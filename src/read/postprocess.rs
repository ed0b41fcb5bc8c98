//! Work on loaded grids before they are drawn: masks, axis values and labels, changes of values and order, and the part that is
//! shown, in this order.

use super::InputError;
use super::array::{AxisValues, load, moved};
use super::budget::Budget;
use super::crop::crop;
use super::shell_word::panel_names;
use super::side::{Mask, apply_axis_values, apply_cell_texts, apply_own_labels, hide_all, list_marked};
use gridscope_core::figure::{Annotate, AxisSpec, Figure, List, PairedTest, TableKind};
use gridscope_core::grid::{CELL_BYTES, Grid};
use gridscope_core::lint::Lints;
use gridscope_core::transform::{
    self, Comparison, NamedBaseline, Replicates, SharedAxes, TransformError, find,
};
use std::path::Path;
use std::sync::Arc;

/// Inputs and results of the changes of grids beside them.
pub(super) struct Around<'a> {
    /// The memory of the run.
    pub budget: &'a Arc<Budget>,
    /// Takes the warnings.
    pub lints: &'a mut Lints,
    /// Reads the panels of a baseline; `None` where the grids are a baseline themselves, whose values stay as they are.
    pub read_baseline: Option<&'a ReadBaseline<'a>>,
}

/// Reads the panels of a file, or those of the data again, by another figure if there is one; and what is to be warned about.
type ReadBaseline<'a> = dyn Fn(Option<&str>, Option<&Figure>) -> Result<(Vec<Grid>, Lints), InputError> + 'a;

/// Masks the grids, gives their axes values and labels, changes values and order, and cuts out the view; paths start at `base`. The files
/// of the grids may give them axis values of their own: of each grid, as far as they go.
///
/// `around = "max"` of grids of one size shows the same window of all, around the first extreme of any.
///
/// # Errors
/// When an option does not fit the grids, or a file it names is refused.
pub(super) fn apply_own(
    grids: Vec<Grid>,
    own: &[Arc<AxisValues>],
    figure: &Figure,
    base: &Path,
    file: &str,
    around: Around<'_>,
) -> Result<Vec<Grid>, InputError> {
    let (none, budget) = (Arc::default(), around.budget);
    let masks = figure.data.mask.iter().flat_map(|masks| &masks.0);
    let masks = masks.map(|mask| Mask::read(mask, figure, &grids, base, budget));
    let masks: Vec<Mask> = masks.collect::<Result<_, _>>()?;
    let mut out = Vec::with_capacity(grids.len());
    for (i, mut grid) in grids.into_iter().enumerate() {
        if !masks.is_empty() {
            load(&grid, file, budget)?;
            grid.find_correlations();
            hide_all(&masks, i, &mut grid, file)?;
        }
        out.push(apply_axis_values(grid, own.get(i).unwrap_or(&none), figure, base, file, budget)?);
    }
    out.iter_mut().for_each(Grid::find_correlations);
    apply_cell_texts(&mut out, figure, base, file, budget)?;
    apply_own_labels(&mut out, own, figure, base, file, budget, around.lints)?;
    let Some(read_baseline) = around.read_baseline else {
        return Ok(out);
    };
    let mut out = transformed(out, figure, file, budget, around.lints, read_baseline)?;
    list_marked(&mut out, figure, base, budget)?;
    crop(out, &figure.view, file)
}

/// The grids with other values, or in another order, where the figure asks for it.
fn transformed(
    grids: Vec<Grid>,
    figure: &Figure,
    file: &str,
    budget: &Arc<Budget>,
    lints: &mut Lints,
    read_baseline: &ReadBaseline<'_>,
) -> Result<Vec<Grid>, InputError> {
    if figure.data.paired.is_some() && figure.data.comparisons().next().is_none() {
        return Err(InputError::usage(file, "paired: a test needs a baseline")
            .with_hint("--minus BASE, --ratio BASE, --percent BASE or --against BASE"));
    }
    let asks_for_p = match figure.annotations.show.as_deref() {
        Some(Annotate::Template(template)) => template.has_probability(),
        _ => false,
    };
    if asks_for_p && figure.data.paired.is_none() {
        let what = "annot: {p} is the probability of a test, and none is asked for";
        return Err(InputError::usage(file, what)
            .with_hint("--paired beside --minus or --against; {mean(p)} is a column p"));
    }
    if let (None, Some(by)) = (figure.data.paired, &figure.data.pair_by) {
        let what = format!("pair_by: {by} pairs the rows of a test, and none is asked for");
        return Err(InputError::usage(file, what).with_hint("--paired"));
    }
    if figure.data.drop_baseline == Some(true) && figure.data.comparisons().next().is_none() {
        return Err(InputError::usage(file, "drop_baseline: nothing is compared with a baseline")
            .with_hint("--minus COLUMN=VALUE, --ratio or --percent"));
    }
    let grids = shared(grids, figure, file, budget, lints)?;
    if !transform::is_asked(figure) {
        return Ok(grids);
    }
    let normalizes = figure.data.normalize.is_some() || figure.data.z_score.is_some();
    if normalizes && figure.data.against.is_some() {
        let what = "against: values and their difference have no shares or scores in common";
        return Err(
            InputError::usage(file, what).with_hint("leave out --normalize and --z-score, or --against")
        );
    }
    let refused = |e: TransformError| refused(e, file);
    // One step works on one copy.
    let mut copies = Vec::with_capacity(grids.len());
    for grid in &grids {
        copies.push(moved(grid, file, budget)?);
    }
    let mut asked = figure.data.comparisons();
    let comparison = match (asked.next(), asked.next()) {
        (None, _) => None,
        (Some((one, _)), Some((other, _))) => {
            let what = format!("{} and {}: a figure has one comparison", one.word(), other.word());
            return Err(InputError::usage(file, what));
        }
        (Some((how, baseline)), None) => {
            let found = find(baseline, &grids, figure, |path| Path::new(path).is_file()).map_err(refused)?;
            let mut comparison = Comparison {
                how,
                names: (String::new(), String::new()),
                grids: Vec::new(),
                found,
                replicates: None,
                drops_baseline: figure.data.drop_baseline == Some(true),
            };
            if let NamedBaseline::File(path) = &comparison.found {
                let (read, warnings) = read_baseline(Some(path), None)?;
                for base in &read {
                    load(base, path, budget)?;
                    let most = base.len().max(grids.first().map_or(0, Grid::len)) as u64;
                    let what = format_args!("{most} cells of a baseline");
                    copies.push(budget.reserve(4 * CELL_BYTES * most).map_err(|s| s.of(path, what))?);
                }
                if let [base, now] = &panel_names(&[path.clone(), file.to_owned()])[..] {
                    comparison.names = (base.clone(), now.clone());
                }
                comparison.grids = read;
                lints.0.extend(warnings.0.into_iter().map(|mut lint| {
                    lint.text = format!("baseline {}: {}", comparison.names.0, lint.text);
                    lint
                }));
            }
            if let Some(test) = figure.data.paired {
                comparison.replicates =
                    Some(replicates(test, &grids, &comparison, figure, file, read_baseline)?);
                let read = comparison.replicates.iter().flat_map(|r| r.now.iter().chain(&r.base));
                read.into_iter().try_for_each(|grid| load(grid, file, budget))?;
            }
            Some(comparison)
        }
    };
    let need = transform::memory(&grids, figure);
    let _distances = budget.reserve(need).map_err(|s| {
        s.of(file, "the distances of all pairs")
            .with_hint("--max-memory raises the limit; --sort-rows std:desc --keep 2000 clusters fewer rows")
    })?;
    transform::apply(grids, figure, comparison.as_ref(), lints).map_err(refused)
}

/// The panels under axes that they have in common, where the figure asks for that.
fn shared(
    grids: Vec<Grid>,
    figure: &Figure,
    file: &str,
    budget: &Arc<Budget>,
    lints: &mut Lints,
) -> Result<Vec<Grid>, InputError> {
    let axes = SharedAxes::of(&grids, figure, lints).map_err(|e| refused(e, file))?;
    if axes.is_empty() {
        return Ok(grids);
    }
    let cells = grids.iter().fold(0, |sum: u64, grid| sum.saturating_add(axes.cells(grid)));
    let what = format_args!("{cells} cells of panels that share their axes");
    budget.take(CELL_BYTES.saturating_mul(cells)).map_err(|s| s.of(file, what))?;
    let place = |grid: &Grid| {
        load(grid, file, budget)?;
        axes.place(grid).map_err(|e| refused(e, file))
    };
    grids.iter().map(place).collect()
}

/// The replicates of both sides of a comparison: the data read again, with a row for each pair.
fn replicates(
    test: PairedTest,
    grids: &[Grid],
    comparison: &Comparison,
    figure: &Figure,
    file: &str,
    read: &ReadBaseline<'_>,
) -> Result<Replicates, InputError> {
    let is_tidy =
        matches!(figure.data.table, None | Some(TableKind::Tidy)) && figure.data.transpose != Some(true);
    let Some(grid) = grids.first().filter(|g| is_tidy && !g.rows().name.is_empty()) else {
        return Err(InputError::usage(
            file,
            "paired: replicates are rows of a tidy table, which is not transposed",
        ));
    };
    let mut of_pairs = figure.clone();
    let by = match &figure.data.pair_by {
        Some(by) => by.clone(),
        None => {
            of_pairs.data.agg = None;
            let (again, _) = read(None, Some(&of_pairs))?;
            let found = again.iter().find_map(|g| g.merged()?.column.clone());
            found.ok_or_else(|| {
                InputError::usage(file, "paired: no single column tells the rows of a cell apart")
                    .with_hint("name the column that pairs the rows: --pair-by seed")
            })?
        }
    };
    let own = figure.y.column.as_ref().or(figure.data.y.as_ref());
    let mut rows = own.map_or_else(|| vec![grid.rows().name.clone()], |list| list.0.clone());
    rows.push(by.clone());
    of_pairs.data.agg = figure.data.agg;
    of_pairs.data.y = Some(List(rows));
    of_pairs.data.x = figure.data.x.clone().or_else(|| Some(List(vec![grid.columns().name.clone()])));
    // What is said of the rows is not true of pairs of them.
    of_pairs.y = AxisSpec { labels: figure.y.labels.clone(), ..AxisSpec::default() };
    let base = match &comparison.found {
        NamedBaseline::File(path) => read(Some(path), Some(&of_pairs))?.0,
        _ => Vec::new(),
    };
    Ok(Replicates { test, by, now: read(None, Some(&of_pairs))?.0, base })
}

/// A step that is refused, as the error of a file.
pub(super) fn refused(e: TransformError, file: &str) -> InputError {
    match e {
        TransformError::Usage { what, hint } => {
            let refused = InputError::usage(file, what);
            match hint {
                Some(hint) => refused.with_hint(hint),
                None => refused,
            }
        }
        TransformError::Limit { what, hint } => InputError::limit(file, what).with_hint(hint),
    }
}

#[cfg(test)]
mod tests;
