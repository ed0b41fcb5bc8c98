//! `gridscope render`: a figure to a picture.

use super::Outcome;
use super::args::RenderArgs;
use super::backend::{BackendChoice, BackendSelector};
use super::diagnostics::{self, Failure, Report};
use super::load::{Job, describe, peak_rss_mb, protect_inputs, read, watched};
use super::progress::Progress;
use super::watch::{Event, Watch};
use super::write::{Drawing, Opened, Written, open, targets, write_pictures};
use gridscope_core::text::{Fonts, clean, one_line};
use gridscope_core::timing::Phases;
use gridscope_core::view::EdgeTable;
use gridscope_draw::fonts::{advise, fonts};
use gridscope_draw::metadata::{Description, LONGEST};
use gridscope_draw::picture::Picture;
use gridscope_draw::render::{Capacity, FoldBy, PrepareOptions, bare, bare_size, prepare_with};
use gridscope_draw::report;
use gridscope_draw::resolve::{Seen, limits};
use gridscope_read::{InputError, ReadOptions};
use serde_json::{Value, json};

/// The outputs of the pictures, and that of the report.
type Outputs = (Vec<Opened>, Option<Report>);

pub(super) fn run(args: &RenderArgs) -> Outcome {
    let mut seen = Vec::new();
    if !args.watch {
        diagnostics::limit_time(&args.source.run, args.source.files.first())?;
        return draw_once(args, false, &mut seen).map(|done| done.0);
    }
    if args.output.iter().any(|o| o.as_os_str() == "-") || args.source.files.iter().any(|f| f == "-") {
        return Err(Failure::usage("--watch reads and writes files, not standard input or output"));
    }
    let request = describe(&args.source)?;
    let mut watch = Watch::new(&watched(&args.source, &request.figure, &request.files));
    let mut waits = draw_once(args, watch.is_fresh(), &mut seen)?.1;
    loop {
        let growing = match watch.wait(waits) {
            Event::Changed => true,
            Event::Finished => false,
            Event::Gone(what) => {
                if !args.source.run.quiet {
                    diagnostics::line(&format!("warning: {}; the last picture stays", clean(&what)));
                }
                continue;
            }
        };
        // A half-written file is complete a little later; until then the last picture stays.
        match draw_once(args, growing, &mut seen) {
            Ok(done) => waits = done.1,
            Err(failure) => {
                diagnostics::report(&failure);
            }
        }
    }
}

/// Draws once, and returns the exit code and whether an incomplete last row was left out. `seen` holds the limits of
/// the pictures before.
fn draw_once(args: &RenderArgs, growing: bool, seen: &mut Seen) -> Result<(u8, bool), Failure> {
    let mut phases = Phases::new();
    let targets = targets(args)?;
    let json = diagnostics::json_output(&args.source.run, &args.output)?;
    let targets = open(targets)?;
    let progress = Progress::start(args.source.run.progress, args.source.run.quiet);
    progress.stage("reading");
    phases.done("open");
    let request = describe(&args.source)?;
    protect_inputs(args.output.iter(), &args.source, &request.figure, &request.files)?;
    let job = read(
        &args.source,
        request,
        ReadOptions { growing, fingerprints: !args.no_metadata, ..ReadOptions::default() },
    )?;
    phases.done("read");
    let code = draw(args, &job, (targets, json), phases, &progress, seen).map_err(|e| job.origin.of(e))?;
    Ok((code, job.loaded.waits))
}

