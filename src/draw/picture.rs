//! The one way out: a scene to pixels or to the bytes of a file, for the program, the library, the window and bindings.

use crate::error::Error;
pub use crate::metadata::PictureFormat;
use crate::resolve::document_title;

use crate::metadata::Description;
use crate::png::{Effort, Head, Texts, encode, encode_rows};
use crate::raster::draw;
use crate::scene::Scene;
use crate::svg::svg;
use crate::tiling::{fold_missing, strips};
use crate::vector::{CellsAs, Page, TextAs};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::image::{Image, STRIP_PIXELS, WHOLE_PIXELS};
use gridscope_core::text::Fonts;
use gridscope_read::InputError;
use png::EncodingError;
use std::io::Write;
use std::path::Path;

/// Bytes of a pixel of a strip while it is folded and painted.
const PIXEL_BYTES: u64 = 64;
/// The fewest pixels of a strip: the longest row.
const LEAST_STRIP: u64 = 1 << 16;
/// A picture whose pixels are more than a 16th of the bytes that are left is drawn in strips, if it is larger than one.
const PART_OF_MEMORY: u64 = 16;
/// The largest picture in memory, in pixels: 1 GiB of R, G, B, A.
pub const MOST_PIXELS: u64 = 1 << 28;

impl PictureFormat {
    /// Format of the extension of a path.
    ///
    /// # Errors
    /// Another extension, or none.
    pub fn of_path(path: &Path) -> Result<Self, InputError> {
        match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            Some("pdf") => Ok(Self::Pdf),
            _ => {
                let what = "the name of a picture must end in .png, .svg or .pdf";
                Err(InputError::usage(&path.display().to_string(), what))
            }
        }
    }
}

/// Choices of a file's encoder; each format reads its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Compression of PNG.
    pub effort: Effort,
    /// Cells in SVG and PDF.
    pub cells: CellsAs,
    /// Texts in SVG and PDF.
    pub text: TextAs,
}

/// Back end that paints the pixels of a PNG.
pub trait Paint<E> {
    /// The longest side of a part, in pixels.
    fn side(&self) -> u32 {
        u32::MAX
    }

    /// Paints a picture, or a part of one whose cells are folded.
    ///
    /// # Errors
    /// The back end's own.
    fn paint(&mut self, part: &Scene, grids: &[Grid], fonts: &mut Fonts) -> Result<Image, E>;

    /// Called when this many rows of the picture are encoded; at the end, all.
    fn encoded(&mut self, _rows: u32) {}
}

/// The CPU back end.
#[derive(Clone, Copy, Debug)]
pub struct OnCpu;

impl<E: From<Error>> Paint<E> for OnCpu {
    fn paint(&mut self, part: &Scene, grids: &[Grid], fonts: &mut Fonts) -> Result<Image, E> {
        let mut folded = part.clone();
        fold_missing(&mut folded, grids).map_err(Error::from)?;
        Ok(draw(&folded, grids, fonts))
    }
}

/// A scene, and the texts of its file beside the pixels.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// Items to paint.
    pub scene: &'a Scene,
    /// Grids of the scene's bodies.
    pub grids: &'a [Grid],
    /// Some bodies are folded only when they are painted, a strip at a time: [`Prepared::in_strips`](crate::render::Prepared).
    pub in_strips: bool,
    /// Output pixels per inch.
    pub dpi: f64,
    /// Bytes of memory that pixels may take.
    pub memory: u64,
    /// Title of the file.
    pub title: Option<String>,
    /// What it shows, for readers who do not see it.
    pub alt: Option<String>,
    /// Description of the figure, as [`Description::json`](crate::metadata::Description::json) has it.
    pub description: Option<String>,
}

impl<'a> Picture<'a> {
    /// A picture whose file says nothing beside the pixels, with all memory.
    pub fn new(scene: &'a Scene, grids: &'a [Grid], dpi: f64) -> Self {
        Self {
            scene,
            grids,
            in_strips: false,
            dpi,
            memory: u64::MAX,
            title: None,
            alt: None,
            description: None,
        }
    }

    /// The same picture, whose file says how it was made.
    #[must_use]
    pub fn described(self, description: &Description<'_>) -> Self {
        let title = document_title(description.figure, self.grids);
        let alt = description.alt.clone();
        Self { title: title.filter(|_| !description.bare), alt, description: description.json(), ..self }
    }

    /// All pixels, painted on the CPU. Of bodies that are folded when they are painted no more than a strip is in memory.
    ///
    /// # Errors
    /// Cells that cannot be read.
    pub fn image(&self, fonts: &mut Fonts) -> Result<Image, Error> {
        if !self.in_strips {
            return OnCpu.paint(self.scene, self.grids, fonts);
        }
        let size = self.scene.size;
        let mut pixels = Vec::with_capacity(area(size) as usize * 4);
        let mut paint = |part: &Scene| Ok::<_, Error>(draw(part, self.grids, fonts));
        strips(self.scene, self.grids, (STRIP_PIXELS, u32::MAX), &mut paint, &mut |strip| {
            pixels.extend_from_slice(&strip.pixels);
            Ok(())
        })?;
        Ok(Image { width: size.w, height: size.h, pixels })
    }

