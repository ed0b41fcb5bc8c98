//! A scene to its file: drawn, encoded and put in its place, at once or strip by strip.

use super::args::{Compression, RenderArgs};
use super::progress::Progress;
use super::say::Failure;
use crate::error::Error;
use crate::geom::PxSize;
use crate::grid::Grid;
use crate::image::Image;
use crate::output::Output;
use crate::pieces::{STRIP_PIXELS, strips};
use crate::png::{Effort, Head, Texts, encode, encode_rows};
use crate::scene::Scene;
use crate::timing::Phases;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::io::Write;

/// Pictures of more pixels are drawn in strips: 64 MiB.
const STRIPS_FROM: u64 = 1 << 24;

/// What is drawn.
pub(super) struct Picture<'a> {
    pub scene: &'a Scene,
    pub grids: &'a [Grid],
    /// Output pixels an inch.
    pub dpi: f64,
    /// Some bodies are folded only when they are painted.
    pub in_strips: bool,
    /// What it says of itself (see [`crate::metadata`]).
    pub metadata: Option<String>,
    /// Its title beside that.
    pub title: Option<String>,
}

impl Picture<'_> {
    fn texts(&self) -> Texts<'_> {
        Texts { title: self.title.as_deref(), description: self.metadata.as_deref() }
    }
}

/// A picture that stands in its place.
pub(super) struct Written {
    size: PxSize,
    bytes: u64,
    sha256: String,
}

impl Written {
    /// What `--json` says of it.
    pub fn report(&self, args: &RenderArgs) -> Value {
        json!({
            "path": args.output.display().to_string(),
            "width": self.size.w, "height": self.size.h, "bytes": self.bytes, "sha256": self.sha256,
        })
    }
}

/// Draws a scene, or a part of one.
pub(super) type Draw<'a> = dyn FnMut(&Scene, &mut Phases) -> Result<Image, Failure> + 'a;

/// Draws, encodes and writes; `side` is the most pixels a side that are drawn at once.
pub(super) fn deliver(
    picture: &Picture<'_>,
    side: u32,
    args: &RenderArgs,
    output: Output,
    draw: &mut Draw<'_>,
    phases: &mut Phases,
    progress: &Progress,
) -> Result<Written, Failure> {
    let size = picture.scene.size;
    let failed = |e: std::io::Error| Failure::from(Error::Output(args.output.clone(), e));
    let effort = match args.compression {
        Compression::Auto => Effort::Auto,
        Compression::Fast => Effort::Fast,
        Compression::Small => Effort::Small,
    };
    let mut sink = Counted { output, bytes: 0, hash: Sha256::new(), failed: None };
    if !picture.in_strips && u64::from(size.w) * u64::from(size.h) <= STRIPS_FROM && size.w.max(size.h) <= side {
        let image = draw(picture.scene, phases)?;
        let bytes = encode(&image, picture.dpi, effort, picture.texts()).map_err(|e| Error::Encode(e.to_string()))?;
        phases.done("encode");
        sink.write_all(&bytes).map_err(failed)?;
    } else {
        let effort = if effort == Effort::Auto { Effort::Fast } else { effort };
        let drawn = in_strips(picture, side, effort, &mut sink, draw, phases, progress);
        // An encoder that could not write says no more than that it failed.
        drawn.map_err(|e| sink.failed.take().map_or(e, failed))?;
    }
    sink.output.commit().map_err(failed)?;
    phases.done("write");
    let sha256 = sink.hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
    Ok(Written { size, bytes: sink.bytes, sha256 })
}

/// Writes each strip before the next is drawn.
fn in_strips(
    picture: &Picture<'_>,
    side: u32,
    effort: Effort,
    sink: &mut Counted,
    draw: &mut Draw<'_>,
    phases: &mut Phases,
    progress: &Progress,
) -> Result<(), Failure> {
    let size = picture.scene.size;
    let opaque = picture.scene.background.is_some();
    let head = Head { width: size.w, height: size.h, dpi: picture.dpi, opaque, texts: picture.texts() };
    let phases = RefCell::new(phases);
    let mut done = 0u64;
    encode_rows::<Failure>(sink, head, effort, |push| {
        let mut paint = |part: &Scene| {
            let mut phases = phases.borrow_mut();
            phases.done("fold");
            draw(part, &mut phases)
        };
        let mut emit = |strip: &Image| {
            push(&strip.pixels)?;
            phases.borrow_mut().done("encode");
            done += u64::from(strip.height);
            progress.stage(&format!("drawing, {} %", done * 100 / u64::from(size.h)));
            Ok(())
        };
        strips(picture.scene, picture.grids, (STRIP_PIXELS, side), &mut paint, &mut emit)
    })
}

/// An output, how many bytes it took, their hash, and why it took no more.
struct Counted {
    output: Output,
    bytes: u64,
    hash: Sha256,
    failed: Option<std::io::Error>,
}

impl Write for Counted {
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
        Error::Encode(e.to_string()).into()
    }
}
