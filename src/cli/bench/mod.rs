//! `gridscope bench`: measures how fast views of a grid are drawn.

mod generator;
mod input;
mod views;
mod renderer;
mod device;
mod labels;
mod check;
mod measure;
mod plan;
mod report;

use super::Outcome;
use super::args::Source;
use super::bench_args::{BenchArgs, BenchBackend, BenchFold, BenchWork};
use super::diagnostics::{self, Failure};
use super::load::{memory_limit, peak_rss_mb};
use super::progress::Progress;
use input::{Input, file_name, sizes_fit, without_repeats};
use measure::Subject;
use plan::{RunSettings, cases};
use renderer::Renderer;
use report::Report;
use std::path::Path;

/// Timed frames of a case unless `--runs` is given.
const RUNS: u32 = 20;

pub(super) fn run(args: &BenchArgs) -> Outcome {
    let to_stdout = check_flags(args)?;
    let source =
        Source { files: args.file.iter().cloned().collect(), run: args.run.clone(), ..Source::default() };
    let limit = memory_limit(&source)?;
    sizes_fit(&args.size, limit).map_err(|e| match &args.file {
        Some(file) => e.of_file(file),
        None => e,
    })?;
    let json = if to_stdout { None } else { diagnostics::json_output(&args.run, &[])? };
    let progress = Progress::start(args.run.progress, args.run.quiet);
    progress.stage("reading");
    let input = Input::open(args, &source, limit)?;
    let settings = settings(args, &input)?;
    let mut renderer = device::open(args, limit)?;
    let (policy, lints) = (input.policy.clone(), input.lints.clone());
    let mut report = Report::new(renderer.system().clone(), settings);
    let origin = input.origin.clone();
    measure_all(input, limit, &mut *renderer, &mut report, &progress).map_err(|e| match &origin {
        Some(origin) => origin.of(e),
        None => e,
    })?;
    drop(progress);
    report.peak_rss_mb = peak_rss_mb();
    diagnostics::write_json(json, &report.json())?;
    diagnostics::print(&printed(&report, args, to_stdout))?;
    let denied = diagnostics::lints(&lints, &policy, &args.run);
    Ok(denied.max(print_checks(&report)))
}

/// Refuses flags that contradict each other, and returns whether standard output gets the JSON report alone.
fn check_flags(args: &BenchArgs) -> Result<bool, Failure> {
    let to_stdout =
        args.run.json.as_ref().is_some_and(|path| path.as_deref().is_none_or(|p| p == Path::new("-")));
    let usage = |what: &str, hint: &str| Err(Failure::usage(what).with_hint(hint));
    if args.backend == BenchBackend::Cpu && args.device.is_some() {
        return usage("--device names what --backend gpu draws on", "leave one of them out");
    }
    if args.backend == BenchBackend::Cpu && args.work == BenchWork::Device {
        return usage("--work device needs a device", "--backend gpu opens one");
    }
    let of_device = args.no_pyramid || args.no_subgroups || args.fold_by != BenchFold::Size;
    if args.backend == BenchBackend::Cpu && of_device {
        return usage(
            "--no-pyramid, --no-subgroups and --fold-by say how a device reduces",
            "--backend gpu opens one",
        );
    }
    if args.views.is_some() {
        if args.file.is_none() && args.cells.len() != 1 {
            return usage("--views need one grid", "give FILE, or --cells 1e6");
        }
        if args.size.len() > 1 || args.reduce.len() > 1 {
            return usage(
                "--views are timed for one --size and one --reduce",
                "run gridscope bench once for each",
            );
        }
    }
    Ok(to_stdout)
}

fn settings(args: &BenchArgs, input: &Input) -> Result<RunSettings, Failure> {
    let views = match &args.views {
        Some(path) => {
            let list = views::read(path)?;
            input.shapes().iter().try_for_each(|s| views::check(path, &list, s.columns, s.rows))?;
            Some((file_name(path), list))
        }
        None => None,
    };
    let reduces = if args.reduce.is_empty() {
        vec![input.figure.reduce.by.unwrap_or_default()]
    } else {
        args.reduce.clone()
    };
    let runs = args.runs.unwrap_or(if views.is_some() { 1 } else { RUNS });
    Ok(RunSettings {
        sizes: without_repeats(&args.size),
        reduces: without_repeats(&reduces),
        views,
        chosen: args.view.clone(),
        labels: args.labels,
        check: args.check,
        streams: args.stream,
        runs,
        warmup: args.warmup,
    })
}

fn measure_all(
    input: Input,
    limit: u64,
    renderer: &mut dyn Renderer,
    report: &mut Report,
    progress: &Progress,
) -> Result<(), Failure> {
    let figure = input.figure.clone();
    for (shape, grid) in input.grids() {
        progress.stage(&format!("{} of {} x {} cells", shape.name, shape.rows, shape.columns));
        let bytes = Some(limit).filter(|_| !report.settings.streams);
        let subject = Subject::new(grid()?, &figure, bytes, renderer)?;
        for case in cases(&shape, &report.settings) {
            progress.stage(&case.name());
            let measured = subject.measure(&case.views, case.settings, &figure, renderer)?;
            report.cases.push((case, measured));
        }
        report.grids.push((shape, subject.upload_ms));
    }
    Ok(())
}

/// The text for standard output. With views of a file, its last line has their times, whatever the format.
fn printed(report: &Report, args: &BenchArgs, json: bool) -> String {
    if json {
        let value = report.json();
        return if args.views.is_some() { format!("{value}\n") } else { format!("{value:#}\n") };
    }
    report.text() + &report.frame_line().unwrap_or_default()
}

/// Prints the cases whose pictures are not the CPU's on standard error, and returns the exit code.
fn print_checks(report: &Report) -> u8 {
    let mut code = 0;
    for (case, m) in &report.cases {
        if let Some(check) = m.check.filter(|c| !c.passes(case.settings.reduce)) {
            let text = format!("differs: {}: {}", case.name(), check.text());
            diagnostics::line(&gridscope_core::text::one_line(&text));
            code = 6;
        }
    }
    code
}
