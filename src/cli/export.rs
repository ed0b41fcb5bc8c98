//! `gridscope export`: the values of a grid, or their reduction to a size in pixels, as CSV or NPY.

use super::args::ExportArgs;
use super::backend::BackendSelector;
use super::diagnostics::{Failure, Report};
use super::load::{Job, load, protect_inputs};
use super::progress::Progress;
use super::{Outcome, diagnostics};
use gridscope_core::figure::{Better, Figure, Length, Reduce, Side, Unit};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Exact, Grid};
use gridscope_core::image::MOST_SIDE;
use gridscope_core::output::Output;
use gridscope_core::text::one_line;
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::export::{csv_bytes, npy_bytes, reduced, reduced_by, slug};
use gridscope_draw::{report, resolve};
use gridscope_read::InputError;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes of a pixel while a reduction is computed and written.
const PIXEL_BYTES: u64 = 128;
/// Bytes of a cell while it is written, including the spare capacity of the text.
const CELL_BYTES: u64 = 32;

pub(super) fn run(args: &ExportArgs) -> Outcome {
    let extension = args.output.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let write: fn(&Grid) -> Vec<u8> = match extension.as_deref() {
        Some("csv") => csv_bytes,
        Some("npy") => npy_bytes,
        None if args.output == Path::new("-") => csv_bytes,
        _ => {
            let what = format!("{}: the name of an export must end in .csv or .npy", args.output.display());
            return Err(Failure::usage(what));
        }
    };
    let json = diagnostics::json_output(&args.source.run, std::slice::from_ref(&args.output))?;
    let job = load(&args.source)?;
    write_grids(args, &job, write, json).map_err(|e| job.origin.of(e))
}

