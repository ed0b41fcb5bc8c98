//! `gridscope info`: the grids of a figure, or the description in a picture; without a command, with a preview.

mod measured;
mod best;

use super::Outcome;
use super::args::{InfoArgs, When};
use super::description;
use super::diagnostics::{self, Failure, Report, print};
use super::load::{Job, load, reload};
use super::preview;
use gridscope_core::grid::{Axis, AxisKind, Grid, Number, ScanRequest, State, Stats};
use gridscope_core::text::clean;
use gridscope_draw::error::Error;
use gridscope_draw::report;
use gridscope_draw::resolve::{changed_label, place_of, rules};
use gridscope_read::ReadOptions;
use serde_json::{Value, json};
use std::fmt::Write;

/// The number of extreme cells that are listed by default.
const TOP: u32 = 10;
/// The most labels of an axis that are listed.
const LABELS: usize = 12;

pub(super) fn run(args: &InfoArgs, preview: Option<When>) -> Outcome {
    if args.source.run.json.is_some() && preview == Some(When::Always) {
        return Err(Failure::usage("--json and --preview always exclude each other"));
    }
    let json = diagnostics::json_output(&args.source.run, &[])?;
    if let Some(picture) = description::find(&args.source.files)? {
        return picture.print(json);
    }
    if args.best {
        diagnostics::limit_time(&args.source.run, args.source.files.first())?;
        let needs = ReadOptions { statistics: best::statistics(), ..ReadOptions::default() };
        let job = reload(&args.source, needs)?;
        best::print_best(&job, json).map_err(|e| job.origin.of(e))?;
        return Ok(diagnostics::lints(&job.loaded.lints, &job.policy, &args.source.run));
    }
    let job = load(&args.source)?;
    print_grids(args, &job, json, preview).map_err(|e| job.origin.of(e))
}

/// Prints the grids of a job, or their report, then the warnings.
fn print_grids(args: &InfoArgs, job: &Job, json: Option<Report>, preview: Option<When>) -> Outcome {
    let scan = |g: &Grid| Ok::<_, Error>(g.scan(&ScanRequest::default())?.stats);
    let stats = job.loaded.grids.iter().map(scan).collect::<Result<Vec<Stats>, _>>()?;
    if json.is_some() {
        let panels: Value =
            job.loaded.grids.iter().zip(&stats).map(|(g, s)| report::panel(g, s, None)).collect();
        let value = report::versioned([
            ("dialects", report::dialects(&job.loaded.dialects)),
            ("panels", panels),
            ("lints", report::lints(&job.loaded.lints, &job.policy)),
        ]);
        diagnostics::write_json(json, &value)?;
        return Ok(diagnostics::lints(&job.loaded.lints, &job.policy, &args.source.run));
    }
    let text = text(job, &stats, args.top.unwrap_or(TOP) as usize)?;
    print(&text)?;
    if let Some(when) = preview {
        preview::show(job, when, text.lines().count(), args.source.run.quiet)?;
    }
    Ok(diagnostics::lints(&job.loaded.lints, &job.policy, &args.source.run))
}

/// The text of `info`, with the `top` largest cells of each panel.
fn text(job: &Job, stats: &[Stats], top: usize) -> Result<String, Error> {
    let mut out = String::new();
    let grids = &job.loaded.grids;
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    if !job.loaded.summary.is_empty() {
        line(job.loaded.summary.clone());
    }
    for d in job.loaded.dialects.iter().filter(|d| d.delimiter != ',') {
        let word = if d.delimiter == '\t' {
            "tab".to_owned()
        } else {
            format!("'{}'", clean(&d.delimiter.to_string()))
        };
        line(format!("{}: delimiter {word}", clean(&d.file)));
    }
    let rules = rules(&job.figure, grids);
    let shared = grids.windows(2).all(|p| p[0].rows() == p[1].rows() && p[0].columns() == p[1].columns());
    for (i, (g, s)) in grids.iter().zip(stats).enumerate() {
        let name = if g.name().is_empty() { "grid".to_owned() } else { format!("panel {}", clean(g.name())) };
        let value = if let Some(label) = changed_label(g) {
            format!(": {label}")
        } else if g.value_name().is_empty() {
            String::new()
        } else {
            format!(" of {}", clean(g.value_name()))
        };
        line(format!("{name}: {} rows x {} columns{value}", g.height(), g.width()));
        if i == 0 || !shared {
            for (side, own, rule) in [("x", g.columns(), rules.x), ("y", g.rows(), rules.y)] {
                line(format!("  {side}  {}", axis(own)));
                if let Some(rule) = rule.filter(|_| i == 0) {
                    line(format!("     {} keys, {rule}", own.len()));
                }
            }
        }
        line(format!("  {}", counts(g, s)));
        if let (Some(min), Some(max)) = (s.min, s.max) {
            line(format!("  min {min}, max {max}, mean {}", json!(s.mean)));
            for (word, cells) in [("max", g.extremes(top, true)?), ("min", g.extremes(top.min(1), false)?)] {
                for ((r, c), v) in cells {
                    line(format!("    {word} {v} at {}", clean(&place_of(g, r, c))));
                }
            }
        }
    }
    Ok(out)
}

/// The type in which a grid stores its values exactly, in parentheses; empty without values.
fn kind(g: &Grid, s: &Stats) -> &'static str {
    match (s.min, g.is_f32()) {
        (None, _) => "",
        (Some(Number::I64(_) | Number::U64(_)), _) => " (integers)",
        (_, Some(_)) => " (f32)",
        (_, None) => " (f64)",
    }
}

/// The number of values, and of the cells in each state.
fn counts(g: &Grid, s: &Stats) -> String {
    let mut out = format!("{} values{}", s.values, kind(g, s));
    for state in State::ALL {
        let n = s.states[state.index()];
        if n > 0 {
            let _ = write!(out, ", {n} {}", state.key_text());
        }
    }
    if let (Some(n), Some(least)) = (g.thin_cells().filter(|n| *n > 0), g.min_count()) {
        let _ = write!(out, ", {n} of fewer than {least} rows");
    }
    for (n, word) in [(s.pos_inf, "+inf"), (s.neg_inf, "-inf")] {
        if n > 0 {
            let _ = write!(out, ", {n} {word}");
        }
    }
    out
}

/// Name, kind, length and labels of an axis.
fn axis(a: &Axis) -> String {
    let kind = match a.kind {
        AxisKind::Index => "index",
        AxisKind::Category => "category",
        AxisKind::Number => "number",
        AxisKind::Log => "log",
        AxisKind::Time => "time",
    };
    let name = if a.name.is_empty() { String::new() } else { format!("{} ", clean(&a.name)) };
    let shown: Vec<String> = if a.len() <= LABELS {
        (0..a.len()).map(|i| a.label(i)).collect()
    } else {
        (0..LABELS - 2).map(|i| a.label(i)).chain(["…".to_owned(), a.label(a.len() - 1)]).collect()
    };
    format!("{name}({kind}, {}): {}", a.len(), clean(&shown.join(", ")))
}
