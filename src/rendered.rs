//! Figures to pictures in one call: what most library users need.

use crate::error::Error;
use crate::figure::Figure;
use crate::geom::PxSize;
use crate::grid::Grid;
use crate::image::{Image, STRIP_PIXELS, WHOLE_PIXELS};
use crate::lint::Lints;
use crate::png::{Effort, Head, Texts, encode, encode_rows};
use crate::raster::draw;
use crate::render::{PrepareOptions, Prepared, prepare, prepare_with};
use crate::scene::Scene;
use crate::text::{Fonts, clean};
use crate::tiling::{fold_missing, strips};
use crate::timing::Phases;
use crate::vector::Page;

/// The most pixels of a picture that [`render`] holds in memory: 1 GiB of R, G, B, A. [`render_png`] has no such limit.
pub const MOST_PIXELS: u64 = 1 << 28;

/// A picture, and what a reader of it should know.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendered {
    /// The picture.
    pub image: Image,
    /// Warnings about its data and about the picture itself.
    pub lints: Lints,
}

/// Draws a figure on the CPU.
///
/// ```
/// use gridscope::{Figure, Grid, render};
/// let grid = Grid::from_rows(2, 3, vec![0.1, 0.4, 0.2, 0.9, f64::NAN, 0.3]).unwrap();
/// let picture = render(&Figure::default(), &[grid]).unwrap();
/// assert_eq!(picture.width, 1300);
/// ```
///
/// # Errors
/// As [`prepare`]; and [`Error::Limit`] for a picture of more than [`MOST_PIXELS`], before any cell is folded.
pub fn render(figure: &Figure, grids: &[Grid]) -> Result<Image, Error> {
    render_with_lints(figure, grids).map(|r| r.image)
}

/// As [`render`], with all warnings about the grids and the picture; a [`Policy`](crate::lint::Policy) says which of them the
/// command line would print.
///
/// ```
/// use gridscope::{Figure, Grid, render_with_lints};
/// let grid = Grid::from_rows(2, 3, vec![0.1, 0.4, 0.2, 0.9, f64::NAN, 0.3]).unwrap();
/// let rendered = render_with_lints(&Figure::default(), &[grid]).unwrap();
/// assert!(rendered.lints.0.iter().any(|l| l.to_string() == "warning[nan]: 1 of 6 cells have no value"));
/// ```
///
/// # Errors
/// As [`render`].
pub fn render_with_lints(figure: &Figure, grids: &[Grid]) -> Result<Rendered, Error> {
    let mut fonts = Fonts::new();
    let options = PrepareOptions {
        check_size: &fits_in_memory,
        ..PrepareOptions::default()
    };
    let prepared = prepare_with(figure, grids, &mut fonts, &mut Phases::new(), options)?;
    let image = image(&prepared, grids, &mut fonts)?;
    Ok(Rendered {
        image,
        lints: prepared.lints,
    })
}

/// Draws a figure on the CPU and encodes it as PNG. A large picture is encoded while it is drawn: only its file is held whole.
///
/// # Errors
/// As [`prepare`]; and when the picture cannot be encoded.
pub fn render_png(figure: &Figure, grids: &[Grid]) -> Result<Vec<u8>, Error> {
    let mut fonts = Fonts::new();
    let prepared = prepare(figure, grids, &mut fonts, &mut Phases::new())?;
    let scene = &prepared.scene;
    if !prepared.in_strips && area(scene.size) <= WHOLE_PIXELS {
        return Ok(encode(
            &image(&prepared, grids, &mut fonts)?,
            dpi(figure),
            Effort::Auto,
            Texts::default(),
        )?);
    }
    let PxSize { w: width, h: height } = scene.size;
    let head = Head {
        width,
        height,
        dpi: dpi(figure),
        opaque: scene.background.is_some(),
        texts: Texts::default(),
    };
    let mut out = Vec::new();
    encode_rows::<Error>(&mut out, head, Effort::Fast, |push| {
        each_strip(scene, grids, &mut fonts, &mut |strip| push(&strip.pixels))
    })?;
    Ok(out)
}

/// Draws a figure as the text of an SVG file: see [`crate::svg`].
///
/// # Errors
/// As [`prepare`]; and [`Error::Limit`] when bodies have more than 2^24 pixels that cover several cells, or more than 2^26 pixels.
pub fn render_svg(figure: &Figure, grids: &[Grid]) -> Result<String, Error> {
    let mut fonts = Fonts::new();
    let scene = folded(figure, grids, &mut fonts)?;
    Ok(crate::svg::svg(&scene, grids, &mut fonts, &page(figure))?)
}

/// Draws a figure as the bytes of a PDF of one page: see [`crate::pdf`].
///
/// # Errors
/// As [`render_svg`]; and pages of more than 200 inches a side.
#[cfg(feature = "pdf")]
pub fn render_pdf(figure: &Figure, grids: &[Grid]) -> Result<Vec<u8>, Error> {
    let mut fonts = Fonts::new();
    let scene = folded(figure, grids, &mut fonts)?;
    Ok(crate::pdf::pdf(&scene, grids, &mut fonts, &page(figure))?)
}

fn dpi(figure: &Figure) -> f64 {
    figure.size.dpi.unwrap_or(200.0)
}

fn page(figure: &Figure) -> Page {
    Page {
        dpi: dpi(figure),
        title: figure.title.as_deref().map(clean),
        ..Page::default()
    }
}

fn area(size: PxSize) -> u64 {
    u64::from(size.w) * u64::from(size.h)
}

fn fits_in_memory(size: PxSize) -> Result<(), Error> {
    if area(size) <= MOST_PIXELS {
        return Ok(());
    }
    let mib = |pixels: u64| pixels * 4 / (1 << 20);
    Err(Error::Limit(format!(
        "{} x {} px take {} MiB, a picture in memory ends at {} MiB; hint: render_png writes larger ones strip by strip",
        size.w,
        size.h,
        mib(area(size)),
        mib(MOST_PIXELS)
    )))
}

/// The whole picture. Of bodies that are folded when they are painted no more than a strip is held.
fn image(prepared: &Prepared, grids: &[Grid], fonts: &mut Fonts) -> Result<Image, Error> {
    let scene = &prepared.scene;
    if !prepared.in_strips {
        let mut scene = scene.clone();
        fold_missing(&mut scene, grids)?;
        return Ok(draw(&scene, grids, fonts));
    }
    let mut pixels = Vec::with_capacity(area(scene.size) as usize * 4);
    each_strip(scene, grids, fonts, &mut |strip| {
        pixels.extend_from_slice(&strip.pixels);
        Ok(())
    })?;
    Ok(Image {
        width: scene.size.w,
        height: scene.size.h,
        pixels,
    })
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

/// The scene of a figure, all of its bodies folded or in memory.
fn folded(figure: &Figure, grids: &[Grid], fonts: &mut Fonts) -> Result<Scene, Error> {
    let prepared = prepare(figure, grids, fonts, &mut Phases::new())?;
    if prepared.in_strips {
        let what =
            "bodies of more than 16,777,216 pixels are drawn as PNG only; hint: a smaller size or resolution";
        return Err(Error::Limit(what.to_owned()));
    }
    let mut scene = prepared.scene;
    fold_missing(&mut scene, grids)?;
    Ok(scene)
}
