//! Common part of SVG and PDF: a scene as filled shapes, lines of text and images.

mod cells;

use crate::raster;
use crate::scene::{Cells, Item, Scene};
use cells::{Shapes, count, ramp, rectangles, shapes};
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::grid::Grid;
use gridscope_core::image::Image;
use std::fmt;

/// How the cells of a body are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellsAs {
    /// As rectangles up to [`MOST_RECTS`] of the figure, where none is smaller than a pixel; else as an image.
    #[default]
    Auto,
    /// A rectangle each.
    Rects,
    /// An image at the body's own pixels.
    Image,
}

/// Figures of more cells have images for bodies, unless rectangles are requested.
pub const MOST_RECTS: usize = 2_500;

/// No figure has more rectangles: a viewer would need minutes for them.
const MOST_ASKED: usize = 1 << 20;

/// Images of all bodies together have no more pixels: 256 MiB.
const MOST_PIXELS: u64 = 1 << 26;

/// Properties of a vector file beside the scene.
#[derive(Clone, Debug)]
pub struct Page {
    /// Output pixels an inch: a pixel of the scene is 1/dpi inch.
    pub dpi: f64,
    /// How cells are written.
    pub cells: CellsAs,
    /// How texts are written.
    pub text: TextAs,
    /// The title of the document.
    pub title: Option<String>,
    /// What it shows, for readers who do not see it.
    pub alt: Option<String>,
    /// The description of the figure, which machines read.
    pub metadata: Option<String>,
}

impl Default for Page {
    fn default() -> Self {
        Self { dpi: 200.0, cells: CellsAs::Auto, text: TextAs::Text, title: None, alt: None, metadata: None }
    }
}

/// How texts are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextAs {
    /// As text. An SVG names its font, a PDF holds the part of it that it needs.
    #[default]
    Text,
    /// As text, and an SVG, too, holds the part of the font that it needs.
    Embedded,
    /// As the outlines of its glyphs.
    Paths,
}

/// Takes what a scene consists of, in painting order. Coordinates are output pixels, y down.
pub trait Canvas {
    /// Rectangles of one colour.
    fn rects(&mut self, rects: &[Rect], color: Color);
    /// Rectangles side by side. Each reaches a little below its right and lower neighbours, so that no viewer shows seams.
    fn cells(&mut self, cells: &[(Rect, Color)]);
    /// The parts of polygons that lie in the rectangles `within`, and in those of `bands` where there are any.
    fn pattern(&mut self, within: &[Rect], bands: &[Rect], polygons: &[Vec<Point>], color: Color);
    /// A filled polygon.
    fn polygon(&mut self, points: &[Point], color: Color);
    /// A line of text; its baseline starts at `at`, turned counter-clockwise by `degrees`.
    fn text(&mut self, text: &str, font_size: f64, at: Point, degrees: i32, color: Color);
    /// An image, a pixel on each output pixel of `at`.
    ///
    /// # Errors
    /// When it cannot be encoded.
    fn image(&mut self, at: &PxRect, image: &Image) -> Result<(), VectorError>;
}

/// Draws a scene onto a canvas; `grids` are those that its cells name.
///
/// # Errors
/// When cells cannot be what `cells` asks for, or an image cannot be encoded.
///
/// # Panics
/// As [`raster::draw`].
pub fn draw(
    scene: &Scene,
    grids: &[Grid],
    cells: CellsAs,
    canvas: &mut dyn Canvas,
) -> Result<(), VectorError> {
    let as_rects = as_rects(scene, cells)?;
    let whole = Rect::new(0.0, 0.0, f64::from(scene.size.w), f64::from(scene.size.h));
    if let Some(color) = scene.background {
        canvas.rects(&[whole], color);
    }
    let mut run = RectRun { rects: Vec::new(), color: Color::CLEAR };
    for item in scene.all() {
        if let Item::Rect { rect, color } = item {
            // Overlaps of translucent rectangles are darker, so those stay apart.
            if *color != run.color || color.alpha() != 255 {
                run.end(canvas);
            }
            run.color = *color;
            run.rects.push(*rect);
            continue;
        }
        run.end(canvas);
        match item {
            Item::Rect { .. } => {}
            Item::Line { from, to, width, color } => {
                canvas.polygon(&raster::line(*from, *to, *width), *color);
            }
            Item::Polygon { points, color } => canvas.polygon(points, *color),
            Item::Text { text, font_size, at, degrees, color } => {
                canvas.text(text, *font_size, set(*at, *degrees), *degrees, *color);
            }
            Item::Cells(c) if as_rects && !c.is_folded() => body(c, &grids[c.grid], canvas),
            Item::Cells(c) => {
                let mut image = Image::filled(c.body.w, c.body.h, c.background);
                raster::body(&mut image, c, &grids[c.grid]);
                canvas.image(&c.body, &image)?;
            }
            Item::Ramp { rect, scale, horizontal } => canvas.cells(&ramp(rect, scale, *horizontal)),
        }
    }
    run.end(canvas);
    Ok(())
}

