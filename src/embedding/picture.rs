//! Pictures of held data in every format.

use super::held::Held;
use super::prepared::{CheckSize, lone, whole};
use gridscope_core::figure::Figure;
use gridscope_core::geom::PxSize;
use gridscope_core::lint::Lints;
use gridscope_core::text::Fonts;
use gridscope_draw::error::Error;
use gridscope_draw::picture::{self as drawn, PictureFormat, fits_in_memory};

/// Form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureAs {
    /// The bytes of a file.
    File(PictureFormat),
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
        Self { bare: false, metadata: true }
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
/// [`MOST_PIXELS`](gridscope_draw::picture::MOST_PIXELS); cells that cannot be read; a picture that cannot be encoded.
pub fn draw(figure: &Figure, held: &Held, result: PictureAs, options: DrawOptions) -> Result<Picture, Error> {
    let fits: CheckSize<'_> = match result {
        PictureAs::Rgba => &fits_in_memory,
        PictureAs::File(_) => &|_| Ok(()),
    };
    let (files, inputs) = (&held.files, &held.loaded.inputs);
    if options.bare {
        let (bare, grid) = lone(figure, held, fits)?;
        let mut picture = bare.picture(figure, grid);
        if options.metadata {
            picture = picture.described(&bare.description((figure, grid), files, inputs));
        }
        return encoded(&picture, result, &mut Fonts::new(), Lints::default());
    }
    let (prepared, mut fonts, lints) = whole(figure, held, fits)?;
    let mut picture = prepared.picture(&held.loaded.grids);
    if options.metadata {
        picture = picture.described(&prepared.description(figure, files, inputs));
    }
    encoded(&picture, result, &mut fonts, lints)
}

fn encoded(
    picture: &drawn::Picture<'_>,
    result: PictureAs,
    fonts: &mut Fonts,
    lints: Lints,
) -> Result<Picture, Error> {
    let bytes = match result {
        PictureAs::Rgba => picture.image(fonts)?.pixels,
        PictureAs::File(format) => picture.bytes(format, fonts)?,
    };
    Ok(Picture { bytes, size: picture.scene.size, lints })
}

#[cfg(test)]
mod tests;
