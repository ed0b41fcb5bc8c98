//! Drawing operations and bodies as images, in krilla's words.

use super::embed::{Embedded, embed};
use crate::vector::{Canvas, TextAs, VectorError};
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::image::Image;
use gridscope_core::text::{Fonts, Glyph, Line, Segment, outline};
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Size, Transform};
use krilla::image::{BitsPerComponent, CustomImage, ImageColorspace};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;
use krilla::text::{GlyphId, KrillaGlyph};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Coordinates end here: nothing so far away is seen, and sums of them stay finite.
const FARTHEST: f64 = 1e9;

/// How far images, clips and baselines keep within their pixels. Poppler rounds the edges of the first two outwards, and an
/// image a pixel wider has its rows shifted; baselines it rounds upwards.
const INSET: f64 = 0.01;

/// A page that is drawn on.
pub(super) struct Sheet<'a, 's> {
    surface: &'a mut Surface<'s>,
    fonts: &'a mut Fonts,
    /// Points a pixel.
    scale: f64,
    text: TextAs,
    embedded: HashMap<usize, Embedded>,
    outlines: HashMap<(usize, u16), Option<Path>>,
    /// Fonts whose box for missing glyphs is known to krilla.
    boxed: HashSet<usize>,
    refused: Option<VectorError>,
}

impl<'a, 's> Sheet<'a, 's> {
    /// A page of `scale` points a pixel.
    pub(super) fn new(surface: &'a mut Surface<'s>, fonts: &'a mut Fonts, scale: f64, text: TextAs) -> Self {
        Self {
            surface,
            fonts,
            scale,
            text,
            embedded: HashMap::new(),
            outlines: HashMap::new(),
            boxed: HashSet::new(),
            refused: None,
        }
    }

    /// Refusal of a text.
    ///
    /// # Errors
    /// When a font could not be embedded.
    pub(super) fn refused(self) -> Result<(), VectorError> {
        self.refused.map_or(Ok(()), Err)
    }

    /// A path in pixels: whole ones are short numbers.
    fn fill(&mut self, path: Option<Path>, color: Color) {
        self.surface.push_transform(&Transform::from_scale(self.scale as f32, self.scale as f32));
        self.fill_here(path, color);
        self.surface.pop();
    }

    fn fill_here(&mut self, path: Option<Path>, color: Color) {
        if let Some(path) = path.filter(|_| color.alpha() > 0) {
            self.surface.set_fill(Some(filled(color)));
            self.surface.draw_path(&path);
        }
    }

    /// Text in points, so that its font size is the one in the file.
    fn embed_line(&mut self, line: &Line, text: &str, size: f64) {
        for run in line.glyphs.chunk_by(|a, b| (a.font, a.is_rtl, a.size) == (b.font, b.is_rtl, b.size)) {
            let face = self.fonts.face(run[0].font);
            let units = face.units_per_em();
            match self.embedded.entry(run[0].font).or_insert_with(|| embed(face.clone())) {
                Embedded::Empty => {}
                Embedded::Refused => {
                    let what = format!("the font {} cannot be embedded", face.family);
                    let error = VectorError::encode(what).with_hint("--text-as-paths, or another --font");
                    self.refused.get_or_insert(error);
                }
                Embedded::Outlines(font) => {
                    let start = krilla::geom::Point::from_xy((run[0].x * size) as f32, 0.0);
                    let size = (size * run[0].size) as f32;
                    let (glyphs, missing) = (spaced(run, text, units), GlyphId::new(0));
                    if glyphs.iter().any(|g| g.glyph_id == missing) && self.boxed.insert(run[0].font) {
                        // The first box of a font would lose its character: krilla notes those of later ones only.
                        let unseen = [KrillaGlyph::new(missing, 0.0, 0.0, 0.0, 0.0, 0..0, None)];
                        let shown = self.surface.get_fill().cloned();
                        self.surface.set_fill(Some(Fill { opacity: NormalizedF32::ZERO, ..Fill::default() }));
                        self.surface.draw_glyphs(start, &unseen, font.clone(), text, size, false);
                        self.surface.set_fill(shown);
                    }
                    self.surface.draw_glyphs(start, &glyphs, font.clone(), text, size, false);
                }
            }
        }
    }

