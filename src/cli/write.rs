//! Writes a scene to its files. Each is drawn and encoded at once or in strips, and then takes its place.

use super::args::{Compression, Format, RenderArgs, RequestedCells};
use super::backend::BackendSelector;
use super::diagnostics::Failure;
use super::progress::Progress;
use super::targets::Opened;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::image::{Image, STRIP_PIXELS, WHOLE_PIXELS};
use gridscope_core::lint::Lints;
use gridscope_core::output::Output;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::png::{Effort, Head, Texts, encode, encode_rows};
use gridscope_draw::scene::Scene;
use gridscope_draw::tiling::{fold_missing, strips};
use gridscope_draw::vector::{CellsAs, Page, TextAs, VectorErrorKind};
use gridscope_read::InputError;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::io::Write;

/// Bytes of a pixel of a strip while it is folded and painted.
const PIXEL_BYTES: u64 = 64;
/// The fewest pixels of a strip: the longest row.
const LEAST_STRIP: u64 = 1 << 16;
/// A picture whose pixels are more than a 16th of the bytes that are left is drawn in strips, if it is larger than one.
const PART_OF_MEMORY: u64 = 16;

/// A scene to draw, and what is written beside its pixels.
pub(super) struct Picture<'a> {
    pub scene: &'a Scene,
    pub grids: &'a [Grid],
    /// Output pixels per inch.
    pub dpi: f64,
    /// Some bodies are folded only when they are painted.
    pub in_strips: bool,
    /// Bytes of memory that are left for it.
    pub memory: u64,
    /// The description of the figure as JSON (see [`gridscope_draw::metadata`]).
    pub metadata: Option<String>,
    /// The title of the figure, as metadata of its own.
    pub title: Option<String>,
}

impl Picture<'_> {
    fn texts(&self) -> Texts<'_> {
        Texts {
            title: self.title.as_deref(),
            description: self.metadata.as_deref(),
        }
    }
}

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

/// What drawing needs: a back end, the fonts, the list of warnings, and the progress line.
pub(super) struct Drawing<'a, 'b> {
    pub backend: &'a mut BackendSelector<'b>,
    pub fonts: &'a mut Fonts,
    pub lints: &'a mut Lints,
    pub progress: &'a Progress,
}

/// Draws, encodes and writes all requested pictures. No file takes its place before all are complete.
pub(super) fn write_pictures(
    picture: &Picture<'_>,
    args: &RenderArgs,
    targets: Vec<Opened>,
    drawing: &mut Drawing<'_, '_>,
    phases: &mut Phases,
) -> Result<Vec<Written>, Failure> {
    if targets.iter().any(|(t, _)| t.format == Format::Png) {
        drawing.backend.for_size(picture.scene.size, phases)?;
    }
    drawing.progress.stage("drawing");
    let mut sinks = Vec::new();
    for (target, output) in targets {
        let failed = |e: std::io::Error| Failure::from(Error::output(&target.path, e));
        let mut sink = HashedOutput {
            output,
            bytes: 0,
            hash: Sha256::new(),
            failed: None,
        };
        match target.format {
            Format::Png => {
                let drawn = png(picture, args.compression, &mut sink, drawing, phases);
                // The error of the encoder does not contain the error of the output.
                drawn.map_err(|e| sink.failed.take().map_or(e, failed))?;
            }
            Format::Svg | Format::Pdf => {
                let bytes = vector(picture, target.format, args, drawing.fonts)?;
                phases.done("encode");
                sink.write_all(&bytes).map_err(failed)?;
            }
        }
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

fn png(
    picture: &Picture<'_>,
    compression: Compression,
    sink: &mut HashedOutput,
    drawing: &mut Drawing<'_, '_>,
    phases: &mut Phases,
) -> Result<(), Failure> {
    let (size, side) = (picture.scene.size, drawing.backend.side());
    let effort = match compression {
        Compression::Auto => Effort::Auto,
        Compression::Fast => Effort::Fast,
        Compression::Small => Effort::Small,
    };
    let whole = (picture.memory / PART_OF_MEMORY).clamp(STRIP_PIXELS.into(), WHOLE_PIXELS);
    if picture.in_strips || u64::from(size.w) * u64::from(size.h) > whole || size.w.max(size.h) > side {
        let effort = if effort == Effort::Auto {
            Effort::Fast
        } else {
            effort
        };
        return in_strips(picture, side, effort, sink, drawing, phases);
    }
    let image = drawing
        .backend
        .draw(picture.scene, picture.grids, drawing.fonts, phases, drawing.lints)?;
    let bytes = encode(&image, picture.dpi, effort, picture.texts())?;
    phases.done("encode");
    Ok(sink.write_all(&bytes).map_err(png::EncodingError::from)?)
}

/// The bytes of an SVG or a PDF.
fn vector(
    picture: &Picture<'_>,
    format: Format,
    args: &RenderArgs,
    fonts: &mut Fonts,
) -> Result<Vec<u8>, Failure> {
    if picture.in_strips {
        let what = "a body of more pixels than fit in memory at once is written as PNG only";
        let hint = "a smaller --dpi, --width or --cell, or a larger --max-memory";
        return Err(Error::limit(what).with_hint(hint).into());
    }
    let mut scene = picture.scene.clone();
    fold_missing(&mut scene, picture.grids).map_err(Error::from)?;
    let page = Page {
        dpi: picture.dpi,
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
        title: picture.title.clone(),
        metadata: picture.metadata.clone(),
    };
    let bytes = match format {
        #[cfg(feature = "pdf")]
        Format::Pdf => gridscope_draw::pdf::pdf(&scene, picture.grids, fonts, &page),
        _ => gridscope_draw::svg::svg(&scene, picture.grids, fonts, &page).map(String::into_bytes),
    };
    bytes.map_err(|e| match e.kind {
        VectorErrorKind::Cells => InputError {
            hint: e.hint,
            ..InputError::usage("", e.what)
        }
        .into(),
        _ => Error::from(e).into(),
    })
}

/// Draws a PNG in strips, each of which is written before the next is drawn.
fn in_strips(
    picture: &Picture<'_>,
    side: u32,
    effort: Effort,
    sink: &mut HashedOutput,
    drawing: &mut Drawing<'_, '_>,
    phases: &mut Phases,
) -> Result<(), Failure> {
    let size = picture.scene.size;
    let opaque = picture.scene.background.is_some();
    let head = Head {
        width: size.w,
        height: size.h,
        dpi: picture.dpi,
        opaque,
        texts: picture.texts(),
    };
    let phases = RefCell::new(phases);
    let mut done = 0u64;
    encode_rows::<Failure>(sink, head, effort, |push| {
        let mut paint = |part: &Scene| {
            let mut phases = phases.borrow_mut();
            phases.done("fold");
            drawing
                .backend
                .draw(part, picture.grids, drawing.fonts, &mut phases, drawing.lints)
        };
        let mut emit = |strip: &Image| {
            push(&strip.pixels)?;
            phases.borrow_mut().done("encode");
            done += u64::from(strip.height);
            drawing
                .progress
                .stage(&format!("drawing, {} %", done * 100 / u64::from(size.h)));
            Ok(())
        };
        // Each pixel of a strip is in memory as a Summary and as a colour.
        let pixels = (picture.memory / PIXEL_BYTES).clamp(LEAST_STRIP, STRIP_PIXELS.into()) as u32;
        strips(
            picture.scene,
            picture.grids,
            (pixels, side),
            &mut paint,
            &mut emit,
        )
    })
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
