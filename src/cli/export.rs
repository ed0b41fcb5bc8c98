//! `gridscope export`: the grid's own values to CSV or NPY.

use super::Outcome;
use super::args::ExportArgs;
use super::load::load;
use super::say::{self, Failure};
use crate::error::Error;
use crate::export::{csv_bytes, npy_bytes, slug};
use crate::grid::Grid;
use crate::output::Output;
use std::path::{Path, PathBuf};

pub(super) fn run(args: &ExportArgs) -> Outcome {
    let extension = args.output.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let write: fn(&Grid) -> Vec<u8> = match extension.as_deref() {
        Some("csv") => csv_bytes,
        Some("npy") => npy_bytes,
        None if args.output == Path::new("-") => csv_bytes,
        _ => {
            let what = format!("{}: an export's name ends in .csv or .npy", args.output.display());
            return Err(Failure::Usage(what, None));
        }
    };
    let job = load(&args.source)?;
    let grids = &job.loaded.grids;
    let paths = paths(&args.output, grids)?;
    for (g, path) in grids.iter().zip(&paths) {
        let output = Output::open(path).map_err(|e| Error::Output(path.clone(), e))?;
        output.write(&write(g)).map_err(|e| Error::Output(path.clone(), e))?;
    }
    Ok(say::lints(&job.loaded.lints, &job.policy, args.source.run.quiet))
}

/// One path a panel; several panels put their names into the file's.
fn paths(output: &Path, grids: &[Grid]) -> Result<Vec<PathBuf>, Failure> {
    if grids.len() == 1 {
        return Ok(vec![output.to_owned()]);
    }
    if output == Path::new("-") {
        return Err(Failure::Usage(format!("{} panels do not fit on standard output", grids.len()), Some("-o NAME.csv".to_owned())));
    }
    let stem = output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let extension = output.extension().unwrap_or_default().to_string_lossy().into_owned();
    let mut out: Vec<PathBuf> = Vec::new();
    for g in grids {
        let base = format!("{stem}-{}", slug(&g.name));
        let numbered = (1..).map(|k| if k == 1 { base.clone() } else { format!("{base}-{k}") });
        let free = numbered.map(|n| output.with_file_name(format!("{n}.{extension}"))).find(|p| !out.contains(p));
        out.extend(free);
    }
    Ok(out)
}