    /// The glyphs of a line as paths in units of their fonts.
    fn outline_line(&mut self, line: &Line, size: f64) {
        for g in &line.glyphs {
            let face = self.fonts.face(g.font);
            let em = (size * g.size / face.units_per_em()) as f32;
            let path =
                self.outlines.entry((g.font, g.id)).or_insert_with(|| glyph_path(&outline(&face, g.id)));
            if let Some(path) = path {
                self.surface.push_transform(&Transform::from_row(
                    em,
                    0.0,
                    0.0,
                    -em,
                    (g.x * size) as f32,
                    (g.y * size) as f32,
                ));
                self.surface.draw_path(path);
                self.surface.pop();
            }
        }
    }
}

impl Canvas for Sheet<'_, '_> {
    fn rects(&mut self, rects: &[Rect], color: Color) {
        // A path each: poppler fits only lone rectangles to pixels.
        rects.iter().for_each(|r| self.fill(rectangles(&[*r]), color));
    }

    fn cells(&mut self, cells: &[(Rect, Color)]) {
        let joins = |a: &(Rect, Color), b: &(Rect, Color)| {
            a.1 == b.1 && (a.0.y, a.0.h) == (b.0.y, b.0.h) && (a.0.x..=a.0.right()).contains(&b.0.x)
        };
        for run in cells.chunk_by(joins) {
            self.fill(rectangles(&[run.iter().fold(run[0].0, |all, c| all.union(&c.0))]), run[0].1);
        }
    }

    fn pattern(&mut self, within: &[Rect], bands: &[Rect], polygons: &[Vec<Point>], color: Color) {
        let clips = [within, bands].into_iter().filter(|c| !c.is_empty());
        let clips = clips.map(|c| rectangles(&c.iter().map(|r| r.grown(-INSET)).collect::<Vec<_>>()));
        let Some(clips) = clips.collect::<Option<Vec<Path>>>() else {
            return;
        };
        self.surface.push_transform(&Transform::from_scale(self.scale as f32, self.scale as f32));
        clips.iter().for_each(|c| self.surface.push_clip_path(c, &FillRule::NonZero));
        self.fill_here(self::polygons(polygons.iter().map(Vec::as_slice)), color);
        clips.iter().for_each(|_| self.surface.pop());
        self.surface.pop();
    }

    fn polygon(&mut self, points: &[Point], color: Color) {
        self.fill(polygons([points]), color);
    }

    fn text(&mut self, text: &str, font_size: f64, at: Point, degrees: i32, color: Color) {
        let size = font_size.min(FARTHEST) * self.scale;
        if color.alpha() == 0 || size.is_nan() || size <= 0.0 {
            return;
        }
        let line = self.fonts.line(text);
        let (sin, cos) = match degrees {
            0 => (0.0, 1.0),
            90 => (1.0, 0.0),
            d => f64::from(d).to_radians().sin_cos(),
        };
        let (sin, cos) = (sin as f32, cos as f32);
        self.surface.set_fill(Some(filled(color)));
        self.surface.push_transform(&Transform::from_row(
            cos,
            -sin,
            sin,
            cos,
            near(at.x * self.scale),
            near((at.y + INSET) * self.scale),
        ));
        match self.text {
            TextAs::Paths => self.outline_line(&line, size),
            TextAs::Text | TextAs::Embedded => self.embed_line(&line, text, size),
        }
        self.surface.pop();
    }

    fn image(&mut self, at: &PxRect, image: &Image) -> Result<(), VectorError> {
        let inner = at.rect().grown(-INSET);
        let Some(size) = Size::from_wh((inner.w * self.scale) as f32, (inner.h * self.scale) as f32) else {
            return Ok(());
        };
        let bitmap = Bitmap::of(image).ok_or_else(|| {
            let what = format!(
                "a body of {} x {} pixels; an image in a PDF ends at 1.4 billion",
                image.width, image.height
            );
            VectorError::size(what).with_hint("a lower --dpi")
        })?;
        let bitmap = krilla::image::Image::from_custom(bitmap, false).map_err(VectorError::encode)?;
        self.surface.push_transform(&Transform::from_translate(
            (inner.x * self.scale) as f32,
            (inner.y * self.scale) as f32,
        ));
        self.surface.draw_image(bitmap, size);
        self.surface.pop();
        Ok(())
    }
}

fn filled(color: Color) -> Fill {
    let [r, g, b, a] = color.rgba();
    let opacity = NormalizedF32::new(f32::from(a) / 255.0).unwrap_or(NormalizedF32::ONE);
    Fill { paint: rgb::Color::new(r, g, b).into(), opacity, rule: FillRule::NonZero }
}

fn near(v: f64) -> f32 {
    v.clamp(-FARTHEST, FARTHEST) as f32
}