/// Rectangles of one colour that follow each other.
struct RectRun {
    rects: Vec<Rect>,
    color: Color,
}

impl RectRun {
    fn end(&mut self, canvas: &mut dyn Canvas) {
        if !self.rects.is_empty() {
            canvas.rects(&self.rects, self.color);
            self.rects.clear();
        }
    }
}

/// The baseline of level text is on whole rows here as in pictures.
fn set(at: Point, degrees: i32) -> Point {
    if degrees == 0 { Point { y: at.y.round(), ..at } } else { at }
}

fn as_rects(scene: &Scene, cells: CellsAs) -> Result<bool, VectorError> {
    let bodies = || scene.all().filter_map(|i| if let Item::Cells(c) = i { Some(&**c) } else { None });
    let total: usize = bodies().filter(|c| !c.is_folded()).map(count).sum();
    let rects = cells == CellsAs::Rects || cells == CellsAs::Auto && total <= MOST_RECTS;
    let images = bodies()
        .filter(|c| !rects || c.is_folded())
        .map(|c| u64::from(c.body.w) * u64::from(c.body.h))
        .sum::<u64>();
    match cells {
        _ if images > MOST_PIXELS => {
            Err(VectorError::size(format!("bodies of {images} pixels; a vector file ends at {MOST_PIXELS}"))
                .with_hint("a smaller --dpi, --width or --cell"))
        }
        CellsAs::Rects if bodies().any(Cells::is_folded) => {
            let what = "cells smaller than a pixel cannot be rectangles";
            Err(VectorError::new(VectorErrorKind::Cells, what)
                .with_hint("a larger --width or --dpi, or --cells image"))
        }
        CellsAs::Rects if total > MOST_ASKED => {
            Err(VectorError::size(format!("{total} rectangles; a file ends at {MOST_ASKED}"))
                .with_hint("--cells image"))
        }
        _ => Ok(rects),
    }
}

fn body(c: &Cells, grid: &Grid, canvas: &mut dyn Canvas) {
    let found = rectangles(c, grid);
    canvas.cells(&found.grounds);
    for (fill, rects) in &found.patterns {
        let Shapes { polygons, bands } = shapes(fill.pattern, c.unit, &c.body, rects);
        canvas.pattern(rects, &bands, &polygons, fill.ink);
    }
}

/// Kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VectorErrorKind {
    /// It would have too many rectangles, pixels or points.
    Size,
    /// Cells cannot be rectangles.
    Cells,
    /// A library refused its input.
    Encode,
}

/// Why a scene cannot be written as a vector file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VectorError {
    /// Size, cells or encoding.
    pub kind: VectorErrorKind,
    /// Reason, on one line.
    pub what: String,
    /// Advice.
    pub hint: Option<String>,
}

impl VectorError {
    pub(crate) fn new(kind: VectorErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), hint: None }
    }

    pub(crate) fn size(what: impl Into<String>) -> Self {
        Self::new(VectorErrorKind::Size, what)
    }

    pub(crate) fn encode(what: impl Into<String>) -> Self {
        Self::new(VectorErrorKind::Encode, what)
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for VectorError {}
