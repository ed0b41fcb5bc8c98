//! A scene as SVG: text stays text, cells are rectangles or a lossless image, all else is shapes.

mod text;
#[cfg(feature = "pdf")]
mod font;

use crate::png::{Effort, Texts, encode};
use crate::scene::{Item, Scene};
use crate::vector::{Canvas, Page, TextAs, VectorError, draw};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::grid::Grid;
use gridscope_core::image::Image;
use gridscope_core::text::{Fonts, has_formula, unmarked};
use png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use text::{Glyphs, escape, family, number, spans};

/// Where the first family is missing: first those with letters of the same widths.
const FALLBACK: &str = "'Bitstream Vera Sans',Verdana,Geneva,sans-serif";

/// A scene as the text of an SVG file; `grids` are those that its cells name. The same scene gives the same bytes.
///
/// User units are output pixels; the file names its size in inches. A text that is not embedded carries its measured
/// length, so that another font in its place takes the same room.
///
/// # Errors
/// When cells cannot be what the page asks for, or an image or a font cannot be encoded.
///
/// # Panics
/// As [`crate::raster::draw`].
pub fn svg(scene: &Scene, grids: &[Grid], fonts: &mut Fonts, page: &Page) -> Result<String, VectorError> {
    let texts = || {
        scene.all().filter_map(|i| if let Item::Text { text, .. } = i { Some(text.as_str()) } else { None })
    };
    let rules = style(texts(), fonts, page)?;
    let setting = setting(texts(), fonts);
    let mut writer =
        Writer { out: String::new(), definitions: 0, fonts, text: page.text, glyphs: Glyphs::default() };
    draw(scene, grids, page.cells, &mut writer)?;
    let (w, h) = (scene.size.w, scene.size.h);
    let inches = |v: u32| format!("{}in", (f64::from(v) / page.dpi * 1e5).round() / 1e5);
    let mut out = String::with_capacity(writer.out.len() + 4096);
    let role = if page.alt.is_some() { " role=\"img\"" } else { "" };
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {w} {h}\"{role} {setting} text-rendering=\"geometricPrecision\">",
        inches(w),
        inches(h)
    );
    if let Some(title) = &page.title {
        let _ = writeln!(out, "<title>{}</title>", escape(title));
    }
    if let Some(alt) = &page.alt {
        let _ = writeln!(out, "<desc>{}</desc>", escape(alt));
    }
    if let Some(metadata) = &page.metadata {
        let _ = writeln!(out, "<metadata id=\"gridscope\">{}</metadata>", escape(metadata));
    }
    if !rules.is_empty() {
        let _ = writeln!(out, "<style>{}</style>", escape(&rules));
    }
    if !writer.glyphs.definitions().is_empty() {
        let _ = writeln!(out, "<defs>{}</defs>", writer.glyphs.definitions());
    }
    out.push_str(&writer.out);
    out.push_str("</svg>\n");
    Ok(out)
}

#[cfg(feature = "pdf")]
fn style<'a>(
    texts: impl Iterator<Item = &'a str>,
    fonts: &mut Fonts,
    page: &Page,
) -> Result<String, VectorError> {
    if page.text == TextAs::Embedded { font::rules(texts, fonts) } else { Ok(String::new()) }
}

#[cfg(not(feature = "pdf"))]
fn style<'a>(_: impl Iterator<Item = &'a str>, _: &mut Fonts, page: &Page) -> Result<String, VectorError> {
    match page.text {
        TextAs::Embedded => Err(VectorError::encode("this build embeds no fonts in SVG (cargo feature pdf)")),
        TextAs::Text | TextAs::Paths => Ok(String::new()),
    }
}

/// The fonts of all texts: the chosen one, then those with glyphs that it lacks, then substitutes.
fn setting<'a>(texts: impl Iterator<Item = &'a str>, fonts: &mut Fonts) -> String {
    let first = fonts.first_face();
    let mut used = BTreeSet::new();
    for text in texts {
        used.extend(fonts.line(text).glyphs.iter().map(|g| g.font));
    }
    let mut families = vec![family(&first.family)];
    for font in used {
        let name = family(&fonts.face(font).family);
        if !families.contains(&name) {
            families.push(name);
        }
    }
    families.push(FALLBACK.to_owned());
    let mut out = format!("font-family=\"{}\"", escape(&families.join(",")));
    if first.weight != 400 {
        let _ = write!(out, " font-weight=\"{}\"", first.weight);
    }
    if first.style != "normal" {
        let _ = write!(out, " font-style=\"{}\"", first.style);
    }
    out
}