/// Rectangles as one path; all turn the same way, so overlaps stay filled.
fn rectangles(rects: &[Rect]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for r in rects {
        let sides = krilla::geom::Rect::from_ltrb(near(r.x), near(r.y), near(r.right()), near(r.bottom()));
        sides.filter(|s| s.width() > 0.0 && s.height() > 0.0).into_iter().for_each(|s| path.push_rect(s));
    }
    path.finish()
}

fn polygons<'p>(all: impl IntoIterator<Item = &'p [Point]>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for points in all {
        let mut points = points.iter().map(|p| (near(p.x), near(p.y)));
        if let Some((x, y)) = points.next() {
            path.move_to(x, y);
            points.for_each(|(x, y)| path.line_to(x, y));
            path.close();
        }
    }
    path.finish()
}

fn glyph_path(outline: &[Segment]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for s in outline {
        match *s {
            Segment::Move([x, y]) => path.move_to(x, y),
            Segment::Line([x, y]) => path.line_to(x, y),
            Segment::Quad([a, b], [x, y]) => path.quad_to(a, b, x, y),
            Segment::Cubic([a, b], [c, d], [x, y]) => path.cubic_to(a, b, c, d, x, y),
            Segment::Close => path.close(),
        }
    }
    path.finish()
}

/// Glyphs of one font and size, each with the way to the next; ways are whole units of the font, so that most are its own advances.
fn spaced(run: &[Glyph], text: &str, units: f64) -> Vec<KrillaGlyph> {
    let size = run.first().map_or(1.0, |g| g.size);
    let at = |x: f64| (x / size * units).round();
    let glyph = |(i, g): (usize, &Glyph)| {
        let advance = run.get(i + 1).map_or(0.0, |next| (at(next.x) - at(g.x)) / units);
        let said = if text.get(g.text.clone()).is_some() { g.text.clone() } else { 0..0 };
        KrillaGlyph::new(
            GlyphId::new(u32::from(g.id)),
            advance as f32,
            0.0,
            (-at(g.y) / units) as f32,
            0.0,
            said,
            None,
        )
    };
    run.iter().enumerate().map(glyph).collect()
}

/// The pixels of an image.
#[derive(Clone, Hash)]
struct Bitmap(Arc<Channels>);

#[derive(Hash)]
struct Channels {
    size: (u32, u32),
    /// R, G, B of each pixel.
    colors: Vec<u8>,
    /// Of each pixel; none where all are opaque.
    alphas: Option<Vec<u8>>,
}

impl Bitmap {
    /// The same pixels; `None` when they are more than an image of a PDF can have.
    pub(super) fn of(image: &Image) -> Option<Self> {
        let bytes = u64::from(image.width) * u64::from(image.height) * 3;
        u32::try_from(bytes).ok()?;
        let pixels = || image.pixels.chunks_exact(4);
        let colors = pixels().flat_map(|p| [p[0], p[1], p[2]]).collect();
        let alphas = pixels().any(|p| p[3] != 255).then(|| pixels().map(|p| p[3]).collect());
        Some(Self(Arc::new(Channels { size: (image.width, image.height), colors, alphas })))
    }
}

impl CustomImage for Bitmap {
    fn color_channel(&self) -> &[u8] {
        &self.0.colors
    }

    fn alpha_channel(&self) -> Option<&[u8]> {
        self.0.alphas.as_deref()
    }

    fn bits_per_component(&self) -> BitsPerComponent {
        BitsPerComponent::Eight
    }

    fn size(&self) -> (u32, u32) {
        self.0.size
    }

    fn icc_profile(&self) -> Option<&[u8]> {
        None
    }

    fn color_space(&self) -> ImageColorspace {
        ImageColorspace::Rgb
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_is_kept_where_there_is_any() {
        let opaque = Bitmap::of(&Image::filled(3, 2, Color::rgb(1, 2, 3))).unwrap();
        assert_eq!(
            (opaque.color_channel(), opaque.alpha_channel()),
            ([1u8, 2, 3].repeat(6).as_slice(), None)
        );
        let clear = Bitmap::of(&Image::filled(2, 1, Color::rgba_of(4, 5, 6, 7))).unwrap();
        assert_eq!(
            (clear.color_channel(), clear.alpha_channel()),
            (&[4u8, 5, 6, 4, 5, 6][..], Some(&[7u8, 7][..]))
        );
    }

    #[test]
    fn more_pixels_than_a_pdf_counts_are_refused() {
        let endless = Image { width: 70_000, height: 70_000, pixels: Vec::new() };
        assert!(Bitmap::of(&endless).is_none());
    }
}
