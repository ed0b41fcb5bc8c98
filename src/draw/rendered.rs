//! Figures to pictures in one call, for most users of the library.

use crate::error::Error;
use crate::picture::{PictureFormat, fits_in_memory};
use crate::render::{PrepareOptions, Prepared, prepare, prepare_with};
use crate::resolve::document_title;
use crate::scene::Scene;
use crate::tiling::fold_missing;
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use gridscope_core::image::Image;
use gridscope_core::lint::Lints;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;

/// A picture and the warnings about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendering<T> {
    /// The picture: an [`Image`], the text of an SVG, or the bytes of a PNG or a PDF.
    pub picture: T,
    /// All warnings about the grids and the picture; a [`Policy`](gridscope_core::lint::Policy) says which of them the command line
    /// would print.
    pub lints: Lints,
}

impl Rendering<Vec<u8>> {
    /// The bytes of an SVG as text.
    ///
    /// # Errors
    /// Bytes that are not UTF-8.
    pub fn text(self) -> Result<Rendering<String>, Error> {
        let picture = String::from_utf8(self.picture).map_err(|e| Error::encode(e.to_string()))?;
        Ok(Rendering { picture, lints: self.lints })
    }
}

/// Draws a figure on the CPU.
///
/// ```
/// use gridscope_core::{figure::Figure, grid::Grid};
/// use gridscope_draw::rendered::render;
/// let grid = Grid::from_rows(2, 3, vec![0.1, 0.4, 0.2, 0.9, f64::NAN, 0.3]).unwrap();
/// let rendering = render(&Figure::default(), &[grid]).unwrap();
/// assert_eq!(rendering.picture.width, 1300);
/// assert!(rendering.lints.0.iter().any(|l| l.to_string() == "warning[nan]: 1 of 6 cells have no value"));
/// ```
///
/// # Errors
/// A figure that does not fit its data, or a canvas that does not fit its labels; a source that does not give its cells;
/// and [`Error::Limit`] for a picture of more than [`MOST_PIXELS`](crate::picture::MOST_PIXELS), before any cell is folded.
pub fn render(figure: &Figure, grids: &[Grid]) -> Result<Rendering<Image>, Error> {
    let mut fonts = Fonts::new();
    let options = PrepareOptions { check_size: &fits_in_memory, ..PrepareOptions::default() };
    let prepared = prepare_with(figure, grids, &mut fonts, &mut Phases::new(), options)?;
    let picture = prepared.picture(grids).image(&mut fonts)?;
    Ok(Rendering { picture, lints: prepared.lints })
}

/// Draws a figure on the CPU and encodes it as PNG. A large picture is encoded while it is drawn: only its file is in memory
/// as a whole.
///
/// # Errors
/// As [`render()`] but for the size; [`Error::Encode`] when the picture cannot be encoded.
pub fn render_png(figure: &Figure, grids: &[Grid]) -> Result<Rendering<Vec<u8>>, Error> {
    file(figure, grids, PictureFormat::Png)
}

/// Draws a figure as the text of an SVG file: see [`crate::svg`].
///
/// # Errors
/// As [`prepare`]; [`Error::Limit`] when bodies have more than 2^24 pixels that cover several cells, and [`Error::Vector`] when
/// they have more than 2^26 pixels.
pub fn render_svg(figure: &Figure, grids: &[Grid]) -> Result<Rendering<String>, Error> {
    file(figure, grids, PictureFormat::Svg)?.text()
}

/// Draws a figure as the bytes of a PDF of one page, its texts as text in embedded fonts.
///
/// # Errors
/// As [`render_svg`]; and [`Error::Vector`] for pages of more than 200 inches a side.
#[cfg(feature = "pdf")]
pub fn render_pdf(figure: &Figure, grids: &[Grid]) -> Result<Rendering<Vec<u8>>, Error> {
    file(figure, grids, PictureFormat::Pdf)
}

/// A figure as a list of painted items, for a back end that the caller drives: `gpu::Painter` draws it into a texture.
/// `fonts` measure the texts, and must be those that paint them.
///
/// # Errors
/// As [`render()`] but for the size; [`Error::Limit`] for bodies of more than 16,777,216 pixels.
pub fn scene(figure: &Figure, grids: &[Grid], fonts: &mut Fonts) -> Result<Rendering<Scene>, Error> {
    let Prepared { scene: mut picture, lints, in_strips, .. } =
        prepare(figure, grids, fonts, &mut Phases::new())?;
    if in_strips {
        let what = "bodies of more than 16,777,216 pixels are drawn as PNG only";
        return Err(Error::limit(what).with_hint("a smaller size or resolution"));
    }
    fold_missing(&mut picture, grids)?;
    Ok(Rendering { picture, lints })
}

/// Draws a figure as the bytes of a file.
fn file(figure: &Figure, grids: &[Grid], format: PictureFormat) -> Result<Rendering<Vec<u8>>, Error> {
    let mut fonts = Fonts::new();
    let prepared = prepare(figure, grids, &mut fonts, &mut Phases::new())?;
    let mut picture = prepared.picture(grids);
    if format != PictureFormat::Png {
        picture.title = document_title(figure, grids);
    }
    let picture = picture.bytes(format, &mut fonts)?;
    Ok(Rendering { picture, lints: prepared.lints })
}