    /// The bytes of a file, its pixels painted on the CPU.
    ///
    /// # Errors
    /// As [`Picture::write`].
    pub fn bytes(&self, format: PictureFormat, fonts: &mut Fonts) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.write::<Error>(format, Encoding::default(), &mut out, &mut OnCpu, fonts)?;
        Ok(out)
    }

    /// Writes a file. Pixels are painted by `painter`, in strips where they are many; vectors need none.
    ///
    /// # Errors
    /// Cells that cannot be read; [`Error::Limit`] for vectors of bodies that are folded in strips; [`Error::Vector`]; a picture
    /// that cannot be encoded or written, which is [`EncodingError`] for all formats; errors of the painter.
    pub fn write<E: From<Error> + From<EncodingError>>(
        &self,
        format: PictureFormat,
        encoding: Encoding,
        out: &mut dyn Write,
        painter: &mut dyn Paint<E>,
        fonts: &mut Fonts,
    ) -> Result<(), E> {
        if format == PictureFormat::Png {
            return self.png(encoding.effort, out, painter, fonts);
        }
        let bytes = self.vector(format, encoding, fonts)?;
        painter.encoded(self.scene.size.h);
        Ok(out.write_all(&bytes).map_err(EncodingError::from)?)
    }

    fn is_opaque(&self) -> bool {
        self.scene.background.is_some_and(|page| page.alpha() == 255)
    }

    fn png<E: From<Error> + From<EncodingError>>(
        &self,
        effort: Effort,
        out: &mut dyn Write,
        painter: &mut dyn Paint<E>,
        fonts: &mut Fonts,
    ) -> Result<(), E> {
        // Devices draw on opaque canvases.
        let mut on_cpu = OnCpu;
        let painter: &mut dyn Paint<E> = if self.is_opaque() { painter } else { &mut on_cpu };
        let (size, side) = (self.scene.size, painter.side());
        let (title, alt) = (self.title.as_deref(), self.alt.as_deref());
        let texts = Texts { title, alt, description: self.description.as_deref() };
        let whole = (self.memory / PART_OF_MEMORY).clamp(STRIP_PIXELS.into(), WHOLE_PIXELS);
        if !self.in_strips && area(size) <= whole && size.w.max(size.h) <= side {
            let image = painter.paint(self.scene, self.grids, fonts)?;
            let bytes = encode(&image, self.dpi, effort, texts)?;
            painter.encoded(size.h);
            return Ok(out.write_all(&bytes).map_err(EncodingError::from)?);
        }
        let head = Head { width: size.w, height: size.h, dpi: self.dpi, opaque: self.is_opaque(), texts };
        let effort = if effort == Effort::Auto { Effort::Fast } else { effort };
        // Each pixel of a strip is in memory as a Summary and as a colour.
        let pixels = (self.memory / PIXEL_BYTES).clamp(LEAST_STRIP, STRIP_PIXELS.into()) as u32;
        let painter = std::cell::RefCell::new(painter);
        let mut done = 0;
        encode_rows::<E>(out, head, effort, |push| {
            let mut paint = |part: &Scene| painter.borrow_mut().paint(part, self.grids, fonts);
            let mut emit = |strip: &Image| {
                push(&strip.pixels)?;
                done += strip.height;
                painter.borrow_mut().encoded(done);
                Ok(())
            };
            strips(self.scene, self.grids, (pixels, side), &mut paint, &mut emit)
        })
    }

    fn vector(&self, format: PictureFormat, encoding: Encoding, fonts: &mut Fonts) -> Result<Vec<u8>, Error> {
        if self.in_strips {
            let what = "a body of more pixels than fit in memory at once is written as PNG only";
            return Err(Error::limit(what).with_hint("a smaller size or resolution"));
        }
        let mut scene = self.scene.clone();
        fold_missing(&mut scene, self.grids)?;
        let page = Page {
            dpi: self.dpi,
            cells: encoding.cells,
            text: encoding.text,
            title: self.title.clone(),
            alt: self.alt.clone(),
            metadata: self.description.clone(),
        };
        let bytes = match format {
            #[cfg(feature = "pdf")]
            PictureFormat::Pdf => crate::pdf::pdf(&scene, self.grids, fonts, &page),
            #[cfg(not(feature = "pdf"))]
            PictureFormat::Pdf => return Err(Error::encode("this build writes no PDF (cargo feature pdf)")),
            _ => svg(&scene, self.grids, fonts, &page).map(String::into_bytes),
        };
        Ok(bytes?)
    }
}

fn area(size: PxSize) -> u64 {
    u64::from(size.w) * u64::from(size.h)
}

/// Refuses a picture of more than [`MOST_PIXELS`].
///
/// # Errors
/// [`Error::Limit`], with the sizes.
pub fn fits_in_memory(size: PxSize) -> Result<(), Error> {
    if area(size) <= MOST_PIXELS {
        return Ok(());
    }
    let mib = |pixels: u64| pixels * 4 / (1 << 20);
    let what = format!(
        "{} x {} px take {} MiB, a picture in memory ends at {} MiB",
        size.w,
        size.h,
        mib(area(size)),
        mib(MOST_PIXELS)
    );
    Err(Error::limit(what).with_hint("render_png writes larger ones strip by strip"))
}