/// Writes each grid, or its reduction, in the format of `write`.
fn write_grids(args: &ExportArgs, job: &Job, write: fn(&Grid) -> Vec<u8>, json: Option<Report>) -> Outcome {
    let size = size(args, job.figure.size.dpi)?;
    if size.is_none() && !args.source.flags.given("reduce.by").is_empty() {
        return Err(
            Failure::usage("a reduction needs its size in pixels").with_hint("--width 1000 --height 800")
        );
    }
    let limit = job.budget.left();
    if let Some(PxSize { w, h }) = size
        && u64::from(w) * u64::from(h) * PIXEL_BYTES > limit
    {
        let need = u64::from(w) * u64::from(h) * PIXEL_BYTES;
        let what = format!(
            "a reduction to {w} x {h} takes {} MiB, but only {} MiB of the memory limit are left (--max-memory)",
            need >> 20,
            limit >> 20
        );
        return Err(Error::limit(what).into());
    }
    let mut selector = BackendSelector::new(&args.backend, limit, &mut Phases::new())?;
    let progress = Progress::start(args.source.run.progress, args.source.run.quiet);
    let reductions: Vec<Grid> = match size {
        Some(size) => centres(job)?
            .into_iter()
            .enumerate()
            .map(|(index, centre)| reduction(job, index, centre, size, &mut selector, &progress))
            .collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    let grids = if size.is_some() { &reductions } else { &job.loaded.grids };
    for g in grids {
        gridscope_read::load(g, "", &job.budget).map_err(Error::from)?;
    }
    let paths = paths(&args.output, grids, job.origin.data())?;
    protect_inputs(paths.iter(), &args.source, &job.figure, &job.files)?;
    // No file takes its place before all are complete.
    let mut written = Vec::new();
    for (g, path) in grids.iter().zip(&paths) {
        let failed = |e| Error::output(path, e);
        let mut output = Output::open(path).map_err(failed)?;
        let text = job.budget.reserve(CELL_BYTES.saturating_mul(g.len() as u64));
        let _text =
            text.map_err(|s| Error::from(s.of("", format_args!("{} cells as they are written", g.len()))))?;
        output.write_all(&write(g)).map_err(failed)?;
        written.push((output, path));
    }
    for (output, path) in written {
        output.commit().map_err(|e| Error::output(path, e))?;
    }
    if paths.len() > 1 && !args.source.run.quiet {
        diagnostics::line(&format!("note: {}", listed(&paths)));
    }
    let lints = &job.loaded.lints;
    let code = diagnostics::lints(lints, &job.policy, &args.source.run);
    let file = |(path, grid): (&PathBuf, &Grid)| {
        json!({
            "file": path.display().to_string(),
            "panel": grid.name(),
            "rows": grid.height(),
            "columns": grid.width(),
        })
    };
    let files: Vec<Value> = paths.iter().zip(grids).map(file).collect();
    let mut fields = report::reading(&job.loaded);
    fields.extend([("files", Value::Array(files)), ("lints", report::lints(lints, &job.policy))]);
    diagnostics::write_json(json, &report::versioned(fields))?;
    Ok(code)
}

/// The most files that are named one by one.
const MOST_NAMED: usize = 10;

/// Which files were written, in one line.
fn listed(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| one_line(&path.display().to_string());
    let names: Vec<String> = match paths {
        [first, .., last] if paths.len() > MOST_NAMED => {
            return format!("wrote {} files: {} to {}", paths.len(), name(first), name(last));
        }
        _ => paths.iter().map(name).collect(),
    };
    format!("wrote {} files: {}", paths.len(), names.join(", "))
}

/// The size of a reduction, if flags request one. The size in a figure file is that of its picture.
fn size(args: &ExportArgs, dpi: Option<f64>) -> Result<Option<PxSize>, Failure> {
    let side = |length: Option<&Length>| -> Result<Option<u32>, Failure> {
        let Some(length) = length else { return Ok(None) };
        let px = length.pixels(dpi.unwrap_or(200.0), Unit::Pixel).round();
        if px < 1.0 || px > f64::from(MOST_SIDE) {
            return Err(
                Error::limit(format!("{px} px: a side of a reduction has 1 to {MOST_SIDE} pixels")).into()
            );
        }
        Ok(Some(px as u32))
    };
    let flags = args.source.flags.over(&Figure::default())?.size;
    match (
        side(flags.width.as_ref().and_then(Side::length))?,
        side(flags.height.as_ref().and_then(Side::length))?,
    ) {
        (Some(w), Some(h)) => Ok(Some(PxSize { w, h })),
        (None, None) => Ok(None),
        _ => Err(Failure::usage("a reduction needs both sides").with_hint("--width 1000 --height 800")),
    }
}

/// The value that `extreme` measures from in the picture of each grid; other reductions need none.
fn centres(job: &Job) -> Result<Vec<f64>, Failure> {
    let grids = &job.loaded.grids;
    if job.figure.reduce.by != Some(Reduce::Extreme) {
        return Ok(vec![0.0; grids.len()]);
    }
    Ok(resolve::centres(&job.figure, grids).map_err(Error::from)?)
}

/// The reduction of a grid to this size, as a grid; `extreme` measures from `centre`.
fn reduction(
    job: &Job,
    index: usize,
    centre: f64,
    size: PxSize,
    selector: &mut BackendSelector<'_>,
    progress: &Progress,
) -> Result<Grid, Failure> {
    let (figure, grids) = (&job.figure, job.loaded.grids.as_slice());
    let grid = &grids[index];
    let by = figure.reduce.by.unwrap_or_default();
    // A device holds f32; wider numbers are reduced exactly on the CPU.
    let Some(integer) = grid.is_f32().filter(|_| selector.folds()) else {
        return Ok(reduced(grid, size, by, centre)?);
    };
    Ok(reduced_by(grid, size, by, centre, |columns, rows| {
        let folded = selector.fold(grids, index, columns, rows, progress)?;
        Ok(Exact::all(&folded, integer))
    })?)
}

/// The path of each panel; the names of several panels become part of their paths.
fn paths(output: &Path, grids: &[Grid], file: &str) -> Result<Vec<PathBuf>, Failure> {
    if grids.len() == 1 {
        return Ok(vec![output.to_owned()]);
    }
    if output == Path::new("-") {
        let what = format!("{} panels do not fit on standard output", grids.len());
        return Err(InputError::usage(file, what).with_hint("-o NAME.csv").into());
    }
    let stem = output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let extension = output.extension().unwrap_or_default().to_string_lossy().into_owned();
    let mut out: Vec<PathBuf> = Vec::new();
    for g in grids {
        let base = format!("{stem}-{}", slug(g.name()));
        let numbered = (1..).map(|k| if k == 1 { base.clone() } else { format!("{base}-{k}") });
        let free =
            numbered.map(|n| output.with_file_name(format!("{n}.{extension}"))).find(|p| !out.contains(p));
        out.extend(free);
    }
    Ok(out)
}

/// Direction that the flag or the figure file gives; `asked` is the flag that needs it.
///
/// # Errors
/// When neither says it.
pub(super) fn better(figure: &Figure, asked: &str) -> Result<Better, Failure> {
    figure.data.better.ok_or_else(|| {
        let wrong = Failure::usage(format!("{asked} needs to know which values are better"));
        wrong.with_hint("--better higher, or --better lower for losses, errors and times")
    })
}
