//! Figures to pictures in one call: what most library users need.

use crate::error::Error;
use crate::png::{Effort, Head, Texts, encode, encode_rows};
use crate::raster::draw;
use crate::render::{PrepareOptions, Prepared, prepare, prepare_with};
use crate::scene::Scene;
use crate::tiling::{fold_missing, strips};
use crate::vector::{Page, VectorError};
use gridscope_core::figure::Figure;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::image::{Image, STRIP_PIXELS, WHOLE_PIXELS};
use gridscope_core::lint::Lints;
use gridscope_core::text::{Fonts, clean};
use gridscope_core::timing::Phases;

/// The most pixels of a picture that [`render`] holds in memory: 1 GiB of R, G, B, A. [`render_png`] has no such limit.
pub const MOST_PIXELS: u64 = 1 << 28;

/// A picture and the warnings about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rendering<T> {
    /// The picture: an [`Image`], the text of an SVG, or the bytes of a PNG or a PDF.
    pub picture: T,
    /// All warnings about the grids and the picture; a [`Policy`](gridscope_core::lint::Policy) says which of them the command line
    /// would print.
    pub lints: Lints,
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
/// and [`Error::Limit`] for a picture of more than [`MOST_PIXELS`], before any cell is folded.
pub fn render(figure: &Figure, grids: &[Grid]) -> Result<Rendering<Image>, Error> {
    let mut fonts = Fonts::new();
    let options = PrepareOptions {
        check_size: &fits_in_memory,
        ..PrepareOptions::default()
    };
    let prepared = prepare_with(figure, grids, &mut fonts, &mut Phases::new(), options)?;
    let canvas = Canvas {
        scene: &prepared.scene,
        in_strips: prepared.in_strips,
        grids,
    };
    let picture = canvas.image(&mut fonts)?;
    Ok(Rendering {
        picture,
        lints: prepared.lints,
    })
}

/// Draws a figure on the CPU and encodes it as PNG. A large picture is encoded while it is drawn: only its file is in memory
/// as a whole.
///
/// # Errors
/// As [`render()`] but for the size; [`Error::Encode`] when the picture cannot be encoded.
pub fn render_png(figure: &Figure, grids: &[Grid]) -> Result<Rendering<Vec<u8>>, Error> {
    let mut fonts = Fonts::new();
    let prepared = prepare(figure, grids, &mut fonts, &mut Phases::new())?;
    let canvas = Canvas {
        scene: &prepared.scene,
        in_strips: prepared.in_strips,
        grids,
    };
    let picture = canvas.png(&mut fonts, dpi(figure), Texts::default())?;
    Ok(Rendering {
        picture,
        lints: prepared.lints,
    })
}

/// Draws a figure as the text of an SVG file: see [`crate::svg`].
///
/// # Errors
/// As [`prepare`]; [`Error::Limit`] when bodies have more than 2^24 pixels that cover several cells, and [`Error::Vector`] when
/// they have more than 2^26 pixels.
pub fn render_svg(figure: &Figure, grids: &[Grid]) -> Result<Rendering<String>, Error> {
    vector(figure, grids, crate::svg::svg)
}

/// Draws a figure as the bytes of a PDF of one page, its texts as text in embedded fonts.
///
/// # Errors
/// As [`render_svg`]; and [`Error::Vector`] for pages of more than 200 inches a side.
#[cfg(feature = "pdf")]
pub fn render_pdf(figure: &Figure, grids: &[Grid]) -> Result<Rendering<Vec<u8>>, Error> {
    vector(figure, grids, crate::pdf::pdf)
}

/// A figure as a list of what is painted, for a back end that the caller drives: `gpu::Painter` draws it into a texture.
/// `fonts` measure the texts, and must be those that paint them.
///
/// # Errors
/// As [`render()`] but for the size; [`Error::Limit`] for bodies of more than 16,777,216 pixels.
pub fn scene(figure: &Figure, grids: &[Grid], fonts: &mut Fonts) -> Result<Rendering<Scene>, Error> {
    let Prepared {
        scene: mut picture,
        lints,
        in_strips,
        ..
    } = prepare(figure, grids, fonts, &mut Phases::new())?;
    if in_strips {
        let what = "bodies of more than 16,777,216 pixels are drawn as PNG only";
        return Err(Error::limit(what).with_hint("a smaller size or resolution"));
    }
    fold_missing(&mut picture, grids)?;
    Ok(Rendering { picture, lints })
}

/// Draws a figure by a back end for vector files.
fn vector<T>(
    figure: &Figure,
    grids: &[Grid],
    write: impl FnOnce(&Scene, &[Grid], &mut Fonts, &Page) -> Result<T, VectorError>,
) -> Result<Rendering<T>, Error> {
    let mut fonts = Fonts::new();
    let Rendering { picture, lints } = scene(figure, grids, &mut fonts)?;
    let page = Page {
        dpi: dpi(figure),
        title: figure.title.as_deref().map(clean),
        ..Page::default()
    };
    let picture = write(&picture, grids, &mut fonts, &page)?;
    Ok(Rendering { picture, lints })
}

pub fn dpi(figure: &Figure) -> f64 {
    figure.size.dpi.unwrap_or(200.0)
}

fn area(size: PxSize) -> u64 {
    u64::from(size.w) * u64::from(size.h)
}

/// Refuses a picture of more than [`MOST_PIXELS`].
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

/// What is painted, and the grids whose cells are in it.
#[derive(Clone, Copy)]
pub struct Canvas<'a> {
    pub scene: &'a Scene,
    /// Some bodies are folded only when they are painted.
    pub in_strips: bool,
    pub grids: &'a [Grid],
}

impl Canvas<'_> {
    /// The whole picture. Of bodies that are folded when they are painted no more than a strip is in memory.
    pub fn image(&self, fonts: &mut Fonts) -> Result<Image, Error> {
        let scene = self.scene;
        if !self.in_strips {
            let mut scene = scene.clone();
            fold_missing(&mut scene, self.grids)?;
            return Ok(draw(&scene, self.grids, fonts));
        }
        let mut pixels = Vec::with_capacity(area(scene.size) as usize * 4);
        each_strip(scene, self.grids, fonts, &mut |strip| {
            pixels.extend_from_slice(&strip.pixels);
            Ok(())
        })?;
        Ok(Image {
            width: scene.size.w,
            height: scene.size.h,
            pixels,
        })
    }

    /// The picture as PNG. A large one is encoded while it is drawn: only its file is in memory as a whole.
    pub fn png(&self, fonts: &mut Fonts, dpi: f64, texts: Texts<'_>) -> Result<Vec<u8>, Error> {
        let scene = self.scene;
        if !self.in_strips && area(scene.size) <= WHOLE_PIXELS {
            return Ok(encode(&self.image(fonts)?, dpi, Effort::Auto, texts)?);
        }
        let head = Head {
            width: scene.size.w,
            height: scene.size.h,
            dpi,
            opaque: scene.background.is_some(),
            texts,
        };
        let mut out = Vec::new();
        encode_rows::<Error>(&mut out, head, Effort::Fast, |push| {
            each_strip(scene, self.grids, fonts, &mut |strip| push(&strip.pixels))
        })?;
        Ok(out)
    }
}

/// Draws a scene a strip at a time, from the top.
fn each_strip(
    scene: &Scene,
    grids: &[Grid],
    fonts: &mut Fonts,
    emit: &mut dyn FnMut(&Image) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut paint = |part: &Scene| Ok::<_, Error>(draw(part, grids, fonts));
    strips(scene, grids, (STRIP_PIXELS, u32::MAX), &mut paint, emit)
}
