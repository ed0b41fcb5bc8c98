//! `gridscope check`: the warnings that drawing would give.

use super::Outcome;
use super::args::{CheckArgs, Source};
use super::diagnostics::{self, Failure, Report};
use super::load::{Job, describe, fonts, load, read_within};
use crate::comparison::{Better, Comparison, compare};
use crate::error::Error;
use crate::figure::Figure;
use crate::grid::{Ask, Digest, Grid, Stats};
use crate::input::{Needs, hold, open_figure_within};
use crate::lint::Lints;
use crate::render::prepare;
use crate::report;
use crate::resolve::{Colours, Folded, Frame, Overrides, ResolveError, colours, frame};
use crate::scale::NormSpec;
use crate::text::{Fonts, one_line};
use crate::timing::Phases;
use crate::view::EdgeTable;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) fn run(args: &CheckArgs) -> Outcome {
    let json = diagnostics::json_output(&args.source.run, &[])?;
    let job = load(&args.source)?;
    reported(args, &job, json).map_err(|e| job.origin.of(e))
}

fn reported(args: &CheckArgs, job: &Job, json: Option<Report>) -> Outcome {
    let mut fonts = fonts(&job.figure, job.budget.left())?;
    let grids = &job.loaded.grids;
    let checked = checked(&job.figure, grids, &mut fonts)?;
    if let Some(why) = checked.no_picture.as_ref().filter(|_| !args.source.run.quiet) {
        diagnostics::line(&format!("note: no warnings about the picture: {}", one_line(why)));
    }
    let mut lints = job.loaded.lints.clone();
    lints.append(checked.lints);
    let comparison = args
        .against
        .as_deref()
        .zip(args.better)
        .map(|(base, better)| against(args, base, better, job))
        .transpose()?;
    lints.append(comparison.as_ref().map(|c| c.lints.clone()).unwrap_or_default());
    let code = diagnostics::lints(&lints, &job.policy, args.source.run.quiet);
    let stats = grids.iter().zip(&checked.stats).zip(&checked.colours.panels);
    let panels: Value = stats
        .map(|((g, s), p)| report::panel(g, s, Some((p.below, p.above))))
        .collect();
    let scales = report::scales(&checked.frame, &checked.colours);
    let mut fields = vec![
        ("dialects", report::dialects(&job.loaded.dialects)),
        ("panels", panels),
        ("scales", scales),
        ("lints", report::lints(&lints, &job.policy)),
    ];
    let base = args.against.as_deref().unwrap_or_default();
    fields.extend(checked.no_picture.map(|why| ("no_picture", json!(why))));
    fields.extend(comparison.map(|c| ("against", json!({"file": base, "panels": c.panels}))));
    let value = report::versioned(fields);
    diagnostics::write_json(json, &value)?;
    Ok(code)
}

/// What drawing a figure would find.
struct Checked {
    frame: Frame,
    colours: Colours,
    stats: Vec<Stats>,
    lints: Lints,
    /// Why there is no picture to warn about.
    no_picture: Option<String>,
}

/// What drawing would find. A figure whose labels ask for a larger picture than there can be is no fault of its data: then the
/// warnings about the data are given, and those about the picture are not.
fn checked(figure: &Figure, grids: &[Grid], fonts: &mut Fonts) -> Result<Checked, Error> {
    match prepare(figure, grids, fonts, &mut Phases::new()) {
        Ok(p) => Ok(Checked {
            frame: p.frame,
            colours: p.colours,
            stats: p.stats,
            lints: p.lints,
            no_picture: None,
        }),
        Err(Error::Figure(ResolveError::Size(why))) => data_alone(figure, grids, why),
        Err(e) => Err(e),
    }
}

/// Cells in memory are looked at one by one; of others so many pixels a side are.
const COARSE: u32 = 2048;

/// What the cells tell without a picture, which `no_picture` says there is not.
fn data_alone(figure: &Figure, grids: &[Grid], no_picture: String) -> Result<Checked, Error> {
    let frame = frame(figure, &Overrides::default(), grids)?;
    let digest = |g: &Grid| -> Result<Digest, Error> {
        let norm = figure
            .panels
            .get(g.name())
            .and_then(|p| p.norm.as_ref())
            .or(figure.color.norm.as_ref());
        let side = |cells: usize| EdgeTable::fit(cells as u32, (cells as u32).min(COARSE));
        let (columns, rows) = (side(g.width()), side(g.height()));
        let body = (!g.is_held()).then(|| (columns.spans(), rows.spans()));
        Ok(g.digest(&Ask {
            body,
            limits: None,
            positive: matches!(norm.map(|n| &**n), Some(NormSpec::Log)),
        })?)
    };
    let digests = grids.iter().map(digest).collect::<Result<Vec<_>, _>>()?;
    let folded: Vec<Folded<'_>> = grids
        .iter()
        .zip(&digests)
        .map(|(g, digest)| Folded {
            digest,
            summaries: (!g.is_held()).then_some(&digest.summaries),
            body: None,
            strips: None,
        })
        .collect();
    let colours = colours(figure, &frame, grids, &folded)?;
    let lints = colours.lints.clone();
    Ok(Checked {
        frame,
        colours,
        stats: digests.into_iter().map(|d| d.stats).collect(),
        lints,
        no_picture: Some(no_picture),
    })
}

/// Compares the grids with those of the same figure of another file, or of another figure file.
fn against(args: &CheckArgs, base: &str, better: Better, job: &Job) -> Result<Comparison, Failure> {
    let (grids, budget) = (&job.loaded.grids, &job.budget);
    let is_figure = open_figure_within(base, budget.limit())?.is_some();
    let source = if is_figure {
        Source {
            files: vec![base.to_owned()],
            ..args.source.clone()
        }
    } else {
        args.source.clone()
    };
    let (figure, mut files, policy, mut origin) = describe(&source)?;
    if !is_figure {
        (files, origin) = (vec![base.to_owned()], origin.with_data(base));
    }
    let before = read_within(
        &source,
        (figure, files, policy, origin),
        Needs::default(),
        Arc::clone(budget),
    )?;
    grids.iter().try_for_each(|grid| hold(grid, "", budget))?;
    before
        .loaded
        .grids
        .iter()
        .try_for_each(|grid| hold(grid, base, budget))?;
    Ok(compare(
        grids,
        &before.loaded.grids,
        better,
        args.tolerance.unwrap_or_default(),
    ))
}
