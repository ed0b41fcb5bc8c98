//! `gridscope bench`: measures how fast views of a grid are drawn, case by case.

mod input;
mod views;
mod renderer;
mod measure;
mod report;

use super::args::Source;
use super::bench_args::{BenchArgs, BenchBackend, BenchFold, BenchView, BenchWork};
use super::diagnostics::Failure;
use super::load::{memory_limit, peak_rss_mb};
use super::progress::Progress;
use super::{Outcome, diagnostics};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::PxSize;
use input::{Input, Shape, file_name, sizes_fit, without_repeats};
use measure::{CaseSettings, Subject};
use renderer::Renderer;
use report::Report;
use std::path::Path;
use views::{View, standard};

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
    let mut renderer = renderer::open(args, limit)?;
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

/// A combination of grid, views, size and reduction: a line of the report.
struct Case {
    pub grid: Shape,
    /// The name of the views: `whole`, `mid`, `one`, `pan`, or their file.
    pub view: String,
    pub views: Vec<View>,
    pub settings: CaseSettings,
}

/// The settings of a run, for all grids.
struct RunSettings {
    pub sizes: Vec<PxSize>,
    pub reduces: Vec<Reduce>,
    /// The name and the views of a file, which replace the standard ones.
    pub views: Option<(String, Vec<View>)>,
    /// The standard views; none: all of them.
    pub chosen: Vec<BenchView>,
    /// The number of labels to draw in place of cells.
    pub labels: Option<u32>,
    /// Whether first frames are compared with the CPU's.
    pub check: bool,
    /// Whether cells are generated whenever they are read.
    pub streams: bool,
    pub runs: u32,
    pub warmup: u32,
}

impl Case {
    /// The name, by which cases of different reports are compared.
    fn name(&self) -> String {
        let (g, PxSize { w, h }) = (&self.grid, self.settings.size);
        format!("{} {}x{} {} {} {w}x{h}", g.name, g.rows, g.columns, self.view, self.settings.reduce.word())
    }
}

/// The cases of a grid.
fn cases(grid: &Shape, settings: &RunSettings) -> Vec<Case> {
    let RunSettings { sizes, reduces, views: from_file, chosen, labels, check, streams: _, runs, warmup } =
        settings;
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|v| v.word() == name);
    let mut out = Vec::new();
    for size in sizes {
        let all = match from_file {
            Some(named) => vec![named.clone()],
            None => standard(grid.columns as u32, grid.rows as u32, *size, *runs),
        };
        let all: Vec<(String, Vec<View>)> = match labels {
            Some(n) => all.into_iter().take(1).map(|(_, views)| (format!("{n} labels"), views)).collect(),
            None if from_file.is_none() => all.into_iter().filter(|(name, _)| is_chosen(name)).collect(),
            None => all,
        };
        for reduce in reduces {
            for (view, views) in &all {
                // A pan has one view per run, so it is drawn once; all other views are drawn once per run.
                let rounds = if from_file.is_none() && views.len() > 1 { 1 } else { *runs };
                let settings = CaseSettings {
                    size: *size,
                    reduce: *reduce,
                    rounds,
                    warmup: *warmup,
                    labels: *labels,
                    check: *check && labels.is_none(),
                };
                out.push(Case { grid: grid.clone(), view: view.clone(), views: views.clone(), settings });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(views: Option<(String, Vec<View>)>) -> RunSettings {
        let sizes = vec![PxSize { w: 8, h: 4 }, PxSize { w: 5, h: 5 }];
        RunSettings {
            sizes,
            reduces: vec![Reduce::Mean, Reduce::Max],
            views,
            chosen: Vec::new(),
            labels: None,
            check: false,
            streams: false,
            runs: 7,
            warmup: 2,
        }
    }

    #[test]
    fn every_size_reduction_and_view_is_a_case_with_another_name() {
        let grid = Shape { name: "generated".to_owned(), rows: 20, columns: 30 };
        let all = cases(&grid, &settings(None));
        let mut names: Vec<String> = all.iter().map(Case::name).collect();
        assert_eq!((names.len(), names[0].as_str()), (16, "generated 20x30 whole mean 8x4"));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 16);
        assert!(
            all.iter().all(|c| c.views.len() * c.settings.rounds as usize == 7 && c.settings.warmup == 2)
        );
    }

    #[test]
    fn views_are_chosen_and_labels_replace_them() {
        let grid = Shape { name: "generated".to_owned(), rows: 20, columns: 30 };
        let names = |s: &RunSettings| cases(&grid, s).iter().map(|c| c.view.clone()).collect::<Vec<_>>();
        let mut of = settings(None);
        of.reduces.truncate(1);
        of.chosen = vec![BenchView::Pan, BenchView::Whole];
        assert_eq!(names(&of), ["whole", "pan", "whole", "pan"]);
        of.labels = Some(12);
        assert_eq!(names(&of), ["12 labels", "12 labels"]);
    }

    #[test]
    fn views_of_a_file_replace_the_standard_ones() {
        let view = View { x0: 0.0, x1: 9.0, y0: 0.0, y1: 9.0 };
        let grid = Shape { name: "a.npy".to_owned(), rows: 9, columns: 9 };
        let all = cases(&grid, &settings(Some(("v.json".to_owned(), vec![view; 3]))));
        assert_eq!(all.len(), 4);
        assert_eq!(
            (all[3].name(), all[3].settings.rounds, all[3].views.len()),
            ("a.npy 9x9 v.json max 5x5".to_owned(), 7, 3)
        );
    }
}