/// Draws and writes the pictures of a job, and writes the report.
fn draw(
    args: &RenderArgs,
    job: &Job,
    (targets, json): Outputs,
    mut phases: Phases,
    progress: &Progress,
    seen: &mut Seen,
) -> Outcome {
    let mut fonts = fonts(&job.figure, &job.loaded.grids, job.budget.left())?;
    phases.done("fonts");
    if args.bare {
        return draw_bare(args, job, (targets, json), phases, &mut fonts, progress, seen);
    }
    report_fonts(args, &fonts);
    let grids = &job.loaded.grids;
    let left = job.budget.left();
    let mut selector = BackendSelector::new(&args.backend, left, &mut phases)?;
    progress.stage("folding");
    let folds = selector.folds();
    let mut fold =
        |i: usize, columns: &EdgeTable, rows: &EdgeTable| selector.fold(grids, i, columns, rows, progress);
    let options = PrepareOptions {
        fold: folds.then_some(&mut fold as &mut FoldBy<'_>),
        capacity: Capacity::within(left),
        seen: seen.clone(),
        ..PrepareOptions::default()
    };
    let prepared = prepare_with(&job.figure, grids, &mut fonts, &mut phases, options)?;
    *seen = limits(grids, &prepared.colours);
    let mut lints = job.loaded.lints.clone();
    lints.append(prepared.lints.clone());
    advise(&fonts, &job.figure, &job.policy, &mut lints);
    let picture = Picture { memory: left, ..prepared.picture(grids) };
    let picture =
        described(args, picture, || prepared.description(&job.figure, &job.files, &job.loaded.inputs));
    let mut panels = report::panels(&prepared.frame, grids, &prepared.stats, &prepared.colours);
    report::add_marks(&mut panels, grids, &prepared.frame, &prepared.marking);
    let shown = vec![
        ("panels", panels),
        ("scales", report::scales(&prepared.frame, &prepared.colours)),
        ("reduction", json!(prepared.colours.reduce.word())),
    ];
    let drawing = Drawing {
        backend: &mut selector,
        fonts: &mut fonts,
        lints: &mut lints,
        phases: &mut phases,
        progress,
    };
    finish(args, job, &picture, (targets, json), drawing, shown)
}

/// As [`draw`], with `--bare`: the cells of one panel.
fn draw_bare(
    args: &RenderArgs,
    job: &Job,
    (targets, json): Outputs,
    mut phases: Phases,
    fonts: &mut Fonts,
    progress: &Progress,
    seen: &mut Seen,
) -> Outcome {
    let [grid] = job.loaded.grids.as_slice() else {
        let names: Vec<&str> = job.loaded.grids.iter().map(gridscope_core::grid::Grid::name).collect();
        let what = format!("--bare draws one panel, but the data have {}: {}", names.len(), names.join(", "));
        return Err(InputError::usage(job.origin.data(), what)
            .with_hint("--where 'COLUMN = VALUE' chooses one")
            .into());
    };
    let size = bare_size(&job.figure, grid, args.cell);
    let left = job.budget.left();
    let before = seen.iter().find(|s| s.0 == grid.name()).map(|s| s.1);
    let bare = bare(&job.figure, grid, size, Capacity::within(left), before)?;
    if let Some(cells) = bare.cells() {
        let scale = cells.scale.spec();
        *seen = vec![(grid.name().to_owned(), (scale.vmin, scale.vmax))];
    }
    phases.done("fold");
    let picture = Picture { memory: left, ..bare.picture(&job.figure, grid) };
    let picture =
        described(args, picture, || bare.description((&job.figure, grid), &job.files, &job.loaded.inputs));
    let mut selector = BackendSelector::new(&args.backend, left, &mut phases)?;
    let mut lints = job.loaded.lints.clone();
    let shown = vec![("panels", json!([report::panel(grid, &bare.stats, None)]))];
    let drawing = Drawing { backend: &mut selector, fonts, lints: &mut lints, phases: &mut phases, progress };
    finish(args, job, &picture, (targets, json), drawing, shown)
}

/// Writes the pictures, the warnings and the report, whose fields about the figure are `shown`.
fn finish(
    args: &RenderArgs,
    job: &Job,
    picture: &Picture<'_>,
    (targets, json): Outputs,
    mut drawing: Drawing<'_, '_>,
    shown: Vec<(&'static str, Value)>,
) -> Outcome {
    let written = write_pictures(picture, args, targets, &mut drawing)?;
    drawing.progress.finish();
    report_roles(args, job);
    let Drawing { backend, lints, phases, .. } = drawing;
    let code = diagnostics::lints(lints, &job.policy, &args.source.run);
    let mut fields = report::reading(&job.loaded);
    fields.extend(shown);
    fields.extend([
        ("lints", report::lints(lints, &job.policy)),
        ("backend", choice(&backend.choice)),
        ("phases_ms", phase_list(phases)),
        ("peak_rss_mb", json!(peak_rss_mb())),
        ("output", written[0].report()),
        ("outputs", written.iter().map(Written::report).collect()),
    ]);
    diagnostics::write_json(json, &report::versioned(fields))?;
    Ok(code)
}

/// The picture with its description; without with `--no-metadata`.
fn described<'a, 'd>(
    args: &RenderArgs,
    picture: Picture<'a>,
    description: impl FnOnce() -> Description<'d>,
) -> Picture<'a> {
    if args.no_metadata {
        return picture;
    }
    let picture = picture.described(&description());
    if picture.description.is_none() && !args.source.run.quiet {
        diagnostics::line(&format!(
            "note: the figure's description is longer than {} MiB and not written into the picture",
            LONGEST >> 20
        ));
    }
    picture
}

/// Reports fonts of this machine that the picture has glyphs of.
fn report_fonts(args: &RenderArgs, fonts: &Fonts) {
    let borrowed = fonts.borrowed().join(", ");
    if !args.source.run.quiet && !borrowed.is_empty() {
        diagnostics::line(&format!(
            "note: characters that the font lacks are of this machine's {}; --system-fonts off keeps pictures the same everywhere",
            one_line(&borrowed)
        ));
    }
}

/// Reports how a table was read, unless flags or the figure determine it.
fn report_roles(args: &RenderArgs, job: &Job) {
    let roles = &job.loaded.summary;
    if !args.source.run.quiet
        && job.figure.data.x.is_none()
        && job.figure.x.column.is_none()
        && !roles.is_empty()
    {
        diagnostics::line(&format!("note: {}", one_line(roles)));
    }
}

fn choice(choice: &BackendChoice) -> Value {
    json!({"name": choice.name, "adapter": choice.adapter, "driver": choice.driver, "fold": choice.fold, "why": choice.why})
}

fn phase_list(phases: &Phases) -> Value {
    let round = |ms: f64| json!((ms * 1000.0).round() / 1000.0);
    Value::Object(phases.list().iter().map(|(name, ms)| ((*name).to_owned(), round(*ms))).collect())
}
