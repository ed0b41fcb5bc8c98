//! The pictures that a command line requests: paths and formats.

use super::args::{RenderArgs, RequestedCells};
use super::diagnostics::Failure;
use gridscope_core::output::{Output, is_same};
use gridscope_draw::error::Error;
use gridscope_draw::picture::PictureFormat;
use std::path::{Path, PathBuf};

/// The path and the format of a requested picture.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub path: PathBuf,
    pub format: PictureFormat,
}

/// A requested picture and its opened output.
pub(super) type Opened = (Target, Output);

/// The pictures that the command line requests.
pub(super) fn targets(args: &RenderArgs) -> Result<Vec<Target>, Failure> {
    let targets = named(&args.output, args.format.map(PictureFormat::from))?;
    let flags = [
        ("--cells", args.cells != RequestedCells::Auto),
        ("--embed-font", args.embed_font),
        ("--text-as-paths", args.text_as_paths),
    ];
    match flags.iter().find(|f| f.1) {
        // A flag without effect was meant for another output.
        Some((flag, _)) if targets.iter().all(|t| t.format == PictureFormat::Png) => {
            Err(Failure::usage(format!("{flag} is for .svg and .pdf, and no such output is named")))
        }
        _ => Ok(targets),
    }
}

/// Opens the outputs, before any work is done for them.
pub(super) fn open(targets: Vec<Target>) -> Result<Vec<Opened>, Failure> {
    let open = |t: Target| match Output::open(&t.path) {
        Ok(output) => Ok((t, output)),
        Err(e) => Err(Error::output(t.path, e).into()),
    };
    targets.into_iter().map(open).collect()
}

fn named(paths: &[PathBuf], format: Option<PictureFormat>) -> Result<Vec<Target>, Failure> {
    if format.is_some() && paths.len() > 1 {
        let what = "--format is for a single output; the extensions of several give their formats".to_owned();
        return Err(Failure::usage(what));
    }
    let mut out: Vec<Target> = Vec::new();
    for path in paths {
        if out.iter().any(|t| is_same(&t.path, path)) {
            return Err(Failure::usage(format!("{}: the same output twice", path.display())));
        }
        let format = format.map_or_else(|| by_extension(path), Ok)?;
        if format == PictureFormat::Pdf && cfg!(not(feature = "pdf")) {
            return Err(Failure::usage("this build writes no PDF (cargo feature pdf)"));
        }
        out.push(Target { path: path.clone(), format });
    }
    Ok(out)
}

fn by_extension(path: &Path) -> Result<PictureFormat, Failure> {
    if path == Path::new("-") {
        return Ok(PictureFormat::Png);
    }
    PictureFormat::of_path(path)
        .map_err(|e| Failure::usage(e.to_string()).with_hint("-o NAME.png, or --format png"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formats(paths: &[&str], format: Option<PictureFormat>) -> Option<Vec<PictureFormat>> {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        named(&paths, format).ok().map(|t| t.into_iter().map(|t| t.format).collect())
    }

    #[test]
    fn extensions_say_the_format_unless_one_is_named() {
        use PictureFormat::{Png, Svg};
        assert_eq!(formats(&["a.PNG", "b.svg", "-"], None), Some(vec![Png, Svg, Png]));
        assert_eq!(formats(&["-"], Some(Svg)), Some(vec![Svg]));
        assert_eq!(formats(&["a.png"], Some(Svg)), Some(vec![Svg]));
        assert_eq!((formats(&["a.gif"], None), formats(&["a"], None)), (None, None));
        assert_eq!((formats(&["a.png", "./a.png"], None), formats(&["-", "-"], None)), (None, None));
        assert_eq!(formats(&["a.png", "b.png"], Some(Png)), None);
    }
}
