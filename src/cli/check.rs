//! `gridscope check`: the warnings that drawing would cause, and the comparison with another figure.

use super::Outcome;
use super::args::{CheckArgs, Source};
use super::diagnostics::{self, Failure, Report};
use super::export::better;
use super::load::{Job, describe, load, read_within};
use gridscope_core::figure::{Baseline, Figure};
use gridscope_core::grid::{Grid, ScanRequest, ScanResult, Stats};
use gridscope_core::lint::{Lints, hinted};
use gridscope_core::text::{Fonts, one_line};
use gridscope_core::timing::Phases;
use gridscope_core::view::EdgeTable;
use gridscope_draw::comparison::{Comparison, compare};
use gridscope_draw::error::Error;
use gridscope_draw::fonts::{advise, fonts};
use gridscope_draw::render::{Capacity, prepare};
use gridscope_draw::report;
use gridscope_draw::resolve::{
    Colours, Folded, Frame, Overrides, ResolveError, colours, frame, margin_request, scan_requests,
};
use gridscope_read::{ReadOptions, open_figure_within};
use serde_json::json;
use std::sync::Arc;

pub(super) fn run(args: &CheckArgs) -> Outcome {
    let json = diagnostics::json_output(&args.source.run, &[])?;
    let job = load(&without_base(&args.source))?;
    print_findings(args, &job, json).map_err(|e| job.origin.of(e))
}

/// Prints the warnings, and writes the report.
fn print_findings(args: &CheckArgs, job: &Job, json: Option<Report>) -> Outcome {
    let mut fonts = fonts(&job.figure, &job.loaded.grids, job.budget.left())?;
    let grids = &job.loaded.grids;
    let findings = find(&job.figure, grids, &mut fonts, job.budget.left())?;
    if let Some(why) = findings.no_picture.as_ref().filter(|_| !args.source.run.quiet) {
        diagnostics::line(&format!("note: no warnings about the picture: {}", one_line(why)));
    }
    let mut lints = job.loaded.lints.clone();
    lints.append(findings.lints);
    advise(&fonts, &job.figure, &job.policy, &mut lints);
    let base = args.source.flags.given("data.against").first();
    let base = base.map(|text| match text.parse() {
        Ok(Baseline::File(path)) => path,
        _ => text.clone(),
    });
    let comparison = base.as_deref().map(|base| against(args, base, job)).transpose()?;
    lints.append(comparison.as_ref().map(|c| c.lints.clone()).unwrap_or_default());
    let code = diagnostics::lints(&lints, &job.policy, &args.source.run);
    let mut fields = report::reading(&job.loaded);
    fields.extend([
        ("panels", report::panels(&findings.frame, grids, &findings.stats, &findings.colours)),
        ("scales", report::scales(&findings.frame, &findings.colours)),
        ("lints", report::lints(&lints, &job.policy)),
    ]);
    let base = base.unwrap_or_default();
    fields.extend(findings.no_picture.map(|why| ("no_picture", json!(why))));
    fields.extend(comparison.map(|c| ("against", json!({"file": base, "panels": c.panels}))));
    let value = report::versioned(fields);
    diagnostics::write_json(json, &value)?;
    Ok(code)
}

/// Findings of drawing a figure, without a picture.
struct Findings {
    frame: Frame,
    colours: Colours,
    stats: Vec<Stats>,
    lints: Lints,
    /// Why no picture can be drawn, so that its warnings are missing.
    no_picture: Option<String>,
}

/// Finds the warnings about data and picture. If the labels do not fit the canvas, the data may still be right: then only
/// the warnings about the data are found. `left` is the bytes of memory for Summaries.
fn find(figure: &Figure, grids: &[Grid], fonts: &mut Fonts, left: u64) -> Result<Findings, Error> {
    match prepare(figure, grids, fonts, &mut Phases::new()) {
        Ok(p) => Ok(Findings {
            frame: p.frame,
            colours: p.colours,
            stats: p.stats,
            lints: p.lints,
            no_picture: None,
        }),
        Err(Error::Figure(e @ (ResolveError::Size(_) | ResolveError::Small { .. }))) => {
            let what = e.to_string();
            let why = e.hint().map(|hint| hinted(&what, hint)).unwrap_or(what);
            find_in_data(figure, grids, left, why)
        }
        Err(e) => Err(e),
    }
}

/// Finds the warnings about the data alone, for the reason `no_picture`. Grids that are not in memory are represented by
/// the Summaries of blocks of cells.
fn find_in_data(figure: &Figure, grids: &[Grid], left: u64, no_picture: String) -> Result<Findings, Error> {
    let frame = frame(figure, &Overrides::default(), grids)?;
    let blocks = Capacity::within(left).blocks(grids);
    let requests = scan_requests(figure, grids)?;
    let scan = |(g, request): (&Grid, &ScanRequest<'_>)| -> Result<ScanResult, Error> {
        let side = |cells: usize| EdgeTable::fit(cells as u32, (cells as u32).min(blocks));
        let (columns, rows) = (side(g.width()), side(g.height()));
        let body = (!g.is_loaded()).then(|| (columns.spans(), rows.spans()));
        Ok(g.scan(&ScanRequest { body, margins: margin_request(&frame.tracks), ..*request })?)
    };
    let scans = grids.iter().zip(&requests).map(scan).collect::<Result<Vec<_>, _>>()?;
    let folded: Vec<Folded<'_>> = grids
        .iter()
        .zip(&scans)
        .map(|(g, scan)| Folded {
            scan,
            summaries: (!g.is_loaded()).then_some(&scan.summaries),
            body: None,
            strips: None,
            later: false,
        })
        .collect();
    let colours = colours(figure, &frame, grids, &folded)?;
    let lints = colours.lints.clone();
    Ok(Findings {
        frame,
        colours,
        stats: scans.into_iter().map(|d| d.stats).collect(),
        lints,
        no_picture: Some(no_picture),
    })
}

/// The source without BASE, which is compared with and not drawn.
fn without_base(source: &Source) -> Source {
    let mut source = source.clone();
    source.flags.forget("data.against");
    source
}

/// Compares the grids with those of BASE: another figure file, or other data for the same figure.
fn against(args: &CheckArgs, base: &str, job: &Job) -> Result<Comparison, Failure> {
    let better = better(&job.figure, "--against")?;
    let (grids, budget) = (&job.loaded.grids, &job.budget);
    let is_figure = open_figure_within(base, budget.limit())?.is_some();
    let source = if is_figure {
        Source { files: vec![base.to_owned()], ..without_base(&args.source) }
    } else {
        without_base(&args.source)
    };
    let mut request = describe(&source)?;
    if !is_figure && !request.figure.panel.is_empty() {
        let wrong = Failure::usage(format!("{base}: a figure with [[panel]] has a file for each of them"));
        return Err(wrong.with_hint("--against takes another figure file"));
    }
    if !is_figure {
        request.files = vec![base.to_owned()];
        request.origin = request.origin.with_data(base);
    }
    let before = read_within(&source, request, ReadOptions::default(), Arc::clone(budget))?;
    grids.iter().try_for_each(|grid| gridscope_read::load(grid, "", budget))?;
    before.loaded.grids.iter().try_for_each(|grid| gridscope_read::load(grid, base, budget))?;
    Ok(compare(grids, &before.loaded.grids, better, args.tolerance.unwrap_or_default()))
}
