//! The pictures that a command line requests, and their files: drawn and encoded at once or in strips, each then takes its place.

use super::args::{Compression, RenderArgs, RequestedCells};
use super::backend::BackendSelector;
use super::diagnostics::Failure;
use super::progress::Progress;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::image::Image;
use gridscope_core::lint::Lints;
use gridscope_core::output::{Output, is_same};
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::picture::{Encoding, Paint, Picture, PictureFormat};
use gridscope_draw::png::Effort;
use gridscope_draw::scene::Scene;
use gridscope_draw::vector::{CellsAs, TextAs, VectorErrorKind};
use gridscope_read::InputError;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that was written.
pub(super) struct Written {
    path: String,
    size: PxSize,
    bytes: u64,
    sha256: String,
}

impl Written {
    /// The object of `--json`.
    pub(super) fn report(&self) -> Value {
        json!({"path": self.path, "width": self.size.w, "height": self.size.h, "bytes": self.bytes, "sha256": self.sha256})
    }
}

/// Needs of drawing: a back end, the fonts, the list of warnings, the time of each phase, and the progress line.
pub(super) struct Drawing<'a, 'b> {
    pub backend: &'a mut BackendSelector<'b>,
    pub fonts: &'a mut Fonts,
    pub lints: &'a mut Lints,
    pub phases: &'a mut Phases,
    pub progress: &'a Progress,
}

/// The back end of a run, as it paints a picture of some height.
struct Painter<'a, 'b> {
    backend: &'a mut BackendSelector<'b>,
    lints: &'a mut Lints,
    phases: &'a mut Phases,
    progress: &'a Progress,
    height: u32,
}

impl Paint<Failure> for Painter<'_, '_> {
    fn side(&self) -> u32 {
        self.backend.side()
    }

    fn paint(&mut self, part: &Scene, grids: &[Grid], fonts: &mut Fonts) -> Result<Image, Failure> {
        self.phases.done("fold");
        self.backend.draw(part, grids, fonts, self.phases, self.lints)
    }

    fn encoded(&mut self, rows: u32) {
        self.phases.done("encode");
        let share = u64::from(rows) * 100 / u64::from(self.height.max(1));
        self.progress.stage(&format!("drawing, {share} %"));
    }
}

/// Draws, encodes and writes all requested pictures. No file takes its place before all are complete.
pub(super) fn write_pictures(
    picture: &Picture<'_>,
    args: &RenderArgs,
    targets: Vec<Opened>,
    drawing: &mut Drawing<'_, '_>,
) -> Result<Vec<Written>, Failure> {
    let Drawing { backend, fonts, lints, phases, progress } = drawing;
    if targets.iter().any(|(t, _)| t.format == PictureFormat::Png) {
        backend.for_size(picture.scene.size, phases)?;
    }
    progress.stage("drawing");
    let encoding = encoding(args);
    let mut sinks = Vec::new();
    for (target, output) in targets {
        let mut sink = HashedOutput { output, bytes: 0, hash: Sha256::new(), failed: None };
        let mut painter = Painter { backend, lints, phases, progress, height: picture.scene.size.h };
        picture.write(target.format, encoding, &mut sink, &mut painter, fonts).map_err(
            |failure| match sink.failed.take() {
                // The error of the encoder does not contain the error of the output.
                Some(e) => Error::output(&target.path, e).into(),
                None => in_words_of_flags(failure, picture),
            },
        )?;
        sinks.push((target, sink));
    }
    let mut written = Vec::new();
    for (target, sink) in sinks {
        sink.output.commit().map_err(|e| Error::output(&target.path, e))?;
        let sha256 = hex(&sink.hash.finalize());
        written.push(Written {
            path: target.path.display().to_string(),
            size: picture.scene.size,
            bytes: sink.bytes,
            sha256,
        });
    }
    phases.done("write");
    Ok(written)
}

fn encoding(args: &RenderArgs) -> Encoding {
    Encoding {
        effort: match args.compression {
            Compression::Auto => Effort::Auto,
            Compression::Fast => Effort::Fast,
            Compression::Small => Effort::Small,
        },
        cells: match args.cells {
            RequestedCells::Auto => CellsAs::Auto,
            RequestedCells::Rects => CellsAs::Rects,
            RequestedCells::Image => CellsAs::Image,
        },
        text: match (args.embed_font, args.text_as_paths) {
            (true, _) => TextAs::Embedded,
            (_, true) => TextAs::Paths,
            _ => TextAs::Text,
        },
    }
}

/// The failure of a picture with the flags that help.
fn in_words_of_flags(failure: Failure, picture: &Picture<'_>) -> Failure {
    match failure {
        Failure::Run(e @ Error::Limit { .. }) if picture.in_strips => {
            e.with_hint("a smaller --dpi, --width or --cell, or a larger --max-memory").into()
        }
        Failure::Run(Error::Vector(e)) if e.kind == VectorErrorKind::Cells => {
            InputError { hint: e.hint, ..InputError::usage("", e.what) }.into()
        }
        other => other,
    }
}

/// Bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// An output with the number and the hash of the written bytes, and the error that ended writing.
struct HashedOutput {
    output: Output,
    bytes: u64,
    hash: Sha256,
    failed: Option<std::io::Error>,
}

impl Write for HashedOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.output.write(bytes) {
            Ok(n) => {
                self.hash.update(&bytes[..n]);
                self.bytes += n as u64;
                Ok(n)
            }
            Err(e) => {
                self.failed = Some(std::io::Error::new(e.kind(), e.to_string()));
                Err(e)
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.output.flush()
    }
}

impl From<png::EncodingError> for Failure {
    fn from(e: png::EncodingError) -> Self {
        Error::from(e).into()
    }
}

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