struct Writer<'a> {
    out: String,
    /// Clip paths so far.
    definitions: usize,
    fonts: &'a mut Fonts,
    text: TextAs,
    glyphs: Glyphs,
}

impl Writer<'_> {
    /// A clip path; gives its number.
    fn clip(&mut self, rects: &[Rect]) -> usize {
        let id = self.definitions;
        self.definitions += 1;
        self.line(format_args!("<clipPath id=\"c{id}\"><path d=\"{}\"/></clipPath>", outlines(rects)));
        id
    }

    fn line(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.out, "{element}");
    }
}

/// A colour as an attribute; an opacity where it has one.
fn fill(color: Color) -> String {
    let [r, g, b, a] = color.rgba();
    let opacity = if a == 255 {
        String::new()
    } else {
        format!(" fill-opacity=\"{}\"", (f64::from(a) / 255.0 * 1e4).round() / 1e4)
    };
    format!("fill=\"#{r:02x}{g:02x}{b:02x}\"{opacity}")
}

fn outlines(rects: &[Rect]) -> String {
    let mut out = String::new();
    for r in rects {
        let w = number(r.w);
        let _ = write!(out, "M{} {}h{w}v{}h-{w}z", number(r.x), number(r.y), number(r.h));
    }
    out
}

fn polygon(points: &[Point]) -> String {
    let places: Vec<String> = points.iter().map(|p| format!("{} {}", number(p.x), number(p.y))).collect();
    format!("M{}z", places.join("L"))
}

impl Canvas for Writer<'_> {
    fn rects(&mut self, rects: &[Rect], color: Color) {
        self.line(format_args!("<path {} d=\"{}\"/>", fill(color), outlines(rects)));
    }

    fn cells(&mut self, cells: &[(Rect, Color)]) {
        self.line(format_args!("<g shape-rendering=\"crispEdges\">"));
        for run in cells.chunk_by(|a, b| a.1 == b.1) {
            let rects: Vec<Rect> = run.iter().map(|c| c.0).collect();
            self.rects(&rects, run[0].1);
        }
        self.line(format_args!("</g>"));
    }

    fn pattern(&mut self, within: &[Rect], bands: &[Rect], polygons: &[Vec<Point>], color: Color) {
        let clips: Vec<usize> =
            [within, bands].into_iter().filter(|c| !c.is_empty()).map(|c| self.clip(c)).collect();
        let shapes: String = polygons.iter().map(|p| polygon(p)).collect();
        let open: String = clips.iter().map(|c| format!("<g clip-path=\"url(#c{c})\">")).collect();
        self.line(format_args!("{open}<path {} d=\"{shapes}\"/>{}", fill(color), "</g>".repeat(clips.len())));
    }

    fn polygon(&mut self, points: &[Point], color: Color) {
        self.line(format_args!("<path {} d=\"{}\"/>", fill(color), polygon(points)));
    }

    fn text(&mut self, text: &str, font_size: f64, at: Point, degrees: i32, color: Color) {
        let (x, y, fill) = (number(at.x), number(at.y), fill(color));
        if self.text == TextAs::Paths {
            let uses = self.glyphs.line(text, font_size, self.fonts);
            let turn = if degrees == 0 { String::new() } else { format!(" rotate({})", -degrees) };
            if !uses.is_empty() {
                self.line(format_args!(
                    "<g {fill} transform=\"translate({x} {y}){turn}\" aria-label=\"{}\">{uses}</g>",
                    escape(&unmarked(text))
                ));
            }
            return;
        }
        let line = self.fonts.line(text);
        if line.width <= 0.0 {
            return;
        }
        let mut more = String::new();
        if degrees != 0 {
            let _ = write!(more, " transform=\"rotate({} {x} {y})\"", -degrees);
        }
        // Programs disagree on which end such a line starts at, but not on its middle.
        let x = if line.is_rtl { number(at.x + line.width * font_size / 2.0) } else { x };
        if line.is_rtl {
            more.push_str(" direction=\"rtl\" text-anchor=\"middle\"");
        }
        if self.text == TextAs::Text && !has_formula(text) {
            let _ = write!(
                more,
                " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
                number(line.width * font_size)
            );
        }
        let formula = has_formula(text);
        if text.contains("  ") || text.trim() != text || formula {
            more.push_str(" xml:space=\"preserve\"");
        }
        let content =
            if formula { spans(text, &line, font_size, at, self.text == TextAs::Text) } else { escape(text) };
        self.line(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" {fill}{more}>{}</text>",
            number(font_size),
            content
        ));
    }

    fn image(&mut self, at: &PxRect, image: &Image) -> Result<(), VectorError> {
        let uri = data_uri(image)?;
        self.line(format_args!(
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" \
             style=\"image-rendering:crisp-edges;image-rendering:pixelated\" xlink:href=\"{uri}\"/>",
            at.x, at.y, at.w, at.h
        ));
        Ok(())
    }
}

