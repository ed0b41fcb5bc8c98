//! Pictures of held data in every format.

use super::held::Held;
use super::prepared::{lone, lone_scale, reduction, whole};
use gridscope_core::figure::Figure;
use gridscope_core::geom::PxSize;
use gridscope_core::lint::Lints;
use gridscope_core::text::{Fonts, readable};
use gridscope_draw::error::Error;
use gridscope_draw::metadata::Description;
use gridscope_draw::png::Texts;
use gridscope_draw::rendered::{Canvas, dpi, fits_in_memory};
use gridscope_draw::report;
use gridscope_draw::tiling::fold_missing;
use gridscope_draw::vector::{Page, VectorError};
use serde_json::{Map, Value};

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PictureFormat {
    /// A PNG file.
    Png,
    /// An SVG file.
    Svg,
    /// A PDF file.
    #[cfg(feature = "pdf")]
    Pdf,
    /// R, G, B and A of each pixel, one byte each, row after row.
    Rgba,
}

/// How a picture is drawn.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DrawOptions {
    /// The cells of the only panel alone, with clear absent cells.
    pub bare: bool,
    /// The picture's file says how it was made.
    pub metadata: bool,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self {
            bare: false,
            metadata: true,
        }
    }
}

/// A picture and what is to be known of it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The bytes of its file, or its pixels.
    pub bytes: Vec<u8>,
    /// Its pixels; of a vector file those of its page.
    pub size: PxSize,
    /// The warnings about the figure, those of reading left out.
    pub lints: Lints,
}

/// Draws held data as a figure describes them.
///
/// # Errors
/// A figure that does not fit its data, or a canvas that does not fit its labels; pixels of more than
/// [`MOST_PIXELS`](gridscope_draw::rendered::MOST_PIXELS); cells that cannot be read; a picture that cannot be encoded.
pub fn draw(
    figure: &Figure,
    held: &Held,
    format: PictureFormat,
    options: DrawOptions,
) -> Result<Picture, Error> {
    let fits: super::prepared::CheckSize<'_> = match format {
        PictureFormat::Rgba => &fits_in_memory,
        _ => &|_| Ok(()),
    };
    if options.bare {
        let (bare, grid, size) = lone(figure, held, fits)?;
        let (limits, reduction) = lone_scale(&bare, grid);
        let canvas = Canvas {
            scene: &bare.scene,
            in_strips: bare.in_strips,
            grids: std::slice::from_ref(grid),
        };
        let said = said(figure, held, (size, limits, reduction), options);
        let bytes = encoded(canvas, &mut Fonts::new(), format, (dpi(figure), &said))?;
        return Ok(Picture {
            bytes,
            size,
            lints: Lints::default(),
        });
    }
    let (prepared, mut fonts, lints) = whole(figure, held, fits)?;
    let size = prepared.scene.size;
    let limits = report::limits(&prepared.frame, &prepared.colours);
    let said = said(figure, held, (size, limits, reduction(&prepared)), options);
    let canvas = Canvas {
        scene: &prepared.scene,
        in_strips: prepared.in_strips,
        grids: &held.loaded.grids,
    };
    let bytes = encoded(canvas, &mut fonts, format, (prepared.frame.dpi, &said))?;
    Ok(Picture { bytes, size, lints })
}

/// The title and the description that are written into a picture.
fn said(
    figure: &Figure,
    held: &Held,
    (size, limits, reduction): (PxSize, Vec<Map<String, Value>>, Option<&str>),
    options: DrawOptions,
) -> [Option<String>; 2] {
    if !options.metadata {
        return [None, None];
    }
    let description = Description {
        figure,
        files: &held.files,
        limits,
        reduction,
        inputs: &held.loaded.inputs,
        bare: options.bare,
        size,
    };
    let title = figure.title.as_deref().filter(|_| !options.bare);
    [title.map(readable), description.json()]
}

fn encoded(
    canvas: Canvas<'_>,
    fonts: &mut Fonts,
    format: PictureFormat,
    (dpi, [title, description]): (f64, &[Option<String>; 2]),
) -> Result<Vec<u8>, Error> {
    let page = || Page {
        dpi,
        title: title.clone(),
        metadata: description.clone(),
        ..Page::default()
    };
    match format {
        PictureFormat::Rgba => Ok(canvas.image(fonts)?.pixels),
        PictureFormat::Png => {
            let texts = Texts {
                title: title.as_deref(),
                description: description.as_deref(),
            };
            canvas.png(fonts, dpi, texts)
        }
        PictureFormat::Svg => vector(canvas, |canvas| {
            gridscope_draw::svg::svg(canvas.scene, canvas.grids, fonts, &page()).map(String::into_bytes)
        }),
        #[cfg(feature = "pdf")]
        PictureFormat::Pdf => vector(canvas, |canvas| {
            gridscope_draw::pdf::pdf(canvas.scene, canvas.grids, fonts, &page())
        }),
    }
}

/// A vector file, whose bodies are all folded first.
fn vector(
    canvas: Canvas<'_>,
    write: impl FnOnce(Canvas<'_>) -> Result<Vec<u8>, VectorError>,
) -> Result<Vec<u8>, Error> {
    if canvas.in_strips {
        let what = "a body of more pixels than fit in memory at once is written as PNG only";
        return Err(Error::limit(what).with_hint("a smaller size or resolution"));
    }
    let mut scene = canvas.scene.clone();
    fold_missing(&mut scene, canvas.grids)?;
    let folded = Canvas {
        scene: &scene,
        ..canvas
    };
    Ok(write(folded)?)
}

#[cfg(test)]
mod tests;
