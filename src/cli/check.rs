//! `gridscope check`: the warnings that drawing would give.

use super::Outcome;
use super::args::{CheckArgs, Source};
use super::load::{Job, describe, fonts, load, memory_limit, read};
use super::say::{self, Failure, Report};
use crate::comparison::{Better, Comparison, compare};
use crate::grid::Grid;
use crate::input::{Needs, hold, open_figure};
use crate::render::prepare;
use crate::report;
use crate::timing::Phases;
use serde_json::{Value, json};

pub(super) fn run(args: &CheckArgs) -> Outcome {
    let json = say::json_output(&args.source.run, &[])?;
    let job = load(&args.source)?;
    checked(args, &job, json).map_err(|e| job.origin.of(e))
}

fn checked(args: &CheckArgs, job: &Job, json: Option<Report>) -> Outcome {
    let mut fonts = fonts(&job.figure)?;
    let grids = &job.loaded.grids;
    let prepared = prepare(&job.figure, grids, &mut fonts, &mut Phases::new())?;
    let mut lints = job.loaded.lints.clone();
    lints.append(prepared.lints.clone());
    let comparison = args.against.as_deref().zip(args.better).map(|(base, better)| against(args, base, better, grids)).transpose()?;
    lints.append(comparison.as_ref().map(|c| c.lints.clone()).unwrap_or_default());
    let code = say::lints(&lints, &job.policy, args.source.run.quiet);
    let stats = grids.iter().zip(&prepared.stats).zip(&prepared.colours.panels);
    let panels: Value = stats.map(|((g, s), p)| report::panel(g, s, Some((p.below, p.above)))).collect();
    let scales = report::scales(&prepared.frame, &prepared.colours);
    let mut fields = vec![("panels", panels), ("scales", scales), ("lints", report::lints(&lints, &job.policy))];
    let base = args.against.as_deref().unwrap_or_default();
    fields.extend(comparison.map(|c| ("against", json!({"file": base, "panels": c.panels}))));
    let value = report::versioned(fields);
    say::write_json(json, &value)?;
    Ok(code)
}

/// Compares the grids with those of the same figure of another file, or of another figure file.
fn against(args: &CheckArgs, base: &str, better: Better, grids: &[Grid]) -> Result<Comparison, Failure> {
    let is_figure = open_figure(base)?.is_some();
    let source = if is_figure { Source { files: vec![base.to_owned()], ..args.source.clone() } } else { args.source.clone() };
    let (figure, mut files, policy, mut origin) = describe(&source)?;
    if !is_figure {
        (files, origin) = (vec![base.to_owned()], origin.with_data(base));
    }
    let before = read(&source, (figure, files, policy, origin), Needs::default())?;
    let limit = memory_limit(&source)?;
    grids.iter().try_for_each(|grid| hold(grid, "", limit))?;
    before.loaded.grids.iter().try_for_each(|grid| hold(grid, base, limit))?;
    Ok(compare(grids, &before.loaded.grids, better, args.tolerance.unwrap_or_default()))
}