/// An image that an `href` can hold.
fn data_uri(image: &Image) -> Result<String, VectorError> {
    let bytes = match palette(image) {
        Some((colors, places)) => indexed(image, &colors, &places),
        None => encode(image, 96.0, Effort::Small, Texts::default()),
    };
    let bytes = bytes.map_err(|e| VectorError::encode(e.to_string()))?;
    Ok(format!("data:image/png;base64,{}", STANDARD.encode(bytes)))
}

/// The colours of an image, and of each pixel its colour's place; `None` for more than 256 colours. A heatmap has as many
/// colours as its map, so a byte a pixel nearly always does.
fn palette(image: &Image) -> Option<(Vec<[u8; 4]>, Vec<u8>)> {
    let (mut colors, mut known) = (Vec::new(), HashMap::new());
    let mut last = None;
    let mut places = Vec::with_capacity(image.pixels.len() / 4);
    for p in image.pixels.chunks_exact(4) {
        let color = [p[0], p[1], p[2], p[3]];
        if let Some((_, place)) = last.filter(|(c, _)| *c == color) {
            places.push(place);
            continue;
        }
        let place = match known.get(&color) {
            Some(&place) => place,
            None => {
                let place = u8::try_from(colors.len()).ok()?;
                colors.push(color);
                known.insert(color, place);
                place
            }
        };
        last = Some((color, place));
        places.push(place);
    }
    Some((colors, places))
}

fn indexed(image: &Image, colors: &[[u8; 4]], places: &[u8]) -> Result<Vec<u8>, EncodingError> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, image.width, image.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(colors.iter().flat_map(|c| [c[0], c[1], c[2]]).collect::<Vec<u8>>());
    if colors.iter().any(|c| c[3] != 255) {
        encoder.set_trns(colors.iter().map(|c| c[3]).collect::<Vec<u8>>());
    }
    encoder.set_deflate_compression(DeflateCompression::Level(6));
    // Differences of places in a palette mean nothing, but rows repeat.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(places)?;
    writer.finish()?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(image: &Image) -> (ColorType, Vec<u8>) {
        let uri = data_uri(image).unwrap();
        let bytes = STANDARD.decode(uri.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        let kind = decoder.read_header_info().unwrap().color_type;
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        (kind, pixels)
    }

    #[test]
    fn few_colours_take_a_byte_and_many_come_back_too() {
        let mut image = Image::filled(40, 30, Color::rgb(1, 2, 3));
        image.pixels[4..8].copy_from_slice(&[9, 8, 7, 0]);
        assert_eq!(decoded(&image), (ColorType::Indexed, image.pixels.clone()));
        for (i, p) in image.pixels.chunks_exact_mut(4).enumerate() {
            p.copy_from_slice(&[(i / 4) as u8, (i % 7) as u8, 5, 255]);
        }
        assert_eq!(decoded(&image), (ColorType::Rgb, image.pixels.clone()));
    }
}
